/**
 * Types into a custom text control: the caret is placed by the messages that such controls answer, and the text is sent
 * as characters and keys. EM_REPLACESEL and WM_SETTEXT are avoided: Scintilla reads their text as bytes and keeps only
 * its first character. If the caret cannot be placed nothing is sent, since the text would go wherever the caret
 * happens to be.
 */
import { EM_LINEFROMCHAR, EM_LINEINDEX } from '../../../native-bindings/win32/constants.ts';
import type { Attempt } from '../../contract/outcome.ts';
import { keyTaken, postKey, sendText } from '../input/send-text.ts';
import type { KeyTarget } from '../elements/finding/text-target.ts';
import { STALL_MS, waitForProgram } from '../windows/waiting.ts';
import { Asker } from '../windows/ask.ts';
import { threadOf } from '../windows/window-info.ts';
import {
  customSelection,
  readCustomText,
  selectAllCustom,
  setCustomSelection,
  type CustomSelection,
} from '../elements/sources/controls/simple-controls.ts';
import { delivered, notApplicable, type Way } from '../elements/sources/ways.ts';
import type { TypeTarget } from './value-ways.ts';

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
