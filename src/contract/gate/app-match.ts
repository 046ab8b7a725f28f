/**
 * Which file a path names, and which application a name of a grant, of a deny list or of a caller means: one rule for the
 * gate, for pictures and for lists. All by text; nothing here touches a file.
 */
import type { AppIdentity } from '../element/binding.ts';

/**
 * What may precede a path: `\\?\`, `\??\`, and `\\.\` if a drive follows. Source:
 * learn.microsoft.com/dotnet/standard/io/file-path-formats
 */
const PREFIX = /^\\(?:\\[?.]|\?\?)\\/;
/** Administrative shares, by which a machine names its own drives. */
const OWN_DRIVE = /^\\\\(?:localhost|127\.0\.0\.1|--1\.ipv6-literal\.net)\\([a-z])\$(?=\\|$)/;

const normalised = new Map<string, string>();
const PATH_CACHE_SIZE = 2000;

/**
 * The one spelling of a path: lower case, backslashes, no prefix, no `.` or `..`, no trailing dots or spaces, no
 * stream. Trailing spaces in a folder's name stay, since Windows keeps them: `C:\Windows \` is a different folder.
 */
function normalisePath(path: string): string {
  // Grants and deny lists are compared at each action, so the same paths occur repeatedly.
  const known = normalised.get(path);
  if (known !== undefined) return known;
  const normal = spell(path);
  if (normalised.size >= PATH_CACHE_SIZE) normalised.clear();
  normalised.set(path, normal);
  return normal;
}

function spell(path: string): string {
  let bare = path.trim().replaceAll('/', '\\').toLowerCase();
  const prefix = PREFIX.exec(bare)?.[0] ?? '';
  if (prefix !== '') {
    const rest = bare.slice(prefix.length);
    if (rest.startsWith('unc\\')) bare = `\\\\${rest.slice('unc\\'.length)}`;
    else if (/^[a-z]:/.test(rest)) bare = rest;
  }
  const root = /^(?:\\\\[^\\]*(?:\\+[^\\]+)?|[a-z]:\\?|\\)/.exec(bare)?.[0] ?? '';
  const isAbsolute = root.endsWith('\\') || root.startsWith('\\');
  const parts: string[] = [];
  for (const part of bare.slice(root.length).split('\\')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(/[^.]\.$/.test(part) ? part.slice(0, -1) : part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!isAbsolute) parts.push(part);
  }
  const last = parts.pop();
  if (last !== undefined) parts.push(last.replace(/::\$data$/, '').replace(/[. ]+$/, '') || last);
  const front = root === '' || root.endsWith('\\') || parts.length === 0 || /^[a-z]:$/.test(root) ? root : `${root}\\`;
  return `${front}${parts.join('\\')}`.replace(OWN_DRIVE, '$1:');
}

/** The last part of a path as Windows compares it. */
export function fileNameOf(path: string): string {
  const normal = normalisePath(path);
  return normal.slice(Math.max(normal.lastIndexOf('\\'), /^[a-z]:/.test(normal) ? 1 : -1) + 1);
}

/**
 * `keepse~1.exe`, or `kea1f3~1.exe` if several names begin alike. Source:
 * learn.microsoft.com/windows/win32/fileio/naming-a-file (short names)
 */
const SHORT = /^([^~. ]{1,6})~\d{1,6}(?:\.([^.]{0,3}))?$/;

function mayBeShortPart(short: string, long: string): boolean {
  if (short === long) return true;
  const found = SHORT.exec(short);
  if (found === null) return false;
  const [, stem = '', extension = ''] = found;
  const dot = long.lastIndexOf('.');
  const plain = (text: string): string => text.replace(/[ .]/g, '').replace(/[+,;=[\]]/g, '_');
  const name = plain(dot > 0 ? long.slice(0, dot) : long);
  if (plain(dot > 0 ? long.slice(dot + 1) : '').slice(0, 3) !== extension) return false;
  return name.startsWith(stem) || (/^.{1,2}[0-9a-f]{4}$/.test(stem) && name.startsWith(stem.slice(0, -4)));
}

/**
 * Whether a normal path is the other one, or may be it with short (8.3) names in either. Text alone does not show which
 * file a short name means, so this is only for deny lists.
 */
