/** Nothing is sent without a permit, and nothing beyond it; what left is recorded. */
import { describe, expect, test } from 'vitest';
import type { Exit, Permit } from '../../../../src/contract/gate/exit.ts';
import { givingBack, whatLeft, withPermit } from '../../../../src/win32/exits/leaving.ts';
import { outerRect } from '../../../../src/win32/windows/rects.ts';
import { Elements } from '../support/elements.ts';
import { everyExit } from '../support/permits.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { Session } from '../support/session.ts';

const BACKGROUND = { delivery: 'background' } as const;
const TEXT = { mode: 'replace', isSecret: false, ...BACKGROUND } as const;
const KEYS: Exit = { kind: 'keys', from: 'focus', chords: ['f5'], text: 'abc', rounds: 1, isHeld: false };
const ONE = { button: 'left', count: 1, modifiers: [], ...BACKGROUND } as const;

interface Act {
  readonly name: string;
  readonly needs: Exit;
  run(session: Session, refs: { button: string; field: string }): Promise<unknown>;
}

const ACTS: readonly Act[] = [
  {
    name: 'click by ref',
    needs: { kind: 'press', end: 'target', by: 'click', button: 'left', count: 1 },
    run: ({ elements }, { button }) => elements.port.click(elements.record, button, BACKGROUND, newCallOnly()),
  },
  {
    name: 'double click by ref',
    needs: { kind: 'press', end: 'target', by: 'click', button: 'left', count: 2 },
    run: ({ elements }, { button }) =>
      elements.port.click(elements.record, button, { ...BACKGROUND, count: 2 }, newCallOnly()),
  },
  {
    name: 'right click by ref',
    needs: { kind: 'press', end: 'target', by: 'click', button: 'right', count: 1 },
    run: ({ elements }, { button }) =>
      elements.port.click(elements.record, button, { ...BACKGROUND, button: 'right' }, newCallOnly()),
  },
  {
    name: 'text by ref',
    needs: { kind: 'text', text: 'abc', replaces: true },
    run: ({ elements }, { field }) => elements.port.typeInto(elements.record, field, 'abc', TEXT, newCallOnly()),
  },
  {
    name: 'focus',
    needs: { kind: 'focus' },
    run: ({ elements }, { field }) => elements.port.focus(elements.record, field, newCallOnly()),
  },
  {
    name: 'a chord',
    needs: KEYS,
    run: ({ keyboard, record }) => keyboard.chords(record, ['f5'], 1, 'background', newCallOnly()),
  },
  {
    name: 'typed characters',
    needs: KEYS,
    run: ({ keyboard, record }) =>
      keyboard.typeText(record, 'abc', { viaClipboard: false, ...BACKGROUND }, newCallOnly()),
  },
  {
    name: 'a point',
    needs: { kind: 'point', end: 'target', does: 'press', button: 'left', count: 1, held: [] },
    run: ({ pointer, elements }) => {
      const { x, y, width, height } = outerRect(Number(elements.record.hwnd))!;
      return pointer.click(elements.record, { x: x + width / 2, y: y + height - 20 }, ONE, newCallOnly());
    },
  },
];

/** Kinds that the same messages can be: what a permit has of them is the gate's choice. */
const SAME: Partial<Record<Exit['kind'], readonly Exit['kind'][]>> = {
  press: ['point', 'choose'],
  point: ['press', 'choose'],
  text: ['keys', 'choose', 'cells', 'console'],
  keys: ['text', 'console'],
  focus: [],
};

/** A call that does not enter a permit of its own. */
function newCallOnly(): ReturnType<typeof newCall> {
  return { owner: 'test/default', deadlineMs: 10_000, signal: new AbortController().signal, remoteControlMemory: true };
}

const only = (...exits: readonly Exit[]): Permit => ({ ...everyExit(), exits });
const events = (fixture: Fixture): number => fixture.journal().length;

async function opened(fixture: Fixture): Promise<{ session: Session; refs: { button: string; field: string } }> {
  const session = await Session.bind(fixture.hwnd);
  const elements: Elements = session.elements;
  const refs = { button: await elements.ref({ name: 'Keep' }), field: await elements.ref({ role: 'Edit' }, 'type') };
  session.focus.remember(fixture.hwnd, fixture.hwnd, 'test/default');
  return { session, refs };
}

