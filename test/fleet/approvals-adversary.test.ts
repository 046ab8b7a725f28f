/** What stolen credentials, floods and kills do to cards of a fleet: real server, link and host; strangers use raw clients. */
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { expect, it } from 'vitest';
import { sealDecision } from '../../src/fleet/bus/approval.ts';
import { hashOf } from '../../src/fleet/bus/artifacts.ts';
import { signerOfCredential } from '../../src/fleet/bus/credential.ts';
import { decisionSubject, eventSubject, STREAM } from '../../src/fleet/bus/names.ts';
import { readNow } from '../../src/fleet/bus/reading.ts';
import { until } from '../support/until.ts';
import { ofFleet, SEAT, start, waiting } from './card-scene.ts';
import { stepsOf } from './tenant.ts';

/** The first cards of the stream, stored once more on `place`: an approver may read them to any reply subject. */
async function repeat(nc: NatsConnection, place: string, count: number): Promise<void> {
  const filter = 'uia.v1.evt.*.*.approval';
  const name = `r${process.hrtime.bigint().toString(36)}`;
  const config = {
    name,
    filter_subject: filter,
    ack_policy: 'none',
    deliver_policy: 'all',
    mem_storage: true,
    num_replicas: 1,
  };
  const made = { stream_name: STREAM.events, config };
  await nc.request(`$JS.API.CONSUMER.CREATE.${STREAM.events}.${name}.${filter}`, JSON.stringify(made), {
    timeout: 5000,
  });
  for (let index = 0; index < count; index += 1)
    nc.publish(`$JS.API.CONSUMER.MSG.NEXT.${STREAM.events}.${name}`, '{"batch":1,"no_wait":true}', { reply: place });
  await nc.flush();
}

it('tells an approver truly whether their answer counted, whatever times another one signs', async () => {
  const t = await start(ofFleet);
  const jane = await t.open(t.jane);
  const job = await t.orders.submit(SEAT, stepsOf('mine'), { idempotencyKey: 'mine', runMs: 120_000 });
  const asked = await waiting(jane);
  const mallory = await t.server.credentialFile(t.keys, 'approver', 'mallory');
  const { nc } = await t.server.connect('mallory', mallory);
  const begun = Date.now();
  const given = { decision: 'approve', by: 'mallory' } as const;
  for (let ms = 600; ms < 1000; ms += 1) {
    const text = sealDecision(SEAT, asked.question, { ...given, now: begun + ms }, signerOfCredential(mallory));
    nc.publish(decisionSubject(SEAT), text);
  }
  await nc.flush();
  await sleep(Math.max(0, begun + 700 - Date.now()));
  await jane.decide(asked, 'approve');
  expect(await t.orders.wait(job)).toMatchObject({ status: 'succeeded' });
  expect(t.seat.journal).toEqual(['mine']);
}, 120_000);

it('shows no card that has ended to a watch that began later, when its events are sent again', async () => {
  const t = await start(ofFleet);
  const jane = await t.open(t.jane);
  const job = await t.orders.submit(SEAT, stepsOf('over'), { idempotencyKey: 'over', runMs: 120_000 });
  const asked = await waiting(jane);
  const { approvalId } = asked.question.card;
  await jane.decide(asked, 'deny');
  await t.orders.wait(job);
  await until(async () => (await jane.approvals()).length === 0, 'the end of the card');
  const shown: string[] = [];
  const stop = new AbortController();
  const watched = (async () => {
    for await (const change of jane.watchApprovals({ signal: stop.signal }))
      if (change.approval !== null) shown.push(change.approvalId);
  })();
  await sleep(1500);
  const { nc } = await t.server.connect('mallory', await t.server.credentialFile(t.keys, 'approver', 'mallory'));
  const place = eventSubject(SEAT, approvalId, 'approval');
  await repeat(nc, place, 1);
  await sleep(1500);
  stop.abort();
  await watched;
  expect(shown).toEqual([]);
  expect(await jane.approvals()).toEqual([]);
}, 120_000);

it('a card that a person decided while the link was away does not stay', async () => {
  const t = await start(ofFleet);
  const jane = await t.open(t.jane);
  const job = await t.orders.submit(SEAT, stepsOf('away'), { idempotencyKey: 'away', runMs: 120_000 });
  const asked = await waiting(jane);
  await t.seat.killLink();
  await t.host.decideApproval(asked.question.card.approvalId, { decision: 'approve' });
  await t.seat.startLink();
  expect(await t.orders.wait(job)).toMatchObject({ status: 'succeeded' });
  await until(async () => (await jane.approvals()).length === 0, 'the end of the card', 15_000);
}, 120_000);

