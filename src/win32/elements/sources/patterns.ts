/**
 * The patterns of an element, one section each, and what a failed call of a pattern means. Each function gets the
 * pattern, calls it and releases it; null: the element does not support it.
 */
import { ComRef, type ComType } from '../../../../native-bindings/com/com-ref.ts';
import { ComError, HRESULT } from '../../../../native-bindings/com/hresult.ts';
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import type { Attempt, DeliveryRung } from '../../../contract/outcome.ts';
import { delivered, failed, notApplicable, refused, unfinished, type Step } from './rungs.ts';
import type { VariantValue } from '../../../../native-bindings/com/variant.ts';
import {
  PatternId,
  ToggleState,
  ExpandCollapseState,
  ScrollAmount,
  PropertyId,
  AccState,
} from '../../../../native-bindings/uia/identifiers.generated.ts';
import {
  IUIAutomationInvokePattern,
  IUIAutomationValuePattern,
  IUIAutomationRangeValuePattern,
  IUIAutomationTogglePattern,
  IUIAutomationSelectionItemPattern,
  IUIAutomationExpandCollapsePattern,
  IUIAutomationScrollPattern,
  IUIAutomationScrollItemPattern,
  IUIAutomationVirtualizedItemPattern,
  IUIAutomationTextPattern,
  IUIAutomationLegacyIAccessiblePattern,
  IUIAutomationWindowPattern,
} from '../../../../native-bindings/uia/patterns.generated.ts';
import type { TreeNode } from '../tree/tree.ts';

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

const isUnsupported = ({ hresult }: ComError): boolean =>
  hresult === HRESULT.E_NOTIMPL || hresult === HRESULT.E_NOINTERFACE || hresult === HRESULT.UIA_E_NOTSUPPORTED;

/**
 * The call reached or may have reached the program; its result is unknown. Source:
 * learn.microsoft.com/windows/win32/com/com-error-codes-3
 */
const MAY_HAVE_ACTED: ReadonlySet<number> = new Set([
  HRESULT.UIA_E_TIMEOUT,
  HRESULT.RPC_E_TIMEOUT,
  HRESULT.ERROR_TIMEOUT,
  HRESULT.RPC_S_CALL_FAILED,
  HRESULT.RPC_E_SERVERFAULT,
  HRESULT.RPC_E_SERVER_DIED,
  HRESULT.RPC_E_CALL_CANCELED,
  HRESULT.RPC_E_DISCONNECTED,
]);

/**
 * Turns a failed acting call into an attempt of its rung. A call that may have taken effect ends the climb as
 * delivered: UI Automation gives up after its time-out while the program's handler continues, and another way would
 * press the button again. Errors: as `attemptOf`, but element_stale does not promise that nothing was done.
 */
export function attemptAfter(rung: DeliveryRung, name: string, error: unknown, description: string): Step {
  if (!(error instanceof ComError)) throw error;
  if (MAY_HAVE_ACTED.has(error.hresult)) return unfinished(rung, name, ` (${error.code})`);
  // A button may close its own window.
  if (error.hresult === HRESULT.UIA_E_ELEMENTNOTAVAILABLE)
    throw new UiaHostError('element_stale', `${description} disappeared during ${name}, which may have taken effect.`, {
      cause: error,
      delivery: 'unknown',
    });
  return attemptOf(rung, error, description);
}

/**
 * Turns a failed read-only call into an attempt of its rung, so that the next rung may try; throws for failures that no
 * other rung could avoid.
 * Errors: target_disabled, element_stale. Source: learn.microsoft.com/windows/win32/winauto/uiauto-error-codes
 */
export function attemptOf(rung: DeliveryRung, error: unknown, description: string): Attempt {
  if (!(error instanceof ComError)) throw error;
  switch (error.hresult) {
    case HRESULT.UIA_E_ELEMENTNOTENABLED:
      throw new UiaHostError('target_disabled', `${description} is disabled. Nothing was done.`, { cause: error });
    case HRESULT.UIA_E_ELEMENTNOTAVAILABLE:
      throw new UiaHostError('element_stale', `${description} is gone.`, { cause: error });
    case HRESULT.UIA_E_INVALIDOPERATION:
    case HRESULT.E_ACCESSDENIED:
      return refused(rung, `the program refused it (${error.code})`);
    case HRESULT.UIA_E_TIMEOUT:
      return failed(rung, 'the program did not answer');
    default:
      return isUnsupported(error)
        ? notApplicable(rung, 'the program does not offer it')
        : failed(rung, `${error.method} failed with ${error.code}`);
  }
}

