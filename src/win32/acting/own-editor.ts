/**
 * Typing into a text control of a program's own: the caret is placed by the messages that such controls answer, and the text
 * comes as characters and keys. EM_REPLACESEL and WM_SETTEXT are left alone: Scintilla takes their text for bytes, and keeps
 * the first character of it. Where the caret cannot be placed nothing is sent: the text would come where the caret happens
 * to be.
 */
import type { Attempt } from '../../contract/outcome.ts';
import { keyTaken, postKey, postText, stoppedAfter } from '../input/post-text.ts';
import type { KeyTarget } from '../elements/focus/text-target.ts';
import { STALL_MS, taken } from '../windows/program-time.ts';
import { Asker, threadOf } from '../windows/ask.ts';
import {
  ownSelection,
  readOwnText,
  selectAllOwn,
  setOwnSelection,
  type OwnSelection,
} from '../elements/sources/controls/own-text.ts';
import { delivered, notApplicable, type Rung } from '../elements/rungs.ts';
import type { TypeTarget } from './value-rungs.ts';

const EM_LINEINDEX = 0x00bb;
const EM_LINEFROMCHAR = 0x00c9;
const EDIT_MS = 5000;
/** A key goes down and up. */
const KEY_MESSAGES = 2;
/** Kept back from the deadline for reading back. */
const RESERVE_MS = 500;

/** What is typed replaces the selection: all of it, or the nothing behind the end. False where the control does not select. */
function place(hwnd: number, mode: TypeTarget['mode'], asker: Asker): boolean {
  const end = selectAllOwn(hwnd, asker);
  if (end === null) return false;
  return mode === 'replace' || setOwnSelection(hwnd, { start: end, end }, asker);
}

/** Why the text cannot be typed as keys that go to nobody else; null where it can. */
function strayKey(text: string, { takesEnter, takesTab }: { takesEnter: boolean; takesTab: boolean }): string | null {
  if (/[\r\n]/.test(text) && !takesEnter) return 'it does not take Enter as text';
  return text.includes('\t') && !takesTab ? 'it does not take Tab as text' : null;
}

export const typeInOwn: Rung<TypeTarget> = async (target) => {
  const { field, text, mode, deadline } = target;
  const { hwnd } = field.info;
  const asker = new Asker(deadline.share(EDIT_MS));
  const own = readOwnText(hwnd, asker);
  if (own === null) return notApplicable('posted', 'its content cannot be read');
  const stray = strayKey(text, own);
  if (stray !== null) return notApplicable('posted', stray);
  const before: OwnSelection | null = ownSelection(hwnd, asker);
  if (own.text !== '' && !place(hwnd, mode, asker)) {
    if (before !== null) setOwnSelection(hwnd, before, asker);
    return notApplicable('posted', 'its caret cannot be placed from outside');
  }
  const keys: KeyTarget = { hwnd, thread: threadOf(hwnd).thread, kind: 'other', foundBy: 'last focus' };
  if (text === '' && mode === 'replace' && own.text !== '') {
    postKey(keys, 'delete');
    return delivered('posted', 'all of it selected, then the Delete key');
  }
  return await typeAt(target, keys, asker);
};

/** Editors begin a line with the blanks of the one before, or with more: what the text does not say goes again. */
async function clearIndent(keys: KeyTarget, asker: Asker, { call, deadline }: TypeTarget): Promise<void> {
  const caret = ownSelection(keys.hwnd, asker);
  const line = caret === null || caret.start !== caret.end ? null : asker.ask(keys.hwnd, EM_LINEFROMCHAR, caret.start);
  const start = line === null || line <= 0 ? null : asker.ask(keys.hwnd, EM_LINEINDEX, line);
  if (caret === null || start === null || start <= 0 || start >= caret.start) return;
  if (!setOwnSelection(keys.hwnd, { start, end: caret.start }, asker)) return;
  postKey(keys, 'delete');
  await keyTaken(keys, KEY_MESSAGES, call, deadline);
}

async function typeAt(target: TypeTarget, keys: KeyTarget, asker: Asker): Promise<Attempt> {
  const { text, call, deadline } = target;
  const settle = async (typed: number): Promise<void> => {
    if (!(await taken(keys.hwnd, 0, deadline.share(STALL_MS, RESERVE_MS), call)) && call.signal.aborted)
      throw stoppedAfter(typed, call.signal.reason);
  };
  await postText(keys, text, {
    asKeys: true,
    call,
    deadline,
    settle,
    afterEnter: () => clearIndent(keys, asker, target),
  });
  return delivered('posted', 'WM_CHAR, and keys for line breaks and tabs');
}
