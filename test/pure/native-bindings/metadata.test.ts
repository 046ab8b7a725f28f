/** Every declaration compared with Microsoft's metadata (native-bindings/metadata.tsv). */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guidText } from '../../../native-bindings/com/guid.ts';
import type { ComRef } from '../../../native-bindings/com/com-ref.ts';
import type { Fields, Layout } from '../../../native-bindings/layout.ts';
import type { FunctionType } from '../../../native-bindings/library.ts';
import * as accessible from '../../../native-bindings/uia/accessible.generated.ts';
import * as automation from '../../../native-bindings/uia/automation.generated.ts';
import * as patterns from '../../../native-bindings/uia/patterns.generated.ts';
import * as shell from '../../../native-bindings/uia/shell.generated.ts';
import * as identifiers from '../../../native-bindings/uia/identifiers.generated.ts';
import * as constants from '../../../native-bindings/win32/constants.ts';
import * as structs from '../../../native-bindings/win32/structs.ts';
import { identifiersInSources } from '../../../scripts/read-metadata.ts';
import { signaturesOf } from '../../native/native-bindings/support/slots.ts';
import { wordsOf } from '../../support/words.ts';

const folder = new URL('../../../native-bindings/', import.meta.url);
const text = readFileSync(new URL('metadata.tsv', folder), 'utf8');
const [, second = ''] = text.split('\n');
const body = text.split('\n').slice(2).join('\n');
const rows = body
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.split('\t'));
const of = (kind: string): Map<string, string[]> =>
  new Map(rows.filter(([first]) => first === kind).map(([, name = '', ...rest]) => [name, rest]));

/** Bytes of each word of a declaration; the sign does not change how a value is passed. */
const BYTES: Readonly<Record<string, string>> = {
  void: 'void',
  bool: '4',
  int8: '1',
  uint8: '1',
  int16: '2',
  uint16: '2',
  int32: '4',
  uint32: '4',
  hresult: '4',
  int64: '8',
  uint64: '8',
  intptr: '8',
  uintptr: '8',
  lparam: '8',
  hwnd: '8',
  handle: '8',
  ptr: '8',
  str16: '8',
  double: 'f8',
  float: 'f4',
  point: '8',
  coord: '4',
};
const ours = (word: unknown): string => (typeof word === 'string' ? (BYTES[word.split(' ')[0]!] ?? '?') : '8');
/** The same of the metadata: structures of eight bytes and less go as integers. */
const theirs = (kind: string): string =>
  kind === 'p'
    ? '8'
    : kind.startsWith('f')
      ? kind
      : /^s(?:1|2|4|8)$/.test(kind)
        ? kind.slice(1)
        : kind.startsWith('s')
          ? '8'
          : kind.replace(/^[iu]/, '');

/** Macros. */
const ABSENT = ['TBM_GETPOS', 'NIN_KEYSELECT'];
/** windows-sys has no module for rich edit: the compiler alone compares these, with its headers. */
const OF_RICH_EDIT = wordsOf`
  CHARFORMATW CFE_AUTOCOLOR CFE_BOLD CFM_BOLD CFM_COLOR CFM_FACE CFM_SIZE EM_GETCHARFORMAT SCF_SELECTION
`;

/** What differs, and why that is right. */
const DIFFERENT: Readonly<Record<string, string>> = {
  WINTRUST_DATA: 'the form before Windows 8, which cbStruct names; the last field is not used',
  QS_ALLINPUT: 'with touch, pointer and raw input, as the headers have it for Windows 8 and later',
};

/** The metadata names a property without `get_`, and what sets it `Set…`. */
const plainName = (name = ''): string =>
  (name.split('.')[1] ?? '').replace(/^get_|^put_|^Set(?=[A-Z])/, '').toLowerCase();

