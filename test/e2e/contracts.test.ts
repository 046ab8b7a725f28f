/**
 * End to end: the four given contracts, used as their callers use them, on a host that runs: the 42 methods by
 * `client.executor()`, a session's whole life, every proposal, and the safety document's tools with what they keep.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Toolset, UiaHostClient, type ClientExecutor } from '../../src/client/index.ts';
import type { ComputerExecutor } from '../../src/contract/executor.ts';
import {
  createArtifactPipeline,
  createArtifactRegistry,
  createComputerTools,
  createEventBus,
  createEventStream,
  createExecutorController,
  createImageArtifactStore,
  createStreamEventBridge,
  runStreamingLoop,
  SECURITY_PRESETS,
  securityPolicy,
} from '../../src/index.ts';
import { controlId } from '../support/controls.ts';
import { fixture, windowsPath } from '../support/desktop.ts';
import type { Fixture } from '../support/fixture.ts';
import { Journal } from '../support/journal.ts';
import { endWindowsTree } from '../support/processes.ts';
import { Scene, type NotepadWindow } from '../support/scene.ts';
import { openStream } from '../support/stream.ts';
import { until } from '../support/until.ts';

let scene: Scene;
let client: UiaHostClient;
let controls: Fixture;
let notepad: NotepadWindow;
/** A window without children that records every message of the mouse. */
let plain: Fixture;
/** Approves every card while it is set, as a person who agrees. */
let agrees = true;
const cards: Array<{ readonly action: string; readonly proposerReason?: unknown }> = [];
const stopped = new AbortController();

beforeAll(async () => {
  scene = await Scene.open();
  controls = await scene.fixture('controls');
  await controls.journal.waitFor({ event: 'late_shown' });
  notepad = await scene.notepad();
  plain = await scene.fixture('sentinel', {
    args: ['--x', 40, '--y', 30, '--width', 400, '--height', 300, '--topmost'],
  });
  const { url, agentToken: token, operatorToken } = scene.host;
  client = new UiaHostClient({ url, token, operatorToken, session: 'caller' });
  await client.changePolicy({ flags: ['clipboardRead', 'clipboardWrite', 'displayCapture'] });
  void (async () => {
    for await (const card of client.approvals({ signal: stopped.signal })) {
      if (card.status !== 'pending') continue;
      cards.push(card);
      if (agrees) await client.decideApproval(card.approvalId, { decision: 'approve' }).catch(() => {});
    }
  })().catch(() => {});
});
afterAll(async () => {
  stopped.abort();
  await scene?.[Symbol.asyncDispose]();
});

const Rect = z.strictObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const Display = z.strictObject({
  displayId: z.number(),
  width: z.number().positive(),
  height: z.number().positive(),
  scaleFactor: z.number().positive(),
  originX: z.number(),
  originY: z.number(),
  label: z.string().optional(),
  isPrimary: z.boolean().optional(),
});
const Picture = z.strictObject({
  base64: z.base64(),
  width: z.number().positive(),
  height: z.number().positive(),
  displayWidth: z.number().positive(),
  displayHeight: z.number().positive(),
  originX: z.number(),
  originY: z.number(),
  displayId: z.number().optional(),
  accessibilityText: z.string().optional(),
});
const App = z.strictObject({ bundleId: z.string().min(1), displayName: z.string().min(1) });
const Bound = z.strictObject({ hwnd: z.string(), title: z.string(), pid: z.number() });
const Nothing = z.undefined();

const NOTEPAD_APP = String.raw`c:\windows\system32\notepad.exe`;
const inNotepad = (): Promise<string> => notepad.text();

/** A point of the plain window, in the interface's two spaces. */
const AT = { x: 200, y: 150 };
const onScreen = (): { x: number; y: number } => {
  const [left = 0, top = 0] = plain.ready['client'] as number[];
  return { x: left + AT.x, y: top + AT.y };
};

/** What a call did, as another program tells it. */
type Witness = () => Promise<unknown> | unknown;
interface Use {
  readonly call: string;
  readonly run: (executor: ClientExecutor) => Promise<unknown>;
  /** The answer: its shape in the interface, or the value itself. */
  readonly answer: z.ZodType | string | boolean | null | readonly unknown[];
  readonly witness?: Witness;
}
const use = (call: string, run: Use['run'], answer: Use['answer'], witness?: Witness): Use => ({
  call,
  run,
  answer,
  ...(witness === undefined ? {} : { witness }),
});
/** The plain window got this from the mouse, once or more. */
const mouseSays =
  (...wanted: readonly string[]): Witness =>
  async () => {
    const seen = (): string[] =>
      plain.journal.events({ event: 'mouse' }).map(({ kind, button }) => `${String(kind)} ${String(button)}`.trim());
    await until(seen, (said) => wanted.every((each) => said.includes(each)), 10_000);
  };
const notepadSays =
  (text: string): Witness =>
  () =>
    until(inNotepad, (shown) => shown === text, 10_000);
/** The plain window got one notch of a wheel, whichever way. */
const turned = (): Witness => async () => {
  const wheels = (): number[] => plain.journal.events({ event: 'wheel' }).map(({ delta }) => Number(delta));
  expect((await until(wheels, (turns) => turns.length > 0, 10_000)).map(Math.abs)).toEqual([120]);
};
const atPoint =
  (run: (executor: ClientExecutor, at: { x: number; y: number }) => Promise<unknown>): Use['run'] =>
  (executor) => {
    plain.journal.mark();
    return run(executor, onScreen());
  };

