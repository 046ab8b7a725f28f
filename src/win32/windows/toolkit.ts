/** Who draws a window, and the refusal of input that its toolkit does not take from messages (`contract/ways/receivers.ts`). */
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import {
  cellOf,
  isCarried,
  lostCharacter,
  RECEIVERS,
  toolkitOfClass,
  type Input,
  type Toolkit,
} from '../../contract/ways/receivers.ts';
import { classNameOf, kindOfWindow, parentOf } from './window-info.ts';

/** Deeper than any program nests its windows. */
const MOST_PARENTS = 64;

/** By its own class, else by the window around it that owns its controls; a standard control elsewhere is itself. */
export function toolkitOf(hwnd: number): Toolkit {
  const own = classNameOf(hwnd);
  const known = toolkitOfClass(own);
  if (known !== null) return known;
  let around: Toolkit | null = null;
  let at = parentOf(hwnd);
  for (let depth = 0; at !== 0 && depth < MOST_PARENTS; depth += 1, at = parentOf(at)) {
    const toolkit = toolkitOfClass(classNameOf(at));
    if (toolkit !== null && RECEIVERS[toolkit].ownsControls === true) return toolkit;
    around ??= toolkit;
  }
  return kindOfWindow(hwnd, own) === 'other' ? (around ?? 'custom') : 'standard';
}

const WHAT: Partial<Readonly<Record<Input, string>>> = {
  click: 'a click by messages',
  drag: 'a drag by messages',
  wheel: 'the wheel by messages',
  hover: 'a pointer by messages',
  characters: 'characters by messages',
  keys: 'keys by messages while another program is in front',
  chords: 'a key with Ctrl or Shift by messages',
  alt: 'a key with Alt by messages',
};

/** The action with real input, where not every action that was refused has it. */
const REALLY: Partial<Readonly<Record<Input, string>>> = {
  click: 'use click',
  drag: 'use drag',
  wheel: 'use scroll',
  hover: 'use hover-element',
};

/** What a window takes only from the real devices, and what to do. */
export function notCarried(toolkit: Toolkit, input: Input): UiaHostError {
  return new UiaHostError(
    'unsupported',
    `This window is drawn by ${RECEIVERS[toolkit].name}, which does not take ${WHAT[input] ?? 'this by messages'}: ${cellOf(toolkit, input).why}. Nothing was sent.`,
    {
      hint: `Bring the window to the front with manage-window (focus), then ${REALLY[input] ?? 'repeat the call'} with delivery: "foreground".`,
    },
  );
}

/** Errors: unsupported where the receiver takes such input only from the real devices; nothing was sent. */
export function assertCarried(hwnd: number, input: Input): void {
  const own = toolkitOf(hwnd);
  // A toolkit may give the standard controls class names of its own: they still move what is dragged in them by themselves.
  const isWrapped = input === 'drag' && RECEIVERS[own].ownsControls !== true && kindOfWindow(hwnd) !== 'other';
  const toolkit = isWrapped ? 'standard' : own;
  if (!isCarried(toolkit, input)) throw notCarried(toolkit, input);
}

/** Errors: unsupported where typing such a text would lose a part of it; nothing was sent. */
export function assertTyped(hwnd: number, text: string): void {
  const toolkit = toolkitOf(hwnd);
  const lost = lostCharacter(toolkit, text);
  if (lost === null) return;
  throw new UiaHostError(
    'unsupported',
    `This window is drawn by ${RECEIVERS[toolkit].name}, which does not take ${quoted(lost.character)} from the keyboard: ${lost.why}. Nothing was sent.`,
    { hint: 'Put the text in by the clipboard: the action type with viaClipboard: true.' },
  );
}
