/** The Python client: its wheel in an empty environment, its types, and its tests against the real host with a stand-in desktop. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { array, constantFrom, dictionary, oneof, sample, tuple } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXECUTOR_CALLS, inputOf, methodValue } from '../../src/contract/executor-calls.ts';
import type { ExecutorMethod } from '../../src/contract/executor.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { startTestHost, type TestHost } from '../pure/host/running-host.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'uiahost-python-'));
const bin = process.platform === 'win32' ? 'Scripts' : 'bin';
const python = join(folder, 'empty', bin, 'python');
const TIME = 600_000;
let host: TestHost;
let server: HttpServer;

/** Its output, or all that it said where it failed. */
const said = async (program: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> =>
  run(program, [...args], { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1 << 26 }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; stderr?: string; message: string }) => {
      throw new Error(`${error.message}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`);
    },
  );

beforeAll(async () => {
  const copy = join(folder, 'source');
  cpSync(join(root, 'clients/python'), copy, { recursive: true });
  await said(process.platform === 'win32' ? 'py' : 'python3', ['-m', 'venv', 'empty']);
  await said(python, ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', 'wheels', copy]);
  const [wheel = ''] = readdirSync(join(folder, 'wheels'));
  await said(python, ['-m', 'pip', 'install', '--quiet', join(folder, 'wheels', wheel)]);

  host = await startTestHost({ flags: ['displayCapture'], level: 'control' });
  const key = readFileSync(join(host.root, 'host.key'), 'utf8').trim();
  server = await createHttpServer({
    host: host.host,
    address: '127.0.0.1',
    port: 0,
    proofKey: Buffer.from(key, 'utf8'),
  });
  const { port } = new URL(server.url);
  const file = { url: server.url, port: Number(port), pid: process.pid, version: '0', startedAt: '' };
  writeFileSync(join(host.root, 'host.json'), JSON.stringify(file));
  writeFileSync(join(host.root, 'agent.token'), 'agent-token-agent-token');
  writeFileSync(join(host.root, 'operator.token'), 'operator-token-operator');
}, TIME);
afterAll(async () => {
  await server?.close();
  await host?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Arguments as callers make them, with what the executor makes of them. */
function executorCases(): string {
  const methods = Object.keys(EXECUTOR_CALLS) as ExecutorMethod[];
  const fields = [...JSON.stringify(EXECUTOR_CALLS).matchAll(/"name":"(\w+)"/g)].map(([, name = '']) => name);
  const value = constantFrom(
    null,
    '',
    0,
    1,
    2.5,
    -3.5,
    4,
    150,
    -240,
    1e9,
    true,
    false,
    'a',
    'drag',
    'type',
    'select',
  ).chain((each) => constantFrom(each, ['', 'a'], 'move_resize', 'show', 'hold'));
  const options = dictionary(constantFrom(...new Set(fields)), value, { noNullPrototype: true });
  const args = array(oneof(value, options), { maxLength: 5 });
  const drawn = sample(tuple(constantFrom(...methods), args), { numRuns: 3000, seed: 1 });
  const row = { base64: '', width: 1, observationId: 'o', artifact: null, hidden: [], hwnd: '1', pid: 2, title: 't' };
  return JSON.stringify({
    inputs: drawn.map(([method, given]) => [method, given, inputOf(method, given)]),
    values: methods.flatMap((method) =>
      (Array.isArray(EXECUTOR_CALLS[method].answers) ? [row, [row]] : [null, true, 'x']).map((each) => [
        method,
        each,
        methodValue(method, each) ?? null,
      ]),
    ),
  });
}

describe('the Python client', () => {
  test(
    '[python.wheel] installs from its wheel, without machine code, into an empty environment',
    { timeout: TIME },
    async () => {
      expect(readdirSync(join(folder, 'wheels'))).toEqual([
        expect.stringMatching(/^uiahost-[\d.]+-py3-none-any\.whl$/),
      ]);
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
      expect((await said(python, ['-c', 'import uiahost; print(uiahost.__version__)'])).trim()).toBe(version);
      expect((await said(python, ['-m', 'pip', 'show', 'uiahost'])).split('\n')).toContain(`Version: ${version}`);
    },
  );

  test(
    '[python.client] drives a host: proof, approvals, errors, streams, pictures, the executor and toolsets',
    { timeout: TIME },
    async () => {
      await said(python, ['-m', 'pip', 'install', '--quiet', 'pytest', 'langchain-core', 'pydantic-ai-slim']);
      const cases = join(folder, 'cases.json');
      writeFileSync(cases, executorCases());
      const output = await said(
        python,
        ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(folder, 'source/tests')],
        {
          UIAHOST_DATA_DIR: host.root,
          UIAHOST_EXECUTOR_CASES: cases,
        },
      );
      expect(output).toMatch(/\n\d+ passed in/);
    },
  );

  test('[python.types] passes a strict check of its types, its examples too', { timeout: TIME }, async () => {
    await said(python, ['-m', 'pip', 'install', '--quiet', 'mypy', 'langchain-core', 'pydantic-ai-slim']);
    expect(await said(python, ['-m', 'mypy', '--strict', 'source/src', 'source/examples'])).toContain('Success');
    const wrong = {
      key: `host.actions.click_element(nmae="Save")`,
      value: `host.actions.click(x=1, y=1, button="lefft")`,
      method: `host.actions.clik_element(name="Save")`,
      missing: `host.actions.type()`,
      answer: `host.actions.snapshot().value["accesibilityText"]`,
      body: `host.decide_approval("a", {"decison": "approve"})`,
      argument: `host.executor().click_element({"nmae": "Save"})`,
    };
    mkdirSync(join(folder, 'wrong'));
    for (const [name, line] of Object.entries(wrong))
      writeFileSync(
        join(folder, 'wrong', `${name}.py`),
        `from uiahost import Client\nhost = Client("", "")\n${line}\n`,
      );
    const found = await run(python, ['-m', 'mypy', '--strict', 'wrong'], { cwd: folder }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    for (const name of Object.keys(wrong)) expect(found).toContain(`wrong/${name}.py:3: error`);
  });

  test('[python.robot] its keywords run in Robot Framework', { timeout: TIME }, async () => {
    await said(python, ['-m', 'pip', 'install', '--quiet', 'robotframework']);
    cpSync(join(root, 'clients/python/examples/UiaHostKeywords.py'), join(folder, 'UiaHostKeywords.py'));
    writeFileSync(
      join(folder, 'window.robot'),
      '*** Settings ***\nLibrary    UiaHostKeywords.py\n\n*** Test Cases ***\nWindow\n    Bind Window    Notepad\n    Window Should Show    Notepad\n    Run Keyword And Expect Error    *target_not_found*    Click Element    Nothing\n',
    );
    const output = await said(
      python,
      ['-m', 'robot', '--output', 'NONE', '--log', 'NONE', '--report', 'NONE', 'window.robot'],
      {
        UIAHOST_DATA_DIR: host.root,
      },
    );
    expect(output).toContain('1 test, 1 passed, 0 failed');
  });
});
