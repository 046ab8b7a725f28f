/** Which pixels are meant: coordinates of the executor face, and the display that a capture is for, on a desktop of two displays. */
import { describe, expect, test } from 'vitest';
import type { ComputerExecutor } from '../../src/contract/executor.ts';
import type { DisplayGeometry } from '../../src/contract/geometry.ts';
import type { CapturePort, DisplayPort, Done, PointerPort, WindowPort } from '../../src/desktop/index.ts';
import { createExecutor } from '../../src/host/executor.ts';
import { startTestHost, type TestHost } from './running-host.ts';

const LEFT: DisplayGeometry = { displayId: 7, width: 2560, height: 1440, scaleFactor: 1.5, originX: -2560, originY: -180, isPrimary: false };
const MAIN: DisplayGeometry = { displayId: 3, width: 1920, height: 1080, scaleFactor: 1, originX: 0, originY: 0, isPrimary: true };
const done: Done<boolean> = { value: true, outcome: { effect: 'confirmed', delivery: 'posted', evidence: [], attempts: [], focusChanged: false, cursorMoved: false } };
const APP = { bundleId: 'c:\\windows\\system32\\notepad.exe', displayName: 'Notepad', executable: 'C:\\Windows\\System32\\notepad.exe' };

interface Stage extends AsyncDisposable {
  readonly host: TestHost;
  readonly executor: Required<ComputerExecutor>;
  /** What the desktop was told. */
  readonly told: unknown[][];
  windowRect: { x: number; y: number; width: number; height: number };
  counts: Array<{ displayId: number; windows: number }>;
}

