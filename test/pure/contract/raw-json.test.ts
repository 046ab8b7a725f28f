/** Documents with parts that are JSON already: the same as the whole value written by JSON.stringify. */
import { describe, expect, test } from 'vitest';
import { jsonOf, RawJson } from '../../../src/contract/raw-json.ts';

describe('a document with parts that are JSON already', () => {
  test('[artifact.document] is that of the whole value', () => {
    const values = [['a"\n\\', 1.5, true, null, { error: '#N/A' }], ['Löwe 🦁\u2028']];
    const members = { 'a "key"': 1, sheet: 'Data', formulas: { A1: '=B1' }, missing: undefined };
    expect(jsonOf({ ...members, values: new RawJson(JSON.stringify(values)) })).toBe(
      JSON.stringify({ ...members, values }),
    );
    expect(jsonOf({})).toBe('{}');
  });
});
