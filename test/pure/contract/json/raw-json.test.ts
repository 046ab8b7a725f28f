/** JSON that is there already is the same as that of JSON.stringify. */
import { describe, expect, test } from 'vitest';
import { jsonOf, jsonTextOf, keptJson, RawJson } from '../../../../src/contract/json/raw-json.ts';

test('[sheet.values-kept] the JSON of a large list is made once, and is that of JSON.stringify', () => {
  let times = 0;
  const counted = { toJSON: () => (times += 1) };
  const list = [['text', counted, null]];
  expect([keptJson(list), jsonTextOf(list), keptJson(list), times]).toEqual(
    Array(3).fill('[["text",1,null]]').concat(1),
  );
  for (const value of [[1, undefined], { a: 'b' }, 'text', null, 1.5])
    expect(jsonTextOf(value)).toBe(JSON.stringify(value));
});

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
