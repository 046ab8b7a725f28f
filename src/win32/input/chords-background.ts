/** Sends key chords to a window in the background, by the first way that can carry them. */
import { UiaHostError } from '../../contract/errors.ts';
import { chordText, parseChord, type Chord } from '../../contract/keys/keys.ts';
import { cellOf, isCarried, needsFront, type Toolkit } from '../../contract/ways/receivers.ts';
import type { Attempt, DeliveryWay, Evidence } from '../../contract/outcome.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { type SeenState, differences, lasting, look, lookAgain, windowDetails } from '../evidence/chord-effects.ts';
import { consoleKeys } from '../terminal/console-keys.ts';
import type { ConsoleKey, ConsolePressed } from '../terminal/console-protocol.ts';
import { tellPressed } from '../drivers/button.ts';
import { isListOpen } from '../drivers/combo.ts';
import { leaveVisited, postAccelerator, visit } from '../exits/messages.ts';
import { setFocus } from '../exits/windows.ts';
import { notCarried, toolkitOf } from '../windows/toolkit.ts';
import { threadOf, focusOf, rootOf, windowStyle } from '../windows/window-info.ts';
import {
  ANSWER_RESERVE_MS,
  throwIfAborted,
  type Deadline,
  STALL_MS,
  taken,
  waitForProgram,
} from '../windows/waiting.ts';
import { acceleratorsOf, chooseCommand, commandsOf, commandState } from './accelerators.ts';
import type { ConsoleWatch } from './consoles.ts';
import {
  ATTACHED_MS,
  PERSON_QUIET_MS,
  defaultButton,
  isByFocus,
  isInFront,
  needsFocus,
  withKeyState,
  withTemporaryFocus,
} from './temporary-focus.ts';
import { postCharacters, postKeyMessage, sendKeyEvents } from '../exits/input.ts';
import { keyLParam, layoutOf, resolveKey, type ResolvedKey, resolveAll, eventsOf } from '../windows/key-codes.ts';
import { posting, quietMoment } from '../windows/person.ts';
import type { ShownEffects } from '../evidence/shown-effects.ts';
import { requireEnabledWindow } from '../elements/finding/element-target.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';
import { pressByMessage } from '../drivers/edit.ts';

const EFFECT_MS = 400;
/** Downs, ups and characters of one chord, or moves and buttons of one action of the pointer. */
const MOST_POSTED = 8;
/** What a letter that was typed instead of a chord explains. */
const BY_LETTER: ReadonlySet<Evidence['kind']> = new Set(['picture', 'title', 'value']);

export interface ChordDone {
  readonly delivery: DeliveryWay;
  readonly attempts: Attempt[];
  readonly evidence: Evidence[];
  readonly details: Record<string, unknown>;
  /** The key without its modifiers may have caused what was seen. */
  readonly isDoubtful?: true;
}

/** Where a chord goes. */
export interface ChordAim {
  readonly target: KeyTarget;
  /** The bound window. */
  readonly bound: number;
  /** Its program; null if unknown. */
  readonly executable: string | null;
}

/** Additional observers, where the control's own messages report nothing. */
export interface Observers {
  /** Time has passed since the state before: more than the input may have changed. */
  readonly isLate?: boolean;
  /** Observes the screen of a console. */
  readonly sight?: ConsoleWatch | null;
  /** Observes what a custom window shows. */
  readonly shown?: ShownEffects | null;
  /** False where another key follows at once. */
  readonly isLast?: boolean;
  readonly withinMs?: number;
}

/** The bound window's console. */
export interface ConsoleInput {
  /** Presses keys together in it; null if there is none, or it cannot be reached. */
  press(keys: readonly ConsoleKey[], layout: number): Promise<ConsolePressed | null>;
  /** Keys go there alone, never to the window. */
  readonly isOnlyWay: boolean;
}

interface Modifiers {
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly win: boolean;
}

/**
 * Sends one chord to a background window by the first way that can carry it: the control's own message, the
 * accelerator's command, posted keys (no modifiers, Alt, or a shifted character), the console's input, the target's key
 * state through an attached queue. A console's window is drawn by one process and owned by another, which has no queue
 * to attach to.
 * Errors: user_active, unsupported.
 */
