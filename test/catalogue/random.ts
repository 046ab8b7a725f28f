/**
 * Random background actions from a seed: whatever they do, every disturbance of the person in front must be reported.
 */
import { randomFrom } from '../support/random.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionResult, type Outcome } from '../../src/contract/outcome.ts';
import { Problem } from '../../src/contract/problem.ts';
import type { Scene } from '../support/scene.ts';
import type { TargetName } from './row.ts';
import { undeclared, type Sentinel } from './sentinel.ts';
import { RECIPES, type Target } from './targets.ts';
import { newWindows } from './witness.ts';
import { wordsOf } from '../support/words.ts';

const RANDOM_TARGETS = [
  'notepad',
  'controls',
  'accessible',
  'wordpad',
  'regedit',
] as const satisfies readonly TargetName[];
type RandomTarget = (typeof RANDOM_TARGETS)[number];
/** On a busy machine an action is slow, and an interrupted one shows little. */
const DEADLINE_MS = 45_000;
/** Number of actions in a row on one window. */
const STRETCH = 50;
const WM_CANCELMODE = 0x001f;

export interface RandomFigures {
  readonly seed: number;
  readonly actions: number;
  readonly delivered: number;
  readonly confirmed: number;
  /** Error code → how often. */
  readonly refused: Readonly<Record<string, number>>;
  /** Why the foreground changed, by the outcomes → how often. */
  readonly reported: Readonly<Record<string, number>>;
  /** What the sentinel noticed and no outcome reported. */
  readonly unreported: readonly string[];
}

interface Drawn {
  readonly action: string;
  readonly input: Record<string, unknown>;
}

const CHORDS = [
  ...wordsOf`a shift+q 7 . space enter tab escape backspace delete home end left right up down pageup pagedown f2 f3
  f5 ctrl+a ctrl+c ctrl+x ctrl+v ctrl+z ctrl+f ctrl+home shift+right ctrl+shift+left shift+end alt+f4 win+r`,
  'home delete',
  'ctrl+a backspace',
];
const TEXTS = ['plain', '’ ‘ " ` $ ;', '🦊 漢字', 'é ñ', 'שלום', 'two\nlines', '\ttab', '%PATH% ${x}', 'x'.repeat(60)];
/** Elements of each, some of which are refused. */
const NAMES: Readonly<Record<RandomTarget, readonly object[]>> = {
  notepad: [{ role: 'textbox' }, { role: 'StatusBar' }, { name: 'nobody' }],
  controls: [
    { name: 'Push me' },
    { name: 'Check me' },
    { name: 'Red' },
    { name: 'Green' },
    { name: 'Full name' },
    { name: 'Notes' },
    { name: 'Advanced', role: 'TabItem' },
    { name: 'General', role: 'TabItem' },
    { name: 'Entry 3' },
    { name: 'Denmark' },
    { name: 'Apple' },
    { name: 'Bold' },
    { name: 'Below the fold' },
    { name: 'Open dialog' },
    { name: 'Show message' },
    { name: 'Disabled' },
    { name: 'Serial' },
    { name: 'Duplicate' },
    { automationId: '121' },
    { name: 'Split me' },
    { name: 'Row 5', role: 'ListItem' },
    { automationId: '261' },
  ],
  accessible: [
    { name: 'Go' },
    { name: 'City' },
    { name: 'Subscribe' },
    { name: 'Apple' },
    { name: 'Off' },
    { name: 'Stubborn' },
  ],
  wordpad: [{ role: 'Document' }, { automationId: 'Item 1400' }, { automationId: 'Item 1600' }],
  regedit: [
    { name: 'HKEY_USERS', role: 'TreeItem' },
    { name: 'HKEY_CURRENT_USER', role: 'TreeItem' },
    { automationId: '2003' },
  ],
};

