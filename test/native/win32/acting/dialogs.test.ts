/** Dialogs that end in unusual ways, and where keys go. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { Outcome } from '../../../../src/contract/outcome.ts';
import { personIdleMs } from '../../../../src/win32/windows/person.ts';
import { FocusMemory } from '../../../../src/win32/elements/finding/text-target.ts';
import { createWin32Desktop } from '../../../../src/win32/index.ts';
import { topWindowsOf, windowText, threadOf } from '../../../../src/win32/windows/window-info.ts';
import { outerRect } from '../../../../src/win32/windows/rects.ts';
import { createWindowPort } from '../../../../src/win32/ports/window.ts';
import { collecting, Elements, refusal } from '../support/elements.ts';
import { Fixture, newCall, type JournalEntry } from '../support/programs.ts';
import { until } from '../../../support/until.ts';
import { Session } from '../support/session.ts';

const [ANSWER, QUESTION, REPLY, OTHER, TREE, LIST, PANE] = [303, 304, 305, 306, 307, 308, 320];
const IDNO = 7;
/** A proxy's Invoke presses the button there, and moves the focus as it does so. */
const { isNative } = collecting;

beforeEach(() => {
  user32.SetCursorPos(1200, 780);
});

const dialogOf = (fixture: Fixture, title: string): Promise<number> =>
  until(
    () => topWindowsOf(threadOf(fixture.hwnd).process).find((hwnd) => windowText(hwnd) === title),
    `the dialog ${title}`,
  );

const charactersOf = (fixture: Fixture, id: number): string =>
  String.fromCharCode(
    ...fixture
      .journal()
      .filter((entry) => entry.event === 'char' && entry['id'] === id)
      .map((entry) => entry['code'] as number),
  );
const textOf = (fixture: Fixture, id: number): string => {
  const out = Buffer.alloc(512);
  const length = Number(user32.SendMessageW(user32.GetDlgItem(fixture.hwnd, id), 0x000d, 256, out));
  return out.toString('utf16le', 0, length * 2);
};
const keysOf = (fixture: Fixture, vk: number): JournalEntry[] =>
  fixture.journal().filter((entry) => entry.event === 'key' && entry['vk'] === vk && entry['kind'] === 'down');
const inFront = async (fixture: Fixture): Promise<void> => {
  await fixture.tell('activate');
  await until(() => user32.GetForegroundWindow() === fixture.hwnd, 'the foreground');
};

describe('a dialog whose loop waits for the next message', () => {
  it.each([
    ['Own loop', 'With a loop of its own', 'loop'],
    ['Properties', 'Fixture properties', 'sheet'],
  ])('is closed by its Cancel: %s', async (button, title, which) => {
    await using fixture = await Fixture.start('dialogs');
    const elements = await Elements.bind(fixture.hwnd);
    expect((await elements.click({ name: button })).outcome).toMatchObject({ effect: 'pending_modal' });
    const dialog = await elements.bound(await dialogOf(fixture, title));
    const done = await dialog.click({ name: 'Cancel' });
    expect(done.outcome).toMatchObject({ effect: 'confirmed', delivery: 'message' });
    await until(
      () => fixture.journal().some((entry) => entry.event === 'closed' && entry['which'] === which),
      'its end',
    );
    expect(user32.IsWindow(Number(dialog.record.hwnd))).toBe(false);
  });
});

describe('a dialog that hides itself in the end, and is kept', () => {
  const opened = async (fixture: Fixture): Promise<Elements> => {
    const elements = await Elements.bind(fixture.hwnd);
    await elements.click({ name: 'Own loop' });
    return elements.bound(await dialogOf(fixture, 'With a loop of its own'));
  };

  it('is confirmed to be gone by its Cancel', async () => {
    await using fixture = await Fixture.start('dialogs', ['--keeps']);
    const dialog = await opened(fixture);
    expect((await dialog.click({ name: 'Cancel' })).outcome).toMatchObject({
      effect: 'confirmed',
      evidence: [{ kind: 'state', before: 'shown', after: 'hidden' }],
    });
    expect(user32.IsWindowVisible(Number(dialog.record.hwnd))).toBe(false);
  });

  it('is closed by close', async () => {
    await using fixture = await Fixture.start('dialogs', ['--keeps']);
    const { record, services } = await opened(fixture);
    expect(await createWindowPort(services).manage(record, 'close', {}, newCall())).toMatchObject({
      value: true,
      outcome: { effect: 'confirmed', evidence: [{ kind: 'window', before: 'open', after: 'hidden' }] },
    });
  });
});

