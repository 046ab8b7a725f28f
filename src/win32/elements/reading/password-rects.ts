/**
 * Finds password fields that only UI Automation knows, so that pictures can paint over them. One search of the whole
 * window where the system offers it; else a walk, element by element, within its time. No value is read.
 */
import { ComError, HRESULT } from '../../../../native-bindings/com/hresult.ts';
import type { VariantValue } from '../../../../native-bindings/com/variant.ts';
import type {
  IUIAutomationCacheRequest,
  IUIAutomationCondition,
  IUIAutomationElement,
} from '../../../../native-bindings/uia/automation.generated.ts';
import { ControlTypeId, PropertyId, TreeScope } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { Rect } from '../../../contract/element/geometry.ts';
import type { CallContext } from '../../../desktop/index.ts';
import type { PasswordRects, PasswordTime } from '../../imaging/password-memory.ts';
import { isBrowserWindow, isRenderWindow, isSystemClass } from '../../windows/classes.ts';
import { classNameOf, descendantsOf, isPasswordEdit, readWindowInfo } from '../../windows/window-info.ts';
import { pause } from '../../windows/waiting.ts';
import { Asker, PING_MS, answers } from '../../windows/ask.ts';
import type { Automation } from '../sources/uia-client.ts';
import {
  BOUNDARY_PROPERTIES,
  type Provided,
  isLate,
  isNotable,
  mayHideChildren,
  providedBy,
} from '../sources/boundary.ts';
import { rectOf, cachedOf, visitChildren } from '../sources/automation-node.ts';
import { identityOf, plain, readText } from '../sources/patterns.ts';
import { WAKE_PAUSES, isAddress, pokePages } from '../sources/waking.ts';

const MOST_ELEMENTS = 5000;

/** Properties that every system answers; the other lists add to them. */
const BASIC = [PropertyId.IsPassword, PropertyId.IsOffscreen, ...BOUNDARY_PROPERTIES] as const;
const wanted = ({ abilities }: Automation): readonly number[] =>
  abilities.patterns ? [...BASIC, PropertyId.IsTextPatternAvailable] : BASIC;

/** Control types that may hold what a search leaves out. */
const SEARCHED_TYPES = [
  ControlTypeId.Document,
  ControlTypeId.Pane,
  ControlTypeId.Custom,
  ControlTypeId.Group,
  ControlTypeId.Window,
] as const;
/** Time (ms) for boundaries where the search itself used up the rest: a late answer counts. */
const BEHIND_MS = 600;
/** Time (ms) for waking a page: a browser answers in a few. */
const POKE_MS = 500;

/** What was found so far; kept even if the rest fails. */
interface PasswordsFound {
  readonly rects: Rect[];
  /** The documents that are still empty. */
  readonly blank: string[];
  /** There is a document, empty or not … */
  hasDocument: boolean;
  /** … and a document with content. */
  hasPage: boolean;
  /** Part of the window was not read. */
  isCut: boolean;
  /** Nothing but windows was found. */
  isPlain: boolean;
  count: number;
  /** Windows that were met. */
  readonly windows: Set<number>;
}

const nothing = (): PasswordsFound => ({
  rects: [],
  blank: [],
  hasDocument: false,
  hasPage: false,
  isCut: false,
  isPlain: true,
  count: 0,
  windows: new Set(),
});

const isTrue = (element: IUIAutomationElement, property: number): boolean => cachedOf(element)(property) === true;

const isDocument = (element: IUIAutomationElement): boolean =>
  cachedOf(element)(PropertyId.ControlType) === ControlTypeId.Document;

/** Records a password field. True for a document, which may need a closer look. */
function note(element: IUIAutomationElement, found: PasswordsFound): boolean {
  const handle = cachedOf(element)(PropertyId.NativeWindowHandle);
  if (typeof handle === 'number') found.windows.add(handle);
  if (typeof handle !== 'number' || handle === 0 || (isTrue(element, PropertyId.IsPassword) && !isPasswordEdit(handle)))
    found.isPlain = false;
  if (isTrue(element, PropertyId.IsPassword)) {
    if (!isTrue(element, PropertyId.IsOffscreen))
      found.rects.push(rectOf(cachedOf(element)(PropertyId.BoundingRectangle)));
    return false;
  }
  return isDocument(element);
}

