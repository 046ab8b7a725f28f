/** The given interface over a running host: the same calls have the same answers as in the host’s process. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UiaHostClient, type ClientExecutor, type ExecutorResult } from '../../../src/client/index.ts';
import { createExecutor as executorOf } from '../../../src/client/executor.ts';
import type { ComputerExecutor, ExecutorMethod } from '../../../src/contract/executor.ts';
import { EXECUTOR_CALLS } from '../../../src/contract/executor-calls.ts';
import { createExecutor } from '../../../src/host/running/executor.ts';
import { createHttpServer, type HttpServer } from '../../../src/http/server.ts';
import { startTestHost, type TestHost } from '../host/running-host.ts';

let t: TestHost;
let server: HttpServer;
let here: Required<ComputerExecutor>;
let there: ClientExecutor;
const heard: ExecutorResult[] = [];
beforeAll(async () => {
  t = await startTestHost({
    flags: ['displayCapture', 'clipboardRead', 'clipboardWrite'],
    level: 'full',
    alwaysAsk: [],
  });
  server = await createHttpServer({ host: t.host, address: '127.0.0.1', port: 0 });
  const client = new UiaHostClient({ url: server.url, token: 'agent-token-agent-token', session: t.agent.session });
  here = createExecutor(
    t.host.runner,
    { ...t.agent, surface: 'executor' },
    { screenshotFiltering: 'native', platform: 'win32', hostBundleId: 'x' },
  );
  there = client.executor({ onResult: (result) => heard.push(result) });
});
afterAll(async () => {
  await server.close();
  await t[Symbol.asyncDispose]();
});

type Calls = { readonly [M in ExecutorMethod]: ReadonlyArray<readonly unknown[]> };
const POINT = { x: 5, y: 6 };
/** Calls as callers of that interface make them, right and wrong ones. */
const CALLS: Calls = {
  bindToWindow: [[{ title: 'Nowhere' }], [{ hwnd: '', title: 'Notepad', pid: 0 }]],
  hasBoundWindow: [[]],
  getBindingStatus: [[]],
  prepareForAction: [[[], 1], [['c:\\some\\other.exe']]],
  previewHideSet: [
    [[], undefined],
    [[], 99],
  ],
  getDisplaySize: [[], [99]],
  listDisplays: [[]],
  findWindowDisplays: [[['notepad.exe']], [null]],
  resolvePrepareCapture: [[{ allowedBundleIds: [''], autoResolve: true, doHide: false }]],
  screenshot: [[{ allowedBundleIds: [] }], [{ allowedBundleIds: [], displayId: 99 }]],
  zoom: [
    [{ x: 0, y: 0, w: 9, h: 9 }, []],
    [{ x: 0, y: 0, w: 0, h: 0 }, []],
  ],
  key: [['ctrl+s', 2], ['no such key']],
  holdKey: [[['shift', ''], 1.4]],
  type: [
    ['x', { viaClipboard: true }],
    ['y', undefined],
  ],
  writeClipboard: [['']],
  readClipboard: [[]],
  moveMouse: [
    [5, 6],
    [Number.NaN, 6],
  ],
  click: [
    [5, 6, 'left', 1],
    [5, 6, '', 4, ['']],
  ],
  mouseDown: [[]],
  mouseUp: [[]],
  getCursorPosition: [[]],
  drag: [
    [undefined, POINT],
    [null, POINT],
  ],
  scroll: [
    [5, 6, undefined, 240],
    [5, 6, 1, -2],
  ],
  getFrontmostApp: [[]],
  appUnderPoint: [[5, 6]],
  listInstalledApps: [[]],
  getAppIcon: [['C:\\nowhere.exe']],
  listRunningApps: [[]],
  openApp: [['nothing.exe']],
  manageWindow: [['minimize', { x: 0, y: 0, width: 0, height: 0 }], ['dance']],
  getWindowRect: [[]],
  openTerminal: [[{ agent: 'claude', command: '', terminal: '', workingDirectory: '' }]],
  listVisibleWindows: [[]],
  statusIndicator: [['hide', 'working'], ['status']],
  virtualKeyboard: [[{ action: 'press', text: 'shift', repeat: 2 }], [{ action: 'press' }]],
  virtualMouse: [[{ action: 'click', x: 1, y: 2, startX: 0, startY: 0 }]],
  mouseWheel: [
    [5, 6, -120],
    [5, 6, 1, true],
  ],
  activateWindow: [[5, 6], [5]],
  respondToPrompt: [[{ responseType: 'type', text: '' }], [{ responseType: 'yes', arrowDirection: 'down' }]],
  clickElement: [[{ name: 'Save draft', role: '' }], [{ name: '' }]],
  typeIntoElement: [[{ name: 'Save draft' }, 'x']],
  unbindFromWindow: [[]],
};

