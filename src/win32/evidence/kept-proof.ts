/** What an action left behind, as it was seen: looked at again later, and what became of it is reported by one answer. */
import { Asker } from '../windows/ask.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { descendantsOf, parentOf, readWindowInfo, rootOf } from '../windows/window-info.ts';
import { shownDifference } from '../elements/tree/text-difference.ts';
import { withPermit } from '../exits/leaving.ts';
import { pause } from '../windows/waiting.ts';
import { TEXT_STAYS_MS } from '../../contract/patience.ts';
import type { ActionOf, CallContext, LaterChange } from '../../desktop/call.ts';

/** How long (ms) a proof is kept: programs complete, correct and take back within a few seconds. */
const KEPT_MS = 3000;
const ASK_MS = 200;
/** The most proofs of a session in one window: a look costs about a message each. */
const MOST_PROOFS = 8;
const SHOWN = 200;

/** Where a control is, to know its successor. */
export interface Place {
  readonly parent: number;
  readonly id: number;
  readonly className: string;
}

/** What was seen of one control. A newer one of the same control takes its place. */
export interface Proof {
  /** The call of its action. */
  readonly by: ActionOf;
  readonly hwnd: number;
  /** Where it was, if it may be gone by now. */
  readonly place?: Place | null;
  /** Role and name, for the answer. */
  readonly element: string;
  /** A choice is also changed by a choice next to it, as of another radio button. */
  readonly isChoice?: boolean;
  /** What it shows is in no answer. */
  readonly isSecret?: boolean;
  /** Asks the control, or its successor, for the same; null or undefined where it cannot be read. */
  read(hwnd: number): unknown;
  /** What it showed, where it may have changed since. */
  readonly shown?: unknown;
}

interface Kept extends Proof {
  readonly root: number;
  readonly place: Place;
  readonly until: number;
  /** The program took it back, and no step of a batch explains that. */
  readonly isUndone?: boolean;
  /** What became of it, until an answer carries that: then nothing is asked any more. */
  readonly later?: LaterChange;
}

let kept: readonly Kept[] = [];
/** Called for each action of which something did not stay, whichever look saw that. */
let tellUndone = (_by: ActionOf): void => {};
export const onUndone = (tell: typeof tellUndone): void => void (tellUndone = tell);

export function placeOfControl(hwnd: number): Place | null {
  const info = readWindowInfo(hwnd);
  return info === null ? null : { parent: parentOf(hwnd), id: info.id, className: info.className };
}

/** The control in the place of a control that is gone; null if there is none, or several. */
export function successorOf(root: number, { parent, id, className }: Place): number | null {
  const same = descendantsOf(root).filter((hwnd) => {
    const info = parentOf(hwnd) === parent ? readWindowInfo(hwnd) : null;
    return info?.id === id && info.className === className;
  });
  return same.length === 1 ? same[0]! : null;
}

/** Undefined where it is not known. */
function now({ hwnd, place, root, read }: Pick<Kept, 'hwnd' | 'place' | 'root' | 'read'>, asker: Asker): unknown {
  const at = readWindowInfo(hwnd)?.className === place.className ? hwnd : successorOf(root, place);
  return at === null || !asker.answers(at) ? undefined : (read(at) ?? undefined);
}

/** Remembers what an action left behind, where that can be read again. */
export function keepProof(proof: Proof): void {
  const { hwnd, isChoice = false, place = placeOfControl(hwnd) } = proof;
  const { owner, actionId } = proof.by;
  if (place === null) return;
  const root = rootOf(user32.IsWindow(hwnd) ? hwnd : place.parent);
  const asker = new Asker(ASK_MS);
  const shown = proof.shown ?? now({ ...proof, place, root }, asker);
  const isBeside = (each: Kept): boolean => isChoice && each.isChoice === true && each.place.parent === place.parent;
  const isReplaced = (each: Kept): boolean => isBeside(each) && now(each, asker) !== each.shown;
  const isMine = (each: Kept): boolean => isOf(each, owner, root);
  supersede(proof.by, hwnd);
  kept = kept.filter(
    (each) => user32.IsWindow(each.root) && (each.later !== undefined || !isMine(each) || !isReplaced(each)),
  );
  if (shown === undefined) return;
  const mine = [
    ...kept.filter(isMine),
    { ...proof, by: { owner, actionId }, place, root, shown, until: performance.now() + KEPT_MS },
  ];
  kept = [...kept.filter((each) => !isMine(each)), ...mine.slice(-MOST_PROOFS)];
  setTimeout(() => withPermit(null, () => lookAgain(owner, root, true)), KEPT_MS + 1).unref();
}

