/** Which pixels are meant: coordinates of the executor face, and the display that a capture is for, on a desktop of two displays. */
import { describe, expect, test } from 'vitest';
import type { ComputerExecutor } from '../../../../src/contract/executor.ts';
import { ACTIONS } from '../../../../src/actions/index.ts';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import { toJsonSchema } from '../../../../src/contract/json/json-schema.ts';
import { looked } from '../../../../src/contract/outcome.ts';
import type { DisplayGeometry } from '../../../../src/contract/element/geometry.ts';
import type {
  CapturePort,
  DisplayPort,
  Done,
  ElementPort,
  PointerPort,
  WindowPort,
} from '../../../../src/desktop/index.ts';
import { createExecutor } from '../../../../src/host/running/executor.ts';
import { element, outcomeOf } from '../stand-in-desktop.ts';
import { startTestHost, type TestHost } from '../running-host.ts';
import { wordsOf } from '../../../support/words.ts';

const LEFT: DisplayGeometry = {
  displayId: 7,
  width: 2560,
  height: 1440,
  scaleFactor: 1.5,
  originX: -2560,
  originY: -180,
  isPrimary: false,
};
const MAIN: DisplayGeometry = {
  displayId: 3,
  width: 1920,
  height: 1080,
  scaleFactor: 1,
  originX: 0,
  originY: 0,
  isPrimary: true,
};
const done: Done<boolean> = { value: true, outcome: outcomeOf('confirmed', 'posted') };
const APP = {
  bundleId: 'c:\\windows\\system32\\notepad.exe',
  displayName: 'Notepad',
  executable: 'C:\\Windows\\System32\\notepad.exe',
};

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
  const tell = (...what: unknown[]): Done<boolean> => {
    told.push(what);
    return done;
  };
  const stage: Stage = {
    host,
    told,
    windowRect: { x: -2000, y: 0, width: 1000, height: 800 },
    counts: [],
    executor: createExecutor(
      host.host.runner,
      { ...host.agent, surface: 'executor' },
      { screenshotFiltering: 'native', platform: 'win32', hostBundleId: 'x' },
    ),
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
  const size = { imageWidth: 500, imageHeight: 400, displayWidth: 1000, displayHeight: 800 };
  const geometry = async () => ({ ...size, originX: stage.windowRect.x, originY: stage.windowRect.y });
  Object.assign(desktop.element, { geometry } satisfies Partial<ElementPort>);
  Object.assign(desktop.capture, {
    window: async () => ({ bytes: pixel, mimeType: 'image/png', method: 'window-dc', geometry: await geometry() }),
    display: async (displayId) => {
      told.push(['capture', displayId]);
      const display = displayId === LEFT.displayId ? LEFT : MAIN;
      return {
        bytes: pixel,
        mimeType: 'image/png',
        method: 'display',
        displayId: display.displayId,
        geometry: {
          imageWidth: 1456,
          imageHeight: 819,
          displayWidth: display.width,
          displayHeight: display.height,
          originX: display.originX,
          originY: display.originY,
        },
      };
    },
    region: async (target, region, { origin }) => {
      told.push(['region', 'record' in target ? 'window' : target.displayId, region, origin]);
      return {
        bytes: pixel,
        mimeType: 'image/png',
        method: 'window-dc',
        geometry: { imageWidth: 1, imageHeight: 1, displayWidth: 1, displayHeight: 1, originX: 0, originY: 0 },
      };
    },
  } satisfies Partial<CapturePort>);
  Object.assign(desktop.app, {
    underPoint: async (at: unknown) => {
      tell('underPoint', at);
      return APP;
    },
  });
  return stage;
}

