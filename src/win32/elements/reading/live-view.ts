/**
 * The view that an action takes of its window, on every system: the element, what contains it and what is next to it are
 * asked again, with what the window asks, its default button and its focus. What else UI Automation shows in view is asked
 * by one search. Null wherever that cannot be done or is in doubt: the whole window is read then.
 */
import { ComError } from '../../../../native-bindings/com/hresult.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import type { ElementQuery } from '../../../contract/element/element.ts';
import type { Point } from '../../../contract/element/geometry.ts';
import { Asker } from '../../windows/ask.ts';
import { liveWindow } from '../../windows/record.ts';
import { RemoteBlocks } from '../tree/remote-memory.ts';
import { clipAgain, indexOf } from '../tree/tree-index.ts';
import { markCovered, pathTo, walk, type TreeNode } from '../tree/tree.ts';
import { isUia, LiveAutomation } from './live-automation.ts';
import { isWindow, LiveWindows } from './live-windows.ts';
import type { WindowView } from './live-views.ts';
import type { Observed, ReadOptions } from './observe.ts';

/** This many windows next to the element are asked again, with what they contain. */
const NEAR = 32;
/** And this many texts and read-only fields, wherever they are: as many as the gate is given of what a window asks. */
const QUESTIONS = 40;
/** For the window as a whole, this many of its largest fields: documents. */
const DOCUMENTS = 4;
/** For keys, which reach everything, the names of this many buttons. */
const PRESSED = 400;
/** What is in view but not around the element was read at most this long ago (ms) for an action on a ref. */
const SCREEN_MS = 5000;
/** Share of the time left for all questions. */
const SHARE = 0.5;

/**
 * `nothing`: the element alone, to be operated. `ref` and `place`: what the gate needs too. `keys` may press anything;
 * for the window as a whole only what it asks and reports matters.
 */
export type Around = 'nothing' | 'ref' | 'place' | 'keys' | 'window';

/** An element and the tree that it is in. */
export interface LiveElement {
  readonly node: TreeNode;
  readonly observed: Observed;
}

/** One look at a kept reading. */
class LiveLook {
  readonly view: WindowView;
  readonly windows: LiveWindows;
  /** Null where UI Automation shows nothing of the window. */
  readonly elements: LiveAutomation | null;

  constructor(view: WindowView, { automation }: ReadOptions, asker: Asker, remote: RemoteBlocks) {
    this.view = view;
    this.windows = new LiveWindows(view, asker, remote);
    this.elements =
      automation === null || view.elements.isEmpty ? null : new LiveAutomation(automation, view, asker, this.windows);
  }

  /** Whether the reading fits, with all that such an action looks at asked again. */
  at(target: TreeNode, around: Around): boolean {
    if (around === 'nothing') return this.elements !== null && isUia(target) && this.elements.withChildren(target);
    // Known before anything is asked.
    if (this.#searches(around) && this.elements?.isSearchable === false) return false;
    const way = indexOf(this.view.root).pathTo(target);
    const isMeant = (node: TreeNode): boolean => node !== way[0] && (node === target || isItemOf(target, node));
    const fits = way.every((node) => this.#onTheWay(node, isMeant(node)));
    return fits && this.#windowsAround(target, around) && this.#elementsAround(around);
  }

  #onTheWay(node: TreeNode, isTarget: boolean): boolean {
    if (isUia(node)) return this.elements?.withChildren(node) === true;
    return !isWindow(node) || this.windows.onTheWay(node, isTarget);
  }

  /** The windows that UI Automation does not show. */
  #windowsAround(target: TreeNode, around: Around): boolean {
    const { root, changed } = this.view;
    const index = indexOf(root);
    const isPlain = (node: TreeNode): boolean => node !== root && this.windows.entryOf(node) !== undefined;
    const near = around === 'window' ? [] : nearest(root, target, isPlain);
    const asks = (node: TreeNode): boolean =>
      isPlain(node) && (node.controlType === 'Text' || (node.states.has('readonly') && node.controlType === 'Edit'));
    const contents = [
      ...near,
      ...first(index.list('questions'), QUESTIONS, asks),
      ...index.list('statusBars').filter(isPlain),
      ...(around === 'window' ? index.derived('largest', largest).filter(isPlain) : []),
      ...[...changed].flatMap((hwnd) => this.view.windows.entries.get(hwnd)?.node ?? []).filter(isPlain),
    ];
    const states = [
      ...index.list('default').filter((node) => isPlain(node) && node.visible !== null),
      ...(around === 'keys' ? first(index.list('pressable'), PRESSED, isPlain) : []),
    ];
    return (
      contents.every((node) => this.windows.again(node, true)) &&
      states.every((node) => this.windows.again(node, false))
    );
  }

