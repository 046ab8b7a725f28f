// generated, do not edit: `npm run generate`
// The registry.
export const HKEY_CLASSES_ROOT = -2147483648;
export const HKEY_CURRENT_USER = -2147483647;
export const HKEY_LOCAL_MACHINE = -2147483646;
export const KEY_CREATE_LINK = 0x20;
export const KEY_CREATE_SUB_KEY = 4;
export const KEY_NOTIFY = 0x10;
export const KEY_READ = 0x20019;
export const KEY_SET_VALUE = 2;
export const KEY_WOW64_32KEY = 0x0200;
export const KEY_WOW64_64KEY = 0x0100;
export const KEY_WRITE = 0x20006;
export const REG_BINARY = 3;
export const REG_DWORD = 4;
export const REG_EXPAND_SZ = 2;
export const REG_MULTI_SZ = 7;
export const REG_NOTIFY_CHANGE_LAST_SET = 4;
export const REG_NOTIFY_CHANGE_NAME = 1;
export const REG_NOTIFY_THREAD_AGNOSTIC = 0x10000000;
export const REG_OPTION_NON_VOLATILE = 0;
export const REG_QWORD = 11;
export const REG_SZ = 1;
