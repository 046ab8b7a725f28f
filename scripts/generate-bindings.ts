/**
 * Generates the COM classes, their identifiers, Windows' constants, and the C programs that check them.
 *
 * `--headers DIR` reads the facts again from mingw-w64's headers (12 or later) first, which needs the mingw-w64 compiler
 * (UIAHOST_MINGW_CC, or the compiler that the tests use). Wanted: wanted.txt in native-bindings/uia and
 * native-bindings/win32/constants. Facts: headers.tsv next to each.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  emitConstants,
  emitConstantsProgram,
  formatConstantFacts,
  parseConstantFacts,
  parseWantedConstants,
  readConstants,
} from './bindings/constants.ts';
import { emitFile, emitIdentifiers, emitSlotsProgram, emitStructsProgram } from './bindings/emit.ts';
import { formatFacts, parseFacts, readHeaders } from './bindings/headers.ts';
import { parseWanted } from './bindings/wanted.ts';
import { keepFiles } from './lib/generated.ts';
import { root } from './lib/places.mjs';
import * as structs from '../native-bindings/win32/structs.ts';

const UIA = 'native-bindings/uia';
const CONSTANTS = 'native-bindings/win32/constants';
const FIXTURES = 'test/fixtures/bindings';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Every generated file by path. */
function generate(): Map<string, string> {
  const files = parseWanted(read(`${UIA}/wanted.txt`));
  const facts = parseFacts(read(`${UIA}/headers.tsv`));
  const out = new Map(files.map((file) => [`${UIA}/${file.name}.generated.ts`, emitFile(file, files, facts)]));
  out.set(`${UIA}/identifiers.generated.ts`, emitIdentifiers(facts));
  out.set(`${FIXTURES}/slots.c`, emitSlotsProgram(files, facts));
  out.set(`${FIXTURES}/structs.c`, emitStructsProgram(Object.values(structs)));
  const constants = parseWantedConstants(read(`${CONSTANTS}/wanted.txt`));
  const values = parseConstantFacts(read(`${CONSTANTS}/headers.tsv`));
  for (const file of constants) out.set(`${CONSTANTS}/${file.name}.generated.ts`, emitConstants(file, values));
  out.set(`${FIXTURES}/constants.c`, emitConstantsProgram(constants));
  return out;
}

/** Reads both tables of facts again from a folder of headers. */
async function readFacts(folder: string): Promise<void> {
  const wanted = new Set(parseWanted(read(`${UIA}/wanted.txt`)).flatMap((f) => f.interfaces.map((i) => i.name)));
  writeFileSync(join(root, UIA, 'headers.tsv'), formatFacts(readHeaders(folder, wanted)));
  const { ensureTestTools } = await import('./lib/test-tools.mjs');
  const compiler = process.env['UIAHOST_MINGW_CC'] ?? (await ensureTestTools()).compiler;
  const names = parseWantedConstants(read(`${CONSTANTS}/wanted.txt`)).flatMap((file) => file.constants);
  const values = readConstants(compiler, folder, names);
  writeFileSync(join(root, CONSTANTS, 'headers.tsv'), formatConstantFacts(values));
}

const [option, folder] = process.argv.slice(2);
if (option === '--headers' && folder !== undefined) await readFacts(folder);
keepFiles(generate());