  /** Whether what is in view is asked by a search. */
  #searches(around: Around): boolean {
    return around !== 'ref' || performance.now() - this.view.screenAt > SCREEN_MS;
  }

  /** What UI Automation shows elsewhere. */
  #elementsAround(around: Around): boolean {
    const { elements, view } = this;
    if (elements === null) return true;
    if (!this.#searches(around)) return asked(view).every((node) => elements.again(node));
    const reachesAll = around === 'keys' && indexOf(view.root).list('pressable').length <= PRESSED;
    if (!elements.screen(reachesAll)) return false;
    view.screenAt = performance.now();
    view.changed.clear();
    return true;
  }

  /** The rest follows from the answers. */
  finish(around: Around): void {
    const { root } = this.view;
    if (this.elements?.hasMoved === true || this.windows.hasOtherItems) {
      clipAgain(root);
      if (this.elements?.hasMoved === true) markCovered(root);
    }
    if (around === 'nothing') return;
    this.windows.focus();
    this.elements?.focus();
  }
}

const isItemOf = (target: TreeNode, node: TreeNode): boolean =>
  target.locator.kind === 'item' && isWindow(node) && node.hwnd === target.hwnd;

/** The windows next to a node, nearest first. */
function nearest(root: TreeNode, target: TreeNode, isMeant: (node: TreeNode) => boolean): TreeNode[] {
  const found: TreeNode[] = [];
  for (const node of indexOf(root).inView.nearest(target.visible ?? target.rect)) {
    if (!isMeant(node)) continue;
    found.push(node);
    if (found.length >= NEAR) break;
  }
  return found;
}

/** The first of a list of nodes that are meant. */
function first(all: readonly TreeNode[], most: number, isMeant: (node: TreeNode) => boolean): TreeNode[] {
  const found: TreeNode[] = [];
  for (const node of all) {
    if (found.length >= most) break;
    if (isMeant(node)) found.push(node);
  }
  return found;
}

/** The fields that show most. */
function largest(all: readonly TreeNode[]): TreeNode[] {
  const area = ({ rect }: TreeNode): number => rect.width * rect.height;
  return all
    .filter(({ controlType, visible }) => (controlType === 'Edit' || controlType === 'Document') && visible !== null)
    .sort((one, other) => area(other) - area(one))
    .slice(0, DOCUMENTS);
}

/**
 * What the window asks, as the gate is given it: texts and read-only fields in view, and what the keys would press; and
 * whatever was reported to have changed.
 */
function asked({ root, changed }: WindowView): TreeNode[] {
  let questions = 0;
  const isAsked = (node: TreeNode): boolean =>
    isUia(node) &&
    node !== root &&
    (node.isDefaultButton ||
      node.states.has('focused') ||
      (isWindow(node) && changed.delete(node.hwnd)) ||
      ((node.controlType === 'Text' || node.states.has('readonly')) &&
        node.visible !== null &&
        questions++ < QUESTIONS));
  return walk(root).filter(isAsked);
}

/** What UI Automation answers about the last reading. */
interface Look {
  /** Whether the reading shows exactly those whom a search finds. */
  named(query: ElementQuery): boolean;
  /** The RuntimeId of the element at a screen point; null where that is not known. */
  idAt(at: Point): string | null;
}

/**
 * @param find the node in the last reading that the action is about; null if it has none
 * Errors: window_gone.
 */
export function readLive(
  record: BindingRecord,
  options: ReadOptions,
  around: Around,
  find: (root: TreeNode, look: Look) => TreeNode | null | undefined,
): LiveElement | null {
  const { automation, views } = options;
  const root = liveWindow(record);
  const view = views.view(record);
  if (view === null || view.changed.size > NEAR || (around === 'nothing' && view.elements.isEmpty)) return null;
  const asker = new Asker(options.budgetMs);
  if (!asker.answers(root)) return null;
  using remote = new RemoteBlocks(options.remoteControlMemory);
  const look = new LiveLook(view, options, asker, remote);
  const { elements } = look;
  const shown: Look = {
    named: (query) => elements?.named(query) === true,
    idAt: (at) => (elements === null || automation === null ? null : automation.idAt(at)),
  };
  /** Undefined: it is not in the last reading. */
  const read = (): { readonly target: TreeNode; readonly isFresh: boolean } | undefined => {
    const target = find(view.root, shown) ?? undefined;
    if (target === undefined || (around === 'nothing' && !isUia(target))) return undefined;
    return { target, isFresh: look.at(target, around) };
  };
  let target: TreeNode;
  try {
    const found = automation === null ? read() : automation.waitingAtMost(asker.left * SHARE, read);
    if (found === undefined) return null;
    if (!found.isFresh || asker.isPartial || views.view(record) !== view) {
      views.drop(root);
      return null;
    }
    ({ target } = found);
    look.finish(around);
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    views.drop(root);
    return null;
  }
  // An item that was read again is another node.
  const node = target.locator.kind === 'item' ? pathTo(view.root, target.identity).at(-1) : target;
  if (node === undefined) return null;
  const observed: Observed = {
    record,
    root: view.root,
    windows: view.windows,
    partial: false,
    ask: (hwnd, message, wParam) => asker.ask(hwnd, message, wParam),
    answers: (hwnd) => asker.answers(hwnd),
  };
  return { node, observed };
}
