/**
 * What the patterns of an element report, one section each, and what a failed call of a pattern means. Each function gets
 * the pattern, asks it and releases it; null: the element does not support it. What acts is in `exits/patterns.ts`.
 */
import { ComRef, type ComType } from '../../../../native-bindings/com/com-ref.ts';
import { ComError, HRESULT } from '../../../../native-bindings/com/hresult.ts';
import type { IUIAutomationElement } from '../../../../native-bindings/uia/automation.generated.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import type { Attempt, DeliveryWay } from '../../../contract/outcome.ts';
import { delivered, failed, notApplicable, refused, unfinished, type Tried } from '../../drivers/driver.ts';
import type { VariantValue } from '../../../../native-bindings/com/variant.ts';
import {
  PatternId,
  ToggleState,
  ExpandCollapseState,
  PropertyId,
} from '../../../../native-bindings/uia/identifiers.generated.ts';
import {
  IUIAutomationValuePattern,
  IUIAutomationRangeValuePattern,
  IUIAutomationTogglePattern,
  IUIAutomationSelectionItemPattern,
  IUIAutomationExpandCollapsePattern,
  IUIAutomationScrollPattern,
  IUIAutomationTextPattern,
  IUIAutomationLegacyIAccessiblePattern,
  IUIAutomationWindowPattern,
} from '../../../../native-bindings/uia/patterns.generated.ts';
import { isUnsupported, patternOf, realize } from '../../exits/patterns.ts';
import type { TreeNode } from '../tree/tree.ts';
import { comAnswer } from './boundary.ts';

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
 * Turns a failed acting call into an attempt of its way. A call that may have taken effect ends the climb as
 * delivered: UI Automation gives up after its time-out while the program's handler continues, and another way would
 * press the button again. Errors: as `attemptOf`, but element_stale does not promise that nothing was done.
 */
export function attemptAfter(way: DeliveryWay, name: string, error: unknown, description: string): Tried {
  if (!(error instanceof ComError)) throw error;
  if (MAY_HAVE_ACTED.has(error.hresult)) return unfinished(way, name, ` (${error.code})`);
  // A button may close its own window.
  if (error.hresult === HRESULT.UIA_E_ELEMENTNOTAVAILABLE)
    throw new UiaHostError('element_stale', `${description} disappeared during ${name}, which may have taken effect.`, {
      cause: error,
      delivery: 'unknown',
    });
  return attemptOf(way, error, description);
}

/**
 * Turns a failed read-only call into an attempt of its way, so that the next way may try; throws for failures that no
 * other way could avoid.
 * Errors: target_disabled, element_stale. Source: learn.microsoft.com/windows/win32/winauto/uiauto-error-codes
 */
export function attemptOf(way: DeliveryWay, error: unknown, description: string): Attempt {
  if (!(error instanceof ComError)) throw error;
  switch (error.hresult) {
    case HRESULT.UIA_E_ELEMENTNOTENABLED:
      throw new UiaHostError('target_disabled', `${description} is disabled. Nothing was done.`, { cause: error });
    case HRESULT.UIA_E_ELEMENTNOTAVAILABLE:
      throw new UiaHostError('element_stale', `${description} is gone.`, { cause: error });
    case HRESULT.UIA_E_INVALIDOPERATION:
    case HRESULT.E_ACCESSDENIED:
      return refused(way, `the program refused it (${error.code})`);
    case HRESULT.UIA_E_TIMEOUT:
      return failed(way, 'the program did not answer');
    default:
      return isUnsupported(error)
        ? notApplicable(way, 'the program does not offer it')
        : failed(way, `${error.method} failed with ${error.code}`);
  }
}

/**
 * Runs a call that prepares the action itself, as an attempt. `start` returns null where there is nothing to call.
 * Errors: as `attemptOf` and `attemptAfter`.
 */
