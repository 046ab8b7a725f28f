/** A folder in which a program imports the checkout’s uiahost and the vendors’ SDKs, as where they are installed. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureNpmTools } from '../../scripts/lib/npm-tools.mjs';

export interface ProgramsFolder extends Disposable {
  readonly folder: string;
  /** Where the tools are installed. */
  readonly tools: string;
}

/** @param uiahost folder of the package, with its package.json and dist */
export async function programsFolder(uiahost: string): Promise<ProgramsFolder> {
  const tools = await ensureNpmTools('sdks');
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-programs-'));
  const packages = join(folder, 'node_modules');
  mkdirSync(packages);
  writeFileSync(join(folder, 'package.json'), '{"name":"programs","private":true,"type":"module"}');
  for (const name of readdirSync(join(tools, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(tools, 'node_modules', name), join(packages, name));
  symlinkSync(uiahost, join(packages, 'uiahost'));
  return { folder, tools, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
