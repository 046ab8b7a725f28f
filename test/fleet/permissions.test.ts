/** What each role of a fleet can reach on a real server, what a stolen credential tries, and which forgeries are refused. */
import { encodeUser, fmtCreds } from '@nats-io/jwt';
import { createUser, fromSeed } from '@nats-io/nkeys';
import { jetstreamManager } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addQueue, provision, provisioningProblems } from '../../src/fleet/bus/provisioning.ts';
import { signerOfCredential } from '../../src/fleet/bus/credential.ts';
import { queueOf } from '../../src/fleet/bus/names.ts';
import { createRecords, submit } from '../../src/fleet/bus/records.ts';
import { open, seal, type Trust } from '../../src/fleet/bus/signed.ts';
import { createTenantKeys, issuerOf } from '../../src/fleet/bus/tenant.ts';
import { inAnHour, TestServer } from './server.ts';

const A = createTenantKeys('A');
const B = createTenantKeys('B');
/** With every sort of character that a name can have: a seat, a pool, and a seat whose name begins as the first's. */
const OTHER_LETTERS = ['h_b=c3=bcro-1', 'p_=e2=82=ac', 'h_b=c3=bcro-1=2e2'] as const;
const trust: Trust = { issuer: issuerOf(A), revoked: new Set() };
let server: TestServer;
type Member = Awaited<ReturnType<TestServer['member']>>;
let admin: Member;
let orchestrator: Member;
let thief: Member;
let other: Member;

beforeAll(async () => {
  server = await TestServer.start([A, B]);
  admin = await server.member(A, 'administrator', 'admin');
  await provision(admin.nc);
  for (const target of ['h_w1', 'h_w2', 'p_excel', 'p_sap', ...OTHER_LETTERS]) await addQueue(admin.nc, target);
  orchestrator = await server.member(A, 'orchestrator', 'orch');
  thief = await server.member(A, 'seat', 'h_w1', ['p_excel']);
  other = await server.member(A, 'seat', 'h_w2', ['p_excel', 'p_sap']);
}, 240_000);
afterAll(() => server?.[Symbol.asyncDispose]());

/**
 * The server's answer, `refused` for a permission that is missing, or `silence`. Each request here is answered; a limit of 1.5 s
 * was missed on a busy machine alone.
 */
