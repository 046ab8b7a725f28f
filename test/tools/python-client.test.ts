/** The Python client: its wheel in an empty environment, its types, and its tests against the real host with a stand-in desktop. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { array, constantFrom, dictionary, oneof, sample, tuple } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACTIONS } from '../../src/actions/index.ts';
import { ACTIONS as METHODS, ROUTES, type ActionResult, type PendingAction } from '../../src/client/api.generated.ts';
import {
  ConnectionError,
  isPending,
  ProblemError,
  TimeoutError,
  UiaHostClient,
  type ClientError,
} from '../../src/client/index.ts';
import { EXECUTOR_CALLS, inputOf, methodValue } from '../../src/contract/executor-calls.ts';
import type { ExecutorMethod } from '../../src/contract/executor.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { badInputs } from '../support/bad-inputs.ts';
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

/** A name of JSON as Python has it. */
const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const keywordsOf = (input: object): object =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name === 'from' ? 'from_' : snake(name), value]));

/** A call as both clients make it: a method of `client.actions`, or one of the client; at `url` where that is given. */
interface Call {
  readonly of: 'actions' | 'client';
  readonly name: string;
  readonly args: readonly unknown[];
  readonly url?: string;
  /** With `url`: how long an answer may take. */
  readonly timeoutMs?: number;
}

/** Without what differs between two runs of the same client: ids, names, times, and how far the audit has come. */
const same = (value: unknown): unknown =>
  JSON.parse(
    (JSON.stringify(value) ?? 'null')
      .replaceAll(/\b(act|apr|obs|cus|tok|evt|art|ses|code|w)_[\w-]+/g, '$1_')
      .replaceAll(/compared-\w+/g, 'compared')
      .replaceAll('idempotencyKey', 'idempotency_key')
      .replaceAll(/"head":"\w+"/g, '"head":""')
      .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"time"')
      .replaceAll(/"(durationMs|records|sealsCheckedFrom|uptimeSeconds)":[\d.]+/g, '"$1":0'),
  );

const CLASSES: ReadonlyArray<readonly [name: string, kind: abstract new (...given: never[]) => ClientError]> = [
  ['Problem', ProblemError],
  ['ConnectionFailed', ConnectionError],
  ['TimedOut', TimeoutError],
];

function refused(error: unknown): unknown {
  const [kind] = CLASSES.find(([, each]) => error instanceof each) ?? [];
  if (kind === undefined) throw error;
  const { message, code, retryable, delivery, hint, idempotencyKey } = error as ClientError;
  const own = { class: kind, code, retryable, delivery, hint };
  if (!(error instanceof ProblemError)) return { error: { ...own, hasKey: idempotencyKey !== undefined } };
  const { status, actionId = null, candidates, problem } = error;
  return { error: { ...own, message, status, actionId, candidates, problem } };
}

async function outcomeOf(client: UiaHostClient, { of, name, args, url, timeoutMs }: Call): Promise<unknown> {
  const asked = url === undefined ? client : new UiaHostClient({ url, token: 'x', timeoutMs });
  const target = (of === 'actions' ? asked.actions : asked) as unknown as Record<
    string,
    (...given: unknown[]) => unknown
  >;
  try {
    const answer = await target[name]!(...args);
    if (answer instanceof Uint8Array) return { answer: answer.length };
    if (of === 'client' && name !== 'run') return { answer };
    const done = answer as ActionResult | PendingAction;
    return isPending(done)
      ? { pending: { actionId: done.actionId, approvalId: done.approvalId } }
      : { answer: done, value: done.value, effect: done.outcome.effect, actionId: done.actionId };
  } catch (error) {
    return refused(error);
  }
}

/** Bad inputs of each action that are tried, evenly from all that its schema makes. */
const MOST_BAD = 3;

/** The clients take objects, and Python's None is a key that is left out. */
const mayBeGiven = (input: unknown): input is object =>
  typeof input === 'object' && input !== null && !Array.isArray(input) && !Object.values(input).includes(null);

function badOnes(name: string, valid: object): object[] {
  const { $defs } = JSON.parse(readFileSync(join(root, `schemas/generated/${name}.schema.json`), 'utf8'));
  const all = badInputs($defs.input, { ...valid }).map(({ input }) => input);
  const given = all.filter(mayBeGiven);
  return given.filter((_, index) => index % Math.ceil(given.length / MOST_BAD) === 0);
}

