/** Ledgers that are not this seat's, or of an earlier time: what was done is not done again, and nothing of another seat is run. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { addQueue, provision } from '../../src/fleet/bus/provisioning.ts';
import { createTenantKeys } from '../../src/fleet/bus/tenant.ts';
import { memberFolder, readReport, seatFolder, type MemberFolder } from '../../src/fleet/link/membership.ts';
import { Seat } from '../../src/fleet/link/seat.ts';
import { openFleet } from '../../src/fleet/orchestrator/fleet.ts';
import type { Fleet } from '../../src/fleet/orchestrator/types.ts';
import { until } from '../support/until.ts';
import { TestServer } from './server.ts';
import { standInHost } from './stand-in-host.ts';

const keys = createTenantKeys('A');
const data = mkdtempSync(join(tmpdir(), 'uiahost-ledgers-'));
const journal = join(data, 'journal');
let server: TestServer;
let orders: Fleet;
const ends: (() => Promise<unknown>)[] = [];
const endAll = async (): Promise<void> => {
  for (const end of ends.splice(0).reverse()) await end();
};

beforeAll(async () => {
  server = await TestServer.start([keys]);
  const { nc } = await server.member(keys, 'administrator', 'admin');
  await provision(nc);
  for (const name of ['h_a', 'h_b', 'h_c', 'h_d']) await addQueue(nc, name, { ackWaitMs: 2000 });
  orders = await openFleet({ credential: await server.credentialFile(keys, 'orchestrator', 'orders') });
}, 240_000);
afterEach(endAll);
afterAll(async () => {
  await orders?.close();
  await server?.[Symbol.asyncDispose]();
  rmSync(data, { recursive: true, force: true });
});

const effects = (text: string): string[] =>
  existsSync(journal)
    ? readFileSync(journal, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith(text))
    : [];

/** With a host that knows nothing of earlier keys, as after a reset. */
async function startSeat(name: string, folder = memberFolder(join(data, name))): Promise<MemberFolder> {
  const stop = new AbortController();
  const running = new Seat({
    folder,
    credential: await server.credentialFile(keys, 'seat', name),
    rules: () => ({
      orchestrators: { orders: { tokenId: 't', token: 't' } },
      viewers: {},
      isDrained: false,
      onlyWhenIdle: false,
    }),
    hosts: standInHost(name, journal),
    signal: stop.signal,
    presenceMs: 300,
  }).run();
  ends.push(() => (stop.abort(), running));
  return folder;
}
const takesNoJob = (folder: MemberFolder): string | null | undefined => readReport(folder)?.takesNoJob;

/** What a machine that was copied, or put back, has. */
function copyLedger(from: MemberFolder, to: string): void {
  for (const end of ['', '-wal', '-shm']) {
    rmSync(`${to}${end}`, { force: true });
    if (existsSync(`${from.ledger}${end}`)) copyFileSync(`${from.ledger}${end}`, `${to}${end}`);
  }
}

it('runs no job of another seat, whose ledger is in its place', async () => {
  const first = await startSeat('h_a');
  const job = await orders.submit('h_a', [{ action: 'a', input: { ms: 8000 } }], { idempotencyKey: 'a1' });
  await until(async () => (await orders.hosts()).some((host) => host.job === 'h_a.a1'), 'the job');
  const second = memberFolder(join(data, 'h_b'));
  mkdirSync(second.folder, { recursive: true });
  copyLedger(first, second.ledger);
  await startSeat('h_b');
  await until(() => takesNoJob(second) === 'ledger', 'the refusal', 15_000);
  // nor where it is found by a link
  const kept = seatFolder(join(data, 'link'), 'h_d', join(data, 'disk'));
  mkdirSync(join(data, 'disk'));
  symlinkSync(first.ledger, kept.ledger);
  await startSeat('h_d', kept);
  await until(() => takesNoJob(kept) === 'ledger', 'the refusal', 15_000);
  expect(effects('h_a.a1').filter((line) => !line.endsWith(' h_a'))).toEqual([]);
  await orders.cancel(job);
}, 120_000);

it('does nothing twice with a ledger of an earlier time', async () => {
  const folder = await startSeat('h_c');
  const steps = [
    { action: 'a', input: { ms: 50 } },
    { action: 'a', input: { ms: 3000 } },
  ];
  const job = await orders.submit('h_c', steps, { idempotencyKey: 'c1' });
  await until(() => effects('h_c.c1.0').length === 1, 'the first step');
  copyLedger(folder, join(data, 'earlier'));
  expect(await orders.wait(job)).toMatchObject({ status: 'succeeded' });
  await endAll();
  copyLedger({ ...folder, ledger: join(data, 'earlier') }, folder.ledger);
  await startSeat('h_c');
  await until(() => takesNoJob(folder) === null, 'a link that takes jobs');
  const next = await orders.run('h_c', [{ action: 'a', input: {} }], { idempotencyKey: 'c2' });
  expect(next).toMatchObject({ status: 'succeeded' });
  expect(effects('h_c.c1.1')).toHaveLength(1);
  expect(await orders.wait(job)).toMatchObject({ status: 'succeeded' });
}, 120_000);
