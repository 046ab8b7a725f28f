/**
 * Reads what Microsoft's metadata has for the functions, structures, constants and interfaces that the bindings declare, from
 * the Rust crates that are generated from it, and writes native-bindings/metadata.tsv, with which a test compares the bindings.
 *
 *   cargo vendor DIR      in a project that depends on windows-sys and windows
 *   npm run generate -- --metadata DIR
 *
 * Kinds of values: `i` and `u` with their bytes, `f` for floating point, `p` a pointer, `s` a structure by value with its bytes.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { guidText } from '../native-bindings/com/guid.ts';
import type { ComRef } from '../native-bindings/com/com-ref.ts';
import type { FunctionType } from '../native-bindings/library.ts';
import * as accessible from '../native-bindings/uia/accessible.generated.ts';
import * as automation from '../native-bindings/uia/automation.generated.ts';
import * as patterns from '../native-bindings/uia/patterns.generated.ts';
import * as shell from '../native-bindings/uia/shell.generated.ts';
import * as constants from '../native-bindings/win32/constants.ts';
import * as structs from '../native-bindings/win32/structs.ts';

const BINDINGS = new URL('../native-bindings/', import.meta.url);
const POINTER = 8;

interface Struct {
  readonly module: string;
  readonly isUnion: boolean;
  readonly packed: number;
  readonly fields: ReadonlyArray<readonly [name: string, type: string]>;
}
/** What a crate defines, by name; a name may be defined in several modules. */
interface Crate {
  readonly types: Map<string, Array<{ readonly module: string; readonly type: string }>>;
  readonly structs: Map<string, Struct[]>;
  readonly constants: Map<string, string>;
  readonly functions: Map<string, string>;
  readonly sources: string[];
}

/** Every identifier that is written out in the sources that are not generated. */
export function identifiersInSources(): string[] {
  const found = ['src', 'native-bindings'].flatMap((folder) => {
    const base = new URL(`../${folder}/`, import.meta.url);
    const files = readdirSync(base, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.includes('.generated.'),
    );
    return files.flatMap((file) =>
      [...readFileSync(new URL(file.replaceAll('\\', '/'), base), 'utf8').matchAll(/guid\('([0-9a-f-]{36})'\)/g)].map(
        ([, id = '']) => id,
      ),
    );
  });
  return [...new Set(found)].sort();
}

const push = <V>(map: Map<string, V[]>, key: string, value: V): void =>
  void map.set(key, [...(map.get(key) ?? []), value]);

function readCrate(folder: string): Crate {
  const crate: Crate = {
    types: new Map(),
    structs: new Map(),
    constants: new Map(),
    functions: new Map(),
    sources: [],
  };
  const files = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('mod.rs'),
  );
  for (const file of files.sort())
    readModule(readFileSync(join(folder, 'src', file), 'utf8'), file.replace(/\/?mod\.rs$/, ''), crate);
  return crate;
}

function readModule(source: string, module: string, crate: Crate): void {
  crate.sources.push(source);
  for (const line of source.split('\n')) {
    const called = line.startsWith('windows_link::link!(')
      ? /link!\("([^"]+)" "system" (?:"[^"]*" )?fn (\w+)\((.*)\);$/.exec(line)
      : null;
    if (called !== null) {
      // a result follows the arguments' closing bracket
      const [, dll = '', name = '', rest = ''] = called;
      const end = rest.lastIndexOf(') -> ');
      const args = end < 0 ? rest.replace(/\)$/, '') : rest.slice(0, end);
      crate.functions.set(`${dll.toLowerCase()} ${name}`, `${module}\t${args}\t${end < 0 ? '' : rest.slice(end + 5)}`);
    }
    const constant = /^pub const (\w+): ([^=]+) = (.*);$/.exec(line);
    if (constant !== null) crate.constants.set(constant[1]!, `${constant[2]!} = ${constant[3]!}`);
  }
  let kinds = '';
  let open: { name: string; isUnion: boolean; packed: number; fields: Array<readonly [string, string]> } | null = null;
  for (const line of source.split('\n')) {
    const field = open === null ? null : /^ {4}(?:pub )?(?:r#)?(\w+): (.*),$/.exec(line);
    if (open !== null && line.startsWith('}')) {
      push(crate.structs, open.name, { module, ...open });
      open = null;
    } else if (open !== null && field !== null) open.fields.push([field[1]!, field[2]!]);
    if (line.startsWith('#[')) kinds += line;
    else if (open === null) {
      const struct = /^pub (struct|union) (\w+)(?:<[^>]*>)? ?\{$/.exec(line);
      const isOther = /target_arch = "(?:x86|arm64ec)"\)/.test(kinds) && !kinds.includes('x86_64');
      if (struct !== null && !isOther)
        open = {
          name: struct[2]!,
          isUnion: struct[1] === 'union',
          packed: Number(/packed\((\d+)\)/.exec(kinds)?.[1] ?? POINTER),
          fields: [],
        };
      const type =
        /^pub type (\w+) = (.*);$/.exec(line) ??
        /^pub type (\w+) = (Option<.*)$/.exec(line) ??
        /^pub struct (\w+)\(pub ([^;]+)\);$/.exec(line);
      if (type !== null) push(crate.types, type[1]!, { module, type: type[2]! });
      kinds = '';
    }
  }
}

