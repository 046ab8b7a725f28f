/** The digest that an approval is bound to. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { actionDigest, stepDigest } from '../../../../src/policy/gate/digest.ts';
import { bound, CALCULATOR, context, element, NOTEPAD } from '../world.ts';

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

  it('is unchanged by what does not count', () => {
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
