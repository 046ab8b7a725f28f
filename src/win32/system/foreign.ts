/** Whether a path leads to another machine or to a device, by its text and its drive's type. Touches no file. */
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { placeOfPath } from '../../contract/paths.ts';

/** Source: learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-getdrivetypew */
const DRIVE_REMOTE = 4;

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
