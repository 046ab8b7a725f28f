/**
 * The acting methods of UI Automation's patterns and of MSAA. Each function gets the pattern, calls it on another thread
 * (a provider may return only when the dialog that it opened is closed) and releases it. Null: the element does not
 * support it, or there is nothing to do.
 */
import type { ComRef, ComType } from '../../../native-bindings/com/com-ref.ts';
import { ComError, HRESULT } from '../../../native-bindings/com/hresult.ts';
import type { JavaAccessible } from '../../../native-bindings/java/access-bridge.ts';
import type { IAccessible } from '../../../native-bindings/uia/accessible.generated.ts';
import type { IUIAutomationElement, IUIAutomationElement3 } from '../../../native-bindings/uia/automation.generated.ts';
import {
  AccSelect,
  AccState,
  ExpandCollapseState,
  PatternId,
  ScrollAmount,
} from '../../../native-bindings/uia/identifiers.generated.ts';
import {
  IUIAutomationExpandCollapsePattern,
  IUIAutomationInvokePattern,
  IUIAutomationLegacyIAccessiblePattern,
  IUIAutomationRangeValuePattern,
  IUIAutomationScrollItemPattern,
  IUIAutomationScrollPattern,
  IUIAutomationSelectionItemPattern,
  IUIAutomationTogglePattern,
  IUIAutomationValuePattern,
  IUIAutomationVirtualizedItemPattern,
} from '../../../native-bindings/uia/patterns.generated.ts';
import type { Sent } from './fits.ts';
import { leave, type Leaving } from './leaving.ts';

type Started = Promise<number> | null;

/** Null where the element does not support it: Windows returns S_OK and no object. The caller disposes of it. */
export function patternOf<T extends ComRef>(
  element: IUIAutomationElement,
  patternId: number,
  type: ComType<T>,
): T | null {
  try {
    return element.GetCurrentPatternAs(patternId, type) as T | null;
  } catch (error) {
    if (error instanceof ComError && isUnsupported(error)) return null;
    throw error;
  }
}

export const isUnsupported = ({ hresult }: ComError): boolean =>
  hresult === HRESULT.E_NOTIMPL || hresult === HRESULT.E_NOINTERFACE || hresult === HRESULT.UIA_E_NOTSUPPORTED;

/** A pattern's method as an exit. `decide` may read, and returns the call; null where there is nothing to call. */
const method =
  <T extends ComRef, Args extends readonly unknown[]>(
    exits: readonly Leaving[],
    patternId: number,
    type: ComType<T>,
    decide: (pattern: T, ...args: Args) => (() => Promise<number>) | null,
    sentOf: (pattern: T, ...args: Args) => Sent = () => ({}),
  ) =>
  (element: IUIAutomationElement, ...args: Args): Started => {
    using pattern = patternOf(element, patternId, type);
    const call = pattern === null ? null : decide(pattern, ...args);
    if (call === null) return null;
    leave(exits, sentOf(pattern!, ...args));
    return call();
  };

const PRESSES = ['press', 'choose'] as const;
const once = (by: NonNullable<Sent['by']>) => (): Sent => ({ by, presses: 1 });
/** A cell is selected on the way to it. */
const SELECTS = ['press', 'choose', 'scroll', 'cells', 'text'] as const;
const SETS = ['text', 'keys', 'cells'] as const;
const SCROLLS = ['scroll', 'point', 'along'] as const;

/** Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementinginvoke */
export const invoke = method(
  PRESSES,
  PatternId.InvokePattern,
  IUIAutomationInvokePattern,
  (pattern) => () => pattern.InvokeAsync(),
  once('invoke'),
);

/** Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingtoggle */
export const toggle = method(
  PRESSES,
  PatternId.TogglePattern,
  IUIAutomationTogglePattern,
  (pattern) => () => pattern.ToggleAsync(),
  once('toggle'),
);

/** Selects only this item. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingselectionitem */
export const selectAlone = method(
  SELECTS,
  PatternId.SelectionItemPattern,
  IUIAutomationSelectionItemPattern,
  (pattern) => () => pattern.SelectAsync(),
  once('select'),
);

/** Null also for an element without a default action. */
export const doDefaultAction = method(
  PRESSES,
  PatternId.LegacyIAccessiblePattern,
  IUIAutomationLegacyIAccessiblePattern,
  (pattern) => (pattern.get_CurrentDefaultAction() ? () => pattern.DoDefaultActionAsync() : null),
  once('invoke'),
);

/**
 * Expands what is collapsed and collapses what is expanded, as a click does.
 * Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingexpandcollapse
 */
export const expandOrCollapse = method(
  PRESSES,
  PatternId.ExpandCollapsePattern,
  IUIAutomationExpandCollapsePattern,
  (pattern) => {
    const state = pattern.get_CurrentExpandCollapseState();
    if (state === ExpandCollapseState.LeafNode) return null;
    return () => (state === ExpandCollapseState.Expanded ? pattern.CollapseAsync() : pattern.ExpandAsync());
  },
  once('expand'),
);

