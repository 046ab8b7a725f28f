/** Installed applications from all the lists of the system, and which of them a caller's name means. */
import type { AppIdentity } from '../../contract/element/binding.ts';
import {
  identifyProgram,
  programName,
  fileName,
  packagedApps,
  isApplicationUserModelId,
  packagedAppName,
} from '../system/identity.ts';
import { startMenuEntries, uninstallEntries, type ListedProgram, linkedProgram } from './sources.ts';
import { HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE } from '../../../native-bindings/win32/constants.ts';
import path from 'node:path';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { RegistryKey } from '../system/registry.ts';
import { systemFolder, windowsFolder } from './folders.ts';
import { existingProgram, isProgramPath } from './programs.ts';

/** An installed application under its listed name. */
export interface InstalledEntry {
  readonly app: AppIdentity;
  /** Executable of a program; `shell:AppsFolder\…` of a packaged app. */
  readonly path: string;
}

/** Uninstall list, Start menus and packages, merged by executable (docs/behaviour.md#applications). By name. */
export function installedApplications(): InstalledEntry[] {
  const programs = mergePrograms([...startMenuEntries(), ...uninstallEntries()], (executable) =>
    programName(executable),
  ).map(({ executable, name }): InstalledEntry => ({
    app: { ...identifyProgram(executable), displayName: name },
    path: executable,
  }));
  const packaged = packagedApps().map(({ id, name }): InstalledEntry => ({
    app: { bundleId: id, displayName: name, executable: null },
    path: `shell:AppsFolder\\${id}`,
  }));
  return [...programs, ...packaged].sort((one, other) => one.app.displayName.localeCompare(other.app.displayName));
}

// One entry per program from several lists.

export interface MergedProgram {
  readonly executable: string;
  readonly name: string;
}

/** How well an entry's name fits the program: the Start menu's plain link first, then the uninstall list. */
function weight(entry: ListedProgram): number {
  if (entry.hasArguments) return 2;
  return entry.source === 'start-menu' ? 0 : 1;
}

/**
 * One row per program, by name: entries with the same executable are merged. If a program is listed only by links with
 * arguments (a tool kit's prompt that is really cmd.exe), `nameOf` returns its name.
 */
export function mergePrograms(
  entries: readonly ListedProgram[],
  nameOf: (executable: string) => string,
): MergedProgram[] {
  const best = new Map<string, ListedProgram>();
  for (const entry of entries) {
    const key = entry.executable.toLowerCase();
    const known = best.get(key);
    if (known === undefined || weight(entry) < weight(known)) best.set(key, entry);
  }
  return [...best.values()]
    .map((entry) => ({
      executable: entry.executable,
      name: entry.hasArguments ? nameOf(entry.executable) : entry.name,
    }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

// Which application a caller's name means.

const APP_PATHS = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\App Paths';

/** Program registered under a bare file name. Source: learn.microsoft.com/windows/win32/shell/app-registration */
function registeredProgram(name: string): string | null {
  for (const root of [HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE]) {
    using key = RegistryKey.open(root, `${APP_PATHS}\\${name}`);
    const program = existingProgram((key?.text('') ?? '').replaceAll('"', ''));
    if (program !== null) return program;
  }
  return null;
}

/** A program of Windows by its bare file name. The search path is not used: any user may write to some of its folders. */
function systemProgram(name: string): string | null {
  for (const folder of [systemFolder(), windowsFolder()]) {
    const program = existingProgram(path.win32.join(folder, name));
    if (program !== null) return program;
  }
  return null;
}

/** The one entry of best rank: exact name first, then ignoring case. Errors: target_ambiguous. */
function byDisplayName(name: string): AppIdentity | null {
  const entries = installedApplications();
  const exact = entries.filter(({ app }) => app.displayName === name);
  const matches =
    exact.length > 0 ? exact : entries.filter(({ app }) => app.displayName.toLowerCase() === name.toLowerCase());
  if (matches.length > 1) {
    throw new UiaHostError(
      'target_ambiguous',
      `${matches.length} installed applications have the name ${quoted(name)}.`,
      {
        hint: 'Use the bundleId of one of the candidates.',
        candidates: matches.map(({ app }) => ({ name: app.displayName, automationId: app.bundleId })),
      },
    );
  }
  return matches[0]?.app ?? null;
}

function byFileName(name: string): AppIdentity | null {
  const file = isProgramPath(name) ? name : `${name}.exe`;
  const listed = installedApplications().filter(
    ({ app }) => app.executable !== null && fileName(app.executable).toLowerCase() === file.toLowerCase(),
  );
  const program = listed.length === 1 ? (listed[0]?.path ?? null) : (registeredProgram(file) ?? systemProgram(file));
  return program === null ? null : identifyProgram(program);
}

/**
 * The application that a caller's name means: AppUserModelID, full path of a program or a link to one, exact display
 * name of the installed list, or the bare file name of an installed, registered or Windows program. Null if unknown.
 * Errors: target_ambiguous if a display name is not unique.
 */
export function resolveApplication(name: string): AppIdentity | null {
  const wanted = name.trim();
  if (wanted === '') return null;
  const packagedId = wanted.replace(/^shell:appsfolder\\/i, '');
  if (isApplicationUserModelId(packagedId)) {
    const displayName = packagedAppName(packagedId);
    return displayName === null ? null : { bundleId: packagedId, displayName, executable: null };
  }
  const place = wanted.replaceAll('/', '\\');
  if (path.win32.isAbsolute(place) && /^([A-Za-z]:|\\\\)/.test(place)) {
    const program = /\.lnk$/i.test(place) ? (linkedProgram(place)?.executable ?? null) : existingProgram(place);
    return program === null ? null : identifyProgram(program);
  }
  const listed = byDisplayName(wanted);
  if (listed !== null) return listed;
  return /[\\/:*?"<>|]/.test(wanted) ? null : byFileName(wanted);
}