describe('keys for a window in the background', () => {
  it('are refused while nothing is known to have the focus, and arrive after a click, also when another was bound meanwhile', async () => {
    await using other = await Fixture.start('sentinel', ['--x', '700', '--y', '400', '--activate']);
    await using fixture = await Fixture.start('dialogs', ['--editor']);
    using session = await Session.bind(fixture.hwnd);
    await inFront(other);
    const refused = await refusal(session.type('lost'), 'target_ambiguous');
    expect(refused).toMatchObject({
      delivery: 'not_delivered',
      hint: expect.stringContaining('Click into an element first'),
    });
    await refusal(session.keys('delete'), 'target_ambiguous');
    await session.clickAt(fixture, PANE);
    await session.elements.services.release('test/default', session.record);
    await inFront(other);
    const done = await session.type('kept');
    await until(() => charactersOf(fixture, PANE) === 'kept', 'the text');
    expect(done.details?.['target']).toMatchObject({
      role: isNative ? 'Pane' : 'Custom',
      foundBy: expect.stringMatching(/^(last|system) focus$/),
    });
    expect(
      fixture
        .journal()
        .filter(({ event }) => event === 'typed')
        .every((entry) => entry['pane'] === PANE),
    ).toBe(true);
    expect(other.journal().filter(({ event }) => event === 'char')).toEqual([]);
  });

  it('go to the part that had the focus when the program was in front', async () => {
    await using other = await Fixture.start('sentinel', ['--x', '700', '--y', '400']);
    await using fixture = await Fixture.start('dialogs', ['--activate']);
    using session = await Session.bind(fixture.hwnd);
    await fixture.tell(`focus ${OTHER}`);
    await inFront(other);
    const done = await session.type('typed');
    expect(done).toMatchObject({
      effect: 'confirmed',
      details: { target: { role: 'Edit', name: 'Other', ref: expect.stringMatching(/^e\d+$/) } },
    });
    expect(textOf(fixture, OTHER)).toBe('typed');
  });

  it('the memory of the focus, and its hooks, end with the desktop', async () => {
    const ended = vi.spyOn(FocusMemory.prototype, Symbol.dispose);
    try {
      await createWin32Desktop(
        { kind: 'init', ownPids: [process.pid], refBase: 1, place: 0, ownInput: [], held: [], moved: [], leftAway: [] },
        { console: '' },
      ).close();
      expect(ended).toHaveBeenCalledOnce();
    } finally {
      ended.mockRestore();
    }
  });

  it('follow a program that moves its focus after a click', async () => {
    await using fixture = await Fixture.start('dialogs');
    using session = await Session.bind(fixture.hwnd);
    await session.elements.click({ name: 'Answer' });
    expect(await session.type('here')).toMatchObject({
      effect: 'confirmed',
      details: { target: { role: 'Edit', name: 'Reply' } },
    });
    expect(textOf(fixture, REPLY)).toBe('here');
    // The same by the mouse, from another field.
    await session.elements.click({ automationId: String(OTHER) });
    await session.clickAt(fixture, ANSWER);
    await session.type(' too');
    expect(textOf(fixture, REPLY)).toBe('here too');
  });

  it('go to the item that was clicked, although its control was sent the selection alone', async () => {
    await using fixture = await Fixture.start('dialogs', ['--activate']);
    using session = await Session.bind(fixture.hwnd);
    await fixture.tell(`focus ${LIST}`);
    expect((await session.elements.click({ name: 'Beta', role: 'TreeItem' })).outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'message',
    });
    const done = await session.keys('delete');
    expect(done.details?.['target']).toMatchObject({ role: 'Tree', item: 'Beta', foundBy: 'last focus' });
    await until(() => keysOf(fixture, 0x2e).length === 1, 'the key');
    expect(keysOf(fixture, 0x2e)[0]).toMatchObject({ id: TREE });
    // Press and hold say it as well.
    const held = await session.keyboard.hold(session.record, ['insert'], 60, 'background', newCall());
    expect(held.outcome.details?.['target']).toMatchObject({ role: 'Tree' });
    const pressed = await session.keyboard.press(session.record, ['shift'], 'background', newCall());
    expect(pressed.outcome.details).toMatchObject({ held: ['shift'], target: { role: 'Tree' } });
    const released = await session.keyboard.release(session.record, ['shift'], 'background', newCall());
    expect(released.outcome.details).toMatchObject({ held: [], target: { role: 'Tree' } });
    // Keys that were not held went nowhere.
    expect((await session.keyboard.release(session.record, ['shift'], 'background', newCall())).outcome).toMatchObject({
      effect: 'none',
      details: { held: [] },
    });
    expect((await session.elements.port.context(session.record, { kind: 'focus' }, newCall())).element).toMatchObject({
      controlType: 'TreeItem',
      name: 'Beta',
    });
  });

  it('[outcome.confirmed] a click that moves the focus into a tree has reached it, also where the item is selected already', async () => {
    await using fixture = await Fixture.start('dialogs', ['--activate']);
    using session = await Session.bind(fixture.hwnd);
    await session.clickAt(fixture, TREE, { x: 30, y: 10 });
    await fixture.tell(`focus ${LIST}`);
    const done = await session.clickAt(fixture, TREE, { x: 30, y: 10 });
    expect(done).toMatchObject({
      effect: 'confirmed',
      evidence: [{ kind: 'focus', before: expect.stringContaining('List'), after: expect.stringContaining('Tree') }],
    });
  });
});

