#!/usr/bin/env node
/**
 * Builds the Windows test programs of test/fixtures with mingw-w64.
 *
 *   node scripts/build-fixtures.mjs [--out DIR] [--print] [--force]
 *
 * A `.c` file whose first line is `// cc: FLAGS` is a program (`<name>.exe`, or `<name>.dll` with `-shared`); words of
 * that line that end in `.c` or `.rc` are further parts, relative to the file. A `.c` file without that line is a part.
 * A `.json` file next to a program that has an `ids` list becomes the C header `<name>.h`, so that C and tests read the
 * same list. Nothing is rebuilt while its inputs are unchanged.
 *
 * Plain Node 20 without packages, because it runs before anything is installed.
 */
import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder, root } from './lib/places.mjs';
import { which } from './lib/processes.mjs';

const run = promisify(execFile);
const SOURCES = join(root, 'test', 'fixtures');

/** Only these come from the newer header set: mixing two whole sets would mix two C run-time libraries. */
const UIA_HEADERS = ['uiautomation.h', 'uiautomationclient.h', 'uiautomationcore.h', 'uiautomationcoreapi.h'];
const COMMON_FLAGS = [
  '-std=gnu17',
  '-O1',
  '-g0',
  '-s',
  '-Wall',
  '-Wextra',
  '-Wno-unused-parameter',
  '-Wno-missing-field-initializers',
  '-finput-charset=UTF-8',
  '-static-libgcc',
  '-DUNICODE',
  '-D_UNICODE',
  '-D_WIN32_WINNT=0x0A00',
  '-DWINVER=0x0A00',
];
const PARALLEL = 2;

/** Default folder of the built programs; tests get it as UIAHOST_FIXTURES. */
export const fixturesFolder = () => join(cacheFolder(), 'fixtures');

function findCompiler() {
  const wanted = process.env.UIAHOST_MINGW_CC;
  const found = wanted && existsSync(wanted) ? wanted : which(wanted || 'x86_64-w64-mingw32-gcc');
  if (found) return found;
  throw new Error(
    `The mingw-w64 compiler was not found (${wanted ? `UIAHOST_MINGW_CC=${wanted}` : 'x86_64-w64-mingw32-gcc on PATH'}). ` +
      (process.platform === 'win32'
        ? 'Install one, for example mingw-w64-x86_64-gcc of MSYS2, and put its bin folder on PATH, or set UIAHOST_MINGW_CC.'
        : 'Nothing was built. Run `npm test`, whose set-up provides it, or `apt-get install gcc-mingw-w64-x86-64`, or set UIAHOST_MINGW_CC to a compiler.'),
  );
}

function findResourceCompiler(compiler) {
  const name = 'x86_64-w64-mingw32-windres';
  // MSYS2 has it next to its compiler, under its short name.
  const beside = [name, `${name}.exe`, 'windres.exe']
    .map((file) => join(dirname(compiler), file))
    .find((file) => existsSync(file));
  const found = beside ?? which(name);
  if (found) return found;
  throw new Error(
    `${name} was found neither next to ${compiler} nor on PATH. Nothing was built. It belongs to binutils-mingw-w64-x86-64: install that package.`,
  );
}

/** The folder with the UI Automation headers of mingw-w64 12, in any layout that packages use. */
function findUiaHeaders(compiler) {
  const base = process.env.UIAHOST_MINGW_INCLUDE || join(cacheFolder(), 'mingw-headers');
  const folder = [
    base,
    join(base, 'include'),
    join(base, 'usr', 'share', 'mingw-w64', 'include'),
    ...(process.env.UIAHOST_MINGW_INCLUDE ? [] : [join(dirname(compiler), '..', 'include')]),
  ].find((candidate) => existsSync(join(candidate, 'uiautomationclient.h')));
  const cure =
    'Nothing was built. Run `npm test`, whose set-up provides them, or unpack mingw-w64-common 12 or later and set UIAHOST_MINGW_INCLUDE to its include folder.';
  if (!folder) throw new Error(`The UI Automation headers of mingw-w64 were not found in ${base}. ${cure}`);
  if (!readFileSync(join(folder, 'uiautomationclient.h'), 'utf8').includes('IUIAutomationElementVtbl')) {
    throw new Error(`${folder} has UI Automation headers without interfaces (mingw-w64 before version 12). ${cure}`);
  }
  return folder;
}