export async function sendChord(
  { target, bound, executable }: ChordAim,
  chord: Chord,
  deadline: Deadline,
  eyes: Observers = {},
  consoleWay: ConsoleInput | null = null,
): Promise<ChordDone> {
  const before = look(target, bound, { isChoice: isMenuChoice(chord) });
  const attempts: Attempt[] = [];
  const posted = posting();
  const done = async (delivery: DeliveryWay, reason: string): Promise<ChordDone> => {
    attempts.push({ rung: delivery, result: 'delivered', reason });
    const evidence = await effectsOf(before, target, deadline, eyes, posted);
    return { delivery, attempts, evidence, details: windowDetails(evidence, bound, before.owner) };
  };
  /** A program that asks which keys are held types the letter of a chord with Alt: that shows too. */
  const judged = (seen: ChordDone): ChordDone =>
    modifiers.alt && target.kind === 'other' && seen.evidence.every(({ kind }) => BY_LETTER.has(kind))
      ? { ...seen, isDoubtful: true }
      : seen;
  const text = chordText(chord);
  const toolkit = toolkitOf(target.hwnd);
  // It may take keys alone, and ask which others are held.
  const isUnknown = target.kind === 'other' && toolkit === 'custom';
  const keys = isUnknown ? withShift(resolveAll(chord, target), target) : resolveAll(chord, target);
  const modifiers = modifiersOf(keys.map(({ key }) => key));
  const plain = keys.filter((key) => key.key.modifier === null);
  const isEdit = target.kind === 'edit' || target.kind === 'rich-edit';

  const pressInConsole = async (): Promise<ConsolePressed | null> => {
    const inConsole = consoleWay === null ? null : consoleKeys(keys);
    return inConsole === null ? null : ((await consoleWay?.press(inConsole, layoutOf(target.thread))) ?? null);
  };
  const doneInConsole = ({ as }: ConsolePressed): Promise<ChordDone> =>
    done(
      'console',
      as === 'signal' ? `${text} as the console's signal to its programs` : `${text} as key events of the console`,
    );
  if (consoleWay?.isOnlyWay === true) {
    const pressed = await pressInConsole();
    if (pressed !== null) return doneInConsole(pressed);
    throw notConsoleKey(text);
  }

  const byMessage = isEdit ? pressByMessage(target.hwnd, text) : 'none';
  if (byMessage === null) throw hung();
  if (byMessage === 'done') return done('message', `${text} as the edit control's own message`);
  if (goesOn(chord, target)) {
    leaveVisited();
    requireEnabledWindow(bound);
  } else visit(target.hwnd);
  const single = plain.length === 1 ? plain[0]! : null;
  const accelerator = acceleratorFor(keys, bound, executable);
  /** A command acts on what has the focus: a clicked control with items gets it meanwhile. */
  const postCommand = (sendIt: () => void, count: number): Promise<void> | void =>
    needsFocus(target) ? withTemporaryFocus(target, bound, sendIt, count, deadline) : sendIt();
  if (accelerator !== null && 'command' in accelerator) {
    await postCommand(() => {
      if (!postAccelerator(bound, accelerator.command, text)) throw gone();
    }, 1);
    return done('message', `command ${accelerator.command} of the program's accelerator ${text}`);
  }
  if (accelerator !== null)
    attempts.push({ rung: 'message', result: 'not_applicable', reason: `${text}: ${accelerator.reason}` });
  const character =
    modifiers.ctrl || modifiers.win || modifiers.alt || single === null ? null : characterOf(single, modifiers.shift);
  const takesText = isCarried(toolkit, 'characters');
  // A blank is a key there as well: Space presses what has the focus.
  if (character !== null && !takesText && character.trim() !== '') throw notCarried(toolkit, 'characters');
  if (character !== null && takesText && !(isUnknown && modifiers.shift)) {
    if (!postCharacters(target.hwnd, character)) throw gone();
    return done('posted', 'the character that the keys type');
  }
  const altBy = modifiers.alt ? cellOf(toolkit, 'alt').by : 'message';
  if (!modifiers.ctrl && !modifiers.win && !modifiers.shift && altBy === 'message') {
    const sendIt = (): void => postKeys(target, keys, modifiers.alt);
    const byFocus = !modifiers.alt && single !== null && isByFocus(target, single.vk);
    const button = single?.vk !== m.VK_RETURN || modifiers.alt ? 0 : byFocus ? target.hwnd : defaultButton(target);
    if (button !== 0) {
      if (tellPressed(button, 'enter') === null) throw gone();
      return done('message', 'the command of the button, as its dialog sends it for Enter');
    }
    // The program's message loop translates it to a command, whichever window it was posted to.
    if (byFocus) await withTemporaryFocus(target, bound, sendIt, MOST_POSTED, deadline);
    else if (acceleratorCommands(keys, executable).length > 0) await postCommand(sendIt, MOST_POSTED);
    else sendIt();
    if (!modifiers.alt) return done('posted', 'key messages');
    return judged(await done('posted', 'system key messages'));
  }
  const pressed = await pressInConsole();
  if (pressed !== null) return doneInConsole(pressed);
  if (!isInFront(target, bound)) assertHeldCarried(toolkit, modifiers);
  await quietMoment(PERSON_QUIET_MS, deadline);
  if (isInFront(target, bound)) {
    requireRealFocus(target);
    sendKeyEvents([...eventsOf(keys, 'down', false), ...eventsOf(keys, 'up', false)]);
    return done('input', 'real keys: the window is in front, and no person is using the keyboard');
  }
  const rest = plain.length === 0 ? keys : plain;
  const isSystem = modifiers.alt && !modifiers.ctrl;
  await withKeyState(
    target,
    keys,
    [
      () => {
        if (single !== null && !isSystem && isByFocus(target, single.vk)) setFocus(target.hwnd, true);
        postKeyChange(target, rest, 'down', isSystem);
      },
      () => postKeyChange(target, rest, 'up', isSystem),
    ],
    deadline.call,
  );
  const seen = await done('attached', `key state set in the target's queue for ${ATTACHED_MS} ms`);
  return isUnknown ? { ...seen, isDoubtful: true } : judged(seen);
}

