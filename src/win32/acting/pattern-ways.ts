/** The ways of a click that use UI Automation's patterns and MSAA, and their signs. */
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import { withoutAccelerator } from '../../contract/element/element-words.ts';
import { AccState } from '../../../native-bindings/uia/identifiers.generated.ts';
import { HRESULT } from '../../../native-bindings/com/hresult.ts';
import type { Attempt, DeliveryWay } from '../../contract/outcome.ts';
import { Asker } from '../windows/ask.ts';
import {
  doAccessibleAction,
  selectAccessible,
  expandOrCollapse,
  invoke,
  doDefaultAction,
  selectAlone,
  toggle,
} from '../exits/patterns.ts';
import {
  expandState,
  legacyState,
  attemptAfter,
  attemptOf,
  isSelected,
  toggleState,
} from '../elements/sources/patterns.ts';
import {
  accessibleAt,
  defaultActionOf,
  nameOf,
  stateOf,
  stateWords,
  type AccessibleElement,
  type HeldAccessible,
} from '../elements/sources/accessible.ts';
import { comAnswer } from '../elements/sources/boundary.ts';
import { ITEMS } from '../../contract/element/control-types.ts';
import type { Capability } from '../elements/tree/tree.ts';
import { delivered, failed, notApplicable, unfinished, type Way, type Tried, type Sign } from '../drivers/driver.ts';
import type { ElementTarget } from '../elements/finding/element-target.ts';
import { kindOfWindow } from '../windows/window-info.ts';
import type { Watch } from '../evidence/watch.ts';
import { checkState } from '../drivers/button.ts';

/** A target with its element, and the watch that detects dialogs. */
export interface PatternTarget extends ElementTarget {
  readonly element: IUIAutomationElement | null;
  readonly watch: Watch;
}

/** Time limit (ms) for a program to show that it can be asked for a sign. */
const SIGN_MS = 250;

/**
 * Runs a call that may wait for a dialog, which the watch detects, as an attempt. `start` returns null where there is
 * nothing to call, or why nothing was called. Errors: as `attemptOf` and `attemptAfter`.
 */
export async function runCall(
  { tools, root, description, deadline, watch }: ElementTarget & Partial<Pick<PatternTarget, 'watch'>>,
  way: DeliveryWay,
  name: string,
  start: () => Promise<number> | Attempt | null,
): Promise<Tried> {
  try {
    const started = start();
    if (started === null) return notApplicable(way, 'not offered');
    if ('result' in started) return started;
    const called = { root, description: `${name} of ${description}` };
    const isEnough = (): boolean => watch !== undefined && watch.lookOutside() !== null;
    const ended = await tools.pending.run(called, started, isEnough, deadline);
    if (ended.kind === 'failed') return attemptAfter(way, name, ended.error, description);
    if (ended.kind === 'pending') return unfinished(way, name, ' yet');
    // A success code that means that nothing was done.
    return ended.hresult === HRESULT.S_FALSE ? failed(way, `${name} did nothing (S_FALSE)`) : delivered(way, name);
  } catch (error) {
    return attemptOf(way, error, description);
  }
}

type Start = (element: IUIAutomationElement) => Promise<number> | null;

function patternWay(way: DeliveryWay, capability: Capability, name: string, start: Start): Way<PatternTarget> {
  return (target) =>
    runCall(target, way, name, () =>
      target.element !== null && target.node.capabilities.has(capability) ? start(target.element) : null,
    );
}

/** The IAccessible of a target, if it is still the one seen there; the caller disposes of it. */
export function accessibleOfTarget({ node }: ElementTarget): HeldAccessible | null {
  if (node.locator.kind !== 'msaa') return null;
  const found = accessibleAt(node.locator.hwnd, node.locator.path);
  if (found === null) return null;
  if (withoutAccelerator(nameOf(found.element)) === node.name) return found;
  found[Symbol.dispose]();
  return null;
}

