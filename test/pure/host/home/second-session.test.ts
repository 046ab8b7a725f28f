/** Who has the port: only the host of another session makes this one take a free port. */
import { expect, test } from 'vitest';
import { isSecondSession } from '../../../../src/host/home/listen-policy.ts';

test('only this program, or a program that Windows does not show, in another session is a second session’s host', () => {
  const own = { session: 2, program: 'C:\\Program Files\\uiahost\\node.exe' };
  const at = (session: number | null, program: string | null) => isSecondSession({ session, program }, own);
  expect([at(3, own.program.toUpperCase()), at(3, null)]).toEqual([true, true]);
  expect([at(2, own.program), at(3, 'C:\\other.exe'), at(null, null), isSecondSession(null, own)]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