/** Every method with its arguments, in the order of a caller's work. */
const UNBOUND: readonly Use[] = [
  use(
    'capabilities',
    async (x) => {
      await x.ready();
      return x.capabilities;
    },
    z.strictObject({
      screenshotFiltering: z.enum(['native', 'none']),
      platform: z.literal('win32'),
      hostBundleId: z.string().min(1),
    }),
  ),
  use('bindToWindow of no window', (x) => x.bindToWindow({ title: 'no window has this title' }), null),
  use('hasBoundWindow, unbound', (x) => x.hasBoundWindow(), false),
  use('getBindingStatus, unbound', (x) => x.getBindingStatus(), z.strictObject({ bound: z.literal(false) })),
  use('getWindowRect, unbound', (x) => x.getWindowRect(), null),
  use('clickElement, unbound', (x) => x.clickElement({ name: 'Push me' }), false),
  use('virtualKeyboard, unbound', (x) => x.virtualKeyboard({ action: 'type', text: 'x' }), false),
  use(
    'statusIndicator, unbound',
    (x) => x.statusIndicator('show', 'busy'),
    z.strictObject({ active: z.literal(false) }),
  ),
  use('listDisplays', (x) => x.listDisplays(), z.array(Display).min(1)),
  use('getDisplaySize', (x) => x.getDisplaySize(), Display),
  use('getDisplaySize of one', async (x) => x.getDisplaySize((await x.listDisplays())[0]!.displayId), Display),
  use(
    'listVisibleWindows',
    (x) => x.listVisibleWindows(),
    z.array(z.strictObject({ hwnd: z.string(), pid: z.number(), title: z.string() })).min(2),
  ),
  use(
    'findWindowDisplays',
    (x) => x.findWindowDisplays([NOTEPAD_APP]),
    z.array(z.strictObject({ bundleId: z.literal(NOTEPAD_APP), displayIds: z.array(z.number()).min(1) })),
  ),
  use('prepareForAction', async (x) => x.prepareForAction([NOTEPAD_APP], (await x.getDisplaySize()).displayId), []),
  use('previewHideSet', async (x) => x.previewHideSet([NOTEPAD_APP], (await x.getDisplaySize()).displayId), []),
  use('screenshot of nothing allowed', (x) => x.screenshot({ allowedBundleIds: [] }), Picture),
  use(
    'screenshot of a display',
    async (x) => x.screenshot({ allowedBundleIds: [NOTEPAD_APP], displayId: (await x.getDisplaySize()).displayId }),
    Picture.required({ displayId: true }),
  ),
  use(
    'zoom',
    async (x) => x.zoom({ x: 0, y: 0, w: 40, h: 30 }, [NOTEPAD_APP], (await x.getDisplaySize()).displayId),
    z.strictObject({ base64: z.base64(), width: z.literal(40), height: z.literal(30) }),
  ),
  use(
    'resolvePrepareCapture',
    async (x) =>
      x.resolvePrepareCapture({
        allowedBundleIds: [NOTEPAD_APP],
        preferredDisplayId: (await x.getDisplaySize()).displayId,
        autoResolve: true,
        doHide: true,
      }),
    Picture.extend({ hidden: z.tuple([]), displayId: z.number(), captureError: z.string().optional() }),
  ),
  use('listRunningApps', (x) => x.listRunningApps(), z.array(App.extend({ pid: z.number().optional() })).min(1)),
  use(
    'listInstalledApps',
    (x) => x.listInstalledApps(),
    z.array(App.extend({ path: z.string(), iconDataUrl: z.string().startsWith('data:image/png;base64,').optional() })),
  ),
  use(
    'getAppIcon',
    (x) => x.getAppIcon(String.raw`C:\windows\notepad.exe`),
    z.string().startsWith('data:image/png;base64,'),
  ),
  use('getAppIcon of no file', (x) => x.getAppIcon(String.raw`C:\no\such.exe`), Nothing),
  use('getFrontmostApp', (x) => x.getFrontmostApp(), App.nullable()),
  use('getCursorPosition', (x) => x.getCursorPosition(), z.strictObject({ x: z.number(), y: z.number() })),
  use('writeClipboard', (x) => x.writeClipboard('  kept as it is \t'), Nothing),
  use('readClipboard', (x) => x.readClipboard(), '  kept as it is \t'),
];