/** S_FALSE counts as failure: nothing was done. */
export function msaaWay<T extends ElementTarget>(
  name: string,
  start: (element: AccessibleElement, target: T) => Promise<number> | Attempt | null,
): Way<T> {
  return async (target) => {
    if (target.node.locator.kind !== 'msaa') return notApplicable('msaa', 'not offered');
    using found = accessibleOfTarget(target);
    return found === null
      ? failed('msaa', 'the object is gone or has moved')
      : await runCall(target, 'msaa', name, () => start(found.element, target));
  };
}

/** The ways of a click and of a choice, by the ids of the table of ways (`contract/ways`). */
export const PATTERN_WAYS: Readonly<Record<string, Way<PatternTarget>>> = {
  'uia-invoke': patternWay('uia-invoke', 'invoke', 'Invoke', invoke),
  'uia-toggle': patternWay('uia-toggle', 'toggle', 'Toggle', toggle),
  'uia-select': patternWay('uia-selection-item', 'selection-item', 'Select', selectAlone),
  'uia-expand-collapse': patternWay('uia-expand-collapse', 'expand-collapse', 'Expand or Collapse', expandOrCollapse),
  'legacy-action': patternWay('legacy-accessible', 'default-action', 'DoDefaultAction', doDefaultAction),
  'msaa-action': msaaWay('accDoDefaultAction', (element) =>
    defaultActionOf(element) === '' ? null : doAccessibleAction(element),
  ),
  // A click on an item selects it; its default action is often that of a double click.
  'msaa-select': msaaWay('accSelect', (element) =>
    (stateOf(element) & AccState.SELECTABLE) === 0 ? null : selectAccessible(element),
  ),
};

/** A sign that cannot be read at the moment counts as unseen, not as an error. */
export const quiet = <T>(read: () => T): T | undefined => comAnswer(read) ?? undefined;

function legacyStateWords(element: IUIAutomationElement): string | null {
  const state = legacyState(element);
  return state === null ? null : stateWords(state);
}

/** What a pattern's action must change; null if it has no sign of its own. */
export function signOfPattern(target: ElementTarget, element: IUIAutomationElement | null): Sign | null {
  const { capabilities, controlType, locator } = target.node;
  if (locator.kind === 'msaa') {
    return capabilities.has('selection-item')
      ? { kind: 'selection', read: () => isAccessibleSelected(target) }
      : { kind: 'state', read: () => accessibleState(target) };
  }
  if (element === null) return null;
  if (ITEMS.has(controlType) && capabilities.has('selection-item'))
    return { kind: 'selection', read: () => quiet(() => isSelected(element)) };
  if (capabilities.has('invoke')) return null;
  if (capabilities.has('toggle')) {
    const sign: Sign = { kind: 'toggle', read: () => quiet(() => toggleState(element)) };
    // A control that came instead has another element.
    return locator.kind === 'window' && kindOfWindow(locator.hwnd) === 'button' ? { ...sign, at: checkState } : sign;
  }
  if (capabilities.has('selection-item')) return { kind: 'selection', read: () => quiet(() => isSelected(element)) };
  if (capabilities.has('expand-collapse')) return { kind: 'expanded', read: () => quiet(() => expandState(element)) };
  return capabilities.has('legacy') ? { kind: 'state', read: () => quiet(() => legacyStateWords(element)) } : null;
}

/** A hung program would block the call, and this thread with it, until it resumes. */
const takesQuestions = ({ node }: ElementTarget): boolean => new Asker(SIGN_MS).answers(node.hwnd);

function accessibleState(target: ElementTarget): string | undefined {
  if (!takesQuestions(target)) return undefined;
  using found = accessibleOfTarget(target);
  return found === null ? undefined : stateWords(stateOf(found.element));
}

function isAccessibleSelected(target: ElementTarget): boolean | undefined {
  if (!takesQuestions(target)) return undefined;
  using found = accessibleOfTarget(target);
  return found === null ? undefined : (stateOf(found.element) & AccState.SELECTED) !== 0;
}
