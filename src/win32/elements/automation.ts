/** The system's UI Automation: made when first needed, asked once what it can do. Nothing here leaves this thread. */
import { createInstance } from '../../../native-bindings/com/apartment.ts';
import { ComError, HRESULT } from '../../../native-bindings/com/hresult.ts';
import { guid } from '../../../native-bindings/com/guid.ts';
import {
  IUIAutomation,
  IUIAutomation2,
  type IUIAutomationCacheRequest,
  type IUIAutomationCondition,
  type IUIAutomationElement,
  type IUIAutomationTreeWalker,
} from '../../../native-bindings/uia/automation.generated.ts';
import { PatternId, PropertyId, TreeScope } from '../../../native-bindings/uia/identifiers.generated.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { isGone, isLate } from './failures.ts';

/** CUIAutomation8: the one with time-outs. Source: learn.microsoft.com/windows/win32/winauto/uiauto-creatingcuiautomation */
const CUIAUTOMATION8 = guid('e22ad333-b25f-460c-83d0-0581107395c9');
/** How long UI Automation itself may wait for a provider that does not answer. */
const PROVIDER_MS = 3000;
/** How long an element is looked for in one call, and then, where that was too long, one by one. */
const FIND_MS = 2000;

/** What this system's UI Automation offers; found by trying, since versions say little. */
export interface AutomationAbilities {
  /** A whole subtree in one call. */
  readonly subtreeCache: boolean;
  /** Conditions on properties, joined. */
  readonly conditions: boolean;
  /** Patterns: acting on elements. */
  readonly patterns: boolean;
}

/** Makes the automation object; null where the system has none. Tests give one of their own. */
export type AutomationFactory = () => IUIAutomation | null;

/** Windows' own. */
export const systemAutomation: AutomationFactory = () => {
  try {
    return createInstance(CUIAUTOMATION8, IUIAutomation);
  } catch (error) {
    if (error instanceof ComError) return null;
    throw error;
  }
};

/** Whether a call is there at all; other failures are its own business. */
function isOffered(call: () => unknown): boolean {
  try {
    (call() as Disposable | null | undefined)?.[Symbol.dispose]?.();
    return true;
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    return error.hresult !== HRESULT.E_NOTIMPL && error.hresult !== HRESULT.E_NOINTERFACE;
  }
}

/** Held for a worker's life; disposing of it releases everything. */
export class Automation implements Disposable {
  readonly client: IUIAutomation;
  abilities: AutomationAbilities;
  /** Elements below a window can be searched for by their properties. */
  canSearch: boolean;
  /** Everything, control elements or not: what every system can walk by. */
  readonly #everything: IUIAutomationCondition;
  readonly walker: IUIAutomationTreeWalker;
  /** Sets the time-outs; null on systems without them. */
  readonly #timeouts: IUIAutomation2 | null;

