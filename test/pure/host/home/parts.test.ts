/** The host’s own files and checks: doctor, lock, and files that others could change. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OverlayFacts, SessionFacts } from '../../../../src/contract/process/doctor.ts';
import { APPROVE_BY_API } from '../../../../src/contract/process/doctor.ts';
import { NO_FLAWS } from '../../../../src/contract/gate/policy-sources.ts';
import { createProgram } from '../../../../src/cli/program.ts';
import { openDataDirectory, readOrCreateSecret, takeLock } from '../../../../src/host/home/data-directory.ts';
import { ActionDeadline, TurnQueue } from '../../../../src/host/running/run-scope.ts';
import {
  diagnose,
  diagnoseOverlay,
  diagnosePolicy,
  diagnoseWitness,
  isHigher,
} from '../../../../src/host/home/doctor.ts';
import { EventHub, type EventLog } from '../../../../src/host/events/event-hub.ts';
import { Observations } from '../../../../src/host/running/owners.ts';
import { RateLimit } from '../../../../src/host/sessions/live-session.ts';
import { RefusalLog } from '../../../../src/host/access/refusal-log.ts';
import { openStore } from '../../../../src/store/client.ts';
import type { StoredEvent } from '../../../../src/store/records.ts';
import { scratch } from '../../store/scratch.ts';
import { WELL as well } from '../stand-in-desktop.ts';

const WELL: SessionFacts = { ...well, target: { isHung: false, integrity: 'medium', title: 'x' } };

describe('doctor', () => {
  test.each<[string, Partial<SessionFacts>, string[]]>([
    ['a well session', {}, []],
    ['session 0', { sessionId: 0 }, ['session_0']],
    ['locked', { isLocked: true, inputDesktop: null }, ['locked']],
    ['disconnected', { isConnected: false }, ['disconnected']],
    ['a secure desktop', { inputDesktop: null }, ['secure_desktop']],
    ['a screen saver', { inputDesktop: 'Screen-saver' }, ['other_desktop']],
    ['no display', { displays: 0 }, ['no_display']],
    ['an elevated target', { target: { isHung: false, integrity: 'high', title: 'x' } }, ['target_elevated']],
    ['a hung target', { target: { isHung: true, integrity: 'medium', title: 'x' } }, ['target_hung']],
    ['no origin of input', { hasInputOrigin: false }, ['no_input_origin']],
    ['a Server edition', { isServer: true }, ['server_edition']],
  ])('[doctor.states] %s', (_name, change, codes) => {
    expect(diagnose({ ...WELL, ...change }).map((finding) => finding.code)).toEqual(codes);
  });

  test('[doctor.states] a session without a screen is limited, not blocked: what continues is named', () => {
    for (const change of [{ isLocked: true }, { isConnected: false }, { inputDesktop: null }, { displays: 0 }])
      expect(diagnose({ ...WELL, ...change })).toEqual([
        expect.objectContaining({ severity: 'limits', message: expect.stringContaining('continue in the background') }),
      ]);
    expect(diagnose({ ...WELL, sessionId: 0 })).toEqual([expect.objectContaining({ severity: 'blocks' })]);
  });

  test('[approval.server] a Server edition and a refused hook name the line that allows approvals', () => {
    const hook = {
      state: 'ready',
      hindrances: ['no_input_hook'],
      hasStopHotkey: true,
      sawInjectedInput: false,
    } as const;
    for (const { cure } of [
      ...diagnose({ ...WELL, isServer: true }),
      ...diagnoseOverlay({ ...hook, hindrances: [...hook.hindrances] }),
    ])
      expect(cure).toContain(APPROVE_BY_API);
  });

  test.each<[string, Partial<OverlayFacts>, string[]]>([
    ['a well overlay', {}, []],
    ['one that still starts', { state: 'starting', hasStopHotkey: false }, []],
    ['one that cannot start', { state: 'failed', hasStopHotkey: false }, ['overlay_down']],
    ['no low-level hook', { hindrances: ['no_input_hook'] }, ['no_input_hook']],
    ['remote control tools', { sawInjectedInput: true }, ['remote_control']],
    ['a taken stop hotkey', { hasStopHotkey: false }, ['stop_hotkey_taken']],
    ['what the session’s facts say already', { hindrances: ['no_input_origin', 'server_edition'] }, []],
  ])('[overlay.vouch] the doctor names what keeps the overlay from approving: %s', (_name, change, codes) => {
    expect(
      diagnoseOverlay({ state: 'ready', hindrances: [], hasStopHotkey: true, sawInjectedInput: false, ...change }).map(
        (finding) => finding.code,
      ),
    ).toEqual(codes);
  });

  test('a cure names commands that exist, and no service where there is no command for one', () => {
    const all = [
      { sessionId: 0 },
      { isLocked: true },
      { isConnected: false },
      { inputDesktop: null },
      { inputDesktop: 'x' },
      { displays: 0 },
      { hasUiAutomation: false },
      { hasInputOrigin: false },
      { isServer: true },
    ].flatMap((change) => diagnose({ ...WELL, ...change }));
    const cures = [
      ...all,
      ...diagnoseOverlay({
        state: 'failed',
        hindrances: ['no_input_hook'],
        hasStopHotkey: false,
        sawInjectedInput: true,
      }),
    ].map(({ cure }) => cure);
    const commands = createProgram({ output: { out: () => {}, err: () => {} }, env: {}, version: '0' }).commands.map(
      (command) => command.name(),
    );
    const named = cures.flatMap((cure) => [...cure.matchAll(/uiahost ([a-z-]+)/g)].map(([, name]) => name));
    expect(named).toContain('start');
    expect(named.filter((name) => !commands.includes(name ?? ''))).toEqual([]);
    if (!commands.includes('service')) expect(cures.filter((cure) => /\bservice\b/.test(cure))).toEqual([]);
  });

  test('reports a machine policy that others can change', () => {
    expect(diagnosePolicy()).toEqual([]);
    expect(diagnosePolicy({ ...NO_FLAWS, refused: ['x'] })).toMatchObject([
      { code: 'policy_refused', severity: 'blocks' },
    ]);
    expect(
      diagnosePolicy({ ...NO_FLAWS, disbelieved: 'C:\\ProgramData\\uiahost: S-1-5-32-545 can change that folder' }),
    ).toEqual([
      expect.objectContaining({ code: 'machine_policy_writable', message: expect.stringContaining('S-1-5-32-545') }),
    ]);
  });

  test('reports an event log that kept nothing; stays silent otherwise', () => {
    for (const state of ['waiting', 'kept'] as const) expect(diagnoseWitness(state)).toEqual([]);
    expect(diagnoseWitness('failed')).toEqual([
      expect.objectContaining({ code: 'event_log_silent', severity: 'info' }),
    ]);
  });

  test('[doctor.states] unknown integrity counts as higher, unless ours is the highest', () => {
    expect(isHigher('unknown', 'medium')).toBe(true);
    expect(isHigher('unknown', 'system')).toBe(false);
    expect(isHigher('medium', 'high')).toBe(false);
  });
});

describe('lock', () => {
  const folder = (): string => mkdtempSync(join(tmpdir(), 'uiahost-lock-'));

  test('a second start names the holder of the lock', () => {
    const file = join(folder(), 'host.lock');
    writeFileSync(file, JSON.stringify({ pid: 999_999, processCreated: '7', startedAt: 'then' }));
    expect(() => takeLock(file, { createdAt: () => '7' })).toThrow(
      expect.objectContaining({ code: 'lock_held', message: expect.stringContaining('999999') }),
    );
  });

  test.each([
    ['a dead process', null],
    ['a reused pid', '8'],
  ])('a lock left by %s is recovered', (_name, created) => {
    const file = join(folder(), 'host.lock');
    writeFileSync(file, JSON.stringify({ pid: 999_999, processCreated: '7', startedAt: 'then' }));
    const lock = takeLock(file, { createdAt: (pid) => (pid === process.pid ? '1' : created) });
    lock.release();
    takeLock(file, { createdAt: () => '1' }).release();
  });

  test('a lock file that was cut short is recovered', () => {
    const file = join(folder(), 'host.lock');
    writeFileSync(file, '{"pid":');
    takeLock(file, { createdAt: () => '1' }).release();
  });

  test('[tokens.files] a token file is made once and stays', () => {
    const file = join(folder(), 'agent.token');
    const guard = { restrict: () => {}, whyNot: () => null };
    const first = readOrCreateSecret(file, guard);
    expect(first).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(readOrCreateSecret(file, guard)).toBe(first);
    expect(readOrCreateSecret(file, guard, '2020-01-01T00:00:00Z')).toBe(first);
    expect(readOrCreateSecret(file, guard, '2100-01-01T00:00:00Z')).not.toBe(first);
  });
});

describe('files that others can change', () => {
  const folder = (): string => mkdtempSync(join(tmpdir(), 'uiahost-trust-'));

  test('[trust.secrets] a secret that is already there is not trusted if another user can read or change it', () => {
    const file = join(folder(), 'operator.token');
    writeFileSync(file, 'known-to-somebody-else-known-to-somebody-else');
    const before = readFileSync(file);
    const guard = {
      restrict: () => expect.unreachable(),
      whyNot: (path: string) => `${path}: S-1-1-0 can read or change that file`,
    };
    expect(() => readOrCreateSecret(file, guard)).toThrow(
      expect.objectContaining({
        code: 'permission_denied',
        message: expect.stringContaining('S-1-1-0'),
        hint: expect.stringContaining('Delete that file'),
      }),
    );
    expect(readFileSync(file)).toEqual(before);
  });

  test('[trust.folder-closed] a data directory is secured before anything is put into it, and stays empty where that fails', () => {
    const root = join(folder(), 'data');
    const seen: string[][] = [];
    openDataDirectory(root, (path) => seen.push(readdirSync(path)));
    expect(seen).toEqual([[]]);
    const other = join(folder(), 'other');
    expect(() =>
      openDataDirectory(other, () => {
        throw new Error('somebody else’s');
      }),
    ).toThrow('somebody else’s');
    expect(readdirSync(other)).toEqual([]);
  });
});

describe('turns and deadlines', () => {
  test('turns come in the order of asking, and a released one passes to the next', async () => {
    const queue = new TurnQueue();
    const order: number[] = [];
    const never = new AbortController().signal;
    const first = await queue.take('w', 1000, never);
    const rest = [1, 2, 3].map(async (index) => {
      const turn = await queue.take('w', 1000, never);
      order.push(index);
      turn.release();
    });
    const other = await queue.take('other window', 1000, never);
    other.release();
    first.release();
    await Promise.all(rest);
    expect(order).toEqual([1, 2, 3]);
  });

  test('a turn that does not come in time is refused, and an abort leaves the line', async () => {
    const queue = new TurnQueue();
    const held = await queue.take('w', 1000, new AbortController().signal);
    await expect(queue.take('w', 20, new AbortController().signal)).rejects.toMatchObject({
      code: 'deadline_exceeded',
      delivery: 'not_delivered',
    });
    const controller = new AbortController();
    const waiting = queue.take('w', 1000, controller.signal);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    held.release();
    (await queue.take('w', 1000, new AbortController().signal)).release();
  });

  test('a deadline is suspended while a person is asked', async () => {
    const deadline = new ActionDeadline(200);
    deadline.pause();
    await new Promise((resolve) => {
      setTimeout(resolve, 250);
    });
    deadline.resume();
    expect(deadline.forCall()).toBeGreaterThan(100);
  });

  test('an action beyond the rate is refused, and accepted a minute later', () => {
    const rate = new RateLimit();
    for (let index = 0; index < 5; index += 1) rate.take('t', 'a', 5, 1_000_000 + index * 1000);
    expect(() => rate.take('t', 'a', 5, 1_006_000)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    rate.take('other', 'a', 5, 1_006_000);
    rate.take('t', 'a', 5, 1_061_000);
    expect(() => rate.take('t', 'a', 5, 1_061_500)).not.toThrow();
  });

  test('[rate.share] a session that acts without a pause leaves room for the others, now and later', () => {
    const rate = new RateLimit();
    const isTaken = (session: string, now: number): boolean => {
      try {
        rate.take('t', session, 600, now);
        return true;
      } catch {
        return false;
      }
    };
    let [greedy, polite] = [0, 0];
    for (let second = 0; second < 180; second += 1) {
      const now = 1_000_000 + second * 1000;
      for (let times = 0; times < 50; times += 1) if (isTaken('greedy', now)) greedy += 1;
      if (second >= 60 && second % 2 === 0 && isTaken('polite', now)) polite += 1;
    }
    expect(polite).toBe(60);
    expect(greedy).toBeGreaterThan(1000);
    expect(greedy + polite).toBeLessThanOrEqual(1800);
  });

  test('what fails before the desktop takes nothing from the actions, and has a limit of its own', () => {
    const rate = new RateLimit();
    for (let times = 0; times < 9; times += 1) rate.take('t', 'broken', 10, 1_000_000).failedEarly();
    expect(() => rate.take('t', 'broken', 10, 1_000_000)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    const shared = new RateLimit();
    for (let times = 0; times < 9; times += 1) shared.take('t', 'broken', 10, 1_000_000).failedEarly();
    for (let times = 0; times < 9; times += 1) shared.take('t', 'works', 10, 1_000_000);
    expect(() => shared.take('t', 'works', 10, 1_000_000)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  });

  test('refusals in a flood are written one by one at first and then counted', () => {
    const written: number[] = [];
    const log = new RefusalLog((_refusal, times) => written.push(times));
    const refusal = { code: 'unauthenticated', surface: 'http', route: '/v1/status', tokenId: null };
    for (let index = 0; index < 100; index += 1) log.add(refusal, 1000 + index);
    expect(written).toEqual(Array.from({ length: 60 }, () => 1));
    log.add(refusal, 70_000);
    expect(written.slice(60)).toEqual([40, 1]);
  });

  test('[observations.eight] the last eight observations stay valid', () => {
    const book = new Observations();
    const geometry = { imageWidth: 1, imageHeight: 1, displayWidth: 1, displayHeight: 1, originX: 0, originY: 0 };
    expect(() => book.get(undefined)).toThrow(expect.objectContaining({ code: 'state_conflict' }));
    for (let index = 0; index < 9; index += 1) book.add(`obs_${index}`, geometry);
    expect(() => book.get('obs_0')).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    expect(book.get('obs_1')).toBe(geometry);
  });

  test('the operator’s stream replays kept events and reports a gap', async () => {
    const hub = await EventHub.open(memoryLog(), () => {});
    for (let index = 0; index < 3; index += 1) hub.publish('x', { index });
    for (const after of [1, -2]) expect((await take(hub, after, 2)).flat()).toEqual([2, 1, 3, 2]);
    for await (const item of hub.read(500, AbortSignal.timeout(200))) {
      expect(item.event).toMatchObject({ code: 'EVENTS_LOST' });
      break;
    }
    await hub.close();
  });

  test('[streaming.persisted] each event is stored under its number: a reader that comes back finds it after a restart, even if it is no longer in memory', async () => {
    const file = join(scratch(), 'host.sqlite');
    {
      await using store = await openStore({ file });
      const hub = await EventHub.open(store.events, (error) => {
        throw error as Error;
      });
      for (let index = 1; index <= 2500; index += 1) hub.publish('x', { index });
      expect((await take(hub, 100, 2400)).map(([sequence, index]) => [sequence, index])).toEqual(
        Array.from({ length: 2400 }, (_, place) => [101 + place, 101 + place]),
      );
      await hub.close();
    }
    await using store = await openStore({ file });
    const hub = await EventHub.open(store.events, (error) => {
      throw error as Error;
    });
    hub.publish('x', { index: 'after' });
    expect(await take(hub, 2498, 3)).toEqual([
      [2499, 2499],
      [2500, 2500],
      [2501, 'after'],
    ]);
    await hub.close();
  });

  test('an event that cannot be stored is still streamed, and missed events are reported as lost', async () => {
    const log = memoryLog();
    const faults: unknown[] = [];
    const hub = await EventHub.open(
      {
        ...log,
        append: async (stream, event) => {
          if (event['index'] === 2) throw new Error('full');
          return log.append(stream, event);
        },
      },
      (error) => faults.push(error),
    );
    for (let index = 1; index <= 2100; index += 1) hub.publish('x', { index });
    await hub.settled();
    expect(faults).toHaveLength(1);
    const [first] = await take(hub, 50, 1);
    expect(first).toEqual([100, undefined]);
    await hub.close();
  });
});

/** Numbers and `index` of this many events after one. */
async function take(hub: EventHub, after: number, count: number): Promise<Array<[number, unknown]>> {
  const seen: Array<[number, unknown]> = [];
  const controller = new AbortController();
  for await (const { sequence, event } of hub.read(after, controller.signal)) {
    seen.push([sequence, event['index']]);
    if (seen.length === count) break;
  }
  controller.abort();
  return seen;
}

function memoryLog(): EventLog {
  const events: StoredEvent[] = [];
  return {
    async append(streamId, event) {
      const sequence = events.length + 1;
      events.push({ id: `${streamId}:${sequence}`, sequence, event });
      return { id: `${streamId}:${sequence}`, sequence };
    },
    async read({ streamId, after, limit = 500 }) {
      const from = after === null ? 0 : Number(after.slice(streamId.length + 1));
      const later = events.filter(({ sequence }) => sequence > from);
      return {
        events: later.slice(0, limit),
        hasGap: false,
        hasMore: later.length > limit,
        lastSequence: events.length,
      };
    },
  };
}
