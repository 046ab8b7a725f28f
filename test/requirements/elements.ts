/** Requirements of actions on elements. */
import type { Requirement } from './requirement.ts';

/** docs/behaviour.md#elements, beyond the Windows layer's own lists. */
export const elements: readonly Requirement[] = [
  {
    id: 'query.role',
    text: 'role: a UIA control type name, or a role of the proposal tool (button, link, textbox, status) or of ARIA, in one table.',
    source: 'behaviour#elements',
  },
  {
    id: 'query.role-button',
    text: 'The role button also means check boxes, radio buttons, tabs, menu, list and tree items, where no button matches.',
    source: 'behaviour#elements',
  },
  {
    id: 'query.ranking',
    text: 'Ranking for name: exact > ignoring case > prefix > substring.',
    source: 'behaviour#elements',
  },
  {
    id: 'query.ambiguous',
    text: 'Two or more in the best rank are target_ambiguous with candidates and refs.',
    source: 'behaviour#elements',
  },
  { id: 'query.automationId', text: 'automationId is exact.', source: 'behaviour#elements' },
  { id: 'query.marks', text: 'Accelerator marks and a trailing … or : do not count.', source: 'behaviour#elements' },
  { id: 'query.label', text: 'A text field is also found by its label.', source: 'behaviour#elements' },
  {
    id: 'query.path',
    text: 'A path from an element that has a name or id leads to one below it alone, the same after the window was closed and opened; where a step does not fit it finds nothing, and the gate judges it as a query by the name and role of its last step.',
    source: 'behaviour#elements',
  },
  { id: 'query.ref', text: 'A query may be a ref.', source: 'behaviour#elements' },
  { id: 'element.disabled', text: 'A disabled element is target_disabled.', source: 'behaviour#elements' },
  {
    id: 'element.window-disabled',
    text: 'A point in a window that is disabled, and a key in the background, is target_disabled, which names the modal dialog.',
    source: 'behaviour#elements',
  },
  {
    id: 'element.offscreen',
    text: 'An off-screen element is scrolled into view, else target_offscreen.',
    source: 'behaviour#elements',
  },
  {
    id: 'element.stale',
    text: 'An element that disappeared between look and act is element_stale.',
    source: 'behaviour#elements',
  },
  {
    id: 'click.ladder',
    text: 'clickElement, the first that applies (of a standard control its own messages alone; of an item SelectionItem before them): Invoke, Toggle, SelectionItem, ExpandCollapse, default action, the control’s own message with its notification, posted mouse messages.',
    source: 'behaviour#elements',
  },
  {
    id: 'click.background',
    text: 'Real input only when the caller says delivery: foreground.',
    source: 'behaviour#elements',
  },
  {
    id: 'click.modal',
    text: 'A click that opens a modal dialog answers by its deadline with effect pending_modal and the new window’s hwnd.',
    source: 'behaviour#elements',
  },
  { id: 'click.modal-one', text: 'At most one such click is outstanding for a window.', source: 'behaviour#elements' },
  {
    id: 'click.once',
    text: 'After a call that may have been carried out although it failed or has not returned, no other way is tried: it counts as delivered, unverified unless evidence confirms it.',
    source: 'behaviour#elements',
  },
  {
    id: 'click.hides',
    text: 'A press after which its dialog hides itself is confirmed by that.',
    source: 'behaviour#elements',
  },
  {
    id: 'click.wakes',
    text: 'A sent command is followed by an empty message, so that a program’s own message loop continues: its dialog closes.',
    source: 'behaviour#elements',
  },
  {
    id: 'into.ladder',
    text: 'typeIntoElement takes the first way that applies: Value pattern, default value, WM_SETTEXT or EM_REPLACESEL with notification, posted characters.',
    source: 'behaviour#elements',
  },
  {
    id: 'into.range',
    text: 'A numeric element takes its number by the RangeValue pattern.',
    source: 'behaviour#elements',
  },
  {
    id: 'into.masked',
    text: 'A field whose program changes or refuses typed characters gets what a person’s typing would give, by every way of typing, and is not confirmed.',
    source: 'behaviour#elements',
  },
  { id: 'into.mode', text: 'mode is replace or append.', source: 'behaviour#elements' },
  { id: 'into.mode-default', text: 'mode defaults to replace.', source: 'behaviour#elements' },
  { id: 'into.readonly', text: 'Read-only is target_readonly, checked before.', source: 'behaviour#elements' },
  {
    id: 'into.read-back',
    text: 'What was typed into an element is read back: verified, normalised or mismatch.',
    source: 'behaviour#elements',
  },
  {
    id: 'into.read-back-values',
    text: 'Evidence of typed text has the value before and after.',
    source: 'behaviour#elements',
  },
  {
    id: 'into.file-name',
    text: 'A combo box that holds another, such as the file name in the system’s dialogs, is read, written and read back by the edit in it.',
    source: 'behaviour#elements',
  },
  {
    id: 'into.nothing-left',
    text: 'Text that was refused or had no effect leaves focus, selection and values unchanged.',
    source: 'behaviour#elements',
  },
  {
    id: 'into.nothing-left-keys',
    text: 'After text that was refused, the next keys go where they would have gone.',
    source: 'behaviour#elements',
  },
  {
    id: 'into.own-editor',
    text: 'In a custom text control, text is typed at the requested place, by placing its caret.',
    source: 'behaviour#elements',
  },
  {
    id: 'into.own-editor-refused',
    text: 'If the caret of a custom text control cannot be placed, nothing is sent.',
    source: 'behaviour#elements',
  },
  {
    id: 'into.own-editor-hint',
    text: 'If the caret of a custom text control cannot be placed, the error says what works.',
    source: 'behaviour#elements',
  },
  {
    id: 'into.lone-cr',
    text: 'A CR alone is not a line break unless the field’s other lines end with it: it is a mismatch.',
    source: 'behaviour#elements',
  },
  {
    id: 'into.difference',
    text: 'Evidence of a long text shows the place where it differs.',
    source: 'behaviour#elements',
  },
  {
    id: 'text.unicode',
    text: 'Any Unicode text goes through unchanged: quotes, emoji, CJK, combining marks, CRLF.',
    source: 'behaviour#elements',
  },
  {
    id: 'text.no-script',
    text: 'No script text is ever generated: a window titled ’; calc; ‘ starts nothing.',
    source: 'behaviour#elements',
  },
  {
    id: 'outcome.fields',
    text: 'Every action’s outcome has effect, delivery, evidence, attempts, focusChanged, cursorMoved.',
    source: 'behaviour#outcomes',
  },
  {
    id: 'click.drop-down',
    text: 'A tool bar button that only opens a menu is clicked, since its command does nothing.',
    source: 'behaviour#elements',
  },
  {
    id: 'click.drop-down-evidence',
    text: 'The menu that opens is the evidence of a click on a tool bar button.',
    source: 'behaviour#elements',
  },
  {
    id: 'outcome.owner',
    text: 'An owner that comes to the front within 0.3 seconds of program time after an action has closed its window belongs to the action: focusChanged is true.',
    source: 'behaviour#outcomes',
  },
  {
    id: 'outcome.owner-window',
    text: 'What a dialog changes in its owner window, such as the selection of a search hit, is evidence as well.',
    source: 'behaviour#outcomes',
  },
  {
    id: 'outcome.result-fields',
    text: 'A text field of the window that changes with a press and keeps its new text is evidence; one that keeps changing is not.',
    source: 'behaviour#outcomes',
  },
  { id: 'outcome.confirmed', text: 'confirmed is answered on evidence alone.', source: 'behaviour#outcomes' },
  {
    id: 'outcome.already',
    text: 'An action whose state is there already sends nothing, is true, and has the effect none.',
    source: 'behaviour#when-an-effect-is-confirmed',
  },
  {
    id: 'outcome.there-already',
    text: 'A text, number, date or choice that was there before is not confirmed by being put there again.',
    source: 'behaviour#when-an-effect-is-confirmed',
  },
  {
    id: 'outcome.taken-back',
    text: 'A choice or a position that the program takes back when it is notified, at once or a moment later, is not confirmed.',
    source: 'behaviour#when-an-effect-is-confirmed',
  },
  {
    id: 'outcome.menu-closed',
    text: 'A key that chooses an entry of an open menu is not confirmed by the menu that closes.',
    source: 'behaviour#when-an-effect-is-confirmed',
  },
  {
    id: 'outcome.changed-later',
    text: 'A text that its program changes after the answer is told with a later answer to the same session, once.',
    source: 'behaviour#when-an-effect-is-confirmed',
  },
  {
    id: 'outcome.asked',
    text: 'A program that asks something when it hears of a row, a position or a text is answered with its dialog: pending_modal, or target_disabled at once where a text is not whole; real input never goes to that dialog.',
    source: 'behaviour#when-an-effect-is-confirmed',
  },
  {
    id: 'outcome.taken-name',
    text: 'Where the given name is only a part of the name of the element or item that was taken, the outcome names it.',
    source: 'behaviour#items-menus-and-tables',
  },
  {
    id: 'outcome.left',
    text: 'A program that takes a text over when its field is left hears that after the text, or before another control is pressed, which is not pressed while the program asks about it.',
    source: 'behaviour#typing-into-an-element',
  },
  {
    id: 'outcome.tasks',
    text: 'A task that people do with a program succeeds through the public interface alone, and everything reported after each call is true.',
    source: 'behaviour#outcomes',
  },
  {
    id: 'bad.programs',
    text: 'Whatever a program does (dying, lying about identities, changing, ignoring, flooding, hanging), every call ends within its deadline and 250 ms and answers what is true.',
    source: 'behaviour#lifecycle',
  },
  {
    id: 'foreground.given-back',
    text: 'Where a program comes forward by itself during a background action, the window that was in front is put back, and the outcome reports both.',
    source: 'behaviour#outcomes',
  },
  {
    id: 'foreground.handed-on',
    text: 'With an Approve on the overlay the desktop worker gets the right to set the foreground window.',
    source: 'behaviour#outcomes',
  },
  {
    id: 'element.right-click',
    text: 'click-element with the right button asks for a context menu by UI Automation, then by the control’s message (an item is selected first), then by the pointer’s messages.',
    source: 'behaviour#elements',
  },
  {
    id: 'element.double-click',
    text: 'click-element with a count of 2 uses the default action of an item, else real double-click messages.',
    source: 'behaviour#elements',
  },
  {
    id: 'element.focus',
    text: 'focus-element gives an element the keyboard focus of its program and reads it back; keys go there next.',
    source: 'behaviour#elements',
  },
  {
    id: 'element.hover',
    text: 'hover-element moves the virtual pointer over an element; a change there is evidence.',
    source: 'behaviour#elements',
  },
  {
    id: 'element.drag',
    text: 'drag-element drags one element to another, only where both are still what was judged.',
    source: 'behaviour#elements',
  },
  {
    id: 'element.wheel',
    text: 'scroll-element with dx or dy turns the wheel over an element.',
    source: 'behaviour#elements',
  },
  {
    id: 'element.disabled-first',
    text: 'A disabled element is target_disabled before a person is asked.',
    source: 'behaviour#elements',
  },
  {
    id: 'cell.value',
    text: 'write-cell sets a cell of a grid by its Value pattern, realised first if it is virtual, and reads it back.',
    source: 'behaviour#elements',
  },
  {
    id: 'cell.label',
    text: 'write-cell edits the first column of a list view as its own label editing does.',
    source: 'behaviour#elements',
  },
  {
    id: 'cell.read-back',
    text: 'A text that the program does not take is reported as not written.',
    source: 'behaviour#elements',
  },
  {
    id: 'cell.refused',
    text: 'A cell that does not exist, cannot be edited in place or holds something else than expected is refused, and nothing is changed.',
    source: 'behaviour#elements',
  },
];
