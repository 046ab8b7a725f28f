/** End to end: `npm start` from a checkout. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findToken } from '../../src/client/locate.ts';
import { programsOf } from '../support/desktop.ts';
import { decode } from '../support/pixels.ts';
import { until } from '../support/until.ts';
import { startWitness } from '../support/witness.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Started {
  readonly process: ChildProcess;
  readonly dataDir: string;
  readonly readyFile: string;
  readonly ready: { url: string; pid: number; agentTokenFile: string; operatorTokenFile: string; display: string };
  output(): string;
}

/** `npm run SCRIPT -- ARGS` as a person types it, in its own terminal. */
const npm = (script: string, args: readonly string[], env: Record<string, string>): ChildProcess =>
  typed('npm', ['run', '--silent', script, '--', ...args], env);

function typed(program: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|UIAHOST_TEST_|VITEST)/.test(name) && name !== 'INIT_CWD'),
  );
  return spawn(program, args, {
    cwd: root,
    env: { ...clean, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

async function start(
  folder: string,
  name: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Started> {
  const dataDir = join(folder, name);
  const readyFile = join(folder, `${name}.json`);
  const words = ['--ready-file', readyFile, ...args];
  const own = { UIAHOST_PORT: '0', UIAHOST_DATA_DIR: dataDir, ...env };
  // The demo's by the form that every shell takes, the others by npm's.
  const process = name === 'demo' ? typed('node', ['scripts/start.mjs', ...words], own) : npm('start', words, own);
  let text = '';
  for (const stream of [process.stdout, process.stderr])
    stream?.setEncoding('utf8').on('data', (data: string) => {
      text += data;
    });
  await until(
    () => existsSync(readyFile) || process.exitCode !== null,
    (done) => done,
    60_000,
  );
  if (process.exitCode !== null) throw new Error(`npm start ended with ${process.exitCode}:\n${text}`);
  return { process, dataDir, readyFile, ready: JSON.parse(readFileSync(readyFile, 'utf8')), output: () => text };
}

/** Ctrl+C in its terminal: the whole group gets the signal. npm itself does not wait for what it started. */
async function interrupt({ process: child, readyFile, dataDir }: Started): Promise<string[]> {
  process.kill(-child.pid!, 'SIGINT');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  await until(
    () => existsSync(readyFile),
    (isThere) => !isThere,
  );
  return until(
    () => programsOf(join(dataDir, 'desktop')),
    (pids) => pids.length === 0,
  );
}

describe('npm start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-start-'));
  let demo: Started;
  let plain: Started;
  beforeAll(async () => {
    [demo, plain] = await Promise.all([
      start(folder, 'demo', [], {}),
      start(folder, 'plain', ['--no-demo', '--by-program'], {
        UIAHOST_LEVEL: 'observe',
        UIAHOST_AGENT_TOKEN: 'agent-of-the-test-32-characters-long',
        UIAHOST_OPERATOR_TOKEN: 'operator-of-the-test-32-characters-long',
      }),
    ]);
  }, 120_000);
  afterAll(() => {
    for (const one of [demo, plain]) {
      try {
        if (one?.process.exitCode === null) process.kill(-one.process.pid!, 'SIGKILL');
      } catch {
        /* ended meanwhile */
      }
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const call = async (one: Started, token: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(new URL(path, one.ready.url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const tokenOf = (file: string): string => readFileSync(file, 'utf8').trim();

  it('[start.ready-file] says where the host is once it answers, with the paths of this machine', async () => {
    expect(demo.ready).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      pid: expect.any(Number),
      display: expect.stringMatching(/^:\d+$/),
      agentTokenFile: join(demo.dataDir, 'agent.token'),
      operatorTokenFile: join(demo.dataDir, 'operator.token'),
    });
    expect((await fetch(new URL('/healthz', demo.ready.url))).status).toBe(200);
    expect(readFileSync(`/proc/${demo.ready.pid}/environ`, 'latin1')).toContain(
      `WINEPREFIX=${join(demo.dataDir, 'desktop')}`,
    );
    expect(demo.output()).toContain(demo.ready.url);
    const agrees = ({ ready: { pid } }: Started) =>
      readFileSync(`/proc/${pid}/environ`, 'latin1').includes('UIAHOST_NPM_START=1');
    expect([agrees(demo), agrees(plain)]).toEqual([true, false]);
    expect(demo.output()).toContain(demo.ready.agentTokenFile);
  });

  it('[level.control] opens the demo, granted full, at level control', async () => {
    const token = tokenOf(demo.ready.agentTokenFile);
    const { body } = await until(
      () => call(demo, token, '/v1/actions/list-visible-windows', {}),
      (answer) => answer.body.value.length > 0,
    );
    expect(body.value).toEqual([
      expect.objectContaining({ title: 'uiahost demo', app: expect.stringMatching(/\\uiahost-demo\.exe$/) }),
    ]);
    await call(demo, token, '/v1/actions/bind-to-window', { title: 'uiahost demo' });
    const asked = await call(demo, token, '/v1/actions/virtual-keyboard?wait=0', { action: 'type', text: 'x' });
    expect(asked.status).toBe(202);
    const card = (await call(demo, tokenOf(demo.ready.operatorTokenFile), `/v1/approvals/${asked.body.approvalId}`))
      .body;
    expect(card.why.map(({ kind }: any) => kind)).toContain('level');
    expect(card.why.map(({ kind }: any) => kind)).not.toContain('tier');
  });

  it('a second start at the same time, without the demo, configured by its variables', async () => {
    expect(plain.ready.display).not.toBe(demo.ready.display);
    expect(plain.ready.url).not.toBe(demo.ready.url);
    expect(await call(plain, 'agent-of-the-test-32-characters-long', '/v1/status')).toMatchObject({
      status: 200,
      body: { level: 'observe' },
    });
    expect((await call(plain, 'operator-of-the-test-32-characters-long', '/v1/policy')).status).toBe(200);
    expect((await call(plain, tokenOf(demo.ready.agentTokenFile), '/v1/status')).status).toBe(401);
    expect(findToken(plain.dataDir, 'agent', {}).token).toBe('agent-of-the-test-32-characters-long');
    expect(
      (await call(plain, 'agent-of-the-test-32-characters-long', '/v1/actions/list-visible-windows', {})).body.value,
    ).toEqual([]);
  });

  it('uiahost demo opens the window on that desktop, once', async () => {
    const open = async (one: Started, ...args: string[]): Promise<string> => {
      const env = { ...process.env, UIAHOST_DATA_DIR: one.dataDir };
      return (await run(process.execPath, [join(root, 'bin/uiahost.mjs'), 'demo', ...args], { env })).stdout;
    };
    const opened = JSON.parse(await open(plain, '--json'));
    expect(opened).toEqual({
      hwnd: expect.stringMatching(/^\d+$/),
      pid: expect.any(Number),
      title: 'uiahost demo',
      wasOpen: false,
    });
    const { body } = await call(plain, 'agent-of-the-test-32-characters-long', '/v1/actions/list-visible-windows', {});
    expect(body.value).toEqual([
      expect.objectContaining({ hwnd: opened.hwnd, pid: opened.pid, title: 'uiahost demo' }),
    ]);
    expect(await open(plain)).toBe(`uiahost demo is already open: hwnd ${opened.hwnd}, process ${opened.pid}\n`);
    expect(JSON.parse(await open(demo, '--json'))).toMatchObject({ wasOpen: true });
  });

  it('other programs run on its desktop with their exit status, and there is a picture of all of it', async () => {
    const env = { UIAHOST_DATA_DIR: demo.dataDir };
    const program = npm('wine', ['cmd.exe', '/c', 'exit 7'], env);
    const file = join(folder, 'desktop.png');
    const picture = npm('desktop:picture', [file], env);
    expect((await once(program, 'exit'))[0]).toBe(7);
    expect(picture.exitCode ?? (await once(picture, 'exit'))[0]).toBe(0);
    const pixels = await decode(readFileSync(file).toString('base64'));
    expect(pixels).toMatchObject({ format: 'png', width: 1280, height: 800 });
    expect(pixels.coloursIn(0, 0, 700, 500)).toBeGreaterThan(3);
  });

  it('a program and its arguments may be Linux paths', async () => {
    const note = join(folder, 'a note.txt');
    writeFileSync(note, 'read by its Linux path');
    const cmd = join(demo.dataDir, 'desktop', 'drive_c', 'windows', 'system32', 'cmd.exe');
    const program = npm('wine', [cmd, '/c', 'type', note], { UIAHOST_DATA_DIR: demo.dataDir });
    let output = '';
    program.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    expect((await once(program, 'close'))[0]).toBe(0);
    expect(output).toContain('read by its Linux path');
  });

  it('a signal to the host’s own process ends it, and npm start notices', async () => {
    // The usual port is used: another data directory takes a free one, the usual one says who has it.
    const user = createServer((_, answer) => answer.end('{}')).on('error', () => {});
    user.listen(7423, '127.0.0.1');
    const refused = typed('node', ['scripts/start.mjs', '--no-demo'], { XDG_DATA_HOME: join(folder, 'usual') });
    const one = await start(folder, 'signal', ['--no-demo'], { UIAHOST_PORT: '' });
    try {
      expect(one.output()).toContain('uses port 7423: this host takes a free one');
      expect(one.ready.url).not.toContain(':7423');
      expect(refused.exitCode ?? (await once(refused, 'exit'))[0]).toBe(75);
      user.close();
      process.kill(one.ready.pid, 'SIGINT');
      await until(
        () => one.process.exitCode,
        (status) => status !== null,
        60_000,
      );
      expect(one.output()).toContain('the host was asked to end, and has ended');
      expect(existsSync(one.readyFile)).toBe(false);
      await until(
        () => programsOf(join(one.dataDir, 'desktop')),
        (pids) => pids.length === 0,
      );
    } finally {
      if (one.process.exitCode === null) process.kill(-one.process.pid!, 'SIGKILL');
    }
  });

  it('[start.ends] Ctrl+C ends everything that it started, and nothing else', async () => {
    expect(await interrupt(demo)).toEqual([]);
    expect(existsSync(join(demo.dataDir, 'host.json'))).toBe(false);
    await until(
      () => demo.output(),
      (text) => text.includes('everything has ended'),
    );
    expect(existsSync(`/tmp/.X11-unix/X${demo.ready.display.slice(1)}`)).toBe(false);
    await expect(fetch(new URL('/healthz', demo.ready.url))).rejects.toThrow();
    // the other start, and the desktop of these tests
    expect((await fetch(new URL('/healthz', plain.ready.url))).status).toBe(200);
    await using witness = startWitness();
    expect(await witness.windows()).toBeInstanceOf(Array);
    expect(await interrupt(plain)).toEqual([]);
  });
});
