/** Kinds of VARIANT and SAFEARRAY elements. https://learn.microsoft.com/windows/win32/api/wtypes/ne-wtypes-varenum */
export const VT = {
  EMPTY: 0, NULL: 1, I2: 2, I4: 3, R4: 4, R8: 5, CY: 6, DATE: 7, BSTR: 8, DISPATCH: 9, ERROR: 10, BOOL: 11, VARIANT: 12, UNKNOWN: 13, DECIMAL: 14,
  I1: 16, UI1: 17, UI2: 18, UI4: 19, I8: 20, UI8: 21, INT: 22, UINT: 23, LPWSTR: 31,
  ARRAY: 0x2000, BYREF: 0x4000,
} as const;