export async function attempt(
  way: DeliveryWay,
  name: string,
  start: () => Promise<number> | null,
  description: string,
): Promise<Tried> {
  let started: Promise<number> | null;
  try {
    started = start();
  } catch (error) {
    return attemptOf(way, error, description);
  }
  if (started === null) return notApplicable(way, 'not offered');
  try {
    await started;
    return delivered(way, name);
  } catch (error) {
    return attemptAfter(way, name, error, description);
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

const asked =
  <T extends ComRef, R>(patternId: number, type: ComType<T>, read: (pattern: T) => R) =>
  (element: IUIAutomationElement): R | null => {
    using pattern = patternOf(element, patternId, type);
    return pattern === null ? null : read(pattern);
  };

// Value pattern. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingvalue

export const isReadOnly = asked(PatternId.ValuePattern, IUIAutomationValuePattern, (pattern) =>
  pattern.get_CurrentIsReadOnly(),
);

/** The caller has checked that it is not a password field. */
export const readValue = asked(
  PatternId.ValuePattern,
  IUIAutomationValuePattern,
  (pattern) => pattern.get_CurrentValue() ?? '',
);

/** Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingrangevalue */
export const readRange = asked(PatternId.RangeValuePattern, IUIAutomationRangeValuePattern, (pattern) => ({
  value: pattern.get_CurrentValue(),
  least: pattern.get_CurrentMinimum(),
  most: pattern.get_CurrentMaximum(),
  isReadOnly: pattern.get_CurrentIsReadOnly(),
}));

const TOGGLE_WORDS: Readonly<Record<number, string>> = {
  [ToggleState.Off]: 'off',
  [ToggleState.On]: 'on',
  [ToggleState.Indeterminate]: 'mixed',
};

/** Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingtoggle */
export const toggleState = asked(
  PatternId.TogglePattern,
  IUIAutomationTogglePattern,
  (pattern) => TOGGLE_WORDS[pattern.get_CurrentToggleState()],
);

/** Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingselectionitem */
export const isSelected = asked(PatternId.SelectionItemPattern, IUIAutomationSelectionItemPattern, (pattern) =>
  pattern.get_CurrentIsSelected(),
);

const EXPAND_WORDS: Readonly<Record<number, string>> = {
  [ExpandCollapseState.Collapsed]: 'collapsed',
  [ExpandCollapseState.Expanded]: 'expanded',
  [ExpandCollapseState.PartiallyExpanded]: 'partly expanded',
  [ExpandCollapseState.LeafNode]: 'leaf',
};

/** Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingexpandcollapse */
export const expandState = asked(
  PatternId.ExpandCollapsePattern,
  IUIAutomationExpandCollapsePattern,
  (pattern) => EXPAND_WORDS[pattern.get_CurrentExpandCollapseState()],
);

/** Percent from the top and from the left; null for a direction in which it does not scroll. */
export type ScrollPercents = { readonly vertical: number | null; readonly horizontal: number | null };

/** Null also where it does not scroll at all. Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingscroll */
export const scrollPercents = asked(PatternId.ScrollPattern, IUIAutomationScrollPattern, (pattern) => {
  const vertical = pattern.get_CurrentVerticallyScrollable() ? pattern.get_CurrentVerticalScrollPercent() : null;
  const horizontal = pattern.get_CurrentHorizontallyScrollable() ? pattern.get_CurrentHorizontalScrollPercent() : null;
  return vertical === null && horizontal === null ? null : { vertical, horizontal };
});

/** What a tree knows it by; null if it reports no RuntimeId. Errors: ComError. */
export function identityOf(element: IUIAutomationElement): string | null {
  const id = plain(element.GetCurrentPropertyValueEx(PropertyId.RuntimeId, true));
  return Array.isArray(id) ? `rid:${id.join('.')}` : null;
}

/**
 * Realises an item if it is virtual, and returns its identity in a tree read afterwards; null if it reports none.
 * Errors: ComError.
 */
export async function realizeItem(item: IUIAutomationElement): Promise<string | null> {
  await realize(item);
  return identityOf(item);
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
export const readText = (element: IUIAutomationElement, most: number): string | null =>
  asked(PatternId.TextPattern, IUIAutomationTextPattern, (pattern) => {
    using range = pattern.get_DocumentRange();
    return range === null ? null : range.GetText(most);
  })(element);

// LegacyIAccessible pattern. Source:
// learn.microsoft.com/windows/win32/api/uiautomationclient/nn-uiautomationclient-iuiautomationlegacyiaccessiblepattern

/** Whether a field takes text by this pattern alone. */
export const takesLegacyText = ({ capabilities, controlType }: TreeNode): boolean =>
  capabilities.has('legacy') && !capabilities.has('value') && (controlType === 'Edit' || controlType === 'Document');

const LEGACY = [PatternId.LegacyIAccessiblePattern, IUIAutomationLegacyIAccessiblePattern] as const;

/** The caller has made sure that it is not a password field. */
export const readLegacyValue = asked(...LEGACY, (pattern) => pattern.get_CurrentValue() ?? '');

export const legacyState = asked(...LEGACY, (pattern) => pattern.get_CurrentState());

/**
 * Whether a window is modal to its owner even if the owner is not disabled; null where it does not say.
 * Source: learn.microsoft.com/windows/win32/winauto/uiauto-implementingwindow
 */
export const isModal = asked(PatternId.WindowPattern, IUIAutomationWindowPattern, (pattern) =>
  comAnswer(() => pattern.get_CurrentIsModal()),
);