/** What is missing for a build, as text for a person; undefined if nothing is. */
export function missingTool() {
  try {
    const compiler = findCompiler();
    findResourceCompiler(compiler);
    findUiaHeaders(compiler);
    return undefined;
  } catch (error) {
    return error.message;
  }
}

function walk(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    .flatMap((entry) => (entry.isDirectory() ? walk(join(folder, entry.name)) : [join(folder, entry.name)]));
}

/** Reads the first lines and returns the programs; a part that belongs to no program is an error. */
function readPrograms() {
  const sources = walk(SOURCES).filter((file) => extname(file) === '.c');
  const programs = [];
  const used = new Set();
  for (const source of sources) {
    const match = /^\/\/ cc:(.*)$/.exec(readFileSync(source, 'utf8').split(/\r?\n/, 1)[0]);
    if (!match) continue;
    const words = match[1].trim().split(/\s+/).filter(Boolean);
    const isPart = (word) => /\.(c|rc)$/.test(word);
    const parts = words.filter(isPart).map((word) => join(dirname(source), word));
    const flags = words.filter((word) => !isPart(word));
    const name = basename(source, '.c') + (flags.includes('-shared') ? '.dll' : '.exe');
    if (programs.some((other) => other.name === name))
      throw new Error(`Two test programs are called ${name}; one of them is ${relative(root, source)}. Rename one.`);
    for (const file of [source, ...parts]) used.add(file);
    programs.push({ name, source, parts, flags });
  }
  const idle = sources.filter((file) => !used.has(file));
  if (idle.length)
    throw new Error(
      `No program names these parts in its "// cc:" line: ${idle.map((file) => relative(root, file)).join(', ')}.`,
    );
  return programs;
}

/** A wide string literal. Everything but printable ASCII is an escape, closed so that a following digit cannot extend it. */
function wideLiteral(text) {
  const unit = (code) => `\\x${code.toString(16)}" L"`;
  let body = '';
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const char = text[index];
    body += char === '"' || char === '\\' ? `\\${char}` : code >= 0x20 && code < 0x7f ? char : unit(code);
  }
  return `L"${body}"`;
}

/** `ID_<KEY>` and `TEXT_<KEY>` for each row, and an X-macro over all of them. */
function headerFromIds(file) {
  const { ids } = JSON.parse(readFileSync(file, 'utf8'));
  const seen = new Map();
  for (const { key, id } of ids) {
    if (!/^[A-Z][A-Z0-9_]*$/.test(key))
      throw new Error(`${relative(root, file)}: "${key}" is not a C constant name (capitals, digits, underscores).`);
    for (const taken of [key, id]) {
      if (seen.has(taken))
        throw new Error(`${relative(root, file)}: ${taken} occurs twice (${seen.get(taken)} and ${key}).`);
      seen.set(taken, key);
    }
  }
  return [
    `/* Generated from ${relative(root, file)} by scripts/build-fixtures.mjs. Do not edit. */`,
    '#pragma once',
    ...ids.map(({ key, id }) => `#define ID_${key} ${id}`),
    ...ids.filter(({ text }) => text !== undefined).map(({ key, text }) => `#define TEXT_${key} ${wideLiteral(text)}`),
    `#define FOR_EACH_ID(X) \\\n${ids.map(({ key, id }) => `  X(${key}, ${id})`).join(' \\\n')}`,
    '',
  ].join('\n');
}

/** The project's own headers that a source includes, and those that they include. */
function includedHeaders(file, folders, seen = new Set()) {
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^\s*(?:#include|\d+ RT_MANIFEST) "([^"]+)"/gm)) {
    const header = [dirname(file), ...folders].map((folder) => join(folder, name)).find(existsSync);
    if (!header || seen.has(header)) continue;
    seen.add(header);
    includedHeaders(header, folders, seen);
  }
  return seen;
}

/** Files that any program may include, written only when they change. Returns the include folders and a digest. */
function stageHeaders(out, compiler) {
  const generated = join(out, 'include');
  mkdirSync(generated, { recursive: true });
  const digest = createHash('sha256');
  const uia = findUiaHeaders(compiler);
  for (const header of UIA_HEADERS) {
    digest.update(readFileSync(join(uia, header)));
    copyFileSync(join(uia, header), join(generated, header));
  }
  for (const file of walk(SOURCES)) {
    if (file.endsWith('.ids.json'))
      writeFileSync(join(generated, basename(file).replace(/json$/, 'h')), headerFromIds(file));
  }
  return { folders: [generated, join(SOURCES, 'shared')], digest: digest.digest('hex') };
}