const isOf = (each: Kept, owner: string, root: number | null): boolean =>
  each.by.owner === owner && (root === null || each.root === root);

/** An action on a control changes it: what earlier ones left there proves nothing any more. */
export const supersede = ({ owner }: ActionOf, hwnd: number): void => {
  const isThere = (each: Kept): boolean => each.hwnd === hwnd || user32.IsChild(hwnd, each.hwnd);
  kept = kept.filter((each) => each.later !== undefined || each.by.owner !== owner || !isThere(each));
};

/** `isDue`: only what has been kept for its time. An action that runs may be changing the rest. */
function lookAgain(owner: string, root: number | null, isDue = false): void {
  const asker = new Asker(ASK_MS);
  kept = kept.flatMap((each) => {
    if (!isOf(each, owner, root) || each.later !== undefined) return [each];
    if (isDue && performance.now() < each.until) return [each];
    const after = now(each, asker);
    if (after === undefined || after === each.shown) return performance.now() < each.until ? [each] : [];
    tellUndone(each.by);
    const later = { element: each.element, ...difference(each, after) };
    // Only the verdict stays.
    return [{ ...each, read: () => null, shown: null, isUndone: !isFormatted(each.shown, after), later }];
  });
}

/** A program that completes or formats a text keeps its letters and digits in their order. */
function isFormatted(shown: unknown, after: unknown): boolean {
  if (typeof shown !== 'string' || typeof after !== 'string') return false;
  const wanted = shown.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  let found = 0;
  for (const each of after.toLowerCase().split('')) if (each === wanted[found]) found += 1;
  return wanted !== '' && found === wanted.length;
}

function difference({ shown, isSecret }: Kept, after: unknown): { before: unknown; after: unknown } {
  if (isSecret === true) return { before: null, after: null };
  return typeof shown === 'string' && typeof after === 'string'
    ? shownDifference(shown, after, SHOWN)
    : { before: shown, after };
}

/**
 * What became of what a session's actions left behind in a window: each change until `laterTold` is called with it, since
 * an action that fails has no place for it.
 * @param root the window that the session's next action is for; null: all of them
 */
export function laterChanges(owner: string, root: number | null): LaterChange[] {
  lookAgain(owner, root);
  return kept.flatMap((each) => (isOf(each, owner, root) ? (each.later ?? []) : []));
}

/** Before a further step of a batch: the element in which something was undone; null if all stayed. */
export function undoneBefore(owner: string): string | null {
  lookAgain(owner, null);
  return kept.find((each) => isOf(each, owner, null) && each.isUndone)?.element ?? null;
}

/** After a step of a batch that left nothing to look at again, such as a press: what changed meanwhile is its effect. */
export function explain({ owner, actionId }: ActionOf): void {
  if (kept.some(({ by }) => by.actionId === actionId)) return;
  lookAgain(owner, null);
  kept = kept.map((each) => (isOf(each, owner, null) ? { ...each, isUndone: false } : each));
}

/** The same for all windows of a session, once the last proof has been kept for a while; told by the answer. */
export async function laterAtEnd(call: CallContext): Promise<LaterChange[]> {
  const since = Math.max(...kept.map((each) => (isOf(each, call.owner, null) ? each.until - KEPT_MS : 0)));
  await pause(Math.max(0, since + TEXT_STAYS_MS - performance.now()), call);
  const changes = laterChanges(call.owner, null);
  laterTold(changes);
  return changes;
}

/** An answer has carried these changes. */
export function laterTold(changes: readonly LaterChange[]): void {
  kept = kept.filter(({ later }) => later === undefined || !changes.includes(later));
}