/** Expands it on the way to an item, and leaves it open. */
export const expand = method(
  ['along'],
  PatternId.ExpandCollapsePattern,
  IUIAutomationExpandCollapsePattern,
  (pattern) => {
    const state = pattern.get_CurrentExpandCollapseState();
    if (state === ExpandCollapseState.LeafNode) return null;
    return () => (state === ExpandCollapseState.Expanded ? Promise.resolve(0) : pattern.ExpandAsync());
  },
);

/** Closes what was opened on the way. */
export const collapse = method(
  ['along'],
  PatternId.ExpandCollapsePattern,
  IUIAutomationExpandCollapsePattern,
  (pattern) => () => pattern.CollapseAsync(),
);

/** Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingvalue */
export const setValue = method(
  SETS,
  PatternId.ValuePattern,
  IUIAutomationValuePattern,
  (pattern, value: string) => () => pattern.SetValueAsync(value),
  (pattern, whole) => ({ value: { whole, before: () => pattern.get_CurrentValue() } }),
);

export const setRange = method(
  SETS,
  PatternId.RangeValuePattern,
  IUIAutomationRangeValuePattern,
  (pattern, value: number) => () => pattern.SetValueAsync(value),
  (_pattern, number) => ({ number }),
);

/** The caller has checked the protected state. */
export const setLegacyValue = method(
  SETS,
  PatternId.LegacyIAccessiblePattern,
  IUIAutomationLegacyIAccessiblePattern,
  (pattern, value: string) =>
    (pattern.get_CurrentState() & AccState.READONLY) === 0 ? () => pattern.SetValueAsync(value) : null,
  (pattern, whole) => ({ value: { whole, before: () => pattern.get_CurrentValue() } }),
);

/** Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingscroll */
export const pageDown = method(SCROLLS, PatternId.ScrollPattern, IUIAutomationScrollPattern, (pattern) =>
  pattern.get_CurrentVerticallyScrollable()
    ? () => pattern.ScrollAsync(ScrollAmount.NoAmount, ScrollAmount.LargeIncrement)
    : null,
);

const SMALL = [ScrollAmount.SmallDecrement, ScrollAmount.NoAmount, ScrollAmount.SmallIncrement] as const;

/** One small step: 1 is down or right, -1 up or left. Null also where it does not scroll in that direction. */
export const scrollSmall = method(
  SCROLLS,
  PatternId.ScrollPattern,
  IUIAutomationScrollPattern,
  (pattern, down: number, right: number) => {
    const vertical = pattern.get_CurrentVerticallyScrollable() ? Math.sign(down) : 0;
    const horizontal = pattern.get_CurrentHorizontallyScrollable() ? Math.sign(right) : 0;
    return vertical === 0 && horizontal === 0
      ? null
      : () => pattern.ScrollAsync(SMALL[horizontal + 1]!, SMALL[vertical + 1]!);
  },
);

export const scrollItemIntoView = method(
  ['along'],
  PatternId.ScrollItemPattern,
  IUIAutomationScrollItemPattern,
  (pattern) => () => pattern.ScrollIntoViewAsync(),
);

/**
 * Loads a virtual item, which has no rectangle and no value before; nothing else changes, so that reading may do it.
 * Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingvirtualizeditem
 */
export function realize(element: IUIAutomationElement): Started {
  using pattern = patternOf(element, PatternId.VirtualizedItemPattern, IUIAutomationVirtualizedItemPattern);
  return pattern === null ? null : pattern.RealizeAsync();
}

/** Source: learn.microsoft.com/windows/win32/api/uiautomationclient/nf-uiautomationclient-iuiautomationelement-setfocus */
export function focusByProvider(element: IUIAutomationElement): Promise<number> {
  leave(['focus']);
  return element.SetFocusAsync();
}

/** Source: learn.microsoft.com/windows/win32/api/uiautomationclient/nf-uiautomationclient-iuiautomationelement3-showcontextmenu */
export function showContextMenu(element: IUIAutomationElement3): Promise<number> {
  leave(['press'], { by: 'menu', presses: 1 });
  return element.ShowContextMenuAsync();
}

// MSAA, and Java's Access Bridge behind the same methods. Source: learn.microsoft.com/windows/win32/api/oleacc/nn-oleacc-iaccessible

/** A simple child of an object, or the object itself. */
interface Accessible {
  readonly object: IAccessible | JavaAccessible;
  readonly child: number;
}

export function doAccessibleAction({ object, child }: Accessible): Promise<number> {
  leave(PRESSES, { by: 'invoke', presses: 1 });
  return object.accDoDefaultActionAsync(child);
}

export function selectAccessible({ object, child }: Accessible): Promise<number> {
  leave(PRESSES, { by: 'select', presses: 1 });
  return object.accSelectAsync(AccSelect.TAKESELECTION, child);
}

export function focusAccessible({ object, child }: Accessible): Promise<number> {
  leave(['focus']);
  return object.accSelectAsync(AccSelect.TAKEFOCUS, child);
}

export function setAccessibleValue(
  { object, child }: Accessible,
  whole: string,
  before: () => string | null,
): Promise<number> {
  leave(SETS, { value: { whole, before } });
  return object.put_accValueAsync(child, whole);
}