describe('[exit.permitted] what leaves', () => {
  test.each(ACTS)('$name needs its own exit: no other kind, no empty permit, no call without one', async (act) => {
    await using fixture = await Fixture.start('labels', ['--every', '0']);
    const { session: own, refs } = await opened(fixture);
    using session = own;
    const others = everyExit().exits.filter(
      ({ kind }) => ![act.needs.kind, ...(SAME[act.needs.kind] ?? [])].includes(kind),
    );
    const before = events(fixture);
    const refused = { code: 'state_conflict', delivery: 'not_delivered' };
    await expect(withPermit(null, () => act.run(session, refs))).rejects.toMatchObject(refused);
    await expect(withPermit(only(), () => act.run(session, refs))).rejects.toMatchObject(refused);
    await expect(givingBack(() => act.run(session, refs))).rejects.toMatchObject(refused);
    await expect(withPermit(only(...others), () => act.run(session, refs))).rejects.toMatchObject(refused);
    expect(fixture.journal().slice(before)).toEqual([]);
    const left = await withPermit(only(act.needs), async () => {
      await act.run(session, refs);
      return whatLeft();
    });
    expect(left).toContain(act.needs.kind);
    for (const kind of left) expect([act.needs.kind, 'along']).toContain(kind);
  });

  test('another text or button than the permitted one is refused', async () => {
    await using fixture = await Fixture.start('labels', ['--every', '0']);
    const {
      session: own,
      refs: { button, field },
    } = await opened(fixture);
    using session = own;
    const { port, record } = session.elements;
    const refused = { code: 'state_conflict', delivery: 'not_delivered' };
    for (const permitted of ['abc', '']) {
      const text = only({ kind: 'text', text: permitted, replaces: true });
      await expect(
        withPermit(text, () => port.typeInto(record, field, 'xyz', TEXT, newCallOnly())),
        permitted,
      ).rejects.toMatchObject(refused);
    }
    const right = only({ kind: 'press', end: 'target', by: 'click', button: 'right', count: 1 });
    await expect(
      withPermit(right, () => port.click(record, button, { ...BACKGROUND, count: 2 }, newCallOnly())),
    ).rejects.toMatchObject(refused);
  });

  test('another way to press than the permitted one, or one press more, is refused', async () => {
    await using fixture = await Fixture.start('labels', ['--every', '0']);
    const {
      session: own,
      refs: { button },
    } = await opened(fixture);
    using session = own;
    const { port, record } = session.elements;
    const pressed = (by: Extract<Exit, { kind: 'press' }>['by'], permitted: number, count: 1 | 2): Promise<unknown> =>
      withPermit(only({ kind: 'press', end: 'target', by, button: 'left', count: permitted }), () =>
        port.click(record, button, { ...BACKGROUND, count }, newCallOnly()),
      );
    for (const by of ['invoke', 'toggle', 'select', 'expand', 'menu'] as const)
      await expect(pressed(by, 1, 1), by).rejects.toMatchObject({ code: 'state_conflict', delivery: 'not_delivered' });
    expect(fixture.journal().filter(({ event }) => event === 'press')).toEqual([]);
    await expect(pressed('click', 1, 2)).rejects.toMatchObject({ code: 'state_conflict', delivery: 'unknown' });
    await pressed('click', 2, 2);
  });

  test('a line break into a field is a key, which a permit for text does not have', async () => {
    await using fixture = await Fixture.start('labels', ['--every', '0']);
    const { session: own } = await opened(fixture);
    using session = own;
    const text = only({ kind: 'text', text: 'x\n', replaces: true });
    await expect(
      withPermit(text, () =>
        session.keyboard.typeText(
          session.record,
          'x\n',
          { viaClipboard: false, delivery: 'foreground' },
          newCallOnly(),
        ),
      ),
    ).rejects.toThrow();
    expect(fixture.journal().filter(({ event }) => event === 'press')).toEqual([]);
  });
});