/**
 * A document without elements that has no content either, as far as the system reports. It is not a password field, so
 * its value may be read. A field for text is an editor that is empty.
 */
function isBlank(document: IUIAutomationElement, { abilities }: Automation): boolean {
  if (!abilities.patterns) return true;
  const current = (property: number): VariantValue => plain(document.GetCurrentPropertyValueEx(property, true));
  const value = current(PropertyId.ValueValue);
  if (typeof value !== 'string')
    return !isTrue(document, PropertyId.IsTextPatternAvailable) || readText(document, 1) === '';
  if (value.trim() !== '' && !isAddress(value)) return false;
  return current(PropertyId.ValueIsReadOnly) !== false;
}

function hasCachedChildren(element: IUIAutomationElement): boolean {
  using children = element.GetCachedChildren();
  return children !== null && children.get_Length() > 0;
}

/** What a search looks for: password fields, and what may have parts that the search leaves out. */
function searchCondition({ client }: Automation, stack: DisposableStack): IUIAutomationCondition {
  const property = (id: number, value: boolean | number): IUIAutomationCondition =>
    stack.use(client.CreatePropertyCondition(id, value)!);
  const either = (one: IUIAutomationCondition, other: IUIAutomationCondition): IUIAutomationCondition =>
    stack.use(client.CreateOrCondition(one, other)!);
  return [
    ...SEARCHED_TYPES.map((type) => property(PropertyId.ControlType, type)),
    stack.use(client.CreateNotCondition(property(PropertyId.NativeWindowHandle, 0))!),
  ].reduce(either, property(PropertyId.IsPassword, true));
}

/** State of a search. */
interface PasswordSearch {
  readonly automation: Automation;
  readonly hwnd: number;
  readonly condition: IUIAutomationCondition;
  readonly request: IUIAutomationCacheRequest;
  readonly found: PasswordsFound;
  /** When the search ends; elements behind boundaries always get some time. */
  end: number;
  /** Elements that may have parts which the search leaves out, with the start. */
  readonly starts: IUIAutomationElement[];
  readonly stack: DisposableStack;
  root: Provided | null;
}

/** Finds everything below `starts[from]` in one call, and adds the boundaries that it meets. Errors: ComError. */
function searchFrom(search: PasswordSearch, from: number): void {
  const { automation, condition, request, found, end, starts, stack } = search;
  const start = starts[from]!;
  using elements = automation.waitingAtMost(Math.max(1, end - performance.now()), () =>
    start.FindAllBuildCache(TreeScope.Subtree, condition, request),
  );
  const length = elements === null ? 0 : elements.get_Length();
  for (let at = 0; at < length; at++) {
    using element = elements!.GetElement(at);
    if (element === null) continue;
    const read = cachedOf(element);
    search.root ??= providedBy(read);
    const isPage = note(element, found);
    if (isPage) found.hasDocument = true;
    if (hasCachedChildren(element)) {
      found.hasPage ||= isPage;
      continue;
    }
    if (from > 0 && at === 0) {
      // A boundary whose parts no search returns.
      walkBoundary(search, start);
      continue;
    }
    const rect = rectOf(read(PropertyId.BoundingRectangle));
    if (isPage || mayHideChildren(read, rect, null) || (isNotable(rect) && mayHideChildren(read, rect, search.root)))
      starts.push(stack.use(element.clone()));
  }
}

function walkBoundary({ automation, end, found }: PasswordSearch, boundary: IUIAutomationElement): void {
  const left = end - performance.now();
  using request = automation.request([...wanted(automation), PropertyId.RuntimeId], false);
  using start = boundary.BuildUpdatedCache(request);
  if (start === null) return;
  const walk = { request, automation, asker: new Asker(left), found };
  automation.waitingAtMost(Math.max(1, left), () => walkBelow(start, walk));
}

/**
 * Searches behind a boundary that has children the first search left out. A boundary that cannot be read in time is
 * painted over.
 */
