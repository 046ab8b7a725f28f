/** The Authenticode signature of a file, judged by Windows without looking anything up on the network. It reads the whole file. */
import { guid } from '../../../native-bindings/com/guid.ts';
import { addressOf } from '../../../native-bindings/library.ts';
import {
  TRUST_E_NOSIGNATURE,
  WTD_CHOICE_FILE,
  WTD_REVOKE_NONE,
  WTD_STATEACTION_CLOSE,
  WTD_STATEACTION_VERIFY,
  WTD_UI_NONE,
} from '../../../native-bindings/win32/constants.ts';
import { WINTRUST_DATA, WINTRUST_FILE_INFO } from '../../../native-bindings/win32/structs.ts';
import { wintrust } from '../../../native-bindings/win32/wintrust.ts';

/** WINTRUST_ACTION_GENERIC_VERIFY_V2. Source: learn.microsoft.com/windows/win32/api/wintrust/nf-wintrust-winverifytrust */
const VERIFY = guid('00aac56b-cd44-11d0-8cc2-00c04fc295ee');

export type Signature = { readonly state: 'valid' | 'unsigned' } | { readonly state: 'bad'; readonly error: string };

/** Null where the system cannot judge signatures. */
export function signatureOf(file: string): Signature | null {
  if (!wintrust.has('WinVerifyTrust')) return null;
  const path = Buffer.from(`${file}\0`, 'utf16le');
  const info = WINTRUST_FILE_INFO.alloc({ cbStruct: WINTRUST_FILE_INFO.size, pcwszFilePath: addressOf(path) });
  const data = WINTRUST_DATA.alloc({
    cbStruct: WINTRUST_DATA.size,
    dwUIChoice: WTD_UI_NONE,
    fdwRevocationChecks: WTD_REVOKE_NONE,
    dwUnionChoice: WTD_CHOICE_FILE,
    pFile: addressOf(info),
    dwStateAction: WTD_STATEACTION_VERIFY,
  });
  // A window of −1: no window may be shown.
  const result = wintrust.WinVerifyTrust(-1, VERIFY, data);
  data.writeUInt32LE(WTD_STATEACTION_CLOSE, WINTRUST_DATA.at.dwStateAction);
  wintrust.WinVerifyTrust(-1, VERIFY, data);
  // Read here so that neither buffer is collected before the calls return.
  if (path.length + info.length === 0) return null;
  if (result === 0) return { state: 'valid' };
  if (result >>> 0 === TRUST_E_NOSIGNATURE >>> 0) return { state: 'unsigned' };
  return { state: 'bad', error: `0x${(result >>> 0).toString(16)}` };
}
