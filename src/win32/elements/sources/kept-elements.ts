/**
 * Live UI Automation elements that actions used, so that the next action on the same one needs no search through its
 * window. Each is verified by its RuntimeId before it is used again. Source:
 * learn.microsoft.com/windows/win32/api/uiautomationclient/nf-uiautomationclient-iuiautomationelement-getruntimeid
 */
import { ComError } from '../../../../native-bindings/com/hresult.ts';
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import { PropertyId } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { processCreated } from '../../system/process.ts';
import { threadOf } from '../../windows/window-info.ts';
import type { TreeNode } from '../tree/tree.ts';
import { isLate } from './boundary.ts';

/** The elements of one reading; disposing of them releases every element that no view took over. */
export class LiveElements implements Disposable {
  readonly #readings: Set<LiveElements>;
  #elements = new Map<TreeNode, IUIAutomationElement>();
  /** By RuntimeId, once one is looked for. */
  #byId: Map<string, IUIAutomationElement> | null = null;
  /** Nodes behind which another provider begins: a search ends there. */
  gaps: TreeNode[] = [];

  /** @param readings gets the kept readings, where elements are searched for */
  constructor(readings: Set<LiveElements>) {
    this.#readings = readings;
  }

  add(node: TreeNode, element: IUIAutomationElement): void {
    this.#elements.set(node, element.clone());
  }

  /** The element of a node; it still belongs to these. */
  get(node: TreeNode): IUIAutomationElement | undefined {
    return this.#elements.get(node);
  }

  /** The element with this RuntimeId; it still belongs to these. */
  find(id: string): IUIAutomationElement | undefined {
    if (this.#byId === null) {
      this.#byId = new Map();
      for (const [{ locator }, element] of this.#elements)
        if (locator.kind === 'uia' && locator.isShared !== true) this.#byId.set(locator.runtimeId.join('.'), element);
    }
    return this.#byId.get(id);
  }

  get isEmpty(): boolean {
    return this.#elements.size === 0;
  }

  /** Hands all over to a new owner. */
  move(): LiveElements {
    const moved = new LiveElements(this.#readings);
    [moved.#elements, this.#elements] = [this.#elements, moved.#elements];
    [moved.gaps, this.gaps] = [this.gaps, moved.gaps];
    this.#readings.add(moved);
    return moved;
  }

  [Symbol.dispose](): void {
    this.#readings.delete(this);
    for (const element of this.#elements.values()) element[Symbol.dispose]();
    this.#elements.clear();
    this.#byId = null;
  }
}

/** Each keeps an object of the target program alive. */
const MOST_KEPT = 64;
/** Unused for this long (ms), all are released. */
const IDLE_MS = 30_000;

interface KeptElement {
  readonly element: IUIAutomationElement;
  readonly hwnd: number;
  /** The process that provides it, with its start: a number may be used again. */
  readonly provider: string;
}

function providerOf(hwnd: number): string {
  const { process } = threadOf(hwnd);
  return `${process} ${processCreated(process) ?? ''}`;
}

/** Whether it still answers with this RuntimeId. Errors: what a provider that does not answer in time throws. */
function isStill(element: IUIAutomationElement, wanted: string): boolean {
  try {
    const id = element.GetCurrentPropertyValueEx(PropertyId.RuntimeId, true);
    return Array.isArray(id) && id.join('.') === wanted;
  } catch (error) {
    if (!(error instanceof ComError) || isLate(error)) throw error;
    return false;
  }
}

/** An item of a virtual list is replaced when it is realised, under the same RuntimeId. */
function isLasting(element: IUIAutomationElement): boolean {
  try {
    return element.GetCurrentPropertyValueEx(PropertyId.IsVirtualizedItemPatternAvailable, true) !== true;
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    return false;
  }
}

export class KeptElements implements Disposable {
  /** Ordered by last use. */
  readonly #kept = new Map<string, KeptElement>();
  #timer: NodeJS.Timeout | null = null;

  /** The element with this RuntimeId, for the caller to dispose of; null if it has to be searched for. */
  take(hwnd: number, id: string): IUIAutomationElement | null {
    const key = `${hwnd} ${id}`;
    const kept = this.#kept.get(key);
    if (kept === undefined) return null;
    if (kept.provider !== providerOf(hwnd) || !isStill(kept.element, id)) {
      this.#release(key, kept);
      return null;
    }
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    this.#restart();
    return kept.element.clone();
  }

  keep(hwnd: number, id: string, element: IUIAutomationElement): void {
    for (const [key, kept] of this.#kept)
      if (!user32.IsWindow(kept.hwnd) || this.#kept.size >= MOST_KEPT) this.#release(key, kept);
    if (!isLasting(element)) return;
    const key = `${hwnd} ${id}`;
    const old = this.#kept.get(key);
    if (old !== undefined) this.#release(key, old);
    this.#kept.set(key, { element: element.clone(), hwnd, provider: providerOf(hwnd) });
    this.#restart();
  }

  #release(key: string, { element }: KeptElement): void {
    this.#kept.delete(key);
    element[Symbol.dispose]();
  }

  #restart(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this[Symbol.dispose](), IDLE_MS).unref();
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const [key, kept] of this.#kept) this.#release(key, kept);
  }
}