/**
 * Runs a call that prepares the action itself, as an attempt. `start` returns null where there is nothing to call.
 * Errors: as `attemptOf` and `attemptAfter`.
 */
export async function attempt(
  rung: DeliveryRung,
  name: string,
  start: () => Promise<number> | null,
  description: string,
): Promise<Step> {
  let started: Promise<number> | null;
  try {
    started = start();
  } catch (error) {
    return attemptOf(rung, error, description);
  }
  if (started === null) return notApplicable(rung, 'not offered');
  try {
    await started;
    return delivered(rung, name);
  } catch (error) {
    return attemptAfter(rung, name, error, description);
  }
}

// Property values as TypeScript values.

/** Null for "not supported", which the system returns as a special object. */
export function plain(value: VariantValue): VariantValue {
  if (value instanceof ComRef) {
    value[Symbol.dispose]();
    return undefined;
  }
  return value;
}

// Invoke pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementinginvoke

/**
 * Invokes it on another thread: a provider may return only when the dialog that it opened is closed. Null: not
 * supported.
 */
export function invoke(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.InvokePattern, IUIAutomationInvokePattern);
  return pattern === null ? null : pattern.InvokeAsync();
}

// Value pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingvalue

/** Null: not supported. */
export function isReadOnly(element: IUIAutomationElement): boolean | null {
  using pattern = patternOf(element, PatternId.ValuePattern, IUIAutomationValuePattern);
  return pattern === null ? null : pattern.get_CurrentIsReadOnly();
}

/** The caller has checked that it is not a password field. Null: not supported. */
export function readValue(element: IUIAutomationElement): string | null {
  using pattern = patternOf(element, PatternId.ValuePattern, IUIAutomationValuePattern);
  return pattern === null ? null : (pattern.get_CurrentValue() ?? '');
}

/** Null: not supported. */
export function setValue(element: IUIAutomationElement, value: string): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ValuePattern, IUIAutomationValuePattern);
  return pattern === null ? null : pattern.SetValueAsync(value);
}

// RangeValue pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingrangevalue

export interface ValueRange {
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly isReadOnly: boolean;
}

/** Null: not supported. */
export function readRange(element: IUIAutomationElement): ValueRange | null {
  using pattern = patternOf(element, PatternId.RangeValuePattern, IUIAutomationRangeValuePattern);
  if (pattern === null) return null;
  return {
    value: pattern.get_CurrentValue(),
    least: pattern.get_CurrentMinimum(),
    most: pattern.get_CurrentMaximum(),
    isReadOnly: pattern.get_CurrentIsReadOnly(),
  };
}

/** Null: not supported. */
export function setRange(element: IUIAutomationElement, value: number): Promise<number> | null {
  using pattern = patternOf(element, PatternId.RangeValuePattern, IUIAutomationRangeValuePattern);
  return pattern === null ? null : pattern.SetValueAsync(value);
}

// Toggle pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingtoggle

/** Null: not supported. */
export function toggle(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.TogglePattern, IUIAutomationTogglePattern);
  return pattern === null ? null : pattern.ToggleAsync();
}

const TOGGLE_WORDS: Readonly<Record<number, string>> = {
  [ToggleState.Off]: 'off',
  [ToggleState.On]: 'on',
  [ToggleState.Indeterminate]: 'mixed',
};

export function toggleState(element: IUIAutomationElement): string | undefined {
  using pattern = patternOf(element, PatternId.TogglePattern, IUIAutomationTogglePattern);
  return pattern === null ? undefined : TOGGLE_WORDS[pattern.get_CurrentToggleState()];
}

// SelectionItem pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingselectionitem

/** Selects only this item. Null: not supported. */
export function selectAlone(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.SelectionItemPattern, IUIAutomationSelectionItemPattern);
  return pattern === null ? null : pattern.SelectAsync();
}

export function isSelected(element: IUIAutomationElement): boolean | undefined {
  using pattern = patternOf(element, PatternId.SelectionItemPattern, IUIAutomationSelectionItemPattern);
  return pattern === null ? undefined : pattern.get_CurrentIsSelected();
}

// ExpandCollapse pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingexpandcollapse

