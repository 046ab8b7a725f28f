/** Monitor names as Windows' settings show them. */
import {
  DISPLAYCONFIG_DEVICE_INFO_GET_TARGET_NAME,
  ERROR_SUCCESS,
  QDC_ONLY_ACTIVE_PATHS,
} from '../../../native-bindings/win32/constants.ts';
import {
  DISPLAYCONFIG_MODE_INFO,
  DISPLAYCONFIG_PATH_INFO,
  DISPLAYCONFIG_TARGET_DEVICE_NAME,
} from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';

/**
 * Names of monitors as the settings show them (“DELL U2720Q”), by the monitor's lower-case device path. Empty if the
 * system does not have them: the device's description is used instead.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-querydisplayconfig
 */
export function friendlyMonitorNames(): Map<string, string> {
  const names = new Map<string, string>();
  if (!user32.has('QueryDisplayConfig')) return names;
  const pathCount = Buffer.alloc(4);
  const modeCount = Buffer.alloc(4);
  if (user32.GetDisplayConfigBufferSizes(QDC_ONLY_ACTIVE_PATHS, pathCount, modeCount) !== ERROR_SUCCESS) return names;
  const paths = DISPLAYCONFIG_PATH_INFO.alloc({}, pathCount.readUInt32LE(0));
  const modes = DISPLAYCONFIG_MODE_INFO.alloc({}, modeCount.readUInt32LE(0));
  if (user32.QueryDisplayConfig(QDC_ONLY_ACTIVE_PATHS, pathCount, paths, modeCount, modes, null) !== ERROR_SUCCESS)
    return names;
  for (let index = 0; index < pathCount.readUInt32LE(0); index++) {
    const { targetInfo } = DISPLAYCONFIG_PATH_INFO.read(paths, index * DISPLAYCONFIG_PATH_INFO.size);
    const packet = DISPLAYCONFIG_TARGET_DEVICE_NAME.alloc({
      header: {
        type: DISPLAYCONFIG_DEVICE_INFO_GET_TARGET_NAME,
        size: DISPLAYCONFIG_TARGET_DEVICE_NAME.size,
        adapterId: targetInfo.adapterId,
        id: targetInfo.id,
      },
    });
    if (user32.DisplayConfigGetDeviceInfo(packet) !== ERROR_SUCCESS) continue;
    const { monitorFriendlyDeviceName, monitorDevicePath } = DISPLAYCONFIG_TARGET_DEVICE_NAME.read(packet);
    if (monitorFriendlyDeviceName !== '') names.set(monitorDevicePath.toLowerCase(), monitorFriendlyDeviceName);
  }
  return names;
}
