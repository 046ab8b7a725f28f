/** Finds programs by PATH and PATHEXT, as a shell does, but never in the current folder. No Windows in here. */
import { win32 as windowsPath } from 'node:path';
import type { Environment } from '../apps/user-environment.ts';

/** For systems without PATHEXT. Source: learn.microsoft.com/windows-server/administration/windows-commands/start */
const USUAL_EXTENSIONS = '.COM;.EXE;.BAT;.CMD';
/** Extensions that cmd runs itself; any other in PATHEXT is a document that another program opens. */
const RUNNABLE = new Set(['.com', '.exe', '.bat', '.cmd']);

export interface LookupFacts {
  readonly environment: Environment;
  /** Whether a file, not a folder, has that path. */
  isFile(path: string): boolean;
}

/** Folders of PATH in order, without relative ones, which depend on the current folder. */
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

/** File names to try: the name itself if it has such an extension, then with each extension. */
function candidates(path: string, extensions: readonly string[]): string[] {
  const own = windowsPath.extname(path).toLowerCase();
  return [...(extensions.includes(own) ? [path] : []), ...extensions.map((extension) => path + extension)];
}

/**
 * The full path of a program. A bare name is looked up only on PATH, never in the current folder; a path with folders is
 * relative to `directory`. Null if there is none.
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
