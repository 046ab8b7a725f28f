/** Results of COM calls: one table of names, and the error that a failed call throws. */

/**
 * The codes that a host of UI Automation encounters, as koffi delivers them: signed 32-bit, negative = failure.
 * https://learn.microsoft.com/windows/win32/seccrypto/common-hresult-values and
 * https://learn.microsoft.com/windows/win32/winauto/uiauto-error-codes
 */
export const HRESULT = {
  S_OK: 0,
  S_FALSE: 1,
  E_NOTIMPL: 0x80004001 | 0,
  E_NOINTERFACE: 0x80004002 | 0,
  E_POINTER: 0x80004003 | 0,
  E_ABORT: 0x80004004 | 0,
  E_FAIL: 0x80004005 | 0,
  E_UNEXPECTED: 0x8000ffff | 0,
  E_ACCESSDENIED: 0x80070005 | 0,
  E_HANDLE: 0x80070006 | 0,
  E_OUTOFMEMORY: 0x8007000e | 0,
  E_INVALIDARG: 0x80070057 | 0,
  /** The other program has ended. */
  RPC_S_SERVER_UNAVAILABLE: 0x800706ba | 0,
  RPC_S_CALL_FAILED: 0x800706be | 0,
  ERROR_INVALID_WINDOW_HANDLE: 0x80070578 | 0,
  ERROR_TIMEOUT: 0x800705b4 | 0,
  DISP_E_MEMBERNOTFOUND: 0x80020003 | 0,
  DISP_E_TYPEMISMATCH: 0x80020005 | 0,
  DISP_E_BADINDEX: 0x8002000b | 0,
  RPC_E_CALL_REJECTED: 0x80010001 | 0,
  RPC_E_CALL_CANCELED: 0x80010002 | 0,
  RPC_E_SERVER_DIED: 0x80010007 | 0,
  RPC_E_SERVERFAULT: 0x80010105 | 0,
  RPC_E_CHANGED_MODE: 0x80010106 | 0,
  RPC_E_DISCONNECTED: 0x80010108 | 0,
  RPC_E_SERVERCALL_RETRYLATER: 0x8001010a | 0,
  RPC_E_WRONG_THREAD: 0x8001010e | 0,
  RPC_E_TIMEOUT: 0x8001011f | 0,
  CO_E_NOTINITIALIZED: 0x800401f0 | 0,
  CO_E_OBJNOTCONNECTED: 0x800401fd | 0,
  REGDB_E_CLASSNOTREG: 0x80040154 | 0,
  CLASS_E_NOAGGREGATION: 0x80040110 | 0,
  UIA_E_ELEMENTNOTENABLED: 0x80040200 | 0,
  UIA_E_ELEMENTNOTAVAILABLE: 0x80040201 | 0,
  UIA_E_NOCLICKABLEPOINT: 0x80040202 | 0,
  UIA_E_PROXYASSEMBLYNOTLOADED: 0x80040203 | 0,
  UIA_E_NOTSUPPORTED: 0x80040204 | 0,
  UIA_E_TIMEOUT: 0x80131505 | 0,
  UIA_E_INVALIDOPERATION: 0x80131509 | 0,
} as const;

export type HResultName = keyof typeof HRESULT;

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
