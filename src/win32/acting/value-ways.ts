/** The ways of typing that use UI Automation's patterns and MSAA, and how such fields are read back. */
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import { ComError, HRESULT } from '../../../native-bindings/com/hresult.ts';
import { AccState } from '../../../native-bindings/uia/identifiers.generated.ts';
import type { DeliveryWay } from '../../contract/outcome.ts';
import { setAccessibleValue, setLegacyValue, setRange, setValue } from '../exits/patterns.ts';
import {
  readLegacyValue,
  takesLegacyText,
  attemptAfter,
  attemptOf,
  readRange,
  isReadOnly,
  readValue,
} from '../elements/sources/patterns.ts';
import { stateOf, valueOf } from '../elements/sources/accessible.ts';
import type { ControlKind } from '../windows/classes.ts';
import { readWindowInfo, type WindowInfo } from '../windows/window-info.ts';
import { accessibleOfTarget } from './pattern-ways.ts';
import { requireWithin, unfit } from './set-position.ts';
import {
  delivered,
  failed,
  notApplicable,
  refused,
  unfinished,
  type Way,
  type Tried,
} from '../elements/sources/ways.ts';
import type { ElementTarget } from '../elements/finding/element-target.ts';

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
