/** Gives the focus, or the state of keys, to the thread of a program while it processes a command or a key. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { type ControlKind, buttonKind, isDefaultButtonStyle } from '../windows/classes.ts';
import { descendantsOf, focusOf, kindOfWindow, rootOf, threadOf, windowStyle } from '../windows/window-info.ts';
import { inQueueOf, setFocus } from '../exits/windows.ts';
import { type Deadline, pause, taken } from '../windows/waiting.ts';
import { answers, askWithin } from '../windows/ask.ts';
import { toolkitOf } from '../windows/toolkit.ts';
import { noteInjected, quietMoment } from '../windows/person.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';
import { setKeyState } from '../exits/input.ts';
import type { CallContext } from '../../desktop/index.ts';
import type { ResolvedKey } from '../windows/key-codes.ts';

/**
 * Controls whose items a command acts on. A window has several of them, and its commands use the focus to find the
 * right one.
 */
const WITH_ITEMS: ReadonlySet<ControlKind> = new Set(['list-box', 'list-view', 'tree-view']);
/**
 * How long the program may take to show that it can be given the focus: setting it sends messages, which wait for the
 * program.
 */
const ANSWER_MS = 500;
/** How long it may take to process the command before the focus is restored. */
const COMMAND_MS = 2000;
/** Part of the deadline (ms) reserved for observing the effect. */
const EFFECT_RESERVE_MS = 500;

/** Whether a command for this control can depend on a focus that its program has elsewhere, or nowhere. */
export const needsFocus = (target: KeyTarget): boolean =>
  WITH_ITEMS.has(target.kind) && focusOf(target.thread) !== target.hwnd;

/** Keys that the loop of a dialog handles by itself, and how a control says that it wants them. */
const DIALOG_KEYS: ReadonlyMap<number, number> = new Map([
  [m.VK_TAB, m.DLGC_WANTTAB],
  ...[m.VK_LEFT, m.VK_RIGHT, m.VK_UP, m.VK_DOWN].map((vk) => [vk, m.DLGC_WANTARROWS] as const),
  // On a button: elsewhere it presses the default button, wherever the focus is.
  [m.VK_RETURN, 0],
]);

/** Whether Enter presses this control while it has the focus. */
const isPressedByEnter = ({ hwnd, kind }: KeyTarget): boolean =>
  kind === 'button' && ['push', 'split'].includes(buttonKind(windowStyle(hwnd)));

/**
 * Whether the loop of a dialog applies a key to what has the focus, which its program has elsewhere, or nowhere, instead of
 * the control that the message is for. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-isdialogmessagew
 */
export function isByFocus(target: KeyTarget, vk: number): boolean {
  const { hwnd, thread } = target;
  const wish = DIALOG_KEYS.get(vk);
  if (wish === undefined || (vk === m.VK_RETURN && !isPressedByEnter(target))) return false;
  if (hwnd === rootOf(hwnd) || focusOf(thread) === hwnd || toolkitOf(hwnd) !== 'standard') return false;
  const wants = askWithin(hwnd, m.WM_GETDLGCODE, 0, 0, ANSWER_MS);
  return wants !== null && (wants & (wish | m.DLGC_WANTALLKEYS)) === 0;
}

/**
 * The button that Enter presses in a dialog in the background that has no focus, where its dialog manager may not know it: a
 * message box answers with the id of a button that it does not have. 0 where it is not the only one.
 */
export function defaultButton({ hwnd, thread, kind }: KeyTarget): number {
  if (kind !== 'dialog' || focusOf(thread) !== 0) return 0;
  const found = descendantsOf(hwnd).filter(
    (part) =>
      user32.GetParent(part) === hwnd &&
      kindOfWindow(part) === 'button' &&
      isDefaultButtonStyle(windowStyle(part)) &&
      user32.IsWindowVisible(part) &&
      user32.IsWindowEnabled(part),
  );
  return found.length === 1 ? found[0]! : 0;
}

/**
 * Posts a command while the target has the focus of its program's thread. In the background the focus is restored
 * immediately; in the foreground it stays, as after a click. Never within a second of a person's input: the focus is
 * the person's there. Windows does not change the foreground; a system that does (Wine 10) is noticed as after a posted
 * click.
 * @param post posts the messages
 * @param posted how many messages that is
 * Errors: user_active, window_hung, state_conflict if the program keeps its focus elsewhere; nothing was sent.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setfocus
 */
