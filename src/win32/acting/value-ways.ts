/** The ways of typing that use UI Automation's patterns and MSAA, and how such fields are read back. */
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import { AccState } from '../../../native-bindings/uia/identifiers.generated.ts';
import type { Attempt } from '../../contract/outcome.ts';
import { setAccessibleValue, setLegacyValue, setRange, setValue } from '../exits/patterns.ts';
import { isReadOnly, readLegacyValue, readRange, readValue, takesLegacyText } from '../elements/sources/patterns.ts';
import { comAnswer } from '../elements/sources/boundary.ts';
import { stateOf, valueOf } from '../elements/sources/accessible.ts';
import type { ControlKind } from '../windows/classes.ts';
import { type WindowInfo, readWindowInfo } from '../windows/window-info.ts';
import { accessibleOfTarget, msaaWay, runCall } from './pattern-ways.ts';
import { requireWithin } from '../drivers/position.ts';
import { type Way, delivered, notApplicable, refused, unfit, failed } from '../drivers/driver.ts';
import type { ElementTarget } from '../elements/finding/element-target.ts';
import { keyTaken, postKey, sendText } from '../input/send-text.ts';
import { type KeyTarget, receiverAt } from '../elements/finding/text-target.ts';
import { seenWithin, waitUntil } from '../windows/waiting.ts';
import { Asker } from '../windows/ask.ts';
import {
  type CustomSelection,
  customSelection,
  readCustomText,
  selectAllCustom,
  setCustomSelection,
  lineOf,
  startOfLine,
  selectText,
} from '../drivers/edit.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { parseKeySequence } from '../../contract/keys/keys.ts';
import type { MouseButton } from '../../desktop/index.ts';
import { typeForeground, sendChordsForeground } from '../input/keyboard-foreground.ts';
import { sendMouseEvents } from '../exits/input.ts';
import { assertMayPoint, moveEvent, clickEvents, takeForeground, untilOnTop } from '../input/mouse-foreground.ts';
import { realTargetAt } from '../input/mouse-target.ts';
import { quietMoment, YIELD_MS } from '../windows/person.ts';
import type { Witness } from '../windows/witness.ts';
import { clickPoint } from '../elements/tree/tree.ts';

/** The holder of an element's text, and how to read it. */
export interface Field {
  readonly info: WindowInfo;
  /** Kind of the window that holds the text; `other` if UI Automation or MSAA holds it. */
  readonly kind: ControlKind;
  /** A combo box that only accepts entries of its list. */
  readonly isListOnly: boolean;
  /** It understands the messages of an edit control. */
  readonly isEdit: boolean;
  readonly isPassword: boolean;
  /** Null if it cannot or must not be read. */
  read(): string | null;
  /** For a password field, whose text is never read; null if it is not reported. */
  length(): number | null;
}

export interface TypeTarget extends ElementTarget {
  readonly element: IUIAutomationElement | null;
  readonly text: string;
  readonly mode: 'replace' | 'append';
  readonly field: Field;
}

/** A field whose text its element holds; null if its window is gone. */
function heldByElement({ node }: ElementTarget, read: () => string | null): Field | null {
  const info = readWindowInfo(node.hwnd);
  const isPassword = node.states.has('password');
  return info === null
    ? null
    : {
        info,
        kind: 'other',
        isListOnly: false,
        isEdit: false,
        isPassword,
        read: () => (isPassword ? null : comAnswer(read)),
        length: () => null,
      };
}

/** Null if UI Automation exposes nothing that takes text. */
export function automationField(target: ElementTarget, element: IUIAutomationElement): Field | null {
  const { capabilities } = target.node;
  if (capabilities.has('value')) return heldByElement(target, () => readValue(element));
  return capabilities.has('range-value') ? heldByElement(target, () => String(readRange(element)?.value ?? '')) : null;
}

/**
 * A text field whose only way to take text is LegacyIAccessible; null for other elements. TextEdit offers none: it only
 * reports what an input method composes.
 * Source: learn.microsoft.com/windows/win32/api/uiautomationclient/nn-uiautomationclient-iuiautomationtexteditpattern
 */
export const legacyField = (target: ElementTarget, element: IUIAutomationElement): Field | null =>
  takesLegacyText(target.node) ? heldByElement(target, () => readLegacyValue(element)) : null;

export const accessibleField = (target: ElementTarget): Field | null =>
  heldByElement(target, () => {
    using found = accessibleOfTarget(target);
    return found === null ? null : valueOf(found.element);
  });

/** The complete text that the field should have afterwards. */
const whole = ({ mode, field, text }: TypeTarget): string | null => {
  if (mode === 'replace') return text;
  const before = field.read();
  return before === null ? null : before + text;
};

const UNREAD = 'its content may not be read, so text cannot be appended';

