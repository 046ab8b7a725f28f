/** What a stolen credential can do to others, tried on a real server with its own client, beyond what each role may do (`permissions.test.ts`). */
import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode } from '@nats-io/jwt';
import { jetstreamManager } from '@nats-io/jetstream';
import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { addQueue, provision } from '../../src/fleet/bus/provisioning.ts';
import { signerOfCredential, type CredentialFile } from '../../src/fleet/bus/credential.ts';
import { POLICY_SUBJECT, queueOf, recordSubject } from '../../src/fleet/bus/names.ts';
import { sealPolicy } from '../../src/fleet/bus/policy.ts';
import { readValue } from '../../src/fleet/bus/records.ts';
import { memberFolder, readReport } from '../../src/fleet/link/membership.ts';
import { openFleet } from '../../src/fleet/orchestrator/fleet.ts';
import type { Fleet } from '../../src/fleet/orchestrator/types.ts';
import { until } from '../support/until.ts';
import { standInHost } from './stand-in-host.ts';
import { TestTenant, type StandIn } from './tenant.ts';

const data = mkdtempSync(join(tmpdir(), 'uiahost-adversary-'));
const journal = join(data, 'journal');
let tenant: TestTenant;
let admin: NatsConnection;
let orders: Fleet;
let thief: NatsConnection;

beforeAll(async () => {
  tenant = await TestTenant.make(['h_thief']);
  ({ admin } = tenant);
  orders = await openFleet({ credential: await tenant.credential('orchestrator', 'orders') });
  ({ nc: thief } = await tenant.server.member(tenant.keys, 'seat', 'h_thief'));
}, 240_000);
afterAll(async () => {
  await orders?.close();
  await tenant?.[Symbol.asyncDispose]();
  rmSync(data, { recursive: true, force: true });
});

const effects = (text: string): number =>
  existsSync(journal)
    ? readFileSync(journal, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith(`${text}.`)).length
    : 0;
const steps = [{ action: 'a', input: { ms: 500 } }];

/** A seat of this product, with a stand-in for its host. */
async function startSeat(name: string, pools: readonly string[] = []): Promise<StandIn> {
  for (const target of [name, ...pools]) await addQueue(admin, target, { ackWaitMs: 2000 });
  const folder = memberFolder(join(data, name));
  const credential = await tenant.credential('seat', name, pools);
  const seat = await tenant.standIn(name, { folder, credential, hosts: standInHost(name, journal), presenceMs: 300 });
  await until(async () => (await orders.hosts()).some((host) => host.seat === name && host.takesNoJob === null), name);
  return seat;
}

/** The server stores there what the thief chose, headers included: it may ask for its own record with any reply subject. */
async function forge(subject: string, text: string, header?: MsgHdrs): Promise<void> {
  const own = recordSubject('h_thief', 'bait');
  await thief.request(own, text, { timeout: 10_000, ...(header === undefined ? {} : { headers: header }) });
  thief.publish(`$JS.API.DIRECT.GET.KV_uia_jobs.${own}`, '', { reply: subject });
  await thief.flush();
}

/** A status line, and what a server adds to a stored message. */
function misleading(): MsgHdrs {
  const header = headers(404, 'Message Not Found');
  header.set('Nats-Sequence', '999999');
  header.set('Nats-Time-Stamp', '2099-01-01T00:00:00Z');
  return header;
}

it('does not stop another’s queue by messages that look like the server’s', async () => {
  for (let count = 0; count < 12; count += 1) {
    await forge(queueOf('h_queue').subject, 'noise', misleading());
    // the server’s own answer, put into the queue
    thief.publish('$JS.API.CONSUMER.MSG.NEXT.UIA_JOBS.h_thief', '{"batch":1,"no_wait":true}', {
      reply: queueOf('h_queue').subject,
    });
  }
  await thief.flush();
  await startSeat('h_queue');
  expect(await orders.run('h_queue', steps, { idempotencyKey: 'queue' })).toMatchObject({ status: 'succeeded' });
  expect(effects('h_queue.queue')).toBe(1);
}, 120_000);

it('does not keep a machine from its report, whatever is in the record', async () => {
  await startSeat('h_record');
  for (const [id, header] of [
    ['noise', undefined],
    ['status', misleading()],
  ] as const) {
    const job = await orders.submit('h_record', steps, { idempotencyKey: id });
    await until(async () => (await orders.hosts()).some((host) => host.job === `h_record.${id}`), 'the job');
    for (let count = 0; count < 3; count += 1) await forge(recordSubject('h_record', id), 'noise', header);
    expect(await orders.wait(job, { signal: AbortSignal.timeout(30_000) })).toMatchObject({ status: 'succeeded' });
  }
  // and the seat is free for the next
  expect(await orders.run('h_record', steps, { idempotencyKey: 'next' })).toMatchObject({ status: 'succeeded' });
}, 120_000);

