/** Which application a name of a grant, of a deny list or of a caller means: one rule for the gate, for pictures and for lists. */
import type { AppIdentity } from '../element/binding.ts';
import { fileNameOf, isShortFormOf, normalisePath } from './paths.ts';

/**
 * Folders that only administrators can write on an installation with default access rights.
 * The host may supply others (another system drive); a program in none of them never matches a bare name.
 */
export const ADMIN_ONLY_FOLDERS: readonly string[] = ['c:\\windows', 'c:\\program files', 'c:\\program files (x86)'];

/**
 * Subfolders that standard users can write to nevertheless. Source: the usual exceptions of application
 * control rules.
 */
const USER_WRITABLE_INSIDE: readonly string[] = [
  '\\temp',
  '\\tasks',
  '\\tracing',
  '\\debug\\wia',
  '\\registration\\crmlog',
  '\\servicing\\packages',
  '\\servicing\\sessions',
  '\\system32\\com\\dmp',
  '\\system32\\fxstmp',
  '\\system32\\spool\\drivers\\color',
  '\\system32\\spool\\printers',
  '\\system32\\spool\\servers',
  '\\system32\\tasks',
  '\\system32\\microsoft\\crypto\\rsa\\machinekeys',
  '\\syswow64\\com\\dmp',
  '\\syswow64\\fxstmp',
  '\\syswow64\\tasks',
];

/** An AppUserModelID instead of a path: a packaged application. */
function isPackaged(app: AppIdentity): boolean {
  return app.bundleId.includes('!') && !/[\\/]/.test(app.bundleId);
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith('\\') ? folder : `${folder}\\`);
}

/** Whether the path is in a folder where only administrators can put files. */
export function isInAdminOnlyFolder(path: string, adminFolders: readonly string[] = ADMIN_ONLY_FOLDERS): boolean {
  const normal = normalisePath(path);
  return adminFolders.some((folder) => {
    const root = normalisePath(folder);
    return isBelow(normal, root) && !USER_WRITABLE_INSIDE.some((inside) => isBelow(normal, root + inside));
  });
}

export type AppMatch = 'exact' | 'name';

/** Whether only administrators can write to a program's file and its folders, by their access lists. */
export type FileTrust = (executable: string) => boolean;

/**
 * Whether the name of an application in a grant means this application.
 * AppUserModelID and full path match exactly (ignoring case). A bare file name matches only a packaged app's own
 * executable, or a file that only administrators can write to, judged by its access lists if `trusted` reads them, else
 * by its folder; `notepad` means `notepad.exe`.
 */
export function matchApp(
  name: string,
  app: AppIdentity,
  trusted: readonly string[] | FileTrust = ADMIN_ONLY_FOLDERS,
): AppMatch | null {
  const wanted = name.trim().toLowerCase();
  if (wanted === '' || app.bundleId === '') return null;
  if (wanted === app.bundleId.toLowerCase()) return 'exact';
  if (app.executable === null) return null;
  if (/[\\/]/.test(wanted)) return normalisePath(wanted) === normalisePath(app.executable) ? 'exact' : null;
  if (!isSameFileName(wanted, fileNameOf(app.executable))) return null;
  if (isPackaged(app)) return 'name';
  return (typeof trusted === 'function' ? trusted(app.executable) : isInAdminOnlyFolder(app.executable, trusted))
    ? 'name'
    : null;
}

/** Whether an application is outside the token's limits; never, for a token without a limit. */
export function isOutside(app: AppIdentity, limits: readonly string[] | undefined): boolean {
  return limits !== undefined && !limits.some((name) => matchApp(name, app) !== null);
}

/**
 * Paths and file names that an entry of a deny list is compared with; a short (8.3) name that may mean the denied file
 * counts.
 */
function isDeniedPath(wanted: string, path: string): boolean {
  if (/[\\/]/.test(wanted)) return isShortFormOf(normalisePath(path), normalisePath(wanted));
  const name = fileNameOf(path);
  return isSameFileName(wanted, name) || isShortFormOf(name, wanted) || isShortFormOf(name, `${wanted}.exe`);
}

/** Whether an entry of the deny list means this application: identity, full path, or the file name in any folder. */
export function matchesDenied(entry: string, app: AppIdentity): boolean {
  const wanted = entry.trim().toLowerCase();
  if (wanted === '') return false;
  if (wanted === app.bundleId.toLowerCase()) return true;
  const paths = [app.executable, /[\\/]/.test(app.bundleId) ? app.bundleId : null];
  return paths.some((path) => path !== null && path !== '' && isDeniedPath(wanted, path));
}

/** Whether the policy's deny list names the application: it may not be bound, captured, or listed with its title. */
export function isDenied(app: AppIdentity, deny: readonly string[]): boolean {
  return deny.some((entry) => matchesDenied(entry, app));
}

/** `.exe` may be left out. */
function isSameFileName(wanted: string, fileName: string): boolean {
  const name = fileNameOf(wanted);
  return name === fileName || `${name}.exe` === fileName;
}
