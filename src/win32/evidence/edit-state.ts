/** What a text control holds before and after a text was put into it, and whether it arrived. */
import { ES_MULTILINE, ES_NUMBER } from '../../../native-bindings/win32/constants.ts';
import { Asker } from '../windows/ask.ts';
import { type CustomText, customSelection, readCustomText, mostCharacters } from '../drivers/edit.ts';
import { endsLinesWithCr, isInserted, plainLines, withoutBackspaces } from '../elements/tree/text-difference.ts';
import { classNameOf, isPasswordEdit, kindOfWindow, windowStyle } from '../windows/window-info.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { type Deadline, heardBy, seenWithin } from '../windows/waiting.ts';

/** Longer texts are not compared: reading them would take longer than typing. */
const MAX_COMPARED = 200_000;

/** Text and selection of a control that holds text, in UTF-16 units. */
export interface EditState {
  readonly text: string;
  /**
   * Offsets in `text`, whatever units the control uses. For a custom control: its own units, -1 if it does not report
   * them.
   */
  readonly start: number;
  readonly end: number;
  /** For a custom text control: whether it handles Enter and Tab as keys. */
  readonly own?: Pick<CustomText, 'takesEnter' | 'takesTab'>;
}

/** Rich edit version 1 counts as edit controls do; frameworks embed the class name in their own. */
const FIRST_RICH_EDIT = /(?:^|[.:])richedit(?:\.|$)/i;

/**
 * Source: learn.microsoft.com/windows/win32/controls/about-rich-edit-controls: since version 2 a paragraph ends with
 * one CR, which WM_GETTEXT returns as CRLF.
 */
const countsLineEndAsOne = ({ kind, hwnd }: KeyTarget): boolean =>
  kind === 'rich-edit' && !FIRST_RICH_EDIT.test(classNameOf(hwnd));

/** Converts a position that counts each line end as one character to an offset in the text with CRLF. */
export function placeInText(text: string, position: number): number {
  let place = 0;
  for (let counted = 0; counted < position && place < text.length; counted += 1)
    place += text.startsWith('\r\n', place) ? 2 : 1;
  return place;
}

/**
 * Null for windows without text, for password fields and where the control does not answer.
 * Source: learn.microsoft.com/windows/win32/controls/em-getsel
 */
export function readEditState(target: KeyTarget, budgetMs: number): EditState | null {
  const asker = new Asker(budgetMs);
  if (target.kind === 'other') return ownState(target.hwnd, asker);
  if ((target.kind !== 'edit' && target.kind !== 'rich-edit') || isPasswordEdit(target.hwnd)) return null;
  const text = asker.text(target.hwnd);
  if (text === null || text.length > MAX_COMPARED) return null;
  const selection = customSelection(target.hwnd, asker);
  if (selection === null) return null;
  const { start, end } = selection;
  return countsLineEndAsOne(target)
    ? { text, start: placeInText(text, start), end: placeInText(text, end) }
    : { text, start, end };
}

function ownState(hwnd: number, asker: Asker): EditState | null {
  const own = readCustomText(hwnd, asker);
  if (own === null || own.text.length > MAX_COMPARED) return null;
  const { start, end } = customSelection(hwnd, asker) ?? { start: -1, end: -1 };
  return { text: own.text, start, end, own };
}

/** The expected text after `typed` replaced the selection: edit controls store line ends as CRLF. */
function expectedAfter(before: EditState, typed: string): string {
  const lines = typed.replaceAll(/\r\n|\r|\n/g, '\r\n');
  return before.text.slice(0, before.start) + lines + before.text.slice(before.end);
}

/** How typed text arrived in its control. */
export type Arrival = 'verified' | 'normalised' | 'mismatch';

/**
 * Whether `typed` replaced the selection. For a custom control with its own units it may be at any one place, in
 * exchange for any removed text: it replaces the selection.
 */
export function arrivalOf(before: EditState, after: EditState, typed: string): Arrival {
  const text = withoutBackspaces(typed);
  if (text === null) return 'mismatch';
  const crEndsLines = endsLinesWithCr(before.text);
  const [then, now, lines] = [before.text, after.text, text].map((each, index) =>
    plainLines(each, crEndsLines || index === 2),
  ) as [string, string, string];
  if (before.own !== undefined) {
    // Without a selection, nothing may be removed.
    const replaces = before.start < 0 || before.start !== before.end;
    if (!isInserted(then, now, lines, replaces)) return 'mismatch';
    return isInserted(before.text, after.text, text, replaces) ? 'verified' : 'normalised';
  }
  const wanted = expectedAfter(before, text);
  if (after.text === wanted) return 'verified';
  // Fields for capitals change the case.
  return plainLines(wanted, true).toLowerCase() === now.toLowerCase() ? 'normalised' : 'mismatch';
}

/** Whether the text arrived in a field that did not hold the same before. */
export const isTyped = (before: EditState, after: EditState, typed: string): boolean =>
  after.text !== before.text && arrivalOf(before, after, typed) !== 'mismatch';

/** The rule of its style that a text breaks; null if it breaks none. */
export function brokenStyle(hwnd: number, text: string): string | null {
  const style = windowStyle(hwnd);
  if ((style & ES_MULTILINE) === 0 && /[\r\n]/.test(text)) return 'one line, and the text has line breaks';
  return (style & ES_NUMBER) !== 0 && kindOfWindow(hwnd) === 'edit' && /\D/.test(text) ? 'digits only' : null;
}

/** The most characters that it takes, where `length` are more; null otherwise, and for a rich edit. */
export function brokenLimit(hwnd: number, length: number, asker: Asker): string | null {
  const limit = kindOfWindow(hwnd) === 'edit' ? mostCharacters(asker, hwnd) : 0;
  return limit > 0 && length > limit ? `at most ${limit} characters` : null;
}

/** How long (ms of the program) a text may take to arrive. */
const ARRIVES_MS = 300;
const POLL_MS = 10;
/** For one reading of its text. */
const READ_MS = 2000;

/**
 * Reads until the program has taken the text, and once more when it has heard of it. Null if it cannot be read.
 * `isKept` false: nothing looks at the text again, so that it is read once more after a while.
 */
export async function heldText<T>(
  hwnd: number,
  read: () => T | null | Promise<T | null>,
  isTaken: (held: T) => boolean,
  deadline: Deadline,
  { withinMs = ARRIVES_MS, isKept = true }: { readonly withinMs?: number; readonly isKept?: boolean } = {},
): Promise<T | null> {
  const look = async (): Promise<T | null> => {
    const now = await read();
    return now !== null && isTaken(now) ? now : null;
  };
  const settled = await seenWithin(hwnd, withinMs, look, deadline, { everyMs: POLL_MS });
  if (settled !== null) await heardBy(hwnd, deadline, isKept);
  // A field that is gone holds nothing; another in its place may be empty.
  return (await read()) ?? (user32.IsWindow(hwnd) ? settled : null);
}

/** The field once it has taken a text that was typed into it; null if it cannot be read. */
export const arrivedText = (
  target: KeyTarget,
  before: EditState,
  text: string,
  deadline: Deadline,
  how: Parameters<typeof heldText>[4] = {},
): Promise<EditState | null> =>
  heldText(
    target.hwnd,
    () => readEditState(target, deadline.share(READ_MS)),
    (now) => arrivalOf(before, now, text) !== 'mismatch',
    deadline,
    how,
  );
