/** Live view on a real server: who may look, what a viewer gets, and what a stranger's messages do. The host is a stand-in. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { run as runCommand } from '../../src/cli/program.ts';
import { createCredential, createTenantKeys, issuerOf } from '../../src/fleet/bus/tenant.ts';
import type { CredentialFile } from '../../src/fleet/bus/credential.ts';
import { liveSubject, POLICY_SUBJECT, viewSubject } from '../../src/fleet/bus/names.ts';
import { sealPolicy } from '../../src/fleet/bus/policy.ts';
import { addQueue, provision } from '../../src/fleet/bus/provisioning.ts';
import { readValue, writeValue } from '../../src/fleet/bus/records.ts';
import { seal, signerOf } from '../../src/fleet/bus/signed.ts';
import { Frames, VIEW_MS } from '../../src/fleet/bus/live.ts';
import { memberFolder, type SeatRules } from '../../src/fleet/link/membership.ts';
import { Seat } from '../../src/fleet/link/seat.ts';
import { openFleet } from '../../src/fleet/orchestrator/fleet.ts';
import type { FleetPicture } from '../../src/fleet/orchestrator/types.ts';
import { until } from '../support/until.ts';
import { inAnHour, TestServer } from './server.ts';
import { standInHost } from './stand-in-host.ts';

const keys = createTenantKeys('look');
const folder = mkdtempSync(join(tmpdir(), 'uiahost-look-'));
const at = (name: string): string => join(folder, name);
const token = { tokenId: 't', token: 't' };
const rules = { orchestrators: { orders: token }, isDrained: false, onlyWhenIdle: false };
const NO_VIEWERS: SeatRules = { ...rules, viewers: {} };
/** What the stand-in's window shows: more than one chunk. */
let png = Buffer.alloc(300_000, 1);
let why: string | null = null;
const looks: string[] = [];
let now: SeatRules = NO_VIEWERS;
const stop = new AbortController();
let server: TestServer;
let anna: CredentialFile;
let admin: Awaited<ReturnType<TestServer['member']>>;
const links: Promise<unknown>[] = [];

const signerFor = ({ card, seed }: Pick<CredentialFile, 'card' | 'seed'>) => signerOf(card ?? '', seed ?? '');

beforeAll(async () => {
  server = await TestServer.start([keys]);
  admin = await server.member(keys, 'administrator', 'admin');
  await provision(admin.nc);
  for (const name of ['h_pc1', 'h_pc2']) {
    await addQueue(admin.nc, name);
    const hosts = {
      ...standInHost(name, at('journal')),
      look: async (viewer: string) => {
        if (name === 'h_pc1') looks.push(viewer);
        return why === null ? { app: 'Notepad', title: 'Letter', isFleets: true, png } : { why };
      },
    };
    const credential = await server.credentialFile(keys, 'seat', name);
    const options = { folder: memberFolder(at(name)), credential, hosts, signal: stop.signal, presenceMs: 300 };
    links.push(new Seat({ ...options, rules: () => (name === 'h_pc1' ? now : NO_VIEWERS) }).run());
  }
  anna = await server.credentialFile(keys, 'viewer', 'anna');
  const seen = await openFleet({ credential: anna });
  await until(async () => (await seen.hosts()).length === 2, 'the seats');
  await seen.close();
}, 120_000);
afterAll(async () => {
  stop.abort();
  await Promise.all(links);
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  why = null;
  looks.length = 0;
});

/** The machine and its presence name these viewers. */
async function allow(...names: string[]): Promise<void> {
  now = { ...rules, viewers: Object.fromEntries(names.map((name) => [name, token])) };
  const presence = async () => (await readValue(admin.nc, 'KV_uia_hosts', '$KV.uia_hosts.h_pc1'))?.text ?? '';
  await until(async () => names.every((name) => now.viewers[name] !== undefined) && (await presence()), 'the presence');
  const told = names.length === 0 ? undefined : `"viewers":${JSON.stringify(names)}`;
  await until(
    async () => (told === undefined ? !(await presence()).includes('"viewers"') : (await presence()).includes(told)),
    told ?? 'no viewer',
  );
}

/** The first pictures that a viewer gets. */
async function pictures(count: number, seat = 'h_pc1', credential: object = anna): Promise<FleetPicture[]> {
  await using fleet = await openFleet({ credential });
  const got: FleetPicture[] = [];
  for await (const picture of fleet.look(seat)) {
    got.push(picture);
    if (got.length === count) break;
    png = Buffer.alloc(300_000, got.length + 1);
  }
  return got;
}

