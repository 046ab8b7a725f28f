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
import { rectOf } from '../sources/automation-node.ts';
import { plain, readText } from '../sources/patterns.ts';
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
  /** A document that is still empty. */
  isWaking: boolean;
  /** There is a document, empty or not. */
  hasDocument: boolean;
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
  isWaking: false,
  hasDocument: false,
  isCut: false,
  isPlain: true,
  count: 0,
  windows: new Set(),
});

const isTrue = (element: IUIAutomationElement, property: number): boolean =>
  plain(element.GetCachedPropertyValueEx(property, true)) === true;

const isDocument = (element: IUIAutomationElement): boolean =>
  plain(element.GetCachedPropertyValueEx(PropertyId.ControlType, true)) === ControlTypeId.Document;

/** Records a password field. True for a document, which may need a closer look. */
function note(element: IUIAutomationElement, found: PasswordsFound): boolean {
  const handle = plain(element.GetCachedPropertyValueEx(PropertyId.NativeWindowHandle, true));
  if (typeof handle === 'number') found.windows.add(handle);
  if (typeof handle !== 'number' || handle === 0 || (isTrue(element, PropertyId.IsPassword) && !isPasswordEdit(handle)))
    found.isPlain = false;
  if (isTrue(element, PropertyId.IsPassword)) {
    if (!isTrue(element, PropertyId.IsOffscreen))
      found.rects.push(rectOf(plain(element.GetCachedPropertyValueEx(PropertyId.BoundingRectangle, true))));
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
  const { automation, hwnd, condition, request, found, end, starts, stack } = search;
  const start = starts[from]!;
  using elements = automation.waitingAtMost(Math.max(1, end - performance.now()), () =>
    start.FindAllBuildCache(TreeScope.Subtree, condition, request),
  );
  const length = elements === null ? 0 : elements.get_Length();
  for (let at = 0; at < length; at++) {
    using element = elements!.GetElement(at);
    if (element === null) continue;
    const read = (property: number): VariantValue => plain(element.GetCachedPropertyValueEx(property, true));
    search.root ??= providedBy(read);
    const isPage = note(element, found);
    if (isPage) found.hasDocument = true;
    if (hasCachedChildren(element)) {
      if (isPage) automation.pages.noteAnswered(hwnd);
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
      else if (isDocument(boundary) && isBlank(boundary, automation)) found.isWaking = true;
      return;
    }
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    if (isLate(error)) automation.givenUp.note(hwnd);
  }
  found.isCut = true;
  found.rects.push(rectOf(plain(boundary.GetCachedPropertyValueEx(PropertyId.BoundingRectangle, true))));
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

/** A page in the window has not been built: its document is empty, or a browser's window has none. */
function isWaking(found: PasswordsFound, hwnd: number): boolean {
  if (found.isWaking) return true;
  if (found.hasDocument) return false;
  return isBrowserWindow(classNameOf(hwnd)) || renderWindows(hwnd).length > 0;
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
  const waited = `passwords ${hwnd}`;
  let last: PasswordsFound | null = null;
  for (let again = 0; ; again++) {
    const found: Answer = (await answers(hwnd, Math.min(PING_MS, askMs))) ? search(automation, hwnd, end) : 'late';
    // One failing part must not hide the others: they are walked one by one.
    if (found === 'failed' && automation.canSearch)
      return walked(automation, hwnd, { ...time, walkMs: Math.max(0, end - performance.now()) });
    if (found === 'late' || found === 'failed') return { rects: last?.rects ?? [], known: 'unanswered' };
    last = found;
    if (!isWaking(found, hwnd)) return found.isCut ? { rects: found.rects, known: 'partly' } : complete(found);
    const next = WAKE_PAUSES[again];
    if (next === undefined) pages.noteInVain([waited]);
    if (next === undefined || pages.hasAnswered(hwnd) || pages.isInVain(waited) || performance.now() + next >= end)
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
): IUIAutomationElement | 'failed' | null {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    found.isCut = true;
    return 'failed';
  }
}

const idOf = (element: IUIAutomationElement): string => {
  const id = plain(element.GetCachedPropertyValueEx(PropertyId.RuntimeId, true));
  return Array.isArray(id) ? id.join('.') : '';
};

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
  if (below === 'none' && isPage && isBlank(current, automation)) found.isWaking = true;
  return below !== 'over';
}

/**
 * All children; those behind a failing one are reached from the end. A part that cannot be read at all is painted over.
 */
function walkBelow(above: IUIAutomationElement, walk: PasswordWalk): 'some' | 'none' | 'over' {
  const {
    automation: { walker },
    request,
    found,
  } = walk;
  const seen = new Set<string>();
  let child = stepOf(walk, () => walker.GetFirstChildElementBuildCache(above, request));
  if (child === null) return 'none';
  while (child !== null && child !== 'failed') {
    using current: IUIAutomationElement = child;
    seen.add(idOf(current));
    if (!walkOne(current, walk)) return 'over';
    child = stepOf(walk, () => walker.GetNextSiblingElementBuildCache(current, request));
  }
  if (child === null) return 'some';
  let back = seen.has('') ? null : stepOf(walk, () => walker.GetLastChildElementBuildCache(above, request));
  if (back === 'failed' && seen.size === 0)
    found.rects.push(rectOf(plain(above.GetCachedPropertyValueEx(PropertyId.BoundingRectangle, true))));
  while (back !== null && back !== 'failed') {
    using current: IUIAutomationElement = back;
    const id = idOf(current);
    if (id === '' || seen.has(id)) break;
    seen.add(id);
    if (!walkOne(current, walk)) return 'over';
    back = stepOf(walk, () => walker.GetPreviousSiblingElementBuildCache(current, request));
  }
  return 'some';
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
  if (found.isCut || found.isWaking) return { rects: found.rects, known: 'partly' };
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