const IN_NOTEPAD: readonly Use[] = [
  use('bindToWindow by pid', (x) => x.bindToWindow({ hwnd: '', title: '', pid: notepad.pid }), Bound),
  use('bindToWindow by hwnd', (x) => x.bindToWindow({ hwnd: notepad.hwnd }), Bound),
  use('hasBoundWindow', (x) => x.hasBoundWindow(), true),
  use('getBindingStatus', (x) => x.getBindingStatus(), Bound.extend({ bound: z.literal(true), rect: Rect })),
  use('type', (x) => x.type('typed ', { viaClipboard: false }), Nothing, notepadSays('typed ')),
  use('type by the clipboard', (x) => x.type('pasted', { viaClipboard: true }), Nothing, notepadSays('typed pasted')),
  use('key, three times', (x) => x.key('backspace', 3), Nothing, notepadSays('typed pas')),
  use('key, 0 times is once', (x) => x.key('backspace', 0), Nothing, notepadSays('typed pa')),
  use('holdKey', (x) => x.holdKey(['shift'], 50), Nothing),
  use(
    'virtualKeyboard combo',
    (x) => x.virtualKeyboard({ action: 'combo', text: 'ctrl+a', duration: 0, repeat: 0 }),
    true,
    async () => expect(await scene.witness.selection(notepad.hwnd, 'Edit')).toEqual({ from: 0, to: 8 }),
  ),
  use(
    'virtualKeyboard type',
    (x) => x.virtualKeyboard({ action: 'type', text: 'Grüße ’狐’', repeat: 2 }),
    true,
    notepadSays('Grüße ’狐’Grüße ’狐’'),
  ),
  use('virtualKeyboard hold', (x) => x.virtualKeyboard({ action: 'hold', text: 'shift', duration: 50 }), true),
  use('virtualKeyboard press', (x) => x.virtualKeyboard({ action: 'press', text: 'shift' }), true),
  use('virtualKeyboard release', (x) => x.virtualKeyboard({ action: 'release', text: 'shift' }), true),
  use(
    'statusIndicator show',
    (x) => x.statusIndicator('show', 'at work'),
    z.strictObject({ active: z.literal(true), message: z.literal('at work') }),
  ),
  use(
    'statusIndicator status',
    (x) => x.statusIndicator('status'),
    z.strictObject({ active: z.literal(true), message: z.literal('at work') }),
  ),
  use(
    'statusIndicator hide',
    (x) => x.statusIndicator('hide', 'dropped'),
    z.strictObject({ active: z.literal(false) }),
  ),
  use(
    'manageWindow with a place',
    (x) => x.manageWindow('move_resize', { x: 30, y: 40, width: 500, height: 300 }),
    true,
  ),
  use(
    'getWindowRect',
    (x) => x.getWindowRect(),
    z.strictObject({ x: z.literal(30), y: z.literal(40), width: z.literal(500), height: z.literal(300) }),
  ),
  use(
    'manageWindow with a size alone',
    (x) => x.manageWindow('move_resize', { width: 520, height: 310 }),
    true,
    async () => expect(await scene.witness.windows()).toContainEqual(expect.objectContaining({ hwnd: notepad.hwnd })),
  ),
  use(
    'screenshot of the bound window',
    (x) => x.screenshot({ allowedBundleIds: [NOTEPAD_APP] }),
    Picture.required({ accessibilityText: true }),
  ),
  use('manageWindow of an unknown action', (x) => x.manageWindow('dance'), false),
];

const IN_CONTROLS: readonly Use[] = [
  use('bindToWindow by title', (x) => x.bindToWindow({ hwnd: '', title: controls.title, pid: 0 }), Bound),
  use(
    'clickElement by name and role',
    (x) => x.clickElement({ name: 'Push me', role: 'button', automationId: '' }),
    true,
    () => controls.journal.waitFor({ event: 'command', codeName: 'BN_CLICKED' }),
  ),
  use(
    'clickElement by automationId',
    (x) => x.clickElement({ name: '', role: '', automationId: String(controlId('CHECK')) }),
    true,
  ),
  use('clickElement of nothing', (x) => x.clickElement({ name: 'no element has this name' }), false),
  use(
    'typeIntoElement',
    (x) => x.typeIntoElement({ name: 'Full name', role: 'textbox' }, 'Lin'),
    true,
    async () => expect((await controls.dump()).get(controlId('EDIT_NAME'))).toMatchObject({ text: 'Lin' }),
  ),
];

const WITH_THE_MOUSE: readonly Use[] = [
  use('bindToWindow', (x) => x.bindToWindow({ hwnd: plain.hwnd }), Bound),
  use(
    'activateWindow',
    (x) => x.activateWindow(),
    true,
    async () => expect((await scene.witness.where()).foreground).toBe(plain.hwnd),
  ),
  use(
    'activateWindow with a click',
    atPoint((x) => x.activateWindow(AT.x, AT.y)),
    true,
    mouseSays('down left'),
  ),
  use(
    'appUnderPoint',
    atPoint((x, at) => x.appUnderPoint(at.x, at.y)),
    App,
  ),
  use('getFrontmostApp', (x) => x.getFrontmostApp(), App),
  ...(['left', 'right', 'middle'] as const).map((button) =>
    use(
      `click ${button}`,
      atPoint((x, at) => x.click(at.x, at.y, button, 1)),
      Nothing,
      mouseSays(`down ${button}`, `up ${button}`),
    ),
  ),
  ...([2, 3] as const).map((count) =>
    use(
      `click, ${count} times, with Ctrl`,
      atPoint((x, at) => x.click(at.x, at.y, 'left', count, ['ctrl', ''])),
      Nothing,
      mouseSays('down left'),
    ),
  ),
  use(
    'moveMouse',
    atPoint((x, at) => x.moveMouse(at.x, at.y)),
    Nothing,
    mouseSays('move none'),
  ),
  use(
    'mouseDown',
    atPoint((x) => x.mouseDown()),
    Nothing,
    mouseSays('down left'),
  ),
  use(
    'mouseUp',
    atPoint((x) => x.mouseUp()),
    Nothing,
    mouseSays('up left'),
  ),
  use(
    'drag',
    atPoint((x, from) => x.drag(from, { x: from.x + 40, y: from.y })),
    Nothing,
    mouseSays('down left', 'up left'),
  ),
  use(
    'drag from where it is',
    atPoint((x, to) => x.drag(undefined, to)),
    Nothing,
    mouseSays('down left', 'up left'),
  ),
  ...(
    [
      ['click', 'down left', 'up left'],
      ['double_click', 'down left'],
      ['right_click', 'down right', 'up right'],
      ['move', 'move none'],
      ['down', 'down left'],
      ['up', 'up left'],
    ] as const
  ).map(([action, ...said]) =>
    use(
      `virtualMouse ${action}`,
      atPoint((x) => x.virtualMouse({ action, ...AT, startX: 0, startY: 0 })),
      true,
      mouseSays(...said),
    ),
  ),
  use(
    'virtualMouse drag',
    atPoint((x) => x.virtualMouse({ action: 'drag', x: AT.x + 40, y: AT.y, startX: AT.x, startY: AT.y })),
    true,
    mouseSays('down left', 'up left'),
  ),
  // One notch, by its number and in the unit of Windows.
  ...[1, 120].flatMap((amount) => [
    use(
      `scroll down by ${amount}`,
      atPoint((x, at) => x.scroll(at.x, at.y, 0, amount)),
      Nothing,
      turned(),
    ),
    use(
      `scroll to the side by ${amount}`,
      atPoint((x, at) => x.scroll(at.x, at.y, amount, 0)),
      Nothing,
      turned(),
    ),
    use(
      `mouseWheel by ${amount}`,
      atPoint((x) => x.mouseWheel(AT.x, AT.y, amount)),
      true,
      turned(),
    ),
    use(
      `mouseWheel, horizontal, by ${amount}`,
      atPoint((x) => x.mouseWheel(AT.x, AT.y, amount, true)),
      true,
      turned(),
    ),
  ]),
];

