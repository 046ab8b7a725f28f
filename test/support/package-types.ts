/** The package's types as they are installed, and what the compiler reports about programs that import them. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll } from 'vitest';
import { writeDeclarations } from '../../scripts/lib/declarations.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Installs package.json and dist/types for the tests of a file.
 * @param name of the folder: below the checkout, where zod and API Extractor find what they need
 */
export function packageTypes(name: string, entry?: { readonly entry: 'client' }) {
  const folder = mkdtempSync(join(root, `node_modules/.${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const types = join(folder, 'node_modules/uiahost/dist/types');
  beforeAll(() => {
    mkdirSync(join(types, '..'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"name":"program","type":"module"}');
    cpSync(join(root, 'package.json'), join(types, '../../package.json'));
    writeDeclarations(types, entry);
  });
  /** The compiler's messages for each program, by its name. */
  const complaints = (programs: Readonly<Record<string, string>>): Record<string, string[]> => {
    const files = Object.entries(programs).map(([program, text]) => {
      const file = join(folder, `${program}.mts`);
      writeFileSync(file, text);
      return file;
    });
    const compiled = ts.createProgram(files, {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      lib: ['lib.esnext.d.ts', 'lib.esnext.disposable.d.ts'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
    });
    const said: Record<string, string[]> = Object.fromEntries(Object.keys(programs).map((each) => [each, []]));
    for (const { file, messageText } of ts.getPreEmitDiagnostics(compiled)) {
      const program = Object.keys(programs).find((each) => file?.fileName.endsWith(`/${each}.mts`)) ?? 'elsewhere';
      (said[program] ??= []).push(ts.flattenDiagnosticMessageText(messageText, '\n'));
    }
    return said;
  };
  return { root, types, complaints };
}
