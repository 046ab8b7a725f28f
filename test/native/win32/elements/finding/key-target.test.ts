/** Which window inside the bound one receives the keys. */
import { expect, test } from 'vitest';
import { user32 } from '../../../../../native-bindings/win32/user32.ts';
import type { UiaHostError } from '../../../../../src/contract/errors.ts';
import { findKeyTarget, FocusMemory } from '../../../../../src/win32/elements/finding/text-target.ts';
import { controlId } from '../../../../support/controls.ts';
import { callsOf, countCalls } from '../../support/native-calls.ts';
import { Fixture } from '../../support/programs.ts';

/** A memory in which no window has or had the focus. */
class NoFocus extends FocusMemory {
  override find(): null {
    return null;
  }
}

test('the child that was clicked last gets the keys', async () => {
  await using fixture = await Fixture.start('controls');
  using focus = new FocusMemory();
  const field = user32.GetDlgItem(fixture.hwnd, controlId('EDIT_NAME'));
  const other = user32.GetDlgItem(fixture.hwnd, controlId('EDIT_RIGHT'));
  focus.remember(fixture.hwnd, other, 'test/default');
  focus.remember(fixture.hwnd, field, 'test/default');
  expect(findKeyTarget(fixture.hwnd, focus, 'test/default')).toMatchObject({
    hwnd: field,
    foundBy: 'last focus',
    kind: 'edit',
  });
});

test('the child to which the program has moved its focus since gets them instead', async () => {
  await using fixture = await Fixture.start('controls');
  using focus = new FocusMemory();
  const field = user32.GetDlgItem(fixture.hwnd, controlId('EDIT_NAME'));
  focus.remember(fixture.hwnd, user32.GetDlgItem(fixture.hwnd, controlId('EDIT_RIGHT')), 'test/default');
  await fixture.tell(`focus ${controlId('EDIT_NAME')}`);
  expect(findKeyTarget(fixture.hwnd, focus, 'test/default')).toMatchObject({ hwnd: field, foundBy: 'system focus' });
});

test('[keyboard.child-only] where no focus is known, the only text control gets them', async () => {
  await using fixture = await Fixture.start('dialogs');
  using focus = new NoFocus();
  const [reply, other] = [305, 306].map((id) => user32.GetDlgItem(fixture.hwnd, id));
  refused(() => findKeyTarget(fixture.hwnd, focus, 'test/default'));
  user32.EnableWindow(other!, false);
  expect(findKeyTarget(fixture.hwnd, focus, 'test/default')).toMatchObject({
    hwnd: reply,
    foundBy: 'only text control',
  });
});

test('a window without text controls that handles keys itself gets them', async () => {
  await using fixture = await Fixture.start('sentinel');
  using focus = new NoFocus();
  expect(findKeyTarget(fixture.hwnd, focus, 'test/default')).toMatchObject({
    hwnd: fixture.hwnd,
    foundBy: 'window itself',
  });
});

test('where several text controls could be meant, target_ambiguous lists them', async () => {
  await using fixture = await Fixture.start('controls');
  using focus = new NoFocus();
  const { candidates } = refused(() => findKeyTarget(fixture.hwnd, focus, 'test/default'));
  const ids = candidates!.map(({ automationId }) => Number(automationId));
  expect(ids).toContain(controlId('EDIT_NAME'));
  expect(ids.length).toBeGreaterThan(2);
});

test('a child of another window never gets them, even if it was remembered for the bound window', async () => {
  await using fixture = await Fixture.start('controls');
  await using other = await Fixture.start('controls');
  using focus = new FocusMemory();
  const foreign = user32.GetDlgItem(other.hwnd, controlId('EDIT_NAME'));
  const field = user32.GetDlgItem(fixture.hwnd, controlId('EDIT_NAME'));
  await fixture.tell(`focus ${controlId('EDIT_NAME')}`);
  focus.remember(fixture.hwnd, foreign, 'test/default');
  expect(findKeyTarget(fixture.hwnd, focus, 'test/default').hwnd).toBe(field);
});

test('windows of programs that have ended are not asked about for each further program', async () => {
  using focus = new FocusMemory();
  const asked: number[] = [];
  for (let programs = 0; programs < 5; programs++) {
    await using fixture = await Fixture.start('controls');
    const field = user32.GetDlgItem(fixture.hwnd, controlId('EDIT_NAME'));
    const counts = await countCalls(async () => focus.remember(fixture.hwnd, field, 'test/default'));
    asked.push(callsOf(counts, 'GetWindowThreadProcessId'));
  }
  expect(asked.at(-1)).toBe(asked[1]);
});

function refused(find: () => unknown): UiaHostError {
  try {
    find();
  } catch (error) {
    expect(error).toMatchObject({ code: 'target_ambiguous' });
    return error as UiaHostError;
  }
  throw new Error('a target was found');
}