/** The definition that a path from this module means, where there are several. */
function meant<T extends { readonly module: string }>(
  all: readonly T[] | undefined,
  path: string,
  from: string,
): T | undefined {
  const parts = path.split('::');
  const ups = parts.filter((part) => part === 'super').length;
  const at = [...from.split('/').slice(0, from.split('/').length - ups), ...parts.slice(ups, -1)].join('/');
  return all?.find(({ module }) => module === at) ?? all?.[0];
}

interface Shape {
  readonly kind: string;
  readonly size: number;
  readonly align: number;
}
const plain = (kind: string, size: number): Shape => ({ kind: `${kind}${size}`, size, align: Math.max(1, size) });
const PRIMITIVES: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries(
    ['i', 'u', 'f'].flatMap((kind) => [1, 2, 4, 8].map((size) => [`${kind}${size * 8}`, plain(kind, size)])),
  ),
  isize: plain('i', 8),
  usize: plain('u', 8),
  bool: plain('u', 1),
  char: plain('u', 2),
};
const ADDRESS: Shape = { kind: 'p', size: POINTER, align: POINTER };

/** How a type is laid out; null where the crate does not say. */
function shapeOf(type: string, module: string, crate: Crate): Shape | null {
  const text = type.trim().replace(/^core::mem::ManuallyDrop<(.*)>$/, '$1');
  const array = /^\[(.+); (\d+)\]$/.exec(text);
  if (array !== null) {
    const one = shapeOf(array[1]!, module, crate);
    return one === null ? null : { kind: 's', size: one.size * Number(array[2]), align: one.align };
  }
  if (
    /^\* ?(?:mut|const) |^Option<|^core::option::Option<|extern "system" fn|^windows_core::(?:PCWSTR|PWSTR|PCSTR|PSTR)$/.test(
      text,
    )
  )
    return ADDRESS;
  const path = text.replaceAll(' ', '');
  const name = path.split('::').at(-1)!;
  const primitive = PRIMITIVES[name];
  if (primitive !== undefined) return primitive;
  if (/^(?:P?C?W?STR|BSTR|BOOL|HRESULT|GUID)$/.test(name)) {
    if (name === 'BOOL' || name === 'HRESULT') return plain('i', 4);
    return name === 'GUID' ? { kind: 's', size: 16, align: 4 } : ADDRESS;
  }
  const alias = meant(crate.types.get(name), path, module);
  if (alias !== undefined) return shapeOf(alias.type, alias.module, crate);
  const laid = layoutOf(name, path, module, crate);
  return laid === null ? null : { kind: 's', size: laid.size, align: laid.align };
}

interface Laid {
  readonly size: number;
  readonly align: number;
  readonly fields: ReadonlyArray<readonly [name: string, at: number, size: number]>;
}