const AT_LAST: readonly Use[] = [
  use('unbindFromWindow', (x) => x.unbindFromWindow(), Nothing),
  use('hasBoundWindow after it', (x) => x.hasBoundWindow(), false),
  use(
    'openApp',
    (x) => x.openApp(NOTEPAD_APP),
    Nothing,
    async () => {
      const { pid } = await scene.window(({ hwnd, className }) => className === 'Notepad' && hwnd !== notepad.hwnd);
      await endWindowsTree(pid);
    },
  ),
  use(
    'openTerminal of an agent that is not installed',
    (x) => x.openTerminal({ agent: 'claude', terminal: 'cmd', command: '', workingDirectory: '' }),
    null,
  ),
  use(
    'openTerminal in Windows Terminal, which is not here',
    (x) => x.openTerminal({ agent: 'codex', terminal: 'wt' }),
    null,
  ),
  use('openTerminal in PowerShell', (x) => x.openTerminal({ agent: 'gemini', terminal: 'powershell' }), null),
];

describe('[method.capabilities] [executor.types] [executor.lenient] [executor.failures-null] [executor.wheel-delta] [display.geometry] [display.stable-id] [capture.display-id] [manage.move-needs] [indicator.message] [terminal.custom] [terminal.arguments] [terminal.directory] [client.executor] the 42 methods over a running host', () => {
  let executor: ClientExecutor;
  const ran: string[] = [];
  beforeAll(() => {
    executor = client.executor({ onResult: ({ method }) => ran.push(method) });
  });

  it.each([...UNBOUND, ...IN_NOTEPAD, ...IN_CONTROLS, ...WITH_THE_MOUSE, ...AT_LAST])(
    '$call',
    { timeout: 60_000 },
    async (used) => {
      // What a caller of the interface holds, whatever made it.
      const caller: ComputerExecutor = executor;
      expect(caller).toBe(executor);
      const answer = await used.run(executor).catch((error: unknown) => {
        throw new Error(`it rejected: ${JSON.stringify(executor.lastResult?.problem ?? String(error))}`);
      });
      const cause = `${JSON.stringify(answer)} ${JSON.stringify(executor.lastResult?.problem)}`;
      if (used.answer instanceof z.ZodType) expect(used.answer.safeParse(answer).error, cause).toBeUndefined();
      else expect(answer, cause).toEqual(used.answer);
      await used.witness?.();
    },
  );

  it('answers a console program by each kind of answer', { timeout: 120_000 }, async () => {
    const folder = scene.folder();
    const command = `"${windowsPath(fixture('prompt.exe'))}" --journal here.jsonl yes-no yes-no text menu`;
    const opened = await executor.openTerminal({
      agent: 'custom',
      terminal: 'cmd',
      command,
      workingDirectory: windowsPath(folder),
    });
    expect(opened, JSON.stringify(executor.lastResult?.problem)).toEqual({
      hwnd: expect.any(String),
      title: expect.any(String),
      launched: true,
    });
    // Its journal is where it was started, and has the steps that its arguments name.
    await new Journal(join(folder, 'here.jsonl')).waitFor({ event: 'asked', step: 'yes-no' }, 20_000);
    const pid = Number((executor.lastResult?.outcome as any)?.details?.pid);
    try {
      await executor.bindToWindow({ hwnd: opened!.hwnd });
      const screen = async (): Promise<string> => String(((await client.actions.readTerminal()).value as any).screen);
      const asks = (text: string, times = 1): Promise<string> =>
        until(screen, (shown) => shown.split(text).length > times, 20_000);
      const answers = async (given: Parameters<ClientExecutor['respondToPrompt']>[0]): Promise<void> =>
        expect([await executor.respondToPrompt(given), executor.lastResult?.problem?.code]).toEqual([true, undefined]);
      await asks('Proceed? (y/n)');
      await answers({ responseType: 'yes', arrowDirection: 'down', arrowCount: 0, text: '' });
      await asks('Proceed? (y/n)', 2);
      await answers({ responseType: 'no', text: '' });
      await asks('Your name:');
      await answers({ responseType: 'type', text: 'Ada', arrowCount: 0 });
      await asks('Gamma');
      await answers({ responseType: 'select', arrowDirection: 'down', arrowCount: 1, text: '' });
    } finally {
      if (pid > 0) await endWindowsTree(pid).catch(() => {});
    }
  });

  it('[pointer.unsupported-modifier] refuses a click with the Windows key', async () => {
    await executor.bindToWindow({ hwnd: plain.hwnd });
    const { x, y } = onScreen();
    await expect(executor.click(x, y, 'left', 1, ['win'])).rejects.toMatchObject({ code: expect.any(String) });
  });

  it('were each called', () => {
    expect(new Set(ran)).toEqual(new Set(Object.keys(executor).filter((name) => name !== 'capabilities')));
  });
});

