/** A browser's page is compared at delivery, by whatever topic the input comes: element, point or keys. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rectCentre } from '../../../../src/contract/element/coordinates.ts';
import type { PermittedPlace } from '../../../../src/contract/gate/exit.ts';
import type { CallContext } from '../../../../src/desktop/index.ts';
import { FocusMemory } from '../../../../src/win32/elements/finding/text-target.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { createKeyboardPort, createPointerPort } from '../../../../src/win32/ports/input.ts';
import { Elements, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { UiaCom } from '../support/uia-com.ts';

const PAGE = 'https://ok.test/a';
const OTHER = 'https://other.test/b';
const com = new UiaCom();
let window: Fixture;

beforeAll(async () => {
  window = await Fixture.start('sentinel', ['--x', '20', '--y', '20', '--width', '560', '--height', '540']);
});
afterAll(() => window[Symbol.asyncDispose]());

test('[press.compared] [policy.pages] the page at delivery: another page than the judged one gets nothing; the same page does', async () => {
  com.reset();
  com.configure({ graft: window.hwnd, wakes: 1, address: PAGE });
  const elements = await Elements.bind(window.hwnd, { automation: com.factory });
  const { port, record, services } = elements;
  const tools = { held: new HeldInputs(), focus: new FocusMemory(), trees: port };
  const [pointer, keyboard] = [createPointerPort(services, tools), createKeyboardPort(services, tools)];
  const { element } = await elements.context({ automationId: 'txtPage' });
  const at = rectCentre(element!.rect);
  const target: PermittedPlace = { window: record, element, isNamed: false, address: PAGE };
  const call = (): CallContext => ({ ...newCall(), permit: { exits: [], target, start: null } });
  const ways: ReadonlyArray<() => Promise<unknown>> = [
    () => pointer.click(record, at, { button: 'left', count: 1, modifiers: [], delivery: 'background' }, call()),
    () => pointer.button(record, 'down', at, { delivery: 'background' }, call()),
    () => keyboard.chords(record, ['enter'], 1, 'background', call()),
    () => keyboard.press(record, ['enter'], 'background', call()),
    () => keyboard.hold(record, ['enter'], 10, 'background', call()),
    () => keyboard.typeText(record, 'x', { viaClipboard: false, delivery: 'background' }, call()),
  ];
  expect(port.pageInstead(record, target, newCall())).toBeNull();
  com.configure({ graft: window.hwnd, wakes: 1, address: OTHER });
  for (const way of ways) expect((await refusal(way(), 'state_conflict')).message).toContain(OTHER);
  com.configure({ graft: window.hwnd, wakes: 1, address: PAGE });
  expect(port.pageInstead(record, target, newCall())).toBeNull();
  port[Symbol.dispose]();
});
