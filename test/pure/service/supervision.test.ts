/** The service's state machine: which hosts run, when they are started again, and how everything ends. */
import { describe, expect, test } from 'vitest';
import { PLACE_TAKEN, POLICY_REFUSED, SESSION_HELD } from '../../../src/contract/process/exit-codes.ts';
import { BackOff, Supervision, type Effect, type Happening } from '../../../src/service/supervision.ts';

/** A machine with a clock of its own, whose effects are kept as short words. */
class Machine {
  readonly supervision = new Supervision();
  now = 0;
  #pid = 100;
  texts: string[] = [];

  handle(happening: Happening): string[] {
    return this.supervision.handle(happening, this.now).map((effect) => this.#word(effect));
  }

  open(session: number): number {
    expect(this.handle({ kind: 'opened', session, user: `PC\\user${session}` })).toEqual([`start ${session}`]);
    return this.started(session);
  }

  started(session: number, expected: string[] = []): number {
    this.#pid += 1;
    expect(this.handle({ kind: 'started', session, pid: this.#pid, at: 'then' })).toEqual(expected);
    return this.#pid;
  }

  exit(session: number, pid: number, status = 1): string[] {
    return this.handle({ kind: 'exited', session, pid, status });
  }

  #word(effect: Effect): string {
    if (effect.do === 'report') this.texts.push(effect.text);
    switch (effect.do) {
      case 'report':
        return `report ${effect.event}`;
      case 'wake':
        return `wake ${effect.session} after ${effect.afterMs}`;
      case 'tell':
        return `tell ${effect.session} ${effect.change}`;
      case 'finish':
        return 'finish';
      default:
        return `${effect.do} ${effect.session}`;
    }
  }
}

test('[service.restart] the delay before the next start: doubles from one second to sixty, and starts again after ten good minutes', () => {
  const backOff = new BackOff();
  expect(Array.from({ length: 9 }, () => backOff.next(0) / 1000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(backOff.next(599_999) / 1000).toBe(60);
  expect(backOff.next(600_000) / 1000).toBe(1);
  expect(backOff.next(0) / 1000).toBe(2);
});

describe('sessions', () => {
  test('[service.sessions] each session gets one host, however often it is reported', () => {
    const machine = new Machine();
    machine.open(1);
    machine.open(2);
    expect(machine.handle({ kind: 'opened', session: 1, user: null })).toEqual([]);
    expect(machine.supervision.sessions().map(({ session, user }) => [session, user])).toEqual([
      [1, 'PC\\user1'],
      [2, 'PC\\user2'],
    ]);
  });

  test('a session shows user, process, address, start and restarts of its host', () => {
    const machine = new Machine();
    const first = machine.open(3);
    machine.exit(3, first);
    machine.handle({ kind: 'woken', session: 3 });
    const second = machine.started(3);
    expect(machine.handle({ kind: 'ready', session: 3, pid: second, url: 'http://127.0.0.1:7423' })).toEqual([
      'report hostStarted',
    ]);
    expect(machine.supervision.sessions()).toEqual([
      {
        session: 3,
        user: 'PC\\user3',
        state: 'running',
        pid: second,
        url: 'http://127.0.0.1:7423',
        since: 'then',
        why: null,
        restarts: 1,
      },
    ]);
  });

  test('[service.sessions] [service.stop] at sign-out the host has ten seconds; then it is ended by force', () => {
    const machine = new Machine();
    const pid = machine.open(1);
    expect(machine.handle({ kind: 'closed', session: 1 })).toEqual(['end 1', 'wake 1 after 10000']);
    expect(machine.handle({ kind: 'closed', session: 1 })).toEqual([]);
    expect(machine.handle({ kind: 'woken', session: 1 })).toEqual(['report hostKilled', 'kill 1']);
    expect(machine.exit(1, pid)).toEqual(['report hostEnded']);
    expect(machine.supervision.sessions()).toEqual([]);
    // A wake that was on its way finds nothing.
    expect(machine.handle({ kind: 'woken', session: 1 })).toEqual([]);
  });

  test('[service.sessions] a user who signs in again while the last host ends gets a new one after it', () => {
    const machine = new Machine();
    const pid = machine.open(1);
    machine.handle({ kind: 'closed', session: 1 });
    expect(machine.handle({ kind: 'opened', session: 1, user: 'PC\\other' })).toEqual([]);
    expect(machine.exit(1, pid, 0)).toEqual(['start 1']);
    machine.started(1);
    expect(machine.supervision.sessions()[0]).toMatchObject({ user: 'PC\\other', state: 'starting' });
  });

  test('[service.sessions] a sign-out while it waits for the next start leaves nothing to start', () => {
    const machine = new Machine();
    machine.exit(1, machine.open(1));
    expect(machine.handle({ kind: 'closed', session: 1 })).toEqual([]);
    expect(machine.handle({ kind: 'woken', session: 1 })).toEqual([]);
    expect(machine.supervision.sessions()).toEqual([]);
  });

  test('a change goes to the host of its session, a change of the machine to every host', () => {
    const machine = new Machine();
    machine.open(1);
    machine.open(2);
    expect(machine.handle({ kind: 'changed', session: 2, change: 'lock' })).toEqual(['tell 2 lock']);
    expect(machine.handle({ kind: 'changed', session: 9, change: 'lock' })).toEqual([]);
    expect(machine.handle({ kind: 'power', change: 'suspend' })).toEqual(['tell 1 suspend', 'tell 2 suspend']);
    machine.handle({ kind: 'closed', session: 1 });
    expect(machine.handle({ kind: 'power', change: 'resume' })).toEqual(['tell 2 resume']);
  });
});

describe('a host that ends by itself', () => {
  test('[service.restart] is started again after the delay, for as long as it crashes', () => {
    const machine = new Machine();
    let pid = machine.open(1);
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      machine.now += 100;
      expect(machine.exit(1, pid)).toEqual(['report hostEnded', `wake 1 after ${seconds * 1000}`]);
      expect(machine.supervision.sessions()[0]).toMatchObject({ state: 'waiting', pid: null, url: null, since: null });
      machine.now += seconds * 1000;
      expect(machine.handle({ kind: 'woken', session: 1 })).toEqual(['start 1']);
      pid = machine.started(1);
    }
    machine.now += 600_000;
    expect(machine.exit(1, pid)).toEqual(['report hostEnded', 'wake 1 after 1000']);
    expect(machine.supervision.sessions()[0]?.restarts).toBe(8);
  });

  test('[service.restart] an exit of an earlier process changes nothing', () => {
    const machine = new Machine();
    const first = machine.open(1);
    machine.exit(1, first);
    machine.handle({ kind: 'woken', session: 1 });
    machine.started(1);
    expect(machine.exit(1, first)).toEqual([]);
    expect(machine.handle({ kind: 'ready', session: 1, pid: first, url: 'http://127.0.0.1:1' })).toEqual([]);
  });

  test('[service.restart] a host that could not be started is tried again in the same way', () => {
    const machine = new Machine();
    machine.handle({ kind: 'opened', session: 1, user: null });
    expect(machine.handle({ kind: 'not-started', session: 1, why: 'no token.' })).toEqual([
      'report hostNotStarted',
      'wake 1 after 1000',
    ]);
    expect(machine.texts[0]).toBe('Session 1: no host could be started: no token. It is started again in 1 s.');
  });

  test.each([PLACE_TAKEN, SESSION_HELD])(
    '[service.restart] status %i means that another host serves the session: said once, tried again',
    (status) => {
      const machine = new Machine();
      const pid = machine.open(1);
      expect(machine.exit(1, pid, status)).toEqual(['report hostElsewhere', 'wake 1 after 1000']);
      machine.handle({ kind: 'woken', session: 1 });
      expect(machine.exit(1, machine.started(1), status)).toEqual(['wake 1 after 2000']);
    },
  );
});

describe('stop', () => {
  test('[service.stop] every host ends before the service does', () => {
    const machine = new Machine();
    const one = machine.open(1);
    const two = machine.open(2);
    machine.exit(3, machine.open(3));
    expect(machine.handle({ kind: 'stop' })).toEqual(['end 1', 'wake 1 after 10000', 'end 2', 'wake 2 after 10000']);
    expect(machine.handle({ kind: 'stop' })).toEqual([]);
    expect(machine.handle({ kind: 'opened', session: 4, user: null })).toEqual([]);
    expect(machine.exit(2, two, 0)).toEqual(['report hostEnded']);
    expect(machine.exit(1, one, 0)).toEqual(['report hostEnded', 'finish']);
  });

  test('[service.stop] without a host it ends at once', () => {
    expect(new Machine().handle({ kind: 'stop' })).toEqual(['finish']);
  });

  test('[service.stop] during a start: the host that has just started is ended', () => {
    const machine = new Machine();
    machine.handle({ kind: 'opened', session: 1, user: null });
    expect(machine.handle({ kind: 'stop' })).toEqual([]);
    const pid = machine.started(1, ['end 1', 'wake 1 after 10000']);
    expect(machine.exit(1, pid, 0)).toEqual(['report hostEnded', 'finish']);
  });

  test('[service.stop] during a start that fails: nothing is left', () => {
    const machine = new Machine();
    machine.handle({ kind: 'opened', session: 1, user: null });
    machine.handle({ kind: 'stop' });
    expect(machine.handle({ kind: 'not-started', session: 1, why: 'no.' })).toEqual(['finish']);
  });
});

describe('[service.policy] a policy that is not valid', () => {
  const bad = { kind: 'policy', why: 'HKLM\\…\\Level: expected a level' } as const;
  const good = { kind: 'policy', why: null } as const;

  test('the machine’s: one reason, no start, until it changes', () => {
    const machine = new Machine();
    expect(machine.handle(bad)).toEqual(['report policyRefused']);
    expect(machine.texts.at(-1)).toContain('expected a level');
    for (const session of [1, 2]) expect(machine.handle({ kind: 'opened', session, user: null })).toEqual([]);
    expect(machine.handle(bad)).toEqual([]);
    expect(machine.supervision.sessions().map(({ state }) => state)).toEqual(['refused', 'refused']);
    expect(machine.handle({ kind: 'closed', session: 2 })).toEqual([]);
    expect(machine.handle({ ...bad, why: 'another' })).toEqual(['report policyRefused']);
    expect(machine.handle(good)).toEqual(['start 1']);
    expect(machine.handle(good)).toEqual([]);
  });

  test('while a host runs it runs on; a host that ends then is not started again', () => {
    const machine = new Machine();
    const pid = machine.open(1);
    expect(machine.handle(bad)).toEqual(['report policyRefused']);
    expect(machine.exit(1, pid, POLICY_REFUSED)).toEqual([]);
    expect(machine.handle({ kind: 'woken', session: 1 })).toEqual([]);
    expect(machine.handle(good)).toEqual(['start 1']);
  });

  test('what is valid of it ends a host that it leaves out, and starts none', () => {
    const machine = new Machine();
    const pid = machine.open(1);
    const unwanted = new Map([[1, 'the level is disabled']]);
    expect(machine.handle({ ...bad, unwanted })).toEqual(['report policyRefused', 'end 1', 'wake 1 after 10000']);
    expect(machine.exit(1, pid, 0)).toEqual([]);
    expect(machine.handle(good)).toEqual(['start 1']);
  });

  test('a user’s: reported once, tried each minute, without a back-off', () => {
    const machine = new Machine();
    let pid = machine.open(1);
    expect(machine.exit(1, pid, POLICY_REFUSED)).toEqual(['report policyRefused', 'wake 1 after 60000']);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(machine.handle({ kind: 'woken', session: 1 })).toEqual(['start 1']);
      pid = machine.started(1);
      expect(machine.exit(1, pid, POLICY_REFUSED)).toEqual(['wake 1 after 60000']);
    }
  });

  test('the service stops while hosts wait for it', () => {
    const machine = new Machine();
    machine.handle(bad);
    machine.handle({ kind: 'opened', session: 1, user: null });
    expect(machine.handle({ kind: 'stop' })).toEqual(['finish']);
  });
});

describe('[service.scope] sessions that the machine’s policy gives no host', () => {
  const policy = (...out: number[]) =>
    ({
      kind: 'policy',
      why: null,
      unwanted: new Map(out.map((session) => [session, `the policy leaves out ${session}`])),
    }) as const;

  test('none is started, the reason is shown, and one is started when that changes', () => {
    const machine = new Machine();
    expect(machine.handle({ kind: 'opened', session: 1, user: 'PC\\a', unwanted: 'the level is disabled' })).toEqual([
      'report hostExcluded',
    ]);
    expect(machine.supervision.sessions()).toMatchObject([
      { state: 'excluded', why: 'the level is disabled', pid: null },
    ]);
    expect(machine.handle(policy(1))).toEqual([]);
    expect(machine.handle(policy())).toEqual(['start 1']);
  });

  test('a running host is ended in order, and the others stay', () => {
    const machine = new Machine();
    const first = machine.open(1);
    machine.open(2);
    expect(machine.handle(policy(1))).toEqual(['end 1', 'wake 1 after 10000']);
    machine.handle({ kind: 'exited', session: 1, pid: first, status: 0 });
    expect(machine.supervision.sessions().map(({ session, state }) => [session, state])).toEqual([
      [1, 'excluded'],
      [2, 'starting'],
    ]);
    expect(machine.handle({ kind: 'closed', session: 1 })).toEqual([]);
    expect(machine.supervision.sessions()).toHaveLength(1);
  });

  test('a session that waits to be started again waits no longer', () => {
    const machine = new Machine();
    machine.exit(1, machine.open(1));
    machine.handle(policy(1));
    expect(machine.handle({ kind: 'woken', session: 1 })).toEqual([]);
    expect(machine.supervision.sessions()).toMatchObject([{ state: 'excluded' }]);
  });
});