describe('keys of a dialog that is behind', () => {
  const closedBy = (fixture: Fixture, which: string): Promise<unknown> =>
    until(
      () => fixture.journal().find((entry) => entry.event === 'closed' && entry['which'] === which)?.['answer'],
      'its end',
    );

  it.each([
    ['Question', 'Fixture question', 'box', 6],
    ['Question', 'Fixture question', 'box', IDNO],
    ['Own loop', 'With a loop of its own', 'loop', 1],
    ['Own loop', 'With a loop of its own', 'loop', 2],
  ])(
    '[keyboard.behind] Enter presses the button that was judged: %s, %s, %s, button %i',
    async (button, title, which, id) => {
      await using other = await Fixture.start('sentinel', ['--x', '700', '--y', '400', '--activate']);
      await using fixture = await Fixture.start('dialogs');
      using session = await Session.bind(fixture.hwnd);
      await session.elements.click({ name: button });
      const dialog = await session.elements.bound(await dialogOf(fixture, title));
      const hwnd = Number(dialog.record.hwnd);
      session.focus.remember(hwnd, user32.GetDlgItem(hwnd, id), 'test/default');
      await inFront(other);
      const done = await session.keys('enter', dialog.record);
      expect(done).toMatchObject({ effect: 'confirmed', details: { target: { role: 'Button' } } });
      expect(await closedBy(fixture, which)).toBe(id);
    },
  );

  it('[keyboard.behind] Enter presses the default button of a dialog whose focus is not known', async () => {
    await using other = await Fixture.start('sentinel', ['--x', '700', '--y', '400', '--activate']);
    await using fixture = await Fixture.start('dialogs');
    using session = await Session.bind(fixture.hwnd);
    await session.elements.click({ name: 'Question' });
    const dialog = await session.elements.bound(await dialogOf(fixture, 'Fixture question'));
    session.focus.remember(Number(dialog.record.hwnd), Number(dialog.record.hwnd), 'test/default');
    await inFront(other);
    expect(await session.keys('enter', dialog.record)).toMatchObject({ effect: 'confirmed' });
    expect(await closedBy(fixture, 'box')).toBe(6);
  });

  it('[keyboard.behind] Enter presses the button of a window with a loop of its own, and Tab continues from the judged field', async () => {
    await using other = await Fixture.start('sentinel', ['--x', '700', '--y', '400', '--activate']);
    await using fixture = await Fixture.start('dialogs');
    using session = await Session.bind(fixture.hwnd);
    await inFront(other);
    session.focus.remember(fixture.hwnd, user32.GetDlgItem(fixture.hwnd, REPLY), 'test/default');
    await session.keys('tab');
    await session.type('next');
    expect([textOf(fixture, REPLY), textOf(fixture, OTHER)]).toEqual(['', 'next']);
    await inFront(other);
    session.focus.remember(fixture.hwnd, user32.GetDlgItem(fixture.hwnd, QUESTION), 'test/default');
    await session.keys('enter');
    await dialogOf(fixture, 'Fixture question');
  });
});

