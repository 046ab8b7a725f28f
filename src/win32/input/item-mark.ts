/**
 * The mark of an item under a point: its state image in a tree or a list view, which may be a custom check box, the button
 * that expands a branch, or what a program draws at the left of an item of a list box. A click there is meant to toggle it.
 * A program that reads the cursor position ignores posted messages, while the control still selects the item: that is not
 * the intended effect.
 */
import {
  LB_GETTOPINDEX,
  LVHT_ONITEMSTATEICON,
  LVIS_STATEIMAGEMASK,
  LVM_GETIMAGELIST,
  LVM_GETITEMSTATE,
  LVM_HITTEST,
  TVHT_ONITEMBUTTON,
  TVHT_ONITEMSTATEICON,
  TVIS_EXPANDED,
  TVIS_STATEIMAGEMASK,
  TVM_GETIMAGELIST,
  TVM_GETITEMSTATE,
  TVM_HITTEST,
  TVSIL_STATE,
} from '../../../native-bindings/win32/constants.ts';
import { LVHITTESTINFO } from '../../../native-bindings/win32/structs.ts';
import { rectContains } from '../../contract/element/coordinates.ts';
import type { Evidence } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/index.ts';
import { Asker } from '../windows/ask.ts';
import { classNameOf, windowStyle } from '../windows/window-info.ts';
import { isDrawnBox, listItemRect, marksOf } from '../elements/sources/controls/list-box.ts';
import { RemoteBlocks } from '../elements/tree/remote-memory.ts';
import { windowName } from '../elements/tree/text.ts';
import { itemState, stateImage } from '../evidence/control-state.ts';
import type { MouseTarget } from './mouse-target.ts';

/** Source: learn.microsoft.com/windows/win32/controls/tvm-hittest, lvm-hittest, tvm-getimagelist, lvm-getimagelist */
const TREE = {
  hitTest: TVM_HITTEST,
  getState: TVM_GETITEMSTATE,
  getImages: TVM_GETIMAGELIST,
  onMark: TVHT_ONITEMBUTTON | TVHT_ONITEMSTATEICON,
  mask: TVIS_EXPANDED | TVIS_STATEIMAGEMASK,
};
const LIST = {
  hitTest: LVM_HITTEST,
  getState: LVM_GETITEMSTATE,
  getImages: LVM_GETIMAGELIST,
  onMark: LVHT_ONITEMSTATEICON,
  mask: LVIS_STATEIMAGEMASK,
};
/** The state images of a check box, that a mark is shown as. */
const [UNCHECKED, CHECKED] = [0x1000, 0x2000];
/** LVSIL_STATE is the same. */
const STATE_IMAGES = TVSIL_STATE;
const ASK_MS = 1000;
/** A mark that a program draws is a square at the left of its item, with this much (pixels) around it. */
const MARK_MARGIN = 4;
/** At most this many items of a list box are in view. */
const MOST_ITEMS = 500;
/** Effects that prove that the program acted, whatever the mark shows. */
const OWN_EFFECTS: ReadonlySet<string> = new Set(['window-opened', 'window-closed']);

export class ItemMark {
  readonly #hwnd: number;
  readonly #read: () => number | null;
  readonly #word: (state: number) => string;
  readonly #before: number | null;

  constructor(hwnd: number, read: () => number | null, word: (state: number) => string) {
    this.#hwnd = hwnd;
    this.#read = read;
    this.#word = word;
    this.#before = read();
  }

  /**
   * Null if the point is not on a mark. Where that cannot be determined, a control with state images is assumed to have
   * one there.
   */
  static under(target: MouseTarget, call: CallContext): ItemMark | null {
    if (target.kind === 'list-box') return drawnMark(target, new Asker(ASK_MS));
    if (target.kind !== 'tree-view' && target.kind !== 'list-view') return null;
    const isTree = target.kind === 'tree-view';
    const { hitTest, getState, getImages, onMark, mask } = isTree ? TREE : LIST;
    const ask = (message: number, wParam: number | bigint = 0, lParam: number | bigint = 0): number | null =>
      new Asker(ASK_MS).ask(target.hwnd, message, wParam, lParam);
    const word = isTree ? itemState : stateImage;
    using blocks = new RemoteBlocks(call.remoteControlMemory);
    const memory = blocks.for(target.hwnd);
    if (memory === null)
      return (ask(getImages, STATE_IMAGES) ?? 0) === 0 ? null : new ItemMark(target.hwnd, () => null, word);
    // A tree's structure has the same first fields and size; both return the item.
    memory.write(0, LVHITTESTINFO.alloc({ pt: target.client }));
    const item = ask(hitTest, 0, memory.address);
    if (item === null) memory.abandon();
    const back = item === null ? null : memory.read(0, LVHITTESTINFO.size);
    if (
      item === null ||
      back === null ||
      item < 0 ||
      (isTree && item === 0) ||
      (LVHITTESTINFO.read(back).flags & onMark) === 0
    )
      return null;
    return new ItemMark(target.hwnd, () => ask(getState, item, mask), word);
  }

  /** Whether nothing tells of it: a screenshot shows it. */
  get isUnknown(): boolean {
    return this.#before === null;
  }

  isTurned(): boolean {
    const now = this.#read();
    return now !== null && this.#before !== null && now !== this.#before;
  }

  /** The mark's state, before all other differences; an unchanged mark is reported too. */
  with(evidence: readonly Evidence[]): Evidence[] {
    const now = this.#read();
    if (now === null || this.#before === null) return [...evidence];
    const own = {
      kind: 'item-state',
      before: this.#word(this.#before),
      after: this.#word(now),
      element: `item under the point in ${windowName(this.#hwnd)}`,
    };
    return [own, ...evidence.filter(({ kind }) => kind !== own.kind)];
  }

  /** Whether the differences include the intended one. */
  confirms(evidence: readonly Evidence[]): boolean {
    return this.isTurned() || evidence.some(({ kind }) => OWN_EFFECTS.has(kind));
  }
}

/** The mark of a list box whose program draws its items; null if the point is not where marks are. */
function drawnMark({ hwnd, client }: MouseTarget, asker: Asker): ItemMark | null {
  if (!isDrawnBox(windowStyle(hwnd))) return null;
  const top = asker.ask(hwnd, LB_GETTOPINDEX) ?? 0;
  for (let index = top; index < top + MOST_ITEMS; index += 1) {
    const rect = listItemRect(asker, hwnd, index);
    if (rect === null || rect.y > client.y) return null;
    if (!rectContains(rect, client)) continue;
    if (client.x >= rect.x + rect.height + MARK_MARGIN) return null;
    const isMarked = marksOf(asker, hwnd, classNameOf(hwnd));
    return new ItemMark(hwnd, () => (isMarked === null ? null : isMarked(index) ? CHECKED : UNCHECKED), stateImage);
  }
  return null;
}
