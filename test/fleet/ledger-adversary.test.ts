/** Ledgers that are not this seat's, or of an earlier time: what was done is not done again, and nothing of another seat is run. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memberFolder, readReport, seatFolder, type MemberFolder } from '../../src/fleet/link/membership.ts';
import { openFleet } from '../../src/fleet/orchestrator/fleet.ts';
import type { Fleet } from '../../src/fleet/orchestrator/types.ts';
import { until } from '../support/until.ts';
import { standInHost } from './stand-in-host.ts';
import { TestTenant, type StandIn } from './tenant.ts';

const data = mkdtempSync(join(tmpdir(), 'uiahost-ledgers-'));
const journal = join(data, 'journal');
let tenant: TestTenant;
let orders: Fleet;

beforeAll(async () => {
  tenant = await TestTenant.make(['h_a', 'h_b', 'h_c', 'h_d'], { ackWaitMs: 2000 });
  orders = await openFleet({ credential: await tenant.credential('orchestrator', 'orders') });
}, 240_000);
afterAll(async () => {
  await orders?.close();
  await tenant?.[Symbol.asyncDispose]();
  rmSync(data, { recursive: true, force: true });
});

const effects = (text: string): string[] =>
  existsSync(journal)
    ? readFileSync(journal, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith(text))
    : [];

/** With a host that knows nothing of earlier keys, as after a reset. */
const startSeat = (name: string, folder = memberFolder(join(data, name))): Promise<StandIn> =>
  tenant.standIn(name, { folder, hosts: standInHost(name, journal), presenceMs: 300 });
const takesNoJob = (folder: MemberFolder): string | null | undefined => readReport(folder)?.takesNoJob;

/** What a machine that was copied, or put back, has. */
function copyLedger(from: MemberFolder, to: string): void {
  for (const end of ['', '-wal', '-shm']) {
    rmSync(`${to}${end}`, { force: true });
    if (existsSync(`${from.ledger}${end}`)) copyFileSync(`${from.ledger}${end}`, `${to}${end}`);
  }
}

it('runs no job of another seat, whose ledger is in its place', async () => {
  const { folder: first } = await startSeat('h_a');
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
  const before = await startSeat('h_c');
  const { folder } = before;
  const steps = [
    { action: 'a', input: { ms: 50 } },
    { action: 'a', input: { ms: 3000 } },
  ];
  const job = await orders.submit('h_c', steps, { idempotencyKey: 'c1' });
  await until(() => effects('h_c.c1.0').length === 1, 'the first step');
  copyLedger(folder, join(data, 'earlier'));
  expect(await orders.wait(job)).toMatchObject({ status: 'succeeded' });
  await before.end();
  copyLedger({ ...folder, ledger: join(data, 'earlier') }, folder.ledger);
  await startSeat('h_c');
  await until(() => takesNoJob(folder) === null, 'a link that takes jobs');
  const next = await orders.run('h_c', [{ action: 'a', input: {} }], { idempotencyKey: 'c2' });
  expect(next).toMatchObject({ status: 'succeeded' });
  expect(effects('h_c.c1.1')).toHaveLength(1);
  expect(await orders.wait(job)).toMatchObject({ status: 'succeeded' });
}, 120_000);
