/** Live view on a real server: who may look, what a viewer gets, and what a stranger's messages do. The host is a stand-in. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode } from '@nats-io/jwt';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { signerOfCredential, type CredentialFile } from '../../src/fleet/bus/credential.ts';
import { createTenantKeys, issuerOf } from '../../src/fleet/bus/tenant.ts';
import { addQueue } from '../../src/fleet/bus/provisioning.ts';
import { liveSubject, viewSubject } from '../../src/fleet/bus/names.ts';
import { readValue } from '../../src/fleet/bus/records.ts';
import { seal } from '../../src/fleet/bus/signed.ts';
import { Frames, VIEW_MS } from '../../src/fleet/bus/live.ts';
import { memberFolder, type SeatRules } from '../../src/fleet/link/membership.ts';
import { openFleet } from '../../src/fleet/orchestrator/fleet.ts';
import type { FleetPicture } from '../../src/fleet/orchestrator/types.ts';
import { until } from '../support/until.ts';
import { standInHost } from './stand-in-host.ts';
import { command, ORDERS_ALONE, StandIn, TestTenant } from './tenant.ts';

const folder = mkdtempSync(join(tmpdir(), 'uiahost-look-'));
const at = (name: string): string => join(folder, name);
const token = { tokenId: 't', token: 't' };
/** What the stand-in's window shows: more than one chunk. */
let png = Buffer.alloc(300_000, 1);
let why: string | null = null;
const looks: string[] = [];
let now: SeatRules = ORDERS_ALONE;
let tenant: TestTenant;
let anna: CredentialFile;
const seats: StandIn[] = [];

beforeAll(async () => {
  tenant = await TestTenant.make(['h_pc1', 'h_pc2']);
  for (const name of ['h_pc1', 'h_pc2']) {
    const hosts = {
      ...standInHost(name, at('journal')),
      look: async (viewer: string) => {
        if (name === 'h_pc1') looks.push(viewer);
        return why === null ? { app: 'Notepad', title: 'Letter', isFleets: true, png } : { why };
      },
    };
    const options = { folder: memberFolder(at(name)), credential: await tenant.credential('seat', name), hosts };
    const rules = (): SeatRules => (name === 'h_pc1' ? now : ORDERS_ALONE);
    seats.push(new StandIn({ ...options, rules, presenceMs: 300 }));
  }
  anna = await tenant.credential('viewer', 'anna');
  const seen = await openFleet({ credential: anna });
  await until(async () => (await seen.hosts()).length === 2, 'the seats');
  await seen.close();
}, 120_000);
afterAll(async () => {
  await Promise.all(seats.map((seat) => seat.end()));
  await tenant?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  why = null;
  looks.length = 0;
});

/** The machine and its presence name these viewers. */
async function allow(...names: string[]): Promise<void> {
  now = { ...ORDERS_ALONE, viewers: Object.fromEntries(names.map((name) => [name, token])) };
  const presence = async () => (await readValue(tenant.admin, 'KV_uia_hosts', '$KV.uia_hosts.h_pc1'))?.text ?? '';
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
  const viewer = await tenant.server.member(tenant.keys, 'viewer', name);
  const frames: string[] = [];
  viewer.nc.subscribe(liveSubject('h_pc1', name), { callback: (_, message) => void frames.push(message.string()) });
  await viewer.nc.flush();
  const ask = (
    target: string,
    clock: number,
    id = 'v1',
    signer = signerOfCredential(viewer.credential),
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
  const words = ['fleet', 'look', 'h_pc1', '--credential', at('anna.json'), '--out', at('picture.png')];
  const told = await command(words);
  expect(told).toMatchObject({ status: 0, out: expect.stringContaining('picture.png: Letter (Notepad), 2') as string });
  expect(readFileSync(at('picture.png'))).toEqual(png);
  expect((await command(words)).status).toBe(1);
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
  const orders = await tenant.credential('orchestrator', 'orders');
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
    bob.ask('h_pc1', Date.now(), 'v2', signerOfCredential(await tenant.credential(role, name)));
  }
  const elsewhere = createTenantKeys('other');
  expect(issuerOf(elsewhere)).not.toBe(issuerOf(tenant.keys));
  const namesake = await tenant.server.credentialFile(elsewhere, 'viewer', 'bob');
  bob.ask('h_pc1', Date.now(), 'v3', signerOfCredential(namesake));
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
  const trust = { issuer: issuerOf(tenant.keys), revoked: new Set<string>() };
  const [own, other] = await Promise.all(
    ['h_pc1', 'h_pc2'].map(async (name) => signerOfCredential(await tenant.credential('seat', name))),
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
  await until(() => pictures(1).catch(() => null), 'a third look');
  for (let count = 0; count < 300; count += 1)
    second.ask('h_pc1', Date.now() + 2000, `more${count}`, undefined, { end: true });
  first.ask('h_pc1', Date.now() + 2000, 'same', undefined, { end: true });
  await sleep(3000);
}, 120_000);

it('[fleet.view] continues after the link and the server were started again', async () => {
  await allow('anna');
  await addQueue(tenant.admin, 'h_pc3');
  const look = () => Promise.resolve({ app: 'Notepad', title: 'Letter', isFleets: true, png });
  const options = {
    folder: memberFolder(at('h_pc3')),
    credential: await tenant.credential('seat', 'h_pc3'),
    hosts: { ...standInHost('h_pc3', at('journal')), look },
    rules: () => now,
    presenceMs: 300,
  };
  let link = new StandIn(options);
  try {
    await using fleet = await openFleet({ credential: anna });
    const presence = async () => (await readValue(tenant.admin, 'KV_uia_hosts', '$KV.uia_hosts.h_pc3'))?.text;
    await until(async () => (await presence())?.includes('"viewers":["anna"]'), 'the seat');
    const seen = fleet.look('h_pc3')[Symbol.asyncIterator]();
    for (const what of ['nothing', 'link', 'server']) {
      png = Buffer.alloc(300_000, what.length);
      if (what === 'link') {
        await link.end();
        link = new StandIn(options);
      } else if (what === 'server') {
        await tenant.server.kill();
        await tenant.server.run();
      }
      const { value } = await seen.next();
      expect(Buffer.from(value?.png ?? []).equals(png)).toBe(true);
    }
    await seen.return?.(undefined);
  } finally {
    await link.end();
  }
}, 120_000);

it('[fleet.view] refuses a viewer at once that is no longer named', async () => {
  await allow('anna');
  await using fleet = await openFleet({ credential: anna });
  const look = fleet.look('h_pc1')[Symbol.asyncIterator]();
  await look.next();
  now = ORDERS_ALONE;
  const begun = Date.now();
  const rest = async (): Promise<void> => {
    for (;;) if ((await look.next()).done === true) return;
  };
  await expect(rest()).rejects.toMatchObject({ code: 'forbidden' });
  await allow('anna');
  // what the presence says is older than the machine’s rules
  now = ORDERS_ALONE;
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
    else await tenant.publish({ version: 1, revoked: [decode(bob.credential.card ?? '').jti] });
    await sleep(3000);
    looks.length = 0;
    bob.ask('h_pc1', Date.now(), how);
    await sleep(3000);
    expect(looks).toEqual([]);
  }
}, 120_000);
