#!/usr/bin/env node
/**
 * Builds the Windows test programs of test/fixtures with mingw-w64.
 *
 *   node scripts/build-fixtures.mjs
 *
 * A `.c` file whose first line is `// cc: FLAGS` is a program (`<name>.exe`, or `<name>.dll` with `-shared`); words of
 * that line that end in `.c` or `.rc` are further parts, relative to the file. A `.c` file without that line is a part.
 * A `.json` file next to a program that has an `ids` list becomes the C header `<name>.h`, so that C and tests read the
 * same list. Each program is built once for its sources and its compiler (`<cache>/fixtures/<hash>-<name>`), and each set
 * of programs is a folder of its own (`<cache>/fixtures-<hash>`), so that checkouts do not disturb one another.
 *
 * Plain Node 20 without packages, because it runs before anything is installed.
 */
import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, extname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { complete, isComplete, unusedFor } from './lib/cache.mjs';
import { withLock } from './lib/lock.mjs';
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

/** Every built program, as `<hash>-<name>`. */
const store = () => join(cacheFolder(), 'fixtures');

function findCompiler() {
  const wanted = process.env.UIAHOST_MINGW_CC;
  const found = wanted && existsSync(wanted) ? wanted : which(wanted || 'x86_64-w64-mingw32-gcc');
  if (found) return found;
  throw new Error(
    `The mingw-w64 compiler was not found (${wanted ? `UIAHOST_MINGW_CC=${wanted}` : 'x86_64-w64-mingw32-gcc on PATH'}). ` +
      (process.platform === 'win32'
        ? 'Install one, for example mingw-w64-x86_64-gcc of MSYS2, and put its bin folder on PATH, or set UIAHOST_MINGW_CC.'
        : 'Nothing was built. Run `node scripts/test.mjs`, whose set-up provides it, or `apt-get install gcc-mingw-w64-x86-64`, or set UIAHOST_MINGW_CC to a compiler.'),
  );
}

