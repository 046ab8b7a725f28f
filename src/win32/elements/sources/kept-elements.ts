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
import { threadOf } from '../../windows/handle.ts';
import { isLate } from './failures.ts';

/** Each keeps an object of the target program alive. */
const MOST_KEPT = 64;
/** Unused for this long (ms), all are released. */
const IDLE_MS = 120_000;

interface Kept {
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
  readonly #kept = new Map<string, Kept>();
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

  #release(key: string, { element }: Kept): void {
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
