/**
 * The mark of a tree's or list view's item under a point: the picture of its state, which may be a check box of the
 * program's own, or the button that opens a branch. A click on it is there to turn it. A program that looks where the
 * cursor is does nothing when only messages come, and the control still selects the item: that is not what was aimed at.
 */
import { LVHITTESTINFO } from '../../../native-bindings/win32/structs.ts';
import type { Evidence } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/index.ts';
import { Asker } from '../windows/ask.ts';
import { RemoteBlocks } from '../elements/remote-memory.ts';
import { describeWindow } from '../elements/window-name.ts';
import { itemState, stateImage } from '../evidence/control-state.ts';
import type { MouseTarget } from './mouse-target.ts';

/** Source: learn.microsoft.com/windows/win32/controls/tvm-hittest, lvm-hittest, tvm-getimagelist, lvm-getimagelist */
const TREE = { hitTest: 0x1111, getState: 0x1127, getImages: 0x1108, onMark: 0x10 | 0x40, mask: 0x0020 | 0xf000 };
const LIST = { hitTest: 0x1012, getState: 0x102c, getImages: 0x1002, onMark: 0x08, mask: 0xf000 };
/** TVSIL_STATE and LVSIL_STATE. */
const STATE_IMAGES = 2;
const ASK_MS = 1000;
/** What shows that the program did something, whatever its mark says. */
const OWN_EFFECTS: ReadonlySet<string> = new Set(['window-opened', 'window-closed']);

export class AimedMark {
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

  /** Null where the point is on no mark. Where that cannot be asked for, a control with pictures of states may have one there. */
  static under(target: MouseTarget, call: CallContext): AimedMark | null {
    if (target.kind !== 'tree-view' && target.kind !== 'list-view') return null;
    const isTree = target.kind === 'tree-view';
    const { hitTest, getState, getImages, onMark, mask } = isTree ? TREE : LIST;
    const ask = (message: number, wParam: number | bigint = 0, lParam: number | bigint = 0): number | null =>
      new Asker(ASK_MS).ask(target.hwnd, message, wParam, lParam);
    const word = isTree ? itemState : stateImage;
    using blocks = new RemoteBlocks(call.remoteControlMemory);
    const memory = blocks.for(target.hwnd);
    if (memory === null)
      return (ask(getImages, STATE_IMAGES) ?? 0) === 0 ? null : new AimedMark(target.hwnd, () => null, word);
    // A tree's structure begins alike and is as long; the item is the answer of both.
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
    return new AimedMark(target.hwnd, () => ask(getState, item, mask), word);
  }

  isTurned(): boolean {
    const now = this.#read();
    return now !== null && this.#before !== null && now !== this.#before;
  }

  /** What the mark shows, before everything else that is different; a mark that stayed as it was is named too. */
  with(evidence: readonly Evidence[]): Evidence[] {
    const now = this.#read();
    if (now === null || this.#before === null) return [...evidence];
    const own = {
      kind: 'item-state',
      before: this.#word(this.#before),
      after: this.#word(now),
      element: `item under the point in ${describeWindow(this.#hwnd)}`,
    };
    return [own, ...evidence.filter(({ kind }) => kind !== own.kind)];
  }

  /** Whether what is different is what was aimed at. */
  confirms(evidence: readonly Evidence[]): boolean {
    return this.isTurned() || evidence.some(({ kind }) => OWN_EFFECTS.has(kind));
  }
}