/** All that is published for the viewer, and the connection by which it may ask. */
async function listening(name: string) {
  const viewer = await server.member(keys, 'viewer', name);
  const frames: string[] = [];
  viewer.nc.subscribe(liveSubject('h_pc1', name), { callback: (_, message) => void frames.push(message.string()) });
  await viewer.nc.flush();
  const ask = (
    target: string,
    clock: number,
    id = 'v1',
    signer = signerFor(viewer.credential),
    content: object = {},
  ): string => {
    const text = seal({ kind: 'view', target, id }, { clock, ...content }, signer);
    viewer.nc.publish(viewSubject('h_pc1'), text);
    return text;
  };
  return { ...viewer, frames, ask };
}

it('[fleet.view] shows a named viewer each picture as it changes, and the command writes it', async () => {
  await allow('anna');
  const [first, second] = await pictures(2);
  expect(first).toMatchObject({ seat: 'h_pc1', app: 'Notepad', title: 'Letter', job: null });
  expect(first?.png).toEqual(Buffer.alloc(300_000, 1));
  expect(second?.png).toEqual(Buffer.alloc(300_000, 2));
  // two a second at most
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(500);
  expect(new Set(looks)).toEqual(new Set(['anna']));
  // it says that it leaves
  await sleep(1000);
  looks.length = 0;
  await sleep(2500);
  expect(looks).toEqual([]);

  writeFileSync(at('anna.json'), JSON.stringify(anna));
  let out = '';
  const output = { out: (text: string) => (out += text), err: (text: string) => (out += text) };
  const words = ['fleet', 'look', 'h_pc1', '--credential', at('anna.json'), '--out', at('picture.png')];
  expect(await runCommand(words, { output: output as never, env: process.env, version: 'test' })).toBe(0);
  expect(out).toContain('picture.png: Letter (Notepad), 2');
  expect(readFileSync(at('picture.png'))).toEqual(png);
  expect(await runCommand(words, { output: output as never, env: process.env, version: 'test' })).toBe(1);
}, 120_000);

it('[fleet.view] says why there is nothing to see', async () => {
  await allow('anna');
  const refusals = [
    ['not_bound', 'no_window'],
    ['no_host', 'away'],
    ['stopped', 'forbidden'],
  ] as const;
  for (const [code, told] of refusals) {
    why = code;
    await expect(pictures(1)).rejects.toMatchObject({ code: told });
  }
  await expect(pictures(1, 'h_pc2')).rejects.toMatchObject({ code: 'forbidden' });
  await expect(pictures(1, 'h_none')).rejects.toMatchObject({ code: 'away' });
  const old = { ...anna, card: null, seed: null };
  await expect(pictures(1, 'h_pc1', old)).rejects.toMatchObject({
    code: 'forbidden',
    hint: expect.stringContaining('again'),
  });
  const orders = await server.credentialFile(keys, 'orchestrator', 'orders');
  await expect(pictures(1, 'h_pc1', orders)).rejects.toMatchObject({ code: 'forbidden' });
  expect(new Set(looks)).toEqual(new Set(['anna']));
}, 120_000);

it('[fleet.view] publishes nothing for a viewer whom the machine does not name, a copy, or another’s signature', async () => {
  await allow('anna');
  const stranger = await listening('stranger');
  stranger.ask('h_pc1', Date.now());
  const bob = await listening('bob');
  await allow('bob');
  // an old request, one for another seat, one of a seat that was stolen, one of an orchestrator
  bob.ask('h_pc1', Date.now() - 61_000);
  bob.ask('h_pc2', Date.now());
  for (const role of ['seat', 'orchestrator'] as const) {
    const name = role === 'seat' ? 'h_pc2' : 'bob';
    const thief = await createCredential(keys, role, name, { expires: inAnHour() });
    bob.ask('h_pc1', Date.now(), 'v2', signerFor(thief));
  }
  const elsewhere = createTenantKeys('other');
  expect(issuerOf(elsewhere)).not.toBe(issuerOf(keys));
  bob.ask(
    'h_pc1',
    Date.now(),
    'v3',
    signerFor(await createCredential(elsewhere, 'viewer', 'bob', { expires: inAnHour() })),
  );
  await bob.nc.flush();
  await sleep(1500);
  expect(bob.frames).toEqual([]);
  // a viewer of the tenant hears that it is not named, and nothing else
  expect(stranger.frames).toHaveLength(1);
  const { body } = JSON.parse(stranger.frames[0] ?? '') as { body: object };
  expect(body).toMatchObject({ why: 'not_named', app: '', title: '', job: null, chunks: 0 });
  expect(looks).toEqual([]);

  const genuine = bob.ask('h_pc1', Date.now(), 'v4');
  await until(() => bob.frames.length >= 4, 'a picture');
  // the same again does not renew it, and its end comes
  const begun = Date.now();
  const again = setInterval(() => bob.nc.publish(viewSubject('h_pc1'), genuine), 5000);
  await until(() => looks.length > 0 && Date.now() - begun > VIEW_MS + 3000, 'the end', VIEW_MS + 20_000);
  looks.length = 0;
  await sleep(6000);
  clearInterval(again);
  expect(looks).toEqual([]);
}, 180_000);

