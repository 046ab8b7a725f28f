/** The places in which Windows lists installed programs: Start menus and the uninstall list. */
import { HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE } from '../../../native-bindings/win32/constants.ts';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expandVariables, RegistryKey, type RegistryView } from '../system/registry.ts';
import { knownFolder } from './folders.ts';
import { isForeignPath } from '../system/trust.ts';
import { existingProgram } from './programs.ts';
import { readShellLink } from './shell-link.ts';
import { attempt } from '../../contract/attempt.ts';

/** A program that one of the lists has as installed. */
export interface ListedProgram {
  readonly executable: string;
  readonly name: string;
  readonly source: 'start-menu' | 'uninstall';
  /** The entry starts the program with arguments: the name is the entry's, not the program's. */
  readonly hasArguments: boolean;
}

const UNINSTALL = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall';
const PLACES: ReadonlyArray<{ root: number; view: RegistryView }> = [
  { root: HKEY_LOCAL_MACHINE, view: 64 },
  { root: HKEY_LOCAL_MACHINE, view: 32 },
  { root: HKEY_CURRENT_USER, view: 64 },
  { root: HKEY_CURRENT_USER, view: 32 },
];

/** `"C:\App\app.exe",0` → `C:\App\app.exe`: the icon of an uninstall entry is usually the program's. */
export function iconFile(displayIcon: string): string {
  return displayIcon
    .trim()
    .replace(/,\s*-?\d+$/, '')
    .replaceAll('"', '')
    .trim();
}

/** Programs that install or remove others are not listed as applications. */
export function isUninstaller(executable: string): boolean {
  return /^(unins\d*|uninst(all(er)?)?|setup|msiexec|rundll32|update)\.(exe|com)$/i.test(
    path.win32.basename(executable),
  );
}

/**
 * Entries of “installed apps”, in both views and both hives, that name their program.
 * Source: learn.microsoft.com/windows/win32/msi/uninstall-registry-key
 */
export function uninstallEntries(): ListedProgram[] {
  const found: ListedProgram[] = [];
  for (const { root, view } of PLACES) {
    using list = RegistryKey.open(root, UNINSTALL, view);
    for (const name of list?.names() ?? []) {
      using entry = list?.child(name) ?? null;
      const displayName = entry?.text('DisplayName')?.trim() ?? '';
      if (
        entry === null ||
        displayName === '' ||
        entry.number('SystemComponent') === 1 ||
        entry.text('ParentKeyName') !== null
      )
        continue;
      const executable = existingProgram(iconFile(entry.text('DisplayIcon') ?? ''));
      if (executable !== null && !isUninstaller(executable))
        found.push({ executable, name: displayName, source: 'uninstall', hasArguments: false });
    }
  }
  return found;
}

/** Start menus are shallow; the limit also ends a loop of junctions. */
const MAX_DEPTH = 6;

function linksIn(folder: string, depth = 0): string[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true }), []).flatMap((entry) => {
    const full = path.win32.join(folder, entry.name);
    if (entry.isDirectory()) return depth < MAX_DEPTH ? linksIn(full, depth + 1) : [];
    return /\.lnk$/i.test(entry.name) ? [full] : [];
  });
}

/** The program that a link file starts; null if there is none. */
export function linkedProgram(
  file: string,
): { executable: string; hasArguments: boolean; iconLocation: string; iconIndex: number } | null {
  if (isForeignPath(file)) return null;
  const bytes = attempt(() => readFileSync(file), null);
  const link = bytes === null ? null : readShellLink(bytes);
  const executable = link?.target === null || link === null ? null : existingProgram(expandVariables(link.target));
  if (link === null || executable === null) return null;
  return {
    executable,
    hasArguments: link.arguments.trim() !== '',
    iconLocation: expandVariables(link.iconLocation),
    iconIndex: link.iconIndex,
  };
}

/** Links of the Start menus of this user and of all users. */
export function startMenuEntries(): ListedProgram[] {
  const found: ListedProgram[] = [];
  for (const folder of [knownFolder('programs'), knownFolder('commonPrograms')]) {
    if (folder === null) continue;
    for (const file of linksIn(folder)) {
      const program = linkedProgram(file);
      if (program === null || isUninstaller(program.executable)) continue;
      found.push({
        executable: program.executable,
        name: path.win32.basename(file).replace(/\.lnk$/i, ''),
        source: 'start-menu',
        hasArguments: program.hasArguments,
      });
    }
  }
  return found;
}
