/** Gives a control the focus of its program while that processes a command or a key, which may act on the focused control. */
import {
  DLGC_WANTALLKEYS,
  DLGC_WANTARROWS,
  DLGC_WANTTAB,
  VK_DOWN,
  VK_LEFT,
  VK_RETURN,
  VK_RIGHT,
  VK_TAB,
  VK_UP,
  WM_GETDLGCODE,
} from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { buttonKind, isDefaultButtonStyle, type ControlKind } from '../windows/classes.ts';
import { descendantsOf, focusOf, kindOfWindow, rootOf, windowStyle } from '../windows/window-info.ts';
import { inQueueOf, setFocus } from '../exits/windows.ts';
import { type Deadline, taken } from '../windows/waiting.ts';
import { answers, askWithin } from '../windows/ask.ts';
import { toolkitOf } from '../windows/toolkit.ts';
import { isInFront, PERSON_QUIET_MS } from './key-state.ts';
import { noteInjected, quietMoment } from '../windows/person.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';

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
  [VK_TAB, DLGC_WANTTAB],
  ...[VK_LEFT, VK_RIGHT, VK_UP, VK_DOWN].map((vk) => [vk, DLGC_WANTARROWS] as const),
  // On a button: elsewhere it presses the default button, wherever the focus is.
  [VK_RETURN, 0],
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
  if (wish === undefined || (vk === VK_RETURN && !isPressedByEnter(target))) return false;
  if (hwnd === rootOf(hwnd) || focusOf(thread) === hwnd || toolkitOf(hwnd) !== 'standard') return false;
  const wants = askWithin(hwnd, WM_GETDLGCODE, 0, 0, ANSWER_MS);
  return wants !== null && (wants & (wish | DLGC_WANTALLKEYS)) === 0;
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
  const { call } = deadline;
  await quietMoment(PERSON_QUIET_MS, deadline, call);
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
    await taken(target.hwnd, posted, deadline.share(COMMAND_MS, EFFECT_RESERVE_MS), call);
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
