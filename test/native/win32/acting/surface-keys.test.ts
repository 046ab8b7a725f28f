/** Keys for windows that take no posted ones: text goes by the field's pattern. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CallContext } from '../../../../src/desktop/index.ts';
import { findKeyTarget, FocusMemory } from '../../../../src/win32/elements/finding/text-target.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { createKeyboardPort } from '../../../../src/win32/ports/input.ts';
import { Elements, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { UiaCom } from '../support/uia-com.ts';

const com = new UiaCom();
let window: Fixture;
let focus: FocusMemory;
let elements: Elements;
let keyboard: ReturnType<typeof createKeyboardPort>;

beforeAll(async () => {
  window = await Fixture.start('provider', ['--small', '--class', 'WinUIDesktopWin32WindowClass']);
});
afterAll(() => window[Symbol.asyncDispose]());
beforeEach(async () => {
  com.reset();
  com.configure({ graft: window.hwnd });
  focus = new FocusMemory();
  elements = await Elements.bind(window.hwnd, {
    automation: com.factory,
    focus,
    keysTo: (bound) => findKeyTarget(bound, focus, 'test/default'),
  });
  keyboard = createKeyboardPort(elements.services, { held: new HeldInputs(), focus, trees: elements.port });
});
afterEach(() => {
  elements.port[Symbol.dispose]();
  focus[Symbol.dispose]();
  // Never a posted key, whatever was asked for.
  expect(window.journal().filter(({ event }) => event === 'key' || event === 'char')).toEqual([]);
});

/** As the host does: the gate looks first. */
async function judged(takesText = true): Promise<CallContext> {
  const target = { kind: 'focus', takesText } as const;
  const { element, keysTo } = await elements.port.context(elements.record, target, newCall());
  return { ...newCall(), permit: { exits: [], target: { window: elements.record, element, keysTo }, start: null } };
}
const type = async (text: string) =>
  keyboard.typeText(elements.record, text, { viaClipboard: false, delivery: 'background' }, await judged());

it('[keys.xaml-chord] a combination is unsupported, and nothing is sent', async () => {
  const pressed = keyboard.chords(elements.record, ['ctrl+q'], 1, 'background', await judged(false));
  const error = await refusal(pressed, 'unsupported');
  expect(error.delivery).toBe('not_delivered');
  expect(error.hint).toContain('click-element');
  expect(com.log()).toEqual([]);
});

const typesIntoName = async (delivery: string): Promise<void> => {
  await elements.port.focus(elements.record, await elements.ref({ automationId: 'txtName' }, 'look'), newCall());
  com.log();
  const { value, outcome } = await type(' Löffel 狐');
  expect({ value, ...outcome }).toMatchObject({ value: true, effect: 'confirmed', delivery, readBack: 'verified' });
};

it('[keys.xaml-text] text goes into the field with the focus by its Value pattern, and is read back', async () => {
  await typesIntoName('uia-value');
  expect(com.log()).toEqual(['set-value txtName Ada Löffel 狐']);
});

it('[keys.xaml-text] a field without the Value pattern takes it by LegacyIAccessible', async () => {
  elements.port[Symbol.dispose]();
  com.configure({ without: 10002 });
  elements = await Elements.bind(window.hwnd, {
    automation: com.factory,
    focus,
    keysTo: (bound) => findKeyTarget(bound, focus, 'test/default'),
  });
  keyboard = createKeyboardPort(elements.services, { held: new HeldInputs(), focus, trees: elements.port });
  await typesIntoName('legacy-accessible');
});

it('text without a known field is unsupported, and nothing is set', async () => {
  await refusal(type('anything'), 'unsupported');
  expect(com.log()).toEqual([]);
});

it('a key cannot be held there', async () => {
  await refusal(keyboard.hold(elements.record, ['x'], 100, 'background', await judged(false)), 'unsupported');
});
