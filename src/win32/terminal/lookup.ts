/** Where a program lies: PATH and PATHEXT, as a person's shell would find it, without the current folder. No Windows in here. */
import { win32 as windowsPath } from 'node:path';
import type { Environment } from '../apps/user-environment.ts';

/** Where Windows has no PATHEXT set. Source: learn.microsoft.com/windows-server/administration/windows-commands/start */
const USUAL_EXTENSIONS = '.COM;.EXE;.BAT;.CMD';
/** What cmd runs by itself; everything else in PATHEXT is a document that some other program opens. */
const RUNNABLE = new Set(['.com', '.exe', '.bat', '.cmd']);

export interface LookupFacts {
  readonly environment: Environment;
  /** Whether a file (no folder) lies there. */
  isFile(path: string): boolean;
}

/** Folders of PATH in order. Relative ones are left out: what they mean depends on where one stands. */
export function pathFolders(environment: Environment): string[] {
  return (environment.get('PATH') ?? '')
    .split(';')
    .map((entry) => entry.trim().replaceAll('"', ''))
    .filter((entry) => /^(?:[a-z]:[\\/]|\\\\)/i.test(entry));
}

/** Extensions of PATHEXT that cmd runs, in its order, lower case. */
export function programExtensions(environment: Environment): string[] {
  const listed = (environment.get('PATHEXT') ?? USUAL_EXTENSIONS)
    .split(';')
    .map((extension) => extension.trim().toLowerCase());
  return listed.filter((extension) => RUNNABLE.has(extension));
}

/** Names to try for a name: itself where it has such an extension, then with each. */
function candidates(path: string, extensions: readonly string[]): string[] {
  const own = windowsPath.extname(path).toLowerCase();
  return [...(extensions.includes(own) ? [path] : []), ...extensions.map((extension) => path + extension)];
}

/**
 * The full path of a program. A bare name is looked up on PATH alone, never in the current folder; a path with folders is
 * taken from `directory`. Null where there is none.
 */
export function findProgram(
  name: string,
  directory: string,
  facts: LookupFacts,
  extensions: readonly string[] = programExtensions(facts.environment),
): string | null {
  const isPath = /[\\/]/.test(name) || /^[a-z]:/i.test(name);
  const places = isPath
    ? [windowsPath.resolve(directory, name)]
    : pathFolders(facts.environment).map((folder) => windowsPath.join(folder, name));
  for (const place of places) {
    const found = candidates(place, extensions).find((path) => facts.isFile(path));
    if (found !== undefined) return found;
  }
  return null;
}
