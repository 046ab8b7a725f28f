import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UiaHostError } from '../../../src/contract/errors.ts';
import { MOST_DEPTH, parseStrictJson } from '../../../src/http/strict-json.ts';

const refusal = (text: string): string => {
  try {
    parseStrictJson(text);
  } catch (error) {
    if (error instanceof UiaHostError && error.code === 'invalid_argument') return error.message;
    throw error;
  }
  throw new Error(`was accepted: ${text}`);
};
const hasPrototypeKey = (text: string): boolean => /"(__proto__|constructor|prototype)"\s*:/.test(text);

describe('strict JSON', () => {
  it('[http.json.same] reads what JSON.parse reads, to the same value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), (text) => {
        fc.pre(!hasPrototypeKey(text) && JSON.stringify(JSON.parse(text)).isWellFormed() && !/\\ud[89a-f]/i.test(text));
        expect(JSON.stringify(parseStrictJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 100 },
    );
    for (const text of [
      '0',
      '-0',
      '1.5e-3',
      '"\\u00e9\\ud83d\\ude00\\n\\/"',
      ' [ ] ',
      '{"a":{"b":[1,null,true,false,""]}}',
      '"’ ‘ \\" ` $ ; 漢字"',
    ]) {
      expect(parseStrictJson(text)).toEqual(JSON.parse(text));
    }
  });

  it('[http.json.same] refuses what JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        fc.pre(!isJson);
        refusal(text);
      }),
    );
    for (const text of [
      '',
      ' ',
      '{',
      '{"a"',
      '{"a":',
      '{"a":1',
      '{"a":1,}',
      '[1,]',
      '[',
      '01',
      '+1',
      '1.',
      '.5',
      'NaN',
      'Infinity',
      'undefined',
      "'a'",
      '"\t"',
      '"\\x"',
      '"\\u12"',
      '"abc',
      'nul',
      '{} {}',
      '// x',
      '{a:1}',
    ]) {
      refusal(text);
    }
  });

  it('[http.json.position] says where with line and column', () => {
    expect(refusal('{\n  "a": 1,\n  "b": oops\n}')).toContain('line 3, column 8');
    expect(refusal('{"a":1 "b":2}')).toContain('column 8');
  });

  it('[http.json.prototype-keys] refuses keys that name prototypes, at any depth', () => {
    for (const key of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__']) {
      expect(refusal(`{"${key}":{"polluted":1}}`)).toContain('not allowed');
      expect(refusal(`[{"a":[{"${key}":1}]}]`)).toContain('not allowed');
    }
    expect(parseStrictJson('["__proto__"]')).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('[http.json.duplicates] refuses a key that stands twice in one object', () => {
    expect(refusal('{"name":"a","name":"b"}')).toContain('stands twice');
    expect(refusal('{"na\\u006de":"a","name":"b"}')).toContain('stands twice');
    expect(parseStrictJson('{"a":{"n":1},"b":{"n":2}}')).toEqual({ a: { n: 1 }, b: { n: 2 } });
  });

  it('[http.json.depth] refuses nesting beyond the limit and survives a very deep body', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseStrictJson(nested(MOST_DEPTH))).toBeDefined();
    expect(refusal(nested(MOST_DEPTH + 1))).toContain('deeper');
    expect(refusal('{"a":'.repeat(100_000))).toContain('deeper');
  });

  it('[http.json.numbers] refuses numbers beyond the range', () => {
    expect(refusal('{"x":1e999}')).toContain('range');
    expect(refusal('[-1e400]')).toContain('range');
  });

  it('[http.json.unicode] refuses half a surrogate pair', () => {
    expect(refusal('{"text":"\\ud83d"}')).toContain('surrogate');
  });
});
