/** Pictures and long answers of steps: in chunks by their hash, apart from the record, from a real host and from a stand-in. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterEach, expect, it } from 'vitest';
import { run } from '../../src/cli/program.ts';
import { addQueue, provision } from '../../src/fleet/bus/provisioning.ts';
import { createTenantKeys } from '../../src/fleet/bus/tenant.ts';
import { memberFolder, rulesOf, writePrivately, type Membership } from '../../src/fleet/link/membership.ts';
import { Seat } from '../../src/fleet/link/seat.ts';
import { openFleet } from '../../src/fleet/orchestrator/fleet.ts';
import { SeatProcess } from './seat-process.ts';
import { TestServer } from './server.ts';
import { standInHost } from './stand-in-host.ts';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
const use = <T extends AsyncDisposable>(made: T): T => {
  open.push(() => Promise.resolve(made[Symbol.asyncDispose]()));
  return made;
};
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function startBus() {
  const keys = createTenantKeys('A');
  const server = use(await TestServer.start([keys]));
  const admin = await server.member(keys, 'administrator', 'admin');
  await provision(admin.nc);
  const credential = await server.credentialFile(keys, 'orchestrator', 'orders');
  return { keys, server, admin: admin.nc, fleet: use(await openFleet({ credential })) };
}

/** A link whose host's desktop answers each step with this. */
async function startSeat({ keys, server, admin }: Awaited<ReturnType<typeof startBus>>, name: string, value: unknown) {
  await addQueue(admin, name);
  const dataDirectory = mkdtempSync(join(tmpdir(), 'uiahost-artifacts-'));
  const folder = memberFolder(dataDirectory);
  const credential = await server.credentialFile(keys, 'seat', name);
  const orchestrators = { orders: { tokenId: 'stand-in', token: 'stand-in' } };
  const membership: Membership = { format: 'uiahost fleet membership 1', credential, orchestrators };
  writePrivately(folder.file, membership);
  const stop = new AbortController();
  const hosts = standInHost(name, join(dataDirectory, 'journal.txt'), value);
  const link = new Seat({
    folder,
    credential: membership.credential,
    rules: () => rulesOf(folder),
    hosts,
    signal: stop.signal,
  }).run();
  open.push(async () => {
    stop.abort();
    await link;
    rmSync(dataDirectory, { recursive: true, force: true });
  });
}

it('keeps pictures and long answers apart from the record, each by its hash', async () => {
  const bus = await startBus();
  const { fleet, admin } = bus;
  const picture = randomBytes(2_000_000);
  const base64 = picture.toString('base64');
  const text = 'Ä'.repeat(700_000);
  for (const seat of ['h_one', 'h_two'])
    await startSeat(bus, seat, { value: { base64, width: 2 }, completed: [{ base64 }], text });
  const look = { action: 'screenshot', input: {} };
  const stored = async () => (await (await jetstreamManager(admin)).streams.info('UIA_ART')).state.messages;
  const counts: number[] = [];
  for (const target of ['h_one', 'h_one', 'h_two']) {
    const outcome = await fleet.run(target, [look, look]);
    expect(outcome).toMatchObject({ status: 'succeeded', seat: target });
    const uri = `artifact://${sha256(picture)}`;
    for (const value of outcome.values) {
      const { artifact, byteSize } = value as { artifact: string; byteSize: number };
      const bytes = await fleet.artifact(target, artifact);
      expect(bytes).toHaveLength(byteSize);
      const given = JSON.parse(Buffer.from(bytes).toString()) as unknown;
      expect(given).toEqual({ value: { artifact: uri, width: 2 }, completed: [{ artifact: uri }], text });
    }
    expect(Buffer.compare(await fleet.artifact(target, sha256(picture)), picture)).toBe(0);
    counts.push(await stored());
  }
  // the same again adds nothing; another seat's is its own
  expect(counts).toEqual([counts[0], counts[0], Number(counts[0]) * 2]);
  await expect(fleet.artifact('h_one', '0'.repeat(64))).rejects.toMatchObject({ code: 'not_found' });
  await expect(fleet.artifact('h_one', 'x.>')).rejects.toMatchObject({ code: 'invalid_argument' });
}, 240_000);

