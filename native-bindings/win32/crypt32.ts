/** Data protection: crypt32.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const crypt32 = bindLibrary('crypt32.dll', {
  /** Encrypts a DATA_BLOB for this user; the result is freed with LocalFree. https://learn.microsoft.com/windows/win32/api/dpapi/nf-dpapi-cryptprotectdata */
  CryptProtectData: fn('bool', [
    'ptr data',
    'str16 description',
    'ptr entropy',
    'ptr reserved',
    'ptr prompt',
    'uint32 flags',
    'ptr out',
  ]),
  /** Decrypts a DATA_BLOB. https://learn.microsoft.com/windows/win32/api/dpapi/nf-dpapi-cryptunprotectdata */
  CryptUnprotectData: fn('bool', [
    'ptr data',
    'ptr description',
    'ptr entropy',
    'ptr reserved',
    'ptr prompt',
    'uint32 flags',
    'ptr out',
  ]),
});