const uiaValue: Way<TypeTarget> = (target) =>
  runCall(target, 'uia-value', 'SetValue', () => {
    const { element, node } = target;
    // Checked again: it can become read-only at any time.
    const readOnly = element === null || !node.capabilities.has('value') ? null : isReadOnly(element);
    if (element === null || readOnly === null) return null;
    if (readOnly) return refused('uia-value', 'the field is read-only');
    const text = whole(target);
    return text === null ? notApplicable('uia-value', UNREAD) : setValue(element, text);
  });

const uiaRange: Way<TypeTarget> = (target) =>
  runCall(target, 'uia-range-value', 'SetValue', () => {
    const { element, node, text } = target;
    const range = element === null || !node.capabilities.has('range-value') ? null : readRange(element);
    if (element === null || range === null) return null;
    if (range.isReadOnly) return refused('uia-range-value', 'it is read-only');
    const value = Number(text.trim());
    if (text.trim() === '' || !Number.isFinite(value)) throw unfit(target.description, 'a number');
    requireWithin(target.description, value, range);
    return setRange(element, value);
  });

const legacyValue: Way<TypeTarget> = (target) =>
  runCall(target, 'legacy-accessible', 'SetValue', () => {
    const { element, node, field } = target;
    if (element === null || !node.capabilities.has('legacy') || node.capabilities.has('value') || field.isEdit)
      return null;
    const text = whole(target);
    return text === null ? null : setLegacyValue(element, text);
  });

/** put_accValue overwrites read-only fields: the state is checked first. */
const msaaValue = msaaWay<TypeTarget>('put_accValue', (element, target) => {
  if ((stateOf(element) & AccState.READONLY) !== 0) return refused('msaa', 'the field is read-only');
  const text = whole(target);
  return text === null ? notApplicable('msaa', UNREAD) : setAccessibleValue(element, text, () => valueOf(element));
});

const EDIT_MS = 5000;
/** Time (ms) of the program in which a new line shows. */
const ENTER_MS = 300;
/** Part of the deadline (ms) reserved for reading the text back. */
const READ_BACK_RESERVE_MS = 500;

/**
 * Typed text replaces the selection: everything, or the empty selection at the end. False if the control does not
 * select.
 */
function place(hwnd: number, mode: TypeTarget['mode'], asker: Asker): boolean {
  const end = selectAllCustom(hwnd, asker);
  if (end === null) return false;
  return mode === 'replace' || setCustomSelection(hwnd, { start: end, end }, asker);
}

/** Why the text cannot be typed as keys without them reaching another control; null if it can. */
function strayKey(text: string, { takesEnter, takesTab }: { takesEnter: boolean; takesTab: boolean }): string | null {
  if (/[\r\n]/.test(text) && !takesEnter) return 'it does not take Enter as text';
  return text.includes('\t') && !takesTab ? 'it does not take Tab as text' : null;
}

const typeInCustomEditor: Way<TypeTarget> = async (target) => {
  const { field, text, mode, deadline } = target;
  const { hwnd } = field.info;
  const asker = new Asker(deadline.share(EDIT_MS));
  const own = readCustomText(hwnd, asker);
  if (own === null) return notApplicable('posted', 'its content cannot be read');
  const stray = strayKey(text, own);
  if (stray !== null) return notApplicable('posted', stray);
  const before: CustomSelection | null = customSelection(hwnd, asker);
  if (own.text !== '' && !place(hwnd, mode, asker)) {
    if (before !== null) setCustomSelection(hwnd, before, asker);
    return notApplicable('posted', 'its caret cannot be placed from outside');
  }
  const keys: KeyTarget = { ...receiverAt(hwnd, 'last focus'), kind: 'other' };
  if (text === '' && mode === 'replace' && own.text !== '') {
    postKey(keys, 'delete');
    return delivered('posted', 'all of it selected, then the Delete key');
  }
  return await typeAt(target, keys, asker);
};

/** Where the next character goes, and in which line; null if something is selected or the control does not say. */
function caretOf(hwnd: number, asker: Asker): { readonly at: number; readonly line: number } | null {
  const caret = customSelection(hwnd, asker);
  const line = caret === null || caret.start !== caret.end ? null : lineOf(asker, hwnd, caret.start);
  return caret === null || line === null ? null : { at: caret.start, line };
}

/**
 * Waits until the caret is in a later line than `line`: an answer alone does not show that Enter was taken, since a busy
 * program answers before it takes what was posted. The line that it is in then; null if the editor opens none.
 */
function lineOpened({ hwnd }: KeyTarget, line: number, asker: Asker, { deadline }: TypeTarget): Promise<number | null> {
  const look = (): number | null => {
    const caret = caretOf(hwnd, asker);
    return caret !== null && caret.line > line ? caret.line : null;
  };
  return seenWithin(hwnd, ENTER_MS, look, deadline, { everyMs: 5, reserveMs: READ_BACK_RESERVE_MS });
}