export async function withTemporaryFocus(
  target: KeyTarget,
  bound: number,
  post: () => void,
  posted: number,
  deadline: Deadline,
): Promise<void> {
  await quietMoment(PERSON_QUIET_MS, deadline);
  if (!(await answers(target.hwnd, deadline.share(ANSWER_MS))))
    throw new UiaHostError(
      'window_hung',
      'The program did not answer, so its focus could not be set for the keys; nothing was sent.',
    );
  const inFront = isInFront(target, bound);
  const isDone = await inQueueOf(target.thread, async () => {
    setFocus(target.hwnd, true);
    if (focusOf(target.thread) !== target.hwnd) return null;
    post();
    await taken(target.hwnd, posted, deadline.share(COMMAND_MS, EFFECT_RESERVE_MS), deadline.call);
    if (!inFront && focusOf(target.thread) === target.hwnd) setFocus(0, true);
    return true;
  }).finally(noteInjected);
  if (isDone === null) throw keepsFocus(user32.IsIconic(bound));
}

const keepsFocus = (isMinimised: boolean): UiaHostError =>
  new UiaHostError(
    'state_conflict',
    `The keys are a command that the program applies to the element with the focus, and the focus could not be set${isMinimised ? ' while the window is minimised' : ' to the element clicked last'}; nothing was sent.`,
    {
      hint: isMinimised
        ? 'Restore the window with manage-window, then send the keys again.'
        : 'Click into the element with virtual-mouse, which moves the focus, or use a menu instead of the keys.',
    },
  );

/**
 * How long the key state stays set: the program reads it while it handles the messages (measured 150 ms on a busy one
 * under load).
 */
export const ATTACHED_MS = 150;
/** docs/behaviour.md#keyboard: never within a second of the person's own input. */
export const PERSON_QUIET_MS = 1000;

/** Whether the target thread's key state is set by the person's keyboard. */
export function isInFront(target: KeyTarget, bound: number): boolean {
  const foreground = threadOf(user32.GetForegroundWindow()).thread;
  return foreground !== 0 && (foreground === target.thread || foreground === threadOf(bound).thread);
}

/** A modifier and its left or right variant: programs query either. */
function stateKeys(key: ResolvedKey): number[] {
  switch (key.key.modifier) {
    case 'ctrl':
      return [m.VK_CONTROL, key.key.side === 'right' ? m.VK_RCONTROL : m.VK_LCONTROL];
    case 'alt':
      return [m.VK_MENU, key.key.side === 'right' ? m.VK_RMENU : m.VK_LMENU];
    case 'shift':
      return [m.VK_SHIFT, key.key.side === 'right' ? m.VK_RSHIFT : m.VK_LSHIFT];
    default:
      return [key.vk];
  }
}

/**
 * Posts while the modifiers count as pressed in the target's thread, then restores the state. It couples input queues,
 * so it is the last way: never for the foreground thread, never within a second of a person's input; the caller checks
 * both.
 * Errors: unsupported if the target does not allow attaching to its queue; nothing was sent.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-attachthreadinput
 */
export async function withKeyState(
  target: KeyTarget,
  keys: readonly ResolvedKey[],
  steps: ReadonlyArray<() => void | Promise<void>>,
  call: CallContext,
): Promise<void> {
  const isDone = await inQueueOf(target.thread, async () => {
    const saved = Buffer.alloc(256);
    const isSaved = user32.GetKeyboardState(saved);
    try {
      const pressed = Buffer.from(saved);
      for (const key of keys) if (key.key.modifier !== null) for (const vk of stateKeys(key)) pressed[vk] = 0x80;
      setKeyState(pressed);
      for (const step of steps) {
        await step();
        await pause(ATTACHED_MS / steps.length, call, 'delivered').catch(() => {});
      }
      return true;
    } finally {
      if (isSaved) setKeyState(saved);
    }
  });
  if (isDone !== null) return;
  throw new UiaHostError(
    'unsupported',
    'The target does not let other threads share its input queue, so modifiers cannot reach it; nothing was sent.',
    { hint: 'Use delivery: "foreground".' },
  );
}
