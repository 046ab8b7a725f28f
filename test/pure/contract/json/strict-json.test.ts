/** The strict JSON parser: what it refuses, and the places it reports. */
import * as fc from 'fast-check';
import { parseStrictJson as parseExact } from '../../../../src/contract/json/strict-json.ts';
import { describe, expect, it } from 'vitest';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import { parseStrictJson, parseStrictJsonSource, StrictJsonError } from '../../../../src/contract/json/strict-json.ts';
import { MOST_DEPTH, parseBody } from '../../../../src/http/body.ts';
import { wordsOf } from '../../../support/words.ts';

const refusal = (text: string): string => {
  try {
    parseBody(text);
  } catch (error) {
    if (error instanceof UiaHostError && error.code === 'invalid_argument') return error.message;
    throw error;
  }
  throw new Error(`was accepted: ${text}`);
};
/** As a policy file is read. */
const parseSource = (text: string): ReturnType<typeof parseStrictJsonSource> =>
  parseStrictJsonSource(text, { depth: 32, comments: true });
const hasPrototypeKey = (text: string): boolean => /"(__proto__|constructor|prototype)"\s*:/.test(text);

describe('strict JSON', () => {
  it('reads what JSON.parse reads, to the same value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), (text) => {
        fc.pre(!hasPrototypeKey(text) && JSON.stringify(JSON.parse(text)).isWellFormed() && !/\\ud[89a-f]/i.test(text));
        expect(JSON.stringify(parseBody(text))).toBe(JSON.stringify(JSON.parse(text)));
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
      expect(parseBody(text)).toEqual(JSON.parse(text));
    }
  });

  it('reads lists of plain values and small objects, as rows of cells are, to the same value', () => {
    const plain = fc.oneof(
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    );
    const cell = fc.oneof(
      plain,
      fc.dictionary(fc.constantFrom('error', 'date', 'a', '__proto', '0'), plain, { maxKeys: 2 }),
    );
    const rows = fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 6 });
    fc.assert(
      fc.property(rows, fc.constantFrom(undefined, 1, '\t'), (values, space) => {
        const text = JSON.stringify({ values }, null, space);
        fc.pre(!/\\ud[89a-f]/i.test(text));
        expect(parseBody(text)).toStrictEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
    expect(parseBody(`[${Array(20_000).fill('{"error":"#N/A"}').join()}]`)).toHaveLength(20_000);
  });

  it('refuses the same in such lists as elsewhere', () => {
    for (const cell of [
      '1e400',
      '-1E+999',
      `1${'0'.repeat(400)}`,
      '01',
      '1.',
      '"\\ud800"',
      '"\ud800"',
      '"a\tb"',
      '{"__proto__":1}',
      '{"constructor":1}',
      '{"prototype":null}',
      '{"\\u005f_proto__":1}',
      '{"a":1,"a":2}',
      '{"a":1,}',
      '1,',
      '',
    ])
      refusal(`{"values":[[1,"x",{"error":"#N/A"},${cell}]]}`);
    // The last of the levels that are allowed, and one more.
    const nested = (inner: string): string => '['.repeat(MOST_DEPTH - 1) + inner + ']'.repeat(MOST_DEPTH - 1);
    expect(parseBody(nested('[1]'))).toBeDefined();
    expect(parseBody(nested('{"a":1}'))).toBeDefined();
    expect(refusal(nested('[{"a":1}]'))).toContain('deeper');
  });

  it('refuses what JSON.parse refuses', () => {
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
      ...wordsOf`
        { {"a" {"a": {"a":1 {"a":1,} [1,] [ 01 +1 1. .5 NaN Infinity undefined
      `,
      '',
      ' ',
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

  it('says where with line and column', () => {
    expect(refusal('{\n  "a": 1,\n  "b": oops\n}')).toContain('line 3, column 8');
    expect(refusal('{"a":1 "b":2}')).toContain('column 8');
  });

  it('refuses keys that name prototypes, at any depth', () => {
    for (const key of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__']) {
      expect(refusal(`{"${key}":{"polluted":1}}`)).toContain('not allowed');
      expect(refusal(`[{"a":[{"${key}":1}]}]`)).toContain('not allowed');
    }
    expect(parseBody('["__proto__"]')).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('refuses a duplicate key', () => {
    expect(refusal('{"name":"a","name":"b"}')).toContain('duplicate key "name"');
    expect(refusal('{"na\\u006de":"a","name":"b"}')).toContain('duplicate key "name"');
    expect(parseBody('{"a":{"n":1},"b":{"n":2}}')).toEqual({ a: { n: 1 }, b: { n: 2 } });
  });

  it('refuses nesting beyond the limit and survives a very deep body', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseBody(nested(MOST_DEPTH))).toBeDefined();
    expect(refusal(nested(MOST_DEPTH + 1))).toContain('deeper');
    expect(refusal('{"a":'.repeat(100_000))).toContain('deeper');
  });

  it('refuses numbers beyond the range', () => {
    expect(refusal('{"x":1e999}')).toContain('range');
    expect(refusal('[-1e400]')).toContain('range');
  });

  it('refuses half a surrogate pair', () => expect(refusal('{"text":"\\ud83d"}')).toContain('surrogate'));

  it('comments are refused where they are not allowed', () => {
    expect(refusal('{} // why')).toContain('found "/"');
    expect(() => parseStrictJson('/* why */ 1', { depth: 1 })).toThrow('expected a value, found "/"');
    expect(parseStrictJson('/* why */ 1', { depth: 1, comments: true })).toBe(1);
  });
});

describe('JSON with places', () => {
  it('reads JSON and comments as JSON.parse reads the JSON alone', () => {
    const json = '{"a": [1, -2.5e3, true, null, "\\u00e9\\n"], "b": {"c": {}}, "d": []}';
    expect(parseSource(json).value).toEqual(JSON.parse(json));
    expect(parseSource(`// why\n/* and\n why */ ${json} // end`).value).toEqual(JSON.parse(json));
    expect(parseSource(`// ${'x'.repeat(10_000)}\n{}`).value).toEqual({});
    expect(parseSource('{"a": "// not a comment"}').value).toEqual({ a: '// not a comment' });
  });

  it('knows where each member is', () => {
    const source = parseSource('{\n  "a": [1,\n    2],\n  "b": {"c": 3}\n}');
    expect(source.placeOf(['a', 1])).toEqual({ line: 3, column: 5 });
    expect(source.placeOf(['b', 'c'])).toEqual({ line: 4, column: 9 });
    expect(source.placeOf(['b', 'missing'])).toEqual({ line: 4, column: 3 });
    expect(source.placeOf([])).toEqual({ line: 1, column: 1 });
  });

  it.each([
    ['{"a": 1,}', 1, 'trailing comma'],
    ['{"a": 1 "b": 2}', 1, 'expected "," or "}", found'],
    ['{\n"a": tru\n}', 2, 'expected a value, found "t"'],
    ['{"a": 1, "a": 2}', 1, 'duplicate key "a"'],
    ['{"__proto__": 1}', 1, '__proto__'],
    ['{"a": "x\n"}', 1, 'control character in a string'],
    ['/* open', 1, 'unterminated comment'],
    ['{} x', 1, 'expected nothing after the value, found "x"'],
    ['{"a": 01}', 1, 'expected "," or "}", found "1"'],
    ['', 1, 'expected a value, found the end'],
    ['[1, 2', 1, 'expected "," or "]", found the end'],
    ['{a: 1}', 1, 'double quotes'],
    ['{"a" 1}', 1, 'expected ":", found "1"'],
    ['{"a": "\\x"}', 1, 'escape'],
    ['[1,]', 1, 'trailing comma'],
    ['['.repeat(50), 1, 'deeper'],
    ['{"a": NaN}', 1, 'expected a value, found "N"'],
  ])('%j is refused on line %d', (text, line, reason) => {
    try {
      parseSource(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(StrictJsonError);
      expect((error as StrictJsonError).message).toContain(reason);
      expect((error as StrictJsonError).place.line).toBe(line);
    }
  });
});

describe('[json.exact] a large number', () => {
  it.each(wordsOf`
    871822610227022011 9007199254740993 -12345678901234567890 [[9007199254740993]] 9007199254740993.0
    9.007199254740993e15 12345678901234567890.5 1e-400
  `)('that JSON does not carry exactly is refused: %s', (text) => {
    expect(() => parseExact(text, { depth: 4 })).toThrow(/not carry exactly; send it as a text/);
  });

  it.each(wordsOf`
    9007199254740991 9007199254740992.0 871822610227022000 1152921504606846976 1e20 1E+23 1.5e300 0.1 -0 0e5
    123456789012.5 3.14159265358979323846
  `)('that is the same afterwards is taken: %s', (text) => expect(parseExact(text, { depth: 4 })).toBe(Number(text)));
});