const EXPAND_WORDS: Readonly<Record<number, string>> = {
  [ExpandCollapseState.Collapsed]: 'collapsed',
  [ExpandCollapseState.Expanded]: 'expanded',
  [ExpandCollapseState.PartiallyExpanded]: 'partly expanded',
  [ExpandCollapseState.LeafNode]: 'leaf',
};

export function expandState(element: IUIAutomationElement): string | undefined {
  using pattern = patternOf(element, PatternId.ExpandCollapsePattern, IUIAutomationExpandCollapsePattern);
  return pattern === null ? undefined : EXPAND_WORDS[pattern.get_CurrentExpandCollapseState()];
}

/** Expands what is collapsed and collapses what is expanded, as a click does. Null: not supported, or there is nothing to expand. */
export function expandOrCollapse(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ExpandCollapsePattern, IUIAutomationExpandCollapsePattern);
  if (pattern === null) return null;
  const state = pattern.get_CurrentExpandCollapseState();
  if (state === ExpandCollapseState.LeafNode) return null;
  return state === ExpandCollapseState.Expanded ? pattern.CollapseAsync() : pattern.ExpandAsync();
}

/** Expands it and leaves it open. Null: not supported, or nothing to expand. */
export function expand(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ExpandCollapsePattern, IUIAutomationExpandCollapsePattern);
  if (pattern === null) return null;
  const state = pattern.get_CurrentExpandCollapseState();
  if (state === ExpandCollapseState.LeafNode) return null;
  return state === ExpandCollapseState.Expanded ? Promise.resolve(0) : pattern.ExpandAsync();
}

export function collapse(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ExpandCollapsePattern, IUIAutomationExpandCollapsePattern);
  return pattern === null ? null : pattern.CollapseAsync();
}

// Scroll pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingscroll

/** Percent from the top; null if it does not scroll vertically. */
export function verticalPercent(element: IUIAutomationElement): number | null {
  using pattern = patternOf(element, PatternId.ScrollPattern, IUIAutomationScrollPattern);
  return pattern === null || !pattern.get_CurrentVerticallyScrollable()
    ? null
    : pattern.get_CurrentVerticalScrollPercent();
}

/** Null: not supported. */
export function pageDown(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ScrollPattern, IUIAutomationScrollPattern);
  return pattern === null || !pattern.get_CurrentVerticallyScrollable()
    ? null
    : pattern.ScrollAsync(ScrollAmount.NoAmount, ScrollAmount.LargeIncrement);
}

/** Percent from the top and from the left; null for a direction in which it does not scroll. */
export type ScrollPercents = { readonly vertical: number | null; readonly horizontal: number | null };

/** Null: not supported, or it does not scroll at all. */
export function scrollPercents(element: IUIAutomationElement): ScrollPercents | null {
  using pattern = patternOf(element, PatternId.ScrollPattern, IUIAutomationScrollPattern);
  if (pattern === null) return null;
  const vertical = pattern.get_CurrentVerticallyScrollable() ? pattern.get_CurrentVerticalScrollPercent() : null;
  const horizontal = pattern.get_CurrentHorizontallyScrollable() ? pattern.get_CurrentHorizontalScrollPercent() : null;
  return vertical === null && horizontal === null ? null : { vertical, horizontal };
}

const SMALL = {
  '-1': ScrollAmount.SmallDecrement,
  '0': ScrollAmount.NoAmount,
  '1': ScrollAmount.SmallIncrement,
} as const;

/**
 * One small step: 1 is down or right, -1 up or left. Null: not supported, or not in that direction.
 * @param down -1, 0 or 1; so is `right`
 */
export function scrollSmall(element: IUIAutomationElement, down: number, right: number): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ScrollPattern, IUIAutomationScrollPattern);
  if (pattern === null) return null;
  const vertical = pattern.get_CurrentVerticallyScrollable() ? Math.sign(down) : 0;
  const horizontal = pattern.get_CurrentHorizontallyScrollable() ? Math.sign(right) : 0;
  const amount = (way: number): number => SMALL[String(way === 0 ? 0 : way) as keyof typeof SMALL];
  return vertical === 0 && horizontal === 0 ? null : pattern.ScrollAsync(amount(horizontal), amount(vertical));
}

// ScrollItem and VirtualizedItem patterns. Source:
// learn.microsoft.com/windows/win32/winauto/uiauto-implementingscrollitem