/** Fields of unnamed parts belong to the structure itself, as in C. */
function layoutOf(name: string, path: string, from: string, crate: Crate): Laid | null {
  const struct = meant(crate.structs.get(name), path, from);
  if (struct === undefined) return null;
  const fields: Array<readonly [string, number, number]> = [];
  let size = 0;
  let align = 1;
  for (const [field, type] of struct.fields) {
    const shape = shapeOf(type, struct.module, crate);
    if (shape === null) return null;
    const step = Math.min(shape.align, struct.packed);
    const at = struct.isUnion ? 0 : Math.ceil(size / step) * step;
    fields.push([field, at, shape.size]);
    const inner = field.startsWith('Anonymous') ? layoutOf(type.trim(), type.trim(), struct.module, crate) : null;
    for (const [part, offset, bytes] of inner?.fields ?? []) fields.push([part, at + offset, bytes]);
    size = Math.max(size, at + shape.size);
    align = Math.max(align, step);
  }
  return { size: Math.ceil(size / align) * align, align, fields };
}

/** The words between commas that are in no bracket. */
function listed(text: string): string[] {
  const words: string[] = [];
  let depth = 0;
  let word = '';
  for (const letter of text) {
    if ('([<'.includes(letter)) depth += 1;
    if (')]'.includes(letter) || (letter === '>' && !word.endsWith('-'))) depth -= 1;
    if (letter === ',' && depth === 0) {
      words.push(word.trim());
      word = '';
    } else word += letter;
  }
  return word.trim() === '' ? words : [...words, word.trim()];
}

const kindOf = (type: string, module: string, crate: Crate): string => {
  const shape = shapeOf(type, module, crate);
  return shape === null ? '?' : shape.kind === 's' ? `s${shape.size}` : shape.kind;
};

const rows: string[][] = [];
const absent = (kind: string, name: string): number => rows.push(['absent', kind, name]);

async function readFunctions(crate: Crate): Promise<void> {
  const byName = new Map([...crate.functions].map(([key, value]) => [key.split(' ')[1]!, value]));
  for (const file of readdirSync(new URL('win32/', BINDINGS)).filter((name) => /^\w+\.ts$/.test(name))) {
    const exported = (await import(pathToFileURL(join(BINDINGS.pathname, 'win32', file)).href)) as Record<
      string,
      unknown
    >;
    for (const library of Object.values(exported)) {
      const { declarations } = (library ?? {}) as { declarations?: Record<string, FunctionType> };
      for (const name of Object.keys(declarations ?? {})) {
        const found = crate.functions.get(`${file.replace('.ts', '.dll')} ${name}`) ?? byName.get(name);
        if (found === undefined) {
          absent('function', name);
          continue;
        }
        const [module = '', args = '', result = ''] = found.split('\t');
        const kinds = listed(args).map((arg) => kindOf(arg.slice(arg.indexOf(':') + 1), module, crate));
        rows.push(['function', name, result === '' ? 'void' : kindOf(result, module, crate), kinds.join(',')]);
      }
    }
  }
}

function readStructs(crate: Crate): void {
  for (const { name } of Object.values(structs)) {
    const laid = layoutOf(name, name, '', crate);
    if (laid === null) absent('struct', name);
    else rows.push(['struct', name, String(laid.size), laid.fields.map((field) => field.join(':')).join(',')]);
  }
}

/** A number, also where it is written as the bits of another type. */
function numberOf(text: string): number | null {
  const [, , value = ''] = /^(.*?) = (.*)$/s.exec(text) ?? [];
  const digits = /^(-?)(0x[0-9A-Fa-f_]+?|[0-9_]+)(?:_?[iu](?:8|16|32|64|size))?(?: as _)?$/.exec(
    value.replace(/^\w+\((.*)\)$/, '$1'),
  );
  return digits === null ? null : Number(digits[2]!.replaceAll('_', '')) * (digits[1] === '-' ? -1 : 1);
}

function readConstants(crate: Crate): void {
  const named = readFileSync(new URL('uia/headers.tsv', BINDINGS), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([kind]) => kind === 'constant')
    .map(([, , , name = '']) => name);
  for (const name of new Set([...Object.keys(constants), ...named])) {
    const found = crate.constants.get(name);
    const value = found === undefined ? null : numberOf(found);
    if (value === null) absent('constant', name);
    else rows.push(['constant', name, String(value)]);
  }
}

const comClasses = (): (typeof ComRef)[] =>
  [accessible, automation, patterns, shell].flatMap((module) => Object.values(module)) as (typeof ComRef)[];

