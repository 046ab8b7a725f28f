/** What the service tells the fleet's link and the hosts: credentials, addresses and tokens, each to whom it is for. */
import { describe, expect, test } from 'vitest';
import type { FleetMachine } from '../../../src/contract/process/fleet-machine.ts';
import {
  encodeMessage,
  LINK_SESSION,
  readFromHost,
  type FleetRules,
  type ToHost,
} from '../../../src/contract/process/service-channel.ts';
import { FleetService } from '../../../src/service/fleet.ts';

const seat = (name: string, user: string | null) => ({ user, credential: { name, pools: ['p_a', 'p_b'] } });
const HOST = { url: 'http://127.0.0.1:7423', key: 'a-key-of-sixteen-letters' };

class World {
  rules: FleetRules = {
    isOff: false,
    isDrained: false,
    onlyWhenIdle: false,
    pools: null,
    orchestrators: null,
    ledger: null,
  };
  machine: FleetMachine | null = {
    format: 'uiahost fleet machine 1',
    isDrained: false,
    orchestrators: { orders: { level: 'control', apps: ['a.exe'] }, stock: {} },
    seats: [seat('h_anna', 'PC\\anna'), seat('h_bob', 'PC\\bob')],
  };
  wanted: boolean[] = [];
  /** That a user has, with a host or without. */
  sessions = [1];
  sent: Array<{ session: number; message: ToHost }> = [];
  readonly service = new FleetService({
    machine: () => this.machine,
    rules: () => this.rules,
    isOf: (session, user) =>
      user === null ? this.sessions.join() === String(session) : ['', 'PC\\anna', 'PC\\bob'][session] === user,
    send: (session, message) => void this.sent.push({ session, message }),
    setWanted: (isWanted) => void this.wanted.push(isWanted),
  });

  /** What was sent since the last call. */
  take(session: number): ToHost[] {
    const taken = this.sent.filter((each) => each.session === session).map(({ message }) => message);
    this.sent = this.sent.filter((each) => each.session !== session);
    return taken;
  }
}

function started(): World {
  const world = new World();
  world.service.read();
  world.service.ready(LINK_SESSION, undefined);
  world.service.ready(1, HOST);
  return world;
}

describe('the service’s part of a fleet', () => {
  test('[service.link] wants no link on a machine that has not joined, and gives its hosts no token', () => {
    const world = new World();
    world.machine = null;
    world.service.read();
    world.service.ready(1, HOST);
    expect(world.wanted).toEqual([]);
    expect(world.take(1)).toEqual([{ kind: 'tokens', tokens: [] }]);
  });

  test('starts the link again when its ledgers are elsewhere', () => {
    const world = started();
    world.rules = { ...world.rules, ledger: 'D:\\kept' };
    world.service.read();
    expect(world.wanted).toEqual([true, false, true]);
  });

  test('[service.link] gives a host the hashes, and the link the tokens of that session alone', () => {
    const world = started();
    const [given] = world.take(1);
    expect(given).toMatchObject({
      tokens: [
        { tokenId: 'fleet-orders', scope: 'agent', level: 'control', apps: ['a.exe'] },
        { tokenId: 'fleet-stock', level: null, apps: null },
      ],
    });
    const told = world.take(LINK_SESSION).filter((message) => message.kind === 'seat');
    expect(told.map(({ name, host }) => [name, host])).toEqual([
      ['h_anna', null],
      ['h_bob', null],
      ['h_anna', HOST],
    ]);
    const { token } = told.at(-1)?.orchestrators['orders'] ?? { token: '' };
    expect(token).toMatch(/^uia_/);
    expect(JSON.stringify(given)).not.toContain(token);
    // another session has others, and the same host again the same
    world.service.ready(2, { ...HOST, url: 'http://127.0.0.1:7424' });
    expect(JSON.stringify(world.take(LINK_SESSION))).not.toContain(token);
    world.service.gone(1);
    world.service.ready(1, HOST);
    expect(JSON.stringify(world.take(LINK_SESSION))).toContain(token);
  });

  test('[service.link] a policy takes orchestrators and pools away, and what it leaves unchanged is not told again', () => {
    const world = started();
    world.take(1);
    world.take(LINK_SESSION);
    world.service.read();
    expect([world.take(LINK_SESSION), world.wanted]).toEqual([[], [true]]);
    world.rules = { ...world.rules, orchestrators: ['stock', 'others'], isDrained: true };
    world.service.read();
    expect(world.take(1).at(-1)).toMatchObject({ tokens: [{ tokenId: 'fleet-stock' }] });
    expect(world.take(LINK_SESSION)).toMatchObject([
      { name: 'h_anna', isDrained: true, orchestrators: { stock: {} } },
      { name: 'h_bob', orchestrators: {} },
    ]);
    // another set of pools is another connection
    world.rules = { ...world.rules, pools: ['p_b'] };
    world.service.read();
    expect([world.take(LINK_SESSION), world.wanted]).toEqual([[], [true, false, true]]);
    world.service.ready(LINK_SESSION, undefined);
    expect(world.take(LINK_SESSION)[0]).toMatchObject({ credential: { pools: ['p_b'] } });
    world.machine = null;
    world.service.read();
    expect(world.wanted.at(-1)).toBe(false);
    expect(world.take(1).at(-1)).toEqual({ kind: 'tokens', tokens: [] });
  });

  test('[service.link] a seat without a user has a host only where no other person’s desktop could be meant', () => {
    const world = new World();
    const hostsOf = () =>
      world
        .take(LINK_SESSION)
        .flatMap((message) => (message.kind === 'seat' ? [[message.name, message.host?.url]] : []));
    world.machine = { ...(world.machine as FleetMachine), seats: [seat('h_pc', null)] };
    world.service.read();
    world.service.ready(LINK_SESSION, undefined);
    world.service.ready(1, HOST);
    expect(hostsOf()).toEqual([
      ['h_pc', undefined],
      ['h_pc', HOST.url],
    ]);
    // a second person signs in, and the first one's host is killed: neither desktop gets a job
    world.sessions = [1, 2];
    world.service.ready(2, { ...HOST, url: 'http://127.0.0.1:7424' });
    expect(hostsOf()).toEqual([['h_pc', undefined]]);
    expect(world.take(2)).toEqual([{ kind: 'tokens', tokens: [] }]);
    world.service.gone(1);
    expect(hostsOf()).toEqual([]);
    // the first has signed out
    world.sessions = [2];
    world.service.read();
    expect(hostsOf()).toEqual([['h_pc', 'http://127.0.0.1:7424']]);
    // that desktop is another seat's
    world.machine = { ...world.machine, seats: [seat('h_pc', null), seat('h_bob', 'PC\\bob')] };
    world.service.read();
    world.service.ready(LINK_SESSION, undefined);
    expect(hostsOf()).toEqual([
      ['h_pc', undefined],
      ['h_bob', 'http://127.0.0.1:7424'],
    ]);
  });

  test('[service.hostile] a host’s address for the link counts only on this machine', () => {
    const said = (url: string) =>
      readFromHost(encodeMessage({ kind: 'ready', url: HOST.url, local: { ...HOST, url } }));
    expect(said('http://127.0.0.1:1')).toMatchObject({ local: { url: 'http://127.0.0.1:1' } });
    for (const url of ['http://evil.example', 'http://127.0.0.1.evil.example:1', 'http://127.0.0.1:1@evil.example'])
      expect(said(url)).toEqual({ kind: 'ready', url: HOST.url });
  });
});
