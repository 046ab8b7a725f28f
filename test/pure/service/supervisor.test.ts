/** The supervisor with hosts, clock and record of the test: what is sent, killed, reported and noted. */
import { describe, expect, test } from 'vitest';
import { encodeMessage } from '../../../src/contract/process/service-channel.ts';
import type { ServiceEvent, ServiceSession } from '../../../src/contract/process/service-status.ts';
import type { StartedProcess } from '../../../src/service/service-record.ts';
import { Supervisor, type HostProcess } from '../../../src/service/supervisor.ts';

class FakeHost implements HostProcess {
  sent: string[] = [];
  written = '';
  isInputEnded = false;
  isKilled = false;
  readonly created: string;
  readonly pid: number;
  readonly exit: (status: number) => void;
  constructor(pid: number, exit: (status: number) => void) {
    this.pid = pid;
    this.exit = exit;
    this.created = `created ${pid}`;
  }
  send(text: string): boolean {
    this.sent.push(text);
    return true;
  }
  endInput(): void {
    this.isInputEnded = true;
  }
  read(): string {
    const text = this.written;
    this.written = '';
    return text;
  }
  kill(): void {
    this.isKilled = true;
  }
}

class World {
  now = 0;
  hosts: FakeHost[] = [];
  reports: string[] = [];
  logged: Array<Readonly<Record<string, unknown>>> = [];
  saved: { sessions: readonly ServiceSession[]; processes: readonly StartedProcess[] } = {
    sessions: [],
    processes: [],
  };
  events: ServiceEvent[] = [];
  isBroken = false;
  #timers: Array<{ at: number; call: () => void }> = [];
  readonly supervisor = new Supervisor(
    {
      startHost: (_session, onExit) => {
        if (this.isBroken) throw new Error('node.exe is missing.');
        const host = new FakeHost(500 + this.hosts.length, onExit);
        this.hosts.push(host);
        return host;
      },
      nowMs: () => this.now,
      time: () => `t${this.now}`,
      setTimer: (milliseconds, call) => {
        const timer = { at: this.now + milliseconds, call };
        this.#timers.push(timer);
        return { [Symbol.dispose]: () => void (this.#timers = this.#timers.filter((each) => each !== timer)) };
      },
      report: (level, id, text) => void this.reports.push(`${level} ${id} ${text}`),
    },
    {
      note: (event) => void this.events.push(event),
      log: (fields, msg) => void this.logged.push({ ...fields, msg }),
      save: (sessions, processes) => void (this.saved = { sessions, processes }),
    },
  );

  pass(milliseconds: number): void {
    for (const until = this.now + milliseconds; ;) {
      const next = this.#timers.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
      if (next === undefined) {
        this.now = until;
        return;
      }
      this.#timers = this.#timers.filter((each) => each !== next);
      this.now = Math.max(this.now, next.at);
      next.call();
    }
  }
}

const open = (world: World): FakeHost => {
  world.supervisor.handle({ kind: 'opened', session: 1, user: 'PC\\anna' });
  return world.hosts.at(-1)!;
};

describe('a host', () => {
  test('its address is noted when it says that it is ready', () => {
    const world = new World();
    const host = open(world);
    expect(world.saved.sessions).toMatchObject([{ session: 1, state: 'starting', url: null, pid: 500 }]);
    host.written = encodeMessage({ kind: 'ready', url: 'http://127.0.0.1:50123' }).slice(0, 10);
    world.pass(50);
    host.written = encodeMessage({ kind: 'ready', url: 'http://127.0.0.1:50123' }).slice(10);
    world.pass(50);
    expect(world.saved.sessions).toMatchObject([{ state: 'running', url: 'http://127.0.0.1:50123' }]);
    expect(world.saved.processes).toEqual([{ session: 1, pid: 500, created: 'created 500' }]);
    expect(world.reports).toEqual([
      'info 20 Session 1 (PC\\anna): the host runs at http://127.0.0.1:50123 (process 500).',
    ]);
  });

  test('[service.hostile] other output goes to the log, cut; a malformed address is not shown', () => {
    const world = new World();
    const host = open(world);
    host.written = `uiahost could not start. ${'x'.repeat(900)}\n{"kind":"ready","url":"javascript:alert(1)"}\n{"kind":"ready","url":"http://a b/\\u0000"}\n`;
    world.pass(50);
    expect(world.saved.sessions).toMatchObject([{ state: 'starting', url: null }]);
    const said = world.logged.filter(({ msg }) => msg === 'the host said').map((line) => String(line['said']));
    expect(said).toHaveLength(3);
    expect(Math.max(...said.map(({ length }) => length))).toBe(500);
  });

  test('[service.restart] its last output is read, and the next host starts after the delay', () => {
    const world = new World();
    const host = open(world);
    host.written = 'last words\n';
    host.exit(1);
    expect(world.logged).toContainEqual({ session: 1, host: 500, said: 'last words', msg: 'the host said' });
    world.pass(999);
    expect(world.hosts).toHaveLength(1);
    world.pass(1);
    expect(world.hosts).toHaveLength(2);
    expect(world.saved.sessions).toMatchObject([{ pid: 501, restarts: 1 }]);
  });

  test('[service.restart] a start that fails is an event with the reason, and is tried again', () => {
    const world = new World();
    world.isBroken = true;
    world.supervisor.handle({ kind: 'opened', session: 1, user: null });
    expect(world.reports).toEqual([
      'error 22 Session 1: no host could be started: node.exe is missing. It is started again in 1 s.',
    ]);
    world.isBroken = false;
    world.pass(1000);
    expect(world.hosts).toHaveLength(1);
  });

  test('learns of a change by a line', () => {
    const world = new World();
    const host = open(world);
    world.supervisor.handle({ kind: 'changed', session: 1, change: 'lock' });
    world.supervisor.handle({ kind: 'power', change: 'suspend' });
    expect(host.sent).toEqual(['{"kind":"session","change":"lock"}\n', '{"kind":"session","change":"suspend"}\n']);
  });
});

test('[service.stop] stop: a host is asked, its pipe is closed, and it is killed after ten seconds', async () => {
  const world = new World();
  const host = open(world);
  world.supervisor.handle({ kind: 'stop' });
  expect(host.sent).toEqual(['{"kind":"end","reason":"the service stops"}\n']);
  expect(host.isInputEnded).toBe(true);
  world.pass(9999);
  expect(host.isKilled).toBe(false);
  world.pass(1);
  expect(host.isKilled).toBe(true);
  let isFinished = false;
  void world.supervisor.finished.then(() => (isFinished = true));
  await Promise.resolve();
  expect(isFinished).toBe(false);
  host.exit(1);
  await world.supervisor.finished;
  expect(world.saved).toEqual({ sessions: [], processes: [] });
  expect(world.events.map(({ id }) => id)).toEqual([23, 21]);
});
