/**
 * End to end: what a person decided holds in every data directory of the user, however a host is started and its
 * directory is named.
 */
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { windowsNode } from '../../scripts/lib/dependencies.mjs';
import { hostCommand } from '../../scripts/lib/host.mjs';
import { SUPERVISED } from '../../src/contract/process/service-channel.ts';
import { sharedDesktop, startHost, windowsPath } from '../support/desktop.ts';
import { endWindowsTree } from '../support/processes.ts';
import { until } from '../support/until.ts';

const LOOSE = '{"level": "full", "alwaysAsk": [], "flags": ["clipboardRead", "clipboardWrite"]}';
const windowsTree = process.env['UIAHOST_TEST_TREE'] ?? '';
const file = (name: string): string => windowsPath(fileURLToPath(new URL(`../../dist/${name}`, import.meta.url)));
/** What an agent's program could set for the bridge that it starts. */
const AGENTS = { UIAHOST_LEVEL: 'full', UIAHOST_NPM_START: '1' };

const folders: string[] = [];
const running: Array<() => Promise<unknown> | void> = [];
function newFolder(policy?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-user-'));
  folders.push(folder);
  if (policy !== undefined) writeFileSync(join(folder, 'policy.json'), policy);
  return folder;
}
const KEY = String.raw`HKCU\Software\uiahost`;
const reg = async (...args: string[]): Promise<unknown> =>
  (await once(sharedDesktop().run('reg.exe', args, { stdio: 'ignore' }), 'exit'))[0];
/** Only for hosts that start later in other directories: a host that knew of the stop stays stopped. */
const release = (): Promise<unknown> => reg('delete', KEY, '/v', 'Stop', '/f');

