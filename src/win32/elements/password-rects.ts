/**
 * Finds password fields that only UI Automation knows, so that pictures can paint over them. One search of the whole
 * window where the system offers it; else a walk, element by element, within its time. No value is read.
 */
import { ComError, HRESULT } from '../../../native-bindings/com/hresult.ts';
import type {
  IUIAutomationCacheRequest,
  IUIAutomationElement,
} from '../../../native-bindings/uia/automation.generated.ts';
import { ControlTypeId, PropertyId, TreeScope } from '../../../native-bindings/uia/identifiers.generated.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Rect } from '../../contract/geometry.ts';
import type { CallContext } from '../../desktop/index.ts';
import type { PasswordRects, PasswordTime } from '../imaging/password-finder.ts';
import { pause } from '../windows/waiting.ts';
import { answers } from '../windows/ask.ts';
import { Asker, PING_MS } from '../windows/ask.ts';
import type { Automation } from './automation.ts';
import { isLate } from './failures.ts';
import { rectOf } from './sources/automation-node.ts';
import { plain } from './patterns/plain.ts';

/**
 * A page that is not built yet is read again at this interval, up to the number below: browsers build it on the first
 * request.
 */
const WAKE_MS = 200;
const MOST_REPEATS = 5;
const MOST_ELEMENTS = 5000;

/** Properties that every system answers; the other lists add to them. */
const BASIC = [
  PropertyId.IsPassword,
  PropertyId.BoundingRectangle,
  PropertyId.IsOffscreen,
  PropertyId.ControlType,
] as const;
const wanted = ({ abilities }: Automation): readonly number[] =>
  abilities.patterns ? [...BASIC, PropertyId.IsTextPatternAvailable] : BASIC;

/** What was found so far; kept even if the rest fails. */
interface Found {
  readonly rects: Rect[];
  /** A document that is still empty. */
  isWaking: boolean;
  /** Part of the window was not read. */
  isCut: boolean;
  count: number;
}

const nothing = (): Found => ({ rects: [], isWaking: false, isCut: false, count: 0 });

const isTrue = (element: IUIAutomationElement, property: number): boolean =>
  plain(element.GetCachedPropertyValueEx(property, true)) === true;

/** Records a password field. True for a document, which may need a closer look. */
function note(element: IUIAutomationElement, found: Found): boolean {
  if (isTrue(element, PropertyId.IsPassword)) {
    if (!isTrue(element, PropertyId.IsOffscreen))
      found.rects.push(rectOf(plain(element.GetCachedPropertyValueEx(PropertyId.BoundingRectangle, true))));
    return false;
  }
  return plain(element.GetCachedPropertyValueEx(PropertyId.ControlType, true)) === ControlTypeId.Document;
}

/**
 * A document without elements that has neither text nor a value, as far as the system reports. It is not a password
 * field, so its value may be read.
 */
function isBlank(document: IUIAutomationElement, { abilities }: Automation): boolean {
  if (!abilities.patterns) return true;
  if (isTrue(document, PropertyId.IsTextPatternAvailable)) return false;
  const value = plain(document.GetCurrentPropertyValueEx(PropertyId.ValueValue, true));
  return typeof value !== 'string' || value === '';
}

function hasCachedChildren(element: IUIAutomationElement): boolean {
  using children = element.GetCachedChildren();
  return children !== null && children.get_Length() > 0;
}

/** `late`: the window did not answer. `failed`: one part returned an error, which failed the whole call. */
type Answer = Found | 'late' | 'failed';

/**
 * @param mostMs how long one call may take
 * Source: learn.microsoft.com/windows/win32/api/uiautomationclient/nf-uiautomationclient-iuiautomationelement-findallbuildcache
 */
function search(automation: Automation, hwnd: number, mostMs: number): Answer {
  const { client } = automation;
  const found = nothing();
  try {
    using start = automation.fromWindow(hwnd);
    if (start === null) return 'late';
    using isPassword = client.CreatePropertyCondition(PropertyId.IsPassword, true)!;
    using isDocument = client.CreatePropertyCondition(PropertyId.ControlType, ControlTypeId.Document)!;
    using either = client.CreateOrCondition(isPassword, isDocument)!;
    // Includes the children as of the search: a page may be built right after it.
    using request = automation.request(wanted(automation), false);
    request.put_TreeScope(TreeScope.Element | TreeScope.Children);
    using elements = automation.waitingAtMost(mostMs, () =>
      start.FindAllBuildCache(TreeScope.Subtree, either, request),
    );
    const length = elements === null ? 0 : elements.get_Length();
    for (let at = 0; at < length; at++) {
      using element = elements!.GetElement(at);
      if (element !== null && note(element, found) && !hasCachedChildren(element) && isBlank(element, automation))
        found.isWaking = true;
    }
    return found;
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    if (error.hresult === HRESULT.E_NOTIMPL) automation.giveUpSearching();
    return isLate(error) || !user32.IsWindow(hwnd) ? 'late' : 'failed';
  }
}

async function searched(
  automation: Automation,
  hwnd: number,
  askMs: number,
  call: CallContext,
): Promise<PasswordRects> {
  const end = performance.now() + askMs;
  let last: Found | null = null;
  for (let again = 0; again <= MOST_REPEATS && performance.now() + (again === 0 ? 0 : WAKE_MS) < end; again++) {
    if (again > 0) await pause(WAKE_MS, call);
    const found: Answer = (await answers(hwnd, Math.min(PING_MS, askMs)))
      ? search(automation, hwnd, end - performance.now())
      : 'late';
    // One failing part must not hide the others: they are walked one by one.
    if (found === 'failed' && automation.canSearch)
      return walked(automation, hwnd, Math.max(0, end - performance.now()));
    if (found === 'late' || found === 'failed') return { rects: last?.rects ?? [], known: 'unanswered' };
    if (!found.isWaking) return { rects: found.rects, known: 'all' };
    last = found;
  }
  return last === null ? { rects: [], known: 'unanswered' } : { rects: last.rects, known: 'partly' };
}

/** State of a walk. */
interface PasswordWalk {
  readonly request: IUIAutomationCacheRequest;
  readonly automation: Automation;
  readonly asker: Asker;
  readonly found: Found;
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
  const isDocument = note(current, found);
  // Fetched elements count; only further steps are cut.
  if (asker.isOver || ++found.count >= MOST_ELEMENTS) {
    found.isCut = true;
    return false;
  }
  const below = walkBelow(current, walk);
  if (below === 'none' && isDocument && isBlank(current, automation)) found.isWaking = true;
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

function walked(automation: Automation, hwnd: number, walkMs: number): PasswordRects {
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
  return { rects: found.rects, known: found.isCut || found.isWaking ? 'partly' : 'all' };
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
    const answer = await searched(automation, hwnd, time.askMs, call);
    if (automation.canSearch) return answer;
  }
  return walked(automation, hwnd, time.walkMs);
}
