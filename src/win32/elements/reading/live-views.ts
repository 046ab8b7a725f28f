/**
 * The last reading of each window, kept for an action that asks only a part of it again. One rule for every system: it
 * counts for half a minute, and only while the journal reports that no window in it came, went or moved.
 */
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import type { Point, Rect } from '../../../contract/element/geometry.ts';
import { threadOf, moveInfo } from '../../windows/window-info.ts';
import { outerRect } from '../../windows/rects.ts';
import { windowJournal, type WindowChange } from '../../windows/window-journal.ts';
import type { LiveElements } from '../sources/kept-elements.ts';
import type { WindowTree } from '../../drivers/driver.ts';
import { indexOf } from '../tree/tree-index.ts';
import { walk, type TreeNode } from '../tree/tree.ts';

/** What was read this long ago (ms) is read again: some things change without a report. */
const OLDEST_MS = 30_000;
/** Each may hold objects of a program: those of the windows that were last read are enough. */
const MOST_KEPT = 4;

/** A reading of a window. */
export interface WholeReading {
  readonly root: TreeNode;
  readonly windows: WindowTree;
  readonly partial: boolean;
}

/** A reading that is kept. */
export interface WindowView extends WholeReading {
  /** The elements of UI Automation that it consists of. */
  readonly elements: LiveElements;
  /** Windows of which something else was reported and that were not asked since. */
  readonly changed: Set<number>;
  /** When everything in view was last asked (`performance.now()`). */
  screenAt: number;
}

interface KeptView extends WindowView {
  readonly created: string;
  readonly at: number;
  /** Every window that shows a part of it, hidden ones too. */
  readonly handles: ReadonlySet<number>;
  /** The journal's number up to which it is compared. */
  seen: number;
  /** Something in it moved: only what cannot change still counts. */
  hasMoved: boolean;
}

const hasAutomation = ({ source }: TreeNode): boolean => source === 'uia';

export class LiveViews implements Disposable {
  /** By top-level window, in the order of their reading. */
  readonly #kept = new Map<number, KeptView>();
  #timer: NodeJS.Timeout | null = null;

  /** The journal's number at which a reading begins; null where nothing may be kept. */
  begin = ({ pid }: BindingRecord): number | null => windowJournal.now(pid);

  /** Keeps a complete reading and takes over its elements. What MSAA shows cannot be asked again by itself. */
  keep(record: BindingRecord, begun: number, reading: WholeReading, elements: LiveElements): void {
    const { root, windows } = reading;
    this.drop(root.hwnd);
    const nodes = walk(root);
    if (reading.partial || nodes.some(({ source }) => source === 'msaa')) return;
    if (elements.isEmpty && nodes.some(hasAutomation)) return;
    for (const [hwnd] of this.#kept) if (this.#kept.size >= MOST_KEPT) this.drop(hwnd);
    const at = performance.now();
    this.#kept.set(root.hwnd, {
      ...reading,
      elements: elements.move(),
      changed: new Set(),
      handles: new Set([...windows.order, ...nodes.map(({ hwnd }) => hwnd)]),
      created: record.processCreated,
      at,
      screenAt: at,
      seen: begun,
      hasMoved: false,
    });
    this.#timer ??= setInterval(() => this.#tidy(), OLDEST_MS / 2).unref();
  }

  /** The last reading of a window, in which nothing has moved; null where the window has to be read. */
  view(record: BindingRecord): WindowView | null {
    const kept = this.#current(record);
    return kept === null || kept.hasMoved ? null : kept;
  }

  /** The windows of the last reading, where none came or went; their contents may be others, and if any moved the places. */
  windows(record: BindingRecord): (WindowTree & { readonly isInPlace: boolean }) | null {
    const kept = this.#current(record);
    return kept === null ? null : { ...kept.windows, isInPlace: !kept.hasMoved };
  }

  #current(record: BindingRecord): KeptView | null {
    const root = Number(record.hwnd);
    const kept = this.#kept.get(root);
    if (kept === undefined) return null;
    const isOver = performance.now() - kept.at > OLDEST_MS || kept.created !== record.processCreated;
    const since = isOver || !user32.IsWindow(root) ? null : windowJournal.since(kept.seen);
    if (since === null || since.changes.some((change) => isOther(kept, change))) {
      this.drop(root);
      return null;
    }
    kept.seen = since.number;
    for (const { kind, hwnd } of since.changes) {
      if (!kept.handles.has(hwnd)) continue;
      if (kind === 'content') kept.changed.add(hwnd);
      else if (hwnd !== root || !followMove(kept)) kept.hasMoved = true;
    }
    return kept;
  }

  /** Forgets what no longer fits. */
  drop(root: number): void {
    this.#kept.get(root)?.elements[Symbol.dispose]();
    this.#kept.delete(root);
  }

  #tidy(): void {
    for (const [root, { at }] of this.#kept) if (performance.now() - at > OLDEST_MS) this.drop(root);
    if (this.#kept.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  [Symbol.dispose](): void {
    for (const root of this.#kept.keys()) this.drop(root);
    this.#tidy();
  }
}

/**
 * Whether a window came or went in this one. What UI Automation shows may be in any window of the program that is in
 * view: a menu, a drop-down list.
 */
function isOther({ root, handles }: KeptView, { kind, hwnd }: WindowChange): boolean {
  if (kind !== 'structure') return false;
  return (
    handles.has(hwnd) ||
    user32.IsChild(root.hwnd, hwnd) ||
    (hasAutomation(root) && user32.IsWindowVisible(hwnd) && threadOf(hwnd).process === threadOf(root.hwnd).process)
  );
}

/** A window that was moved and kept its size takes its content along: only the numbers change. False if it did not. */
function followMove({ root, windows }: KeptView): boolean {
  const rect = outerRect(root.hwnd);
  const nodes = indexOf(root).all;
  const isResized = rect === null || rect.width !== root.rect.width || rect.height !== root.rect.height;
  // What is drawn outside its window does not follow it.
  if (isResized || nodes.some(({ popup }) => popup !== null)) return false;
  const by: Point = { x: rect.x - root.rect.x, y: rect.y - root.rect.y };
  const moved = (one: Rect): Rect => ({ ...one, x: one.x + by.x, y: one.y + by.y });
  for (const node of nodes) {
    const { rect: whole, visible } = node;
    node.rect = moved(whole);
    if (visible !== null) node.visible = visible === whole ? node.rect : moved(visible);
    if (node.clip !== null) node.clip = moved(node.clip);
  }
  for (const { info } of windows.entries.values()) moveInfo(info, by);
  return true;
}
