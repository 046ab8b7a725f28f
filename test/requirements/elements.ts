import type { Requirement } from './requirement.ts';

/** BEHAVIOUR section 5, beyond the Windows layer's own lists. */
export const elements: readonly Requirement[] = [
  { id: 'query.role', text: 'role: a UIA control type name, or a role of the proposal tool (button, link, textbox, status), in one table.', source: 'BEHAVIOUR 5' },
  { id: 'query.ranking', text: 'Ranking for name: exact > ignoring case > prefix > substring.', source: 'BEHAVIOUR 5' },
  { id: 'query.ambiguous', text: 'Two or more in the best rank are target_ambiguous with candidates and refs.', source: 'BEHAVIOUR 5' },
  { id: 'query.automationId', text: 'automationId is exact.', source: 'BEHAVIOUR 5' },
  { id: 'query.marks', text: 'Accelerator marks and a trailing … or : do not count.', source: 'BEHAVIOUR 5' },
  { id: 'query.label', text: 'A text field is also found by its label.', source: 'BEHAVIOUR 5' },
  { id: 'query.ref', text: 'A query may be a ref.', source: 'BEHAVIOUR 5' },
  { id: 'element.disabled', text: 'A disabled element is target_disabled.', source: 'BEHAVIOUR 5' },
  { id: 'element.offscreen', text: 'An off-screen element is scrolled into view, else target_offscreen.', source: 'BEHAVIOUR 5' },
  { id: 'element.stale', text: 'An element that went between look and act is element_stale.', source: 'BEHAVIOUR 5' },
  { id: 'click.ladder', text: 'clickElement, the first that applies: Invoke, Toggle, SelectionItem, ExpandCollapse, default action, the control’s own message with its notification, posted mouse messages.', source: 'BEHAVIOUR 5' },
  { id: 'click.background', text: 'Real input only when the caller says delivery: foreground.', source: 'BEHAVIOUR 5' },
  { id: 'click.modal', text: 'A click that opens a modal dialog answers by its deadline with effect pending_modal and the new window’s hwnd; at most one is outstanding for a window.', source: 'BEHAVIOUR 5' },
  { id: 'click.once', text: 'A call that may have been carried out although it failed or has not come back is not followed by another way: it counts as delivered, unverified unless evidence confirms it.', source: 'BEHAVIOUR 5' },
  { id: 'into.ladder', text: 'typeIntoElement: Value pattern, default value, WM_SETTEXT or EM_REPLACESEL with notification, posted characters; RangeValue for numeric ones.', source: 'BEHAVIOUR 5' },
  { id: 'into.mode', text: 'mode replace or append; default replace.', source: 'BEHAVIOUR 5' },
  { id: 'into.readonly', text: 'Read-only is target_readonly, checked before.', source: 'BEHAVIOUR 5' },
  { id: 'into.read-back', text: 'The value is read back: verified, normalised (both values reported), mismatch.', source: 'BEHAVIOUR 5' },
  { id: 'text.unicode', text: 'Any Unicode text goes through unchanged: quotes, emoji, CJK, combining marks, CRLF.', source: 'BEHAVIOUR 5' },
  { id: 'text.no-script', text: 'No script text is ever generated: a window titled ’; calc; ‘ starts nothing.', source: 'BEHAVIOUR 5' },
  { id: 'outcome.fields', text: 'Every action’s outcome has effect, delivery, evidence, attempts, focusChanged, cursorMoved.', source: 'BEHAVIOUR 5' },
  { id: 'outcome.confirmed', text: 'confirmed is said on evidence alone.', source: 'BEHAVIOUR 5' },
];
