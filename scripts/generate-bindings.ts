/**
 * Generates the COM classes, their identifiers, and the C programs that check them.
 *
 *   node scripts/generate-bindings.ts              writes what has changed
 *   node scripts/generate-bindings.ts --check      writes nothing; fails when something is stale
 *   node scripts/generate-bindings.ts --headers DIR   draws headers.tsv anew from mingw-w64's headers (12 or later) first
 *
 * Wanted: native-bindings/uia/wanted.txt. Facts: native-bindings/uia/headers.tsv. Needs a Node that strips types.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emitFile, emitIdentifiers, emitSlotsProgram, emitStructsProgram } from './bindings/emit.ts';
import { formatFacts, parseFacts, readHeaders } from './bindings/headers.ts';
import { parseWanted } from './bindings/wanted.ts';
import * as structs from '../native-bindings/win32/structs.ts';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const UIA = 'native-bindings/uia';
const FIXTURES = 'test/fixtures/bindings';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Every generated file by path. */
function generate(): Map<string, string> {
  const files = parseWanted(read(`${UIA}/wanted.txt`));
  const facts = parseFacts(read(`${UIA}/headers.tsv`));
  const out = new Map(files.map((file) => [`${UIA}/${file.name}.generated.ts`, emitFile(file, files, facts)]));
  out.set(`${UIA}/identifiers.generated.ts`, emitIdentifiers(facts));
  out.set(`${FIXTURES}/slots.c`, emitSlotsProgram(files, facts));
  out.set(`${FIXTURES}/structs.c`, emitStructsProgram(Object.values(structs)));
  return out;
}

function main(args: string[]): number {
  const headers = args.indexOf('--headers');
  if (headers >= 0) {
    const folder = args[headers + 1];
    if (folder === undefined) {
      console.error('--headers needs a folder.');
      return 2;
    }
    const wanted = new Set(parseWanted(read(`${UIA}/wanted.txt`)).flatMap((f) => f.interfaces.map((i) => i.name)));
    writeFileSync(join(ROOT, UIA, 'headers.tsv'), formatFacts(readHeaders(folder, wanted)));
  }
  const stale = [...generate()].filter(([path, text]) => {
    try {
      return read(path) !== text;
    } catch {
      return true;
    }
  });
  if (args.includes('--check')) {
    for (const [path] of stale) console.error(`${path} is stale. Run \`node scripts/generate-bindings.ts\`.`);
    return stale.length === 0 ? 0 : 1;
  }
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
    console.log(`wrote ${path}`);
  }
  return 0;
}

process.exitCode = main(process.argv.slice(2));
