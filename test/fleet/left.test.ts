/** What a server has again after a kill although it was acknowledged, and what it has lost with its store. */
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { expect, it } from 'vitest';
import { addQueue } from '../../src/fleet/bus/provisioning.ts';
import { memberFolder } from '../../src/fleet/link/membership.ts';
import { until } from '../support/until.ts';
import { messagesLeft } from './server.ts';
import { standInHost } from './stand-in-host.ts';
import { testFolder, TestTenant } from './tenant.ts';

it('acknowledges them when the queue is provisioned, without another run of their jobs', async () => {
  const tenant = await TestTenant.start(['h_one', 'p_all']);
  const { server, admin } = tenant;
  const fleet = await tenant.open();
  const steps = [{ action: 'press-keys', input: {} }];
  const jobs = await Promise.all(
    ['h_one', 'p_all'].map((target) => fleet.submit(target, steps, { idempotencyKey: 'a' })),
  );
  const [account = ''] = readdirSync(join(server.store, 'jetstream')).filter((name) => name === tenant.keys.accountId);
  const before = testFolder();
  /** The messages of the queues, as they are now, or as they were. */
  const swap = async (from: (stream: string) => string, to: (stream: string) => string): Promise<void> => {
    await server.kill();
    for (const stream of ['UIA_JOBS', 'UIA_POOLS']) {
      rmSync(to(stream), { recursive: true, force: true });
      cpSync(from(stream), to(stream), { recursive: true });
    }
    await server.run();
  };
  const messagesOf = (stream: string): string => join(server.store, 'jetstream', account, 'streams', stream, 'msgs');
  const copyOf = (stream: string): string => join(before, stream);
  await swap(messagesOf, copyOf);

  const folder = memberFolder(testFolder());
  const credential = await tenant.credential('seat', 'h_one', ['p_all']);
  await tenant.standIn('h_one', { folder, credential });
  for (const job of jobs) expect(await fleet.wait(job)).toMatchObject({ status: 'succeeded', seat: 'h_one' });
  await until(async () => (await messagesLeft(admin)) === 0, 'the acknowledgements');

  await swap(copyOf, messagesOf);
  await until(
    () => messagesLeft(admin).catch(() => 0),
    (left) => left === 2,
  );
  const manager = await jetstreamManager(admin);
  for (const [stream, target] of [
    ['UIA_JOBS', 'h_one'],
    ['UIA_POOLS', 'p_all'],
  ] as const) {
    const info = await manager.consumers.info(stream, target);
    expect(info).toMatchObject({ num_pending: 0, num_ack_pending: 0, ack_floor: { stream_seq: 1 } });
    await addQueue(admin, target);
    expect((await manager.consumers.info(stream, target)).ack_floor.stream_seq).toBeLessThan(2);
  }
  await until(async () => (await messagesLeft(admin)) === 0, 'empty queues');
  expect(readFileSync(join(folder.folder, 'journal.txt'), 'utf8').split('\n').filter(Boolean)).toHaveLength(2);
  // a queue whose messages wait stays unchanged
  const made = async () => (await manager.consumers.info('UIA_JOBS', 'h_one')).created;
  const was = await made();
  await fleet.run('h_one', steps);
  await addQueue(admin, 'h_one');
  expect(await made()).toBe(was);
}, 240_000);

it('runs a job of a pool once, also when it is repeated after the server lost its store', async () => {
  const pool = 'p_all';
  const tenant = await TestTenant.start([pool, 'h_a', 'h_b'], { ackWaitMs: 2000 });
  const { server } = tenant;
  const fleet = await tenant.open();
  const journal = join(testFolder(), 'journal.txt');
  for (const name of ['h_a', 'h_b']) {
    const credential = await tenant.credential('seat', name, [pool]);
    await tenant.standIn(name, { credential, hosts: standInHost(name, journal), presenceMs: 1000 });
  }
  const submit = (id: string) => {
    const steps = [{ action: 'a', input: { ms: id === 'long' ? 8000 : 200 } }];
    // unanswered while the server is away: submitted again with its key
    return until(() => fleet.submit(pool, steps, { idempotencyKey: id }).catch(() => null), id);
  };
  const ids = Array.from({ length: 24 }, (_, index) => `j${index}`);
  for (const job of await Promise.all(ids.map(submit))) await fleet.wait(job);
  await submit('long');
  await until(async () => (await fleet.hosts()).some(({ job }) => job === 'p_all.long'), 'the job');
  await server.kill();
  rmSync(join(server.store, 'jetstream'), { recursive: true });
  await server.run();
  await until(() => tenant.provide([pool, 'h_a', 'h_b'], { ackWaitMs: 2000 }).catch(() => false), 'its streams');
  const again = await Promise.all([...ids, 'long'].map(submit));
  for (const job of again) expect(await fleet.wait(job)).toMatchObject({ status: 'succeeded' });
  const done = readFileSync(journal, 'utf8')
    .matchAll(/^\S+/gm)
    .map(([effect]) => effect);
  expect([...done].toSorted()).toEqual([...ids, 'long'].map((id) => `p_all.${id}.0`).toSorted());
}, 240_000);