async function open(): Promise<Stage> {
  const host = await startTestHost({ flags: ['displayCapture'] });
  const told: unknown[][] = [];
  const tell = (...what: unknown[]): Done<boolean> => { told.push(what); return done; };
  const stage: Stage = {
    host, told, windowRect: { x: -2000, y: 0, width: 1000, height: 800 }, counts: [],
    executor: createExecutor(host.host.runner, { ...host.agent, surface: 'executor' }, { screenshotFiltering: 'none', platform: 'win32', hostBundleId: 'x' }),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
  const { desktop } = host.scene;
  const pixel = (await desktop.capture.window({} as never, {} as never, {} as never)).bytes;
  Object.assign(desktop.display, {
    list: async () => [LEFT, MAIN],
    countWindows: async () => stage.counts,
  } satisfies Partial<DisplayPort>);
  Object.assign(desktop.pointer, {
    move: async (_record, to) => tell('move', to),
    click: async (_record, at, { button, count, modifiers }) => tell('click', at, button, count, modifiers),
    button: async (_record, change, at) => tell('button', change, at),
    drag: async (_record, from, to) => tell('drag', from, to),
    wheel: async (_record, at, notches) => tell('wheel', at, notches),
  } satisfies Partial<PointerPort>);
  Object.assign(desktop.window, {
    rect: async () => stage.windowRect,
    clientToScreen: async (_record, { x, y }) => ({ x: x + stage.windowRect.x + 8, y: y + stage.windowRect.y + 31 }),
    screenToClient: async (_record, { x, y }) => ({ x: x - stage.windowRect.x - 8, y: y - stage.windowRect.y - 31 }),
    activate: async (_record, client) => tell('activate', client),
  } satisfies Partial<WindowPort>);
  Object.assign(desktop.capture, {
    window: async () => ({
      bytes: pixel, mimeType: 'image/png', method: 'window-dc',
      geometry: { imageWidth: 500, imageHeight: 400, displayWidth: 1000, displayHeight: 800, originX: stage.windowRect.x, originY: stage.windowRect.y },
    }),
    display: async (displayId) => {
      told.push(['capture', displayId]);
      const display = displayId === LEFT.displayId ? LEFT : MAIN;
      return {
        bytes: pixel, mimeType: 'image/png', method: 'display', displayId: display.displayId,
        geometry: { imageWidth: 1456, imageHeight: 819, displayWidth: display.width, displayHeight: display.height, originX: display.originX, originY: display.originY },
      };
    },
  } satisfies Partial<CapturePort>);
  Object.assign(desktop.app, { underPoint: async (at: unknown) => { tell('underPoint', at); return APP; } });
  return stage;
}

describe('the executor face', () => {
  test('[space.executor] points are screen pixels: x · displayWidth / width + originX of a screenshot', async () => {
    await using stage = await open();
    const { executor, told } = stage;
    await executor.bindToWindow({ title: 'Notepad' });
    const shot = await executor.screenshot({ allowedBundleIds: [] });
    const [x, y] = [250 * shot.displayWidth / shot.width + shot.originX, 100 * shot.displayHeight / shot.height + shot.originY];
    expect([x, y]).toEqual([-1500, 200]);
    const at = { x, y };
    await executor.click(x, y, 'right', 2, ['ctrl']);
    await executor.moveMouse(x, y);
    await executor.drag(at, { x: x + 40, y });
    await executor.drag(undefined, at);
    await executor.scroll(x, y, 1, 2);
    await executor.appUnderPoint(x, y);
    expect(told).toEqual([
      ['click', at, 'right', 2, ['ctrl']], ['move', at], ['drag', at, { x: x + 40, y }], ['drag', null, at],
      ['wheel', at, { vertical: -2, horizontal: 1 }], ['underPoint', at],
    ]);
  });

  test('[space.executor] virtualMouse, mouseWheel and activateWindow take client coordinates', async () => {
    await using stage = await open();
    const { executor, told } = stage;
    await executor.bindToWindow({ title: 'Notepad' });
    expect(await executor.virtualMouse({ action: 'click', x: 10, y: 20 })).toBe(true);
    expect(await executor.virtualMouse({ action: 'drag', x: 30, y: 40, startX: 10, startY: 20 })).toBe(true);
    expect(await executor.mouseWheel(10, 20, 3)).toBe(true);
    expect(await executor.activateWindow(10, 20)).toBe(true);
    const onScreen = { x: 10 - 2000 + 8, y: 20 + 31 };
    expect(told).toEqual([
      ['click', onScreen, 'left', 1, []], ['drag', onScreen, { x: 30 - 2000 + 8, y: 40 + 31 }], ['wheel', onScreen, { vertical: 3, horizontal: 0 }], ['activate', { x: 10, y: 20 }],
    ]);
  });

  test('[method.appUnderPoint] the application as {bundleId, displayName}', async () => {
    await using stage = await open();
    expect(await stage.executor.appUnderPoint(-100, 5)).toEqual({ bundleId: APP.bundleId, displayName: 'Notepad' });
    expect(stage.told).toEqual([['underPoint', { x: -100, y: 5 }]]);
  });
});

describe('points in the latest picture', () => {
  test('[gate.same-object] mean the picture that was the latest when they were judged, also where another one is taken meanwhile', async () => {
    await using stage = await open();
    const { host, told } = stage;
    const run = (action: string, input: object): Promise<unknown> => host.host.runner.run(host.agent, action, input).result;
    await run('screenshot', { displayId: MAIN.displayId });
    host.afterGate = async ({ action }) => { if (action === 'click') await run('screenshot', { displayId: LEFT.displayId }); };
    const click = { x: 728, y: 409.5, space: 'image', delivery: 'foreground' };
    await run('click', click);
    host.afterGate = null;
    await run('click', click);
    const clicked = told.filter(([what]) => what === 'click').map(([, at]) => at);
    expect(clicked).toEqual([{ x: 960, y: 540 }, { x: LEFT.originX + LEFT.width / 2, y: LEFT.originY + LEFT.height / 2 }]);
  });
});

describe('[prepare.preferred] resolvePrepareCapture', () => {
  const capture = (stage: Stage, more: object = {}): ReturnType<Required<ComputerExecutor>['resolvePrepareCapture']> =>
    stage.executor.resolvePrepareCapture({ allowedBundleIds: [], autoResolve: true, ...more });

  test('the preferred display wins, whatever is bound', async () => {
    await using stage = await open();
    expect(await capture(stage, { preferredDisplayId: LEFT.displayId })).toMatchObject({ displayId: LEFT.displayId, originX: -2560, originY: -180, displayWidth: 2560 });
    await stage.executor.bindToWindow({ title: 'Notepad' });
    expect(await capture(stage, { preferredDisplayId: MAIN.displayId })).toMatchObject({ displayId: MAIN.displayId, originX: 0, displayWidth: 1920 });
    expect(stage.told).toEqual([['capture', LEFT.displayId], ['capture', MAIN.displayId]]);
    await expect(capture(stage, { preferredDisplayId: 99 })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('bound, the display with most of the window is told, and the window is pictured', async () => {
    await using stage = await open();
    await stage.executor.bindToWindow({ title: 'Notepad' });
    expect(await capture(stage)).toMatchObject({ displayId: LEFT.displayId, originX: -2000, displayWidth: 1000 });
    stage.windowRect = { x: -300, y: 0, width: 1000, height: 800 };
    expect(await capture(stage)).toMatchObject({ displayId: MAIN.displayId });
    expect(await capture(stage, { autoResolve: false })).toMatchObject({ displayId: MAIN.displayId });
  });

  test('unbound, the display with most windows of the allowed applications; without any the primary one', async () => {
    await using stage = await open();
    const allowedBundleIds = [APP.bundleId, 'c:\\other.exe'];
    stage.counts = [{ displayId: MAIN.displayId, windows: 1 }, { displayId: LEFT.displayId, windows: 3 }];
    expect(await capture(stage, { allowedBundleIds })).toMatchObject({ displayId: LEFT.displayId });
    expect(await capture(stage, { allowedBundleIds, autoResolve: false })).toMatchObject({ displayId: MAIN.displayId });
    stage.counts = [];
    expect(await capture(stage, { allowedBundleIds })).toMatchObject({ displayId: MAIN.displayId });
  });
});
