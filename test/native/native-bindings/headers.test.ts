/** Structures, constants, slots and identifiers compared with a C compiler's view of the public headers. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guidText } from '../../../native-bindings/com/guid.ts';
import type { ComRef } from '../../../native-bindings/com/com-ref.ts';
import type { Fields, Layout } from '../../../native-bindings/layout.ts';
import { VARIANT_SIZE } from '../../../native-bindings/com/variant.ts';
import * as accessible from '../../../native-bindings/uia/accessible.generated.ts';
import * as automation from '../../../native-bindings/uia/automation.generated.ts';
import * as identifiers from '../../../native-bindings/uia/identifiers.generated.ts';
import * as patterns from '../../../native-bindings/uia/patterns.generated.ts';
import * as shell from '../../../native-bindings/uia/shell.generated.ts';
import * as constants from '../../../native-bindings/win32/constants.ts';
import * as structs from '../../../native-bindings/win32/structs.ts';
import { slotsOf } from './support/slots.ts';

const fixtures = process.env['UIAHOST_FIXTURES'] ?? '';

/** What a fixture program prints, as columns. */
function rows(program: string): string[][] {
  if (fixtures === '')
    throw new Error(
      'UIAHOST_FIXTURES is not set: build the fixtures with scripts/build-fixtures.mjs and set it to their folder.',
    );
  const text = execFileSync(join(fixtures, `${program}.exe`), { encoding: 'utf8', timeout: 20_000 });
  return text
    .split(/\r?\n/)
    .filter(Boolean)
    .map((line) => line.split('\t'));
}

describe('structures', () => {
  const compiled = new Map(rows('structs').map(([name, ...numbers]) => [name!, numbers.map(Number)]));
  const declared = Object.values(structs) as Layout<Fields>[];

  it('have the sizes that a compiler gives them', () => {
    expect(Object.fromEntries(declared.map((s) => [s.name, s.size]))).toEqual(
      Object.fromEntries(declared.map((s) => [s.name, compiled.get(s.name)?.[0]])),
    );
    expect(declared.length).toBeGreaterThan(90);
    expect(compiled.get('VARIANT')).toEqual([VARIANT_SIZE]);
  });

  it('have their fields where a compiler puts them', () => {
    const ours: Record<string, number[]> = {};
    const theirs: Record<string, number[] | undefined> = {};
    for (const s of declared) {
      for (const field of Object.keys(s.at).filter((f) => !f.startsWith('_'))) {
        ours[`${s.name}.${field}`] = [s.at[field]!, s.sizes[field]!];
        theirs[`${s.name}.${field}`] = compiled.get(`${s.name}.${field}`);
      }
    }
    expect(ours).toEqual(theirs);
    expect(Object.keys(ours).length).toBeGreaterThan(600);
  });
});

it('constants have the values that a compiler gives them', () => {
  const compiled = Object.fromEntries(rows('constants').map(([name, value]) => [name, Number(value)]));
  expect({ ...constants }).toEqual(compiled);
  expect(Object.keys(compiled).length).toBeGreaterThan(400);
});

describe('interfaces', () => {
  const printed = rows('slots');
  const classes = [accessible, automation, patterns, shell].flatMap((module) =>
    Object.values(module),
  ) as (typeof ComRef)[];

  it('call the slots that a compiler finds in the tables', () => {
    const compiled = Object.fromEntries(
      printed.filter(([kind]) => kind === 'slot').map(([, name, slot]) => [name, Number(slot)]),
    );
    const called = Object.fromEntries(classes.flatMap((type) => slotsOf(type)));
    expect(called).toEqual(compiled);
    expect(Object.keys(called).length).toBeGreaterThan(200);
  });

  it('have the identifiers of the headers', () => {
    const compiled = Object.fromEntries(printed.filter(([kind]) => kind === 'iid').map(([, name, iid]) => [name, iid]));
    expect(Object.fromEntries(classes.map((type) => [type.interfaceName, guidText(type.iid)]))).toEqual(compiled);
  });

  it('name the constants of the headers', () => {
    const compiled = Object.fromEntries(
      printed.filter(([kind]) => kind === 'constant').map(([, name, value]) => [name, Number(value)]),
    );
    const ours = Object.fromEntries(
      Object.entries(identifiers).flatMap(([group, members]) =>
        Object.entries(members).map(([name, value]) => [`${group}.${name}`, value]),
      ),
    );
    expect(ours).toEqual(compiled);
    expect(Object.keys(ours).length).toBeGreaterThan(400);
  });
});