describe('the executor face', () => {
  test('[space.executor] points are screen pixels: x · displayWidth / width + originX of a screenshot', async () => {
    await using stage = await open();
    const { executor, told } = stage;
    await executor.bindToWindow({ title: 'Notepad' });
    const shot = await executor.screenshot({ allowedBundleIds: [] });
    const [x, y] = [
      (250 * shot.displayWidth) / shot.width + shot.originX,
      (100 * shot.displayHeight) / shot.height + shot.originY,
    ];
    expect([x, y]).toEqual([-1500, 200]);
    const at = { x, y };
    await executor.click(x, y, 'right', 2, ['ctrl']);
    await executor.moveMouse(x, y);
    await executor.drag(at, { x: x + 40, y });
    await executor.drag(undefined, at);
    await executor.scroll(x, y, 1, 2);
    await executor.appUnderPoint(x, y);
    expect(told).toEqual([
      ['click', at, 'right', 2, ['ctrl']],
      ['move', at],
      ['drag', at, { x: x + 40, y }],
      ['drag', null, at],
      ['wheel', at, { vertical: -2, horizontal: 1 }],
      ['underPoint', at],
    ]);
  });

  test('[space.executor-client] virtualMouse, mouseWheel and activateWindow take client coordinates', async () => {
    await using stage = await open();
    const { executor, told } = stage;
    await executor.bindToWindow({ title: 'Notepad' });
    expect(await executor.virtualMouse({ action: 'click', x: 10, y: 20 })).toBe(true);
    expect(await executor.virtualMouse({ action: 'drag', x: 30, y: 40, startX: 10, startY: 20 })).toBe(true);
    expect(await executor.mouseWheel(10, 20, 3)).toBe(true);
    expect(await executor.activateWindow(10, 20)).toBe(true);
    const onScreen = { x: 10 - 2000 + 8, y: 20 + 31 };
    expect(told).toEqual([
      ['click', onScreen, 'left', 1, []],
      ['drag', onScreen, { x: 30 - 2000 + 8, y: 40 + 31 }],
      ['wheel', onScreen, { vertical: 3, horizontal: 0 }],
      ['activate', { x: 10, y: 20 }],
    ]);
  });

  test('[method.appUnderPoint] the application as {bundleId, displayName}', async () => {
    await using stage = await open();
    expect(await stage.executor.appUnderPoint(-100, 5)).toEqual({ bundleId: APP.bundleId, displayName: 'Notepad' });
    expect(stage.told).toEqual([['underPoint', { x: -100, y: 5 }]]);
  });
});

const POINTED = wordsOf`click move-mouse drag scroll app-under-point virtual-mouse mouse-wheel activate-window zoom`;

