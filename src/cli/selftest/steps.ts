// What the selftest does in the demo, and how the witness sees that it was done.
import { ORDERS, orderNumber, FIRST_NEW_ORDER, CONTROL, type ControlName } from '../../demo/content.ts';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SystemFacts, WitnessQuestion } from '../../contract/process/demo.ts';
import { startDemoProcess } from '../demo.ts';
import { FailedError } from '../output.ts';

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

  text(control: ControlName): Promise<string | null> {
    return this.#ask<string | null>({ kind: 'text', control: CONTROL[control] });
  }

  /** A control's answer to a message with plain numbers. */
  ask(control: ControlName, message: number, wParam = 0, lParam = 0): Promise<number | null> {
    return this.#ask<number | null>({ kind: 'ask', control: CONTROL[control], message, wParam, lParam });
  }

  /** The handle of the demo's dialog with this title. */
  dialog(title: string): Promise<string | null> {
    return this.#ask<string | null>({ kind: 'dialog', title });
  }

  isInFront(): Promise<boolean> {
    return this.#ask<boolean>({ kind: 'foreground' });
  }

  isOpen(): Promise<boolean> {
    return this.#ask<boolean>({ kind: 'open' });
  }

  /** Asks one of the demo's dialogs to close. */
  closeWindow(hwnd: string): Promise<boolean> {
    return this.#ask<boolean>({ kind: 'close' }, Number(hwnd));
  }

  close(): Promise<boolean> {
    return this.#ask<boolean>({ kind: 'close' });
  }

  system(): Promise<SystemFacts> {
    return this.#ask<SystemFacts>({ kind: 'system' });
  }

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

/** Plain window messages, by which the witness asks; see learn.microsoft.com/windows/win32/controls/window-controls */
const ASK = {
  buttonCheck: 0xf0,
  comboSelection: 0x147,
  listNext: 0x100c,
  listTop: 0x1027,
  tabSelection: 0x130b,
} as const;
const SELECTED = 2;
const NONE = -1;

export interface StepTools {
  readonly witness: Witness;
  /** Runs an action and answers its value; a card that it needs is approved. */
  act(action: string, input: object): Promise<unknown>;
  /** Binds the selftest's session to another window of the demo. */
  bind(hwnd: string): Promise<void>;
  readonly demo: string;
}

export interface SelftestStep {
  /** The way of reading or acting that it is about. */
  readonly area: string;
  readonly name: string;
  run(tools: StepTools): Promise<void>;
  /** What the witness sees; awaited until it is true. Absent: `run` fails if it was not done. */
  sees?(witness: Witness): Promise<boolean>;
}

const ROW = 2;
const NOTE = ['Typed', ' – 狐 🦊'] as const;
const PASTED = ' – pasted';
const REAL = '!';
const MAIL = 'ada@example.com';
/** Real input of the person comes first: it waits for a pause. */
const REAL_MS = 15_000;
interface Line {
  readonly x: number;
  readonly y: number;
}

/** The middle of an element's rectangle, image space, from a fresh snapshot. */
async function middleOf({ act }: StepTools, type: string, name: string): Promise<Line> {
  const { accessibilityText } = (await act('snapshot', {})) as { accessibilityText: string };
  const line = accessibilityText.split('\n').find((each) => each.trimStart().startsWith(`[${type}] "${name}"`));
  const found = /\((-?\d+),(-?\d+) (\d+)x(\d+)\)/.exec(line ?? '');
  if (found === null) throw new Error(`The snapshot has no ${type} "${name}".`);
  const [x, y, width, height] = found.slice(1).map(Number) as [number, number, number, number];
  return { x: x + Math.trunc(width / 2), y: y + Math.trunc(height / 2) };
}

const shows = (control: Parameters<Witness['text']>[0], text: string) => async (witness: Witness) =>
  (await witness.text(control)) === text;
const says = (text: string) => shows('status', text);
const answers =
  (control: Parameters<Witness['ask']>[0], message: number, expected: number, wParam = 0, lParam = 0) =>
  async (witness: Witness) =>
    (await witness.ask(control, message, wParam, lParam)) === expected;
