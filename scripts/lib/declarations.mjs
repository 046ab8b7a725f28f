// The types of the library (package.json: `types`): the declarations that src/index.ts leads to, and no others.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from './places.mjs';
import { SetupError } from './progress.mjs';

/**
 * Writes the declaration files below a folder, index.d.ts first; their imports keep the names of the sources, which lead
 * to the declarations beside them.
 * @param {string} folder made anew
 * @returns {string[]} names of the files, relative to the folder
 */
export function writeDeclarations(folder) {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const base = path.join(root, 'src');
  const program = ts.createProgram([path.join(base, 'index.ts')], {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: base,
    outDir: folder,
    stripInternal: true,
    // the declarations of what is not part of the library are never written
    rewriteRelativeImportExtensions: false,
  });
  rmSync(folder, { recursive: true, force: true });
  const waiting = [path.join(base, 'index.ts')];
  const written = new Set();
  for (let source = waiting.shift(); source !== undefined; source = waiting.shift()) {
    if (written.has(source)) continue;
    written.add(source);
    for (const next of emit(program, source, base, folder)) waiting.push(next);
  }
  return [...written].map((source) => declarationOf(path.relative(base, source)));
}

const declarationOf = (source) => source.replace(/\.ts$/, '.d.ts');

/** Writes one; answers the sources that it names. */
function emit(program, source, base, folder) {
  const file = program.getSourceFile(source);
  if (file === undefined)
    throw new SetupError(`The types of the library need ${path.relative(root, source)}, which is not there.`);
  let text;
  const { diagnostics } = program.emit(
    file,
    (name, content) => {
      if (name.endsWith('.d.ts')) text = content;
    },
    undefined,
    true,
  );
  if (text === undefined || diagnostics.length > 0) {
    throw new SetupError(
      `The types of ${path.relative(root, source)} cannot be written:\n${diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n')}`,
    );
  }
  const place = path.join(folder, declarationOf(path.relative(base, source)));
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
  return ts
    .preProcessFile(text)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => {
      const target = path.resolve(path.dirname(source), name);
      if (!target.startsWith(base + path.sep))
        throw new SetupError(
          `${path.relative(root, source)} shows ${name} in its types, which is no part of the library.`,
        );
      return target;
    });
}
