/**
 * The system's UI Automation: created on first use and probed once for its abilities. Nothing here leaves this thread.
 */
import { createInstance } from '../../../../native-bindings/com/apartment.ts';
import { ComError, HRESULT } from '../../../../native-bindings/com/hresult.ts';
import type { VariantInput } from '../../../../native-bindings/com/variant.ts';
import { guid } from '../../../../native-bindings/com/guid.ts';
import {
  IUIAutomation,
  IUIAutomation2,
  type IUIAutomationCacheRequest,
  type IUIAutomationCondition,
  type IUIAutomationElement,
  type IUIAutomationTreeWalker,
} from '../../../../native-bindings/uia/automation.generated.ts';
import { PatternId, PropertyId, TreeScope } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { Point } from '../../../contract/element/geometry.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import { KnownPages } from './waking.ts';
import { BOUNDARY_PROPERTIES, type Provided, isGone, isLate, mayHideChildren, providedBy } from './boundary.ts';
import type { LiveElements } from './kept-elements.ts';
import { rectOf, cachedOf, runtimeIdOf, visitChildren } from './automation-node.ts';
import type { TreeNode } from '../tree/tree.ts';
import { WM_NULL } from '../../../../native-bindings/win32/constants.ts';
import { askWithin } from '../../windows/ask.ts';
import { threadOf } from '../../windows/window-info.ts';
import { comAnswer } from './boundary.ts';

/**
 * CUIAutomation8, the version with time-outs. Source:
 * learn.microsoft.com/windows/win32/winauto/uiauto-creatingcuiautomation
 */
const CUIAUTOMATION8 = guid('e22ad333-b25f-460c-83d0-0581107395c9');
/** How long UI Automation may wait for a provider that does not answer. */
const PROVIDER_MS = 3000;
/** Limit (ms) for finding an element in one call, and then again for the walk that follows if that timed out. */
const FIND_MS = 2000;

/** What this system's UI Automation offers; probed, since version numbers say little. */
export interface AutomationAbilities {
  /** A whole subtree in one call. */
  readonly subtreeCache: boolean;
  /** Property conditions that can be combined. */
  readonly conditions: boolean;
  /** Patterns, through which elements are operated. */
  readonly patterns: boolean;
}

/** Creates the automation object; null where the system has none. Tests supply their own. */
export type AutomationFactory = () => IUIAutomation | null;

/** The system's factory. */
export const systemAutomation: AutomationFactory = () => {
  return comAnswer(() => createInstance(CUIAUTOMATION8, IUIAutomation));
};

/** Whether a call is implemented; other failures do not matter here. */
function isOffered(call: () => unknown): boolean {
  try {
    (call() as Disposable | null | undefined)?.[Symbol.dispose]?.();
    return true;
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    return error.hresult !== HRESULT.E_NOTIMPL && error.hresult !== HRESULT.E_NOINTERFACE;
  }
}

const LIST_VIEW = 'syslistview32';

/**
 * Windows has two proxies for list views: the first makes an element of each row and cell, the second, which takes over
 * where the first is removed, of the rows in view only. The others are read by messages. The table is this client's own.
 * Source: learn.microsoft.com/windows/win32/winauto/uiauto-clientsideprovider
 */
function leaveLongLists(client: IUIAutomation): void {
  using table = client.get_ProxyFactoryMapping();
  const count = table?.get_Count() ?? 0;
  const forLists: number[] = [];
  for (let index = 0; index < count; index++) {
    using entry = table!.GetEntry(index);
    if (entry?.get_ClassName()?.toLowerCase().includes(LIST_VIEW) === true) forLists.push(index);
  }
  if (forLists.length > 1) table!.RemoveEntry(forLists[0]!);
}

/** Lives as long as the worker; disposing of it releases everything. */
export class Automation implements Disposable {
  readonly client: IUIAutomation;
  abilities: AutomationAbilities;
  /** Elements below a window can be searched for by their properties. */
  canSearch: boolean;
  /** The true condition: every element, control or not, which every system can walk by. */
  readonly #everything: IUIAutomationCondition;
  readonly walker: IUIAutomationTreeWalker;
  /** Which programs have shown a page. */
  readonly pages = new KnownPages();
  /** The elements of the readings that are kept. */
  readonly readings = new Set<LiveElements>();
  /** Calls that still run in their programs. */
  readonly givenUp = new GivenUpCalls();
  /** Parts that did not answer before. */
  readonly failed = new FailedParts();
  /** By the identity of a list: whether its parts have new RuntimeIds at each look. */
  readonly passing = new Map<string, boolean>();
  /** Sets the time-outs; null on systems without them. */
  readonly #timeouts: IUIAutomation2 | null;