const act =
  (action: string, input: object): SelftestStep['run'] =>
  async (tools) => {
    await tools.act(action, input);
  };

const step = (area: string, name: string, run: SelftestStep['run'], sees?: SelftestStep['sees']): SelftestStep =>
  sees === undefined ? { area, name, run } : { area, name, run, sees };

export const STEPS: readonly SelftestStep[] = [
  step('reading', 'snapshot shows every control', async (tools) => {
    for (const [type, name] of [
      ['Edit', 'Customer'],
      ['CheckBox', 'Express delivery'],
      ['RadioButton', 'Card'],
      ['ComboBox', 'Product'],
      ['List', 'Orders'],
      ['Tree', 'Product groups'],
      ['TabItem', 'Billing'],
      ['Button', 'Check stock'],
    ] as const)
      await middleOf(tools, type, name);
  }),
  step('reading', 'table of 200 rows', async (tools) => {
    const table = (await tools.act('read-table', { name: 'Orders', count: 300 })) as {
      rows: Array<{ cells: string[] }>;
    };
    if (JSON.stringify(table.rows.map(({ cells }) => cells)) !== JSON.stringify(ORDERS))
      throw new Error('The cells are not those of the window.');
  }),
  step(
    'element',
    'text into a field',
    act('type-into-element', { name: 'Customer', text: 'Ada Lovelace' }),
    shows('customer', 'Ada Lovelace'),
  ),
  step(
    'element',
    'check box',
    act('click-element', { name: 'Express delivery' }),
    answers('express', ASK.buttonCheck, 1),
  ),
  step('element', 'radio button', act('click-element', { name: 'Card' }), answers('card', ASK.buttonCheck, 1)),
  step(
    'element',
    'combo box',
    act('select-element', { name: 'Product', item: 'Coffee' }),
    answers('product', ASK.comboSelection, 1),
  ),
  step(
    'element',
    'list item',
    act('select-element', { name: 'Orders', item: ORDERS[ROW]![0]! }),
    answers('orders', ASK.listNext, ROW, NONE, SELECTED),
  ),
  step(
    'element',
    'double click',
    act('click-element', { name: ORDERS[ROW + 1]![0]!, count: 2 }),
    says(`Order ${ORDERS[ROW + 1]![0]!} opened`),
  ),
  step(
    'element',
    'right click, its menu closed again',
    async (tools) => {
      await tools.act('click-element', { name: ORDERS[ROW + 2]![0]!, button: 'right' });
      await tools.act('virtual-keyboard', { action: 'combo', text: 'escape' });
    },
    says(`Order ${ORDERS[ROW + 2]![0]!} selected`),
  ),
  step(
    'element',
    'focus, then keys',
    async (tools) => {
      await tools.act('focus-element', { name: 'E-mail' });
      await tools.act('virtual-keyboard', { action: 'type', text: MAIL });
    },
    shows('email', MAIL),
  ),
  step(
    'element',
    'wheel over a list',
    act('scroll-element', { name: 'Orders', dy: 3 }),
    async (witness) => ((await witness.ask('orders', ASK.listTop)) ?? 0) > 0,
  ),
  step(
    'element',
    'scrolled into view',
    act('scroll-element', { name: ORDERS[0]![0]! }),
    answers('orders', ASK.listTop, 0),
  ),
  step('element', 'tree item', act('click-element', { name: 'Food' }), says('Product group: Food')),
  step('element', 'tab', act('click-element', { name: 'Billing' }), answers('pages', ASK.tabSelection, 1)),
  step(
    'element',
    'password field, with approval',
    act('type-into-element', { name: 'Password', text: 'selftest' }),
    says('Password: 8 characters'),
  ),
  step(
    'keys',
    'text to the focused field',
    async (tools) => {
      await tools.act('type-into-element', { name: 'Notes', text: NOTE[0] });
      await tools.act('virtual-keyboard', { action: 'type', text: NOTE[1] });
    },
    shows('notes', NOTE.join('')),
  ),
  step(
    'clipboard',
    'text pasted, the clipboard restored',
    act('type', { text: PASTED, viaClipboard: true }),
    shows('notes', `${NOTE.join('')}${PASTED}`),
  ),
  step('keys', 'chord', act('virtual-keyboard', { action: 'combo', text: 'f5' }), says('Orders reloaded')),
  step(
    'pointer',
    'click at a point',
    async (tools) => {
      await tools.act('virtual-mouse', {
        action: 'click',
        ...(await middleOf(tools, 'CheckBox', 'Gift wrap')),
        space: 'image',
      });
    },
    answers('giftWrap', ASK.buttonCheck, 1),
  ),
  step(
    'pointer',
    'wheel',
    async (tools) => {
      await tools.act('mouse-wheel', { ...(await middleOf(tools, 'List', 'Orders')), delta: -3, space: 'image' });
    },
    async (witness) => ((await witness.ask('orders', ASK.listTop)) ?? 0) > 0,
  ),
  step(
    'real input',
    'mouse click',
    (tools) => realClick(tools, 'CheckBox', 'Gift wrap'),
    answers('giftWrap', ASK.buttonCheck, 0),
  ),
  step(
    'real input',
    'keys to the clicked field',
    async (tools) => {
      await realClick(tools, 'Edit', 'Notes');
      await tools.act('type', { text: REAL, delivery: 'foreground', deadlineMs: REAL_MS });
    },
    async (witness) => (await witness.text('notes'))?.includes(REAL) === true,
  ),
  step(
    'waiting',
    'effect two seconds late',
    async (tools) => {
      await tools.act('click-element', { name: 'Check stock' });
      await tools.act('wait-for', { name: 'Stock: 12 pieces' });
    },
    shows('stock', 'Stock: 12 pieces'),
  ),
  step(
    'dialog',
    'modal dialog, filled in and accepted',
    async (tools) => {
      await tools.act('click-element', { name: 'Order details…' });
      const hwnd = await eventually(() => tools.witness.dialog('Order details'));
      try {
        await tools.bind(hwnd);
        await tools.act('type-into-element', { name: 'Comment', text: 'Ring twice' });
        await tools.act('click-element', { name: 'OK' });
      } finally {
        await tools.bind(tools.demo);
      }
    },
    says('Order details: Ring twice'),
  ),
  step(
    'approval',
    'action approved on its card',
    act('click-element', { name: 'Place order' }),
    says(`Order ${orderNumber(FIRST_NEW_ORDER)} placed for Ada Lovelace`),
  ),
  step('picture', 'window, even covered', async (tools) => {
    const { base64, width, height } = (await tools.act('screenshot', {})) as {
      base64: string;
      width?: number;
      height?: number;
    };
    if (!base64.startsWith('iVBOR') || base64.length < 4000) throw new Error(`No picture: ${width}x${height}.`);
  }),
  step('picture', 'part of the window', async (tools) => {
    const { x, y } = await middleOf(tools, 'CheckBox', 'Gift wrap');
    const region = { x: Math.max(0, x - 40), y: Math.max(0, y - 10), w: 80, h: 20 };
    const { base64 } = (await tools.act('zoom', { regionLogical: region, space: 'image' })) as { base64: string };
    if (!base64.startsWith('iVBOR')) throw new Error('No picture.');
  }),
];

async function realClick(tools: StepTools, type: string, name: string): Promise<void> {
  const at = await middleOf(tools, type, name);
  await tools.act('click', { ...at, space: 'image', delivery: 'foreground', deadlineMs: REAL_MS });
}

/** Reads until there is an answer. Errors: none within five seconds. */
export async function eventually<T>(read: () => Promise<T | null | false>): Promise<T> {
  for (const end = Date.now() + 5000; ;) {
    const found = await read();
    if (found !== null && found !== false) return found;
    if (Date.now() > end) throw new Error('The witness did not see it.');
    await new Promise((done) => {
      setTimeout(done, 100);
    });
  }
}
