/** Machines of one image become seats: each asks with a credential that can do nothing else, and the administrator admits it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FleetMachine } from '../../src/contract/process/fleet-machine.ts';
import { connectBus, credentialOf, signerOfCredential, type CredentialFile } from '../../src/fleet/bus/credential.ts';
import { verdictOn } from '../../src/fleet/bus/enrolment.ts';
import { admissionSubject, requestSubject, STREAM } from '../../src/fleet/bus/names.ts';
import { readNow } from '../../src/fleet/bus/reading.ts';
import { readValue, writeValue } from '../../src/fleet/bus/records.ts';
import { seal, signatureOf, signerOf } from '../../src/fleet/bus/signed.ts';
import { TenantFolder } from '../../src/fleet/bus/tenant-folder.ts';
import { createMemberKeys, keysOf, publicKeysOf } from '../../src/fleet/bus/tenant.ts';
import { until } from '../support/until.ts';
import { SeatProcess } from './seat-process.ts';
import { freePort, NatsProcess } from './server.ts';
import { command as run, type Told } from './tenant.ts';

const folder = mkdtempSync(join(tmpdir(), 'uiahost-enrolment-'));
const at = (name: string): string => join(folder, name);
const seat = new SeatProcess();
let server: NatsProcess | null = null;

/** What all commands wrote to standard error, so far. */
let heard = '';

