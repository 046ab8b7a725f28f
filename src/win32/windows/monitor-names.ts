import { text16 } from '../../../native-bindings/library.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';

const QDC_ONLY_ACTIVE_PATHS = 2;
const ERROR_SUCCESS = 0;
/** DISPLAYCONFIG_PATH_INFO: source adapter at 0, source id at 8; target adapter at 20, target id at 28. Source: learn.microsoft.com/windows/win32/api/wingdi/ns-wingdi-displayconfig_path_info */
const PATH_BYTES = 72;
const MODE_BYTES = 64;
const GET_TARGET_NAME = 2;
/** DISPLAYCONFIG_TARGET_DEVICE_NAME: friendly name at 36, device path at 164. Source: learn.microsoft.com/windows/win32/api/wingdi/ns-wingdi-displayconfig_target_device_name */
const TARGET_NAME_BYTES = 420;

/**
 * Names of monitors as the settings show them (“DELL U2720Q”), by the lower-cased path of the monitor. Empty where the
 * system does not have them: then the device's description has to do.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-querydisplayconfig
 */
export function friendlyMonitorNames(): Map<string, string> {
  const names = new Map<string, string>();
  if (!user32.has('QueryDisplayConfig')) return names;
  const pathCount = Buffer.alloc(4);
  const modeCount = Buffer.alloc(4);
  if (user32.GetDisplayConfigBufferSizes(QDC_ONLY_ACTIVE_PATHS, pathCount, modeCount) !== ERROR_SUCCESS) return names;
  const paths = Buffer.alloc(pathCount.readUInt32LE(0) * PATH_BYTES);
  const modes = Buffer.alloc(modeCount.readUInt32LE(0) * MODE_BYTES);
  if (user32.QueryDisplayConfig(QDC_ONLY_ACTIVE_PATHS, pathCount, paths, modeCount, modes, null) !== ERROR_SUCCESS) return names;
  for (let index = 0; index < pathCount.readUInt32LE(0); index++) {
    const packet = Buffer.alloc(TARGET_NAME_BYTES);
    packet.writeUInt32LE(GET_TARGET_NAME, 0);
    packet.writeUInt32LE(TARGET_NAME_BYTES, 4);
    paths.copy(packet, 8, index * PATH_BYTES + 20, index * PATH_BYTES + 32);
    if (user32.DisplayConfigGetDeviceInfo(packet) !== ERROR_SUCCESS) continue;
    const name = text16(packet.subarray(36, 164));
    if (name !== '') names.set(text16(packet.subarray(164, 420)).toLowerCase(), name);
  }
  return names;
}
