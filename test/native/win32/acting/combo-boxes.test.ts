/** Combo boxes inside a rebar are read and set. */
import { expect, it } from 'vitest';
import { topWindowsOf } from '../../../../src/win32/windows/window-info.ts';
import { Elements, only } from '../support/elements.ts';
import { Program } from '../support/programs.ts';
import { until } from '../../../support/until.ts';

const FONT = '2013';
const SIZE = '2014';

it('combo boxes of a rebar show what they hold and take another: font and size', async () => {
  await using program = new Program('C:\\Program Files\\Windows NT\\Accessories\\wordpad.exe');
  const hwnd = await until(() => topWindowsOf(program.pid)[0], 'its window');
  const elements = await Elements.bind(hwnd);
  const value = async (id: string): Promise<string | undefined> =>
    only(await elements.nodes(), { controlType: 'ComboBox', id }).value;
  await until(async () => (await value(FONT)) !== undefined, 'the font');
  const before = (await value(SIZE))?.trim();
  expect(Number(before)).toBeGreaterThan(0);
  const wanted = before === '14' ? '16' : '14';
  expect(await elements.type({ automationId: SIZE }, wanted)).toMatchObject({
    value: true,
    outcome: { effect: 'confirmed' },
  });
  expect(await value(SIZE)).toBe(wanted);
  expect(await value(FONT)).toMatch(/\w/);
});
