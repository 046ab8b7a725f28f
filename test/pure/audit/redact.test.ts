/** How typed text and secrets are written down: by length and keyed hash, or not at all. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../src/audit/redact.ts';
import { createRedactor } from '../../../src/host/access/recorded-input.ts';

const redactor = createRedactor({
  secret: Buffer.from('a secret of the host'),
  isSecret: (text) => text === '4111111111111111',
});
const redactInput = (action: string, input: unknown): unknown => redactor.input(action, input);
const digest = (text: string) => ({ length: text.length, hmac: redactor.hash(text) });

describe('[audit.text] typed text', () => {
  test.each([
    ['short', 10],
    ['long', 5000],
  ])('a secret with blanks in it is found in a %s text, whatever the blanks are', (_what, length) => {
    const seen: string[] = [];
    const redactor = new Redactor({ isSecret: (text) => (seen.push(text), false) });
    const latin = String.fromCharCode(...Array.from({ length: 256 }, (_each, code) => code)) + 'ä'.repeat(length);
    const wider = `${latin}\u2003\u2028\ufeff漢`;
    for (const text of [latin, wider]) {
      seen.length = 0;
      redactor.hash(text);
      expect(seen).toEqual([text, text.replaceAll(/\s+/g, '')]);
    }
  });
  test('values written into cells become a count and one hash, numbers included', () => {
    const recorded = redactInput('write-range', {
      sheet: 'Pay',
      range: 'B2:C2',
      values: [[52400, { formula: '=B2*2' }]],
    });
    expect(recorded).toEqual({
      sheet: 'Pay',
      range: 'B2:C2',
      values: { items: 1, hmac: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  test('is length and a hash of its UTF-8 bytes that only the holder of the key can compute', () => {
    const text = 'Grüße 😀';
    const { length, hmac } = redactor.text(text);
    expect([length, hmac]).toEqual([8, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(hmac).not.toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
    expect(new Redactor({ secret: Buffer.from('a secret of the host') }).hash(text)).toBe(hmac);
    for (const other of [new Redactor({ secret: Buffer.from('another secret') }), new Redactor(), new Redactor()])
      expect(other.hash(text)).not.toBe(hmac);
  });

  test('that is a secret itself has no hash at all, also with blanks and as keys', () => {
    expect(redactInput('type', { text: '4111 1111 1111 1111' })).toEqual({ text: { length: 19, hmac: null } });
    expect(redactInput('key', { keySequence: [...'4111111111111111'].join(' ') })).toEqual({
      keySequence: { length: 31, hmac: null },
    });
  });

  test.each([
    [
      'type-into-element',
      { name: 'Body', text: 'dear diary', mode: 'append' },
      { name: 'Body', text: digest('dear diary'), mode: 'append' },
    ],
    ['virtual-keyboard', { action: 'type', text: 'dear diary' }, { action: 'type', text: digest('dear diary') }],
    ['virtual-keyboard', { action: 'combo', text: 'ctrl+s' }, { action: 'combo', text: 'ctrl+s' }],
    ['virtual-keyboard', { action: 'combo', text: 'p a s s' }, { action: 'combo', text: digest('p a s s') }],
    ['key', { keySequence: 'ctrl+shift+s alt+f4 f5 enter' }, { keySequence: 'ctrl+shift+s alt+f4 f5 enter' }],
    ['key', { keySequence: 's e c r e t enter' }, { keySequence: digest('s e c r e t enter') }],
    ['key', { keySequence: 'shift+s' }, { keySequence: digest('shift+s') }],
    ['key', { keySequence: 'numpad4 numpad2' }, { keySequence: digest('numpad4 numpad2') }],
    ['hold-key', { keyNames: ['shift', 'left'], durationMs: 100 }, { keyNames: ['shift', 'left'], durationMs: 100 }],
    ['hold-key', { keyNames: ['shift', 'a'] }, { keyNames: digest('shift a') }],
    ['write-clipboard', { text: 'copied' }, { text: digest('copied') }],
    [
      'respond-to-prompt',
      { responseType: 'type', text: 'yes I am' },
      { responseType: 'type', text: digest('yes I am') },
    ],
    [
      'click',
      { x: 1, y: -2, button: 'left', count: 2, modifiers: ['ctrl'] },
      { x: 1, y: -2, button: 'left', count: 2, modifiers: ['ctrl'] },
    ],
    [
      'request-ui-action',
      {
        action_type: 'type',
        target: { role: 'textbox', name: 'Body', test_id: '' },
        text: 'hello',
        reason: 'to greet',
        risk_tags: [],
        requires_approval: false,
      },
      {
        action_type: 'type',
        target: { role: 'textbox', name: 'Body', test_id: '' },
        text: digest('hello'),
        reason: 'to greet',
        risk_tags: [],
        requires_approval: false,
      },
    ],
    [
      'batch',
      {
        steps: [
          { action: 'type', input: { text: 'one' } },
          { action: 'key', input: { keySequence: 'enter' } },
        ],
      },
      {
        steps: [
          { action: 'type', input: { text: digest('one') } },
          { action: 'key', input: { keySequence: 'enter' } },
        ],
      },
    ],
    [
      'type-into-element',
      { secretRef: 'uiahost:bank', name: 'Password' },
      { secretRef: 'uiahost:bank', name: 'Password' },
    ],
    ['select-element', { name: 'Patient', item: 'Diagnosis F32' }, { name: 'Patient', item: digest('Diagnosis F32') }],
    [
      'write-cell',
      { ref: 'e4', row: 1, column: 'Account', text: 'DE02', expect: 'DE03 5001' },
      { ref: 'e4', row: 1, column: 'Account', text: digest('DE02'), expect: digest('DE03 5001') },
    ],
    [
      'a tool that is not declared anywhere',
      { name: 'Body', count: 4711, isSure: true },
      { items: 3, hmac: redactor.hash(JSON.stringify({ name: 'Body', count: 4711, isSure: true })) },
    ],
  ])('%s %#', (action, input, redacted) => expect(redactInput(action, input)).toEqual(redacted));

  test.each(['password', 'apiToken', 'clientSecret', 'passphrase', 'Authorization'])(
    '%s leaves nothing, not even a hash',
    (name) => {
      expect(redactInput('type', { [name]: 'hunter2' })).toEqual({ [name]: { secret: true } });
    },
  );

  test('is taken out of every text that repeats it, in whatever form it is quoted there', () => {
    const { without, input } = redactor.recorded('select-element', { name: 'List', item: 'Depression “F32”\n' }, [
      'Depression, severe',
    ]);
    expect(JSON.stringify(input)).not.toContain('Depression');
    for (const text of ['Depression “F32”', 'Depression \\u{201c}F32\\u{201d}', 'Depression, severe'])
      expect(without(`Select “${text}” of List`)).toBe('Select “[content]” of List');
  });

  test('refused input of any shape leaves none of its text', () => {
    const planted = 'PLANTED-SECRET-4711';
    const shapes: unknown[] = [
      planted,
      [planted],
      { txt: planted },
      { text: [planted] },
      { text: { deep: planted } },
      { value: { name: { unknown: planted } } },
      { [planted]: 1 },
      { keySequence: [...planted].join(' ') },
      { keyNames: [...planted] },
      { name: `${planted}${'x'.repeat(3000)}` },
      Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, planted])),
      Array.from({ length: 60 }, () => ({ name: planted })),
      { a: { a: { a: { a: { a: { a: { a: { a: { name: planted } } } } } } } } },
      { __proto__: null, text: planted },
      JSON.parse(`{"__proto__":{"text":"${planted}"}}`),
    ];
    for (const action of ['type', 'batch', 'click-element', 'unknown'])
      for (const shape of shapes) expect(JSON.stringify(redactInput(action, shape)), action).not.toContain(planted);
    expect(redactInput('type', undefined)).toBeNull();
    expect(redactInput('type', null)).toBeNull();
    expect(redactInput('type', () => planted)).toBeNull();
  });
});
