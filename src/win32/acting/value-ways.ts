/** The ways of typing that use UI Automation's patterns and MSAA, and how such fields are read back. */
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import { ComError, HRESULT } from '../../../native-bindings/com/hresult.ts';
import { AccState } from '../../../native-bindings/uia/identifiers.generated.ts';
import type { Attempt, DeliveryWay } from '../../contract/outcome.ts';
import { setAccessibleValue, setLegacyValue, setRange, setValue } from '../exits/patterns.ts';
import {
  attemptAfter,
  attemptOf,
  isReadOnly,
  readLegacyValue,
  readRange,
  readValue,
  takesLegacyText,
} from '../elements/sources/patterns.ts';
import { stateOf, valueOf } from '../elements/sources/accessible.ts';
import type { ControlKind } from '../windows/classes.ts';
import { type WindowInfo, readWindowInfo, threadOf } from '../windows/window-info.ts';
import { accessibleOfTarget } from './pattern-ways.ts';
import { requireWithin, unfit } from './set-position.ts';
import { type Tried, type Way, delivered, failed, notApplicable, refused, unfinished } from '../drivers/ways.ts';
import type { ElementTarget } from '../elements/finding/element-target.ts';
import { EM_LINEFROMCHAR, EM_LINEINDEX } from '../../../native-bindings/win32/constants.ts';
import { keyTaken, postKey, sendText } from '../input/send-text.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';
import { STALL_MS, waitForProgram } from '../windows/waiting.ts';
import { Asker } from '../windows/ask.ts';
import {
  type CustomSelection,
  customSelection,
  readCustomText,
  selectAllCustom,
  setCustomSelection,
} from '../drivers/edit.ts';

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

function quiet<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ComError) return null;
    throw error;
  }
}

/** Null if UI Automation exposes nothing that takes text. */
export function automationField({ node }: ElementTarget, element: IUIAutomationElement): Field | null {
  const info = readWindowInfo(node.hwnd);
  const { capabilities } = node;
  if (info === null || !(capabilities.has('value') || capabilities.has('range-value'))) return null;
  const isPassword = node.states.has('password');
  const read = (): string | null => {
    if (isPassword) return null;
    return capabilities.has('value')
      ? quiet(() => readValue(element))
      : quiet(() => String(readRange(element)?.value ?? ''));
  };
  return { info, kind: 'other', isListOnly: false, isEdit: false, isPassword, read, length: () => null };
}

/**
 * A text field whose only way to take text is LegacyIAccessible; null for other elements. TextEdit offers none: it only
 * reports what an input method composes.
 * Source: learn.microsoft.com/windows/win32/api/uiautomationclient/nn-uiautomationclient-iuiautomationtexteditpattern
 */
export function legacyField({ node }: ElementTarget, element: IUIAutomationElement): Field | null {
  const info = readWindowInfo(node.hwnd);
  if (info === null || !takesLegacyText(node)) return null;
  const isPassword = node.states.has('password');
  const read = (): string | null => (isPassword ? null : quiet(() => readLegacyValue(element)));
  return { info, kind: 'other', isListOnly: false, isEdit: false, isPassword, read, length: () => null };
}

/** Null if the object is gone. */
export function accessibleField(target: ElementTarget): Field | null {
  const info = readWindowInfo(target.node.hwnd);
  if (info === null) return null;
  const read = (): string | null => {
    using found = accessibleOfTarget(target);
    return found === null ? null : valueOf(found.element);
  };
  return {
    info,
    kind: 'other',
    isListOnly: false,
    isEdit: false,
    isPassword: target.node.states.has('password'),
    read,
    length: () => null,
  };
}

/** Runs a call that sets a value; the program's handlers may open a dialog that keeps it from returning. */
async function runCall(target: TypeTarget, way: DeliveryWay, name: string, started: Promise<number>): Promise<Tried> {
  const { tools, root, description, deadline, call } = target;
  const ended = await tools.pending.run(
    { root, description: `${name} of ${description}` },
    started,
    () => false,
    deadline,
    call,
  );
  if (ended.kind === 'failed') return attemptAfter(way, name, ended.error, description);
  if (ended.kind === 'pending') return unfinished(way, name, ' yet');
  return ended.hresult === HRESULT.S_FALSE ? failed(way, `${name} did nothing (S_FALSE)`) : delivered(way, name);
}

/** The complete text that the field should have afterwards. */
const whole = ({ mode, field, text }: TypeTarget): string | null => {
  if (mode === 'replace') return text;
  const before = field.read();
  return before === null ? null : before + text;
};

export const uiaValue: Way<TypeTarget> = async (target) => {
  const { element, node, description } = target;
  if (element === null || !node.capabilities.has('value')) return notApplicable('uia-value', 'not offered');
  try {
    // Checked again: it can become read-only at any time.
    const readOnly = isReadOnly(element);
    if (readOnly === null) return notApplicable('uia-value', 'not offered');
    if (readOnly) return refused('uia-value', 'the field is read-only');
    const text = whole(target);
    if (text === null) return notApplicable('uia-value', 'its content may not be read, so text cannot be appended');
    return await runCall(target, 'uia-value', 'SetValue', setValue(element, text)!);
  } catch (error) {
    return attemptOf('uia-value', error, description);
  }
};