function searchBehind(search: PasswordSearch, from: number): void {
  const { automation, hwnd, found, end, starts } = search;
  const boundary = starts[from]!;
  try {
    if (performance.now() < end && automation.givenUp.haveEnded(hwnd, end - performance.now())) {
      using first = automation.walker.GetFirstChildElement(boundary);
      if (first !== null) searchFrom(search, from);
      else if (isDocument(boundary) && isBlank(boundary, automation)) found.blank.push(identityOf(boundary) ?? '');
      return;
    }
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    if (isLate(error)) automation.givenUp.note(hwnd);
  }
  found.isCut = true;
  found.rects.push(rectOf(cachedOf(boundary)(PropertyId.BoundingRectangle)));
}

const isShown = (hwnd: number): boolean => user32.IsWindowVisible(hwnd);

/** Child windows of a program's own class that the search did not meet: each may have a provider of its own. */
function addLeftOut({ automation, hwnd, request, found, starts, stack }: PasswordSearch): void {
  for (const child of descendantsOf(hwnd)) {
    const info = found.windows.has(child) || !isShown(child) ? null : readWindowInfo(child);
    if (info === null || isSystemClass(info.className) || !isNotable(info.rect)) continue;
    const element = automation.fromWindow(child);
    if (element !== null) stack.use(element);
    const start = element?.BuildUpdatedCache(request) ?? null;
    if (start === null) {
      found.isCut = true;
      found.rects.push(info.rect);
    } else starts.push(stack.use(start));
  }
}

/** `late`: the window did not answer. `failed`: one part returned an error, which failed the whole call. */
type Answer = PasswordsFound | 'late' | 'failed';

/**
 * Source: learn.microsoft.com/windows/win32/api/uiautomationclient/nf-uiautomationclient-iuiautomationelement-findallbuildcache
 */
function search(automation: Automation, hwnd: number, end: number): Answer {
  using stack = new DisposableStack();
  try {
    const start = automation.fromWindow(hwnd);
    if (start === null) return 'late';
    stack.use(start);
    // Includes the children as of the search: a page may be built right after it.
    const request = stack.use(automation.request(wanted(automation), false));
    request.put_TreeScope(TreeScope.Element | TreeScope.Children);
    const condition = searchCondition(automation, stack);
    const found = nothing();
    const state: PasswordSearch = {
      automation,
      hwnd,
      condition,
      request,
      found,
      end,
      starts: [start],
      stack,
      root: null,
    };
    searchFrom(state, 0);
    addLeftOut(state);
    state.end = Math.max(end, performance.now() + BEHIND_MS);
    for (let from = 1; from < state.starts.length; from++) searchBehind(state, from);
    return found;
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    if (error.hresult === HRESULT.E_NOTIMPL) automation.giveUpSearching();
    if (isLate(error)) automation.givenUp.note(hwnd);
    return isLate(error) || !user32.IsWindow(hwnd) ? 'late' : 'failed';
  }
}

/** Pages in the window that have not been built: documents that are empty, or the window of a browser without any. */
function wakingPages({ blank, hasDocument }: PasswordsFound, hwnd: number): readonly string[] {
  if (hasDocument || blank.length > 0) return blank;
  return isBrowserWindow(classNameOf(hwnd)) || renderWindows(hwnd).length > 0 ? [`window ${hwnd}`] : [];
}

/** What a complete search found. */
const complete = ({ rects, isPlain, hasDocument }: PasswordsFound): PasswordRects => ({
  rects,
  known: 'all',
  ...(isPlain && !hasDocument ? { isPlain: true } : {}),
});

const renderWindows = (hwnd: number): number[] =>
  descendantsOf(hwnd).filter((child) => isShown(child) && isRenderWindow(classNameOf(child)));

