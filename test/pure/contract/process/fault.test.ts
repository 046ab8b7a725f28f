/** What a log records about a fault. */
import { expect, test } from 'vitest';
import { toUiaHostError, UiaHostError } from '../../../../src/contract/errors.ts';
import { describeFault } from '../../../../src/contract/process/fault.ts';
import { wordsOf } from '../../../support/words.ts';

const SECRET = 'Kontoauszug 4711';

test.each<[string, unknown]>([
  ['of one line', new TypeError(`no element in “${SECRET}”`)],
  ['of several lines', new TypeError(`the text is\n${SECRET}\nand more`)],
  ['with a line like a stack frame', new TypeError(`the text is\n    at ${SECRET} (a.ts:1:2)\n${SECRET}`)],
  ['of a cause', toUiaHostError(new TypeError(SECRET))],
  ['of the cause of a cause', new UiaHostError('internal', SECRET, { cause: toUiaHostError(new TypeError(SECRET)) })],
  ['that is also a code', Object.assign(new TypeError('busy'), { code: SECRET })],
  ['that is thrown by itself', `TypeError: ${SECRET}\n    at place (file:///fault.test.ts:1:2)`],
])('a message %s is left out; the place stays', (_name, thrown) => {
  const text = describeFault(thrown);
  expect(text).not.toContain(SECRET);
  expect(text).toContain('fault.test');
  expect(text).not.toContain('\n');
});

test('name and code of each error in the chain are kept', () => {
  const cause = Object.assign(new RangeError('x'), { code: 'EBUSY' });
  const text = describeFault(new UiaHostError('internal', 'y', { cause }));
  expect(text).toMatch(/^UiaHostError internal < at .* caused by RangeError EBUSY < at /);
});

test('a value that is not an error is named by its type', () => {
  expect([describeFault(undefined), describeFault(null), describeFault(7), describeFault(SECRET)]).toEqual(wordsOf`
    undefined object number string
  `);
});
