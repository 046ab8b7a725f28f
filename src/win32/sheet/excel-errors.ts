/** The errors of the object model as the host reports them: one table. */
import { DispatchError, type Dispatch, type DispatchValue } from '../../../native-bindings/com/dispatch.ts';
import { ComError, HRESULT } from '../../../native-bindings/com/hresult.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError, type Delivery, type ErrorCode } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { windowProcess, ownerOf, topWindowsOf, windowText } from '../windows/window-info.ts';
import { answers } from '../windows/ask.ts';

const oneOf =
  (...codes: number[]) =>
  (error: unknown): error is ComError =>
    error instanceof ComError && codes.includes(error.hresult);

/** The object, or its program, is not there any more. */
export const isGone = oneOf(
  HRESULT.RPC_S_SERVER_UNAVAILABLE,
  HRESULT.RPC_S_CALL_FAILED,
  HRESULT.RPC_E_DISCONNECTED,
  HRESULT.RPC_E_SERVER_DIED,
  HRESULT.CO_E_OBJNOTCONNECTED,
  HRESULT.RPC_S_UNKNOWN_IF,
);
/** The program refused this address, name, formula or state: names and indices that the object does not know, and Excel's own refusal. */
export const isRefusal = oneOf(HRESULT.XL_E_1004, HRESULT.DISP_E_BADINDEX, HRESULT.DISP_E_TYPEMISMATCH);
/** The object model of another program, or of an older one, has no such member. */
export const lacksMember = oneOf(HRESULT.DISP_E_UNKNOWNNAME, HRESULT.DISP_E_MEMBERNOTFOUND);

/** The program is busy with its user, and did not carry out the call. Only these codes are tried again. */
const BUSY: ReadonlySet<number> = new Set([
  HRESULT.RPC_E_CALL_REJECTED,
  HRESULT.RPC_E_SERVERCALL_RETRYLATER,
  HRESULT.RPC_E_SERVERCALL_REJECTED,
  HRESULT.VBA_E_IGNORE,
]);
export const isBusy = (hresult: number): boolean => BUSY.has(hresult);

/** What `work` gives; `otherwise` where the program, another or an older one, lacks a member for it or refuses it. */
export async function ifGiven<T, U>(work: () => Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await work();
  } catch (error) {
    if (lacksMember(error) || isRefusal(error)) return otherwise;
    throw error;
  }
}

/** A property that older or other programs lack, or that this object has not. */
export const given = (object: Dispatch, name: string, args: readonly number[] = []): Promise<DispatchValue> =>
  ifGiven(() => object.get(name, args), undefined);
export const isSet = async (object: Dispatch, name: string): Promise<boolean> => (await given(object, name)) === true;

const WORDS: Readonly<Record<Delivery, string>> = {
  not_delivered: 'nothing was done',
  delivered: 'a part was done',
  unknown: 'it may have been done',
};

/** The program's words, shown as such. */
const wordsOf = (error: ComError | undefined): string =>
  error instanceof DispatchError && error.failure !== null
    ? ` The program says: ${quoted(error.failure.description, 200)}.`
    : '';

const failure = (
  code: ErrorCode,
  what: string,
  delivery: Delivery,
  more: { readonly hint?: string | undefined; readonly cause?: ComError } = {},
): UiaHostError => new UiaHostError(code, `${what}; ${WORDS[delivery]}.${wordsOf(more.cause)}`, { delivery, ...more });

/** Errors before anything is called. */
const nothingDone =
  (code: ErrorCode) =>
  (why: string, hint?: string): UiaHostError =>
    failure(code, why, 'not_delivered', { hint });
/** The wish cannot be fulfilled in this workbook. */
export const wrong = nothingDone('invalid_argument');
/** The workbook is not as the wish needs it. */
export const conflict = nothingDone('state_conflict');
export const readOnly = nothingDone('target_readonly');
export const unsupported = nothingDone('unsupported');

/** The window of a class on the desk of Excel's window; 0 for none. */
export const onDesk = (hwnd: number, className: string): number =>
  user32.FindWindowExW(user32.FindWindowExW(hwnd, 0, 'XLDESK', null) || hwnd, 0, className, null);

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
  const editor = onDesk(hwnd, EDITOR);
  if (editor !== 0 && user32.IsWindowVisible(editor)) return 'a cell is being edited';
  return 'a cell is being edited, a dialog is open, or it calculates';
}

const READ_AGAIN = 'Read the range again before repeating it.';

/** It refused calls, or did not answer, until the deadline. */
const keptWaiting = (hwnd: number, what: string, delivery: Delivery): UiaHostError =>
  failure('state_conflict', `${what} until the deadline (${reasonOf(hwnd)})`, delivery, {
    hint: delivery === 'unknown' ? READ_AGAIN : 'Finish the edit or answer the dialog, then try again.',
  });

export const busyError = (hwnd: number, delivery: Delivery): UiaHostError =>
  keptWaiting(hwnd, 'The spreadsheet program is busy and refused calls', delivery);

export async function lateError(hwnd: number, name: string, delivery: Delivery): Promise<UiaHostError> {
  if (!user32.IsWindow(hwnd)) return goneError(delivery);
  const what = `The spreadsheet program did not answer ${name}`;
  if (await answers(hwnd, PING_MS)) return keptWaiting(hwnd, what, delivery);
  const hint = delivery === 'unknown' ? READ_AGAIN : undefined;
  return failure('window_hung', `${what} and its window does not respond`, delivery, { hint });
}

export const goneError = (delivery: Delivery): UiaHostError =>
  failure('window_gone', 'The spreadsheet program ended or closed the workbook', delivery);

/** An error of a call as the host reports it. `what`: what was refused, as `the range “ZZ”`. */
export const refused = (
  code: ErrorCode,
  what: string,
  cause: ComError,
  delivery: Delivery = 'not_delivered',
  hint?: string,
): UiaHostError => failure(code, `The spreadsheet program refused ${what}`, delivery, { cause, hint });

/** What `work` gives; where the program refuses it, the error that `otherwise` makes of that. */
export async function orRefused<T>(work: () => Promise<T>, otherwise: (error: ComError) => Error): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isRefusal(error) ? otherwise(error) : error;
  }
}

/** Any error of a turn as the host reports it. */
export function toSheetError(error: unknown, delivery: Delivery): unknown {
  if (!(error instanceof ComError)) return error;
  const is = (kind: (error: unknown) => boolean): boolean => kind(error);
  if (is(isGone)) return goneError(delivery);
  if (is(isRefusal)) return refused('invalid_argument', 'this', error, delivery);
  return is(lacksMember)
    ? failure('unsupported', `The object model of this program has no ${error.method}`, delivery, { cause: error })
    : failure('internal', `The object model failed with ${error.code} at ${error.method}`, delivery, { cause: error });
}