const schema = (path: string): object =>
  JSON.parse(readFileSync(new URL(`../../schemas/${path}`, import.meta.url), 'utf8')) as object;
const ajv = new Ajv({ strict: false, allErrors: true });
(addFormats as unknown as (instance: Ajv) => void)(ajv);
ajv.addSchema(schema('governance.schema.json'));
ajv.addSchema(schema('seeds/computer-use.schema.json'));
const ID = 'https://github.com/andrewhuot/headless-chat-sdk/schemas/computer-use.schema.json';
const isA = (definition: string) => (value: unknown) => {
  const valid = ajv.getSchema(`${ID}#/definitions/${definition}`)!;
  expect(valid(value), `${JSON.stringify(value)} ${JSON.stringify(valid.errors)}`).toBe(true);
};
const isEvent = isA('ComputerUseStreamEvent');
const isOutput = isA('ComputerUseOutput');
const isInput = isA('ComputerUseInput');
const NOTEPAD_URL = `app:${encodeURIComponent(NOTEPAD_APP)}`;

describe('[stream.started-first] [stream.action-first] [stream.screenshot] [stream.approval-required] [stream.approval-resolved] [stream.every-card] [stream.approval-url] [stream.error] [stream.ended-once] [session.hints] [session.duration] [gate.maxActions] [policy.limits] [urls.entries] [http.sessions.view] [schemas.governance] the protocol', () => {
  const start = async (more: object = {}) => {
    const input = { goal: 'write a note', urls: [NOTEPAD_URL], ...more };
    isInput(input);
    const started = await client.startSession(input);
    const session = started.computerUseSessionId;
    const stream = openStream(new URL(started.streamUrl, scene.host.url), scene.host.agentToken);
    const executor = client.executor({ session });
    const view = () => client.getSession(session);
    return { session, stream, executor, view };
  };
  type Session = Awaited<ReturnType<typeof start>>;
  /** What its stream said, each event valid, the last one the end. */
  const told = async ({ stream }: Session) => {
    const events = (await stream.ended()).map(({ data }) => data);
    for (const event of events) isEvent(event);
    expect(events.filter(({ type }) => type === 'session.ended')).toEqual([events.at(-1)]);
    expect(events[0].type).toBe('session.started');
    return events;
  };
  beforeAll(() => client.changePolicy({ level: 'control' }));
  afterEach(() => {
    agrees = true;
  });
  afterAll(() => client.changePolicy({ level: 'full' }));

  it('streams every kind of event of a session whose hints permit nothing, with its program, and has its enumerations', async () => {
    const at = cards.length;
    const session = await start({ hints: { level: 'full', alwaysAsk: [], approved: true } });
    const { executor } = session;
    expect(await session.view()).toMatchObject({ status: 'running' });
    await executor.bindToWindow({ hwnd: notepad.hwnd });
    await executor.screenshot({ allowedBundleIds: [NOTEPAD_APP] });
    expect(await executor.virtualKeyboard({ action: 'type', text: 'noted' })).toBe(true);
    expect(cards.slice(at).map(({ action }) => action)).toEqual(['virtualKeyboard']);
    agrees = false;
    const refused = executor.virtualKeyboard({ action: 'type', text: 'never' });
    const { data } = await session.stream.waitFor('approval_required', 2);
    const deny = {
      action: 'decision',
      computerUseSessionId: session.session,
      actionId: data.actionId,
      decision: 'deny',
    } as const;
    isA('ComputerUseControlRequest')(deny);
    await client.controlSession(session.session, deny);
    expect([await refused, executor.lastResult?.problem?.code]).toEqual([false, 'approval_denied']);
    await client.completeSession(session.session, { summary: 'noted' });
    const events = await told(session);
    expect(new Set(events.map(({ type }) => type)).size).toBe(7);
    for (const { url } of events.filter(({ type }) => type === 'approval_required'))
      expect(decodeURIComponent(url)).toContain(NOTEPAD_APP);
    const { definitions } = (await client.contractSchema('governance.schema.json')) as any;
    for (const { actionType, riskLevel } of events.filter(({ type }) => type === 'action'))
      expect([
        definitions.ComputerUseActionType.enum.includes(actionType),
        definitions.ComputerUseActionRiskLevel.enum.includes(riskLevel),
      ]).toEqual([true, true]);
    isOutput(await session.view());
  });

  it('ends a session at its time, at its number of actions, and at the policy’s', async () => {
    const brief = await start({ maxDurationMs: 1000 });
    expect((await told(brief)).at(-1)).toMatchObject({ status: 'duration_exceeded' });
    isOutput(await brief.view());
    for (const [maxActions, ofPolicy] of [
      [1, null],
      [100, 1],
    ] as const) {
      await client.changePolicy({ limits: { maxActions: ofPolicy } });
      const few = await start({ maxActions });
      await few.executor.bindToWindow({ hwnd: notepad.hwnd });
      expect(await few.executor.virtualKeyboard({ action: 'combo', text: 'end' })).toBe(true);
      expect([
        await few.executor.virtualKeyboard({ action: 'combo', text: 'end' }),
        few.executor.lastResult?.problem?.code,
      ]).toEqual([false, 'action_limit_exceeded']);
      expect((await told(few)).at(-1)).toMatchObject({ status: 'action_limit_exceeded' });
      isOutput(await few.view());
    }
    await client.changePolicy({ limits: { maxActions: null } });
  });

  it('takes pages and programs as addresses, and no other scheme', async () => {
    const taken = await start({ urls: ['https://example.com/form', 'app:notepad.exe', NOTEPAD_URL] });
    const abort = { action: 'abort', computerUseSessionId: taken.session, reason: 'only looked' } as const;
    isA('ComputerUseControlRequest')(abort);
    await client.controlSession(taken.session, abort);
    expect((await told(taken)).at(-1)).toMatchObject({ status: 'aborted', summary: 'only looked' });
    isOutput(await taken.view());
    for (const url of ['ftp://example.com/', 'file:///c:/x', 'https://me:secret@example.com/'])
      await expect(client.startSession({ goal: 'look', urls: [url] }), url).rejects.toMatchObject({
        code: 'invalid_argument',
      });
  });

  it('[tool.computer-use.wait] is one call of the tool computer_use, which ends with the protocol’s output', async () => {
    const known = new Set(
      (await client.listSessions()).sessions.map(({ computerUseSessionId }) => computerUseSessionId),
    );
    const waiting = client.callTool('computer_use', { goal: 'one call', urls: [NOTEPAD_URL], wait: true });
    const [mine] = await until(
      async () =>
        (await client.listSessions()).sessions.filter(({ computerUseSessionId }) => !known.has(computerUseSessionId)),
      (found) => found.length > 0,
    );
    await client.completeSession(mine!.computerUseSessionId, { summary: 'done in one' });
    const { content, isError } = await waiting;
    const output = JSON.parse((content[0] as { text: string }).text) as object;
    expect([isError, output]).toEqual([
      false,
      expect.objectContaining({ status: 'completed', summary: 'done in one' }),
    ]);
    isOutput(output);
  });
});

