/** Which sessions a host starts in: not in that of the services. */
import { expect, test } from 'vitest';
import { assertUserSession } from '../../../src/win32/system/session.ts';

test('[host.session0] session 0 is refused, with the reason and the service that starts hosts', () => {
  expect(() => assertUserSession(0)).toThrow(
    expect.objectContaining({
      code: 'desktop_unavailable',
      message: expect.stringContaining('session 0'),
      hint: expect.stringContaining('Windows service uiahost'),
    }),
  );
  expect(() => assertUserSession(1)).not.toThrow();
});