it('[fleet.view] takes no picture of another seat, or of an earlier view, for this seat’s', async () => {
  const trust = { issuer: issuerOf(keys), revoked: new Set<string>() };
  const [own, other] = await Promise.all(
    ['h_pc1', 'h_pc2'].map(async (name) =>
      signerFor(await createCredential(keys, 'seat', name, { expires: inAnHour() })),
    ),
  );
  const head = { n: 1, at: 1, why: null, app: '', title: '', job: null, sha256: 'a', chunks: 1 };
  const frames = new Frames('h_pc1', 'v1', trust);
  const take = (text: string) =>
    frames.take({ headers: undefined, data: Buffer.from(text), string: () => text } as never);
  const about = { kind: 'picture', target: 'h_pc1', id: 'v1' } as const;
  for (const forged of [
    seal(about, head, other!),
    seal({ ...about, target: 'h_pc2' }, head, other!),
    seal({ ...about, id: 'v0' }, head, own!),
    JSON.stringify(head),
  ])
    expect(take(forged)).toBeNull();
  const genuine = seal(about, head, own!);
  expect(take(genuine)).toMatchObject({ n: 1 });
  expect(take(genuine)).toBeNull();
  // a chunk of other bytes under its hash
  const chunk = { headers: { get: () => 'a.0' }, data: Buffer.from('x'), string: () => 'x' };
  expect(frames.take(chunk as never)).toBeNull();
});

it('[fleet.view] one viewer neither ends another’s view nor takes all of them', async () => {
  await allow('anna', 'bob');
  const [first, second] = [await listening('anna'), await listening('bob')];
  first.ask('h_pc1', Date.now(), 'same');
  await until(() => first.frames.length > 0, 'a picture');
  second.ask('h_pc1', Date.now() + 1000, 'same', undefined, { end: true });
  // as many as it can, each with its own id
  for (let count = 0; count < 300; count += 1) second.ask('h_pc1', Date.now(), `more${count}`);
  await second.nc.flush();
  await sleep(1500);
  first.frames.length = 0;
  png = Buffer.alloc(300_000, 77);
  await until(() => first.frames.length > 0, 'a further picture', 10_000);
  // and there is room for a third look
  expect(await pictures(1)).toHaveLength(1);
  for (let count = 0; count < 300; count += 1)
    second.ask('h_pc1', Date.now() + 2000, `more${count}`, undefined, { end: true });
  first.ask('h_pc1', Date.now() + 2000, 'same', undefined, { end: true });
  await sleep(3000);
}, 120_000);

it('[fleet.view] refuses a viewer at once that is no longer named', async () => {
  await allow('anna');
  await using fleet = await openFleet({ credential: anna });
  const look = fleet.look('h_pc1')[Symbol.asyncIterator]();
  await look.next();
  now = NO_VIEWERS;
  const begun = Date.now();
  const rest = async (): Promise<void> => {
    for (;;) if ((await look.next()).done === true) return;
  };
  await expect(rest()).rejects.toMatchObject({ code: 'forbidden' });
  await allow('anna');
  // what the presence says is older than the machine’s rules
  now = NO_VIEWERS;
  await expect(pictures(1)).rejects.toMatchObject({ code: 'forbidden' });
  expect(Date.now() - begun).toBeLessThan(20_000);
}, 120_000);

it('[fleet.view] ends when the viewer is no longer named, and when it is revoked', async () => {
  const bob = await listening('bob');
  for (const how of ['named', 'revoked'] as const) {
    await allow('bob');
    bob.ask('h_pc1', Date.now(), how);
    await until(() => looks.length > 0, 'a look');
    if (how === 'named') await allow();
    else {
      const { card, seed } = await createCredential(keys, 'administrator', 'admin', { expires: inAnHour() });
      const { jti } = JSON.parse(Buffer.from(bob.credential.card?.split('.')[1] ?? '', 'base64url').toString()) as {
        jti: string;
      };
      await writeValue(
        admin.nc,
        POLICY_SUBJECT,
        sealPolicy({ version: 1, revoked: [jti] }, signerFor({ card, seed })),
        0,
      );
    }
    await sleep(3000);
    looks.length = 0;
    bob.ask('h_pc1', Date.now(), how);
    await sleep(3000);
    expect(looks).toEqual([]);
  }
}, 120_000);
