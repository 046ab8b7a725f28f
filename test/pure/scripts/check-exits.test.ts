/** The check that only src/win32/exits sends. */
import { describe, expect, it } from 'vitest';
import { sendingCalls } from '../../../scripts/check-exits.ts';
import { phrasesOf } from '../../support/words.ts';

const SENDING = phrasesOf`
  user32.PostMessageW(hwnd, WM_CHAR, 1, 1); |
  await user32.SendMessageTimeoutW.async(hwnd, WM_CLOSE, 0, 0, 0, 1, out); | user32['SendInput'](1, memory, 40); |
  const { SetForegroundWindow } = user32; | pattern.InvokeAsync(); | pattern.SetValue(text); |
  found.object.accDoDefaultActionAsync(child); | kernel32.CreateProcessW(file);
`;

describe('calls that send', () => {
  it.each(SENDING)('are reported outside the room: %s', (line) => {
    expect(sendingCalls('src/win32/acting/click.ts', `\n${line}`)).toEqual([`src/win32/acting/click.ts:2: ${line}`]);
    expect(sendingCalls('src/win32/exits/input.ts', line)).toEqual([]);
  });

  it('in the file of questions are only those of messages', () => {
    expect(sendingCalls('src/win32/windows/ask.ts', SENDING.join('\n')).map((at) => at.split(':')[1])).toEqual(
      '3 4 5 6 7 8'.split(' '),
    );
  });

  it('to a workbook are its puts and methods', () => {
    expect(sendingCalls('src/win32/sheet/workbook.ts', "range.call('Select');")).toHaveLength(1);
    expect(sendingCalls('src/host/running/run.ts', 'hook.call(port);')).toEqual([]);
  });

  it('are not names in comments and texts', () => {
    expect(
      sendingCalls('src/win32/acting/focus.ts', "// user32.SetFocus(hwnd)\nreturn delivered('x', 'SetFocus');"),
    ).toEqual([]);
  });
});