/** Editors indent a new line like the previous one, or further: indentation that is not in the text is removed. */
async function clearIndent(keys: KeyTarget, asker: Asker, { deadline }: TypeTarget): Promise<void> {
  const caret = caretOf(keys.hwnd, asker);
  const start = caret === null || caret.line <= 0 ? null : startOfLine(asker, keys.hwnd, caret.line);
  if (caret === null || start === null || start <= 0 || start >= caret.at) return;
  if (!setCustomSelection(keys.hwnd, { start, end: caret.at }, asker)) return;
  postKey(keys, 'delete');
  await keyTaken(keys, deadline);
}

async function typeAt(target: TypeTarget, keys: KeyTarget, asker: Asker): Promise<Attempt> {
  const { text, deadline } = target;
  // What is selected is replaced by the first character: the line is that of its start.
  const from = customSelection(keys.hwnd, asker)?.start ?? 0;
  let line = lineOf(asker, keys.hwnd, from) ?? 0;
  await sendText(keys, text, {
    asKeys: true,
    deadline,
    async afterEnter() {
      const opened = await lineOpened(keys, line, asker, target);
      if (opened === null) return;
      line = opened;
      await clearIndent(keys, asker, target);
    },
  });
  return delivered('posted', 'WM_CHAR, and keys for line breaks and tabs');
}

/** These ways by the ids of the table of ways (`contract/ways`). */
export const VALUE_WAYS: Readonly<Record<string, Way<TypeTarget>>> = {
  'msaa-value': msaaValue,
  'uia-value': uiaValue,
  'uia-range': uiaRange,
  'legacy-value': legacyValue,
  'custom-editor': typeInCustomEditor,
};

const FOREGROUND_MS = 1000;
const MESSAGE_MS = 1000;

/** Whether a click at the point reaches the element's window or one inside it. */
function isUnderPoint({ node }: ElementTarget, at: Point): boolean {
  const hit = realTargetAt(at);
  return node.letsClicksThrough || hit === node.hwnd || user32.IsChild(node.hwnd, hit);
}

/** Errors: user_active, state_conflict if another window covers the point. */
export async function realClick(target: ElementTarget, button: MouseButton = 'left', count = 1): Promise<Attempt> {
  const at = clickPoint(target.node);
  if (at === null) return notApplicable('input', 'no part of it is in view');
  await quietMoment(YIELD_MS, target.deadline);
  if (!(await takeForeground(target.root, target.deadline.share(FOREGROUND_MS), target.call))) {
    return failed('input', 'Windows did not give the window the foreground');
  }
  await untilOnTop(target.root, at, target.deadline.share(FOREGROUND_MS), target.call);
  assertMayPoint(target.record, at);
  if (!isUnderPoint(target, at)) return failed('input', 'another part of the window covers its centre');
  sendMouseEvents([moveEvent(at), ...clickEvents(button, count)]);
  return delivered('input', 'SendInput at its centre');
}

/**
 * Waits until Ctrl+End has been processed; a field that cannot report it is assumed to have done so. Source:
 * learn.microsoft.com/windows/win32/controls/em-getsel
 */
async function caretAtEnd({ field, deadline, call }: TypeTarget): Promise<void> {
  const asker = new Asker(deadline.share(MESSAGE_MS));
  const length = field.length() ?? field.read()?.length ?? null;
  if (length === null) return;
  await waitUntil(
    () => {
      const selection = customSelection(field.info.hwnd, asker);
      return selection === null || (selection.start === length && selection.end === length) ? true : null;
    },
    { withinMs: deadline.share(MESSAGE_MS), everyMs: 10, call, delivery: 'delivered' },
  );
}

/** Clicks into the field, selects the text to replace, and types. Errors: as `realClick`, and cancelled. */
export async function realType(target: TypeTarget, witness: Witness): Promise<Attempt> {
  const clicked = await realClick(target);
  if (clicked.result !== 'delivered') return clicked;
  const { field, mode, record, call, text } = target;
  // Real input is processed in order: once the keys have arrived, the click has too, and cannot move the caret any
  // more.
  await sendChordsForeground(
    record,
    { chords: parseKeySequence(field.isEdit || mode === 'append' ? 'ctrl+end' : 'ctrl+a'), repeat: 1 },
    call,
    witness,
  );
  if (field.isEdit) {
    await caretAtEnd(target);
    if (mode === 'replace') selectText(new Asker(target.deadline.share(MESSAGE_MS)), field.info.hwnd, 0, -1);
  }
  await typeForeground(record, text, call, witness);
  return delivered('input', 'a click into it, and SendInput');
}
