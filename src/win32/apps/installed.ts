/** Installed applications from all the lists of the system. */
import type { AppIdentity } from '../../contract/element/binding.ts';
import { identifyProgram, programName } from '../system/identity.ts';
import { mergePrograms } from './merge.ts';
import { packagedApps } from '../system/packages.ts';
import { startMenuEntries, uninstallEntries } from './sources.ts';

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