describe('[proposal.mapping-click] [proposal.keys-target] [proposal.mapping-scroll] [proposal.wait] [query.role-button] [proposal.text-refused] [card.reason] [risk.claims] [proposal.tags] [proposal.advisory] the tool request_ui_action', () => {
  type Proposal = Parameters<UiaHostClient['proposeAction']>[1];
  let session: string;
  const propose = (
    action_type: Proposal['action_type'],
    target: Partial<Proposal['target']> = {},
    more: Partial<Proposal> = {},
  ) =>
    client.proposeAction(session, {
      action_type,
      target: { role: 'button', name: '', test_id: '', ...target },
      text: '',
      reason: 'because the task says so',
      risk_tags: [],
      requires_approval: false,
      ...more,
    });
  const state = async (key: string): Promise<any> => (await controls.dump()).get(controlId(key));
  const rename = (text: string): Promise<void> => controls.tell(`text ${controlId('PUSH')} ${text}`);

  beforeAll(async () => {
    const { app } = (await client.actions.listVisibleWindows()).value.find(({ hwnd }) => hwnd === controls.hwnd)!;
    session = (
      await client.startSession({
        goal: 'fill the form',
        urls: [`app:${encodeURIComponent(String(app))}`],
        maxActions: 100,
      })
    ).computerUseSessionId;
    await client.executor({ session }).bindToWindow({ hwnd: controls.hwnd });
  });
  afterAll(() => client.controlSession(session, { action: 'abort', computerUseSessionId: session }));

  it('does each kind of action at its target, once', async () => {
    await rename('Save draft');
    controls.journal.mark();
    expect(await propose('click', { name: 'Save draft' })).toMatchObject({
      decision: 'execute',
      result: { value: true },
    });
    expect(controls.journal.events({ event: 'command', codeName: 'BN_CLICKED' })).toHaveLength(1);
    const was = (await state('CHECK')).check;
    expect(await propose('click', { name: 'Check me' })).toMatchObject({
      decision: 'execute',
      result: { value: true },
    });
    expect((await state('CHECK')).check).toBe(1 - was);
    const field = { role: 'textbox', test_id: String(controlId('MULTILINE')) } as const;
    expect(await propose('type', { role: 'textbox', name: 'Notes' }, { text: 'x' })).toMatchObject({
      decision: 'execute',
    });
    expect((await state('MULTILINE')).text).toContain('second linex');
    await propose('click', { role: 'textbox', name: 'Full name' });
    expect(await propose('keypress', field, { text: 'ctrl+a' })).toMatchObject({
      decision: 'execute',
      result: { value: true },
    });
    expect(await propose('scroll', { name: '' })).toMatchObject({ decision: expect.stringMatching(/execute|review/) });
    expect(await propose('scroll', { role: 'textbox', test_id: String(controlId('LIST_REPORT')) })).toBeDefined();
    expect(await propose('wait', { role: 'status' })).toMatchObject({ decision: 'execute' });
    for (const action of ['click', 'scroll', 'wait'] as const)
      await expect(propose(action, { name: 'Save draft' }, { text: 'x' })).rejects.toMatchObject({
        code: 'invalid_argument',
      });
  });

  it('raises the risk by each claim, and by what the window shows, whatever is claimed', async () => {
    const tags = [
      'authenticated',
      'destructive',
      'external_submit',
      'financial',
      'pii_export',
      'terms_or_cookies',
    ] as const;
    for (const tag of tags) {
      const at = cards.length;
      const answer = await propose('click', { name: 'Save draft' }, { risk_tags: [tag] });
      expect(answer.riskTags).toContain(tag);
      if (answer.decision === 'approve')
        expect(cards[at]).toMatchObject({ proposerReason: 'because the task says so' });
    }
    await rename('Pay invoice');
    const at = cards.length;
    const paid = await propose('click', { name: 'Pay invoice' });
    expect(paid).toMatchObject({ decision: 'approve', riskLevel: 'critical', result: { value: true } });
    expect(paid.riskTags).toContain('financial');
    expect(cards.slice(at).map(({ proposerReason }) => proposerReason)).toEqual(['because the task says so']);
  });

  it('[client.openai-strict] is offered with the given parameters and strict, to a model of OpenAI', async () => {
    const { strict, parameters, name } = schema('seeds/request-ui-action.tool.json') as Record<string, unknown>;
    const [offered] = (await Toolset.open(client, { names: ['request_ui_action'] })).openai();
    expect(offered!.tool).toMatchObject({ type: 'function', name, strict });
    expect(JSON.stringify(offered!.tool.parameters)).toBe(JSON.stringify(parameters));
  });
});

