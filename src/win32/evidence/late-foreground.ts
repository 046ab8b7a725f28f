/**
 * Waits for a program that comes to the foreground a moment after background input, so that the outcome can report it and
 * the window that was in front gets it back.
 */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/index.ts';
import { threadOf } from '../windows/handle.ts';
import { activeOf, focusOf, ownerOf, topWindowsOf } from '../windows/window-info.ts';
import { ANSWER_RESERVE_MS, type Deadline } from '../windows/waiting.ts';
import { taken, waitForProgram } from '../windows/program-time.ts';
import { posting, watchForSwitch } from '../windows/person.ts';
import type { Witness } from '../windows/witness.ts';
import { giveBack } from './give-back.ts';

/** Delay (ms) between focus and foreground on a busy machine. */
const LATER_MS = 150;
/** The delay if its thread also became active: the window system may then raise it by a slower path. */
const ACTIVE_MS = 700;
/** The delay after a window closed: its owner continues with the result and may come to the foreground. */
const CLOSED_MS = 300;
/** How often (ms) the foreground is checked. */
const FOREGROUND_POLL_MS = 15;
/** Extra wait (ms) for a program that stopped responding: the sender of the input has already waited for it once. */
const STALL_MS = 2000;

/**
 * Completes an outcome with the consequences of the focus change that the input caused.
 * @param isLikely waits for the program even if its focus has not moved: this delivery method brings windows to the
 * foreground
 */
export type FocusFollower = (outcome: Outcome, isLikely?: boolean) => Promise<Outcome>;

/** Whether an outcome reports that one of the program's windows closed. */
const saysClosed = ({ evidence }: Outcome): boolean => evidence.some(({ kind }) => kind === 'window-closed');

/**
 * Records the focus of a bound window before background input. A program that focuses another of its parts may come to
 * the foreground a moment later, where the window system is a separate server and the two are separate requests. The
 * same applies to the owner of a window that closes. The outcome waits until the program has processed the input, and
 * for that delay if the focus moved or a window closed.
 */
export function followFocus(
  record: BindingRecord,
  witness: Witness,
  call: CallContext,
  deadline: Deadline,
): FocusFollower {
  const bound = Number(record.hwnd);
  const { thread, process } = threadOf(bound);
  const owner = ownerOf(bound);
  const before = { focus: focusOf(thread), active: activeOf(thread) };
  const isForward = (): boolean | null => (witness.seen().focusChanged ? true : null);
  // Once the bound window is gone, its owner or another window of the program may come to the foreground.
  const remaining = (): number =>
    [bound, owner, ...(user32.IsWindow(bound) ? [] : topWindowsOf(process))].find(
      (hwnd) => hwnd !== 0 && user32.IsWindow(hwnd),
    ) ?? 0;
  const hasSwitched = watchForSwitch();
  const onOurs = posting();
  const back = (outcome: Outcome): Promise<Outcome> =>
    giveBack(outcome, process, hasSwitched, onOurs, witness, deadline, call);
  return async (outcome, isLikely = false) => {
    if (outcome.focusChanged) return back(outcome);
    const rest = (): number => deadline.share(STALL_MS, ANSWER_RESERVE_MS);
    await taken(bound, 1, rest(), call);
    const hwnd = remaining();
    if (hwnd === 0) return back({ ...outcome, ...witness.seen() });
    if (hwnd !== bound) await taken(hwnd, 1, rest(), call);
    const hasBecomeActive = activeOf(thread) !== before.active;
    const hasClosed = hwnd !== bound || saysClosed(outcome);
    if (isLikely || hasClosed || hasBecomeActive || focusOf(thread) !== before.focus) {
      const withinMs = hasBecomeActive ? ACTIVE_MS : hasClosed ? CLOSED_MS : LATER_MS;
      await waitForProgram(isForward, {
        hwnd,
        withinMs,
        atMostMs: rest(),
        everyMs: FOREGROUND_POLL_MS,
        call,
        delivery: 'delivered',
      });
    }
    return back({ ...outcome, ...witness.seen() });
  };
}
