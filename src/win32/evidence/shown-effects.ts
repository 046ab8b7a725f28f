/**
 * What a custom window shows in response to input, where its messages report nothing: the target element as UI
 * Automation or MSAA exposes it, and a picture of its place. Standard controls report more themselves and cost nothing
 * here.
 */
import { GW_CHILD } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { intersectRects } from '../../contract/element/coordinates.ts';
import type { Point, Rect } from '../../contract/element/geometry.ts';
import type { Evidence } from '../../contract/outcome.ts';
import type { PermittedPlace } from '../../contract/gate/exit.ts';
import type { CallContext } from '../../desktop/index.ts';
import { isClassicConsole } from '../windows/classes.ts';
import { focusedNode } from '../elements/finding/grounds.ts';
import { persistentChange, nearChange } from './near-change.ts';
import type { SeenTree, NamedTarget } from '../elements/finding/key-target.ts';
import type { JudgedElement } from '../elements/tree/same-place.ts';
import { copyOf, nodeAt, type TreeNode } from '../elements/tree/tree.ts';
import { readCustomText } from '../drivers/edit.ts';
import { Asker } from '../windows/ask.ts';
import { caretRect, parentOf, rootOf } from '../windows/window-info.ts';
import { Deadline } from '../windows/waiting.ts';
import { clientArea } from '../windows/rects.ts';
import { placeAround, placeOf, stillPicture, type Looked } from './still-picture.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';

/** Access to the trees of bound windows, provided by the element topic. */
export interface TreeReader {
  /** The tree read for the gate a moment ago; null if there is none recent enough. */
  lastSeen(record: BindingRecord, call: CallContext): SeenTree | null;
  /** The current tree with what is around an element. Null if it is not complete within the time. */
  readAgain(
    record: BindingRecord,
    element: Pick<TreeNode, 'hwnd' | 'identity'>,
    budgetMs: number,
    call: CallContext,
  ): TreeNode | null;
  /** Role and name of the part that keys go to, and its focused item; null if it is not found. */
  keyTarget(record: BindingRecord, hwnd: number, call: CallContext): NamedTarget | null;
  /**
   * What is at a screen point now instead of what was judged there; null if unchanged. `hwnd`: the window that receives
   * the message.
   */
  changedAt(
    record: BindingRecord,
    at: Point,
    hwnd: number,
    judged: { readonly element: JudgedElement | null; readonly isNamed?: boolean | undefined },
    call: CallContext,
  ): string | null;
  /** The page that a browser shows now instead of the judged one; null if unchanged. Errors: element_stale. */
  pageInstead(record: BindingRecord, judged: PermittedPlace, call: CallContext): string | null;
}

const OWN_TEXT_MS = 1000;
/**
 * If the tree reads faster than this, it is compared before the picture: it says what happened, not only that something
 * did.
 */
const QUICK_MS = 300;
/** Reading again may take this many times as long as before. */
const PATIENCE = 3;
/** And at most one part in this many of the remaining deadline. */
const SHARE = 4;

type Shower = KeyTarget &
  Pick<Looked, 'visit' | 'leave'> & { readonly shows?: Rect | null; readonly hasPicture?: boolean };

export interface ShownEffects {
  /** Whether the picture differs: cheap, and not evidence yet. */
  isChanged(): boolean;
  /**
   * The effect of the input; empty if none is visible or the change does not settle. The cheaper method comes first,
   * except for typed text: only the tree says which text came, however long it takes to be read.
   */
  since(input?: 'press' | 'text'): Promise<Evidence[]>;
}

/**
 * Records the state before the input; null for a standard control, and where nothing can be observed.
 * @param at the screen point of a pointer message; null: the keyboard focus
 * @param target `visit` and `leave` bring the pointer of the message there and take it away, whose presence must not
 *   count; `shows`: where it shows what happens, if not around the point
 */
export async function shownEffects(
  trees: TreeReader | null,
  record: BindingRecord,
  target: Shower,
  at: Point | null,
  call: CallContext,
): Promise<ShownEffects | null> {
  // Text typed into a console is verified by its text, which says more than a picture.
  if (target.kind !== 'other' || isClassicConsole(record)) return null;
  const deadline = new Deadline(call);
  // Likewise for a window whose text can be read: the effect of keys shows there.
  if (at === null && readCustomText(target.hwnd, new Asker(deadline.share(OWN_TEXT_MS))) !== null) return null;
  const tree = trees?.lastSeen(record, call) ?? null;
  const found = tree === null ? null : at === null ? focusedNode(tree.root) : nodeAt(tree.root, at);
  const hit = found?.locator.kind === 'uia' || found?.locator.kind === 'msaa' ? found : null;
  // A window with child windows is a frame around them.
  if (hit === null && user32.GetWindow(target.hwnd, GW_CHILD) !== 0) return null;
  // What is read again changes the kept tree.
  const then = hit === null ? null : copyOf(tree!.root);
  const place = target.hasPicture === false ? null : placeFor(target, hit, at);
  const picture = place === null ? null : await stillPicture(target, place, deadline);
  if (then === null && picture === null) return null;
  const near = (): ReturnType<typeof nearChange> => {
    if (then === null || hit === null) return null;
    const budgetMs = Math.min(deadline.remaining() / SHARE, tree!.tookMs * PATIENCE + QUICK_MS);
    const now = trees!.readAgain(record, hit, budgetMs, call);
    return now === null ? null : nearChange(then, now, hit.identity);
  };
  const inTree = async (): Promise<Evidence | null> =>
    (await persistentChange(near, ({ evidence }) => evidence.after, deadline))?.evidence ?? null;
  const inPicture = async (): Promise<Evidence | null> => (await picture?.change()) ?? null;
  return {
    isChanged: () => picture?.isChanged() ?? false,
    async since(input = 'press') {
      const isTreeFirst = then !== null && (input === 'text' || tree!.tookMs < QUICK_MS);
      const [first, second] = isTreeFirst ? [inTree, inPicture] : [inPicture, inTree];
      const seen = (await first()) ?? (await second());
      return seen === null ? [] : [seen];
    },
  };
}

/**
 * The element's rectangle if known, else the area around the point or caret; null for password fields, which are never
 * captured.
 */
function placeFor(target: Shower, hit: TreeNode | null, at: Point | null): Rect | null {
  if (target.shows) return placeOf(target.shows);
  if (hit !== null) return hit.states.has('password') || hit.visible === null ? null : placeOf(hit.visible);
  const client = shownClient(target.hwnd);
  const caret = at === null ? caretRect(target.thread) : null;
  const point = at ?? target.at ?? (caret === null ? null : { x: caret.x, y: caret.y });
  return client === null || point === null ? null : placeAround(point, client);
}

/** The part of a window's client area not clipped by its ancestors, screen pixels: beyond it other windows draw. */
function shownClient(hwnd: number): Rect | null {
  const root = rootOf(hwnd);
  let shown = clientArea(hwnd);
  for (let at = hwnd; at !== root && shown !== null;) {
    at = parentOf(at);
    const around = at === 0 ? null : clientArea(at);
    shown = around === null ? null : intersectRects(shown, around);
  }
  return shown;
}