  private constructor(client: IUIAutomation) {
    this.client = client;
    this.#everything = client.CreateTrueCondition()!;
    this.walker = client.CreateTreeWalker(this.#everything)!;
    this.#timeouts = client.query(IUIAutomation2);
    this.#limitWaiting(PROVIDER_MS);
    // Operating an element must not move the focus to it.
    isOffered(() => this.#timeouts?.put_AutoSetFocus(false));
    isOffered(() => {
      leaveLongLists(client);
    });
    this.abilities = this.#probe();
    this.canSearch = this.abilities.conditions;
  }

  /** Null where the system has no UI Automation. The calling thread is in the multithreaded apartment. */
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

  /**
   * Runs a query with a shorter time-out than usual, so that time is left for another method. Errors: what `ask`
   * throws.
   */
  waitingAtMost<T>(milliseconds: number, ask: () => T): T {
    this.#limitWaiting(Math.max(1, Math.min(PROVIDER_MS, Math.round(milliseconds))));
    try {
      return ask();
    } finally {
      this.#limitWaiting(PROVIDER_MS);
    }
  }

  /** Subtree requests proved unavailable: walk trees from now on. */
  giveUpSubtrees(): void {
    this.abilities = { ...this.abilities, subtreeCache: false };
  }

  /** Searching proved unavailable: walk trees from now on. */
  giveUpSearching(): void {
    this.canSearch = false;
  }

  /** A cache request for these properties. `subtree`: for all descendants too. */
  request(properties: readonly number[], subtree: boolean): IUIAutomationCacheRequest {
    const request = this.client.CreateCacheRequest()!;
    for (const property of properties) request.AddProperty(property);
    if (subtree) request.put_TreeScope(TreeScope.Subtree);
    return request;
  }

  /** A cache request for these properties of an element and of its children. */
  levelRequest(properties: readonly number[]): IUIAutomationCacheRequest {
    const request = this.request(properties, false);
    request.put_TreeScope(TreeScope.Element | TreeScope.Children);
    return request;
  }

  /** The condition of everything that has all of these properties; the caller disposes of it. */
  having([first, ...others]: ReadonlyArray<readonly [property: number, value: VariantInput]>): IUIAutomationCondition {
    const one = this.client.CreatePropertyCondition(...first!)!;
    if (others.length === 0) return one;
    using own = one;
    using rest = this.having(others);
    return this.client.CreateAndCondition(own, rest)!;
  }

  /** The RuntimeId of the element at a screen point; null where the system does not say. */
  idAt = (point: Point): string | null =>
    this.#idOf((request) => this.client.ElementFromPointBuildCache({ x: point.x, y: point.y }, request));

  /** That of the element with the keyboard focus, of whatever program. */
  focusedId = (): string | null => this.#idOf((request) => this.client.GetFocusedElementBuildCache(request));

  #idOf(ask: (request: IUIAutomationCacheRequest) => IUIAutomationElement | null): string | null {
    using request = this.request([PropertyId.RuntimeId], false);
    return comAnswer(() => {
      using element = this.waitingAtMost(FIND_MS, () => ask(request));
      return element === null ? null : runtimeIdOf(element);
    });
  }

  /** The element of a window; null when the window or its provider is gone. */
  fromWindow(hwnd: number): IUIAutomationElement | null {
    return comAnswer(() => this.client.ElementFromHandle(hwnd));
  }

  /** The same for operating it: null only when it is gone. Errors: window_hung. */
  windowElement(hwnd: number): IUIAutomationElement | null {
    try {
      return this.client.ElementFromHandle(hwnd);
    } catch (error) {
      return goneOrHung(error);
    }
  }

  /**
   * The element of a node, which the caller disposes of; null when it is gone. It is looked up from its own window, which is
   * cheap; where that window's provider does not show it (inner windows of packaged apps), from the window that was
   * read. Source:
   * github.com/trycua/cua/issues/1606. Errors: window_hung.
   */
  elementOf({ locator, hwnd }: Pick<TreeNode, 'locator' | 'hwnd'>, root: number): IUIAutomationElement | null {
    if (locator.kind !== 'uia') return this.windowElement(hwnd);
    return this.find(hwnd, locator.runtimeId) ?? (hwnd === root ? null : this.find(root, locator.runtimeId));
  }

  /**
   * The element with this RuntimeId below a window (or the window itself), which the caller disposes of; null when it
   * is gone. An element of a reading that is kept is asked for its RuntimeId alone. Errors: window_hung.
   */
  find(hwnd: number, runtimeId: readonly number[]): IUIAutomationElement | null {
    const wanted = runtimeId.join('.');
    if (!this.givenUp.haveEnded(hwnd, FIND_MS)) throw hung();
    const read = wanted === '' ? undefined : [...this.readings].map((all) => all.find(wanted)).find((one) => one);
    try {
      if (read !== undefined && this.waitingAtMost(FIND_MS, () => isStill(read, wanted))) return read.clone();
    } catch (error) {
      if (isLate(error)) this.givenUp.note(hwnd);
      return goneOrHung(error);
    }
    return this.#search(hwnd, wanted);
  }

  #search(hwnd: number, wanted: string): IUIAutomationElement | null {
    using start = this.windowElement(hwnd);
    if (start === null) return null;
    try {
      if (!this.abilities.subtreeCache) return this.#findWalking(start, wanted, Infinity);
      return this.waitingAtMost(FIND_MS, () => this.#findInSubtree(start, wanted));
    } catch (error) {
      if (isLate(error)) this.givenUp.note(hwnd);
      if (!(error instanceof ComError) || !user32.IsWindow(hwnd)) return goneOrHung(error);
      if (!this.givenUp.haveEnded(hwnd, FIND_MS)) throw hung(error);
    }
    // A window that is too large for one call, or of which a part fails, is walked as far as time allows.
    try {
      return this.waitingAtMost(FIND_MS / 2, () => this.#findWalking(start, wanted, performance.now() + FIND_MS));
    } catch (error) {
      if (isLate(error)) this.givenUp.note(hwnd);
      return goneOrHung(error);
    }
  }

  /** Everything below in one call; what that call left out behind boundaries, by calls from there. */
  #findInSubtree(start: IUIAutomationElement, wanted: string): IUIAutomationElement | null {
    using request = this.request([PropertyId.RuntimeId, ...BOUNDARY_PROPERTIES], true);
    using stack = new DisposableStack();
    const behind: IUIAutomationElement[] = [];
    const until = performance.now() + FIND_MS;
    let isBare = false;
    const look = (from: IUIAutomationElement): IUIAutomationElement | null => {
      using cached = from.BuildUpdatedCache(request);
      using children = cached === null ? null : cached.GetCachedChildren();
      isBare = children === null || children.get_Length() === 0;
      return cached === null ? null : findCached(cached, wanted, null, (leaf) => behind.push(stack.use(leaf)));
    };
    let found = look(start);
    for (let at = 0; found === null && at < behind.length; at++) {
      if (performance.now() > until) throw hung();
      const boundary = behind[at]!;
      using first = this.walker.GetFirstChildElement(boundary);
      if (first === null) continue;
      found = look(boundary);
      // A part that only a walk reaches.
      if (found === null && isBare) found = this.#findWalking(boundary, wanted, until);
    }
    return found;
  }

  #findWalking(start: IUIAutomationElement, wanted: string, until: number): IUIAutomationElement | null {
    using request = this.request([PropertyId.RuntimeId], false);
    using cached = start.BuildUpdatedCache(request);
    const walk: FindWalk = { request, wanted, until, failure: null };
    const found = cached === null ? null : this.#findBelow(cached, walk);
    // The element may be behind a step that failed.
    if (found === null && walk.failure !== null) throw walk.failure;
    return found;
  }