async function ask(nc: NatsConnection, subject: string, body: unknown = ''): Promise<string> {
  try {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await nc.request(subject, text, { timeout: 30_000, noMux: true });
    return `${reply.headers?.code ?? ''} ${reply.string()}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return /permissions violation/i.test(`${message} ${String(cause)}`) ? 'refused' : `silence: ${message}`;
  }
}

const PULL = { batch: 1, no_wait: true };
const stored = async (stream: string, subject: string): Promise<string | null> => {
  const manager = await jetstreamManager(admin.nc, { checkAPI: false });
  return manager.streams.getMessage(stream, { last_by_subj: subject }).then(
    (message) => message?.string() ?? null,
    () => null,
  );
};

describe('a seat', () => {
  it.each([
    ['h_w1', 'p_excel'],
    [OTHER_LETTERS[0], OTHER_LETTERS[1]],
  ])('has all that its work needs, as %s in %s', async (seat, pool) => {
    const { nc, errors } = await server.member(A, 'seat', seat, [pool]);
    for (const target of [seat, pool]) {
      await submit(orchestrator.nc, target, 'normal', '{}');
      const { stream } = queueOf(target);
      const message = await nc.request(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${target}`, JSON.stringify(PULL), {
        timeout: 5000,
        noMux: true,
      });
      expect(message.string()).toBe('{}');
      await nc.request(message.reply ?? '', '+ACK', { timeout: 5000 });
      const records = createRecords(nc);
      expect(await records.read(target, 'normal')).toBeNull();
      const revision = await records.write(target, 'normal', 'one', 0);
      expect(revision).toBeTypeOf('number');
      expect(await records.write(target, 'normal', 'two', 0)).toBe('taken');
      expect(await records.read(target, 'normal')).toMatchObject({ revision, text: 'one' });
      expect(await records.write(target, 'normal', 'two', Number(revision))).toBeTypeOf('number');
    }
    for (const subject of [`$KV.uia_hosts.${seat}`, `uia.v1.evt.${seat}.j.step`, `uia.v1.art.${seat}.abc`])
      expect(await ask(nc, subject, '{}')).toContain('"seq"');
    for (const key of ['all', seat, pool])
      expect(await ask(nc, `$JS.API.DIRECT.GET.KV_uia_policy.$KV.uia_policy.${key}`)).toContain('404');
    for (const subject of [`uia.v1.ctl.${seat}`, `uia.v1.ctl.${pool}`]) nc.subscribe(subject);
    await nc.flush();
    expect(errors).toEqual([]);
  });

  it('has no part in the seat whose name begins as its own', async () => {
    const [seat, , longer] = OTHER_LETTERS;
    const { nc } = await server.member(A, 'seat', seat);
    for (const subject of [
      `$JS.API.CONSUMER.MSG.NEXT.UIA_JOBS.${longer}`,
      `$KV.uia_jobs.${longer}.j`,
      `$JS.API.DIRECT.GET.KV_uia_jobs.$KV.uia_jobs.${longer}.j`,
      `$KV.uia_hosts.${longer}`,
      `uia.v1.evt.${longer}.j.step`,
      `uia.v1.art.${longer}.abc`,
    ])
      expect(await ask(nc, subject, PULL)).toBe('refused');
  });

  it('can be in no pool', async () => {
    const lone = await server.member(A, 'seat', 'h_w2');
    expect(await ask(lone.nc, '$JS.API.CONSUMER.MSG.NEXT.UIA_JOBS.h_w2', PULL)).toContain('404');
    expect(await ask(lone.nc, '$JS.API.CONSUMER.MSG.NEXT.UIA_POOLS.p_excel', PULL)).toBe('refused');
  });

  it.each([
    ['pulls another seat’s job', '$JS.API.CONSUMER.MSG.NEXT.UIA_JOBS.h_w2', PULL],
    ['pulls from a pool that it is not in', '$JS.API.CONSUMER.MSG.NEXT.UIA_POOLS.p_sap', PULL],
    ['reads the queue by sequence', '$JS.API.STREAM.MSG.GET.UIA_JOBS', { seq: 1 }],
    ['reads the queue by direct get', '$JS.API.DIRECT.GET.UIA_JOBS', { seq: 1 }],
    [
      'makes a consumer',
      '$JS.API.CONSUMER.CREATE.UIA_JOBS.evil.uia.v1.job.h_w2',
      { stream_name: 'UIA_JOBS', config: { name: 'evil', filter_subject: 'uia.v1.job.h_w2', ack_policy: 'explicit' } },
    ],
    ['submits a job to another seat', 'uia.v1.job.h_w2', '{}'],
    ['submits a job to its own queue', 'uia.v1.job.h_w1', '{}'],
    ['submits a job to its pool', 'uia.v1.pool.p_excel', '{}'],
    ['writes another seat’s record', '$KV.uia_jobs.h_w2.b1', '{}'],
    ['writes a record of a pool that it is not in', '$KV.uia_jobs.p_sap.b1', '{}'],
    ['reads another seat’s record', '$JS.API.DIRECT.GET.KV_uia_jobs.$KV.uia_jobs.h_w2.b1', ''],
    ['reads by the form without a subject', '$JS.API.DIRECT.GET.KV_uia_jobs', { last_by_subj: '$KV.uia_jobs.h_w2.b1' }],
    ['announces itself as another seat', '$KV.uia_hosts.h_w2', '{}'],
    ['reads another seat’s presence', '$JS.API.DIRECT.GET.KV_uia_hosts.$KV.uia_hosts.h_w2', ''],
    ['publishes an event as another seat', 'uia.v1.evt.h_w2.b1.step', '{}'],
    ['publishes a picture as another seat', 'uia.v1.art.h_w2.abc', '{}'],
    ['publishes the picture of a card as another seat', 'uia.v1.pic.h_w2.abc', '{}'],
    ['acknowledges another seat’s job', '$JS.ACK.UIA_JOBS.h_w2.1.4.1.1.0', '+ACK'],
    ['deletes a stream', '$JS.API.STREAM.DELETE.UIA_JOBS', ''],
    ['purges the records', '$JS.API.STREAM.PURGE.KV_uia_jobs', ''],
    ['lists the streams', '$JS.API.STREAM.NAMES', ''],
    ['changes its policy', '$KV.uia_policy.h_w1', '{}'],
    ['changes everybody’s policy', '$KV.uia_policy.all', '{}'],
    ['decides a card', 'uia.v1.dec.h_w2', '{}'],
    ['controls another seat', 'uia.v1.ctl.h_w2', '{}'],
    ['asks for a machine', '$KV.uia_enrol.golden.K', '{}'],
    ['admits a machine', '$KV.uia_admit.golden.K', '{}'],
  ])('is refused when it %s', async (_, subject, body) => expect(await ask(thief.nc, subject, body)).toBe('refused'));

  it.each(['uia.v1.job.>', 'uia.v1.pool.>', '_INBOX.>', '_INBOX.h_w2.>', 'uia.v1.ctl.h_w2', '$KV.>', 'uia.v1.evt.>'])(
    'cannot subscribe to %s',
    async (subject) => {
      const nc = (await server.member(A, 'seat', 'h_w1', ['p_excel'])).nc;
      const refused = new Promise((resolve) => {
        nc.subscribe(subject, { callback: (error) => resolve(error) });
      });
      await expect(refused).resolves.toBeInstanceOf(Error);
    },
  );

  it('cannot remove others’ records by a roll-up header', async () => {
    await createRecords(other.nc).write('h_w2', 'kept', 'text', 0);
    const rollUp = headers();
    rollUp.set('Nats-Rollup', 'all');
    const reply = await thief.nc.request('$KV.uia_jobs.h_w1.x', '{}', { headers: rollUp, timeout: 5000, noMux: true });
    expect(reply.string()).toContain('rollup not permitted');
    expect(await createRecords(other.nc).read('h_w2', 'kept')).not.toBeNull();
  });

  it('is refused with permissions of its own in its JWT', async () => {
    const user = createUser();
    const jwt = await encodeUser(
      'h_w1',
      user,
      fromSeed(Buffer.from(A.roles.seat)),
      { pub: { allow: ['>'] }, sub: { allow: ['>'] }, issuer_account: A.accountId },
      {},
    );
    const creds = Buffer.from(fmtCreds(jwt, user)).toString();
    await expect(server.connect('h_w1', { creds })).rejects.toThrow(/authoriz|authentic/i);
  });

  it('sees nothing of another tenant in which a seat has its name', async () => {
    const { nc } = await server.member(B, 'administrator', 'admin');
    await provision(nc);
    // a queue that an earlier version made with another setting is repaired
    for (const ackWaitMs of [1000, 30_000]) await addQueue(nc, 'h_w1', { ackWaitMs });
    const stranger = await server.member(B, 'seat', 'h_w1', ['p_excel']);
    await submit(orchestrator.nc, 'h_w1', 'tenant', '{}');
    expect(await ask(stranger.nc, '$JS.API.CONSUMER.MSG.NEXT.UIA_JOBS.h_w1', PULL)).toMatch(/^404/);
    expect(await ask(stranger.nc, '$JS.API.DIRECT.GET.KV_uia_jobs.$KV.uia_jobs.h_w1.normal')).toMatch(/^404/);
  });
});