export const uiaRange: Way<TypeTarget> = async (target) => {
  const { element, node, text, description } = target;
  if (element === null || !node.capabilities.has('range-value')) return notApplicable('uia-range-value', 'not offered');
  const value = Number(text.trim());
  try {
    const range = readRange(element);
    if (range === null) return notApplicable('uia-range-value', 'not offered');
    if (range.isReadOnly) return refused('uia-range-value', 'it is read-only');
    if (text.trim() === '' || !Number.isFinite(value)) throw unfit(target, 'a number');
    requireWithin(target, value, range);
    return await runCall(target, 'uia-range-value', 'SetValue', setRange(element, value)!);
  } catch (error) {
    return attemptOf('uia-range-value', error, description);
  }
};

export const legacyValue: Way<TypeTarget> = async (target) => {
  const { element, node, description } = target;
  if (element === null || !node.capabilities.has('legacy') || node.capabilities.has('value') || target.field.isEdit)
    return notApplicable('legacy-accessible', 'not offered');
  try {
    const text = whole(target);
    const started = text === null ? null : setLegacyValue(element, text);
    return started === null
      ? notApplicable('legacy-accessible', 'not offered')
      : await runCall(target, 'legacy-accessible', 'SetValue', started);
  } catch (error) {
    return attemptOf('legacy-accessible', error, description);
  }
};

/** put_accValue overwrites read-only fields: the state is checked first. S_FALSE means that nothing was done. */
export const msaaValue: Way<TypeTarget> = async (target) => {
  if (target.node.locator.kind !== 'msaa') return notApplicable('msaa', 'not an IAccessible');
  using found = accessibleOfTarget(target);
  if (found === null) return failed('msaa', 'the object is gone or has moved');
  if ((stateOf(found.element) & AccState.READONLY) !== 0) return refused('msaa', 'the field is read-only');
  const text = whole(target);
  if (text === null) return notApplicable('msaa', 'its content may not be read, so text cannot be appended');
  try {
    return await runCall(
      target,
      'msaa',
      'put_accValue',
      setAccessibleValue(found.element, text, () => valueOf(found.element)),
    );
  } catch (error) {
    return attemptOf('msaa', error, target.description);
  }
};

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

export const typeInCustomEditor: Way<TypeTarget> = async (target) => {
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
  const keys: KeyTarget = { hwnd, thread: threadOf(hwnd).thread, kind: 'other', foundBy: 'last focus' };
  if (text === '' && mode === 'replace' && own.text !== '') {
    postKey(keys, 'delete');
    return delivered('posted', 'all of it selected, then the Delete key');
  }
  return await typeAt(target, keys, asker);
};

/** Where the next character goes, and in which line; null if something is selected or the control does not say. */
function caretOf(hwnd: number, asker: Asker): { readonly at: number; readonly line: number } | null {
  const caret = customSelection(hwnd, asker);
  const line = caret === null || caret.start !== caret.end ? null : asker.ask(hwnd, EM_LINEFROMCHAR, caret.start);
  return caret === null || line === null ? null : { at: caret.start, line };
}

/**
 * Waits until the caret is in a later line than `line`: an answer alone does not show that Enter was taken, since a busy
 * program answers before it takes what was posted. The line that it is in then; null if the editor opens none.
 */
const lineOpened = (
  keys: KeyTarget,
  line: number,
  asker: Asker,
  { call, deadline }: TypeTarget,
): Promise<number | null> =>
  waitForProgram(
    () => {
      const caret = caretOf(keys.hwnd, asker);
      return caret !== null && caret.line > line ? caret.line : null;
    },
    {
      hwnd: keys.hwnd,
      withinMs: ENTER_MS,
      atMostMs: deadline.share(STALL_MS, READ_BACK_RESERVE_MS),
      everyMs: 5,
      call,
      delivery: 'delivered',
    },
  );

/** Editors indent a new line like the previous one, or further: indentation that is not in the text is removed. */
async function clearIndent(keys: KeyTarget, asker: Asker, { call, deadline }: TypeTarget): Promise<void> {
  const caret = caretOf(keys.hwnd, asker);
  const start = caret === null || caret.line <= 0 ? null : asker.ask(keys.hwnd, EM_LINEINDEX, caret.line);
  if (caret === null || start === null || start <= 0 || start >= caret.at) return;
  if (!setCustomSelection(keys.hwnd, { start, end: caret.at }, asker)) return;
  postKey(keys, 'delete');
  await keyTaken(keys, call, deadline);
}

async function typeAt(target: TypeTarget, keys: KeyTarget, asker: Asker): Promise<Attempt> {
  const { text, call, deadline } = target;
  // What is selected is replaced by the first character: the line is that of its start.
  const from = customSelection(keys.hwnd, asker)?.start ?? 0;
  let line = asker.ask(keys.hwnd, EM_LINEFROMCHAR, from) ?? 0;
  await sendText(keys, text, {
    asKeys: true,
    call,
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