describe('a click on an item that is selected already', () => {
  it('[outcome.confirmed] changes nothing and is not confirmed; a click on another item is', async () => {
    await using fixture = await Fixture.start('dialogs', ['--activate']);
    using session = await Session.bind(fixture.hwnd);
    await session.elements.click({ name: 'Beta', role: 'TreeItem' });
    const again = (await session.elements.click({ name: 'Beta', role: 'TreeItem' })).outcome;
    expect(again).toMatchObject({
      effect: 'unverified',
      delivery: 'message',
      evidence: [{ kind: 'selection', before: true, after: true }],
    });
    expect((await session.elements.click({ name: 'Alpha', role: 'TreeItem' })).outcome).toMatchObject({
      effect: 'confirmed',
      evidence: [{ kind: 'selection', before: false, after: true }],
    });
  });
});

describe('windows that keys open and close', () => {
  it('[outcome.windows] is reported as for clicks: the new window with `modal`, the owner once it has closed', async () => {
    await using fixture = await Fixture.start('dialogs');
    using session = await Session.bind(fixture.hwnd);
    session.focus.remember(fixture.hwnd, user32.GetDlgItem(fixture.hwnd, QUESTION), 'test/default');
    const opened = await session.keys('space');
    const box = await dialogOf(fixture, 'Fixture question');
    const newWindow = { hwnd: String(box), title: 'Fixture question', modal: true };
    expect(opened).toMatchObject({
      effect: 'confirmed',
      evidence: expect.arrayContaining([{ kind: 'window-opened', before: null, after: [newWindow] }]),
      details: { newWindow },
    });
    const dialog = await session.elements.bound(box);
    const owner = { hwnd: String(fixture.hwnd), title: 'Dialogs' };
    expect(await session.keys('alt+n', dialog.record)).toMatchObject({ effect: 'confirmed', details: { owner } });
    expect(user32.IsWindow(box)).toBe(false);
    const clicked = (await session.elements.click({ name: 'Question' })).outcome;
    expect(clicked).toMatchObject({
      effect: 'pending_modal',
      evidence: [{ kind: 'window-opened', after: [{ modal: true }] }],
      details: { newWindow: { title: 'Fixture question', modal: true } },
    });
    const again = await session.elements.bound(await dialogOf(fixture, 'Fixture question'));
    expect((await again.click({ name: 'No' })).outcome).toMatchObject({ effect: 'confirmed', details: { owner } });
  });

  // Windows keeps such a program back unless it may take the foreground; Wine lets it through.
  it('an owner that comes to the front after its dialog has closed belongs to the action', async () => {
    await using other = await Fixture.start('sentinel', ['--x', '700', '--y', '400', '--activate']);
    await using fixture = await Fixture.start('dialogs', ['--late', '150']);
    using session = await Session.bind(fixture.hwnd);
    const windows = createWindowPort(session.elements.services);
    const asked = ['Question', 'Fixture question'] as const;
    const ways: ReadonlyArray<
      readonly [
        way: string,
        opens: readonly [button: string, title: string],
        answer: (dialog: Elements) => Promise<Outcome>,
      ]
    > = [
      ['click', asked, async (box) => (await box.click({ name: 'No' })).outcome],
      ['keys', asked, (box) => session.keys('alt+n', box.record)],
      [
        'pointer',
        asked,
        async (box) => {
          const rect = outerRect(user32.GetDlgItem(Number(box.record.hwnd), IDNO))!;
          return (
            await session.pointer.click(
              box.record,
              { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 },
              { button: 'left', count: 1, modifiers: [], delivery: 'background' },
              newCall(),
            )
          ).outcome;
        },
      ],
      [
        'close',
        ['Own loop', 'With a loop of its own'],
        async (dialog) => (await windows.manage(dialog.record, 'close', {}, newCall())).outcome,
      ],
    ];
    for (const [way, [button, title], answer] of ways) {
      await session.elements.click({ name: button });
      const dialog = await session.elements.bound(await dialogOf(fixture, title));
      session.focus.follow(Number(dialog.record.hwnd));
      await inFront(other);
      expect(await answer(dialog), way).toMatchObject({
        effect: 'confirmed',
        focusChanged: true,
        details: { foreground: { givenBack: true } },
      });
      await until(() => user32.GetForegroundWindow() === other.hwnd, `the other program in front after ${way}`);
    }
  });

  it('a question that closes alone changes no focus', async () => {
    await using other = await Fixture.start('sentinel', ['--x', '700', '--y', '400', '--activate']);
    await using fixture = await Fixture.start('dialogs');
    using session = await Session.bind(fixture.hwnd);
    await session.elements.click({ name: 'Question' });
    const box = await session.elements.bound(await dialogOf(fixture, 'Fixture question'));
    await inFront(other);
    const pressed = await box.click({ name: 'No' });
    expect(pressed.outcome).toMatchObject({ effect: 'confirmed', focusChanged: false });
    expect(user32.GetForegroundWindow()).toBe(other.hwnd);
  });

  it('typed text is reported with the title that it changes and the window that it closes, and not confirmed by them', async () => {
    await using fixture = await Fixture.start('dialogs', ['--editor']);
    using session = await Session.bind(fixture.hwnd);
    await session.clickAt(fixture, PANE);
    expect(await session.type('plain')).toMatchObject({ effect: 'unverified', evidence: [] });
    expect(await session.type('changed!')).toMatchObject({
      effect: 'unverified',
      evidence: [{ kind: 'title', before: 'Dialogs', after: 'Dialogs *' }],
    });
    expect(await session.type('bye\n')).toMatchObject({
      effect: 'unverified',
      evidence: [{ kind: 'window-closed', before: [String(fixture.hwnd)] }],
    });
  });

  it('[keyboard.judged] keys that were judged for one part never go to another, posted or real', async () => {
    await using fixture = await Fixture.start('dialogs', ['--activate']);
    using session = await Session.bind(fixture.hwnd);
    await inFront(fixture);
    const focusOn = async (id: number): Promise<void> => {
      await fixture.tell(`focus ${id}`);
      const wanted = user32.GetDlgItem(fixture.hwnd, id);
      await until(() => session.focus.reportedFocus(fixture.hwnd) === wanted, 'the focus');
    };
    await focusOn(REPLY);
    const judged = await session.judged();
    await focusOn(QUESTION);
    const { keyboard, record } = session;
    for (const delivery of ['background', 'foreground'] as const) {
      const attempts = [
        () => keyboard.chords(record, ['space'], 1, delivery, judged),
        () => keyboard.typeText(record, ' ', { viaClipboard: false, delivery }, judged),
        () => keyboard.hold(record, ['space'], 50, delivery, judged),
        () => keyboard.press(record, ['space'], delivery, judged),
      ];
      for (const attempt of attempts)
        expect(await refusal(attempt(), 'state_conflict')).toMatchObject({
          delivery: 'not_delivered',
          message: expect.stringContaining('focus'),
        });
    }
    expect(fixture.journal().filter(({ event }) => event === 'command')).toEqual([]);
    expect(await session.keys('space')).toMatchObject({ details: { newWindow: { title: 'Fixture question' } } });
  });

  it('real keys and clicks are checked for their effect like posted input', async () => {
    await using fixture = await Fixture.start('dialogs', ['--activate']);
    using session = await Session.bind(fixture.hwnd);
    await inFront(fixture);
    await fixture.tell(`focus ${REPLY}`);
    await until(() => personIdleMs() > 1100, 'a second without a person');
    const typed = await session.type('real', session.record, 'foreground');
    expect(typed).toMatchObject({
      effect: 'confirmed',
      delivery: 'input',
      readBack: 'verified',
      details: { target: { name: 'Reply' } },
    });
    await fixture.tell(`focus ${QUESTION}`);
    const opened = await session.keys('space', session.record, 'foreground');
    expect(opened).toMatchObject({
      effect: 'confirmed',
      delivery: 'input',
      details: { newWindow: { title: 'Fixture question', modal: true } },
    });
    const box = await session.elements.bound(await dialogOf(fixture, 'Fixture question'));
    await until(() => user32.GetForegroundWindow() === Number(box.record.hwnd), 'the dialog in front');
    // Wine compares the keyboard's state as a window comes to the front: that is input, which is yielded to.
    const quiet = (): Promise<boolean> => until(() => personIdleMs() > 1100, 'a second without a person');
    await quiet();
    const closed = await session.keys('alt+n', box.record, 'foreground');
    expect(closed).toMatchObject({
      effect: 'confirmed',
      delivery: 'input',
      details: { owner: { hwnd: String(fixture.hwnd) } },
    });
    await inFront(fixture);
    await quiet();
    const clicked = await session.clickAt(fixture, QUESTION, undefined, [], 'foreground');
    expect(clicked).toMatchObject({
      effect: 'confirmed',
      delivery: 'input',
      details: { newWindow: { title: 'Fixture question', modal: true } },
    });
  });
});

