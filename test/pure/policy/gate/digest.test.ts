/** Canonical JSON, and the digest that an approval is bound to. */
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../../src/contract/json/canonical-json.ts';
import { actionDigest, stepDigest } from '../../../../src/policy/gate/digest.ts';
import { bound, CALCULATOR, context, element, failureOf, NOTEPAD } from '../world.ts';

describe('canonical JSON', () => {
  it('[approval.digest] sorts keys by code units, prints numbers as ECMAScript does, leaves undefined out', () => {
    expect(
      canonicalJson({
        b: 1,
        a: [true, null, 'x', undefined],
        '\u20ac': 'Euro',
        '\r': 0,
        '1': 1,
        '\u{1f600}': 2,
        '\ufb33': 3,
        c: undefined,
      }),
    ).toBe('{"\\r":0,"1":1,"a":[true,null,"x",null],"b":1,"€":"Euro","😀":2,"\ufb33":3}');
    expect(canonicalJson([1e9 / 3, 1e30, 4.5, 2e-3, 1e-27, -0])).toBe('[333333333.3333333,1e+30,4.5,0.002,1e-27,0]');
    expect(canonicalJson('\u20ac$\u000f\nA\'B"\\\\"/')).toBe('"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"');
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

  it('[gate.order] refuses what JSON cannot carry', () => {
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
      expect(failureOf(() => canonicalJson(value)).code).toBe('invalid_argument');
    }
  });
});

describe('digest', () => {
  const parts = {
    action: 'clickElement',
    input: { name: 'Save' },
    binding: bound(NOTEPAD),
    app: NOTEPAD,
    context: context(element('Button', 'Save'), { dialogTitle: 'Dialog', dialogTexts: ['Really?'] }),
  };
  const digest = actionDigest(parts);

  it('[approval.digest] changes with each of its parts', () => {
    const others = [
      { ...parts, action: 'selectElement' },
      { ...parts, input: { name: 'Save', mode: 'x' } },
      { ...parts, input: null },
      { ...parts, binding: null },
      { ...parts, binding: bound(NOTEPAD, { hwnd: '1' }) },
      { ...parts, binding: bound(NOTEPAD, { pid: 1 }) },
      { ...parts, binding: bound(NOTEPAD, { threadId: 1 }) },
      { ...parts, binding: bound(NOTEPAD, { className: 'X' }) },
      { ...parts, binding: bound(NOTEPAD, { integrity: 'high' }) },
      { ...parts, app: CALCULATOR },
      { ...parts, app: null },
      { ...parts, context: null },
      { ...parts, context: { ...parts.context, element: null } },
      ...[
        { name: 'Other' },
        { controlType: 'Hyperlink' as const },
        { identity: 'other' },
        { automationId: 'id' },
        { states: ['disabled' as const] },
      ].map((more) => ({ ...parts, context: { ...parts.context, element: element('Button', 'Save', more) } })),
      ...[
        { dialogTitle: 'Other' },
        { dialogTexts: ['Really!'] },
        { defaultButtonName: 'OK' },
        { address: 'https://example.com/' },
      ].map((more) => ({ ...parts, context: { ...parts.context, ...more } })),
    ];
    const digests = others.map((other) => actionDigest(other));
    expect(new Set([digest, ...digests]).size).toBe(others.length + 1);
    for (const other of digests) expect(other).not.toBe(digest);
  });

  it('[approval.other-changes] stays the same for what does not count', () => {
    const same = [
      { ...parts, input: { name: 'Save', other: undefined } },
      { ...parts, binding: bound(NOTEPAD, { title: 'Another title' }) },
      { ...parts, context: { ...parts.context, nearbyTexts: ['changed'] } },
      {
        ...parts,
        context: {
          ...parts.context,
          element: element('Button', 'Save', {
            ref: 'e99',
            rect: { x: 0, y: 0, width: 1, height: 1 },
            states: ['focused', 'selected'],
            source: 'msaa',
          }),
        },
      },
    ];
    for (const other of same) expect(actionDigest(other)).toBe(digest);
    const own = { ...parts, binding: bound(NOTEPAD, { title: 'A' }), context: { ...parts.context, dialogTitle: 'A' } };
    expect(actionDigest(own)).toBe(
      actionDigest({ ...own, binding: bound(NOTEPAD, { title: 'B' }), context: { ...own.context, dialogTitle: 'B' } }),
    );
  });

  it('[approval.digest] is keyed: short arguments cannot be found by trying outside the process', () => {
    expect(stepDigest('key', { b: 1, a: 2 })).toMatch(/^[0-9a-f]{64}$/);
    expect(stepDigest('key', { b: 1, a: 2 })).toBe(stepDigest('key', { a: 2, b: 1 }));
    expect(stepDigest('key', { b: 1, a: 2 })).not.toBe(
      createHash('sha256').update('{"action":"key","arguments":{"a":2,"b":1}}').digest('hex'),
    );
  });
});
