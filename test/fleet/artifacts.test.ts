/** Pictures and long answers of steps: in chunks by their hash, apart from the record, from a real host and from a stand-in. */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { expect, it } from 'vitest';
import { standInHost } from './stand-in-host.ts';
import { command, testFolder, TestTenant } from './tenant.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A link whose host's desktop answers each step with this. */
const startSeat = (tenant: TestTenant, name: string, value: unknown) =>
  tenant.standIn(name, { hosts: standInHost(name, join(testFolder(), 'journal.txt'), value) });

it('keeps pictures and long answers apart from the record, each by its hash', async () => {
  const tenant = await TestTenant.start(['h_one', 'h_two']);
  const { admin } = tenant;
  const fleet = await tenant.open();
  const picture = randomBytes(2_000_000);
  const base64 = picture.toString('base64');
  const text = 'Ä'.repeat(700_000);
  for (const seat of ['h_one', 'h_two'])
    await startSeat(tenant, seat, { value: { base64, width: 2 }, completed: [{ base64 }], text });
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
  const tenant = await TestTenant.start(['h_one']);
  const fleet = await tenant.open();
  const text = 'x'.repeat(20_000);
  await startSeat(tenant, 'h_one', text);
  const outcome = await fleet.run(
    'h_one',
    Array.from({ length: 80 }, () => ({ action: 'snapshot' })),
  );
  expect(outcome.status).toBe('succeeded');
  expect(JSON.stringify(outcome).length).toBeLessThan(100_000);
  expect(outcome.values[0]).toBe(text);
  const { artifact } = outcome.values.at(-1) as { artifact: string };
  expect(JSON.parse(Buffer.from(await fleet.artifact('h_one', artifact)).toString())).toBe(text);
}, 240_000);

it('gives no picture for noise that a stolen seat put in its place', async () => {
  const tenant = await TestTenant.start();
  const { keys, server, admin } = tenant;
  const fleet = await tenant.open();
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
  const tenant = await TestTenant.start();
  const fleet = await tenant.open();
  const { nc } = await tenant.server.member(tenant.keys, 'seat', 'h_one');
  const bytes = Buffer.alloc(513);
  const hash = sha256(bytes);
  for (let part = 0; part < bytes.length; part += 1)
    await nc.request(`uia.v1.art.h_one.${hash}.${part}.${bytes.length}`, bytes.subarray(0, 1), { timeout: 20_000 });
  await expect(fleet.artifact('h_one', hash)).rejects.toMatchObject({ code: 'not_found' });
}, 240_000);

it('keeps the picture of a real host', async () => {
  const tenant = await TestTenant.start(['h_real']);
  const fleet = await tenant.open();
  const seat = await tenant.machine('h_real');
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
  writeFileSync(credential, JSON.stringify(await tenant.credential('viewer', 'looker')));
  const fetch = (...more: string[]) =>
    command(['fleet', 'artifact', 'h_real', artifact, '--credential', credential, '--out', out, ...more]);
  expect((await fetch()).status).toBe(0);
  expect(`artifact://${sha256(readFileSync(out))}`).toBe(artifact);
  // A file of that name is not overwritten.
  writeFileSync(out, 'mine');
  expect(await fetch()).toMatchObject({ status: 1, err: expect.stringContaining('already exists') as string });
  expect(readFileSync(out, 'utf8')).toBe('mine');
  expect((await fetch('--force')).status).toBe(0);
  expect(`artifact://${sha256(readFileSync(out))}`).toBe(artifact);
}, 240_000);