it('a card: connects nowhere', async () => {
  const user = createUser();
  const card = await encodeUser('orch', user, fromSeed(Buffer.from(A.cards)), { issuer_account: A.accountId }, {});
  const creds = Buffer.from(fmtCreds(card, user)).toString();
  await expect(server.connect('orch', { creds })).rejects.toThrow(/authoriz|authentic/i);
});

it.each([
  ['orchestrator', 'pulls a seat’s job', '$JS.API.CONSUMER.MSG.NEXT.UIA_JOBS.h_w2', PULL],
  ['orchestrator', 'changes a policy', '$KV.uia_policy.all', '{}'],
  ['orchestrator', 'decides a card', 'uia.v1.dec.h_w2', '{}'],
  ['orchestrator', 'announces a seat', '$KV.uia_hosts.h_w2', '{}'],
  ['orchestrator', 'deletes a stream', '$JS.API.STREAM.DELETE.UIA_JOBS', ''],
  ['viewer', 'shows pictures as a seat', 'uia.v1.live.h_w2.m', '{}'],
  ['viewer', 'submits a job', 'uia.v1.job.h_w2', '{}'],
  ['viewer', 'decides a card', 'uia.v1.dec.h_w2', '{}'],
  ['viewer', 'writes a record', '$KV.uia_jobs.h_w2.b1', '{}'],
  ['viewer', 'pulls a job', '$JS.API.CONSUMER.MSG.NEXT.UIA_JOBS.h_w2', PULL],
  ['administrator', 'submits a job', 'uia.v1.job.h_w2', '{}'],
] as const)('the other roles: %s is refused when it %s', async (role, _, subject, body) => {
  const member = await server.member(A, role, 'm');
  expect(await ask(member.nc, subject, body)).toBe('refused');
});

/** What the body of a request says does not widen what its subject was allowed for. */
it.each(['viewer', 'orchestrator'] as const)('%s reads no card by a consumer with another filter', async (role) => {
  const { nc } = await server.member(A, role, 'm');
  const step = 'uia.v1.evt.*.*.step';
  const card = 'uia.v1.evt.*.*.approval';
  await ask(other.nc, 'uia.v1.evt.h_w2.card.approval', 'a card');
  const filters = [{ filter_subject: card }, { filter_subjects: [card] }, { filter_subjects: [step, card] }, {}];
  for (const [index, filter] of [...filters, { filter_subject: step, filter_subjects: [card] }].entries()) {
    const name = `${role}${index}`;
    const config = { name, ack_policy: 'none', deliver_policy: 'all', mem_storage: true, num_replicas: 1, ...filter };
    await ask(nc, `$JS.API.CONSUMER.CREATE.UIA_EVENTS.${name}.${step}`, { stream_name: 'UIA_EVENTS', config });
    const next = `$JS.API.CONSUMER.MSG.NEXT.UIA_EVENTS.${name}`;
    const got = await nc.request(next, JSON.stringify(PULL), { timeout: 1000, noMux: true }).catch(() => null);
    expect(got?.string() ?? '').not.toBe('a card');
  }
});