async function command(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Told> {
  return run(words, env, (text) => (heard += text));
}

async function admin(name: string, ...words: string[]): Promise<string> {
  const told = await command(['fleet', name, ...words, '--tenant', at('tenant')], { UIAHOST_DATA_DIR: at('admin') });
  if (told.status !== 0) throw new Error(told.err);
  return told.out;
}

/** What became of each machine that asks. */
async function admit(...words: string[]): Promise<Record<string, string>> {
  const { asked } = JSON.parse(await admin('admit', '--json', ...words)) as {
    asked: { seat: string; state: string }[];
  };
  return Object.fromEntries(asked.map((each) => [each.seat, each.state]));
}

/** A machine of the image joins for its service. */
const joining = (machine: string, name: string, ...words: string[]): Promise<Told> =>
  command(['fleet', 'join', at('golden.json'), '--machine', '--orchestrator', 'orders', '--name', name, ...words], {
    UIAHOST_DATA_DIR: at(`${machine}-data`),
    ProgramData: at(machine),
  });

const fileOf = (machine: string, name: string): string => join(at(machine), 'uiahost', 'fleet', name);
const credentialOn = (machine: string): CredentialFile =>
  (JSON.parse(readFileSync(fileOf(machine, 'machine.json'), 'utf8')) as FleetMachine).seats[0]
    ?.credential as CredentialFile;

const asks = (name: string): Promise<unknown> =>
  until(async () => (await admit('--dry-run'))[name] ?? null, `a request of ${name}`);

beforeAll(async () => {
  await seat.startHost();
  await admin('init', '--server', `nats://127.0.0.1:${await freePort()}`);
  // a folder that is older than this role
  const tenant = JSON.parse(readFileSync(at('tenant/tenant.json'), 'utf8')) as { keys: { roles: object } };
  writeFileSync(
    at('tenant/tenant.json'),
    JSON.stringify({ ...tenant, keys: { ...tenant.keys, roles: { ...tenant.keys.roles, enrolment: undefined } } }),
  );
  server = await NatsProcess.start(at('tenant/server.conf'));
  const limits = ['--pools', 'excel', '--names', 'vdi-*', '--count', '4', '--days', '2'];
  await admin('enrol', 'golden', '--role', 'enrolment', ...limits, '--out', at('golden.json'));
  await admin('enrol', 'orders', '--role', 'orchestrator', '--out', at('orders.json'));
}, 240_000);

afterAll(async () => {
  await seat[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const golden = (): CredentialFile => credentialOf(readFileSync(at('golden.json'), 'utf8'));

async function busTexts(): Promise<string[]> {
  const tenant = JSON.parse(readFileSync(at('tenant/tenant.json'), 'utf8')) as { administrator: CredentialFile };
  const nc = await connectBus(tenant.administrator);
  const kept = await Promise.all([STREAM.requests, STREAM.admissions].map((each) => readNow(nc, each, '>', 'last')));
  await nc.close();
  return kept.flatMap(({ values }) => values.map(({ text }) => text));
}

// each test continues where the one before ended
describe('machines of an image', () => {
  it('become seats when the administrator admits them, and their keys stay on them', async () => {
    const joined = joining('one', 'VDI-1');
    await asks('h_vdi-1');
    expect(await admit('--dry-run')).toEqual({ 'h_vdi-1': 'would be admitted' });
    expect(await admit('another')).toEqual({ 'h_vdi-1': 'waits' });
    expect(await admin('members')).not.toContain('h_vdi-1');
    expect(await admit()).toEqual({ 'h_vdi-1': 'admitted now' });
    expect(await joined).toMatchObject({ status: 0 });
    const credential = credentialOn('one');
    expect(credential).toMatchObject({ role: 'seat', name: 'h_vdi-1', pools: ['p_excel'] });
    expect(existsSync(fileOf('one', 'keys-h_vdi-1.json'))).toBe(false);
    const keys = await keysOf(credential);
    const elsewhere = [...(await busTexts()), readFileSync(at('tenant/tenant.json'), 'utf8')].join('\n');
    expect(elsewhere).toContain(publicKeysOf(keys).signer);
    for (const secret of [keys.user, keys.signer]) expect(elsewhere).not.toContain(secret);
  });

  it('stay who they are when they join again', async () => {
    const before = credentialOn('one');
    const members = await admin('members');
    expect(await joining('one', 'vdi-1')).toMatchObject({ status: 0 });
    expect(credentialOn('one')).toEqual(before);
    expect(await admit()).toEqual({ 'h_vdi-1': 'admitted' });
    expect(await admin('members')).toBe(members);
  });

  it('get another credential for the same keys in the last month of theirs', async () => {
    const first = joining('soon', 'vdi-1b');
    await asks('h_vdi-1b');
    await admit('vdi-1b', '--days', '20');
    expect(await first).toMatchObject({ status: 0 });
    const before = credentialOn('soon');
    expect(await admit()).toMatchObject({ 'h_vdi-1b': 'admitted' });
    const again = joining('soon', 'vdi-1b');
    await until(async () => (await admit())['h_vdi-1b'] === 'admitted now', 'another credential');
    expect(await again).toMatchObject({ status: 0 });
    const after = credentialOn('soon');
    expect(after.expires).toBeGreaterThan(before.expires);
    expect(await keysOf(after)).toEqual(await keysOf(before));
    await (await connectBus(after)).close();
  });

  it('that are killed while they ask are admitted once, with the keys that they made', async () => {
    const program = new URL('../../src/cli/program.ts', import.meta.url).href;
    const words = ['fleet', 'join', at('more-first.json'), '--machine', '--orchestrator', 'orders', '--name', 'vdi-k'];
    await admin('enrol', 'first', '--role', 'enrolment', '--count', '1', '--out', at('more-first.json'));
    const env = { UIAHOST_DATA_DIR: at('killed-data'), ProgramData: at('killed') };
    const script = `import { run } from ${JSON.stringify(program)}; await run(${JSON.stringify(words)}, { output: { out: console.log, err: console.error }, env: process.env, version: 'test' });`;
    const kill = async (isAsking: () => unknown): Promise<void> => {
      const args = ['--no-warnings', '--input-type=module', '-e', script];
      const child = spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, ...env } });
      await until(async () => (await isAsking()) ?? null, 'what it was killed after');
      child.kill('SIGKILL');
      await once(child, 'exit');
    };
    const keysFile = fileOf('killed', 'keys-h_vdi-k.json');
    await kill(() => (existsSync(keysFile) ? true : null));
    const made = readFileSync(keysFile, 'utf8');
    await kill(async () => (await admit('--dry-run'))['h_vdi-k']);
    expect(await admit('vdi-k')).toMatchObject({ 'h_vdi-k': 'admitted now' });
    expect(await command(words, env)).toMatchObject({ status: 0 });
    expect(await admit('vdi-k')).toMatchObject({ 'h_vdi-k': 'admitted' });
    const own = await keysOf(credentialOn('killed'));
    expect(JSON.parse(made)).toEqual(own);
    expect(existsSync(keysFile)).toBe(false);
  });

  it('do not take over a name; with --replace the credential of the other ends', async () => {
    const before = credentialOn('one');
    const joined = joining('two', 'vdi-1');
    await until(async () => (await admit()) && heard.includes('name_taken'), 'a refusal');
    const refused = await command(['fleet', 'admit', '--replace', '--tenant', at('tenant')], {});
    expect(refused).toMatchObject({ status: 2, err: expect.stringContaining('names') as string });
    await (await connectBus(before)).close();
    await admit('--replace', 'vdi-1');
    const told = await joined;
    expect(told).toMatchObject({ status: 0 });
    expect(credentialOn('two').creds).not.toBe(before.creds);
    await expect(connectBus(before)).rejects.toThrow(/authoriz|expired/i);
    // what the first one asked is still there, and does not take the name back
    expect(await admin('admit', '--replace', 'vdi-1', '--json')).toContain('key_known');
    await (await connectBus(credentialOn('two'))).close();
  });

  it('are admitted whole after a command that ended midway, and the machine before has lost the name', async () => {
    const before = credentialOn('soon');
    const joined = joining('six', 'vdi-1b');
    await until(async () => (await admit())['h_vdi-1b'] === 'name_taken', 'a refusal');
    // as if killed: what is in the folder was not told to the server
    const killed = vi.spyOn(TenantFolder.prototype, 'publish').mockRejectedValueOnce(new Error('killed'));
    await expect(admin('admit', '--replace', 'vdi-1b')).rejects.toThrow('killed');
    killed.mockRestore();
    await admin('admit', '--replace', 'vdi-1b', '--days', '20');
    expect(await joined).toMatchObject({ status: 0 });
    await expect(connectBus(before)).rejects.toThrow(/authoriz|expired/i);
    await (await connectBus(credentialOn('six'))).close();

    // as if killed before the queue was made and the answer written
    const { administrator } = JSON.parse(readFileSync(at('tenant/tenant.json'), 'utf8')) as {
      administrator: CredentialFile;
    };
    const nc = await connectBus(administrator);
    const manager = await jetstreamManager(nc, { checkAPI: false });
    await manager.consumers.delete(STREAM.jobs, 'h_vdi-1b');
    const key = publicKeysOf(await keysOf(credentialOn('six'))).signer;
    await writeValue(nc, admissionSubject('golden', key), 'nothing', null);
    expect(await admit()).toMatchObject({ 'h_vdi-1b': 'admitted' });
    expect((await readValue(nc, STREAM.admissions, admissionSubject('golden', key)))?.text).toContain('h_vdi-1b');
    expect(await manager.consumers.info(STREAM.jobs, 'h_vdi-1b')).toMatchObject({ name: 'h_vdi-1b' });
    await nc.close();

    // it is renewed as any other
    const again = joining('six', 'vdi-1b');
    await until(async () => (await admit())['h_vdi-1b'] === 'admitted now', 'another credential');
    expect(await again).toMatchObject({ status: 0 });
    await (await connectBus(credentialOn('six'))).close();
  });

  it('are refused beyond pattern and count, and hear it', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const shorter = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(Math.min(ms, 15_000)));
    const outside = joining('three', 'pc-9', '--wait', '1');
    await until(async () => (await admit())['h_pc-9'] === 'name_outside', 'a refusal');
    for (const name of ['vdi-2', 'vdi-3']) {
      const joined = joining(name, name);
      await asks(`h_${name}`);
      await admit(name);
      expect(await joined).toMatchObject({ status: 0 });
    }
    const beyond = joining('four', 'vdi-4', '--wait', '1');
    await until(async () => (await admit())['h_vdi-4'] === 'count_reached', 'a refusal');
    for (const [asking, why] of [
      [outside, 'name_outside'],
      [beyond, 'count_reached'],
    ] as const)
      expect(await asking).toMatchObject({ status: 1, err: expect.stringContaining(why) as string });
    shorter.mockRestore();
  });

  it('cannot ask with a key of another, with the same enrolment credential', async () => {
    const victim = publicKeysOf(await keysOf(credentialOn('two')));
    const thief = createMemberKeys();
    const own = signerOf('', thief.signer);
    const ask = async (body: { seat: string; machine: string; user: string; signer: string }): Promise<void> => {
      const proof = signatureOf({ ...body, enrolment: 'golden' }, own);
      const where = { kind: 'request', target: 'golden', id: body.signer } as const;
      const text = seal(where, { ...body, proof }, signerOfCredential(golden()));
      const nc = await connectBus(golden());
      await writeValue(nc, requestSubject('golden', body.signer), text, null);
      await nc.close();
    };
    const before = await admit();
    // over what the victim asked: the proof is not that key's
    await ask({ seat: 'h_vdi-7', machine: 'x', ...victim });
    expect(await admin('admit', '--json')).toContain('"unreadable":1');
    expect(await admit()).not.toHaveProperty('h_vdi-7');
    // the victim's connection with a signing key of the thief
    await ask({ seat: 'h_vdi-7', machine: 'x', user: victim.user, signer: publicKeysOf(thief).signer });
    expect(await admit()).toMatchObject({ 'h_vdi-7': 'key_known' });
    expect(Object.keys(before)).not.toContain('h_vdi-7');
    await (await connectBus(credentialOn('two'))).close();
  });

  it('run jobs as any seat does, for a user without the service, too', async () => {
    const env = { UIAHOST_DATA_DIR: seat.data };
    await admin('enrol', 'more', '--role', 'enrolment', '--pools', 'excel', '--count', '1', '--out', at('more.json'));
    const words = ['fleet', 'join', at('more.json'), '--orchestrator', 'orders', '--name', 'Büro 1'];
    const joined = command(words, env);
    const watch = ['fleet', 'admit', '--watch', '--tenant', at('tenant')];
    const program = new URL('../../src/cli/program.ts', import.meta.url).href;
    const script = `import { run } from ${JSON.stringify(program)}; await run(${JSON.stringify(watch)}, { output: { out: console.log, err: console.error }, env: process.env, version: 'test' });`;
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], { stdio: 'pipe' });
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
    const ended = once(child, 'exit').then(() => shown);
    expect(await Promise.race([joined, ended])).toMatchObject({ status: 0 });
    await until(() => /h_b=c3=bcro=201.*admitted now/.test(shown), 'what the watch shows');
    child.kill();
    await ended;
    const other = await command([...words.slice(0, -1), 'another'], env);
    expect(other).toMatchObject({ status: 1, err: expect.stringContaining('has joined as') as string });
    await seat.startLink();
    await seat.ready();
    const step = { action: 'bind-to-window', input: { title: 'Notepad' } };
    writeFileSync(at('steps.json'), JSON.stringify([step]));
    for (const target of ['h_b=c3=bcro=201', 'p_excel']) {
      const told = await command(
        ['fleet', 'run', target, at('steps.json'), '--key', 'a1', '--credential', at('orders.json')],
        env,
      );
      expect(told).toMatchObject({ status: 0, out: expect.stringContaining('succeeded') as string });
    }
  });

  it('ask no more with an enrolment credential that was revoked', async () => {
    await admin('revoke', 'golden');
    const told = await joining('five', 'vdi-5', '--wait', '1');
    expect(told).toMatchObject({ status: 1, err: expect.stringContaining('refused') as string });
    // what asked before is refused, and seats that were admitted stay
    expect(await admit()).toMatchObject({ 'h_vdi-4': 'enrolment_ended' });
    await (await connectBus(credentialOn('two'))).close();
  });
});