it('keeps many middling answers out of the record', async () => {
  const bus = await startBus();
  const text = 'x'.repeat(20_000);
  await startSeat(bus, 'h_one', text);
  const outcome = await bus.fleet.run(
    'h_one',
    Array.from({ length: 80 }, () => ({ action: 'snapshot' })),
  );
  expect(outcome.status).toBe('succeeded');
  expect(JSON.stringify(outcome).length).toBeLessThan(100_000);
  expect(outcome.values[0]).toBe(text);
  const { artifact } = outcome.values.at(-1) as { artifact: string };
  expect(JSON.parse(Buffer.from(await bus.fleet.artifact('h_one', artifact)).toString())).toBe(text);
}, 240_000);

it('gives no picture for noise that a stolen seat put in its place', async () => {
  const { keys, server, admin, fleet } = await startBus();
  const thief = await server.member(keys, 'seat', 'h_thief');
  const hash = sha256(Buffer.from('genuine'));
  await thief.nc.request('$KV.uia_jobs.h_thief.bait', 'noise', { timeout: 20_000 });
  const reply = `uia.v1.art.h_one.${hash}.0.1`;
  thief.nc.publish('$JS.API.DIRECT.GET.KV_uia_jobs.$KV.uia_jobs.h_thief.bait', '', { reply });
  await expect
    .poll(async () => (await (await jetstreamManager(admin)).streams.info('UIA_ART')).state.messages, {
      timeout: 30_000,
    })
    .toBe(1);
  await expect(fleet.artifact('h_one', hash)).rejects.toMatchObject({ code: 'not_found' });
}, 240_000);

it('takes in no more for a picture than a reader can', async () => {
  const { keys, server, fleet } = await startBus();
  const { nc } = await server.member(keys, 'seat', 'h_one');
  const bytes = Buffer.alloc(513);
  const hash = sha256(bytes);
  for (let part = 0; part < bytes.length; part += 1)
    await nc.request(`uia.v1.art.h_one.${hash}.${part}.${bytes.length}`, bytes.subarray(0, 1), { timeout: 20_000 });
  await expect(fleet.artifact('h_one', hash)).rejects.toMatchObject({ code: 'not_found' });
}, 240_000);

it('keeps the picture of a real host', async () => {
  const { keys, server, admin, fleet } = await startBus();
  await addQueue(admin, 'h_real');
  const seat = use(new SeatProcess());
  seat.join(await server.credentialFile(keys, 'seat', 'h_real'), 'orders');
  await seat.startHost();
  await seat.startLink();
  const outcome = await fleet.run('h_real', [
    { action: 'bind-to-window', input: { title: 'Notepad' } },
    { action: 'screenshot', input: {} },
  ]);
  expect(outcome).toMatchObject({ status: 'succeeded' });
  expect(JSON.stringify(outcome)).not.toContain('base64');
  const [artifact = ''] = /artifact:\/\/[0-9a-f]{64}/.exec(JSON.stringify(outcome.values[1])) ?? [];
  const out = join(seat.data, 'picture.png');
  const credential = join(seat.data, 'orders.json');
  writeFileSync(credential, JSON.stringify(await server.credentialFile(keys, 'viewer', 'looker')));
  const output = { out: () => {}, err: () => {} };
  const words = ['fleet', 'artifact', 'h_real', artifact, '--credential', credential, '--out', out];
  expect(await run(words, { output: output as never, env: process.env, version: 'test' })).toBe(0);
  expect(`artifact://${sha256(readFileSync(out))}`).toBe(artifact);
  // A file of that name is not overwritten.
  writeFileSync(out, 'mine');
  const said: string[] = [];
  const again = { out: () => {}, err: (text: string) => said.push(text) };
  expect(await run(words, { output: again as never, env: process.env, version: 'test' })).toBe(1);
  expect([said.join(''), readFileSync(out, 'utf8')]).toEqual([expect.stringContaining('already exists'), 'mine']);
  expect(await run([...words, '--force'], { output: again as never, env: process.env, version: 'test' })).toBe(0);
  expect(`artifact://${sha256(readFileSync(out))}`).toBe(artifact);
}, 240_000);