  #findBelow(element: IUIAutomationElement, walk: FindWalk): IUIAutomationElement | null {
    if (runtimeIdOf(element) === walk.wanted) return element.clone();
    if (performance.now() > walk.until) throw hung();
    const seen = new Set<string>();
    let found: IUIAutomationElement | null = null;
    const { walker } = this;
    const step = (ask: () => IUIAutomationElement | null): IUIAutomationElement | null | undefined => stepOf(walk, ask);
    visitChildren(element, { walker, request: walk.request, step }, (child) => {
      // A provider may show the same child again and again.
      const id = runtimeIdOf(child);
      if (seen.has(id)) return false;
      seen.add(id);
      found = this.#findBelow(child, walk);
      return found === null;
    });
    return found;
  }

  [Symbol.dispose](): void {
    for (const reading of this.readings) reading[Symbol.dispose]();
    this.#timeouts?.[Symbol.dispose]();
    this.walker[Symbol.dispose]();
    this.#everything[Symbol.dispose]();
    this.client[Symbol.dispose]();
  }
}

/** State of a walk in search of one element. */
interface FindWalk {
  readonly request: IUIAutomationCacheRequest;
  readonly wanted: string;
  readonly until: number;
  /** The last step that failed. */
  failure: ComError | null;
}

/** A failed step skips what is behind it, unless its window is late or gone: then the walk is pointless. */
function stepOf(walk: FindWalk, ask: () => IUIAutomationElement | null): IUIAutomationElement | null | undefined {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof ComError) || isLate(error)) throw error;
    walk.failure = error;
    return undefined;
  }
}

