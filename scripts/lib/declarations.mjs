// The types of the library and of the client (package.json: `types`): API Extractor rolls the declarations reachable
// from an entry point into one file, and writes the report of the library's public API.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import ts from 'typescript';
import { root } from './places.mjs';
import { SetupError } from './progress.mjs';

/** The entry points below src, and the files of their types. */
const entries = { library: ['index.ts', 'index.d.ts'], client: ['client.ts', 'client.d.ts'] };

/**
 * Writes the types of an entry point into a folder, and the report if requested.
 * @param {string} folder
 * @param {{ entry?: 'library' | 'client', report?: string }} [options] `report`: path of the report, which ends in
 * `.api.md`
 * @returns {void}
 */
export function writeDeclarations(folder, { entry = 'library', report } = {}) {
  const [source, types] = entries[entry];
  mkdirSync(folder, { recursive: true });
  // API Extractor treats a file as the project's own if it is below the project and not in node_modules.
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  const parts = mkdtempSync(path.join(root, 'dist/.declarations-'));
  try {
    const typesOnly = emit(parts, source);
    const file = path.join(folder, types);
    rollUp(parts, source, file, report ?? null);
    writeFileSync(file, withoutValues(readFileSync(file, 'utf8'), typesOnly));
  } finally {
    rmSync(parts, { recursive: true, force: true });
  }
}

/**
 * The declarations reachable from an entry point, in the sources' folder structure; those of other sources are never
 * made.
 * @param {string} folder
 * @param {string} entry below src
 * @returns {Set<string>} names that it exports as types only
 */
function emit(folder, entry) {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const base = path.join(root, 'src');
  const program = ts.createProgram([path.join(base, entry)], {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: base,
    outDir: folder,
    stripInternal: true,
    rewriteRelativeImportExtensions: false,
  });
  const sources = new Set([path.join(base, entry)]);
  // Iterating a set includes what is added meanwhile.
  for (const source of sources) for (const next of emitOne(program, source, base, folder)) sources.add(next);
  const checker = program.getTypeChecker();
  const index = program.getSourceFile(path.join(base, entry));
  const module = index && checker.getSymbolAtLocation(index);
  if (!module) throw new SetupError(`src/${entry} exports nothing.`);
  const shown = checker.getExportsOfModule(module);
  return new Set(
    shown.filter((each) => each.declarations?.some(ts.isTypeOnlyExportDeclaration)).map(({ name }) => name),
  );
}

/**
 * API Extractor exports a value with its type even if the source says `export type`; a program would then import a
 * value that does not exist at run time.
 * @param {string} text
 * @param {ReadonlySet<string>} typesOnly
 * @returns {string}
 */
const withoutValues = (text, typesOnly) =>
  text.replaceAll(/^export (declare (?:const|class|function) (\w+))/gm, (whole, declared, name) =>
    typesOnly.has(name) ? declared : whole,
  );

/**
 * Writes one source's declarations.
 * @param {ts.Program} program
 * @param {string} source
 * @param {string} base folder of the sources
 * @param {string} folder
 * @returns {string[]} the sources that they name
 */
function emitOne(program, source, base, folder) {
  let text = '';
  const keep = (name, content) => {
    if (name.endsWith('.d.ts')) text = content;
  };
  const { diagnostics } = program.emit(program.getSourceFile(source), keep, undefined, true);
  const name = path.relative(base, source);
  if (diagnostics.length > 0) {
    throw new SetupError(`The types of src/${name} cannot be generated:\n${messages(diagnostics)}`);
  }
  const place = path.join(folder, name.replace(/\.ts$/, '.d.ts'));
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
  const named = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  return named
    .filter((each) => each.startsWith('.'))
    .map((each) => {
      const target = path.resolve(path.dirname(source), each);
      if (target.startsWith(base + path.sep)) return target;
      throw new SetupError(`The types of src/${name} include ${each}, which is not part of the library.`);
    });
}

/** @param {readonly ts.Diagnostic[]} diagnostics */
const messages = (diagnostics) =>
  diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')).join('\n');

/**
 * @param {string} parts folder of the declarations
 * @param {string} entry below src
 * @param {string} file what they are rolled into
 * @param {string | null} report
 * @returns {void}
 */
function rollUp(parts, entry, file, report) {
  const reportFolder = path.dirname(report ?? path.join(parts, 'library.api.md'));
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: path.join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: path.join(parts, entry.replace(/\.ts$/, '.d.ts')),
      newlineKind: 'lf',
      compiler: { tsconfigFilePath: path.join(root, 'tsconfig.json'), skipLibCheck: true },
      apiReport: {
        enabled: report !== null,
        reportFolder,
        reportTempFolder: parts,
        reportFileName: path.basename(report ?? 'library.api.md', '.api.md'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: true, untrimmedFilePath: file },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: {
          default: { logLevel: ExtractorLogLevel.Error },
          // The parts of a public type are in the report, with a warning.
          'ae-forgotten-export': { logLevel: ExtractorLogLevel.None, addToApiReportFile: true },
          'ae-missing-release-tag': { logLevel: ExtractorLogLevel.None },
          'ae-undocumented': { logLevel: ExtractorLogLevel.None },
          'ae-unresolved-link': { logLevel: ExtractorLogLevel.None },
        },
        // Doc comments are for readers of the sources and do not follow TSDoc.
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  });
  const problems = [];
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback(message) {
      if (message.logLevel === ExtractorLogLevel.Error) problems.push(message.text);
      message.handled = true;
    },
  });
  if (!succeeded || problems.length > 0) {
    throw new SetupError(`The types of the library cannot be rolled up:\n${problems.join('\n')}`);
  }
}
