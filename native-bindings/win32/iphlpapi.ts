/** Who listens on which port: iphlpapi.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, fn } from '../library.ts';

export const iphlpapi = bindLibrary('iphlpapi.dll', {
  /** TCP sockets with their owners; 122 = the buffer is too small. https://learn.microsoft.com/windows/win32/api/iphlpapi/nf-iphlpapi-getextendedtcptable */
  GetExtendedTcpTable: fn('uint32', [
    'ptr table',
    'ptr size',
    'bool sorted',
    'uint32 family',
    'int32 kind',
    'uint32 reserved',
  ]),
});
