/** What a revoked member leaves at the server, and who keeps a revocation from it: a tenant's folder against a real server. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode } from '@nats-io/jwt';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectBus, type CredentialFile } from '../../src/fleet/bus/credential.ts';
import { POLICY_SUBJECT } from '../../src/fleet/bus/names.ts';
import { PolicyTrust } from '../../src/fleet/bus/policy.ts';
import { submit } from '../../src/fleet/bus/records.ts';
import { TenantFolder } from '../../src/fleet/bus/tenant-folder.ts';
import { until } from '../support/until.ts';
import { freePort, NatsProcess } from './server.ts';

const folder = mkdtempSync(join(tmpdir(), 'uiahost-revoking-'));
const at = (name: string): string => join(folder, name);
const closing: (() => Promise<unknown>)[] = [];
let tenant: TenantFolder;
let orders: CredentialFile;

beforeAll(async () => {
  const port = await freePort();
  const listen = { host: '127.0.0.1', port, store: at('store'), certificate: null, key: null };
  const servers = [`nats://127.0.0.1:${port}`];
  tenant = await TenantFolder.create(at('tenant'), { name: 'A', servers, ca: null, replicas: 1, listen });
  const server = await NatsProcess.start(tenant.configuration);
  closing.push(() => server[Symbol.asyncDispose]());
  await tenant.publish();
  orders = await tenant.enrol('orchestrator', 'orders', { pools: [], days: 1 });
}, 240_000);
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

async function connected(credential: CredentialFile) {
  const nc = await connectBus(credential);
  closing.push(() => nc.close());
  return nc;
}

const asAdministrator = () => {
  const { administrator } = JSON.parse(readFileSync(at('tenant/tenant.json'), 'utf8')) as {
    administrator: CredentialFile;
  };
  return connected(administrator);
};

const cardOf = (credential: CredentialFile | undefined): string => decode(credential?.card ?? '').jti;

const known = async (): Promise<PolicyTrust> => {
  const trust = new PolicyTrust(orders.issuer);
  const nc = await connected(orders);
  await trust.follow(nc);
  return trust;
};

it('leaves no request that takes the jobs of its name or fills others’ queues', async () => {
  const options = { pools: ['excel'], days: 1 };
  const thief = await connected(await tenant.enrol('seat', 'stolen', options));
  await tenant.enrol('seat', 'other', options);
  const viewer = await connected(await tenant.enrol('viewer', 'looker', { pools: [], days: 1 }));
  const waiting = JSON.stringify({ batch: 1_000_000, expires: 86_400 * 1e9, idle_heartbeat: 5e8 });
  for (const queue of ['UIA_JOBS.h_stolen', 'UIA_POOLS.p_excel'])
    thief.publish(`$JS.API.CONSUMER.MSG.NEXT.${queue}`, waiting, { reply: 'uia.v1.job.h_other' });
  await thief.flush();
  const filter = 'uia.v1.evt.*.*.step';
  const config = { durable_name: 'left', name: 'left', filter_subject: filter, ack_policy: 'none' };
  await viewer.request(
    `$JS.API.CONSUMER.CREATE.UIA_EVENTS.left.${filter}`,
    JSON.stringify({ stream_name: 'UIA_EVENTS', config, action: 'create' }),
    { timeout: 10_000 },
  );
  viewer.publish('$JS.API.CONSUMER.MSG.NEXT.UIA_EVENTS.left', waiting, { reply: POLICY_SUBJECT });
  await viewer.flush();

  for (const name of ['stolen', 'looker']) {
    await tenant.revoke(name);
    await tenant.publish({ revoked: name });
  }
  await tenant.enrol('seat', 'stolen', options);
  const orchestrator = await connected(orders);
  for (const target of ['h_stolen', 'p_excel']) await submit(orchestrator, target, 'new', '{}');
  await sleep(1500);
  const manager = await jetstreamManager(await asAdministrator(), { checkAPI: false });
  for (const [stream, target] of [
    ['UIA_JOBS', 'h_stolen'],
    ['UIA_POOLS', 'p_excel'],
  ] as const)
    expect(await manager.consumers.info(stream, target)).toMatchObject({ num_waiting: 0, num_ack_pending: 0 });
  await expect(manager.consumers.info('UIA_EVENTS', 'left')).rejects.toThrow(/not found/);
  const { state } = await manager.streams.info('UIA_JOBS');
  await sleep(1500);
  expect((await manager.streams.info('UIA_JOBS')).state.last_seq).toBe(state.last_seq);
}, 60_000);

it('is published although a client writes over the policy without end, and by an older copy of the folder', async () => {
  const [one, two] = await Promise.all(
    ['one', 'two'].map((name) => tenant.enrol('orchestrator', name, { pools: [], days: 1 })),
  );
  cpSync(at('tenant'), at('copy'), { recursive: true });
  const thief = await connected(await tenant.enrol('seat', 'writer', { pools: [], days: 1 }));
  const over = new AbortController();
  const writing = (async () => {
    for (; !over.signal.aborted; await sleep(1))
      thief.publish('$JS.API.DIRECT.GET.KV_uia_jobs.$KV.uia_jobs.h_writer.none', '', { reply: POLICY_SUBJECT });
  })();
  closing.push(() => (over.abort(), writing));
  const heard: number[] = [];
  const administrator = await asAdministrator();
  const trust = new PolicyTrust(orders.issuer);
  const subject = (await connected(await tenant.enrol('seat', 'ears', { pools: [], days: 1 }))).subscribe(
    POLICY_SUBJECT,
    {
      callback: (_, message) => {
        if (trust.learn(message.string(), Date.now())) heard.push(trust.version);
      },
    },
  );
  await administrator.flush();
  await sleep(200);
  await tenant.revoke('one');
  await tenant.publish({ revoked: 'one' });
  await until(() => heard.length > 0, 'the policy');
  expect(trust.revoked).toContain(cardOf(one));
  over.abort();
  await writing;
  subject.unsubscribe();
  await tenant.publish();

  const copy = TenantFolder.open(at('copy'));
  await copy.revoke('two');
  // revocations of both folders are kept; only values that earlier versions set can differ
  await copy.publish({ revoked: 'two' });
  const after = await known();
  for (const each of [one, two]) expect(after.revoked).toContain(cardOf(each));
  await copy.publish();
  expect((await known()).version).toBe(after.version);
}, 60_000);

it('has room on a full server: no stream can take what others have', async () => {
  const manager = await jetstreamManager(await asAdministrator(), { checkAPI: false });
  let sum = 0;
  for await (const { config } of manager.streams.list()) {
    if (config.name !== 'KV_uia_policy') expect(config.max_bytes, config.name).toBeGreaterThan(0);
    else expect(config.subjects).toEqual([POLICY_SUBJECT]);
    sum += Math.max(0, Number(config.max_bytes));
  }
  expect(sum).toBeLessThan(16e9 - 1e9);
});