it('a folder that another command has changed meanwhile is not written over', async () => {
  const [one, other] = [TenantFolder.open(at('tenant')), TenantFolder.open(at('tenant'))];
  await one.revoke('more');
  await expect(other.want('9.9.9')).rejects.toThrow(/another command/);
  expect(TenantFolder.open(at('tenant')).members.find(({ name }) => name === 'more')?.revoked).not.toBeNull();
});

it('an enrolment that has expired admits no machine, and a seat whose credential ends soon is admitted again', () => {
  const request = { enrolment: 'g', enrolmentCard: 'c', seat: 'h_a', machine: 'a', user: 'U1', signer: 'U2', at: 5 };
  const issuedUntil = (expires: number) => {
    const base = { userId: 'U0', revoked: null, expires };
    return [{ ...base, name: 'g', cardId: 'c', admits: { names: 'h_*', count: 1 } }];
  };
  const member = { name: 'h_a', userId: 'U1', signer: 'U2', cardId: 's', admittedBy: 'c', asked: 4, revoked: null };
  const seatUntil = (expires: number) => ({ ...member, expires });
  const now = 1000;
  const month = 31 * 86_400;
  const verdict = (...issued: Parameters<typeof verdictOn>[1]) => verdictOn(request, issued, { now, isReplaced: true });
  expect(verdict(...issuedUntil(now))).toBe('enrolment_ended');
  expect(verdict(...issuedUntil(now + 1))).toBe('admit');
  expect(verdict(...issuedUntil(now + 1), seatUntil(now + month))).toBe('admitted');
  expect(verdict(...issuedUntil(now + 1), seatUntil(now + 10))).toBe('admit');
  expect(verdict(...issuedUntil(now + 1), { ...seatUntil(now + 10), asked: 5 })).toBe('admitted');
  expect(verdict(...issuedUntil(now + 1), { ...seatUntil(now + month), revoked: 5 })).toBe('key_known');
});
