/** Bundles a source into one file for tests that start it as a thread or process. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync, type BuildOptions } from 'esbuild';
import { cacheFolder, root } from '../../scripts/lib/places.mjs';

/** Out of the checkout, where a command would find the host to start. */
const FOLDER = join(cacheFolder(), 'tests', createHash('sha256').update(root).digest('hex').slice(0, 12));
const built = new Set<string>();

/**
 * A source bundled into one file, as it ships: it starts in a quarter of the time that the loose files need. Made once by
 * each process of the tests, in whose place the next one puts the same.
 */
export function bundled(entry: string, options: BuildOptions = {}): string {
  const file = join(FOLDER, `${entry.replaceAll('/', '-')}.mjs`);
  if (!built.has(file)) {
    const { outputFiles } = buildSync({
      entryPoints: [join(root, entry)],
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'warning',
      write: false,
      ...options,
    });
    mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
    const { contents } = outputFiles![0]!;
    // Windows replaces no file that a thread of another process has open.
    if (!existsSync(file) || !readFileSync(file).equals(contents)) {
      writeFileSync(`${file}.${process.pid}`, contents);
      renameSync(`${file}.${process.pid}`, file);
    }
    built.add(file);
  }
  return file;
}

/** The entry of the store's thread. */
export const threadEntry = (): string => bundled('src/entry/store.ts');