/** One action, from the numbers alone. Only the window's size is read. */
function draw(next: () => number, target: RandomTarget, size: { width: number; height: number }): Drawn {
  const whole = (below: number): number => Math.floor(next() * below);
  const one = <T>(of: readonly T[]): T => of[whole(of.length)]!;
  const point = (): { x: number; y: number } => ({ x: whole(size.width), y: whole(size.height) });
  const pointed = { space: 'client' };
  const kinds: ReadonlyArray<() => Drawn> = [
    () => ({
      action: 'virtual-mouse',
      input: { action: one(['click', 'click', 'double_click', 'right_click', 'move']), ...point(), ...pointed },
    }),
    () => {
      const [from, to] = [point(), point()];
      return { action: 'virtual-mouse', input: { action: 'drag', ...to, ...pointed, startX: from.x, startY: from.y } };
    },
    () => ({
      action: 'click',
      input: {
        ...point(),
        ...pointed,
        button: one(['left', 'left', 'middle', 'right']),
        count: one([1, 2, 3]),
        ...(next() < 0.3 ? { modifiers: one([['ctrl'], ['shift'], ['ctrl', 'shift']]) } : {}),
      },
    }),
    () => ({
      action: 'mouse-wheel',
      input: { ...point(), ...pointed, delta: one([1, -1, 3, -4]), horizontal: next() < 0.2 },
    }),
    () => ({ action: 'scroll', input: { ...point(), ...pointed, dx: one([0, 0, 1]), dy: one([1, -2, 5]) } }),
    () => ({ action: 'key', input: { keySequence: one(CHORDS), repeat: one([1, 1, 3]) } }),
    () => ({ action: 'key', input: { keySequence: one(CHORDS) } }),
    () => ({ action: 'virtual-keyboard', input: { action: 'type', text: one(TEXTS) } }),
    () => ({ action: 'type', input: { text: one(TEXTS), viaClipboard: next() < 0.3 } }),
    () => ({ action: 'hold-key', input: { keyNames: [one(['x', 'shift', 'down'])], durationMs: 40 + whole(60) } }),
    () => ({ action: 'click-element', input: { ...one(NAMES[target]) } }),
    () => ({ action: 'click-element', input: { ...one(NAMES[target]) } }),
    () => ({
      action: 'type-into-element',
      input: { ...one(NAMES[target]), text: one(TEXTS), mode: one(['replace', 'append']) },
    }),
    () => ({ action: 'select-element', input: { ...one(NAMES[target]) } }),
    () => ({ action: 'scroll-element', input: { ...one(NAMES[target]) } }),
  ];
  return one(kinds)();
}

const count = (counts: Record<string, number>, key: string): void => {
  counts[key] = (counts[key] ?? 0) + 1;
};

class Run {
  readonly #scene: Scene;
  readonly #sentinel: Sentinel;
  readonly #seed: number;
  readonly #next: () => number;
  #actions = 0;
  #delivered = 0;
  #confirmed = 0;
  readonly #refused: Record<string, number> = {};
  readonly #reported: Record<string, number> = {};
  readonly #unreported: string[] = [];
  /** The previous action, whose effect may come late. */
  #last = 'nothing';

  constructor(scene: Scene, sentinel: Sentinel, seed: number) {
    this.#scene = scene;
    this.#sentinel = sentinel;
    this.#seed = seed;
    this.#next = randomFrom(seed);
  }

