import { win32 as windowsPath } from 'node:path';
import type { AppIdentity } from '../contract/binding.ts';
import { KNOWN_APPS, type AppKind } from './known-apps.ts';

/**
 * Folders that only administrators can write on an installation that nobody loosened.
 * The host may give others (another system drive); what is not below one of them never matches a bare name.
 */
export const ADMIN_ONLY_FOLDERS: readonly string[] = ['c:\\windows', 'c:\\program files', 'c:\\program files (x86)'];

/** Folders below those that plain users can write all the same. Source: the usual exceptions of application control rules. */
const USER_WRITABLE_INSIDE: readonly string[] = [
  '\\temp', '\\tasks', '\\tracing', '\\debug\\wia', '\\registration\\crmlog', '\\servicing\\packages', '\\servicing\\sessions',
  '\\system32\\com\\dmp', '\\system32\\fxstmp', '\\system32\\spool\\drivers\\color', '\\system32\\spool\\printers', '\\system32\\spool\\servers',
  '\\system32\\tasks', '\\system32\\microsoft\\crypto\\rsa\\machinekeys', '\\syswow64\\com\\dmp', '\\syswow64\\fxstmp', '\\syswow64\\tasks',
];

const normalised = new Map<string, string>();
const PATH_CACHE_SIZE = 2000;

/** Lower case, backslashes, no `.` or `..`, no `\\?\` prefix. */
export function normalisePath(path: string): string {
  // Grants and deny lists are compared at each action: their paths come again and again.
  const known = normalised.get(path);
  if (known !== undefined) return known;
  const bare = path.trim().replaceAll('/', '\\').replace(/^\\\\\?\\(?:unc\\)?/i, (prefix) => (/unc/i.test(prefix) ? '\\\\' : ''));
  const normal = windowsPath.normalize(bare).toLowerCase();
  if (normalised.size >= PATH_CACHE_SIZE) normalised.clear();
  normalised.set(path, normal);
  return normal;
}

export function fileNameOf(path: string): string {
  return windowsPath.basename(normalisePath(path));
}

/** An AppUserModelID instead of a path: the application came as a package. */
export function isPackaged(app: AppIdentity): boolean {
  return app.bundleId.includes('!') && !/[\\/]/.test(app.bundleId);
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith('\\') ? folder : `${folder}\\`);
}

/** Whether the path lies where only administrators can put files. */
export function isInAdminOnlyFolder(path: string, adminFolders: readonly string[] = ADMIN_ONLY_FOLDERS): boolean {
  const normal = normalisePath(path);
  return adminFolders.some((folder) => {
    const root = normalisePath(folder);
    return isBelow(normal, root) && !USER_WRITABLE_INSIDE.some((inside) => isBelow(normal, root + inside));
  });
}

export type AppMatch = 'exact' | 'name';

/**
 * Whether the name of an application in a grant means this application.
 * AppUserModelID and full path match exactly (ignoring case). A bare file name matches only a packaged app's own
 * executable, or a file in a folder that administrators alone can write; `notepad` stands for `notepad.exe`.
 */
export function matchApp(name: string, app: AppIdentity, adminFolders: readonly string[] = ADMIN_ONLY_FOLDERS): AppMatch | null {
  const wanted = name.trim().toLowerCase();
  if (wanted === '' || app.bundleId === '') return null;
  if (wanted === app.bundleId.toLowerCase()) return 'exact';
  if (app.executable === null) return null;
  if (/[\\/]/.test(wanted)) return normalisePath(wanted) === normalisePath(app.executable) ? 'exact' : null;
  if (!isSameFileName(wanted, fileNameOf(app.executable))) return null;
  return isPackaged(app) || isInAdminOnlyFolder(app.executable, adminFolders) ? 'name' : null;
}

/** Whether an entry of the deny list means this application: identity, full path, or the file name wherever it lies. */
export function matchesDenied(entry: string, app: AppIdentity): boolean {
  const wanted = entry.trim().toLowerCase();
  if (wanted === '') return false;
  if (wanted === app.bundleId.toLowerCase()) return true;
  const path = app.executable ?? (/[\\/]/.test(app.bundleId) ? app.bundleId : null);
  if (path === null) return false;
  return /[\\/]/.test(wanted) ? normalisePath(wanted) === normalisePath(path) : isSameFileName(wanted, fileNameOf(path));
}

/** Whether the policy's deny list names the application: it may not be bound, pictured, or listed with its title. */
export function isDenied(app: AppIdentity, deny: readonly string[]): boolean {
  return deny.some((entry) => matchesDenied(entry, app));
}

function isSameFileName(wanted: string, fileName: string): boolean {
  return wanted === fileName || (!wanted.includes('.') && `${wanted}.exe` === fileName);
}

const asPattern = (text: string): RegExp => new RegExp(`^${text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);

interface KindTable {
  readonly exact: Map<string, AppKind>;
  readonly patterns: Array<readonly [RegExp, AppKind]>;
}
const TABLES = ((): { executables: KindTable; identities: KindTable } => {
  const build = (column: 'executables' | 'identities'): KindTable => {
    const table: KindTable = { exact: new Map(), patterns: [] };
    for (const [kind, names] of Object.entries(KNOWN_APPS) as Array<[Exclude<AppKind, 'other'>, (typeof KNOWN_APPS)['browser']]>) {
      for (const name of names[column]) {
        if (name.includes('*')) table.patterns.push([asPattern(name), kind]);
        else table.exact.set(name, kind);
      }
    }
    return table;
  };
  return { executables: build('executables'), identities: build('identities') };
})();

const kindCache = new Map<string, AppKind>();
const KIND_CACHE_SIZE = 512;

/** The kind of an application by its identity or file name. */
export function kindOf(app: AppIdentity | null): AppKind {
  if (app === null) return 'other';
  const key = `${app.bundleId}\n${app.executable ?? ''}`;
  const known = kindCache.get(key);
  if (known !== undefined) return known;
  const look = (table: KindTable, name: string): AppKind | undefined =>
    table.exact.get(name) ?? table.patterns.find(([pattern]) => pattern.test(name))?.[1];
  const path = app.executable ?? (/[\\/]/.test(app.bundleId) ? app.bundleId : null);
  const kind = look(TABLES.identities, app.bundleId.toLowerCase()) ?? (path === null ? undefined : look(TABLES.executables, fileNameOf(path))) ?? 'other';
  if (kindCache.size >= KIND_CACHE_SIZE) kindCache.clear();
  kindCache.set(key, kind);
  return kind;
}