describe('Microsoft’s metadata', () => {
  it('is unchanged since it was read, and lacks only what is named', () => {
    expect(second).toContain(`rows ${createHash('sha256').update(body).digest('hex').slice(0, 16)}`);
    const absent = rows.filter(([kind]) => kind === 'absent').map(([, , name]) => name);
    expect(new Set(absent)).toEqual(new Set([...ABSENT, ...OF_RICH_EDIT]));
  });

  it('has every function with the same parameters and result', async () => {
    const functions = of('function');
    const problems: string[] = [];
    let count = 0;
    for (const file of readdirSync(new URL('win32/', folder)).filter((name) => /^\w+\.ts$/.test(name))) {
      const exported = (await import(new URL(`win32/${file}`, folder).href)) as Record<string, unknown>;
      for (const library of Object.values(exported)) {
        const { declarations = {} } = (library ?? {}) as { declarations?: Record<string, FunctionType> };
        for (const [name, { result, args }] of Object.entries(declarations)) {
          count += 1;
          const [back = '', given = ''] = functions.get(name) ?? [];
          const declared = `${ours(result)} (${args.map(ours).join()})`;
          const meant = `${theirs(back)} (${given === '' ? '' : given.split(',').map(theirs).join()})`;
          if (declared !== meant && DIFFERENT[name] === undefined)
            problems.push(`${name}: ${declared}, metadata: ${meant}`);
        }
      }
    }
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(380);
  });

  it('has every structure with the same size, and its fields in the same places', () => {
    const known = of('struct');
    const problems: string[] = [];
    let fields = 0;
    for (const { name, size, at, sizes } of Object.values(structs) as Layout<Fields>[]) {
      const [bytes, list = ''] = known.get(name) ?? [];
      if (bytes === undefined) continue;
      if (Number(bytes) !== size && DIFFERENT[name] === undefined)
        problems.push(`${name}: ${size}, metadata: ${bytes}`);
      const places = new Map(
        list.split(',').map((field) => [field.split(':')[0]!.toLowerCase(), field.split(':').slice(1).join(':')]),
      );
      for (const [field, place] of Object.entries(at)) {
        const meant = places.get(field.toLowerCase()) ?? places.get(`${field.toLowerCase()}_`);
        if (meant === undefined) continue;
        fields += 1;
        const declared = `${String(place)}:${String(sizes[field])}`;
        if (declared !== meant && DIFFERENT[`${name}.${field}`] === undefined)
          problems.push(`${name}.${field}: ${declared}, metadata: ${meant}`);
      }
    }
    expect(problems).toEqual([]);
    expect(fields).toBeGreaterThan(500);
  });

  it('has every constant with the same value', () => {
    const known = of('constant');
    const named = new Map<string, number>(Object.entries(constants) as Array<[string, number]>);
    const groups = identifiers as unknown as Record<string, Record<string, number>>;
    for (const line of readFileSync(new URL('uia/headers.tsv', folder), 'utf8').split('\n')) {
      const [kind, group = '', member = '', name = ''] = line.split('\t');
      const value = kind === 'constant' ? groups[group]?.[member] : undefined;
      if (value !== undefined) named.set(name, value);
    }
    // The same bits: a value may be written as signed or unsigned.
    const bits = (value: number): bigint => BigInt.asUintN(32, BigInt(Math.trunc(value)));
    const problems = [...named].flatMap(([name, value]) => {
      const [meant] = known.get(name) ?? [];
      return meant === undefined || bits(value) === bits(Number(meant)) || DIFFERENT[name] !== undefined
        ? []
        : [`${name}: ${value}, metadata: ${meant}`];
    });
    expect(problems).toEqual([]);
    expect(named.size).toBeGreaterThan(1000);
  });

  it('names every identifier that the sources write out', () => {
    const known = of('guid');
    expect(identifiersInSources().filter((id) => !known.has(id))).toEqual([]);
    expect(Object.fromEntries([...known].map(([, [name = '']]) => [name, true]))).toMatchObject({
      CUIAutomation8: true,
      ApplicationActivationManager: true,
      WINTRUST_ACTION_GENERIC_VERIFY_V2: true,
    });
  });

  it('has every interface with the same identifier, and its methods in the same slots with the same parameters', () => {
    const [faces, slots] = [of('interface'), of('slot')];
    const classes = [accessible, automation, patterns, shell].flatMap((module) =>
      Object.values(module),
    ) as (typeof ComRef)[];
    const problems: string[] = [];
    let count = 0;
    for (const type of classes) {
      const [id] = faces.get(type.interfaceName) ?? [];
      if (id !== guidText(type.iid)) problems.push(`${type.interfaceName}: ${guidText(type.iid)}, metadata: ${id}`);
      const places = [...slots].filter(([name]) => name.startsWith(`${type.interfaceName}.`));
      for (const [name, slot, args] of signaturesOf(type)) {
        count += 1;
        const [meant, [, kinds = ''] = []] = places.find(([, [place]]) => Number(place) === slot) ?? [];
        const isSame = plainName(meant) === plainName(name);
        const declared = args.map(ours).join();
        const wanted = kinds === '' ? '' : kinds.split(',').map(theirs).join();
        if ((!isSame || declared !== wanted) && DIFFERENT[name] === undefined)
          problems.push(`${name}: ${slot} (${declared}), metadata: ${meant} (${wanted})`);
      }
    }
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(200);
  });
});