async function searched(
  automation: Automation,
  hwnd: number,
  time: PasswordTime,
  call: CallContext,
): Promise<PasswordRects> {
  const { askMs } = time;
  if (askMs <= 0) return { rects: [], known: 'unanswered' };
  const end = performance.now() + askMs;
  const { pages } = automation;
  let last: PasswordsFound | null = null;
  for (let again = 0; ; again++) {
    const found: Answer = (await answers(hwnd, Math.min(PING_MS, askMs))) ? search(automation, hwnd, end) : 'late';
    // One failing part must not hide the others: they are walked one by one.
    if (found === 'failed' && automation.canSearch)
      return walked(automation, hwnd, { ...time, walkMs: Math.max(0, end - performance.now()) });
    if (found === 'late' || found === 'failed') return { rects: last?.rects ?? [], known: 'unanswered' };
    last = found;
    const waking = wakingPages(found, hwnd);
    if (waking.length === 0) return found.isCut ? { rects: found.rects, known: 'partly' } : complete(found);
    const next = WAKE_PAUSES[again];
    if (next === undefined) pages.noteInVain(waking);
    // An empty document next to or in a built page stays empty.
    const isAwaited = !found.hasPage && waking.some((page) => pages.isAwaited(page));
    if (next === undefined || !isAwaited || performance.now() + next >= end)
      return { rects: last.rects, known: 'partly' };
    if (again === 0) pokePages([hwnd, ...renderWindows(hwnd)], new Asker(Math.min(POKE_MS, end - performance.now())));
    await pause(next, call);
  }
}

/** State of a walk. */
interface PasswordWalk {
  readonly request: IUIAutomationCacheRequest;
  readonly automation: Automation;
  readonly asker: Asker;
  readonly found: PasswordsFound;
}

/** One step of the walk; a failed step leaves what is behind it unknown. */
function stepOf(
  { found }: PasswordWalk,
  ask: () => IUIAutomationElement | null,
): IUIAutomationElement | null | undefined {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    found.isCut = true;
    return undefined;
  }
}

/** The element and its descendants; false when time is up. */
function walkOne(current: IUIAutomationElement, walk: PasswordWalk): boolean {
  const { asker, found, automation } = walk;
  const isPage = note(current, found);
  // Fetched elements count; only further steps are cut.
  if (asker.isOver || ++found.count >= MOST_ELEMENTS) {
    found.isCut = true;
    return false;
  }
  const below = walkBelow(current, walk);
  if (below === 'none' && isPage && isBlank(current, automation)) found.blank.push(identityOf(current) ?? '');
  return below !== 'over';
}

/** All children. A part that cannot be read at all is painted over. */
function walkBelow(above: IUIAutomationElement, walk: PasswordWalk): 'some' | 'none' | 'over' {
  const { automation, request, found } = walk;
  const step = (ask: () => IUIAutomationElement | null): IUIAutomationElement | null | undefined => stepOf(walk, ask);
  let isEmpty = true;
  const visited = visitChildren(above, { walker: automation.walker, request, step }, (child) => {
    isEmpty = false;
    return walkOne(child, walk);
  });
  if (visited === 'stopped') return 'over';
  if (visited === 'none') found.rects.push(rectOf(cachedOf(above)(PropertyId.BoundingRectangle)));
  return isEmpty && visited === 'all' ? 'none' : 'some';
}

function walked(automation: Automation, hwnd: number, { walkMs }: PasswordTime): PasswordRects {
  const asker = new Asker(walkMs);
  const found = nothing();
  if (walkMs <= 0 || !asker.answers(hwnd)) return { rects: [], known: 'partly' };
  try {
    using request = automation.request([...wanted(automation), PropertyId.RuntimeId], false);
    using window = automation.fromWindow(hwnd);
    using start = window === null ? null : window.BuildUpdatedCache(request);
    if (start !== null) automation.waitingAtMost(walkMs, () => walkBelow(start, { request, automation, asker, found }));
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    found.isCut = true;
  }
  if (found.isCut || found.blank.length > 0) return { rects: found.rects, known: 'partly' };
  return complete(found);
}

/** Errors: cancelled. */
export async function passwordRects(
  automation: Automation | null,
  hwnd: number,
  time: PasswordTime,
  call: CallContext,
): Promise<PasswordRects> {
  if (automation === null) return { rects: [], known: 'partly' };
  if (automation.canSearch) {
    const answer = await searched(automation, hwnd, time, call);
    if (automation.canSearch) return answer;
  }
  return walked(automation, hwnd, time);
}