/** Null: not supported. */
export function scrollItemIntoView(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.ScrollItemPattern, IUIAutomationScrollItemPattern);
  return pattern === null ? null : pattern.ScrollIntoViewAsync();
}

/**
 * Realises a virtual item: until then it has no rectangle and no value. Null: it is already realised. Source:
 * learn.microsoft.com/windows/win32/winauto/uiauto-implementingvirtualizeditem
 */
export function realize(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.VirtualizedItemPattern, IUIAutomationVirtualizedItemPattern);
  return pattern === null ? null : pattern.RealizeAsync();
}

/**
 * Realises an item if it is virtual, and returns its identity in a tree read afterwards; null if it reports none.
 * Errors: ComError.
 */
export async function realizeItem(item: IUIAutomationElement): Promise<string | null> {
  await realize(item);
  const id = plain(item.GetCurrentPropertyValueEx(PropertyId.RuntimeId, true));
  return Array.isArray(id) ? `rid:${id.join('.')}` : null;
}

// Text pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingtextandtextrange

/** The visible text, at most `most` characters; null where the element does not report it. */
export function readVisibleText(element: IUIAutomationElement, most: number): string | null {
  using pattern = patternOf(element, PatternId.TextPattern, IUIAutomationTextPattern);
  using ranges = pattern?.GetVisibleRanges() ?? null;
  if (ranges === null) return null;
  let text = '';
  for (let index = 0; index < ranges.get_Length() && text.length < most; index += 1) {
    using range = ranges.GetElement(index);
    text += `${range?.GetText(most - text.length) ?? ''}\n`;
  }
  return text;
}

/**
 * The text of a document or field, at most `most` characters. The caller has checked that it is not a password field.
 * Null: not supported.
 */
export function readText(element: IUIAutomationElement, most: number): string | null {
  using pattern = patternOf(element, PatternId.TextPattern, IUIAutomationTextPattern);
  if (pattern === null) return null;
  using range = pattern.get_DocumentRange();
  return range === null ? null : range.GetText(most);
}

// LegacyIAccessible pattern. Source:
// learn.microsoft.com/windows/win32/api/uiautomationclient/nn-uiautomationclient-iuiautomationlegacyiaccessiblepattern

/** Null: not supported, or no default action. */
export function doDefaultAction(element: IUIAutomationElement): Promise<number> | null {
  using pattern = patternOf(element, PatternId.LegacyIAccessiblePattern, IUIAutomationLegacyIAccessiblePattern);
  return pattern === null || !pattern.get_CurrentDefaultAction() ? null : pattern.DoDefaultActionAsync();
}

/** Whether a field takes text by this pattern alone. */
export const takesLegacyText = ({ capabilities, controlType }: TreeNode): boolean =>
  capabilities.has('legacy') && !capabilities.has('value') && (controlType === 'Edit' || controlType === 'Document');

/** Null: not supported. The caller has checked the read-only and protected states. */
export function setLegacyValue(element: IUIAutomationElement, value: string): Promise<number> | null {
  using pattern = patternOf(element, PatternId.LegacyIAccessiblePattern, IUIAutomationLegacyIAccessiblePattern);
  return pattern === null || (pattern.get_CurrentState() & AccState.READONLY) !== 0
    ? null
    : pattern.SetValueAsync(value);
}

/** Null: not supported. The caller has made sure that it is not a password field. */
export function readLegacyValue(element: IUIAutomationElement): string | null {
  using pattern = patternOf(element, PatternId.LegacyIAccessiblePattern, IUIAutomationLegacyIAccessiblePattern);
  return pattern === null ? null : (pattern.get_CurrentValue() ?? '');
}

export function legacyState(element: IUIAutomationElement): number | undefined {
  using pattern = patternOf(element, PatternId.LegacyIAccessiblePattern, IUIAutomationLegacyIAccessiblePattern);
  return pattern === null ? undefined : pattern.get_CurrentState();
}

// Window pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingwindow

/** Whether a window is modal to its owner even if the owner is not disabled; null where it does not say. */
export function isModal(element: IUIAutomationElement): boolean | null {
  using pattern = patternOf(element, PatternId.WindowPattern, IUIAutomationWindowPattern);
  try {
    return pattern === null ? null : pattern.get_CurrentIsModal();
  } catch (error) {
    if (error instanceof ComError) return null;
    throw error;
  }
}
