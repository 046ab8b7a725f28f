/** A button whose label alternates is pressed only with the label that was judged, by ref as by point. */
import { describe, expect, test } from 'vitest';
import { WM_SETTEXT } from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { rectCentre } from '../../../../src/contract/element/coordinates.ts';
import type { ElementContext } from '../../../../src/contract/element/element.ts';
import type { Exit, Permit } from '../../../../src/contract/gate/exit.ts';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import { withPermit } from '../../../../src/win32/exits/leaving.ts';
import { FocusMemory } from '../../../../src/win32/elements/finding/text-target.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { createPointerPort } from '../../../../src/win32/ports/input.ts';
import { threadOf, topWindowsOf, windowText } from '../../../../src/win32/windows/window-info.ts';
import { until } from '../../../support/until.ts';
import { Elements } from '../support/elements.ts';
import { sendWithin } from '../support/send.ts';
import { Fixture, newCall } from '../support/programs.ts';

const HARMFUL = 'Delete everything';
const BUTTON = { automationId: '401' };
const CLICKS = 500;
const ONE = { button: 'left', count: 1, modifiers: [], delivery: 'background' } as const;

const EXITS = {
  ref: [{ kind: 'press', end: 'target', by: 'click', button: 'left', count: 1 }],
  point: [{ kind: 'point', end: 'target', does: 'press', button: 'left', count: 1, held: [] }],
} as const satisfies Record<string, readonly Exit[]>;

const permitFor = (elements: Elements, seen: ElementContext, exits: readonly Exit[]): Permit => {
  const { element, dialogTitle, dialogTexts: question } = seen;
  return { exits, target: { window: elements.record, element, dialogTitle, question }, start: null };
};

/** Clicks with whatever label the gate sees, as it would where that is harmless; counts the results. */
async function clickOften(way: keyof typeof EXITS): Promise<{ delivered: number; refused: number; harmful: number }> {
  await using fixture = await Fixture.start('labels');
  const elements = await Elements.bind(fixture.hwnd);
  const pointer = createPointerPort(elements.services, {
    held: new HeldInputs(),
    focus: new FocusMemory(),
    trees: elements.port,
  });
  const counts = { delivered: 0, refused: 0 };
  for (let at = 0; at < CLICKS; at += 1) {
    const named = await elements.context(BUTTON);
    const point = rectCentre(named.element!.rect);
    const judged =
      way === 'ref' ? named : await elements.port.context(elements.record, { kind: 'point', at: point }, newCall());
    // The gate asks a person for the other label.
    if (judged.element?.name !== 'Save') continue;
    const permit = permitFor(elements, judged, EXITS[way]);
    const call = { ...newCall(), permit };
    try {
      await withPermit(permit, () =>
        way === 'ref'
          ? elements.port.click(elements.record, judged.element!.ref, { delivery: 'background' }, call)
          : pointer.click(elements.record, point, ONE, call),
      );
      counts.delivered += 1;
    } catch (error) {
      if (!(error instanceof UiaHostError) || error.code !== 'state_conflict') throw error;
      expect(error.delivery).toBe('not_delivered');
      counts.refused += 1;
    }
  }
  const presses = fixture.journal().filter(({ event }) => event === 'press');
  return { ...counts, harmful: presses.filter(({ label }) => label === HARMFUL).length };
}

describe('[press.compared] a label that alternates every 60 ms', () => {
  test.each(['ref', 'point'] as const)(
    `by %s, ${CLICKS} times: what differs when it is compared is not pressed; only the race behind the comparison is left`,
    { timeout: 600_000 },
    async (way) => {
      const { delivered, refused, harmful } = await clickOften(way);
      console.log(`${way}: ${delivered} delivered, ${refused} state_conflict, ${harmful} lost to the race`);
      expect(delivered).toBeGreaterThan(0);
      // How often the comparison sees another label depends on the machine; the cases below force it. The label may change
      // between the comparison and the program's own handling of the press (threat model). Mouse messages take a busy
      // program longer than a notification, so only the latter has a limit here.
      if (way === 'ref') expect(harmful).toBeLessThan(delivered / 3);
    },
  );
});

describe('[press.compared] between the judgement and the press', () => {
  /** A click with the permit for what a name is now, after a change in the program. */
  const clickAfter = async (elements: Elements, name: string, change: () => unknown): Promise<unknown> => {
    const judged = await elements.context({ name });
    const permit = permitFor(elements, judged, EXITS.ref);
    await change();
    const call = { ...newCall(), permit };
    return withPermit(permit, () =>
      elements.port.click(elements.record, judged.element!.ref, { delivery: 'background' }, call),
    );
  };

  test('another label is state_conflict, and nothing is pressed', async () => {
    await using fixture = await Fixture.start('labels', ['--every', '0']);
    const elements = await Elements.bind(fixture.hwnd);
    const change = (): Promise<unknown> => fixture.tell(`label ${HARMFUL}`);
    await expect(clickAfter(elements, 'Save', change)).rejects.toMatchObject({
      code: 'state_conflict',
      delivery: 'not_delivered',
      message: expect.stringContaining(HARMFUL),
    });
    expect(fixture.journal().filter(({ event }) => event === 'press')).toHaveLength(0);
  });

  test('another title of a window that is not a dialog changes nothing', async () => {
    await using fixture = await Fixture.start('labels', ['--every', '0']);
    await clickAfter(await Elements.bind(fixture.hwnd), 'Save', () => fixture.tell('title Another question'));
    expect(fixture.journal().filter(({ event }) => event === 'press')).toMatchObject([{ label: 'Save' }]);
  });

  test.each([
    ['the question', 0xffff, 'One question.', 'Delete all files?'],
    ['the title, a number in it included', 0, 'Delete 1 file?', 'Delete 9 files?'],
  ])('in a dialog another text of %s is state_conflict, and nothing is pressed', async (_, id, before, after) => {
    await using fixture = await Fixture.start('dialogs');
    const elements = await Elements.bind(fixture.hwnd);
    await elements.click({ name: 'Question' });
    const boxes = (): number[] => topWindowsOf(threadOf(fixture.hwnd).process);
    const box = await until(() => boxes().find((hwnd) => windowText(hwnd) === 'Fixture question'), 'the dialog');
    const dialog = await elements.bound(box);
    const part = id === 0 ? box : user32.GetDlgItem(box, id);
    const say = (text: string): unknown => sendWithin(part, WM_SETTEXT, 0, Buffer.from(`${text}\0`, 'utf16le'), 1000);
    say(before);
    await expect(clickAfter(dialog, 'No', () => say(after))).rejects.toThrow(after);
    expect(boxes()).toContain(box);
    await clickAfter(dialog, 'No', () => {});
    await until(() => !boxes().includes(box) || undefined, 'its end');
  });
});
