/** What an action left behind, as it was seen: looked at again later, and what became of it is reported by one answer. */
import { Asker } from '../windows/ask.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { descendantsOf, parentOf, readWindowInfo, rootOf } from '../windows/window-info.ts';
import { shownDifference } from '../elements/tree/text-difference.ts';
import { withPermit } from '../exits/leaving.ts';

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
  readonly owner: string;
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

/** What a program made later of what an action had left behind. */
export interface LaterChange {
  readonly element: string;
  readonly before: unknown;
  readonly after: unknown;
}

interface Kept extends Proof {
  readonly root: number;
  readonly place: Place;
  readonly until: number;
  /** What became of it, until an answer carries that: then nothing is asked any more. */
  readonly later?: LaterChange;
}

let kept: readonly Kept[] = [];

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
  const { owner, hwnd, isChoice = false, place = placeOfControl(hwnd) } = proof;
  if (place === null) return;
  const root = rootOf(user32.IsWindow(hwnd) ? hwnd : place.parent);
  const asker = new Asker(ASK_MS);
  const shown = proof.shown ?? now({ ...proof, place, root }, asker);
  const isBeside = (each: Kept): boolean => isChoice && each.isChoice === true && each.place.parent === place.parent;
  const isReplaced = (each: Kept): boolean =>
    each.hwnd === hwnd || user32.IsChild(hwnd, each.hwnd) || (isBeside(each) && now(each, asker) !== each.shown);
  const isMine = (each: Kept): boolean => each.owner === owner && each.root === root;
  kept = kept.filter(
    (each) => user32.IsWindow(each.root) && (each.later !== undefined || !isMine(each) || !isReplaced(each)),
  );
  if (shown === undefined) return;
  const mine = [...kept.filter(isMine), { ...proof, place, root, shown, until: performance.now() + KEPT_MS }];
  kept = [...kept.filter((each) => !isMine(each)), ...mine.slice(-MOST_PROOFS)];
  setTimeout(() => withPermit(null, () => lookAgain(owner, root, true)), KEPT_MS + 1).unref();
}

/** `isDue`: only what has been kept for its time. An action that runs may be changing the rest. */
function lookAgain(owner: string, root: number, isDue = false): void {
  const asker = new Asker(ASK_MS);
  kept = kept.flatMap((each) => {
    if (each.owner !== owner || each.root !== root || each.later !== undefined) return [each];
    if (isDue && performance.now() < each.until) return [each];
    const after = now(each, asker);
    if (after === undefined || after === each.shown) return performance.now() < each.until ? [each] : [];
    // Only the verdict stays.
    return [{ ...each, read: () => null, shown: null, later: { element: each.element, ...difference(each, after) } }];
  });
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
 * @param root the window that the session's next action is for
 */
export function laterChanges(owner: string, root: number): LaterChange[] {
  lookAgain(owner, root);
  return kept.flatMap((each) => (each.owner === owner && each.root === root ? (each.later ?? []) : []));
}

/** An answer has carried these changes. */
export function laterTold(changes: readonly LaterChange[]): void {
  kept = kept.filter(({ later }) => later === undefined || !changes.includes(later));
}