/** How a call ended: its answer, or the code it rejects with. */
const endOf = async (executor: ComputerExecutor, method: ExecutorMethod, args: readonly unknown[]): Promise<unknown> =>
  (executor[method] as (...given: unknown[]) => Promise<unknown>)(...args).then(
    (answer) => ({ answer }),
    ({ code, delivery }: { code: string; delivery: string }) => ({ code, delivery }),
  );

describe('[client.executor] an executor over HTTP', () => {
  test('has the methods of the interface, and capabilities once the host has told them', async () => {
    expect(Object.keys(there).sort()).toEqual(Object.keys(here).sort());
    expect(Object.keys(CALLS).sort()).toEqual(Object.keys(EXECUTOR_CALLS).sort());
    await there.ready();
    expect(there.capabilities).toEqual({
      screenshotFiltering: 'native',
      platform: 'win32',
      hostBundleId: expect.any(String),
    });
  });

  test('asks again what a desktop that is just starting has not told yet', async () => {
    const told = [{}, {}, { hostBundleId: 'c:\\node.exe', screenshotFiltering: 'native' }];
    const status = async (): Promise<never> => ({ capabilities: told.shift() ?? {} }) as never;
    const executor = executorOf({ status, run: () => Promise.reject(new Error('not called')) });
    await executor.ready();
    expect(executor.capabilities).toMatchObject({ hostBundleId: 'c:\\node.exe', screenshotFiltering: 'native' });
  });

  test('answers and rejects as the executor in the host’s process', async () => {
    for (const [method, calls] of Object.entries(CALLS) as Array<[ExecutorMethod, Calls[ExecutorMethod]]>) {
      for (const args of calls) {
        const wanted = await endOf(here, method, args);
        const got = await endOf(there, method, args);
        expect([method, args, got]).toEqual([method, args, wanted]);
      }
    }
    expect(heard).toHaveLength(Object.values(CALLS).flat().length);
    expect(new Set(heard.map(({ method }) => method)).size).toBe(42);
  });

  test('tells the cause of each call', async () => {
    await there.unbindFromWindow();
    const call = there.clickElement({ name: 'Save draft' });
    expect(await call).toBe(false);
    expect(await there.resultOf(call)).toMatchObject({
      method: 'clickElement',
      actionId: expect.stringMatching(/^act_/),
      problem: { code: 'not_bound' },
    });
    await there.bindToWindow({ title: 'Notepad' });
    expect(there.lastResult).toMatchObject({ problem: null, decision: { result: 'execute' } });
  });

  test('rejects where no host answers: false would say that the host refused', async () => {
    const away = new UiaHostClient({ url: 'http://127.0.0.1:9', token: 'x' }).executor();
    await expect(away.clickElement({ name: 'Save' })).rejects.toMatchObject({ code: 'connection_failed' });
    expect(away.lastResult?.problem).toMatchObject({ code: 'connection_failed', delivery: 'not_delivered' });
  });
});