it('keeps a flood of answers from the link’s work and memory', async () => {
  const t = await start(ofFleet);
  const jane = await t.open(t.jane);
  const job = await t.orders.submit(SEAT, stepsOf('flood'), { idempotencyKey: 'flood', runMs: 120_000 });
  const asked = await waiting(jane);
  const mallory = await t.server.credentialFile(t.keys, 'approver', 'mallory');
  const { nc } = await t.server.connect('mallory', mallory);
  const signer = signerOfCredential(mallory);
  const now = Date.now();
  for (let index = 0; index < 3000; index += 1) {
    const question = { ...asked.question, card: { ...asked.question.card, approvalId: `apr_${index}` } };
    const text = sealDecision(SEAT, question, { decision: 'approve', by: 'mallory', now }, signer);
    nc.publish(decisionSubject(SEAT), text);
  }
  await nc.flush();
  await jane.decide(asked, 'approve');
  expect(await t.orders.wait(job)).toMatchObject({ status: 'succeeded' });
  const { streams } = await jetstreamManager(t.admin, { checkAPI: false });
  const { state } = await streams.info(STREAM.events);
  expect(state.messages).toBeLessThan(100);
}, 120_000);

it('shows the picture of a card to approvers alone', async () => {
  const t = await start((jane) => ({ ...ofFleet(jane), pictures: true }));
  const jane = await t.open(t.jane);
  await t.orders.submit(SEAT, stepsOf('seen'), { idempotencyKey: 'seen', runMs: 60_000 });
  const asked = await waiting(jane);
  const picture = asked.question.picture ?? '';
  expect(hashOf(await jane.artifact(SEAT, picture))).toBe(picture);
  const viewer = await t.open(await t.server.credentialFile(t.keys, 'viewer', 'anna'));
  for (const reader of [viewer, t.orders])
    await expect(reader.artifact(SEAT, picture)).rejects.toMatchObject({ code: 'not_found' });
  // by consumers of their own, whatever is in them
  for (const role of ['viewer', 'orchestrator'] as const) {
    const { nc } = await t.server.member(t.keys, role, 'reader');
    for (const filter of ['uia.v1.pic.>', '>', `uia.v1.pic.${SEAT}.${picture}.>`])
      await expect(readNow(nc, STREAM.artifacts, filter, 'last')).rejects.toThrow();
    const { values } = await readNow(nc, STREAM.artifacts, 'uia.v1.art.>', 'last');
    expect(values).toEqual([]);
  }
  // an approver reads no pictures of jobs
  const { nc } = await t.server.connect('jane', t.jane);
  await expect(readNow(nc, STREAM.artifacts, 'uia.v1.art.>', 'last')).rejects.toThrow();
}, 120_000);

it('asks about as much as a job may have', async () => {
  const t = await start(ofFleet);
  const jane = await t.open(t.jane);
  const text = '\u0001"'.repeat(30_000);
  const job = await t.orders.submit(SEAT, stepsOf(text), { idempotencyKey: 'large', runMs: 60_000 });
  const asked = await waiting(jane);
  await jane.decide(asked, 'deny');
  expect(await t.orders.wait(job)).toMatchObject({ code: 'approval_denied' });
  await until(async () => (await jane.approvals()).length === 0, 'the end of the card');
}, 120_000);

it.each(['host', 'server', 'link'] as const)(
  'says nothing false and runs nothing twice when the %s is killed',
  async (who) => {
    const t = await start(ofFleet);
    const jane = await t.open(t.jane);
    const outcomes: string[] = [];
    const ids = ['before', 'during', 'after'] as const;
    for (const when of ids) {
      const job = await t.orders.submit(SEAT, stepsOf(`${who}-${when}`), { idempotencyKey: when, runMs: 60_000 });
      const asked = await waiting(jane);
      const kill = async (): Promise<void> => {
        if (who === 'host') {
          await t.seat.killHost();
          await t.seat.startHost('control');
        } else if (who === 'server') {
          await t.server.kill();
          await t.server.run();
        } else {
          await t.seat.killLink();
          await t.seat.startLink();
        }
      };
      if (when === 'before') await kill();
      const deciding = jane.decide(asked, 'approve', { signal: AbortSignal.timeout(20_000) }).then(
        () => 'took it',
        (error: Error) => `${(error as { code?: string }).code ?? error.name}`,
      );
      if (when === 'during') await kill();
      const told = await deciding;
      if (when === 'after') await kill();
      // a card of a killed host has ended with it: another one comes for the same step
      let last = '';
      const again = setInterval(() => {
        void jane.approvals().then(
          (cards) => {
            for (const card of cards)
              if (card.digest !== asked.digest && last !== card.digest) {
                last = card.digest;
                void jane.decide(card, 'approve', { signal: AbortSignal.timeout(20_000) }).catch(() => {});
              }
          },
          () => {},
        );
      }, 500);
      const outcome = await t.orders.wait(job, { signal: AbortSignal.timeout(70_000) });
      clearInterval(again);
      const effects = t.seat.journal.filter((line) => line === `${who}-${when}`).length;
      outcomes.push(
        `${who} ${when}: ${told}, ${outcome.status} ${outcome.delivery} ${outcome.code ?? ''}, effects ${effects}`,
      );
      expect(effects).toBeLessThanOrEqual(1);
      if (outcome.status === 'succeeded') expect(effects).toBe(1);
      if (outcome.delivery === 'not_delivered') expect(effects).toBe(0);
      await until(async () => (await jane.approvals()).length === 0, 'no card', 30_000);
    }
  },
  400_000,
);
