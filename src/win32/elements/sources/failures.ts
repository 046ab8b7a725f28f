/** Classifies failed UI Automation calls. Source: learn.microsoft.com/windows/win32/winauto/uiauto-error-codes */
import { ComError, HRESULT } from '../../../../native-bindings/com/hresult.ts';

const LATE: ReadonlySet<number> = new Set([HRESULT.UIA_E_TIMEOUT, HRESULT.RPC_E_TIMEOUT, HRESULT.ERROR_TIMEOUT]);
const GONE: ReadonlySet<number> = new Set([
  HRESULT.UIA_E_ELEMENTNOTAVAILABLE,
  HRESULT.ERROR_INVALID_WINDOW_HANDLE,
  HRESULT.RPC_S_SERVER_UNAVAILABLE,
  HRESULT.RPC_E_SERVER_DIED,
  HRESULT.RPC_E_DISCONNECTED,
  HRESULT.CO_E_OBJNOTCONNECTED,
]);

/** The provider exists but did not answer in time. */
export const isLate = (error: unknown): boolean => error instanceof ComError && LATE.has(error.hresult);

/** The element, its window or its program no longer exists. */
export const isGone = (error: unknown): boolean => error instanceof ComError && GONE.has(error.hresult);
