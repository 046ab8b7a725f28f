/**
 * The last reading of a window through UI Automation, with its live elements: an action on one of them asks it and what
 * is around it, and needs no search. UI Automation reports nothing here, so a reading is kept for a short time, and only
 * while no window of its program comes, goes or moves.
 */
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { WindowTree } from '../sources/child-windows.ts';
import type { TreeNode } from '../tree/tree.ts';
import { windowViews, type BegunReading } from './window-views.ts';

/** Live elements of one reading; disposing of it releases those that no view took over. */
export class LiveElements implements Disposable {
  #elements = new Map<TreeNode, IUIAutomationElement>();

  add(node: TreeNode, element: IUIAutomationElement): void {
    this.#elements.set(node, element.clone());
  }

  get(node: TreeNode): IUIAutomationElement | undefined {
    return this.#elements.get(node);
  }

  /** The element with this RuntimeId; it still belongs to these. */
  find(runtimeId: readonly number[]): IUIAutomationElement | null {
    const id = runtimeId.join('.');
    for (const [{ locator }, element] of this.#elements)
      if (locator.kind === 'uia' && locator.isShared !== true && locator.runtimeId.join('.') === id) return element;
    return null;
  }

  get isEmpty(): boolean {
    return this.#elements.size === 0;
  }

  /** Hands all over to a new owner. */
  move(): LiveElements {
    const moved = new LiveElements();
    [moved.#elements, this.#elements] = [this.#elements, moved.#elements];
    return moved;
  }

  [Symbol.dispose](): void {
    for (const element of this.#elements.values()) element[Symbol.dispose]();
    this.#elements.clear();
  }
}

export interface AutomationView {
  readonly root: TreeNode;
  readonly windows: WindowTree;
  readonly elements: LiveElements;
}

interface Kept extends AutomationView {
  readonly begun: BegunReading;
  readonly created: string;
  readonly at: number;
}

/** What UI Automation shows changes without a report: a view older than this (ms) is read again. */
const OLDEST_MS = 30_000;
/** Each holds objects of a program: those of the windows that were last read are enough. */
const MOST_KEPT = 2;

export class AutomationViews implements Disposable {
  /** By top-level window, in the order of their reading. */
  readonly #kept = new Map<number, Kept>();
  #timer: NodeJS.Timeout | null = null;

  /** Keeps a complete reading and takes over its elements. */
  keep(
    begun: BegunReading,
    created: string,
    { root, windows }: Pick<AutomationView, 'root' | 'windows'>,
    elements: LiveElements,
  ): void {
    this.drop(root.hwnd);
    if (elements.isEmpty || windowViews.begin(begun.process, created)?.serial !== begun.serial) return;
    for (const [hwnd] of this.#kept) if (this.#kept.size >= MOST_KEPT) this.drop(hwnd);
    this.#kept.set(root.hwnd, { root, windows, elements: elements.move(), begun, created, at: performance.now() });
    this.#timer ??= setInterval(() => this.#tidy(), OLDEST_MS / 2).unref();
  }

  /** Null where the window has to be read. */
  view(root: number): AutomationView | null {
    const kept = this.#kept.get(root);
    if (kept === undefined) return null;
    if (this.#isFresh(kept)) return kept;
    this.drop(root);
    return null;
  }

  /** A live element of a window that was read a moment ago; it still belongs to its view. */
  element(runtimeId: readonly number[]): IUIAutomationElement | null {
    if (runtimeId.length === 0) return null;
    for (const { elements } of this.#kept.values()) {
      const element = elements.find(runtimeId);
      if (element !== null) return element;
    }
    return null;
  }

  #isFresh({ at, root, begun, created }: Kept): boolean {
    return (
      performance.now() - at <= OLDEST_MS &&
      user32.IsWindow(root.hwnd) &&
      windowViews.begin(begun.process, created)?.serial === begun.serial
    );
  }

  /** Forgets what no longer fits. */
  drop(root: number): void {
    this.#kept.get(root)?.elements[Symbol.dispose]();
    this.#kept.delete(root);
  }

  #tidy(): void {
    for (const [root, kept] of this.#kept) if (!this.#isFresh(kept)) this.drop(root);
    if (this.#kept.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    for (const root of this.#kept.keys()) this.drop(root);
  }
}
