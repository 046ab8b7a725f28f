// What a step of the selftest is, and the steps in the demo, each with how the witness sees that it was done.
import { ORDERS, orderNumber, FIRST_NEW_ORDER, CONTROL, type ControlName } from '../../demo/content.ts';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedProgram, SystemFacts, WitnessQuestion } from '../../contract/process/demo.ts';
import { startDemoProcess } from '../demo.ts';
import { FailedError } from '../output.ts';
import type { Answer } from './beliefs.ts';

const ENDS_WITHIN_MS = 1000;

type OwnQuestion = WitnessQuestion extends infer Q ? (Q extends unknown ? Omit<Q, 'hwnd'> : never) : never;

export class Witness implements AsyncDisposable {
  readonly #hwnd: number;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(env: NodeJS.ProcessEnv, hwnd: string) {
    this.#hwnd = Number(hwnd);
    this.#child = startDemoProcess(env, ['--witness'], 'pipe');
    this.#child.stdin!.on('error', () => {});
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  readonly text = (name: ControlName) => this.#ask<string | null>({ kind: 'text', control: CONTROL[name] });
  /** A control's answer to a message with plain numbers. */
  readonly ask = (name: ControlName, message: number, wParam = 0, lParam = 0) =>
    this.#ask<number | null>({ kind: 'ask', control: CONTROL[name], message, wParam, lParam });
  /** Changes a control's text, as another program would. */
  readonly set = (name: ControlName, text: string) => this.#ask({ kind: 'set', control: CONTROL[name], text });
  /** The handle of the demo's dialog with this title. */
  readonly dialog = (title: string) => this.#ask<string | null>({ kind: 'dialog', title });
  readonly isInFront = () => this.#ask<boolean>({ kind: 'foreground' });
  /** What has the focus in the demo's thread, as a handle. */
  readonly focus = () => this.#ask<number>({ kind: 'focus' });
  readonly isOpen = () => this.#ask<boolean>({ kind: 'open' });
  readonly title = (hwnd: string) => this.#ask<string | null>({ kind: 'title' }, Number(hwnd));
  /** Asks one of the demo's dialogs to close. */
  readonly closeWindow = (hwnd: string) => this.#ask<boolean>({ kind: 'close' }, Number(hwnd));
  readonly close = () => this.#ask<boolean>({ kind: 'close' });
  readonly system = () => this.#ask<SystemFacts>({ kind: 'system' });
  /** The process; null where the program is not on this machine. */
  readonly start = (program: StartedProgram) => this.#ask<number | null>({ kind: 'start', ...program });
  readonly hasEnded = (pid: number) => this.#ask<boolean>({ kind: 'ended', pid });
  readonly endStarted = () => this.#ask<void>({ kind: 'endStarted' });
  /** The command line of a program that asks a question in its console. */
  readonly asks = () => this.#ask<string>({ kind: 'asks' });

  async [Symbol.asyncDispose](): Promise<void> {
    // A witness that does not answer is not waited for.
    await Promise.race([this.#last, sleep(ENDS_WITHIN_MS)]);
    this.#child.stdin!.end();
    this.#child.kill();
    // What it writes keeps this process waiting.
    this.#child.stdout!.destroy();
    this.#child.stderr!.destroy();
    this.#child.unref();
  }

  /** One question at a time. Errors: FailedError if the witness has ended. */
  #ask<T>(question: OwnQuestion, hwnd = this.#hwnd): Promise<T> {
    const answer = this.#last.then(async () => {
      this.#child.stdin!.write(`${JSON.stringify({ ...question, hwnd })}\n`);
      const { value, done } = await this.#lines.next();
      if (done === true) throw new FailedError('The witness process ended before it answered.');
      return (JSON.parse(value as string) as { answer: T }).answer;
    });
    this.#last = answer.catch(() => {});
    return answer;
  }
}

/** This machine lacks what a step needs: its beliefs are not tried. */
export class NotTried extends Error {}