/** Number of a table's slots, and its own methods with their places. */
function tableOf(
  name: string,
  crate: Crate,
): { readonly size: number; readonly own: ReadonlyArray<readonly [string, number, string]> } | null {
  if (name === 'IUnknown') return { size: 3, own: [] };
  const struct = crate.structs.get(`${name}_Vtbl`)?.[0];
  if (struct === undefined) return null;
  const [, base] = struct.fields.find(([field]) => field === 'base__') ?? ['', 'IUnknown_Vtbl'];
  const above = tableOf(
    base
      .split('::')
      .at(-1)!
      .replace(/_Vtbl$/, ''),
    crate,
  );
  if (above === null) return null;
  // Each method is there twice where it needs a feature: with its type, and as a kept place.
  const methods = struct.fields.filter(([field, type]) => field !== 'base__' && type !== 'usize');
  return {
    size: above.size + methods.length,
    own: methods.map(([method, type], at) => {
      const args = /fn\((.*)\)(?: -> .*)?$/.exec(type)?.[1] ?? '';
      return [
        method,
        above.size + at,
        listed(args)
          .slice(1)
          .map((arg) => kindOf(arg, struct.module, crate))
          .join(','),
      ] as const;
    }),
  };
}

/** The identifier of each interface, by its name. */
const interfaceIds = (crate: Crate): ReadonlyMap<string, string> =>
  new Map(
    crate.sources.flatMap((source) =>
      [...source.matchAll(/define_interface!\((\w+), \w+, 0x([0-9a-f_]+)\)/g)].map(
        ([, name = '', id = '']) => [name, id.replaceAll('_', '-')] as const,
      ),
    ),
  );

function readInterfaces(crate: Crate): void {
  const ids = interfaceIds(crate);
  for (const { interfaceName, iid } of comClasses()) {
    const table = tableOf(interfaceName, crate);
    const id = ids.get(interfaceName);
    if (table === null || id === undefined) {
      absent('interface', `${interfaceName} ${guidText(iid)}`);
      continue;
    }
    const parts = id.replaceAll('-', '');
    const text = [
      parts.slice(0, 8),
      parts.slice(8, 12),
      parts.slice(12, 16),
      parts.slice(16, 20),
      parts.slice(20),
    ].join('-');
    rows.push(['interface', interfaceName, text]);
    for (const [method, slot, args] of table.own) rows.push(['slot', `${interfaceName}.${method}`, String(slot), args]);
  }
}

/** The names of the identifiers that sources have as text. */
function readIdentifiers(crate: Crate, interfaces: Crate): void {
  const names = new Map([
    ...[...crate.constants].flatMap(([name, text]) => {
      const digits = /GUID::from_u128\(0x([0-9a-f_]+)\)/.exec(text)?.[1]?.replaceAll('_', '').padStart(32, '0');
      return digits === undefined ? [] : [[digits, name] as const];
    }),
    ...[...interfaceIds(interfaces)].map(([name, id]) => [id.replaceAll('-', ''), name] as const),
  ]);
  for (const id of identifiersInSources()) {
    const name = names.get(id.replaceAll('-', ''));
    if (name === undefined) absent('guid', id);
    else rows.push(['guid', id, name]);
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main();

async function main(): Promise<void> {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    process.stderr.write(
      'Usage: node scripts/generate.mjs --metadata DIR (of cargo vendor, with windows-sys and windows)\n',
    );
    process.exit(2);
  }
  const versionOf = (crate: string): string =>
    /^version = "([^"]+)"/m.exec(readFileSync(join(folder, crate, 'Cargo.toml'), 'utf8'))?.[1] ?? '?';
  const sys = readCrate(join(folder, 'windows-sys'));
  const rust = readCrate(join(folder, 'windows'));
  await readFunctions(sys);
  readIdentifiers(sys, rust);
  readStructs(sys);
  readConstants(sys);
  readInterfaces(rust);
  const body = rows.map((row) => `${row.join('\t')}\n`).join('');
  const sum = (texts: readonly string[]): string =>
    createHash('sha256').update(texts.join('')).digest('hex').slice(0, 16);
  const head = [
    '# Read from Microsoft’s metadata by `npm run generate -- --metadata DIR`. Do not edit.',
    `# windows-sys ${versionOf('windows-sys')} ${sum(sys.sources)}, windows ${versionOf('windows')} ${sum(rust.sources)}; rows ${sum([body])}`,
  ];
  writeFileSync(new URL('metadata.tsv', BINDINGS), `${head.join('\n')}\n${body}`);
}
