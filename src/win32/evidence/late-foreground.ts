/**
 * Waits for a program that comes to the foreground a moment after background input, so that the outcome can report it and
 * the window that was in front gets it back.
 */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { threadOf, activeOf, focusOf, ownerOf, topWindowsOf } from '../windows/window-info.ts';
import { ANSWER_RESERVE_MS, Deadline, pause, waitUntil, taken, waitForProgram } from '../windows/waiting.ts';
import { requestForeground } from '../exits/windows.ts';
import { posting, watchForSwitch } from '../windows/person.ts';
import { type Witness, startWitness, type Findings } from '../windows/witness.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { CallContext, DeliveryMode, Done } from '../../desktop/index.ts';
import type { TreeNode } from '../elements/tree/tree.ts';

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
export type FocusFollower = (outcome: Outcome, isLikely?: boolean) => Promise<Done<boolean>>;

/** Whether an outcome reports that one of the program's windows closed. */
const saysClosed = ({ evidence }: Outcome): boolean => evidence.some(({ kind }) => kind === 'window-closed');

/**
 * Records the focus of a bound window before background input. A program that focuses another of its parts may come to
 * the foreground a moment later, where the window system is a separate server and the two are separate requests. The
 * same applies to the owner of a window that closes. The outcome waits until the program has processed the input, and
 * for that delay if the focus moved or a window closed.
 */
export function followFocus(record: BindingRecord, witness: Witness, deadline: Deadline): FocusFollower {
  const { call } = deadline;
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
  const back = async (outcome: Outcome): Promise<Done<boolean>> => ({
    value: true,
    outcome: await giveBack(outcome, process, { witness, hasSwitched, onOurs }, deadline),
  });
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

/** An action by input: what it does to the foreground, its time, and what completes its outcome. */
export interface Begun {
  readonly witness: Witness;
  readonly deadline: Deadline;
  readonly followed: FocusFollower;
}

/** Real input goes to the current foreground: there is no program to wait for. */
export function beginInput(record: BindingRecord | null, delivery: DeliveryMode, call: CallContext): Begun {
  const [witness, deadline] = [startWitness(), new Deadline(call)];
  const isReal = record === null || delivery === 'foreground';
  const followed = isReal
    ? async (outcome: Outcome) => ({ value: true, outcome })
    : followFocus(record, witness, deadline);
  return { witness, deadline, followed };
}

/** The window system needs a moment where it is a separate server. */
const BACK_MS = 300;
/** A program that comes forward once more does so soon. */
const STAYS_MS = 60;

/** What an outcome's details say of it. */
interface ForegroundReport {
  /** The window that came forward by itself. */
  readonly taken: string;
  /** Whether the window that was in front before is in front again. */
  readonly givenBack: boolean;
  readonly reason?: string;
}

/** The window that a person had in front, if it can still be brought to the front; 0 if there is none. */
function windowBefore(before: number, now: number, process: number): number {
  const isUsable =
    before !== 0 && user32.IsWindow(before) && user32.IsWindowVisible(before) && !user32.IsIconic(before);
  // Another program's window in front is the person's choice, or that program's own matter. If nothing is in front, the
  // program has released the foreground.
  const isTaken = now === 0 || now === user32.GetDesktopWindow() || threadOf(now).process === process;
  const isOurs = isTaken && threadOf(before).process !== process;
  return isUsable && isOurs && now !== before ? before : 0;
}

/** Who did what since the action began. */
interface SeenSince {
  readonly witness: Witness;
  /** Whether a person did what brings a window to the front. */
  readonly hasSwitched: () => boolean;
  /** Called at the end: what the system counted as input was not a person's. */
  readonly onOurs: () => void;
}

/**
 * Background input never asks for the foreground. Where its program takes it nonetheless, the window that was in front
 * is put back by SetForegroundWindow, the documented way, which Windows may refuse; nothing is done to get round that.
 * Never where a person may have brought it forward.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setforegroundwindow (remarks)
 * @param process the program that the input was for
 */
async function giveBack(
  outcome: Outcome,
  process: number,
  { witness, hasSwitched, onOurs }: SeenSince,
  deadline: Deadline,
): Promise<Outcome> {
  const { call } = deadline;
  // Real input needs the foreground, and was asked for.
  if (!outcome.focusChanged || outcome.attempts.some(({ rung }) => rung === 'input')) return outcome;
  const now = user32.GetForegroundWindow();
  const before = windowBefore(witness.foregroundBefore, now, process);
  if (before === 0) return outcome;
  const report = (more: Omit<ForegroundReport, 'taken'>): Outcome => ({
    ...outcome,
    details: { ...outcome.details, foreground: { taken: String(now), ...more } satisfies ForegroundReport },
  });
  if (hasSwitched()) return report({ givenBack: false, reason: 'a person may have brought it forward' });
  const isBack = (): boolean => user32.GetForegroundWindow() === before;
  requestForeground(before);
  await waitUntil(() => (isBack() ? true : null), {
    withinMs: deadline.share(BACK_MS, ANSWER_RESERVE_MS),
    everyMs: 10,
    call,
    delivery: 'delivered',
  });
  if (isBack()) await pause(deadline.share(STAYS_MS, ANSWER_RESERVE_MS), call, 'delivered');
  // The system may count what windows do under the pointer as input; that was us, not a person.
  onOurs();
  return report(
    isBack()
      ? { givenBack: true }
      : { givenBack: false, reason: 'Windows did not change the foreground, or the program took it again' },
  );
}

/**
 * Watches from before an action until the program takes the foreground afterwards, so that the outcome can report it.
 */
export interface Aftermath {
  readonly witness: Witness;
  /** For an action that sent nothing to the program, since what it asks for is there: nothing was confirmed. */
  untouched(findings: Pick<Findings, 'evidence' | 'details'>): Done<boolean>;
  /** For an action that succeeded; the findings name the method. */
  of(node: TreeNode, findings: Findings): Promise<Done<boolean>>;
}

/**
 * A mouse message may activate its window; a program that switches pages focuses the new one, which on Wine brings the
 * whole window to the front. Both happen after the selection or click itself. Any other method may move the focus too,
 * which is checked.
 */
export function startAftermath(record: BindingRecord, call: CallContext): Aftermath {
  const witness = startWitness();
  const followed = followFocus(record, witness, new Deadline(call));
  return {
    witness,
    untouched: (findings) => ({
      value: true,
      outcome: witness.outcome({ effect: 'none', delivery: 'none', ...findings }),
    }),
    async of({ locator }, findings) {
      const isLikely = findings.delivery === 'posted' || (locator.kind === 'item' && locator.item === 'tab-item');
      return { ...(await followed(witness.outcome(findings), isLikely)), value: findings.readBack !== 'mismatch' };
    },
  };
}
