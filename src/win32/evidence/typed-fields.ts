/** Fields whose typed text was read back: a later answer reports what their programs made of it. */
import { Asker } from '../windows/ask.ts';
import { isPasswordEdit, rootOf } from '../windows/window-info.ts';
import { shownDifference } from '../elements/tree/text-difference.ts';

/** A field is looked at until a look comes this long (ms) after its text was typed. */
const REACTS_MS = 3000;
const READ_MS = 200;
const MOST_FIELDS = 20;
const SHOWN = 200;

interface TypedField {
  readonly owner: string;
  readonly hwnd: number;
  /** Role and name, for the answer. */
  readonly element: string;
  readonly text: string;
  readonly typedAt: number;
}

/** A text that its program changed after it was typed. */
export interface ChangedText {
  readonly element: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A change that no answer has carried yet. */
interface Unreported {
  readonly owner: string;
  readonly root: number;
  readonly change: ChangedText;
}

let fields: readonly TypedField[] = [];
let unreported: readonly Unreported[] = [];

/**
 * For a window that holds the typed text by now. Passwords are not read.
 * @param text what it held when it was read back; asked for where that is not known
 */
export function noteTyped(
  owner: string,
  hwnd: number,
  element: string,
  text: string | null = isPasswordEdit(hwnd) ? null : new Asker(READ_MS).text(hwnd),
): void {
  if (text === null || isPasswordEdit(hwnd)) return;
  const others = fields.filter((field) => field.owner !== owner || field.hwnd !== hwnd);
  fields = [...others, { owner, hwnd, element, text, typedAt: performance.now() }].slice(-MOST_FIELDS);
}

/**
 * What the fields of a window that a session typed into hold otherwise by now: each change until `changesReported` is
 * called with it, since an action that fails has no place for it.
 * @param root the window that the session's next action is for
 */
export function changedSinceTyped(owner: string, root: number): ChangedText[] {
  const asker = new Asker(READ_MS);
  fields = fields.filter((field) => {
    if (field.owner !== owner || rootOf(field.hwnd) !== root) return true;
    const now = isPasswordEdit(field.hwnd) ? null : asker.text(field.hwnd);
    const isChanged = now !== null && now !== field.text;
    if (isChanged) {
      const change = { element: field.element, ...shownDifference(field.text, now, SHOWN) };
      unreported = [...unreported, { owner, root, change }].slice(-MOST_FIELDS);
    }
    return !isChanged && performance.now() - field.typedAt < REACTS_MS;
  });
  return unreported.filter((each) => each.owner === owner && each.root === root).map(({ change }) => change);
}

/** An answer has carried these changes. */
export function changesReported(changes: readonly ChangedText[]): void {
  unreported = unreported.filter(({ change }) => !changes.includes(change));
}
