/**
 * Programs in a user's session, and the supervisor with real processes: a C program plays the host. Its clock runs faster, so that
 * crash loops and the ten seconds of a stop are over in a moment.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { LineReader } from '../../../../src/contract/process/service-channel.ts';
import type { ServiceEvent, ServiceSession } from '../../../../src/contract/process/service-status.ts';
import { Supervisor } from '../../../../src/service/supervisor.ts';
import {
  commandLineOf,
  killLeftOver,
  startAsLocalService,
  startInSession,
  startWithToken,
  type SessionProcess,
} from '../../../../src/win32/services/session-process.ts';
import { hasUser, sessionUser, userSessions, userToken } from '../../../../src/win32/services/user-sessions.ts';
import { processCreated } from '../../../../src/win32/system/process.ts';
import { ownSession } from '../../../../src/win32/system/session.ts';
import { until } from '../../../support/until.ts';

const program = path.join(process.env['UIAHOST_FIXTURES'] ?? '', 'session-process.exe');
const directory = path.dirname(program);
const session = ownSession();

interface Started {
  readonly process: SessionProcess;
  readonly lines: string[];
  readonly ended: Promise<number>;
  line(count: number): Promise<string>;
}

function start(...args: string[]): Started {
  const { promise: ended, resolve } = Promise.withResolvers<number>();
  const process = startInSession({ session, program, args, directory }, resolve);
  const reader = new LineReader();
  const lines: string[] = [];
  return {
    process,
    lines,
    ended,
    line: (count) =>
      until(() => {
        lines.push(...reader.add(process.read()));
        return lines[count];
      }, `line ${count}`),
  };
}

test('[service.sessions] sessions: the session of the signed-in user is listed, with the user’s name; session 0 never is', () => {
  expect(userSessions()).toContain(session);
  expect(userSessions()).not.toContain(0);
  expect(hasUser(0)).toBe(false);
  expect(sessionUser(session)).toMatch(/^[^\\]+\\[^\\]+$/);
});

describe('a program in a session', () => {
  test('[service.sessions] is on the user’s desktop, without a window of its own, and answers over its pipes', async () => {
    const host = start('ready', 'with space', 'C:\\ends with\\');
    const facts = JSON.parse(await host.line(0)) as Record<string, unknown>;
    expect(facts).toMatchObject({
      pid: host.process.pid,
      session,
      desktop: 'Default',
      station: 'WinSta0',
      folder: directory,
      hasConsole: false,
      args: ['ready', 'with space', 'C:\\ends with\\'],
    });
    expect(host.process.created).toBe(processCreated(host.process.pid));
    expect(host.process.send('héllo\n')).toBe(true);
    expect(await host.line(2)).toBe('heard héllo');
    host.process.endInput();
    expect(await host.ended).toBe(7);
    expect(host.process.send('too late\n')).toBe(false);
    expect(host.process.read()).toBe('');
  });

  test('[service.hostile] gets the user’s variables, but not the service’s, and no variable that changes how Node runs', async () => {
    const planted = { UIAHOST_PLANTED: 'x', NODE_OPTIONS: process.env['NODE_OPTIONS'] ?? '', NODE_PATH: 'C:\\evil' };
    const before = { ...process.env };
    Object.assign(process.env, planted);
    try {
      const host = start('ready');
      const { environment } = JSON.parse(await host.line(0)) as { environment: string[] };
      host.process.endInput();
      await host.ended;
      const names = environment.map((entry) => entry.slice(0, entry.indexOf('=', 1)).toUpperCase());
      expect(names).toEqual(expect.arrayContaining(['USERPROFILE', 'LOCALAPPDATA', 'SYSTEMROOT']));
      expect(names.filter((name) => /^(NODE_|UIAHOST_PLANTED|UV_|OPENSSL_)/.test(name))).toEqual([]);
    } finally {
      for (const name of Object.keys(planted)) delete process.env[name];
      Object.assign(process.env, before);
    }
  });

  test('[service.hostile] inherits its two pipes and no other handle', async () => {
    // Were this end inherited by the second program, the first would not end with its input.
    const first = start('ready');
    const second = start('ready');
    await Promise.all([first.line(0), second.line(0)]);
    first.process.endInput();
    expect(await first.ended).toBe(7);
    second.process.endInput();
    expect(await second.ended).toBe(7);
  });

  test('[service.sessions] a session without a user, and a program that is not there, are errors with their number', () => {
    const nowhere = { session: 0, program, args: [], directory };
    expect(() => startInSession(nowhere, () => {})).toThrow(/no token for session 0 \(Windows error \d+\)/);
    const missing = { session, program: 'C:\\not\\there.exe', args: [], directory };
    expect(() => startInSession(missing, () => {})).toThrow(
      /C:\\not\\there\.exe could not be started \(Windows error [23]\)/,
    );
  });

  test('a host of an earlier service is ended, but no other process that has its number now', async () => {
    const host = start('deaf');
    await host.line(0);
    const { pid, created } = host.process;
    expect(killLeftOver(pid, '1', program)).toBe(false);
    expect(killLeftOver(pid, created, 'C:\\another\\node.exe')).toBe(false);
    expect(killLeftOver(pid, created, program.toUpperCase())).toBe(true);
    expect(await host.ended).toBe(1);
    expect(killLeftOver(pid, created, program)).toBe(false);
  });
});

describe('the fleet’s link', () => {
  // Wine's LogonUser gives a number that is not a token: what follows from a token is shown with the session's
  test('[service.link] is started with a token and no desktop of a person, and ends with its pipe', async () => {
    using token = userToken(session);
    const { promise: ended, resolve } = Promise.withResolvers<number>();
    const link = startWithToken(token?.handle ?? 0, { program, args: ['ready'], directory, desktop: '' }, resolve);
    const reader = new LineReader();
    const lines: string[] = [];
    const facts = await until(() => {
      lines.push(...reader.add(link.read()));
      return lines[0];
    }, 'its line');
    expect(JSON.parse(facts)).toMatchObject({ pid: link.pid, folder: directory, hasConsole: false });
    link.endInput();
    expect(await ended).toBe(7);
  });

  test('[service.link] is started under LocalService or not at all', async () => {
    const { promise: ended, resolve } = Promise.withResolvers<number>();
    let link: SessionProcess;
    try {
      link = startAsLocalService({ program, args: ['ready'], directory }, resolve);
    } catch (error) {
      expect(error).toMatchObject({ code: 'launch_failed', message: expect.stringContaining('LocalService') });
      return;
    }
    const environment = await until(() => /"environment":.*/.exec(link.read())?.[0], 'its line');
    link.endInput();
    await ended;
    expect(environment).toMatch(/LocalService/i);
  });
});

