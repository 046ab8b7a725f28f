/** Cards decided over the fleet: a real server, a real link and a real host whose desktop is a stand-in; and what others can do about it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode } from '@nats-io/jwt';
import { expect, it } from 'vitest';
import { UiaHostClient } from '../../src/client/client.ts';
import { decisionOf, sealDecision, sealNote } from '../../src/fleet/bus/approval.ts';
import { signerOfCredential } from '../../src/fleet/bus/credential.ts';
import { decisionSubject, eventSubject, recordSubject, STREAM } from '../../src/fleet/bus/names.ts';
import { PolicyTrust } from '../../src/fleet/bus/policy.ts';
import { readNow } from '../../src/fleet/bus/reading.ts';
import { seal, signerOf } from '../../src/fleet/bus/signed.ts';
import type { FleetApproval } from '../../src/fleet/orchestrator/types.ts';
import { until } from '../support/until.ts';
import { ofFleet, SEAT, start, waiting } from './card-scene.ts';
import { command as run, stepsOf, type Told } from './tenant.ts';

const command = (...words: string[]): Promise<Told> => run(['fleet', ...words]);

it('[approver.fleet] lets the approver decide once, and no other', async () => {
  const t = await start(ofFleet);
  const { keys, server, orders, seat, host } = t;
  const jane = await t.open(t.jane);
  expect(await jane.approvals()).toEqual([]);

  const seen: string[] = [];
  const watching = new AbortController();
  const watched = (async () => {
    for await (const { seat: from, approval } of jane.watchApprovals({ signal: watching.signal }))
      if (from === SEAT) seen.push(approval?.job ?? 'ended');
  })();

  // approve: the step runs once, and records name the approver
  const first = await orders.submit(SEAT, stepsOf('first'), { idempotencyKey: 'first', runMs: 120_000 });
  const asked = await waiting(jane);
  const { approvalId } = asked.question.card;
  expect(asked).toMatchObject({
    seat: SEAT,
    job: `${SEAT}.first`,
    question: { host: { name: 'pc17' }, picture: null },
  });
  expect(asked.question.card).toEqual(await t.card(approvalId));
  expect(JSON.stringify(asked.question.card)).toContain('first');
  const file = join(seat.data, 'jane.json');
  writeFileSync(file, JSON.stringify(t.jane));
  const listed = await command('approvals', '--credential', file);
  const name = `${SEAT}.${approvalId}.${asked.digest.slice(0, 20)}`;
  for (const shown of [name, 'pc17', 'Save draft', '"first"']) expect(listed.out).toContain(shown);
  // a name is of what was shown
  const changed = await command('approve', `${name.slice(0, -1)}!`, '--credential', file);
  expect(changed).toMatchObject({ status: 1, err: expect.stringContaining('No card waits as') as string });
  expect(await command('approve', name, '--credential', file)).toMatchObject({ status: 0 });
  expect(await orders.wait(first)).toMatchObject({ status: 'succeeded' });
  expect(await t.card(approvalId)).toMatchObject({ status: 'approved', decidedBy: 'approver:jane' });
  await until(async () => (await jane.approvals()).length === 0, 'the end of the card');
  // the same again is the same; the opposite changes nothing
  await jane.decide(asked, 'approve');
  await expect(jane.decide(asked, 'deny')).rejects.toMatchObject({ code: 'answer_refused' });
  expect(await t.card(approvalId)).toMatchObject({ status: 'approved' });
  expect(seat.journal).toEqual(['first']);
  expect(await t.refusals()).toHaveLength(1);

  // what others answer to the next card
  const second = await orders.submit(SEAT, stepsOf('second'), { idempotencyKey: 'second', runMs: 120_000 });
  const card = await waiting(jane);
  const { question } = card;
  const id = question.card.approvalId;
  const now = Date.now();
  const thief = await server.member(keys, 'seat', 'h_thief');
  const thiefSigner = signerOf(thief.credential.card ?? '', thief.credential.seed ?? '');
  const mallory = await server.credentialFile(keys, 'approver', 'mallory');
  const trust = new PolicyTrust(mallory.issuer);
  // another approver of the tenant: the link brings the answer, the machine's policy does not name them
  const stranger = await t.open(mallory);
  await expect(stranger.decide(card, 'approve')).rejects.toMatchObject({ code: 'answer_refused' });
  await expect(stranger.decide(card, 'deny')).rejects.toMatchObject({ code: 'answer_refused' });
  // an orchestrator has no part in it
  await expect(orders.approvals()).rejects.toMatchObject({ code: 'forbidden' });
  await expect(orders.decide(card, 'approve')).rejects.toMatchObject({ code: 'forbidden' });
  await expect(jane.submit(SEAT, stepsOf('x'))).rejects.toMatchObject({ code: 'forbidden' });

  // a stolen seat: an event in another's name is not shown, and a card of its own is another card
  const forge = async (subject: string, text: string): Promise<void> => {
    const bait = recordSubject('h_thief', 'bait');
    await thief.nc.request(bait, text, { timeout: 10_000 });
    thief.nc.publish(`$JS.API.DIRECT.GET.${STREAM.records}.${bait}`, '', { reply: subject });
    await thief.nc.flush();
  };
  const harmless = { ...question, card: { ...question.card, summary: 'Look at the clock' } };
  const note = { asked: { job: 'h_thief.x', question: harmless } };
  await forge(eventSubject(SEAT, id, 'approval'), sealNote(SEAT, id, note, thiefSigner));
  await forge(eventSubject(SEAT, id, 'approval'), sealNote('h_thief', id, note, thiefSigner));
  // nor does it end the other's card
  await forge(eventSubject(SEAT, id, 'approval'), sealNote(SEAT, id, { ended: true }, thiefSigner));
  expect(await jane.approvals()).toEqual([card]);
  thief.nc.publish(eventSubject('h_thief', id, 'approval'), sealNote('h_thief', id, note, thiefSigner));
  await until(async () => (await jane.approvals()).length === 2, 'the card of the thief');
  const lure = (await jane.approvals()).find((each) => each.seat === 'h_thief') as FleetApproval;
  expect(lure.digest).not.toBe(card.digest);
  // jane falls for it: the host of the other seat does not
  const given = { decision: 'approve', by: 'jane', now } as const;
  const signed = decisionOf(
    sealDecision('h_thief', lure.question, given, signerOfCredential(t.jane)),
    'h_thief',
    trust,
    now,
  );
  if ('refused' in signed) throw new Error(signed.refused);
  const agent = new UiaHostClient({ url: host.url, token: t.agent });
  expect(await agent.answerQuestion(id, signed.answer)).toEqual({
    refused: expect.stringContaining('content') as string,
  });

  // on the bus: answers that the thief made, replayed for this seat, or wrapped in the card of another
  const good = sealDecision(SEAT, question, given, signerOfCredential(t.jane));
  const { body } = JSON.parse(good) as { body: Record<string, unknown> };
  const about = { kind: 'decision', target: SEAT, id } as const;
  const wrong = [
    sealDecision(SEAT, question, given, thiefSigner),
    sealDecision('h_thief', lure.question, given, signerOfCredential(t.jane)),
    seal(about, { answer: body['answer'] }, signerOfCredential(mallory)),
    good.replace('"approve"', '"deny"'),
    '{}',
  ];
  const before = seat.report()?.refused ?? 0;
  for (const text of wrong) await forge(decisionSubject(SEAT), text);
  await until(() => (seat.report()?.refused ?? 0) === before + wrong.length, 'the refusals');
  expect(await t.card(id)).toMatchObject({ status: 'pending' });
  // late, the host refuses; so it does other content, which is in the audit already: once for each card and cause
  const janeNc = await server.connect('jane', t.jane);
  const late = sealDecision(SEAT, question, { ...given, now: now - 360_000 }, signerOfCredential(t.jane));
  const other = sealDecision(SEAT, harmless, given, signerOfCredential(t.jane));
  const count = (await t.refusals()).length;
  for (const text of [other, late]) {
    janeNc.nc.publish(decisionSubject(SEAT), text);
    // a seat takes one answer of an approver at a time
    await sleep(1000);
  }
  await until(async () => (await t.refusals()).length === count + 1, 'the entry of the audit');
  expect(await t.card(id)).toMatchObject({ status: 'pending' });

  // a denial counts as an approval does
  await jane.decide(card, 'deny');
  expect(await orders.wait(second)).toMatchObject({ status: 'failed', code: 'approval_denied', step: 1 });
  expect(await t.card(id)).toMatchObject({ status: 'denied', decidedBy: 'approver:jane' });
  expect(seat.journal).toEqual(['first']);
  // each card once, and its end once
  const all = [`${SEAT}.first`, 'ended', `${SEAT}.second`, 'ended'];
  await until(() => seen.length === all.length, 'the end of the second card');
  watching.abort();
  await watched;
  expect(seen).toEqual(all);
  // what a viewer and an orchestrator may read of the bus has no card in it
  for (const role of ['viewer', 'orchestrator'] as const) {
    const { nc } = await server.member(keys, role, 'looker');
    await expect(readNow(nc, STREAM.events, 'uia.v1.evt.*.*.approval', 'last')).rejects.toThrow();
  }
}, 240_000);

it('hands on no answer of an approver who was revoked; the card ends with its job', async () => {
  const t = await start(ofFleet);
  const jane = await t.open(t.jane);
  const job = await t.orders.submit(SEAT, stepsOf('never'), { idempotencyKey: 'never', runMs: 15_000 });
  const asked = await waiting(jane);
  await t.tenant.publish({ version: 1, revoked: [decode(t.jane.card ?? '').jti] });
  await expect(jane.decide(asked, 'approve', { signal: AbortSignal.timeout(6000) })).rejects.toThrow(/timeout|abort/i);
  expect(t.seat.report()?.lastRefusal).toContain('revoked');
  expect(await t.orders.wait(job)).toMatchObject({ delivery: 'not_delivered', step: 1 });
  expect(t.seat.journal).toEqual([]);
  // another approver sees it end
  const looker = await t.open(await t.server.credentialFile(t.keys, 'approver', 'looker'));
  await until(async () => (await looker.approvals()).length === 0, 'the end of the card');
}, 120_000);

it('asks again after the link was killed, and the answer counts once', async () => {
  const t = await start(ofFleet);
  const jane = await t.open(t.jane);
  const job = await t.orders.submit(SEAT, stepsOf('once'), { idempotencyKey: 'once', runMs: 120_000 });
  const asked = await waiting(jane);
  await t.seat.killLink();
  // sent while no link is there, and again until one is
  const decided = jane.decide(asked, 'approve');
  await sleep(1000);
  await t.seat.startLink();
  await decided;
  expect(await t.orders.wait(job)).toMatchObject({ status: 'succeeded' });
  expect(t.seat.journal).toEqual(['once']);
  expect(await t.refusals()).toEqual([]);
  await until(async () => (await jane.approvals()).length === 0, 'the end of the card');
}, 120_000);

it('tells the bus nothing of cards where the policy of the machine names no approver of the fleet', async () => {
  const t = await start(() => null);
  const jane = await t.open(t.jane);
  const job = await t.orders.submit(SEAT, stepsOf('local'), { idempotencyKey: 'local', runMs: 60_000 });
  let pending: readonly { approvalId: string }[] = [];
  await until(async () => (pending = (await t.host.listApprovals({ status: 'pending' })).approvals).length === 1, 'it');
  await sleep(2500);
  expect(await jane.approvals()).toEqual([]);
  const { values } = await readNow(t.admin, STREAM.events, 'uia.v1.evt.>', 0);
  expect(values.map(({ subject }) => subject.split('.').at(-1))).not.toContain('approval');
  await t.host.decideApproval(pending[0]?.approvalId ?? '', { decision: 'approve' });
  expect(await t.orders.wait(job)).toMatchObject({ status: 'succeeded' });
}, 120_000);
