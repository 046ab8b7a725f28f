/** The errors of the object model as the host reports them: one table. */
import { DispatchError } from '../../../native-bindings/com/dispatch.ts';
import { ComError, HRESULT } from '../../../native-bindings/com/hresult.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError, type Delivery, type ErrorCode } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { windowProcess, ownerOf, topWindowsOf, windowText } from '../windows/window-info.ts';
import { answers } from '../windows/ask.ts';

const GONE: ReadonlySet<number> = new Set([
  HRESULT.RPC_S_SERVER_UNAVAILABLE,
  HRESULT.RPC_S_CALL_FAILED,
  HRESULT.RPC_E_DISCONNECTED,
  HRESULT.RPC_E_SERVER_DIED,
  HRESULT.CO_E_OBJNOTCONNECTED,
  HRESULT.RPC_S_UNKNOWN_IF,
]);
/** Names and indices that the object does not know, and Excel's own refusal. */
const REFUSED: ReadonlySet<number> = new Set([HRESULT.XL_E_1004, HRESULT.DISP_E_BADINDEX, HRESULT.DISP_E_TYPEMISMATCH]);
/** The program is busy with its user, and did not carry out the call. Only these codes are tried again. */
const BUSY: ReadonlySet<number> = new Set([
  HRESULT.RPC_E_CALL_REJECTED,
  HRESULT.RPC_E_SERVERCALL_RETRYLATER,
  HRESULT.RPC_E_SERVERCALL_REJECTED,
  HRESULT.VBA_E_IGNORE,
]);
const UNKNOWN_MEMBER: ReadonlySet<number> = new Set([HRESULT.DISP_E_UNKNOWNNAME, HRESULT.DISP_E_MEMBERNOTFOUND]);

/** The object, or its program, is not there any more. */
export const isGone = (error: unknown): boolean => error instanceof ComError && GONE.has(error.hresult);

export const isBusy = (hresult: number): boolean => BUSY.has(hresult);

/** The object model of another program, or of an older one, has no such member. */
export const lacksMember = (error: unknown): error is ComError =>
  error instanceof ComError && UNKNOWN_MEMBER.has(error.hresult);
/** The program refused this address, name, formula or state. */
export const isRefusal = (error: unknown): error is ComError => error instanceof ComError && REFUSED.has(error.hresult);

/** What `work` gives; `otherwise` where the program, another or an older one, lacks a member for it or refuses it. */
export async function ifGiven<T, U>(work: () => Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await work();
  } catch (error) {
    if (lacksMember(error) || isRefusal(error)) return otherwise;
    throw error;
  }
}

const WORDS: Readonly<Record<Delivery, string>> = {
  not_delivered: 'nothing was done',
  delivered: 'a part was done',
  unknown: 'it may have been done',
};
/** How long (ms) a window may take to answer a ping before it counts as hung. */
const PING_MS = 300;
/** Where a cell is edited, Excel shows a window of this class over it. */
const EDITOR = 'EXCEL6';

/** What keeps the program from answering, as far as its windows show. */
function reasonOf(hwnd: number): string {
  const dialog = topWindowsOf(windowProcess(hwnd)).find(
    (other) => ownerOf(other) === hwnd && user32.IsWindowVisible(other),
  );
  if (dialog !== undefined) return `its dialog ${quoted(windowText(dialog))} is open`;
  const desk = user32.FindWindowExW(hwnd, 0, 'XLDESK', null);
  const editor = user32.FindWindowExW(desk === 0 ? hwnd : desk, 0, EDITOR, null);
  if (editor !== 0 && user32.IsWindowVisible(editor)) return 'a cell is being edited';
  return 'a cell is being edited, a dialog is open, or it calculates';
}

const READ_AGAIN = 'Read the range again before repeating it.';

/** It refused calls until the deadline. */
export function busyError(hwnd: number, delivery: Delivery): UiaHostError {
  return new UiaHostError(
    'state_conflict',
    `The spreadsheet program is busy (${reasonOf(hwnd)}) and refused calls until the deadline; ${WORDS[delivery]}.`,
    {
      delivery,
      hint: delivery === 'unknown' ? READ_AGAIN : 'Finish the edit or answer the dialog, then try again.',
    },
  );
}

/** It did not answer until the deadline. */
export async function lateError(hwnd: number, name: string, delivery: Delivery): Promise<UiaHostError> {
  if (!user32.IsWindow(hwnd)) return goneError(delivery);
  const hint = delivery === 'unknown' ? { hint: READ_AGAIN } : {};
  if (!(await answers(hwnd, PING_MS)))
    return new UiaHostError(
      'window_hung',
      `The spreadsheet program did not answer ${name} and its window does not respond; ${WORDS[delivery]}.`,
      { delivery, ...hint },
    );
  return new UiaHostError(
    'state_conflict',
    `The spreadsheet program did not answer ${name} until the deadline (${reasonOf(hwnd)}); ${WORDS[delivery]}.`,
    { delivery, hint: delivery === 'unknown' ? READ_AGAIN : 'Finish the edit or answer the dialog, then try again.' },
  );
}

export const goneError = (delivery: Delivery): UiaHostError =>
  new UiaHostError('window_gone', `The spreadsheet program ended or closed the workbook; ${WORDS[delivery]}.`, {
    delivery,
  });

/** The program's words, shown as such. */
const wordsOf = (error: ComError): string =>
  error instanceof DispatchError && error.failure !== null
    ? ` The program says: ${quoted(error.failure.description, 200)}.`
    : '';

/** An error of a call as the host reports it. `what`: what was refused, as `the range “ZZ”`. */
export function refused(
  code: ErrorCode,
  what: string,
  error: ComError,
  delivery: Delivery = 'not_delivered',
  hint?: string,
): UiaHostError {
  return new UiaHostError(code, `The spreadsheet program refused ${what}; ${WORDS[delivery]}.${wordsOf(error)}`, {
    delivery,
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Any error of a turn as the host reports it. */
export function toSheetError(error: unknown, delivery: Delivery): unknown {
  if (!(error instanceof ComError)) return error;
  if (isGone(error)) return goneError(delivery);
  if (REFUSED.has(error.hresult)) return refused('invalid_argument', 'this', error, delivery);
  if (UNKNOWN_MEMBER.has(error.hresult))
    return new UiaHostError(
      'unsupported',
      `The object model of this program has no ${error.method}; ${WORDS[delivery]}.`,
      { delivery, cause: error },
    );
  return new UiaHostError(
    'internal',
    `The object model failed with ${error.code} at ${error.method}; ${WORDS[delivery]}.`,
    { delivery, cause: error },
  );
}