  /** The actions of a series are drawn and not sent; how many numbers one takes does not depend on a window's size. */
  skip(name: RandomTarget, actions: number): void {
    for (let drawn = 0; drawn < actions; drawn += 1) draw(this.#next, name, { width: 1, height: 1 });
    this.#actions += actions;
  }

  /** One series on its own window, so that another run's changes make no difference. */
  async stretch(name: RandomTarget, actions: number): Promise<void> {
    const { witness, client } = this.#scene;
    const end = this.#actions + actions;
    while (this.#actions < end) {
      await using target = await RECIPES[name].start(this.#scene);
      // a program that ended while it started is started again
      if ((await client.send('bind-to-window', { hwnd: target.hwnd })).status !== 200) continue;
      await this.#sentinel.undisturbed();
      const size = await witness.area(target.hwnd);
      const windows = new Set((await witness.windows()).map(({ hwnd }) => hwnd));
      let isThere = true;
      while (isThere && this.#actions < end) isThere = await this.#one(name, target, size, windows);
    }
  }

  /** Returns whether the window still exists. */
  async #one(
    name: RandomTarget,
    target: Target,
    size: { width: number; height: number },
    windows: ReadonlySet<string>,
  ): Promise<boolean> {
    const { action, input } = draw(this.#next, name, size);
    this.#actions += 1;
    const answer = await this.#scene.client.send(action, { deadlineMs: DEADLINE_MS, ...input });
    const outcome: Outcome | null = answer.status === 200 ? ActionResult.parse(answer.body).outcome : null;
    const seen = await this.#scene.witness.windows();
    const opened = seen.some(({ hwnd, pid }) => pid === target.pid && !windows.has(hwnd));
    const isGone =
      outcome !== null && outcome.evidence.some(({ kind }) => kind === 'window' || kind === 'window-closed');
    const counts = await this.#sentinel.noticed();
    const isCutOff = outcome === null && Problem.parse(answer.body).delivery === 'unknown';
    for (const wrong of undeclared(counts, outcome, opened || isGone, isCutOff)) {
      this.#unreported.push(
        `action ${this.#actions} of seed ${this.#seed}: ${action} ${JSON.stringify(input)} on ${name} (${outcome?.delivery ?? String(answer.body.code)}): ${wrong}; before it ${this.#last}; the outcome ${JSON.stringify(outcome)}`,
      );
    }
    this.#last = `${action} ${JSON.stringify(input)}`;
    if (outcome === null) count(this.#refused, Problem.parse(answer.body).code);
    else if (outcome.delivery !== 'none') {
      this.#delivered += 1;
      if (outcome.effect === 'confirmed' || outcome.effect === 'pending_modal') this.#confirmed += 1;
    }
    if (outcome?.focusChanged === true)
      count(
        this.#reported,
        opened
          ? 'a window that the target opened'
          : isGone
            ? 'a window of the target that closed'
            : `by ${outcome.delivery}, declared as activating`,
      );
    if (opened) await this.#tidy(target, windows);
    if (opened || counts.isForeground === 0) await this.#sentinel.stand();
    return seen.some(({ hwnd }) => hwnd === target.hwnd);
  }

  /** Dismisses dialogs and menus as a person would, so that the window can be used again. */
  async #tidy(target: Target, windows: ReadonlySet<string>): Promise<void> {
    const { witness } = this.#scene;
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const left = await newWindows({ scene: this.#scene, target, windowsBefore: windows });
      if (left.length === 0) return;
      for (const { hwnd, className } of left) {
        if (className === '#32768' || className === 'ComboLBox')
          await witness.ask(target.hwnd, '', WM_CANCELMODE).catch(() => {});
        else await witness.close(hwnd).catch(() => {});
      }
      await sleep(20);
    }
    await target[Symbol.asyncDispose]();
  }

  figures(): RandomFigures {
    return {
      seed: this.#seed,
      actions: this.#actions,
      delivered: this.#delivered,
      confirmed: this.#confirmed,
      refused: this.#refused,
      reported: this.#reported,
      unreported: this.#unreported,
    };
  }
}

/**
 * @param options `from`: the series before the one with this action are left out
 * @param progress called after every series
 */
export async function runRandom(
  scene: Scene,
  sentinel: Sentinel,
  options: { seed: number; actions: number; from?: number },
  progress: (figures: RandomFigures) => void = () => {},
): Promise<RandomFigures> {
  const run = new Run(scene, sentinel, options.seed);
  for (let done = 0, turn = 0; done < options.actions; turn += 1) {
    const stretch = Math.min(STRETCH, options.actions - done);
    const target = RANDOM_TARGETS[turn % RANDOM_TARGETS.length]!;
    if (done + stretch < (options.from ?? 1)) run.skip(target, stretch);
    else await run.stretch(target, stretch);
    done += stretch;
    progress(run.figures());
  }
  return run.figures();
}