/** Every action, with its sample by name and by method and with bad inputs, and every route that answers once and does not change the host. */
function comparedCalls(): Call[] {
  const methods = new Map(Object.entries(METHODS).map(([method, name]) => [name, method]));
  const ofActions = ACTIONS.flatMap(({ name, sample: valid }): Call[] => [
    ...(methods.has(name) ? [{ of: 'actions', name: methods.get(name)!, args: [valid] } as const] : []),
    ...[valid, ...badOnes(name, valid as object)].map((input): Call => ({
      of: 'client',
      name: 'run',
      args: [name, input],
    })),
  ]);
  const ofRoutes = Object.entries(ROUTES)
    .filter(([name, { answers }]) => answers !== 'events' && !['endHost', 'stop', 'metrics'].includes(name))
    .map(([name, { path, hasBody }]): Call => {
      const places = [...path.matchAll(/\{\w+\}/g)].map(() => 'nothing-like-it');
      return { of: 'client', name, args: [...places, ...(hasBody === true ? [{ forse: 1 }] : [])] };
    });
  return [...ofActions, { of: 'client', name: 'run', args: ['no-such-action', {}] }, ...ofRoutes];
}

/** Calls to what is not there, ends the connection, never answers, or is another program. */
async function callsElsewhere(): Promise<Call[] & AsyncDisposable> {
  const behaviours: ReadonlyArray<(socket: Socket) => void> = [
    (socket) => void socket.once('data', () => socket.destroy()),
    () => {},
    (socket) => void socket.once('data', () => socket.end('HTTP/1.1 502 Bad\r\ncontent-length: 2\r\n\r\nno')),
  ];
  const servers = behaviours.map((behave) => createServer((socket) => behave(socket.on('error', () => {}))));
  const urls = await Promise.all(
    servers.map(async (each) => {
      await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(each.address() as AddressInfo).port}`;
    }),
  );
  const calls = ['http://127.0.0.1:9', ...urls].flatMap((url): Call[] => {
    // Only the call that never answers is not waited for: a busy machine may need seconds.
    const place = { of: 'client', url, timeoutMs: url === urls[1] ? 500 : 30_000 } as const;
    return [
      { ...place, name: 'run', args: ['click-element', { name: 'Save' }] },
      { ...place, name: 'run', args: ['snapshot', {}] },
      { ...place, name: 'status', args: [] },
    ];
  });
  return Object.assign(calls, {
    [Symbol.asyncDispose]: async () => {
      for (const each of servers) each.close();
    },
  });
}

describe('the Python client', () => {
  test('installs from its wheel, without machine code, into an empty environment', { timeout: TIME }, async () => {
    expect(readdirSync(join(folder, 'wheels'))).toEqual([expect.stringMatching(/^uiahost-[\d.]+-py3-none-any\.whl$/)]);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect((await said(python, ['-c', 'import uiahost; print(uiahost.__version__)'])).trim()).toBe(version);
    expect((await said(python, ['-m', 'pip', 'show', 'uiahost'])).split('\n')).toContain(`Version: ${version}`);
  });

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

  test(
    '[python.same] answers each call as the TypeScript client does, values and errors, sync and async',
    { timeout: TIME },
    async () => {
      const client = (session: string) => UiaHostClient.connect({ dataDirectory: host.root, env: {}, session });
      const person = new AbortController();
      const decided = (async () => {
        for await (const card of (await client('person')).approvals({ signal: person.signal }))
          if (card.status === 'pending')
            await (await client('person')).decideApproval(card.approvalId, { decision: 'approve' });
      })().catch(() => {});
      await using elsewhere = await callsElsewhere();
      const bind: Call = { of: 'actions', name: 'bindToWindow', args: [{ title: 'Notepad' }] };
      const calls = [bind, ...comparedCalls(), ...elsewhere];
      const own = await client('compared-typescript');
      const expected: unknown[] = [];
      for (const call of calls) expected.push(same(await outcomeOf(own, call)));
      const file = join(folder, 'calls.json');
      const inPython = ({ of, name, args, ...where }: Call) => ({
        ...(of === 'actions' ? { args: [], options: keywordsOf(args[0] as object) } : { args, options: {} }),
        of,
        name: snake(name),
        ...where,
      });
      writeFileSync(file, JSON.stringify(calls.map(inPython)));
      const seen = JSON.parse(
        await said(python, [join(folder, 'source/tests/calls.py'), file], { UIAHOST_DATA_DIR: host.root }),
      ) as Record<'sync' | 'async', unknown[]>;
      person.abort();
      await decided;
      const different = (['sync', 'async'] as const).flatMap((kind) =>
        calls.flatMap((call, at) => {
          const inPythonToo = same(seen[kind][at]);
          return isDeepStrictEqual(inPythonToo, expected[at])
            ? []
            : [{ kind, call, python: inPythonToo, typescript: expected[at] }];
        }),
      );
      expect(different).toEqual([]);
      expect(calls.length).toBeGreaterThan(300);
    },
  );

  test('passes a strict check of its types, its examples too', { timeout: TIME }, async () => {
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

  test('its keywords run in Robot Framework', { timeout: TIME }, async () => {
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
