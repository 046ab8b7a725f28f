/** What an action asks of a program that can search its elements does not grow with its window. */
import { expect, test } from 'vitest';
import '../support/elements.ts';
import { growthRows } from '../support/growth.ts';
import { Fixture } from '../support/programs.ts';
import { UiaCom } from '../support/uia-com.ts';

/** Buttons in view change with their names: one more or less does not count as growth. */
const ROOM = 2;

test('a click by ref, name, automationId or point, typing and keys ask the same of 50 and of 600 buttons', async () => {
  const com = new UiaCom();
  await using window = await Fixture.start('sentinel', ['--x', '20', '--y', '20', '--width', '560', '--height', '540']);
  const small = await growthRows(com, window.hwnd, 50);
  const large = await growthRows(com, window.hwnd, 600);
  for (const [action, { calls, elements }] of large) {
    const before = small.get(action)!;
    expect(calls, `calls: ${action}`).toBeLessThanOrEqual(before.calls + ROOM);
    expect(elements, `elements: ${action}`).toBeLessThanOrEqual(before.elements + ROOM);
  }
});