  private constructor(client: IUIAutomation) {
    this.client = client;
    this.#everything = client.CreateTrueCondition()!;
    this.walker = client.CreateTreeWalker(this.#everything)!;
    this.#timeouts = client.query(IUIAutomation2);
    this.#limitWaiting(PROVIDER_MS);
    // Acting on an element must not move the focus to it.
    isOffered(() => this.#timeouts?.put_AutoSetFocus(false));
    this.abilities = this.#probe();
    this.canSearch = this.abilities.conditions;
  }

  /** Null where the system has no UI Automation. The thread is in the multithreaded apartment. */
  static start(factory: AutomationFactory): Automation | null {
    const client = factory();
    if (client === null) return null;
    try {
      return new Automation(client);
    } catch (error) {
      client[Symbol.dispose]();
      if (error instanceof ComError) return null;
      throw error;
    }
  }

  #probe(): AutomationAbilities {
    const { client } = this;
    using request = client.CreateCacheRequest()!;
    const subtreeCache = isOffered(() => request.put_TreeScope(TreeScope.Subtree));
    const conditions = isOffered(() => {
      using one = client.CreatePropertyCondition(PropertyId.IsPassword, false)!;
      using other = client.CreatePropertyCondition(PropertyId.IsValuePatternAvailable, true)!;
      return client.CreateAndCondition(one, other);
    });
    using desktop = this.fromWindow(user32.GetDesktopWindow());
    const patterns = desktop === null || isOffered(() => desktop.GetCurrentPattern(PatternId.InvokePattern));
    return { subtreeCache, conditions, patterns };
  }

  #limitWaiting(milliseconds: number): void {
    isOffered(() => this.#timeouts?.put_ConnectionTimeout(milliseconds));
    isOffered(() => this.#timeouts?.put_TransactionTimeout(milliseconds));
  }

  /** Asks with less patience than usual, so that time is left for another way. Errors: what `ask` throws. */
  waitingAtMost<T>(milliseconds: number, ask: () => T): T {
    this.#limitWaiting(Math.max(1, Math.min(PROVIDER_MS, Math.round(milliseconds))));
    try {
      return ask();
    } finally {
      this.#limitWaiting(PROVIDER_MS);
    }
  }

  /** A subtree could be asked for and was not given: from now on trees are walked. */
  giveUpSubtrees(): void {
    this.abilities = { ...this.abilities, subtreeCache: false };
  }

  /** A search was asked for and is not offered: from now on trees are walked. */
  giveUpSearching(): void {
    this.canSearch = false;
  }

  /** A cache request for these properties. `subtree`: of everything below as well. */
  request(properties: readonly number[], subtree: boolean): IUIAutomationCacheRequest {
    const request = this.client.CreateCacheRequest()!;
    for (const property of properties) request.AddProperty(property);
    if (subtree) request.put_TreeScope(TreeScope.Subtree);
    return request;
  }

  /** The element of a window; null when the window or its provider is gone. */
  fromWindow(hwnd: number): IUIAutomationElement | null {
    try {
      return this.client.ElementFromHandle(hwnd);
    } catch (error) {
      if (error instanceof ComError) return null;
      throw error;
    }
  }

  /** The same for acting on it: null only when it is gone. Errors: window_hung. */
  windowElement(hwnd: number): IUIAutomationElement | null {
    try {
      return this.client.ElementFromHandle(hwnd);
    } catch (error) {
      return goneOrHung(error);
    }
  }

  /**
   * The element with this RuntimeId below a window (or the window itself), for the caller to dispose of; null when it is
   * gone. One call where subtrees can be cached. Errors: window_hung.
   */
  find(hwnd: number, runtimeId: readonly number[]): IUIAutomationElement | null {
    using start = this.windowElement(hwnd);
    if (start === null) return null;
    const wanted = runtimeId.join('.');
    try {
      if (!this.abilities.subtreeCache) return this.#findWalking(start, wanted, Infinity);
      return this.waitingAtMost(FIND_MS, () => this.#findInSubtree(start, wanted));
    } catch (error) {
      if (!(error instanceof ComError) || !user32.IsWindow(hwnd)) return goneOrHung(error);
    }
    // A window that is too large for one call, or of which a part fails, is gone through as far as there is time.
    try {
      return this.waitingAtMost(FIND_MS / 2, () => this.#findWalking(start, wanted, performance.now() + FIND_MS));
    } catch (error) {
      return goneOrHung(error);
    }
  }

  #findInSubtree(start: IUIAutomationElement, wanted: string): IUIAutomationElement | null {
    using request = this.request([PropertyId.RuntimeId], true);
    using cached = start.BuildUpdatedCache(request);
    return cached === null ? null : findCached(cached, wanted);
  }

  #findWalking(start: IUIAutomationElement, wanted: string, until: number): IUIAutomationElement | null {
    using request = this.request([PropertyId.RuntimeId], false);
    using cached = start.BuildUpdatedCache(request);
    const walk: FindWalk = { request, wanted, until, failure: null };
    const found = cached === null ? null : this.#findBelow(cached, walk);
    // What is behind a step that failed may be the element.
    if (found === null && walk.failure !== null) throw walk.failure;
    return found;
  }

  #findBelow(element: IUIAutomationElement, walk: FindWalk): IUIAutomationElement | null {
    if (cachedId(element) === walk.wanted) return element.clone();
    if (performance.now() > walk.until) throw hung();
    const seen = new Set<string>();
    const along = (
      first: () => IUIAutomationElement | null,
      next: (from: IUIAutomationElement) => IUIAutomationElement | null,
    ): IUIAutomationElement | 'failed' | null => {
      let child = stepOf(walk, first);
      while (child !== null && child !== 'failed') {
        using current: IUIAutomationElement = child;
        const id = cachedId(current);
        if (seen.has(id)) return null;
        seen.add(id);
        const found = this.#findBelow(current, walk);
        if (found !== null) return found;
        child = stepOf(walk, () => next(current));
      }
      return child;
    };
    const { walker } = this;
    const forwards = along(
      () => walker.GetFirstChildElementBuildCache(element, walk.request),
      (from) => walker.GetNextSiblingElementBuildCache(from, walk.request),
    );
    if (forwards !== 'failed') return forwards;
    // What stands behind the one that failed is reached from the end.
    const backwards = along(
      () => walker.GetLastChildElementBuildCache(element, walk.request),
      (from) => walker.GetPreviousSiblingElementBuildCache(from, walk.request),
    );
    return backwards === 'failed' ? null : backwards;
  }

  [Symbol.dispose](): void {
    this.#timeouts?.[Symbol.dispose]();
    this.walker[Symbol.dispose]();
    this.#everything[Symbol.dispose]();
    this.client[Symbol.dispose]();
  }
}

/** A walk through a tree in search of one element. */
interface FindWalk {
  readonly request: IUIAutomationCacheRequest;
  readonly wanted: string;
  readonly until: number;
  /** The last step that failed. */
  failure: ComError | null;
}

/** A step that fails costs what is behind it, unless its window is late or gone: then there is no use in going on. */
function stepOf(walk: FindWalk, ask: () => IUIAutomationElement | null): IUIAutomationElement | 'failed' | null {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof ComError) || isLate(error)) throw error;
    walk.failure = error;
    return 'failed';
  }
}

const hung = (cause?: unknown): UiaHostError =>
  new UiaHostError(
    'window_hung',
    'The program did not answer UI Automation in time, so the element could not be looked up. Nothing was sent.',
    { cause },
  );

/** What is not there is null; what did not answer may be there. */
function goneOrHung(error: unknown): null {
  if (!(error instanceof ComError)) throw error;
  if (isGone(error)) return null;
  throw hung(error);
}

function cachedId(element: IUIAutomationElement): string {
  const id = element.GetCachedPropertyValueEx(PropertyId.RuntimeId, true);
  return Array.isArray(id) ? id.join('.') : '';
}

function findCached(element: IUIAutomationElement, wanted: string): IUIAutomationElement | null {
  if (cachedId(element) === wanted) return element.clone();
  using children = element.GetCachedChildren();
  const count = children === null ? 0 : children.get_Length();
  for (let index = 0; index < count; index++) {
    using child = children!.GetElement(index);
    const found = child === null ? null : findCached(child, wanted);
    if (found !== null) return found;
  }
  return null;
}