export interface Outcome {
  readonly delivery?: string;
  readonly effect?: string;
  readonly focusChanged?: boolean;
  readonly attempts?: ReadonlyArray<{ readonly rung: string; readonly result: string }>;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A part of the host’s status. */
export interface HostFacts {
  readonly level: string;
  readonly doctor: ReadonlyArray<{ readonly code: string }>;
  readonly worker: { readonly restarts: number };
}

export interface StepTools {
  readonly witness: Witness;
  /** Runs an action and answers its value; a card that it needs is approved. */
  // oxlint-disable-next-line typescript/no-explicit-any
  act(action: string, input: object): Promise<any>;
  /** Asks for an action, and a person to approve its card on the screen. Errors: NotTried; how it ended otherwise. */
  byPerson(what: string, action: string, input: object): Promise<void>;
  /** Binds the selftest's session to another window of its own. */
  bind(hwnd: string): Promise<void>;
  readonly demo: string;
  /** The bound window. */
  at: string;
  readonly system: SystemFacts;
  readonly env: NodeJS.ProcessEnv;
  host(): Promise<HostFacts>;
  readonly restartsBefore: number;
  /** What the last action did. */
  last(): Outcome;
  /** What the steps before showed. */
  readonly results: readonly StepResult[];
  /** Starts a program whose window's title begins like this, and binds that. Errors: NotTried. */
  start(program: StartedProgram, title: string): Promise<void>;
  /** Opens a window by this action, binds it, and closes it at the section's end. Errors: NotTried if none came. */
  open(action: string, input: object): Promise<void>;
  /** Tells a person what to do, and answers when that is done. Errors: NotTried. */
  ask(what: string): Promise<void>;
}

export interface SelftestStep {
  /** Numbers of docs/windows-truth.md that it answers, with blanks between. */
  readonly beliefs: string;
  readonly name: string;
  /** Answers false where it was done, and Windows behaves otherwise than the page has it. */
  run(tools: StepTools): Promise<void | boolean>;
  /** What the witness sees; awaited until it is true. Absent: `run` fails if it was not done. */
  sees?(witness: Witness, at: string): Promise<boolean>;
}

/** Each section has a deadline of its own, and is judged alone. */
export interface Section {
  readonly letter: string;
  readonly title: string;
  readonly limitMs: number;
  /** Errors: NotTried, and no step of it is. */
  begin?(tools: StepTools): Promise<void>;
  readonly steps: readonly SelftestStep[];
}

export interface StepResult {
  readonly section: string;
  readonly step: string;
  readonly beliefs: string;
  readonly answer: Answer;
  /** Null: not tried; `error` has the reason. */
  readonly ok: boolean | null;
  /** The way that delivered the last action, and what the host reports about its effect. */
  readonly delivery: string | null;
  readonly effect: string | null;
  /** Each way that was tried for the last action, with its result: which of them this system offers. */
  readonly tried: readonly string[];
  /** What a second process saw; null for a step that only reads. */
  readonly seen: boolean | null;
  readonly ms: number;
  readonly error: string | null;
}

/** Plain window messages, by which the witness asks; see learn.microsoft.com/windows/win32/controls/window-controls */
const ASK = {
  canUndo: 0xc6,
  buttonCheck: 0xf0,
  comboSelection: 0x147,
  listNext: 0x100c,
  listTop: 0x1027,
  tabSelection: 0x130b,
} as const;
const [NONE, SELECTED] = [-1, 2];
const order = (row: number): string => ORDERS[row]![0]!;
const [TYPED, ADDED, PASTED, REAL, FIRST] = ['Typed', ' – 狐 🦊', ' – pasted', '!', '> '];
const MAIL = 'ada@example.com';
/** Both borders of a maximised window, at any scale. */
const FRAME = 64;
/** Real input of the person comes first: it waits for a pause. */
const FRONT = { delivery: 'foreground', deadlineMs: 15_000 } as const;

/** The middle of an element's rectangle, image space, from a fresh snapshot. */
async function middleOf({ act: ask }: StepTools, type: string, name: string): Promise<{ x: number; y: number }> {
  const lines: string[] = (await ask('snapshot', {})).accessibilityText.split('\n');
  const line = lines.find((each) => each.trimStart().startsWith(`[${type}] "${name}"`));
  const found = /\((-?\d+),(-?\d+) (\d+)x(\d+)\)/.exec(line ?? '');
  if (found === null) throw new Error(`The snapshot has no ${type} "${name}".`);
  const [x, y, width, height] = found.slice(1).map(Number) as [number, number, number, number];
  return { x: x + Math.trunc(width / 2), y: y + Math.trunc(height / 2) };
}

type Sees = (witness: Witness, at: string) => Promise<boolean>;
const holds =
  (control: ControlName, fits: (text: string) => boolean): Sees =>
  async (witness) =>
    fits((await witness.text(control)) ?? '');
const shows = (control: ControlName, words: string): Sees => holds(control, (text) => text === words);
const says = (words: string): Sees => shows('status', words);
const answers =
  (control: ControlName, message: number, expected: number, wParam = 0, lParam = 0): Sees =>
  async (witness) =>
    (await witness.ask(control, message, wParam, lParam)) === expected;
const isOn = (control: ControlName, state = 1): Sees => answers(control, ASK.buttonCheck, state);
const isScrolled: Sees = async (witness) => ((await witness.ask('orders', ASK.listTop)) ?? 0) > 0;

type Does = SelftestStep['run'];
const does =
  (action: string, input: object): Does =>
  async (tools) => {
    await tools.act(action, input);
  };
/** At the middle of an element. */
const doesAt =
  (action: string, type: string, name: string, input: object): Does =>
  async (tools) =>
    does(action, { ...(await middleOf(tools, type, name)), space: 'image', ...input })(tools);
/** One after another. */
export const all =
  (...parts: readonly Does[]): Does =>
  async (tools) => {
    for (const part of parts) await part(tools);
  };
export const click = (name: string, more = {}): Does => does('click-element', { name, ...more });
export const fill = (name: string, text: string): Does => does('type-into-element', { name, text });
export const choose = (name: string, item: string): Does => does('select-element', { name, item });
const scroll = (name: string, more = {}): Does => does('scroll-element', { name, ...more });
export const focus = (name: string): Does => does('focus-element', { name });
const chord = (text: string): Does => does('virtual-keyboard', { action: 'combo', text });
export const keys = (text: string): Does => does('virtual-keyboard', { action: 'type', text });

export const step = (beliefs: string, name: string, run: SelftestStep['run'], sees?: Sees): SelftestStep => ({
  beliefs,
  name,
  run,
  ...(sees === undefined ? {} : { sees }),
});

/** The controls that are looked at one by one. */
const LOOKED_AT = [
  ['Edit', 'Customer'],
  ['CheckBox', 'Express delivery'],
  ['RadioButton', 'Card'],
  ['ComboBox', 'Product'],
  ['List', 'Orders'],
  ['Tree', 'Product groups'],
  ['TabItem', 'Billing'],
  ['Button', 'Check stock'],
] as const;

const described = async ({ act: ask }: StepTools) => {
  const found = [];
  for (const [role, name] of LOOKED_AT) found.push(await ask('describe-element', { role, name }));
  return found;
};

export const STEPS: readonly SelftestStep[] = [
  step('T3', 'the demo is seen', async ({ act: ask, demo }) => {
    const windows: Array<{ hwnd: string }> = await ask('list-visible-windows', {});
    if (!windows.some(({ hwnd }) => hwnd === demo)) throw new Error('The window is open, and not visible.');
  }),
  step('T16', 'snapshot shows every control', async (tools) => {
    for (const [type, name] of LOOKED_AT) await middleOf(tools, type, name);
  }),
  step('T14', 'each control keeps its RuntimeId', async (tools) => {
    const ids = async () => (await described(tools)).map(({ element }) => `${element.ref} ${element.identity}`);
    return String(await ids()) === String(await ids());
  }),
  step('T16', 'Windows’ own proxies describe each control', async (tools) => {
    const pairs = (await described(tools)).map(({ element, sources }) => ({
      wanted: element.controlType,
      uia: sources.find((each: { source: string }) => each.source === 'uia'),
    }));
    if (pairs.every(({ uia }) => uia?.provider === undefined)) throw new NotTried('UI Automation does not tell.');
    return pairs.every(({ wanted, uia }) => uia?.controlType === wanted && /UIAutomationCore/i.test(uia.provider));
  }),
  step('T17', 'table of 200 rows', async (tools) => {
    const { rows } = await tools.act('read-table', { name: 'Orders', count: 300 });
    if (JSON.stringify(rows.map(({ cells }: { cells: string[] }) => cells)) !== JSON.stringify(ORDERS))
      throw new Error('The cells are not those of the window.');
  }),
  step('', 'text into a field', fill('Customer', 'Ada Lovelace'), shows('customer', 'Ada Lovelace')),
  step('', 'check box', click('Express delivery'), isOn('express')),
  step('', 'radio button', click('Card'), isOn('card')),
  step('T16', 'combo box', choose('Product', 'Coffee'), answers('product', ASK.comboSelection, 1)),
  step('T16', 'list item', choose('Orders', order(2)), answers('orders', ASK.listNext, 2, NONE, SELECTED)),
  step('', 'double click', click(order(3), { count: 2 }), says(`Order ${order(3)} opened`)),
  step(
    '',
    'right click',
    all(click(order(4), { button: 'right' }), chord('escape')),
    says(`Order ${order(4)} selected`),
  ),
  step('', 'focus, then keys', all(focus('E-mail'), keys(MAIL)), shows('email', MAIL)),
  step('', 'wheel over a list', scroll('Orders', { dy: 3 }), isScrolled),
  step('', 'scrolled into view', scroll(order(0)), answers('orders', ASK.listTop, 0)),
  step('T16', 'tree item', click('Food'), says('Product group: Food')),
  step('T16', 'tab', click('Billing'), answers('pages', ASK.tabSelection, 1)),
  step('T30', 'password field, with approval', fill('Password', 'selftest'), says('Password: 8 characters')),
  step('T30', 'a text that can be undone', fill('Tax number', 'GB 123'), answers('taxNumber', ASK.canUndo, 1)),
  step('T68', 'keys to the focused field', all(fill('Notes', TYPED), keys(ADDED)), shows('notes', TYPED + ADDED)),
  step(
    '',
    'text pasted, the clipboard restored',
    does('type', { text: PASTED, viaClipboard: true }),
    shows('notes', TYPED + ADDED + PASTED),
  ),
  step('T29', 'chord', chord('f5'), says('Orders reloaded')),
  step(
    'T31',
    'click at a point',
    doesAt('virtual-mouse', 'CheckBox', 'Gift wrap', { action: 'click' }),
    isOn('giftWrap'),
  ),
  step('T31', 'wheel at a point', doesAt('mouse-wheel', 'List', 'Orders', { delta: -3 }), isScrolled),
  step('T32', 'real mouse click', doesAt('click', 'CheckBox', 'Gift wrap', FRONT), isOn('giftWrap', 0)),
  step(
    'T32',
    'real keys to the clicked field',
    all(doesAt('click', 'Edit', 'Notes', FRONT), does('type', { text: REAL, ...FRONT })),
    holds('notes', (text) => text.includes(REAL)),
  ),
  step(
    'T28',
    'chord with a modifier',
    all(focus('Notes'), chord('ctrl+home'), keys(FIRST)),
    holds('notes', (text) => text.startsWith(FIRST)),
  ),
  step(
    '',
    'effect two seconds late',
    all(click('Check stock'), does('wait-for', { name: 'Stock: 12 pieces' })),
    shows('stock', 'Stock: 12 pieces'),
  ),
  step(
    'T26',
    'modal dialog, filled in and accepted',
    async (tools) => {
      await tools.act('click-element', { name: 'Order details…' });
      const hwnd = await eventually(() => tools.witness.dialog('Order details'));
      try {
        await tools.bind(hwnd);
        await all(fill('Comment', 'Ring twice'), click('OK'))(tools);
      } finally {
        await tools.bind(tools.demo);
      }
    },
    says('Order details: Ring twice'),
  ),
  step(
    '',
    'action approved on its card',
    click('Place order'),
    says(`Order ${orderNumber(FIRST_NEW_ORDER)} placed for Ada Lovelace`),
  ),
  step('T39', 'a maximised frame reaches beyond its monitor', async ({ act: ask, system }) => {
    await ask('manage-window', { action: 'maximize' });
    const { width } = await ask('get-window-rect', {});
    await ask('manage-window', { action: 'restore' });
    return system.monitors.some((monitor) => width > monitor.width && width < monitor.width + FRAME);
  }),
  step('T35', 'picture of the window, even covered', async (tools) => {
    const { base64, width, height } = await tools.act('screenshot', {});
    if (!base64.startsWith('iVBOR') || base64.length < 4000) throw new Error(`No picture: ${width}x${height}.`);
    return tools.last().delivery?.startsWith('print-window') === true;
  }),
  step('', 'picture of a part', async (tools) => {
    const { x, y } = await middleOf(tools, 'CheckBox', 'Gift wrap');
    const region = { x: Math.max(0, x - 40), y: Math.max(0, y - 10), w: 80, h: 20 };
    const { base64 } = await tools.act('zoom', { regionLogical: region, space: 'image' });
    if (!base64.startsWith('iVBOR')) throw new Error('No picture.');
  }),
  step('T37', 'no picture of a minimised window', async (tools) => {
    await tools.act('manage-window', { action: 'minimize' });
    const picture = await tools.act('screenshot', {}).catch(() => null);
    await tools.act('manage-window', { action: 'restore' });
    if (picture !== null) throw new Error('A minimised window gave a picture.');
  }),
];

/** Reads until there is an answer. Errors: none within five seconds. */
export async function eventually<T>(read: () => Promise<T | null | false>): Promise<T> {
  for (const end = Date.now() + 5000; ;) {
    const found = await read();
    if (found !== null && found !== false) return found;
    if (Date.now() > end) throw new Error('The witness did not see it.');
    await sleep(100);
  }
}