export const notConsoleKey = (text: string): UiaHostError =>
  new UiaHostError(
    'unsupported',
    `${text} is not a console key, and keys for a console go through its input alone; nothing was sent.`,
    { hint: 'Send it with delivery: "foreground".' },
  );

/** Errors: unsupported where the program behind another one does not see which keys are held. */
function assertHeldCarried(toolkit: Toolkit, { alt, ctrl, shift }: Modifiers): void {
  if (alt && !isCarried(toolkit, 'alt')) throw notCarried(toolkit, 'alt');
  if ((ctrl || shift) && !isCarried(toolkit, 'chords')) throw notCarried(toolkit, 'chords');
}

/** Keys with the Shift that a character of the layout needs; a character that needs AltGr is left to WM_CHAR. */
function withShift(keys: ResolvedKey[], target: KeyTarget): ResolvedKey[] {
  const isNeeded = keys.some(({ needs }) => needs.shift && !needs.ctrl && !needs.alt);
  return isNeeded && keys.every(({ key }) => key.modifier !== 'shift')
    ? [...resolveAll(parseChord('shift'), target), ...keys]
    : keys;
}

/** Presses and holds, or releases, without waiting for an effect. */
export function postKeyChange(
  target: KeyTarget,
  keys: readonly ResolvedKey[],
  change: 'down' | 'repeat' | 'up',
  alt: boolean,
): void {
  const ordered = change === 'up' ? [...keys].reverse() : keys;
  for (const key of ordered) {
    const isSystem = alt || key.key.modifier === 'alt';
    const message =
      change === 'up' ? (isSystem ? m.WM_SYSKEYUP : m.WM_KEYUP) : isSystem ? m.WM_SYSKEYDOWN : m.WM_KEYDOWN;
    const lParam = keyLParam(key, { up: change === 'up', alt: isSystem, wasDown: change === 'repeat' });
    // A key may close its window when it goes down: then there is nothing to release.
    if (change === 'up') postKeyMessage(target.hwnd, message, key.vk, lParam);
    else post(target.hwnd, message, key.vk, lParam);
  }
}

/** Whether a chord chooses an entry of an open menu: its letter, or Enter. */
export const isMenuChoice = (chord: Chord): boolean =>
  chord.every(({ character, vk, modifier }) => character !== null || vk === m.VK_RETURN || modifier === 'shift');

export function modifiersOf(chord: Chord): Modifiers {
  const has = (modifier: string): boolean => chord.some((key) => key.modifier === modifier);
  return { ctrl: has('ctrl'), alt: has('alt'), shift: has('shift'), win: has('win') };
}

/**
 * The character of a key that needs a key state, which posted keys do not carry: `plus` on a US keyboard, Shift with a
 * letter. Null for a key that types its character without one, and for Shift with a non-letter, whose character only
 * the layout knows.
 */
function characterOf({ key, needs }: ResolvedKey, isShifted: boolean): string | null {
  if (key.character === null) return null;
  if (!isShifted) return needs.shift || needs.ctrl || needs.alt ? key.character : null;
  const upper = key.character.toUpperCase();
  return upper === key.character || upper.length !== 1 ? null : upper;
}

/** The commands that the program's accelerators map a chord to. */
function acceleratorCommands(keys: readonly ResolvedKey[], executable: string | null): number[] {
  const { ctrl, alt, shift, win } = modifiersOf(keys.map(({ key }) => key));
  const [single, ...others] = keys.filter(({ key }) => key.modifier === null);
  return single === undefined || others.length > 0 || win || executable === null
    ? []
    : commandsOf(acceleratorsOf(executable), { ctrl, alt, shift, vk: single.vk });
}