beforeAll(release);
afterEach(async () => {
  for (const end of running.splice(0)) await end();
});
afterAll(async () => {
  await release();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A program that starts a host on this directory; resolves with the host's answers once it serves. */
async function answers(dataDir: string, program: string, args: readonly string[], env: Record<string, string>) {
  const child = sharedDesktop().run(program, [...args], {
    env: { ...env, UIAHOST_DATA_DIR: windowsPath(dataDir), UIAHOST_PORT: '0' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin?.on('error', () => {});
  // the bridge starts a host for a call, not for its lists
  child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"snapshot","arguments":{}}}\n');
  const place = join(dataDir, 'host.json');
  await until(() => existsSync(place), 'a host', 90_000);
  const { url, pid } = JSON.parse(readFileSync(place, 'utf8')) as { url: string; pid: number };
  running.push(async () => {
    child.stdin?.end();
    await endWindowsTree(pid);
    child.kill('SIGKILL');
  });
  return async (path: string, { scope = 'operator', body }: { scope?: string; body?: object } = {}): Promise<any> => {
    const response = await fetch(new URL(path, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${readFileSync(join(dataDir, `${scope}.token`), 'utf8').trim()}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  };
}

type Way = (dataDir: string) => ReturnType<typeof answers>;
const node = (): string => windowsNode(windowsTree);
const ofHost = (dataDir: string, env: Record<string, string>, ...flags: string[]): ReturnType<typeof answers> => {
  const { program, args } = hostCommand({ dataDir, windowsTree });
  return answers(dataDir, program, [...args, ...flags], env);
};
/** How a host can be started, and the level that it then has in a directory that was not used before. */
const WAYS: ReadonlyArray<readonly [name: string, start: Way, plain: string, loose: string]> = [
  ['npm start', (dir) => ofHost(dir, { UIAHOST_NPM_START: '1' }), 'control', 'full'],
  [
    'a person’s level',
    (dir) => answers(dir, node(), [file('cli.mjs'), 'start'], { UIAHOST_LEVEL: 'full' }),
    'full',
    'full',
  ],
  ['uiahost start', (dir) => answers(dir, node(), [file('cli.mjs'), 'start'], {}), 'observe', 'observe'],
  ['the bridge', (dir) => answers(dir, node(), [file('cli.mjs'), 'mcp'], AGENTS), 'observe', 'observe'],
  ['the service', (dir) => ofHost(dir, {}, SUPERVISED), 'observe', 'observe'],
];

describe('an unseen data directory', () => {
  it.for(WAYS)(
    '[policy.agreement] %s: what may be done before a person agrees',
    { timeout: 240_000 },
    async ([, start, plain, loose]) => {
      for (const [policy, level] of [
        [undefined, plain],
        [LOOSE, loose],
      ] as const) {
        const ask = await start(newFolder(policy));
        expect(await ask('/v1/status')).toMatchObject({ level, stopped: false });
        const asked = async (): Promise<any[]> => (await ask('/v1/approvals?status=pending')).approvals;
        if (level === 'observe') {
          const [card] = await until(asked, (cards) => cards.length > 0, 30_000);
          expect(card).toMatchObject({ action: 'policyChange', summary: expect.stringContaining('not used before') });
          await ask(`/v1/approvals/${card.approvalId}`, { body: { decision: 'approve' } });
          await until(
            async () => (await ask('/v1/policy')).level,
            (now) => now === (policy === undefined ? 'control' : 'full'),
          );
        } else expect(await asked()).toEqual([]);
        for (const end of running.splice(0)) await end();
      }
    },
  );

  it('[policy.agreement] the library: as the program says, else looking only', { timeout: 240_000 }, async () => {
    const folder = newFolder();
    const run = async (name: string, options: string): Promise<string> => {
      const [script, report] = [join(folder, `${name}.mjs`), join(folder, `${name}.json`)];
      mkdirSync(join(folder, name));
      writeFileSync(
        script,
        `import { writeFileSync } from 'node:fs';
         import * as uiahost from ${JSON.stringify(`file:///${file('index.mjs').replaceAll('\\', '/')}`)};
         const options = { dataDirectory: ${JSON.stringify(windowsPath(join(folder, name)))}, onApproval: async () => 'deny', ${options} };
         const code = await uiahost.createComputerExecutor(options).then(async (executor) => {
           const done = await executor.key('a').then(() => 'done', (error) => error.code);
           await executor[Symbol.asyncDispose]();
           return done;
         }, (error) => error.code);
         writeFileSync(${JSON.stringify(windowsPath(report))}, JSON.stringify(code));
         process.exit(0);`,
      );
      await once(sharedDesktop().run(node(), [windowsPath(script)], { stdio: 'ignore', env: {} }), 'exit');
      return JSON.parse(readFileSync(report, 'utf8')) as string;
    };
    const full = `policy: uiahost.securityPolicy().withComputerPermission('full').build()`;
    expect(await run('plain', '')).toBe('permission_denied');
    expect(await run('given', full)).not.toBe('permission_denied');
    expect(await run('relative', `${full}, dataDirectory: 'here'`)).toBe('invalid_argument');
    await reg('add', KEY, '/v', 'Stop', '/d', 'a person', '/f');
    expect(await run('stopped', full)).toBe('stopped');
    await release();
  });
});

it(
  '[stop.user] the emergency stop: pressed in one directory, it holds in every other, however the host is started',
  { timeout: 400_000 },
  async () => {
    {
      await using host = await startHost();
      await host.request('/v1/stop', { method: 'POST', token: 'operator' });
    }
    try {
      for (const [name, start] of WAYS) {
        const ask = await start(newFolder(LOOSE));
        expect(await ask('/v1/status'), name).toMatchObject({ stopped: true });
        expect(await ask('/v1/actions/list-visible-windows', { scope: 'agent', body: {} }), name).toMatchObject({
          code: 'stopped',
        });
        for (const end of running.splice(0)) await end();
      }
      // No program releases a host that runs, and a stop that another host presses is followed at once.
      await using host = await startHost({ dataDir: newFolder() });
      const stopped = async (): Promise<boolean> => (await host.request('/v1/status')).body.stopped;
      await release();
      await until(async () => (await reg('query', KEY, '/v', 'Stop')) === 0 || undefined, 'the stop', 10_000);
      expect(await stopped()).toBe(true);
      await host.request('/v1/resume', { method: 'POST', token: 'operator' });
      expect(await stopped()).toBe(false);
      await reg('add', KEY, '/v', 'Stop', '/d', 'another host', '/f');
      await until(stopped, (is) => is, 10_000);
    } finally {
      await release();
    }
  },
);