describe('the pointer', () => {
  it('a posted click is not a person’s, even if the program takes the mouse capture for it', async () => {
    await using other = await Fixture.start('sentinel', ['--x', '700', '--y', '400', '--activate']);
    await using fixture = await Fixture.start('dialogs', ['--editor', '--capture']);
    using session = await Session.bind(fixture.hwnd);
    await until(() => personIdleMs() > 1100, 'a second without a person');
    await session.clickAt(fixture, PANE);
    expect(personIdleMs()).toBeGreaterThan(1100);
    void other;
  });

  it('[pointer.unsupported-modifier] a click with Alt is seen with it in the background, and the Windows key is refused', async () => {
    await using other = await Fixture.start('sentinel', ['--x', '700', '--y', '400', '--activate']);
    await using fixture = await Fixture.start('dialogs', ['--editor']);
    using session = await Session.bind(fixture.hwnd);
    await inFront(other);
    const done = await session.clickAt(fixture, PANE, undefined, ['alt']);
    expect(done).toMatchObject({ delivery: 'attached' });
    const down = await until(
      () => fixture.journal().find((entry) => entry.event === 'mouse' && entry['kind'] === 'down'),
      'the click',
    );
    expect(down).toMatchObject({ alt: true, ctrl: false, id: PANE });
    expect(user32.GetKeyState(0x12) & 0x8000).toBe(0);
    expect(await refusal(session.clickAt(fixture, PANE, undefined, ['win']), 'unsupported')).toMatchObject({
      message: expect.stringContaining('Windows key'),
    });
  });

  it('a move over the frame is not an error, and the pointer is there', async () => {
    await using fixture = await Fixture.start('dialogs');
    using session = await Session.bind(fixture.hwnd);
    const rect = outerRect(fixture.hwnd)!;
    const frame = { x: rect.x + 60, y: rect.y + 8 };
    const done = await session.pointer.move(session.record, frame, { delivery: 'background' }, newCall());
    expect(done).toMatchObject({ value: true, outcome: { effect: 'unverified', delivery: 'none' } });
    expect(await session.pointer.position(session.record, 'background', newCall())).toEqual(frame);
  });
});
