/** Keys that a program turns into commands which ask what has the focus. */
import { describe, expect, it } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { focusOf, threadOf } from '../../../../src/win32/windows/window-info.ts';
import { personIdleMs } from '../../../../src/win32/windows/person.ts';
import { Session } from '../support/session.ts';
import { Fixture } from '../support/programs.ts';
import { until } from '../../../support/until.ts';

const [TREE, LIST] = [307, 308];
const LVM_GETITEMCOUNT = 0x1004;

const commands = (fixture: Fixture) =>
  fixture
    .journal()
    .filter(({ event }) => event === 'command')
    .map(({ name, focus }) => [name, focus]);
const rows = (fixture: Fixture): number =>
  Number(user32.SendMessageW(user32.GetDlgItem(fixture.hwnd, LIST), LVM_GETITEMCOUNT, 0, 0));

describe('a key for an item that was clicked', () => {
  it('reaches that item in the background, whatever has the focus when the command asks', async () => {
    await using other = await Fixture.start('sentinel', ['--x', '700', '--y', '400', '--activate']);
    await using fixture = await Fixture.start('panes');
    using session = await Session.bind(fixture.hwnd);
    await until(() => user32.GetForegroundWindow() === other.hwnd, 'another program in front');
    await session.elements.click({ name: 'Colour' });
    const done = await session.keys('delete');
    expect(done).toMatchObject({ effect: 'confirmed', details: { target: { role: 'List', item: 'Colour' } } });
    expect(commands(fixture)).toEqual([['delete', LIST]]);
    expect(rows(fixture)).toBe(2);
    // Wine gives the foreground along with the focus: it is restored, and both are reported.
    expect(done.focusChanged).toBe(done.details?.['foreground'] !== undefined);
    expect(user32.GetForegroundWindow()).toBe(other.hwnd);
    user32.SetForegroundWindow(other.hwnd);
    await until(() => user32.GetForegroundWindow() === other.hwnd, 'the other program in front again');
    expect(focusOf(threadOf(fixture.hwnd).thread)).toBe(0);
    // An accelerator that goes as a command asks the same.
    await session.elements.click({ name: 'Size' });
    await session.keys('f2');
    expect(commands(fixture)).toEqual([
      ['delete', LIST],
      ['rename', LIST],
    ]);
  });

  it('reaches that item also while the program is in front with its focus elsewhere', async () => {
    await using fixture = await Fixture.start('panes', ['--activate']);
    using session = await Session.bind(fixture.hwnd);
    const thread = threadOf(fixture.hwnd).thread;
    await until(() => user32.GetForegroundWindow() === fixture.hwnd, 'the program in front');
    await fixture.tell(`focus ${TREE}`);
    await session.elements.click({ name: 'Colour' });
    await until(() => personIdleMs() > 1100, 'a second without a person');
    expect(await session.keys('delete')).toMatchObject({ effect: 'confirmed' });
    expect(commands(fixture)).toEqual([['delete', LIST]]);
    // As after a click of a person's.
    expect(focusOf(thread)).toBe(user32.GetDlgItem(fixture.hwnd, LIST));
  });
});