describe('the action face', () => {
  const bound = async (): Promise<{
    stage: Stage;
    run(action: string, input: object): Promise<any>;
    [Symbol.asyncDispose](): PromiseLike<void>;
  }> => {
    const stage = await open();
    const run = (action: string, input: object): Promise<any> =>
      stage.host.host.runner.run(stage.host.agent, action, input).result;
    await run('bind-to-window', { title: 'Notepad' });
    return { stage, run, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };
  };
  const POINTS: ReadonlyArray<readonly [action: string, input: object]> = [
    ['click', { x: 250, y: 100 }],
    ['move-mouse', { x: 250, y: 100 }],
    ['drag', { from: { x: 250, y: 100 }, to: { x: 250, y: 100 } }],
    ['scroll', { x: 250, y: 100, dx: 0, dy: 1 }],
    ['app-under-point', { x: 250, y: 100 }],
    ['virtual-mouse', { action: 'click', x: 250, y: 100 }],
    ['virtual-mouse', { action: 'drag', x: 250, y: 100, startX: 250, startY: 100 }],
    ['mouse-wheel', { x: 250, y: 100, delta: 1 }],
    ['activate-window', { clickX: 250, clickY: 100 }],
  ];

  test('every action with a point says the same default in its schema', () => {
    const withSpace = ACTIONS.filter((action) => 'space' in action.input.shape);
    expect(withSpace.map(({ name }) => name).sort()).toEqual([...POINTED].sort());
    for (const { name, input } of withSpace) {
      const schema = (toJsonSchema(input) as any).properties.space;
      expect(schema, name).toMatchObject({ default: 'image', description: expect.stringContaining('image') });
    }
  });

  test('[space.default] a point without a space is a pixel of the latest picture, whatever the action', async () => {
    await using scene = await bound();
    const {
      stage: { told },
      run,
    } = scene;
    await run('screenshot', {});
    for (const [action, input] of POINTS) await run(action, input);
    // half as large as the window at -2000, 0
    const at = { x: -1499, y: 201 };
    expect(told).toEqual([
      ['click', at, 'left', 1, []],
      ['move', at],
      ['drag', at, at],
      ['wheel', at, { vertical: -1, horizontal: 0 }],
      ['underPoint', at],
      ['click', at, 'left', 1, []],
      ['drag', at, at],
      ['wheel', at, { vertical: 1, horizontal: 0 }],
      ['activate', { x: at.x + 2000 - 8, y: at.y - 31 }],
    ]);
  });

  test('before anything was looked at, the error states what to do', async () => {
    await using scene = await bound();
    for (const [action, input] of [...POINTS, ['zoom', { regionLogical: { x: 0, y: 0, w: 9, h: 9 } }] as const]) {
      await expect(scene.run(action, input), action).rejects.toMatchObject({
        code: 'state_conflict',
        hint: expect.stringMatching(/screenshot or snapshot.*space/),
      });
    }
    expect(scene.stage.told).toEqual([]);
  });

  test('the outcome names the element under the point', async () => {
    await using scene = await bound();
    scene.stage.host.scene.under = element('e7', 'Shell', { controlType: 'ToolBar' });
    await scene.run('screenshot', {});
    for (const [action, input] of POINTS.filter(([name]) => name !== 'app-under-point')) {
      expect((await scene.run(action, input)).outcome.details, action).toMatchObject({
        target: { ref: 'e7', role: 'ToolBar', name: 'Shell' },
      });
    }
  });

  test('zoom takes its region in the pixels of the picture, and finds it on the screen where another thing is captured', async () => {
    await using scene = await bound();
    const {
      stage: { told },
      run,
    } = scene;
    const regionLogical = { x: 100, y: 50, w: 40, h: 20 };
    const { observationId } = (await run('screenshot', {})).value;
    await run('zoom', { regionLogical });
    await run('screenshot', { displayId: LEFT.displayId });
    await run('zoom', { regionLogical, observationId });
    await run('zoom', { regionLogical: { x: 273, y: 91, w: 91, h: 91 }, displayId: LEFT.displayId });
    await run('zoom', { regionLogical: { x: 364, y: 91, w: 91, h: 91 } });
    await run('unbind-from-window', {});
    await run('screenshot', { displayId: LEFT.displayId });
    await run('zoom', { regionLogical: { x: 273, y: 91, w: 91, h: 91 } });
    await expect(run('zoom', { regionLogical: { x: 1456, y: 0, w: 5, h: 5 } })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    const twice = { x: 200, y: 100, width: 80, height: 40 };
    const onLeft = { x: 480, y: 160, width: 160, height: 160 };
    expect(told.filter(([what]) => what === 'region')).toEqual([
      ['region', 'window', twice, 'capture'],
      ['region', 'window', twice, 'capture'],
      ['region', LEFT.displayId, onLeft, 'capture'],
      ['region', 'window', { ...onLeft, x: 640 + LEFT.originX, y: 160 + LEFT.originY }, 'screen'],
      ['region', LEFT.displayId, onLeft, 'capture'],
    ]);
  });

  test('the executor’s zoom is in unscaled pixels from the capture’s origin, whatever was looked at', async () => {
    await using scene = await bound();
    const {
      stage: { told, executor },
      run,
    } = scene;
    const regionLogical = { x: 100, y: 50, w: 40, h: 20 };
    await executor.zoom(regionLogical, []);
    await run('zoom', { regionLogical, space: 'capture' });
    await run('zoom', { regionLogical: { ...regionLogical, x: -1900 }, space: 'screen' });
    await run('zoom', { regionLogical, space: 'client' });
    const own = ['region', 'window', { x: 100, y: 50, width: 40, height: 20 }, 'capture'];
    expect(told).toEqual([
      own,
      own,
      ['region', 'window', { x: -1900, y: 50, width: 40, height: 20 }, 'screen'],
      ['region', 'window', { x: -1892, y: 81, width: 40, height: 20 }, 'screen'],
    ]);
  });

  test('wait-for answers its element’s place in the latest image; without an image, it makes one', async () => {
    await using scene = await bound();
    const { stage, run } = scene;
    const seen = element('e5', 'Save', { rect: { x: -1900, y: 50, width: 40, height: 20 } });
    const ports: Partial<ElementPort> = {
      geometry: async () => ({
        imageWidth: 500,
        imageHeight: 400,
        displayWidth: 1000,
        displayHeight: 800,
        originX: -2000,
        originY: 0,
      }),
      waitFor: async (_record, { condition }) => {
        if (condition === 'enabled')
          throw new UiaHostError('deadline_exceeded', 'It is not enabled.', {
            partialResult: { now: false, element: seen },
          });
        return { value: condition === 'goes' ? null : seen, outcome: looked() };
      },
    };
    Object.assign(stage.host.scene.desktop.element, ports);
    const rect = { x: 50, y: 25, width: 20, height: 10 };
    expect((await run('wait-for', { name: 'Save', condition: 'goes' })).value).toEqual({ met: true, element: null });
    const made = (await run('wait-for', { name: 'Save' })).value;
    expect(made).toMatchObject({
      met: true,
      element: { ref: 'e5', rect },
      observationId: expect.stringMatching(/^obs_/),
    });
    await run('click', { x: rect.x + 10, y: rect.y + 5, observationId: made.observationId });
    expect(stage.told).toEqual([['click', { x: -1879, y: 61 }, 'left', 1, []]]);
    const { observationId } = (await run('screenshot', { displayId: LEFT.displayId })).value;
    const again = { ref: 'e5', rect: { x: 375, y: 131, width: 23, height: 11 } };
    expect((await run('wait-for', { name: 'Save' })).value).toMatchObject({ observationId, element: again });
    await expect(run('wait-for', { name: 'Save', condition: 'enabled' })).rejects.toMatchObject({
      code: 'deadline_exceeded',
      partialResult: { now: false, element: again, observationId },
    });
  });
});

test('points in the latest picture mean the picture that was the latest when they were judged, even if another is taken meanwhile', async () => {
  await using stage = await open();
  const { host, told } = stage;
  const run = (action: string, input: object): Promise<unknown> =>
    host.host.runner.run(host.agent, action, input).result;
  await run('screenshot', { displayId: MAIN.displayId });
  host.afterGate = async ({ action }) => {
    if (action === 'click') await run('screenshot', { displayId: LEFT.displayId });
  };
  const click = { x: 728, y: 409.5, space: 'image', delivery: 'foreground' };
  await run('click', click);
  host.afterGate = null;
  await run('click', click);
  const clicked = told.filter(([what]) => what === 'click').map(([, at]) => at);
  expect(clicked).toEqual([
    { x: 960, y: 540 },
    { x: LEFT.originX + LEFT.width / 2, y: LEFT.originY + LEFT.height / 2 },
  ]);
});

describe('resolvePrepareCapture', () => {
  const capture = (stage: Stage, more: object = {}): ReturnType<Required<ComputerExecutor>['resolvePrepareCapture']> =>
    stage.executor.resolvePrepareCapture({ allowedBundleIds: [], autoResolve: true, ...more });

  test('the preferred display wins, whatever is bound', async () => {
    await using stage = await open();
    expect(await capture(stage, { preferredDisplayId: LEFT.displayId })).toMatchObject({
      displayId: LEFT.displayId,
      originX: -2560,
      originY: -180,
      displayWidth: 2560,
    });
    await stage.executor.bindToWindow({ title: 'Notepad' });
    expect(await capture(stage, { preferredDisplayId: MAIN.displayId })).toMatchObject({
      displayId: MAIN.displayId,
      originX: 0,
      displayWidth: 1920,
    });
    expect(stage.told).toEqual([
      ['capture', LEFT.displayId],
      ['capture', MAIN.displayId],
    ]);
    await expect(capture(stage, { preferredDisplayId: 99 })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('bound, the display with most of the window is answered, and the window is captured', async () => {
    await using stage = await open();
    await stage.executor.bindToWindow({ title: 'Notepad' });
    expect(await capture(stage)).toMatchObject({ displayId: LEFT.displayId, originX: -2000, displayWidth: 1000 });
    stage.windowRect = { x: -300, y: 0, width: 1000, height: 800 };
    expect(await capture(stage)).toMatchObject({ displayId: MAIN.displayId });
    expect(await capture(stage, { autoResolve: false })).toMatchObject({ displayId: MAIN.displayId });
  });

  test('unbound, the display with most windows of the allowed applications; without any, the primary display', async () => {
    await using stage = await open();
    const allowedBundleIds = [APP.bundleId, 'c:\\other.exe'];
    stage.counts = [
      { displayId: MAIN.displayId, windows: 1 },
      { displayId: LEFT.displayId, windows: 3 },
    ];
    expect(await capture(stage, { allowedBundleIds })).toMatchObject({ displayId: LEFT.displayId });
    expect(await capture(stage, { allowedBundleIds, autoResolve: false })).toMatchObject({ displayId: MAIN.displayId });
    stage.counts = [];
    expect(await capture(stage, { allowedBundleIds })).toMatchObject({ displayId: MAIN.displayId });
  });
});