test('[service.protected] a command line quotes paths, and escapes as Windows reads it', () => {
  expect(commandLineOf(['C:\\Program Files\\uiahost\\node.exe', 'C:\\a\\service.mjs', 'run'])).toBe(
    '"C:\\Program Files\\uiahost\\node.exe" "C:\\a\\service.mjs" run',
  );
  expect(commandLineOf(['--no-warnings', 'say "hi"', 'C:\\x y\\'])).toBe('--no-warnings "say \\"hi\\"" "C:\\x y\\\\"');
});

/** Time passes this many times as fast. */
const FASTER = 50;

/** A supervisor whose hosts are the C program. */
function supervise(argument: () => string) {
  const events: ServiceEvent[] = [];
  let sessions: readonly ServiceSession[] = [];
  let starts = 0;
  const supervisor = new Supervisor(
    {
      startHost(id, onExit) {
        starts += 1;
        return startInSession({ session: id, program, args: [argument()], directory }, onExit);
      },
      nowMs: () => performance.now() * FASTER,
      time: () => new Date().toISOString(),
      setTimer(milliseconds, call) {
        const timer = setTimeout(call, milliseconds / FASTER);
        return { [Symbol.dispose]: () => clearTimeout(timer) };
      },
      report: () => {},
    },
    { note: (event) => void events.push(event), log: () => {}, save: (now) => void (sessions = now) },
  );
  return { supervisor, events, sessions: () => sessions, starts: () => starts };
}

describe('the supervisor with real processes', () => {
  test('[service.restart] a crash loop slows down and does not end; the host that runs at last is shown', async () => {
    let argument = 'crash';
    const { supervisor, events, sessions, starts } = supervise(() => argument);
    supervisor.handle({ kind: 'opened', session, user: null });
    await until(starts, (count) => count >= 6);
    expect(events.slice(0, 5).map(({ text }) => /in (\d+) s/.exec(text)?.[1])).toEqual(['1', '2', '4', '8', '16']);
    argument = 'ready';
    await until(sessions, ([one]) => one?.state === 'running');
    expect(sessions()[0]).toMatchObject({ url: 'http://127.0.0.1:1', restarts: starts() - 1 });
    supervisor.handle({ kind: 'stop' });
    await supervisor.finished;
    expect(sessions()).toEqual([]);
    expect(events.at(-1)?.text).toMatch(/ended with status 7/);
  });

  test('[service.stop] a host that does not end when asked is ended by force at sign-out', async () => {
    const { supervisor, events, sessions } = supervise(() => 'deaf');
    supervisor.handle({ kind: 'opened', session, user: null });
    const { pid } = await until(
      () => sessions()[0],
      (one) => typeof one?.pid === 'number',
    ).then((one) => one!);
    await sleep(200);
    supervisor.handle({ kind: 'closed', session });
    await until(sessions, (now) => now.length === 0);
    expect(events.map(({ id }) => id)).toEqual([23, 21]);
    expect(processCreated(pid ?? 0)).toBeNull();
  });

  test('[service.stop] a stop right after a start leaves no process', async () => {
    const { supervisor, sessions } = supervise(() => 'ready');
    supervisor.handle({ kind: 'opened', session, user: null });
    const pid = sessions()[0]?.pid ?? 0;
    expect(processCreated(pid)).not.toBeNull();
    supervisor.handle({ kind: 'stop' });
    await supervisor.finished;
    expect(processCreated(pid)).toBeNull();
  });

  test('[service.restart] a host that is killed is started again', async () => {
    const { supervisor, sessions } = supervise(() => 'ready');
    supervisor.handle({ kind: 'opened', session, user: null });
    await until(sessions, ([one]) => one?.state === 'running');
    const { pid } = sessions()[0]!;
    process.kill(pid ?? 0);
    await until(sessions, ([one]) => one?.state === 'running' && one.pid !== pid);
    expect(sessions()[0]?.restarts).toBe(1);
    supervisor.handle({ kind: 'stop' });
    await supervisor.finished;
  });
});
