/** Whether a path leads to another machine or to a device, by its text and its drive's type. Touches no file. */
import { DRIVE_REMOTE } from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { placeOfPath } from '../../contract/gate/app-match.ts';

const DRIVE = /^(?:[\\/]{2}[?.][\\/]|[\\/]\?\?[\\/])?([A-Za-z]):/;

export function isForeignPath(
  path: string,
  driveType: (root: string) => number = (root) => kernel32.GetDriveTypeW(root),
): boolean {
  const place = placeOfPath(path);
  if (place === 'remote' || place === 'device') return true;
  const drive = DRIVE.exec(path.trim())?.[1]?.toUpperCase();
  return drive !== undefined && driveType(`${drive}:\\`) === DRIVE_REMOTE;
}
