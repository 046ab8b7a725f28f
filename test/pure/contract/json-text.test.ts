/** JSON text as a part of a document: the same as the whole value written by JSON.stringify. */
import { describe, expect, test } from 'vitest';
import { JsonText, jsonOf } from '../../../src/contract/json-text.ts';

describe('JSON with parts that are JSON text already', () => {
  test('[artifact.document] is that of the whole value', () => {
    const values = [['a"\n\\', 1.5, true, null, { error: '#N/A' }], ['Löwe 🦁\u2028']];
    const members = { 'a "key"': 1, sheet: 'Data', formulas: { A1: '=B1' }, missing: undefined };
    expect(jsonOf({ ...members, values: new JsonText(JSON.stringify(values)) })).toBe(
      JSON.stringify({ ...members, values }),
    );
    expect(jsonOf({})).toBe('{}');
  });
});
