/** For end-to-end tests: the run's Windows desktop, the test programs, input as from real devices, and hosts. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { attachDesktop, type Desktop, type DesktopDescription } from '../../scripts/lib/desktop.mjs';
import { startHost as startHostProcess } from '../../scripts/lib/host.mjs';
import { assertUntainted, PLANTED_VARIABLES } from './taint.ts';

export { startDesktop, type Desktop } from '../../scripts/lib/desktop.mjs';
export { windowsPath } from '../../scripts/lib/places.mjs';

const run = promisify(execFile);

/** Processes that use this Windows disk. */
export function programsOf(prefix: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`WINEPREFIX=${prefix}`);
      } catch {
        return false;
      }
    });
}

function given(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set: end-to-end tests are run by \`npm test\`, or by vitest with --project=e2e.`);
  return value;
}

let shared: Desktop | undefined;
/**
 * The desktop that the end-to-end tests of this lane share (vitest numbers the lanes that run at the same time). Its
 * stop()
 * ends only what this process started on it.
 */
export function sharedDesktop(): Desktop {
  if (shared === undefined) {
    const all = JSON.parse(given('UIAHOST_TEST_DESKTOP')) as DesktopDescription[];
    shared = attachDesktop(all[(Number(process.env['VITEST_POOL_ID'] ?? 1) - 1) % all.length]!);
  }
  return shared;
}

/** Path of a test program, for `desktop.run`: `fixture('controls.exe')`. */
export function fixture(name: string): string {
  return join(given('UIAHOST_FIXTURES'), name);
}

/** Runs xdotool on a desktop: Windows programs see its input as that of real devices. Returns its output. */
export async function xdotool(desktop: Desktop, ...args: (string | number)[]): Promise<string> {
  const { stdout } = await run(given('UIAHOST_XDOTOOL'), args.map(String), {
    env: { ...process.env, DISPLAY: desktop.display },
    timeout: 20_000,
  });
  return stdout;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, or the text if it is not JSON. */
  readonly body: any;
}

export interface RequestOptions {
  readonly method?: string;
  readonly body?: unknown;
  /** The token to send; `none` sends none, any other text is sent as the token itself. Default: agent. */
  readonly token?: 'agent' | 'operator' | 'none' | (string & {});
  readonly headers?: Record<string, string>;
}

export interface TestHost extends AsyncDisposable {
  readonly url: string;
  /** Process id of the host, on Linux. */
  readonly pid: number;
  readonly dataDir: string;
  readonly agentToken: string;
  readonly operatorToken: string;
  readonly logFile: string;
  request(path: string, options?: RequestOptions): Promise<Answer>;
  /** `POST /v1/actions/{name}`. */
  call(name: string, input?: object, options?: RequestOptions): Promise<Answer>;
  /** Tells the host to end, waits for it, and removes the data directory if it was made here. */
  stop(): Promise<void>;
  /** Kills it. */
  kill(): Promise<void>;
}

/**
 * Starts a host on a desktop (the shared one by default), with a fresh data directory unless one is given, on a free port,
 * at the level `full` unless `env` says otherwise.
 */
export async function startHost(
  options: { desktop?: Desktop; dataDir?: string; env?: Record<string, string | undefined> } = {},
): Promise<TestHost> {
  const { desktop = sharedDesktop(), env } = options;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'uiahost-data-'));
  const running = await startHostProcess({
    dataDir,
    windowsTree: given('UIAHOST_TEST_TREE'),
    desktop,
    // Every folder is new: the level, or npm start's word where a test leaves that to the policy, answers for a person.
    env: { ...PLANTED_VARIABLES, UIAHOST_PORT: '0', UIAHOST_LEVEL: 'full', UIAHOST_NPM_START: '1', ...env },
  });
  const token = (file: string, override: string | undefined) => override ?? readFileSync(file, 'utf8').trim();
  const agentToken = token(running.agentTokenFile, env?.['UIAHOST_AGENT_TOKEN']);
  const operatorToken = token(running.operatorTokenFile, env?.['UIAHOST_OPERATOR_TOKEN']);
  const request = async (
    path: string,
    { method, body, token: who = 'agent', headers = {} }: RequestOptions = {},
  ): Promise<Answer> => {
    const sent = who === 'agent' ? agentToken : who === 'operator' ? operatorToken : who;
    const response = await fetch(new URL(path, running.url), {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(who === 'none' ? {} : { authorization: `Bearer ${sent}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    let parsed: unknown = text;
    try {
      parsed = JSON.parse(text);
    } catch {
      /* not JSON: the text itself */
    }
    return { status: response.status, headers: response.headers, body: parsed };
  };
  // The scene ends a host again that a test has ended: once is enough, and its folder is gone by then.
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= end());
  const end = async (): Promise<void> => {
    await running.stop();
    // Every host of the run is searched for tainted texts at its end, whatever its tests were about.
    assertUntainted(
      dataDir,
      [agentToken, operatorToken].filter((text) => text.length >= 16),
    );
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  return {
    url: running.url,
    pid: running.pid,
    dataDir,
    agentToken,
    operatorToken,
    logFile: running.logFile,
    request,
    call: (name, input = {}, more = {}) => request(`/v1/actions/${name}`, { ...more, body: input }),
    stop,
    async kill() {
      running.process.kill('SIGKILL');
      await stop();
    },
    [Symbol.asyncDispose]: stop,
  };
}
