/** Windows that take input as toolkits do (test/fixtures/receivers.c): what each gets in the background, and what is refused. */
import { describe, expect, it } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { CallContext, Done } from '../../../../src/desktop/index.ts';
import type { Outcome } from '../../../../src/contract/outcome.ts';
import { RECEIVERS } from '../../../../src/contract/ways/receivers.ts';
import { pathParts } from '../../../../src/contract/element/element-words.ts';
import { menuCommand } from '../../../../src/win32/elements/finding/menu-path.ts';
import { findKeyTarget } from '../../../../src/win32/elements/finding/text-target.ts';
import { laterChanges } from '../../../../src/win32/evidence/kept-proof.ts';
import { controlId } from '../../../support/controls.ts';
import { until } from '../../../support/until.ts';
import { refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { receive, type Receiving } from '../support/receivers.ts';
import { Session } from '../support/session.ts';

const LINES = 'alpha one\nbravo two\n\tcharlie é\ndelta 狐\nend';
/** Arguments for such a window; it is in front where its toolkit drops keys otherwise. */
const like = (as: string): string[] => ['--as', as, ...(['framed', 'tk', 'awt'].includes(as) ? ['--activate'] : [])];
const ONE = { button: 'left', count: 1, modifiers: [], delivery: 'background' } as const;

const events = (there: Receiving, event: string): unknown[] =>
  there.fixture.journal().filter((entry) => entry.event === event);

describe('the text of several lines', () => {
  for (const as of ['plain', 'torn', 'tk', 'wx', 'stc', 'peeks', 'framed', 'awt'] as const)
    it(`[receivers.table] arrives whole in a window like ${as}, and is not confirmed unseen`, async () => {
      await using there = await receive(like(as));
      const lines = ['wx', 'stc', 'awt'].includes(as) ? LINES.replace('\t', '') : LINES;
      for (let round = 1; round <= 3; round += 1) {
        const outcome = await there.session.type(lines);
        expect(await there.text()).toBe(lines.repeat(round));
        expect(outcome).toMatchObject({ effect: 'unverified', details: { characters: [...lines].length } });
      }
    });

  it('follows the focus into the field that the first character opens in a grid', async () => {
    await using there = await receive(['--as', 'grid']);
    const outcome = await there.session.type('42.50');
    expect(await there.text()).toBe('42.50');
    expect(outcome).toMatchObject({ details: { characters: 5 } });
  });

  it('a line, the Enter key and another line are what a person types', async () => {
    for (const as of ['torn', 'tk', 'wx', 'stc', 'peeks'] as const) {
      await using there = await receive(like(as));
      for (let round = 0; round < 5; round += 1) {
        await there.session.type('first line');
        await there.session.keys('enter');
      }
      expect(await there.text()).toBe('first line\n'.repeat(5));
    }
  });
});

describe('a character beyond U+FFFF', () => {
  const TEXT = 'a🦊b';
  it('is not typed into a window like wx, which loses it, and the hint names the clipboard', async () => {
    await using there = await receive([...like('wx'), '--activate']);
    for (const delivery of ['background', 'foreground'] as const) {
      const refused = await refusal(there.session.type(TEXT, there.session.record, delivery), 'unsupported');
      expect(refused).toMatchObject({
        delivery: 'not_delivered',
        message: expect.stringContaining('“🦊”'),
        hint: expect.stringContaining('viaClipboard: true'),
      });
    }
    expect(await there.text()).toBe('');
    await there.session.type('é狐');
    expect(await there.text()).toBe('é狐');
  });

  it('arrives in a window like tk unless its halves make another there', async () => {
    await using there = await receive(like('tk'));
    await there.session.type(TEXT);
    expect(await there.text()).toBe(TEXT);
    await refusal(there.session.type('𠀋'), 'unsupported');
    expect(await there.text()).toBe(TEXT);
  });

  it('is typed into a window of an unknown class, with a word of what may be lost', async () => {
    await using there = await receive(['--as', 'plain']);
    const outcome = await there.session.type(TEXT);
    expect(await there.text()).toBe(TEXT);
    expect(outcome.effect).toBe('unverified');
    expect(outcome.attempts.at(-1)?.reason).toMatch(/lose characters beyond U\+FFFF.*viaClipboard/);
    expect((await there.session.type('plain')).attempts.at(-1)?.reason).not.toContain('U+FFFF');
  });
});

describe('a program that takes each character slowly', () => {
  it('the answer counts what was taken, and nothing follows it', async () => {
    await using there = await receive(['--slow-ms', '20']);
    const all = 'x'.repeat(400);
    const typing = there.session.keyboard.typeText(
      there.session.record,
      all,
      { viaClipboard: false, delivery: 'background' },
      { ...(await there.session.judged()), deadlineMs: 2500 },
    );
    const late = await refusal(typing, 'deadline_exceeded');
    const said = Number(/took (\d+) of 400/.exec(late.message)?.[1]);
    expect(late.delivery).toBe('delivered');
    expect(said).toBeGreaterThan(10);
    expect(said).toBeLessThan(200);
    const text = await there.text();
    expect([said, said + 1]).toContain(text.length);
    // A click after it finds the same.
    await there.session.pointer.click(there.session.record, there.at(200, 15), ONE, await there.session.judged());
    expect(events(there, 'sent')).toMatchObject([{ length: text.length }]);
  });

  it('a stop ends it at once', async () => {
    await using there = await receive(['--slow-ms', '20']);
    const controller = new AbortController();
    const call = { ...(await there.session.judged()), signal: controller.signal };
    const typing = there.session.keyboard.typeText(
      there.session.record,
      'y'.repeat(1000),
      { viaClipboard: false, delivery: 'background' },
      call,
    );
    setTimeout(() => controller.abort(), 700);
    const stopped = await refusal(typing, 'cancelled');
    const said = Number(/(\d+) characters were typed/.exec(stopped.message)?.[1]);
    expect((await there.text()).length - said).toBeLessThanOrEqual(1);
  });
});

describe('a program that removes the part that takes the text', () => {
  it('is told apart from a window that is gone, with the characters that were taken', async () => {
    await using there = await receive(['--slow-ms', '30', '--removes', '5']);
    const said = await refusal(there.session.type('z'.repeat(40)), 'element_stale');
    expect(said).toMatchObject({ delivery: 'delivered' });
    const count = Number(/no longer exists; (\d+) characters/.exec(said.message)?.[1]);
    expect(count).toBe((await there.text()).length);
    expect(user32.IsWindow(there.fixture.hwnd)).toBe(true);
  });
});

describe('a program that has not answered the first character', () => {
  for (const [how, code] of [
    ['at the deadline', 'deadline_exceeded'],
    ['at a stop', 'cancelled'],
  ] as const)
    it(`may have it nevertheless: ${how}`, async () => {
      await using there = await receive(['--slow-ms', '2500']);
      const controller = new AbortController();
      const call = { ...(await there.session.judged()), signal: controller.signal, deadlineMs: 1500 };
      if (code === 'cancelled') setTimeout(() => controller.abort(), 400);
      const typing = there.session.keyboard.typeText(
        there.session.record,
        'zz',
        { viaClipboard: false, delivery: 'background' },
        call,
      );
      expect(await refusal(typing, code)).toMatchObject({ delivery: 'unknown' });
      expect(await there.text()).toBe('z');
    });
});

describe('input that a window takes from the real devices', () => {
  for (const as of ['awt', 'tk', 'wpf'] as const)
    it(`[receivers.refused] no click, drag, wheel or pointer reaches a window like ${as}, and the error names what works`, async () => {
      await using there = await receive(['--as', as]);
      const { pointer, record } = there.session;
      const at = there.at(100, 100);
      // Not every action that is refused has real input.
      const tries: [tried: () => Promise<unknown>, way: string][] = [
        [async () => pointer.click(record, at, ONE, await there.session.judged()), 'use click'],
        [
          async () =>
            pointer.drag(record, at, there.at(150, 120), { delivery: 'background' }, await there.session.judged()),
          'use drag',
        ],
        [
          async () => pointer.button(record, 'down', at, { delivery: 'background' }, await there.session.judged()),
          'use click',
        ],
        [async () => pointer.hover(record, at, 'background', await there.session.judged()), 'use hover-element'],
        [
          async () =>
            pointer.wheel(
              record,
              at,
              { vertical: -1, horizontal: 0 },
              { delivery: 'background' },
              await there.session.judged(),
            ),
          'use scroll',
        ],
      ];
      for (const [attempt, way] of tries) {
        const refused = await refusal(attempt(), 'unsupported');
        expect(refused).toMatchObject({
          delivery: 'not_delivered',
          hint: expect.stringContaining(`${way} with delivery: "foreground"`),
        });
      }
      expect(events(there, 'mouse')).toEqual([]);
      expect(events(there, 'pressed')).toEqual([]);
    });

  it('[receivers.table] Alt reaches a window like awt as a held key, and its letter is not typed', async () => {
    await using there = await receive(like('awt'));
    await there.session.keys('alt+f');
    expect(events(there, 'alt')).toMatchObject([{ code: 70 }]);
    expect(await there.text()).toBe('');
  });

  for (const as of ['awt', 'tk'] as const)
    it(`no key and no text is sent to a window like ${as} while another program is in front`, async () => {
      await using there = await receive(['--as', as]);
      await using front = await Fixture.start('sentinel', ['--x', '700', '--y', '420', '--activate']);
      expect(user32.GetForegroundWindow()).toBe(front.hwnd);
      for (const attempt of [
        () => there.session.type('lost'),
        () => there.session.keys('a'),
        () => there.session.keys('ctrl+a'),
      ]) {
        const refused = await refusal(attempt(), 'unsupported');
        expect(refused).toMatchObject({ delivery: 'not_delivered', hint: expect.stringContaining('manage-window') });
      }
    });

  it('tabs of real typing are keys in a window that draws itself, and it takes them', async () => {
    await using there = await receive(like('awt'));
    await there.session.type('a\tb', there.session.record, 'foreground');
    await until(
      () => there.text(),
      (text) => text === 'a\tb',
      2000,
    );
  });

  it('[receivers.refused] Alt is not sent to a window like tk', async () => {
    await using there = await receive(['--as', 'tk']);
    const refused = await refusal(there.session.keys('alt+o'), 'unsupported');
    expect(refused).toMatchObject({ delivery: 'not_delivered', hint: expect.stringContaining('"foreground"') });
    expect(await there.text()).toBe('');
  });
});

describe('a program that takes keys instead of characters', () => {
  for (const as of ['keys', 'asks'] as const)
    it(`real input reaches one like ${as} as keys`, async () => {
      await using there = await receive(['--as', as, '--activate']);
      const { session } = there;
      const text = as === 'keys' ? 'Hello 7 World' : 'hello 7 world';
      const typed = await session.type(text, session.record, 'foreground');
      expect(typed.effect).toBe('unverified');
      for (const chord of ['shift+q', 'w', 'ctrl+s']) await session.keys(chord, session.record, 'foreground');
      expect(await there.text()).toBe(`${text.replaceAll(' ', '')}Qw`);
      expect(events(there, 'ctrl')).toMatchObject([{ code: 0x53 }]);
    });

  it('its keys arrive in the background, with Shift and Ctrl where it asks for the key state', async () => {
    await using there = await receive(['--as', 'keys']);
    for (const chord of ['a', 'shift+b', '7', 'ctrl+s']) await there.session.keys(chord);
    expect(await there.text()).toBe('aB7');
    expect(events(there, 'ctrl')).toMatchObject([{ code: 0x53 }]);
  });

  it('nothing is confirmed where it asks for the keys of the moment', async () => {
    await using there = await receive(['--as', 'asks']);
    for (const chord of ['shift+b', 'ctrl+s'])
      expect(await there.session.keys(chord)).toMatchObject({ effect: 'unverified' });
    const typed = await there.session.type('text');
    expect(typed).toMatchObject({ effect: 'unverified' });
    expect(typed.attempts.at(-1)?.reason).toMatch(/look at a screenshot before typing it again.*combo/);
    expect(await there.text()).toBe('bs');
  });
});

describe('where keys go', () => {
  it('[keyboard.session] what one session clicked takes no text of another', async () => {
    await using fixture = await Fixture.start('controls');
    using mine = await Session.bind(fixture.hwnd);
    const [left, right] = [controlId('EDIT_NAME'), controlId('EDIT_RIGHT')].map((id) =>
      user32.GetDlgItem(fixture.hwnd, id),
    ) as [number, number];
    mine.focus.remember(fixture.hwnd, left, 'one');
    mine.focus.remember(fixture.hwnd, right, 'other');
    expect(findKeyTarget(fixture.hwnd, mine.focus, 'one').hwnd).toBe(left);
    expect(findKeyTarget(fixture.hwnd, mine.focus, 'other').hwnd).toBe(right);
    expect(() => findKeyTarget(fixture.hwnd, mine.focus, 'third')).toThrow(/none is known to have the focus/);
    mine.focus.forget('one');
    expect(mine.focus.find(fixture.hwnd, 'one')).toBeNull();
  });

  it('a frame that keeps the focus gets the text, before and after a click on the part that draws it', async () => {
    await using there = await receive(['--as', 'framed', '--activate']);
    await there.session.type('before ');
    await there.session.pointer.click(there.session.record, there.at(200, 150), ONE, newCall());
    await there.session.type('after');
    expect(await there.text()).toBe('before after');
  });
});

describe('native parts of a toolkit that drops keys in the background', () => {
  it('[receivers.table] a field gets the whole text at once', async () => {
    await using there = await receive(['--as', 'field']);
    const { outcome } = await there.session.elements.type({ role: 'Edit' }, 'line one\nzwei é狐');
    expect(outcome.effect).toBe('confirmed');
    expect(await there.text()).toBe('line one\r\nzwei é狐');
  });

  it('[receivers.table] the keys of a menu that cannot be read are named with the window in front', async () => {
    await using there = await receive(['--as', 'field']);
    const { hint } = await refusal(
      Promise.resolve().then(() => menuCommand(there.fixture.hwnd, pathParts('File > Save'))),
      'unsupported',
    );
    expect(hint).toMatch(/^Bring the window to the front .* delivery: "foreground": virtual-keyboard combo alt\+f/);
  });
});

describe('what the table of receivers adds to an answer', () => {
  const reasonOf = (outcome: Outcome): string => outcome.attempts.at(-1)?.reason ?? '';
  const WITH_SHORTCUTS = Object.entries(RECEIVERS).filter(([, { notes }]) => notes?.shortcut !== undefined);
  const WITH_LETTERS = Object.entries(RECEIVERS).filter(([, { notes }]) => notes?.letter !== undefined);

  for (const [as, { name, notes }] of WITH_SHORTCUTS)
    it(`${name}: a shortcut of which nothing was seen names the way that works`, async () => {
      await using there = await receive(['--as', as]);
      await using front = await Fixture.start('sentinel', ['--x', '640', '--y', '60', '--activate']);
      expect(user32.GetForegroundWindow()).toBe(front.hwnd);
      for (const chord of ['ctrl+s', 'f5', 'ctrl+shift+p']) {
        const outcome = await there.session.keys(chord);
        expect(outcome.effect).toBe('unverified');
        expect(reasonOf(outcome), chord).toContain(notes!.shortcut);
      }
      for (const chord of ['right', 'tab', 'x'])
        expect(reasonOf(await there.session.keys(chord))).not.toContain('front');
    });

  for (const [as, { name, notes }] of WITH_LETTERS)
    it(`${name}: a letter by real keys tells who has it too, and how to choose alone`, async () => {
      await using there = await receive(['--as', as, '--activate']);
      const { record } = there.session;
      expect(reasonOf(await there.session.keys('s', record, 'foreground'))).toContain(notes!.letter);
      expect(reasonOf(await there.session.keys('right', record, 'foreground'))).not.toContain('letter');
    });

  it('says nothing where shortcuts arrive', async () => {
    expect([WITH_SHORTCUTS, WITH_LETTERS].map((each) => each.length)).toEqual([1, 1]);
    await using there = await receive(['--as', 'plain']);
    expect(reasonOf(await there.session.keys('ctrl+s'))).not.toContain('front');
  });
});

describe('what is not evidence', () => {
  it('a hover look that the pointer of the click explains', async () => {
    await using there = await receive(['--as', 'hover']);
    const clicked = await there.session.pointer.click(
      there.session.record,
      there.at(200, 150),
      ONE,
      await there.session.judged(),
    );
    expect(events(there, 'pressed')).toHaveLength(1);
    expect(clicked.outcome).toMatchObject({ effect: 'unverified', evidence: [] });
  });

  /** Places of test/fixtures/receivers/looks.h. */
  const FIELDS = [40, 74, 108, 142, 176, 210].map((y) => ({ x: 90, y: y + 12 }));
  const [BOX, ROW, PUSH, STICKY, FLASH] = [46, 100, 172, 202, 232].map((y) => ({ x: 227, y }));

  it('carets, borders and looks of a pressed or visited part, by whichever action', async () => {
    await using there = await receive(['--as', 'looks']);
    const { pointer, record } = there.session;
    const plain = { modifiers: [], delivery: 'background' } as const;
    const seen: string[] = [];
    const act = async (what: string, run: (call: CallContext) => Promise<Done<unknown>>): Promise<void> => {
      const { outcome } = await run(await there.session.judged());
      if (outcome.effect !== 'unverified') seen.push(`${what}: ${JSON.stringify(outcome.evidence)}`);
    };
    for (const [index, { x, y }] of FIELDS.entries()) {
      for (const way of index === 1
        ? ([{}, { count: 2 }, { button: 'right' }, { modifiers: ['shift'] }] as const)
        : ([{}] as const))
        await act(`field ${index} ${JSON.stringify(way)}`, (call) =>
          pointer.click(record, there.at(x, y), { ...ONE, ...way }, call),
        );
      await act(`field ${index} key`, async () => ({ value: null, outcome: await there.session.keys('right') }));
      if (index !== 1) continue;
      await act(`field ${index} drag`, (call) =>
        pointer.drag(record, there.at(x, y), there.at(x + 40, y), plain, call),
      );
      await act(`field ${index} wheel`, (call) =>
        pointer.wheel(record, there.at(x, y), { vertical: -1, horizontal: 0 }, plain, call),
      );
      await act(`field ${index} tab`, async () => ({ value: null, outcome: await there.session.keys('tab') }));
    }
    for (const [what, { x, y }] of Object.entries({ PUSH: PUSH!, STICKY: STICKY!, FLASH: FLASH! })) {
      await act(what, (call) => pointer.click(record, there.at(x, y), ONE, call));
      for (const change of ['down', 'up'] as const)
        await act(`${what} ${change}`, (call) => pointer.button(record, change, there.at(x, y), plain, call));
    }
    expect(seen).toEqual([]);
    expect(events(there, 'pressed').length).toBeGreaterThan(FIELDS.length + 7);
  });

  it('[outcome.confirmed] what lasts next to them is', async () => {
    await using there = await receive(['--as', 'looks']);
    const { pointer, record } = there.session;
    for (const { x, y } of [FIELDS[1]!, BOX!, ROW!, { ...ROW!, y: ROW!.y + 20 }, BOX!]) {
      const { outcome } = await pointer.click(record, there.at(x, y), ONE, await there.session.judged());
      expect(outcome.effect, `${x},${y}`).toBe(x < 200 ? 'unverified' : 'confirmed');
    }
    expect((await there.session.keys('space')).effect).toBe('confirmed');
  });

  it('[outcome.typed] [outcome.changed-later] a text that the program completes a moment later, by whichever way it is typed', async () => {
    for (const way of ['keys', 'element'] as const) {
      await using there = await receive(['--as', 'completes']);
      const { elements } = there.session;
      const outcome =
        way === 'keys' ? await there.session.type('Hamb') : (await elements.type({ role: 'Edit' }, 'Hamb')).outcome;
      if (outcome.readBack === 'mismatch') continue;
      expect(outcome).toMatchObject({ effect: 'confirmed', readBack: 'verified' });
      const told = await until(() => laterChanges('test/default', there.fixture.hwnd)[0], 'the completed text');
      expect(told).toMatchObject({ before: 'Hamb', after: expect.stringMatching(/^Hamb./) as string });
    }
  });

  it('[outcome.ticking] a label whose words change, and a button that is enabled and disabled', async () => {
    await using there = await receive(['--as', 'hover', '--turns', '250']);
    const { pointer, record } = there.session;
    const effects: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      effects.push((await there.session.keys('f9')).effect);
      const { outcome } = await pointer.click(record, there.at(200, 150), ONE, await there.session.judged());
      effects.push(outcome.effect);
    }
    // One change may fall between the input and the first look at what it did, before the program is known for it.
    expect(effects.slice(2)).toEqual(effects.slice(2).map(() => 'unverified'));
    expect(effects.filter((effect) => effect === 'confirmed').length).toBeLessThan(2);
  });

  it('[outcome.ticking] a title that counts', async () => {
    await using there = await receive(['--as', 'hover', '--ticks', '150']);
    for (let round = 0; round < 3; round += 1) {
      expect((await there.session.keys('f9')).effect).toBe('unverified');
      const { pointer, record } = there.session;
      const { outcome } = await pointer.click(record, there.at(200, 150), ONE, await there.session.judged());
      expect(outcome.effect).toBe('unverified');
    }
  });
});
