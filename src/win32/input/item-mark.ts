/**
 * The mark of a tree or list view item under a point: its state image, which may be a custom check box, or the button
 * that expands a branch. A click there is meant to toggle it. A program that reads the cursor position ignores posted
 * messages, while the control still selects the item: that is not the intended effect.
 */
import {
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
import type { Evidence } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/index.ts';
import { Asker } from '../windows/ask.ts';
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
/** LVSIL_STATE is the same. */
const STATE_IMAGES = TVSIL_STATE;
const ASK_MS = 1000;
/** Effects that prove that the program acted, whatever the mark shows. */
const OWN_EFFECTS: ReadonlySet<string> = new Set(['window-opened', 'window-closed']);

export class ItemMark {
  readonly #hwnd: number;
  readonly #read: () => number | null;
  readonly #word: (state: number) => string;
  readonly #before: number | null;

  private constructor(hwnd: number, read: () => number | null, word: (state: number) => string) {
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
