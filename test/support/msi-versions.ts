/** MSI files of several versions, made of one package's folder: for tests of upgrades and of installations that fail. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureWindowsTree } from '../../scripts/lib/dependencies.mjs';
import { partsFor } from '../../scripts/lib/package/folder.mjs';
import { makeMsi } from '../../scripts/lib/package/msi/make.mjs';
import { readTables, writeTables } from '../../scripts/lib/package/msi/read.mjs';
import { makeProgram } from '../../scripts/lib/package/program.mjs';
import { ensurePackageTools } from '../../scripts/lib/package/tools.mjs';
import { makePackage } from '../../scripts/package.mjs';

/**
 * `broken`: its service does not start; `candidate` and `rebuilt`: a pre-release of the first,
 * and another build of it, with the second's files.
 */
export const versions = {
  first: '0.1.0',
  second: '0.1.1',
  candidate: '0.1.0-rc.1',
  rebuilt: '0.1.0',
  broken: '0.1.2',
} as const;
export type Version = keyof typeof versions;
type Tables = Awaited<ReturnType<typeof readTables>>;

export interface MsiVersions extends Disposable {
  /** The folder that all of it is in. */
  readonly out: string;
  /** The package's folder, from which the first version is made. */
  readonly stage: string;
  msi(which: Version): string;
  /** A copy of a version with changed tables. */
  changed(which: Version, name: string, change: (tables: Tables) => void): Promise<string>;
}

export async function makeVersions(...wanted: Version[]): Promise<MsiVersions> {
  const out = mkdtempSync(join(tmpdir(), 'uiahost-msi-test-'));
  const tools = await ensurePackageTools();
  const stage = await makePackage({ out });
  const msi = (which: Version): string => join(out, `${which}.msi`);
  const second = join(out, 'second');
  cpSync(stage, second, { recursive: true });
  writeFileSync(join(second, 'README.md'), 'The second version.\n');
  writeFileSync(join(second, 'docs/new.md'), 'New in the second version.\n');
  rmSync(join(second, 'docs/glossary.md'));
  for (const which of wanted) {
    if (which === 'broken') {
      writeFileSync(join(second, 'dist/service.mjs'), "process.exit(process.argv[2] === 'run' ? 3 : 0);\n");
      await makeProgram({ ...partsFor('x64', await ensureWindowsTree(), ''), folder: second });
    }
    await makeMsi({ tools, stage: which === 'first' ? stage : second, version: versions[which], out: msi(which) });
  }
  return {
    out,
    stage,
    msi,
    async changed(which, name, change) {
      const file = join(out, `${name}.msi`);
      cpSync(msi(which), file);
      const tables = await readTables(tools, file);
      change(tables);
      const { Property, CustomAction, InstallExecuteSequence } = tables;
      await writeTables(tools, file, {
        Property: Property!,
        CustomAction: CustomAction!,
        InstallExecuteSequence: InstallExecuteSequence!,
      });
      return file;
    },
    [Symbol.dispose]: () => rmSync(out, { recursive: true, force: true, maxRetries: 5 }),
  };
}