describe('[computer.tools] [computer.image] [mcp.computer] [http.tools.screenshot] [risk.pointer] [level.presets] [streaming.loop] [streaming.persisted] [exports.bridge] [artifact.record] [artifact.size] [artifact.strict] [spool.large-outputs] [spool.images] [safety.artifacts] the safety document', () => {
  const folder = (): string => scene.folder();
  const IMAGE = { type: 'image', data: expect.any(String), mimeType: 'image/png' };
  const session = 'tools';
  beforeAll(() => client.executor({ session }).bindToWindow({ hwnd: notepad.hwnd }));

  it('its tools drive the host under their own permission, keep their pictures, and stream to the bus', async () => {
    const stream = createEventStream();
    const bus = createEventBus();
    const bridge = createStreamEventBridge({ stream, bus });
    const pipeline = createArtifactPipeline({ registry: createArtifactRegistry() });
    const emitted: string[] = [];
    pipeline.subscribe(({ kind }) => void emitted.push(kind));
    const root = folder();
    const imageStore = createImageArtifactStore({ pipeline, root });
    const controller = createExecutorController(client.executor({ session }));
    const confirmed: unknown[] = [];
    const tools = createComputerTools(controller, SECURITY_PRESETS.balanced, {
      imageStore,
      stream,
      confirm: async (asked) => {
        confirmed.push(asked);
        return true;
      },
    });
    const call = (name: string, input: object) => tools.find((tool) => tool.name === `computer:${name}`)!.call(input);
    expect(await call('screenshot', {})).toEqual({ content: [IMAGE], isError: false });
    await client.executor({ session }).typeIntoElement({ role: 'textbox' }, '');
    for (const [name, input] of [
      ['pointer_move', { x: 60, y: 60 }],
      ['click', { x: 60, y: 60 }],
      ['type', { text: 'by a tool' }],
      ['keypress', { key: 'Backspace', repeat: 5 }],
    ] as const)
      expect(await call(name, input), name).toMatchObject({ isError: false });
    await notepadSays('by a')();
    expect(confirmed).toEqual(
      ['pointer_move', 'click', 'type', 'keypress'].map((name) =>
        expect.objectContaining({
          tool: `computer:${name}`,
          riskLevel: 'high',
          riskTags: ['computer:input'],
          reason: expect.any(String),
        }),
      ),
    );
    for (const computer of [SECURITY_PRESETS.safe, securityPolicy().withComputerPermission('disabled').build()])
      for (const tool of createComputerTools(controller, computer))
        expect(await tool.call({ x: 1, y: 1 })).toMatchObject({ isError: true });
    await bridge.settled();
    const kinds = (await bus.replay()).events.map(({ event }) => event.type);
    expect(new Set(kinds)).toEqual(new Set(['tool.start', 'tool.progress', 'tool.end']));
    expect(emitted).toEqual(['ImageArtifact']);
    const failing = createArtifactPipeline({ registry: createArtifactRegistry() });
    failing.subscribe(() => {
      throw new Error('a listener fails');
    });
    const [screenshot] = createComputerTools(controller, SECURITY_PRESETS.power, {
      imageStore: createImageArtifactStore({ pipeline: failing, root: folder() }),
    });
    expect(await screenshot!.call({})).toEqual({ content: [IMAGE], isError: false });
    expect(failing.quarantine).toHaveLength(1);
    expect(readdirSync(root, { recursive: true }).length).toBeGreaterThan(0);
  });

  it('its loop runs tools on the host while the model continues', async () => {
    const order: string[] = [];
    const stream = createEventStream();
    const bus = createEventBus();
    const bridge = createStreamEventBridge({ stream, bus });
    const tools = createComputerTools(createExecutorController(client.executor({ session })), SECURITY_PRESETS.power, {
      stream,
    });
    const taken = Promise.withResolvers<void>();
    const watched = tools.map((tool) => ({
      ...tool,
      inputSchema: tool.inputSchema,
      async call(input: unknown) {
        const answer = await tool.call(input);
        order.push(tool.name);
        taken.resolve();
        return answer;
      },
    }));
    const end = await runStreamingLoop({
      tools: watched,
      stream,
      model: async function* (answers) {
        if (answers.length > 0) {
          yield { type: 'text', text: 'Done.' };
          return;
        }
        yield { type: 'tool_call', callId: 'one', name: 'computer:screenshot', input: {} };
        await taken.promise;
        order.push('the model goes on');
        yield { type: 'text', text: 'I see it.' };
      },
    });
    await bridge.settled();
    expect(order).toEqual(['computer:screenshot', 'the model goes on']);
    expect(end).toMatchObject({ calls: 1 });
    expect((await bus.replay()).events.length).toBeGreaterThan(3);
  });

  it('over HTTP its pictures are artifacts, and what is large is cut, kept whole and refers to them', async () => {
    expect(await client.callTool('computer:screenshot', {}, { session })).toEqual({ content: [IMAGE], isError: false });
    const shot = (await client.actions.screenshot({}, { session })).value as {
      base64: string;
      width: number;
      height: number;
    };
    const bytes = Buffer.from(shot.base64, 'base64');
    const hash = createHash('sha256').update(bytes).digest('hex');
    expect(await client.getArtifact(hash)).toMatchObject({
      uri: `artifact://${hash}`,
      mimeType: 'image/png',
      byteSize: bytes.length,
      contentHash: hash,
      width: shot.width,
      height: shot.height,
      sourceTool: 'screenshot',
    });
    expect(Buffer.from(await client.getArtifactContent(hash)).equals(bytes)).toBe(true);
    expect(existsSync(join(scene.host.dataDir, '.agent-runtime/spool/images'))).toBe(true);
    await using many = await scene.fixture('controls', { args: ['--many', 1500] });
    await client.executor({ session }).bindToWindow({ hwnd: many.hwnd });
    const look = { action: 'snapshot', input: { maxTokens: 40_000, maxElements: 2000 } };
    const { content, isError } = await client.callTool(
      'batch',
      { steps: [{ action: 'screenshot', input: {} }, look] },
      { session },
    );
    expect(isError, JSON.stringify(content).slice(0, 300)).toBe(false);
    expect(content.map(({ type }) => type)).toContain('resource');
    const texts = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(Buffer.byteLength(texts)).toBeLessThan(70_000);
    const [, spoolId = ''] = /spool:\/\/(out_[0-9a-f]{32})/.exec(texts) ?? [];
    const whole = await client.getSpooledOutput(spoolId);
    expect(JSON.stringify(whole).length).toBeGreaterThan(65_536);
    await client.executor({ session }).bindToWindow({ hwnd: notepad.hwnd });
  });

  it('its store takes a real picture in each of the three types up to its limit', async () => {
    const { base64 } = await client.executor({ session }).screenshot({ allowedBundleIds: [NOTEPAD_APP] });
    const quarantined: string[] = [];
    const pipeline = createArtifactPipeline({ registry: createArtifactRegistry() });
    const imageStore = createImageArtifactStore({
      pipeline,
      root: folder(),
      onQuarantine: ({ reason }) => quarantined.push(reason),
    });
    const picture = sharp(Buffer.from(base64, 'base64'));
    for (const type of ['png', 'jpeg', 'webp'] as const) {
      const data = await picture.clone().toFormat(type).toBuffer();
      const mimeType = `image/${type}` as const;
      expect(await imageStore.put({ data, mimeType, sourceTool: 'computer:screenshot' })).toMatchObject({
        status: 'kept',
        artifact: {
          mimeType,
          byteSize: data.length,
          contentHash: createHash('sha256').update(data).digest('hex'),
          sourceTool: 'computer:screenshot',
        },
      });
    }
    await imageStore.put({ data: Buffer.alloc(5 * 1024 * 1024 + 1), mimeType: 'image/png' });
    expect(quarantined).toEqual(['too_large']);
  });

  it('its presets set the level, and MCP has its tools under their names', async () => {
    for (const [preset, level] of [
      ['safe', 'disabled'],
      ['balanced', 'control'],
      ['developer', 'full'],
      ['power', 'full'],
    ] as const) {
      await scene.host.request('/v1/policy', { token: 'operator', method: 'PATCH', body: { preset } });
      expect((await client.getPolicy()) as object).toMatchObject({ level });
    }
    const mcp = new McpClient({ name: 'e2e', version: '1' });
    await mcp.connect(
      new StreamableHTTPClientTransport(new URL('/mcp?caps=computer', scene.host.url), {
        requestInit: { headers: { authorization: `Bearer ${scene.host.agentToken}` } },
      }),
    );
    const names = (await mcp.listTools()).tools.map(({ name }) => name);
    await mcp.close();
    expect(names).toEqual(
      expect.arrayContaining(
        ['screenshot', 'pointer_move', 'click', 'keypress', 'type'].map((name) => `computer_${name}`),
      ),
    );
  });
});
