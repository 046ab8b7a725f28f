/** Which sessions a host starts in: not in that of the services. */
import { expect, test } from 'vitest';
import { assertUserSession } from '../../../src/win32/system/session.ts';
import { accountState } from '../../../src/win32/services/user-sessions.ts';

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

test.each([
  ['S-1-5-21-1-2-3-1001', { 'S-1-5-21-1-2-3-1001': 'gone', 'S-1-5-21-1-2-3-500': 'name' }, 'gone'],
  ['S-1-5-21-1-2-3-1001', { 'S-1-5-21-1-2-3-1001': 'gone', 'S-1-5-21-1-2-3-500': 'gone' }, 'unknown'],
  ['S-1-5-21-1-2-3-1001', { 'S-1-5-21-1-2-3-1001': 'unknown', 'S-1-5-21-1-2-3-500': 'name' }, 'unknown'],
  ['S-1-5-21-1-2-3-1001', { 'S-1-5-21-1-2-3-1001': 'name' }, 'exists'],
  ['S-1-12-1-1-2-3-4', { 'S-1-12-1-1-2-3-4': 'gone' }, 'unknown'],
] as const)('[data.commands] the account %s, where Windows knows %o, is %s', (sid, known: object, state) => {
  const find = (asked: string) => {
    const answer = new Map(Object.entries(known)).get(asked) as 'gone' | 'unknown' | 'name';
    return answer === 'name' ? { name: 'x', domain: 'y' } : answer;
  };
  expect(accountState(sid, find)).toBe(state);
});