async function compile(program, tools) {
  const temporary = join(tools.out, `.${process.pid}.${program.name}`);
  const objects = [];
  try {
    for (const part of program.parts.filter((file) => file.endsWith('.rc'))) {
      const object = `${temporary}.${objects.length}.o`;
      objects.push(object);
      // Its own search for a preprocessor would find the machine's compiler instead of ours.
      const preprocessor = [
        `--preprocessor=${tools.compiler}`,
        ...['-E', '-xc-header', '-DRC_INVOKED'].map((word) => `--preprocessor-arg=${word}`),
      ];
      await run(tools.windres, [
        ...preprocessor,
        '-c',
        '65001',
        ...tools.include,
        `-I${dirname(part)}`,
        part,
        '-O',
        'coff',
        '-o',
        object,
      ]);
    }
    const sources = [program.source, ...program.parts.filter((file) => file.endsWith('.c'))];
    const compilerFlags = program.flags.filter((flag) => !flag.startsWith('-l'));
    const libraries = program.flags.filter((flag) => flag.startsWith('-l'));
    const { stderr } = await run(tools.compiler, [
      ...COMMON_FLAGS,
      ...tools.include,
      ...compilerFlags,
      '-o',
      temporary,
      ...sources,
      ...objects,
      ...libraries,
    ]);
    renameSync(temporary, join(tools.out, program.name));
    return stderr;
  } finally {
    for (const file of [temporary, ...objects]) rmSync(file, { force: true });
  }
}

/**
 * Builds what is not up to date.
 * @param {{out?: string, force?: boolean, log?: (line: string) => void}} options
 * @returns {Promise<string>} the folder with the programs
 * @throws if a tool is missing (with a remedy) or a program does not compile (with the compiler's output)
 */
export async function buildFixtures({ out = fixturesFolder(), force = false, log = () => {} } = {}) {
  const records = join(out, '.built');
  const compiler = findCompiler();
  const windres = findResourceCompiler(compiler);
  const programs = readPrograms();
  mkdirSync(records, { recursive: true });
  const { folders, digest } = stageHeaders(out, compiler);
  const { stdout: version } = await run(compiler, ['--version']);
  const script = readFileSync(fileURLToPath(import.meta.url));

  for (const record of readdirSync(records)) {
    if (programs.some((program) => program.name === record)) continue;
    rmSync(join(records, record), { force: true });
    rmSync(join(out, record), { force: true });
  }

  const stale = programs
    .map((program) => {
      const hash = createHash('sha256').update(script).update(version).update(digest).update(program.flags.join('\n'));
      const sources = [program.source, ...program.parts];
      const files = new Set(sources);
      for (const file of sources) for (const header of includedHeaders(file, folders)) files.add(header);
      for (const file of files) hash.update(relative(root, file)).update(readFileSync(file));
      return { program, hash: hash.digest('hex'), record: join(records, program.name) };
    })
    .filter(
      ({ program, hash, record }) =>
        force || !existsSync(join(out, program.name)) || !existsSync(record) || readFileSync(record, 'utf8') !== hash,
    );

  const tools = { compiler, windres, include: folders.map((folder) => `-I${folder}`), out };
  const failures = [];
  const queue = [...stale];
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const { program, hash, record } = next;
        try {
          const warnings = await compile(program, tools);
          writeFileSync(record, hash);
          log(`built ${program.name}${warnings ? `\n${warnings.trimEnd()}` : ''}`);
        } catch (error) {
          rmSync(record, { force: true });
          failures.push(`${program.name}:\n${(error.stderr || error.message).trimEnd()}`);
        }
      }
    }),
  );
  if (failures.length)
    throw new Error(
      `${failures.length} of ${programs.length} test programs did not compile; the others are in ${out}.\n${failures.join('\n')}`,
    );
  log(
    `${programs.length} test programs in ${out} (${stale.length} built, ${programs.length - stale.length} unchanged)`,
  );
  return out;
}

async function main(argv) {
  const options = { log: (line) => process.stderr.write(`${line}\n`) };
  let print = false;
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index];
    if (word === '--print') print = true;
    else if (word === '--force') options.force = true;
    else if (word === '--out' && argv[index + 1]) options.out = resolve(argv[++index]);
    else throw new Error(`Unknown option "${word}". Usage: build-fixtures.mjs [--out DIR] [--print] [--force]`);
  }
  const out = await buildFixtures(options);
  if (print) process.stdout.write(`${out}\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
