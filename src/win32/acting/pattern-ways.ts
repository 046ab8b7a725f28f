/** The ways of a click that use UI Automation's patterns and MSAA, and their signs. */
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import { withoutAccelerator } from '../../contract/element/element-words.ts';
import { AccState } from '../../../native-bindings/uia/identifiers.generated.ts';
import { ComError, HRESULT } from '../../../native-bindings/com/hresult.ts';
import type { DeliveryWay } from '../../contract/outcome.ts';
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
import { ITEMS } from '../../contract/element/control-types.ts';
import type { Capability } from '../elements/tree/tree.ts';
import { delivered, failed, notApplicable, unfinished, type Way, type Tried } from '../drivers/ways.ts';
import type { ElementTarget } from '../elements/finding/element-target.ts';
import { kindOfWindow } from '../windows/window-info.ts';
import type { Sign, Watch } from '../evidence/watch.ts';
import { checkState } from '../drivers/button.ts';

/** A target with its element, and the watch that detects dialogs. */
export interface PatternTarget extends ElementTarget {
  readonly element: IUIAutomationElement | null;
  readonly watch: Watch;
}

/** Time limit (ms) for a program to show that it can be asked for a sign. */
const SIGN_MS = 250;

/** Runs a call that may wait for a dialog, and turns its result into an attempt. */
export async function runCall(
  target: PatternTarget,
  way: DeliveryWay,
  name: string,
  started: Promise<number>,
): Promise<Tried> {
  const { tools, root, description, deadline, call, watch } = target;
  const ended = await tools.pending.run(
    { root, description: `${name} of ${description}` },
    started,
    () => watch.lookOutside() !== null,
    deadline,
    call,
  );
  if (ended.kind === 'failed') return attemptAfter(way, name, ended.error, description);
  if (ended.kind === 'pending') return unfinished(way, name, ' yet');
  // A success code that means that nothing was done.
  return ended.hresult === HRESULT.S_FALSE ? failed(way, `${name} did nothing (S_FALSE)`) : delivered(way, name);
}

type Start = (element: IUIAutomationElement) => Promise<number> | null;

function patternWay(way: DeliveryWay, capability: Capability, name: string, start: Start): Way<PatternTarget> {
  return async (target) => {
    const { element, node } = target;
    if (element === null || !node.capabilities.has(capability)) return notApplicable(way, 'not offered');
    try {
      const started = start(element);
      return started === null ? notApplicable(way, 'not offered') : await runCall(target, way, name, started);
    } catch (error) {
      return attemptOf(way, error, target.description);
    }
  };
}

export const uiaInvoke = patternWay('uia-invoke', 'invoke', 'Invoke', invoke);
export const uiaToggle = patternWay('uia-toggle', 'toggle', 'Toggle', toggle);
export const uiaSelect = patternWay('uia-selection-item', 'selection-item', 'Select', selectAlone);
export const uiaExpandCollapse = patternWay(
  'uia-expand-collapse',
  'expand-collapse',
  'Expand or Collapse',
  expandOrCollapse,
);
export const legacyAction = patternWay('legacy-accessible', 'default-action', 'DoDefaultAction', doDefaultAction);

/** The IAccessible of a target, if it is still the one seen there; the caller disposes of it. */
export function accessibleOfTarget({ node }: ElementTarget): HeldAccessible | null {
  if (node.locator.kind !== 'msaa') return null;
  const found = accessibleAt(node.locator.hwnd, node.locator.path);
  if (found === null) return null;
  if (withoutAccelerator(nameOf(found.element)) === node.name) return found;
  found[Symbol.dispose]();
  return null;
}

type StartAccessible = (element: AccessibleElement) => Promise<number> | null;

/** S_FALSE counts as failure: nothing was done. */
function msaaWay(name: string, start: StartAccessible): Way<PatternTarget> {
  return async (target) => {
    using found = accessibleOfTarget(target);
    if (found === null) return failed('msaa', 'the object is gone or has moved');
    try {
      const started = start(found.element);
      return started === null ? notApplicable('msaa', 'not offered') : await runCall(target, 'msaa', name, started);
    } catch (error) {
      return attemptOf('msaa', error, target.description);
    }
  };
}

export const msaaAction = msaaWay('accDoDefaultAction', (element) =>
  defaultActionOf(element) === '' ? null : doAccessibleAction(element),
);

/** A click on an item selects it; its default action is often that of a double click. */
export const msaaSelect = msaaWay('accSelect', (element) =>
  (stateOf(element) & AccState.SELECTABLE) === 0 ? null : selectAccessible(element),
);

/** A sign that cannot be read at the moment counts as unseen, not as an error. */
function quiet<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ComError) return undefined;
    throw error;
  }
}

function legacyStateWords(element: IUIAutomationElement): string | undefined {
  const state = legacyState(element);
  return state === undefined ? undefined : stateWords(state);
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
