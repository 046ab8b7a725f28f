/** Results of COM calls: one table of names, and the error that a failed call throws. */

import * as constants from '../win32/constants.ts';

/** What HRESULT_FROM_WIN32 makes of an error of Windows. */
const ofWin32 = (error: number): number => 0x8007_0000 | error | 0;

/**
 * The codes that a host of UI Automation encounters, as koffi delivers them: signed 32-bit, negative = failure.
 * https://learn.microsoft.com/windows/win32/seccrypto/common-hresult-values and
 * https://learn.microsoft.com/windows/win32/winauto/uiauto-error-codes
 */
export const HRESULT = {
  S_OK: constants.S_OK,
  S_FALSE: constants.S_FALSE,
  E_NOTIMPL: constants.E_NOTIMPL | 0,
  E_NOINTERFACE: constants.E_NOINTERFACE | 0,
  E_POINTER: constants.E_POINTER | 0,
  E_ABORT: constants.E_ABORT | 0,
  E_FAIL: constants.E_FAIL | 0,
  E_UNEXPECTED: constants.E_UNEXPECTED | 0,
  E_ACCESSDENIED: constants.E_ACCESSDENIED | 0,
  E_HANDLE: constants.E_HANDLE | 0,
  E_OUTOFMEMORY: constants.E_OUTOFMEMORY | 0,
  E_INVALIDARG: constants.E_INVALIDARG | 0,
  /** The other program has ended. */
  RPC_S_SERVER_UNAVAILABLE: ofWin32(constants.RPC_S_SERVER_UNAVAILABLE),
  /** The object was disconnected, as some servers answer. */
  RPC_S_UNKNOWN_IF: ofWin32(constants.RPC_S_UNKNOWN_IF),
  RPC_S_CALL_FAILED: ofWin32(constants.RPC_S_CALL_FAILED),
  ERROR_INVALID_WINDOW_HANDLE: ofWin32(constants.ERROR_INVALID_WINDOW_HANDLE),
  ERROR_TIMEOUT: ofWin32(constants.ERROR_TIMEOUT),
  DISP_E_MEMBERNOTFOUND: constants.DISP_E_MEMBERNOTFOUND | 0,
  DISP_E_UNKNOWNNAME: constants.DISP_E_UNKNOWNNAME | 0,
  /** The object itself failed; EXCEPINFO has its own code and words. */
  DISP_E_EXCEPTION: constants.DISP_E_EXCEPTION | 0,
  DISP_E_TYPEMISMATCH: constants.DISP_E_TYPEMISMATCH | 0,
  /** As an argument: it is left out. */
  DISP_E_PARAMNOTFOUND: constants.DISP_E_PARAMNOTFOUND | 0,
  DISP_E_BADINDEX: constants.DISP_E_BADINDEX | 0,
  RPC_E_CALL_REJECTED: constants.RPC_E_CALL_REJECTED | 0,
  RPC_E_CALL_CANCELED: constants.RPC_E_CALL_CANCELED | 0,
  RPC_E_SERVER_DIED: constants.RPC_E_SERVER_DIED | 0,
  RPC_E_SERVERFAULT: constants.RPC_E_SERVERFAULT | 0,
  RPC_E_CHANGED_MODE: constants.RPC_E_CHANGED_MODE | 0,
  RPC_E_DISCONNECTED: constants.RPC_E_DISCONNECTED | 0,
  RPC_E_SERVERCALL_RETRYLATER: constants.RPC_E_SERVERCALL_RETRYLATER | 0,
  RPC_E_SERVERCALL_REJECTED: constants.RPC_E_SERVERCALL_REJECTED | 0,
  /** Excel while a dialog is open or it calculates; in no header. */
  VBA_E_IGNORE: 0x800ac472 | 0,
  /** Excel's run-time error 1004: it refuses the request; in no header. */
  XL_E_1004: 0x800a03ec | 0,
  RPC_E_WRONG_THREAD: constants.RPC_E_WRONG_THREAD | 0,
  RPC_E_TIMEOUT: constants.RPC_E_TIMEOUT | 0,
  CO_E_NOTINITIALIZED: constants.CO_E_NOTINITIALIZED | 0,
  CO_E_OBJNOTCONNECTED: constants.CO_E_OBJNOTCONNECTED | 0,
  REGDB_E_CLASSNOTREG: constants.REGDB_E_CLASSNOTREG | 0,
  CLASS_E_NOAGGREGATION: constants.CLASS_E_NOAGGREGATION | 0,
  UIA_E_ELEMENTNOTENABLED: constants.UIA_E_ELEMENTNOTENABLED | 0,
  UIA_E_ELEMENTNOTAVAILABLE: constants.UIA_E_ELEMENTNOTAVAILABLE | 0,
  UIA_E_NOCLICKABLEPOINT: constants.UIA_E_NOCLICKABLEPOINT | 0,
  UIA_E_PROXYASSEMBLYNOTLOADED: constants.UIA_E_PROXYASSEMBLYNOTLOADED | 0,
  UIA_E_NOTSUPPORTED: constants.UIA_E_NOTSUPPORTED | 0,
  UIA_E_TIMEOUT: constants.UIA_E_TIMEOUT | 0,
  UIA_E_INVALIDOPERATION: constants.UIA_E_INVALIDOPERATION | 0,
} as const;

type HResultName = keyof typeof HRESULT;

const NAMES = new Map<number, HResultName>(
  Object.entries(HRESULT).map(([name, value]) => [value, name as HResultName]),
);

/** `'UIA_E_ELEMENTNOTAVAILABLE'`, or `'0x8007001f'` for a code that is not in the table. */
export function hresultName(code: number): string {
  return NAMES.get(code | 0) ?? `0x${(code >>> 0).toString(16).padStart(8, '0')}`;
}

/** A COM call that failed. `hresult` compares with the members of `HRESULT`. */
export class ComError extends Error {
  override readonly name = 'ComError';
  readonly hresult: number;
  /** Name in the table, or the code in hexadecimal. */
  readonly code: string;
  /** Interface and method, as `IUIAutomationElement.SetFocus`. */
  readonly method: string;
  constructor(hresult: number, method: string) {
    const code = hresultName(hresult);
    super(`${method} failed: ${code}.`);
    this.hresult = hresult | 0;
    this.code = code;
    this.method = method;
  }
}

/** Returns a success code (S_OK or S_FALSE, which can mean that nothing was done) and throws `ComError` for a failure. */
export function check(hresult: number, method: string): number {
  if (hresult < 0) throw new ComError(hresult, method);
  return hresult;
}