function findResourceCompiler(compiler) {
  const name = `${/i686-w64-mingw32/.test(compiler) ? 'i686' : 'x86_64'}-w64-mingw32-windres`;
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
export function findUiaHeaders(compiler) {
  const base = process.env.UIAHOST_MINGW_INCLUDE || join(cacheFolder(), 'mingw-headers');
  const folder = [
    base,
    join(base, 'include'),
    join(base, 'usr', 'share', 'mingw-w64', 'include'),
    // MSYS2 has them next to its compiler, other distributions of mingw-w64 in a folder of the target
    ...(process.env.UIAHOST_MINGW_INCLUDE
      ? []
      : ['include', 'x86_64-w64-mingw32/include'].map((folder) => join(dirname(compiler), '..', folder))),
  ].find((candidate) => existsSync(join(candidate, 'uiautomationclient.h')));
  const cure =
    'Nothing was built. Run `node scripts/test.mjs`, whose set-up provides them, or unpack mingw-w64-common 12 or later and set UIAHOST_MINGW_INCLUDE to its include folder.';
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

/** The project's own headers that a source includes, and the headers that they include. */
function includedHeaders(file, folders, seen = new Set()) {
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^\s*(?:#include|\d+ RT_MANIFEST) "([^"]+)"/gm)) {
    const header = [dirname(file), ...folders].map((folder) => join(folder, name)).find(existsSync);
    if (!header || seen.has(header)) continue;
    seen.add(header);
    includedHeaders(header, folders, seen);
  }
  return seen;
}

/**
 * Writes the headers that any program may include to a folder: those of UI Automation, and those made of lists of ids.
 * Returns the include folders and a digest of the former.
 */
function stageHeaders(folder, compiler) {
  const digest = createHash('sha256');
  const uia = findUiaHeaders(compiler);
  for (const header of UIA_HEADERS) {
    digest.update(readFileSync(join(uia, header)));
    copyFileSync(join(uia, header), join(folder, header));
  }
  for (const file of walk(SOURCES)) {
    if (file.endsWith('.ids.json'))
      writeFileSync(join(folder, basename(file).replace(/json$/, 'h')), headerFromIds(file));
  }
  return { folders: [folder, join(SOURCES, 'shared')], digest: digest.digest('hex') };
}

/** Compiles a program and puts it at `to`. Returns the compiler's warnings. */
async function compile(program, to, tools) {
  const temporary = join(tools.folder, program.name);
  const compilerFlags = program.flags.filter((flag) => !flag.startsWith('-l'));
  const libraries = program.flags.filter((flag) => flag.startsWith('-l'));
  const objects = [];
  // one after another: a program keeps one processor busy
  for (const part of [program.source, ...program.parts]) objects.push(await objectOf(part, compilerFlags, tools));
  const { stderr } = await run(tools.compiler, [
    ...COMMON_FLAGS,
    ...compilerFlags,
    '-o',
    temporary,
    ...objects.map(({ file }) => file),
    ...libraries,
  ]);
  renameSync(temporary, to);
  return objects.map(({ warnings }) => warnings).join('') + stderr;
}

/** A part, compiled once for all programs that have it with the same flags. */
function objectOf(part, flags, tools) {
  const key = [part, ...flags].join('\n');
  if (!tools.objects.has(key)) tools.objects.set(key, compilePart(part, flags, tools));
  return tools.objects.get(key);
}

async function compilePart(part, flags, tools) {
  const file = join(tools.folder, `${tools.objects.size}.o`);
  const { stderr } = part.endsWith('.rc')
    ? await run(tools.windres, [
        // Its own search for a preprocessor would find the machine's compiler instead of ours.
        `--preprocessor=${tools.compiler}`,
        ...['-E', '-xc-header', '-DRC_INVOKED'].map((word) => `--preprocessor-arg=${word}`),
        '-c',
        '65001',
        ...tools.include,
        `-I${dirname(part)}`,
        part,
        '-O',
        'coff',
        '-o',
        file,
      ])
    : await run(tools.compiler, [...COMMON_FLAGS, ...tools.include, ...flags, '-c', '-o', file, part]);
  return { file, warnings: stderr };
}

/**
 * Builds what is not there yet.
 * @param {{ log?: (line: string) => void, compiler?: string, names?: readonly string[] }} [options] compiler: in place
 *   of the machine's or the cache's; names: of some programs; all if absent
 * @returns {Promise<string>} the folder with the programs; tests get it as UIAHOST_FIXTURES
 * @throws if a tool is missing (with a remedy) or a program does not compile (with the compiler's output)
 */
export async function buildFixtures({ log = () => {}, compiler = findCompiler(), names } = {}) {
  const windres = findResourceCompiler(compiler);
  mkdirSync(store(), { recursive: true });
  const folder = mkdtempSync(join(store(), '.building-'));
  try {
    const { folders, digest } = stageHeaders(folder, compiler);
    const { stdout: version } = await run(compiler, ['--version']);
    const script = readFileSync(fileURLToPath(import.meta.url));
    const wanted = readPrograms().filter(({ name }) => names?.includes(name) ?? true);
    const programs = wanted.map((program) => {
      const hash = createHash('sha256').update(script).update(version).update(digest);
      hash.update(program.flags.join('\n'));
      const sources = [program.source, ...program.parts];
      const files = new Set(sources);
      for (const file of sources) for (const header of includedHeaders(file, folders)) files.add(header);
      for (const file of files)
        hash.update(file.startsWith(folder) ? basename(file) : relative(root, file)).update(readFileSync(file));
      return { program, built: join(store(), `${hash.digest('hex').slice(0, 16)}-${program.name}`) };
    });
    const tools = { compiler, windres, include: folders.map((each) => `-I${each}`), folder, objects: new Map() };
    await withLock(
      join(cacheFolder(), 'locks/fixtures'),
      () =>
        compileAll(
          programs.filter(({ built }) => !existsSync(built)),
          tools,
          log,
        ),
      () => log('waiting for another build'),
    );
    return folderOf(programs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compileAll(missing, tools, log) {
  if (missing.length > 0) removeUnused();
  const failures = [];
  const queue = [...missing];
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const { program, built } = next;
        try {
          const warnings = await compile(program, built, tools);
          log(`built ${program.name}${warnings ? `\n${warnings.trimEnd()}` : ''}`);
        } catch (error) {
          failures.push(`${program.name}:\n${(error.stderr || error.message).trimEnd()}`);
        }
      }
    }),
  );
  if (failures.length) throw new Error(`${failures.length} test programs did not compile.\n${failures.join('\n')}`);
}

/** Removes programs that no set of the last month has (a set has them as links). */
function removeUnused() {
  for (const name of readdirSync(store())) {
    const { nlink, mtimeMs } = statSync(join(store(), name));
    if (nlink === 1 && Date.now() - mtimeMs > unusedFor) rmSync(join(store(), name), { force: true });
  }
}

/** The folder with exactly these programs, each under its own name. */
function folderOf(programs) {
  const key = createHash('sha256').update(programs.map(({ built }) => basename(built)).join('\n'));
  const folder = join(cacheFolder(), `fixtures-${key.digest('hex').slice(0, 12)}`);
  if (isComplete(folder)) return folder;
  mkdirSync(folder, { recursive: true });
  for (const { program, built } of programs) {
    const place = join(folder, program.name);
    if (existsSync(place)) continue;
    try {
      linkSync(built, place);
    } catch (error) {
      // another process made it meanwhile, or the disk has no links
      if (error.code !== 'EEXIST') copyFileSync(built, place);
    }
  }
  complete(folder);
  return folder;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const folder = await buildFixtures({ log: (line) => process.stderr.write(`${line}\n`) });
    process.stdout.write(`${folder}\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
