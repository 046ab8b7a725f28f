/** Which process listens on a TCP port of this machine. A short call that never blocks. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { iphlpapi } from '../../../native-bindings/win32/iphlpapi.ts';
import { MIB_TCPROW_OWNER_PID } from '../../../native-bindings/win32/structs.ts';

/** The table grows between two calls; so often it is asked again. */
const TRIES = 4;

/**
 * Process that listens on the port; null if none does, or the system cannot say.
 * Source: learn.microsoft.com/windows/win32/api/iphlpapi/nf-iphlpapi-getextendedtcptable
 */
export function listenerOf(port: number): number | null {
  if (!iphlpapi.has('GetExtendedTcpTable')) return null;
  const size = Buffer.alloc(4);
  let table = Buffer.alloc(4096);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    size.writeUInt32LE(table.length);
    const result = iphlpapi.GetExtendedTcpTable(table, size, false, m.AF_INET, m.TCP_TABLE_OWNER_PID_LISTENER, 0);
    if (result === m.ERROR_SUCCESS) return pidIn(table, port);
    if (result !== m.ERROR_INSUFFICIENT_BUFFER) return null;
    table = Buffer.alloc(size.readUInt32LE(0) + 4096);
  }
  return null;
}

/** Count, then rows; a port is in network order in the lower half of its field. */
function pidIn(table: Buffer, port: number): number | null {
  const { size, at } = MIB_TCPROW_OWNER_PID;
  for (let row = 0; row < table.readUInt32LE(0); row += 1) {
    const from = 4 + row * size;
    if (table.readUInt16BE(from + at.dwLocalPort) === port) return table.readUInt32LE(from + at.dwOwningPid);
  }
  return null;
}