function isShortFormOf(path: string, other: string): boolean {
  if (path === other) return true;
  if (!path.includes('~') && !other.includes('~')) return false;
  const [one, two] = [path.split('\\'), other.split('\\')];
  return (
    one.length === two.length &&
    one.every((part, at) => mayBeShortPart(part, two[at] ?? '') || mayBeShortPart(two[at] ?? '', part))
  );
}

export type PathPlace = 'local' | 'remote' | 'device' | 'relative';

/** Windows reads the superscript digits 1 to 3 as digits here. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:[ .:].*)?$/;

/**
 * Where a path leads, judged by its text: to a drive of this machine, to another machine (`\\host\share`, `//host`,
 * `\\?\UNC\`, `http://`), or to a device (`\\.\`, `\\?\GLOBALROOT`, `NUL`). Accessing a path on another machine makes
 * Windows sign in there with the user's name. Only Windows knows whether a drive letter is mapped to another machine.
 */
export function placeOfPath(text: string): PathPlace {
  const path = text.trim().replace(/^"+/, '').replaceAll('/', '\\').toLowerCase();
  // A search, or an object of the shell, that names another machine.
  if (/^(?:search(?:-ms)?:|::\{).*(?:\\|%5c|%2f){2}/.test(path)) return 'remote';
  if (/^[a-z][a-z0-9+.-]+:\\\\/.test(path)) return /^file:\\\\\\[a-z]:/.test(path) ? 'local' : 'remote';
  const prefix = PREFIX.exec(path)?.[0];
  if (prefix !== undefined) {
    const rest = path.slice(prefix.length);
    if (/^unc(?:\\|$)/.test(rest)) return 'remote';
    return /^(?:[a-z]:\\|volume\{[0-9a-f-]+\}\\)/.test(rest) && !namesDevice(rest) ? 'local' : 'device';
  }
  if (path.startsWith('\\\\')) return 'remote';
  if (namesDevice(path)) return 'device';
  if (/^[a-z]:\\/.test(path) || path.startsWith('\\')) return 'local';
  return 'relative';
}

/** Before Windows 11 a device name means that device in any folder and with any extension. */
const namesDevice = (path: string): boolean => path.split('\\').some((part) => DEVICE_NAME.test(part));

/**
 * Folders that only administrators can write on an installation with default access rights, normalised. A program in none of
 * them never matches a bare name.
 */
const ADMIN_ONLY_FOLDERS: readonly string[] = ['c:\\windows', 'c:\\program files', 'c:\\program files (x86)'];

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
export function isInAdminOnlyFolder(path: string): boolean {
  const normal = normalisePath(path);
  return ADMIN_ONLY_FOLDERS.some(
    (root) => isBelow(normal, root) && !USER_WRITABLE_INSIDE.some((inside) => isBelow(normal, root + inside)),
  );
}

export type AppMatch = 'exact' | 'name';

/** Whether only administrators can write to a program's file and its folders, by their access lists. */
export type FileTrust = (executable: string) => boolean;

/**
 * Whether the name of an application in a grant means this application.
 * AppUserModelID and full path match exactly (ignoring case). A bare file name matches only a packaged app's own
 * executable, or a file that only administrators can write to, judged by `trusted`; `notepad` means `notepad.exe`.
 */
export function matchApp(name: string, app: AppIdentity, trusted: FileTrust = isInAdminOnlyFolder): AppMatch | null {
  const wanted = name.trim().toLowerCase();
  if (wanted === '' || app.bundleId === '') return null;
  if (wanted === app.bundleId.toLowerCase()) return 'exact';
  if (app.executable === null) return null;
  if (/[\\/]/.test(wanted)) return normalisePath(wanted) === normalisePath(app.executable) ? 'exact' : null;
  if (!isSameFileName(wanted, fileNameOf(app.executable))) return null;
  if (isPackaged(app)) return 'name';
  return trusted(app.executable) ? 'name' : null;
}

/** In a caller's list of applications: all of them. */
export const ANY_APP = '*';

/** The limit that a caller's list of applications sets; null for a list that is absent, empty or names all. */
export const narrowing = (listed: readonly string[] | undefined): readonly string[] | null =>
  listed === undefined || listed.length === 0 || listed.includes(ANY_APP) ? null : listed;

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
