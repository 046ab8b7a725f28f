/** Programs made with Chromium: browsers, Electron, CEF. They share a switch, which other programs would misread. */
import { readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Chromium's switch that builds the accessibility tree from the start instead of on request.
 * Source: chromium.org/developers/design-documents/accessibility
 */
export const ACCESSIBILITY_SWITCH = '--force-renderer-accessibility';

/** Files that each Chromium brings: its Unicode data, its V8 start data, its resources, or its library. */
const CHROMIUM_FILES: ReadonlySet<string> = new Set([
  'icudtl.dat',
  'v8_context_snapshot.bin',
  'snapshot_blob.bin',
  'chrome_100_percent.pak',
  'libcef.dll',
  'chrome.dll',
  'msedge.dll',
]);
/** Installers keep each version in a folder of its own, next to the program. */
const MOST_FOLDERS = 50;

/** Whether a folder listing has a file of Chromium. */
export const hasChromiumFile = (names: readonly string[]): boolean =>
  names.some((name) => CHROMIUM_FILES.has(name.toLowerCase()));

function list(folder: string): Array<{ readonly name: string; isDirectory(): boolean }> {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Whether a program is made with Chromium, by the files next to it or in a folder next to it. */
export function isMadeWithChromium(executable: string): boolean {
  const folder = path.win32.dirname(executable);
  const entries = list(folder);
  if (hasChromiumFile(entries.map(({ name }) => name))) return true;
  return entries
    .filter((entry) => entry.isDirectory())
    .slice(0, MOST_FOLDERS)
    .some(({ name }) => hasChromiumFile(list(path.win32.join(folder, name)).map((entry) => entry.name)));
}
