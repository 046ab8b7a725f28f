/** Canonical JSON, by the vectors of RFC 8785. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../../src/contract/json/strict-json.ts';
import { phrasesOf } from '../../../support/words.ts';

describe('canonical JSON', () => {
  it('[approval.digest] is that of RFC 8785, section 3.2.2', () => {
    const sample = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(sample))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('[approval.digest] sorts keys by UTF-16 code units, as in RFC 8785, section 3.2.3', () => {
    const names = phrasesOf`
      Euro Sign | Carriage Return | Hebrew Letter Dalet With Dagesh | One | Emoji | Control | Latin
    `;
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const text = canonicalJson(Object.fromEntries(keys.map((key, at) => [key, names[at]])));
    const order = phrasesOf`
      Carriage Return | One | Control | Latin | Euro Sign | Emoji | Hebrew Letter Dalet With Dagesh
    `;
    expect([...text.matchAll(/:"([^"]*)"/g)].map(([, name]) => name)).toEqual(order);
    expect(canonicalJson({ b: 1, a: [true, undefined], c: undefined })).toBe('{"a":[true,null],"b":1}');
  });

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('[approval.digest] prints the double %s as %s, as in RFC 8785, appendix B', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  it('[approval.digest] the order of keys does not count, everything else does', () => {
    // A key __proto__ is refused, as the next test says.
    const values = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__":'));
    fc.assert(
      fc.property(values, (value) => {
        const shuffled = JSON.parse(JSON.stringify(value), (_key, member: unknown) =>
          typeof member === 'object' && member !== null && !Array.isArray(member)
            ? Object.fromEntries(Object.entries(member).reverse())
            : member,
        ) as unknown;
        expect(canonicalJson(shuffled)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('refuses what JSON cannot carry', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const value of [
      Number.NaN,
      Infinity,
      { a: () => 1 },
      { a: 1n },
      new Date(),
      new Map(),
      Symbol('x'),
      circle,
      JSON.parse('{"__proto__":1}') as unknown,
    ]) {
      expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    }
  });
});
