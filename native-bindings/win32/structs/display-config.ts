/** Names and paths of displays. Reference: https://learn.microsoft.com/windows/win32/api/wingdi/ns-wingdi-displayconfig_path_info */
import { bytes, chars, layout } from '../../layout.ts';

export const LUID = layout('LUID', { LowPart: 'uint32', HighPart: 'int32' });
export const DISPLAYCONFIG_RATIONAL = layout('DISPLAYCONFIG_RATIONAL', { Numerator: 'uint32', Denominator: 'uint32' });
export const DISPLAYCONFIG_PATH_SOURCE_INFO = layout('DISPLAYCONFIG_PATH_SOURCE_INFO', {
  adapterId: LUID,
  id: 'uint32',
  modeInfoIdx: 'uint32',
  statusFlags: 'uint32',
});
export const DISPLAYCONFIG_PATH_TARGET_INFO = layout('DISPLAYCONFIG_PATH_TARGET_INFO', {
  adapterId: LUID,
  id: 'uint32',
  modeInfoIdx: 'uint32',
  outputTechnology: 'int32',
  rotation: 'int32',
  scaling: 'int32',
  refreshRate: DISPLAYCONFIG_RATIONAL,
  scanLineOrdering: 'int32',
  targetAvailable: 'bool',
  statusFlags: 'uint32',
});
export const DISPLAYCONFIG_PATH_INFO = layout('DISPLAYCONFIG_PATH_INFO', {
  sourceInfo: DISPLAYCONFIG_PATH_SOURCE_INFO,
  targetInfo: DISPLAYCONFIG_PATH_TARGET_INFO,
  flags: 'uint32',
});
/** The union of source, target and desktop image is 48 bytes after `adapterId`. */
export const DISPLAYCONFIG_MODE_INFO = layout('DISPLAYCONFIG_MODE_INFO', {
  infoType: 'int32',
  id: 'uint32',
  adapterId: LUID,
  targetMode: bytes(48, 8),
});
export const DISPLAYCONFIG_DEVICE_INFO_HEADER = layout('DISPLAYCONFIG_DEVICE_INFO_HEADER', {
  type: 'int32',
  size: 'uint32',
  adapterId: LUID,
  id: 'uint32',
});
export const DISPLAYCONFIG_SOURCE_DEVICE_NAME = layout('DISPLAYCONFIG_SOURCE_DEVICE_NAME', {
  header: DISPLAYCONFIG_DEVICE_INFO_HEADER,
  viewGdiDeviceName: chars(32),
});
export const DISPLAYCONFIG_TARGET_DEVICE_NAME = layout('DISPLAYCONFIG_TARGET_DEVICE_NAME', {
  header: DISPLAYCONFIG_DEVICE_INFO_HEADER,
  flags: bytes(4, 4),
  outputTechnology: 'int32',
  edidManufactureId: 'uint16',
  edidProductCodeId: 'uint16',
  connectorInstance: 'uint32',
  monitorFriendlyDeviceName: chars(64),
  monitorDevicePath: chars(128),
});
