/** The standard controls of a 32-bit program: the same cases, and the layouts by a 32-bit compiler. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Fields, Layout } from '../../../../native-bindings/layout.ts';
import * as structures from '../../../../native-bindings/win32/structs/controls.ts';
import { RemoteMemory } from '../../../../src/win32/elements/tree/remote-memory.ts';
import { controls, standardCases } from '../support/standard-cases.ts';

const program = (name: string): string => {
  const folder = process.env['UIAHOST_FIXTURES_32'];
  if (folder === undefined) throw new Error('UIAHOST_FIXTURES_32 must name the folder of the 32-bit test programs.');
  return path.join(folder, name);
};

describe('32-bit', () => {
  standardCases('32-bit', { program: program('controls.exe') });

  test('its structures are where a 32-bit compiler puts them', () => {
    using memory = RemoteMemory.open(controls.hwnd)!;
    const text = execFileSync(program('structs.exe'), { encoding: 'utf8', timeout: 20_000 });
    const compiled = new Map(
      text.split(/\r?\n/).map((line) => [line.split('\t')[0]!, line.split('\t').slice(1).map(Number)]),
    );
    for (const declared of Object.values(structures) as Layout<Fields>[]) {
      const layout = memory.layoutOf(declared);
      expect([layout.name, [layout.size]]).toEqual([layout.name, compiled.get(layout.name)]);
      for (const field of Object.keys(layout.at)) {
        const name = `${layout.name}.${field}`;
        expect([name, [layout.at[field], layout.sizes[field]]]).toEqual([name, compiled.get(name)]);
      }
    }
  });
});