it.each(['uia.v1.live.*.other', 'uia.v1.live.>', 'uia.v1.live.*.*', 'uia.v1.dec.>', 'uia.v1.view.>'])(
  'a viewer cannot subscribe to %s',
  async (subject) => {
    const { nc } = await server.member(A, 'viewer', 'm');
    const refused = new Promise((resolve) => void nc.subscribe(subject, { callback: (error) => resolve(error) }));
    await expect(refused).resolves.toBeInstanceOf(Error);
  },
);

describe('the reply subject of a stolen seat’s request', () => {
  it.each([
    ['another seat’s queue', 'UIA_JOBS', 'uia.v1.job.h_w2', 'job', 'h_w2', 'forged'],
    ['its pool’s queue', 'UIA_POOLS', 'uia.v1.pool.p_sap', 'job', 'p_sap', 'forged'],
    ['another seat’s record', 'KV_uia_jobs', '$KV.uia_jobs.h_w2.forged', 'record', 'h_w2', 'forged'],
    ['another seat’s presence', 'KV_uia_hosts', '$KV.uia_hosts.h_w2', 'presence', 'h_w2', 'h_w2'],
    ['the policy', 'KV_uia_policy', '$KV.uia_policy.all', 'policy', 'all', 'all'],
  ] as const)('stores text on %s, which no reader trusts', async (_, stream, subject, kind, target, id) => {
    const signer = signerOfCredential(thief.credential);
    const about = { kind, target, id } as const;
    // what the thief can sign is signed by itself; and what it could copy was signed for another place
    const own = seal(about, { state: 'ended' }, signer);
    const copied = seal({ kind: 'job', target: 'h_w1', id }, { v: 1 }, signerOfCredential(orchestrator.credential));
    for (const text of [own, copied, '{"state":"ended"}']) {
      await ask(thief.nc, '$KV.uia_jobs.h_w1.bait', text);
      thief.nc.publish('$JS.API.DIRECT.GET.KV_uia_jobs.$KV.uia_jobs.h_w1.bait', '', { reply: subject });
      await expect.poll(() => stored(stream, subject), { timeout: 60_000 }).toBe(text);
      expect(open(text, about, trust, Date.now())).toHaveProperty('refused');
    }
  });

  it('does not work for a genuine message of the owner', async () => {
    const about = { kind: 'record', target: 'h_w2', id: 'b2' } as const;
    const text = seal(about, { state: 'ended' }, signerOfCredential(other.credential));
    expect(open(text, about, trust, Date.now())).toMatchObject({ by: { name: 'h_w2', role: 'seat' } });
    expect(open(text, { ...about, id: 'b3' }, trust, Date.now())).toHaveProperty('refused');
    expect(open(text.replace('ended', 'begun'), about, trust, Date.now())).toHaveProperty('refused');
    const { card } = other.credential;
    const id = (JSON.parse(Buffer.from(card?.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }).jti;
    expect(open(text, about, { ...trust, revoked: new Set([id]) }, Date.now())).toHaveProperty('refused');
    expect(open(text, about, trust, (inAnHour() + 60) * 1000)).toHaveProperty('refused');
    const viewer = signerOfCredential(await server.credentialFile(A, 'viewer', 'v'));
    expect(open(seal(about, {}, viewer), about, trust, Date.now())).toEqual({ refused: 'viewer may not say this' });
  });
});

describe('the streams', () => {
  it('are read back without a problem', async () => {
    expect(await provisioningProblems(admin.nc)).toEqual([]);
    await provision(admin.nc);
    expect(await provisioningProblems(admin.nc)).toEqual([]);
  });

  it('are found unsafe with roll-up on', async () => {
    const manager = await jetstreamManager(admin.nc, { checkAPI: false });
    await manager.streams.update('UIA_EVENTS', { allow_rollup_hdrs: true });
    expect(await provisioningProblems(admin.nc)).toEqual(['UIA_EVENTS: roll-up is on']);
    // the server itself refuses it where nothing may be purged
    await expect(manager.streams.update('KV_uia_jobs', { allow_rollup_hdrs: true })).rejects.toThrow(/purge/);
    await provision(admin.nc);
    expect(await provisioningProblems(admin.nc)).toEqual([]);
  });
});
