/** The host's own log. */
import { expect, test } from 'vitest';
import { toUiaHostError } from '../../../../src/contract/errors.ts';
import { createHostLog } from '../../../../src/host/home/log.ts';

test('an error leaves its place in the log, and no message, not even its cause’s', () => {
  let text = '';
  const log = createHostLog({ write: (line) => (text += line) });
  log.error({ err: toUiaHostError(new TypeError('in “Kontoauszug 4711”')), where: 'click-element' }, 'fault');
  expect(text).not.toContain('Kontoauszug');
  expect(JSON.parse(text)).toMatchObject({
    where: 'click-element',
    msg: 'fault',
    err: expect.stringMatching(/^UiaHostError internal < .* caused by TypeError < at .*log\.test/),
  });
});