it('hides no seat and no step from a reader', async () => {
  await startSeat('h_seen');
  for (const name of ['h_a', 'h_b', 'h_z']) await forge(`$KV.uia_hosts.${name}`, 'noise', misleading());
  await forge('uia.v1.evt.h_seen.seen.step', 'noise', misleading());
  expect((await orders.hosts()).map(({ seat }) => seat)).toContain('h_seen');
  const job = await orders.submit('h_seen', steps, { idempotencyKey: 'seen' });
  const told = { target: 'h_seen', seat: 'h_seen', step: 0, what: 'waiting', until: 1e300 };
  await thief.request('uia.v1.evt.h_thief.seen.step', JSON.stringify(told), { timeout: 10_000 });
  const types: string[] = [];
  for await (const event of orders.watch(job, { signal: AbortSignal.timeout(30_000) }))
    if (event.what === 'waiting') expect(event.until).toBeUndefined();
    else types.push(event.what ?? event.type);
  expect(types).toEqual(['begun', 'succeeded', 'ended']);
}, 120_000);

const policy = async (version: number, revoked: readonly CredentialFile[]): Promise<string> =>
  sealPolicy(
    { version, revoked: revoked.map(({ card }) => decode(card ?? '').jti) },
    signerOfCredential(await tenant.credential('administrator', 'admin')),
  );

it('does not hide a revocation from a seat that is there by writing an older policy over it', async () => {
  await startSeat('h_told');
  const credential = await tenant.credential('orchestrator', 'orders');
  await using gone = await openFleet({ credential });
  const older = await policy(1, []);
  await admin.request(POLICY_SUBJECT, older, { timeout: 10_000 });
  const stop = new AbortController();
  await forge(POLICY_SUBJECT, older);
  const hiding = (async () => {
    for (; !stop.signal.aborted; await sleep(1))
      thief.publish(`$JS.API.DIRECT.GET.KV_uia_jobs.${recordSubject('h_thief', 'bait')}`, '', {
        reply: POLICY_SUBJECT,
      });
  })();
  onTestFinished(() => (stop.abort(), hiding));
  await admin.request(POLICY_SUBJECT, await policy(2, [credential]), { timeout: 10_000 });
  await sleep(100);
  await gone.submit('h_told', steps, { idempotencyKey: 'hidden' });
  await until(() => readReport(memberFolder(join(data, 'h_told')))?.refused === 1, 'the refusal');
  expect(effects('h_told.hidden')).toBe(0);
}, 120_000);

it('lets no job run while the policy cannot be read', async () => {
  await startSeat('h_blind');
  const credential = await tenant.credential('orchestrator', 'orders');
  await using gone = await openFleet({ credential });
  const manager = await jetstreamManager(admin, { checkAPI: false });
  await manager.streams.delete('KV_uia_policy');
  await gone.submit('h_blind', steps, { idempotencyKey: 'blind' }).catch(() => {});
  await sleep(2000);
  expect(effects('h_blind.blind')).toBe(0);
  await provision(admin);
  await sleep(2000);
  expect(effects('h_blind.blind')).toBe(0);
  await admin.request(POLICY_SUBJECT, await policy(3, [credential]), { timeout: 10_000 });
  await until(() => readReport(memberFolder(join(data, 'h_blind')))?.refused === 1, 'the refusal');
  expect(effects('h_blind.blind')).toBe(0);
}, 120_000);

it('leaves a job whose record it spoiled an outcome, and nothing false of it is reported', async () => {
  const job = await orders.submit('h_thief', steps, { idempotencyKey: 'spoiled' });
  await forge(recordSubject('h_thief', 'spoiled'), 'noise');
  await expect(orders.cancel(job)).rejects.toMatchObject({ code: 'unreadable' });
  expect(await orders.wait(job, { lostAfterMs: 500 })).toMatchObject({
    status: 'unknown',
    delivery: 'unknown',
    code: 'abandoned',
  });
  await forge(recordSubject('h_thief', 'spoiled'), 'noise');
  expect(await orders.giveUp(job)).toMatchObject({ status: 'unknown' });
  await forge(recordSubject('h_thief', 'never'), 'noise');
  const submitted = await orders.submit('h_thief', steps, { idempotencyKey: 'never' });
  expect(submitted.isAgain).toBe(false);
}, 60_000);

it('declares no machine lost by its presence of an earlier ledger', async () => {
  const before = await startSeat('h_ledger');
  const subject = '$KV.uia_hosts.h_ledger';
  const earlier = (await readValue(admin, 'KV_uia_hosts', subject))?.text ?? '';
  await before.end();
  rmSync(join(data, 'h_ledger'), { recursive: true });
  await startSeat('h_ledger');
  const job = await orders.submit('h_ledger', [{ action: 'a', input: { ms: 3000 } }], { idempotencyKey: 'lost' });
  await until(async () => (await orders.hosts()).some((host) => host.job === 'h_ledger.lost'), 'the job');
  const outcome = orders.wait(job, { lostAfterMs: 600_000 });
  for (let count = 0; count < 20; count += 1, await sleep(100)) await forge(subject, earlier);
  expect(await outcome).toMatchObject({ status: 'succeeded' });
}, 120_000);