/**
 * Whether an element still answers with this RuntimeId; an item of a virtual list is replaced under the same one when it is
 * realised. Errors: what a provider that does not answer in time throws.
 * Source: learn.microsoft.com/windows/win32/api/uiautomationclient/nf-uiautomationclient-iuiautomationelement-getruntimeid
 */
function isStill(element: IUIAutomationElement, wanted: string): boolean {
  try {
    const id = element.GetCurrentPropertyValueEx(PropertyId.RuntimeId, true);
    const isVirtual = element.GetCurrentPropertyValueEx(PropertyId.IsVirtualizedItemPatternAvailable, true) === true;
    return Array.isArray(id) && id.join('.') === wanted && !isVirtual;
  } catch (error) {
    if (!(error instanceof ComError) || isLate(error)) throw error;
    return false;
  }
}

const hung = (cause?: unknown): UiaHostError =>
  new UiaHostError(
    'window_hung',
    'The program did not answer UI Automation in time, so the element could not be looked up. Nothing was sent.',
    { cause },
  );

/** Null for an element that is gone; throws if the element did not answer, since it may still exist. */
function goneOrHung(error: unknown): null {
  if (!(error instanceof ComError)) throw error;
  if (isGone(error)) return null;
  throw hung(error);
}

/** @param behind gets elements whose children may be missing, for its caller to dispose of */
function findCached(
  element: IUIAutomationElement,
  wanted: string,
  above: Provided | null,
  behind: (leaf: IUIAutomationElement) => void,
): IUIAutomationElement | null {
  if (runtimeIdOf(element) === wanted) return element.clone();
  const read = cachedOf(element);
  const own = providedBy(read);
  using children = element.GetCachedChildren();
  const count = children === null ? 0 : children.get_Length();
  if (count === 0 && above !== null && mayHideChildren(read, rectOf(read(PropertyId.BoundingRectangle)), above))
    behind(element.clone());
  for (let index = 0; index < count; index++) {
    using child = children!.GetElement(index);
    const found = child === null ? null : findCached(child, wanted, own, behind);
    if (found !== null) return found;
  }
  return null;
}

/** More threads than have calls that were given up; those of ended programs are among them. */
const MOST_THREADS = 64;

/**
 * Calls that were given up at their time-out. Such a call still runs in its program, on the thread of its window, and
 * further questions to it only wait behind it. Source: learn.microsoft.com/windows/win32/winauto/uiauto-threading
 */
class GivenUpCalls {
  readonly #threads = new Set<number>();

  note(hwnd: number): void {
    if (this.#threads.size >= MOST_THREADS) this.#threads.clear();
    this.#threads.add(threadOf(hwnd).thread);
  }

  /** Whether none of them runs in the window's thread any more; waits for that at most this long (ms). */
  haveEnded(hwnd: number, withinMs: number): boolean {
    if (this.#threads.size === 0) return true;
    const { thread } = threadOf(hwnd);
    if (!this.#threads.has(thread)) return true;
    if (askWithin(hwnd, WM_NULL, 0, 0, withinMs) === null) return false;
    this.#threads.delete(thread);
    return true;
  }
}

/** A part that fails this often in a row is asked after the others. */
const OFTEN = 2;
/** Parts whose failures are remembered. */
const MOST_PARTS = 1000;

/** How often parts of windows, by their identity, have failed in a row. */
class FailedParts {
  readonly #failures = new Map<string, number>();

  note(identity: string, isRead: boolean): void {
    if (isRead) this.#failures.delete(identity);
    else if (this.#failures.size < MOST_PARTS) this.#failures.set(identity, (this.#failures.get(identity) ?? 0) + 1);
  }

  /** Whether it is better asked last, so that it takes no time from the others. */
  hasFailedOften(identity: string): boolean {
    return (this.#failures.get(identity) ?? 0) >= OFTEN;
  }
}
