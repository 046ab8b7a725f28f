/**
 * The commands of a checkout on Windows, in Windows' Node under Wine with npm's own npm.cmd: fresh copies of the sources on drive C,
 * one without packages, for the steps of the test workflow in their order, and one with those of the lock file for Windows. What
 * Wine does not show: a terminal that gives its programs time when it is closed, and Git Bash, for which a shell of this machine runs
 * the steps' lines.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { windowsNode } from '../../scripts/lib/dependencies.mjs';
import { ended, which } from '../../scripts/lib/processes.mjs';
import { ensureToolTree } from '../../scripts/lib/tool-tree.mjs';
import { copySources } from '../../scripts/lib/windows-copy.mjs';
import type { SelftestReport } from '../../src/cli/selftest/drive.ts';
import { startDesktop, windowsPath, type Desktop } from '../support/desktop.ts';
import { phrasesOf } from '../support/words.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tree = process.env['UIAHOST_TEST_TREE'] ?? '';
let desktop: Desktop;
let drive: string;

beforeAll(async () => {
  desktop = await startDesktop();
  drive = join(desktop.prefix, 'drive_c');
  copySources(join(drive, 'empty'));
  copySources(join(drive, 'checkout'), tree);
  const npm = join(dirname(realpathSync(which('npm')!)), '..');
  cpSync(npm, join(drive, 'nodejs/node_modules/npm'), { recursive: true });
  cpSync(join(npm, 'bin/npm.cmd'), join(drive, 'nodejs/npm.cmd'));
  cpSync(windowsNode(tree), join(drive, 'nodejs/node.exe'));
}, 120_000);
afterAll(() => desktop?.stop());

/** A line in cmd, in the checkout's folder. */
async function cmd(line: string): Promise<{ status: number | null; text: string }> {
  const file = join(drive, 'output.txt');
  const output = openSync(file, 'w');
  const child = desktop.run('cmd.exe', ['/d', '/c', line], {
    cwd: join(drive, 'checkout'),
    env: { PATH: undefined, WINEPATH: 'C:\\nodejs' },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  if (!(await ended(child, 280_000))) throw new Error(`${line} does not end:\n${readFileSync(file, 'utf8')}`);
  return { status: child.exitCode, text: readFileSync(file, 'utf8') };
}

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The steps of the job `test`, as GitHub's runner for this system has them. */
async function workflowSteps(system: string): Promise<Step[]> {
  const tools = await ensureToolTree('.github/tools');
  const { parse } = (await import(pathToFileURL(join(tools, 'node_modules/yaml/dist/index.js')).href)) as {
    parse(text: string): { jobs: { test: { steps: Step[] } } };
  };
  const { steps } = parse(readFileSync(join(root, '.github/workflows/test.yml'), 'utf8')).jobs.test;
  // the legs for Windows with a desktop have the system's name alone
  const value = (text: string): string =>
    text.replaceAll(/\$\{\{ matrix\.(\w+) \}\}/g, (_all, name: string) => (name === 'system' ? system : ''));
  return steps
    .filter(({ if: condition = '' }) => !condition.includes("matrix.system == 'ubuntu"))
    .map((step) => ({
      ...step,
      env: Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, value(text)])),
    }));
}

/**
 * A folder with `npm` and `node` that are those of Windows, for a shell of this machine. The long commands run a part of their
 * tests, and no checks, which take a quarter of an hour here.
 */
function windowsCommands(): string {
  const folder = join(drive, 'commands');
  mkdirSync(folder);
  const cache = join(homedir(), '.npm');
  for (const [name, program] of [
    ['npm', 'C:\\nodejs\\npm.cmd'],
    ['node', 'C:\\nodejs\\node.exe'],
  ] as const) {
    const script = `#!/bin/sh
case "$*" in
test) set -- test -- test/pure/contract/keys ;;
scripts/check.mjs) exit 0 ;;
"scripts/test.mjs "*) set -- scripts/test.mjs test/pure/texts ;;
esac
# a Windows program cannot write to a pipe of this machine
out=$(mktemp)
env -u PATH WINEPATH='C:\\nodejs' npm_config_prefer_offline=true npm_config_cache='${windowsPath(cache)}' \\
  '${desktop.description.wine}' cmd.exe /d /c '${program}' "$@" >"$out" 2>&1 </dev/null
status=$?
cat "$out"
rm "$out"
exit $status
`;
    writeFileSync(join(folder, name), script);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

const steps = await workflowSteps('windows-2022');

/** In the order of the workflow: each begins with what the one before has left. */
describe('a clone without packages on Windows', () => {
  let commands: string;
  beforeAll(() => {
    commands = windowsCommands();
  });
  const report = (): string => join(drive, 'empty/reports/selftest-windows-2022.json');

  it('begins without packages, and the first command is the selftest', () => {
    expect(existsSync(join(drive, 'empty/node_modules'))).toBe(false);
    expect(steps.flatMap(({ run, name }) => (run === undefined ? [] : [name]))).toEqual(phrasesOf`
      npm run selftest | npm start, the first action, its end | checks, test/pure | npm test | what npm test leaves out
    `);
    expect(steps.findIndex(({ uses }) => uses?.startsWith('actions/upload-artifact@'))).toBe(
      steps.findIndex(({ run }) => run !== undefined) + 1,
    );
  });

  it.each(steps.filter(({ run }) => run !== undefined))(
    'the workflow’s step: $name',
    async ({ run = '', env }) => {
      const certificates = process.env['NODE_EXTRA_CA_CERTS'];
      const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
        cwd: join(drive, 'empty'),
        env: {
          ...process.env,
          ...desktop.env,
          ...env,
          PATH: [commands, process.env['PATH']].join(delimiter),
          ...(certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: windowsPath(certificates) }),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
      const [status] = (await once(child, 'close')) as [number | null];
      expect(existsSync(report()), output.slice(-4000)).toBe(true);
      expect(status, output.slice(-4000)).toBe(0);
    },
    540_000,
  );

  it('the report has every step of the selftest', () => {
    const { ok, ended: why, steps: done } = JSON.parse(readFileSync(report(), 'utf8')) as SelftestReport;
    expect({ ok, why }).toEqual({ ok: true, why: null });
    expect(done.length).toBeGreaterThan(28);
  });
});

describe('a fresh checkout on Windows', () => {
  it('npm start: ready, a first action in the visible demo, ended by Ctrl+C and with its terminal', async () => {
    const { status, text } = await cmd('npm run smoke');
    expect(status, text).toBe(0);
    expect(text.match(/first action: confirmed/g)).toHaveLength(2);
    expect(text).toContain('ended by Ctrl+C');
    expect(text).toContain('ended by closing the terminal');
    expect(text).toContain('nothing is left');
  }, 300_000);

  it('npm test runs tests in Node, and says how to get the compiler that others need', async () => {
    const pure = await cmd('npm test -- test/pure/contract/keys');
    expect(pure.status, pure.text).toBe(0);
    expect(pure.text).toMatch(/^[1-9]\d* passed, 0 failed\s*$/m);
    const native = await cmd('npm test -- test/native/base');
    expect(native.text).toMatch(/not run here: .*\bmingw-w64\b.*\bInstall one\b/s);
  }, 300_000);
});