/** The command that the program's accelerators map a chord to; null for keys that are text. */
function acceleratorFor(
  keys: readonly ResolvedKey[],
  bound: number,
  executable: string | null,
): ReturnType<typeof chooseCommand> | null {
  const chord = keys.map(({ key }) => key);
  const isSingle = chord.filter(({ modifier }) => modifier === null).length === 1;
  if (executable === null || !isSingle || modifiersOf(chord).win || !isShortcut(chord)) return null;
  return chooseCommand(acceleratorCommands(keys, executable), (command) => commandState(bound, command));
}

/** Whether it is for more than the control itself: Enter where it ends no line and chooses nothing, and all commands. */
const goesOn = (chord: Chord, { hwnd, kind }: KeyTarget): boolean =>
  isShortcut(chord) ||
  (chord.some(({ vk }) => vk === m.VK_RETURN) &&
    !(kind === 'rich-edit' || (kind === 'edit' && (windowStyle(hwnd) & m.ES_MULTILINE) !== 0) || isListOpen(hwnd)));

/** Whether programs map it to a command of theirs: a function key, or a key with Ctrl or Alt. */
export const isShortcut = (chord: Chord): boolean =>
  chord.some(({ vk }) => isFunctionKey(vk)) || modifiersOf(chord).ctrl || modifiersOf(chord).alt;

const isFunctionKey = (vk: number | null): boolean => vk !== null && vk >= m.VK_F1 && vk <= m.VK_F24;

/** Whether the frame window itself handles a chord for all its parts: menus, function keys, accelerator commands. */
export function isFrameCommand(chord: Chord, bound: number, executable: string | null): boolean {
  if (modifiersOf(chord).alt || chord.some(({ vk }) => isFunctionKey(vk))) return true;
  const layout = layoutOf(threadOf(bound).thread);
  const keys = chord.map((key) => resolveKey(key, layout));
  const accelerator = keys.includes(null) ? null : acceleratorFor(keys as ResolvedKey[], bound, executable);
  return accelerator !== null && 'command' in accelerator;
}

function postKeys(target: KeyTarget, keys: readonly ResolvedKey[], alt: boolean): void {
  postKeyChange(target, keys, 'down', alt);
  postKeyChange(target, keys, 'up', alt);
}

/**
 * Real keys go to whatever has the focus. A toolkit that draws everything in one window's focus (Tk) gives them to the part that a
 * click chose. Errors: state_conflict if that is not the target.
 */
function requireRealFocus(target: KeyTarget): void {
  const focus = focusOf(threadOf(user32.GetForegroundWindow()).thread);
  if (focus === target.hwnd || (needsFront(toolkitOf(target.hwnd)) && rootOf(focus) === rootOf(target.hwnd))) return;
  throw new UiaHostError(
    'state_conflict',
    'The program is in front, where key combinations go to the element with the focus, and that is not the element clicked last; nothing was sent.',
    {
      hint: 'Click into the element with virtual-mouse, which moves the focus, or use an element or a menu instead of the keys.',
    },
  );
}

/**
 * Waits briefly for a change; empty if none is visible.
 * @param onTaken called once the program has processed the input
 */
export async function effectsOf(
  before: SeenState,
  target: KeyTarget,
  deadline: Deadline,
  { sight, shown, isLate = false, isLast = true, withinMs = EFFECT_MS }: Observers = {},
  onTaken = (): void => {},
): Promise<Evidence[]> {
  const { call } = deadline;
  const rest = (): number => deadline.share(STALL_MS, ANSWER_RESERVE_MS);
  if (!(await taken(target.hwnd, MOST_POSTED, rest(), call))) {
    throwIfAborted(call, 'delivered');
    return [];
  }
  onTaken();
  let looks = 0;
  const seen =
    (await waitForProgram(
      async () => {
        looks += 1;
        const own = differences(before, lookAgain(before, target));
        const evidence = own.length > 0 ? own : ((await sight?.afterKey()) ?? []);
        return evidence.length > 0 || shown?.isChanged() === true ? evidence : null;
      },
      { hwnd: target.hwnd, withinMs, atMostMs: rest(), everyMs: 25, call, delivery: 'delivered' },
    )) ?? [];
  const kept = await lasting(seen, before, target, deadline, { isFirst: looks === 1 && !isLate, isLast });
  return kept.length > 0 ? kept : ((await shown?.since()) ?? []);
}

function post(hwnd: number, message: number, wParam: number, lParam: number): void {
  if (!postKeyMessage(hwnd, message, wParam, lParam)) throw gone();
}

const gone = (): UiaHostError =>
  new UiaHostError('window_gone', 'The window no longer accepts messages.', { delivery: 'unknown' });

const hung = (): UiaHostError =>
  new UiaHostError('window_hung', 'The window did not accept the message in time.', { delivery: 'unknown' });
