/**
 * Posted clicks in programs that need more than the message: custom check marks, documents in a frame, buttons with a
 * menu.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { Outcome } from '../../../../src/contract/outcome.ts';
import type { Point } from '../../../../src/contract/element/geometry.ts';
import type { Done } from '../../../../src/desktop/index.ts';
import { FocusMemory } from '../../../../src/win32/elements/finding/focus-memory.ts';
import { HeldInputs } from '../../../../src/win32/input/held-input.ts';
import { createPointerPort, createKeyboardPort } from '../../../../src/win32/ports/input.ts';
import {
  threadOf,
  classNameOf,
  focusOf,
  MENU_CLASS,
  topWindowsOf,
  windowText,
} from '../../../../src/win32/windows/window-info.ts';
import { outerRect } from '../../../../src/win32/windows/rects.ts';
import type { TreeNode } from '../../../support/snapshot-tree.ts';
import { Elements, only, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { until } from '../../../support/until.ts';
import { Session } from '../support/session.ts';

/** What a program writes goes here. */
class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'uiahost-small-'));
  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The control of controls.exe that counts clicks and commands (test/fixtures/controls.ids.json). */
const COUNTER = 119;
const ONE = { button: 'left', count: 1, modifiers: [], delivery: 'background' } as const;

/** A posted click at a screen point. */
function clickAt(elements: Elements, at: Point, call = newCall(), focus = new FocusMemory()): Promise<Done<boolean>> {
  const pointer = createPointerPort(elements.services, { held: new HeldInputs(), focus, trees: elements.port });
  return pointer.click(elements.record, at, ONE, call);
}

/** A place next to or in an element of a snapshot, relative to the window's corner. */
function placeIn(hwnd: number, { x, y, height }: TreeNode, right: number, down = height / 2): Point {
  const frame = outerRect(hwnd)!;
  return { x: Math.round(frame.x + x + right), y: Math.round(frame.y + y + down) };
}

const did = (fixture: Fixture): unknown[] =>
  fixture
    .journal()
    .filter(({ event }) => event === 'did')
    .map(({ what, detail }) => `${String(what)}: ${String(detail)}`);

describe('a mark that its program draws itself', () => {
  it('[outcome.confirmed] a click on it that turns nothing is not confirmed by the selection that it moves', async () => {
    await using fixture = await Fixture.start('picks');
    const elements = await Elements.bind(fixture.hwnd);
    for (const [name, mark] of [
      ['Fonts', 'unchecked'],
      ['Print', 'checked'],
    ] as const) {
      const { outcome } = await clickAt(elements, placeIn(fixture.hwnd, only(await elements.nodes(), { name }), -12));
      expect(did(fixture)).toEqual([]);
      expect(outcome).toMatchObject({ effect: 'unverified', delivery: 'posted' });
      // the first click brings the tree the focus, and with it a selection
      expect(outcome.evidence[0]).toMatchObject({
        kind: 'item-state',
        before: `collapsed, ${mark}`,
        after: `collapsed, ${mark}`,
      });
    }
  });

  it('[outcome.confirmed] the selection confirms a click on the text next to it, and the branch a click on its button', async () => {
    await using fixture = await Fixture.start('picks');
    const elements = await Elements.bind(fixture.hwnd);
    const place = only(await elements.nodes(), { name: 'Network' });
    expect((await clickAt(elements, placeIn(fixture.hwnd, place, 5))).outcome).toMatchObject({
      effect: 'confirmed',
      evidence: [{ kind: 'selection' }],
    });
    expect((await clickAt(elements, placeIn(fixture.hwnd, place, -28))).outcome).toMatchObject({
      effect: 'confirmed',
      evidence: [{ kind: 'item-state', before: 'collapsed, unchecked', after: 'expanded, unchecked' }],
    });
  });

  it('[outcome.confirmed] where memory of the program may not be used, a selection confirms no click in a tree with marks', async () => {
    await using fixture = await Fixture.start('picks');
    const elements = await Elements.bind(fixture.hwnd);
    const at = placeIn(fixture.hwnd, only(await elements.nodes(), { name: 'Fonts' }), -12);
    expect((await clickAt(elements, at, newCall({ remoteControlMemory: false }))).outcome).toMatchObject({
      effect: 'unverified',
      evidence: [{ kind: 'selection' }],
    });
  });
});

describe('a tool bar’s button with a menu', () => {
  it('is pressed by a click, and its menu opens', async () => {
    await using fixture = await Fixture.start('ribbon');
    const elements = await Elements.bind(fixture.hwnd);
    const keyboard = createKeyboardPort(elements.services, {
      held: new HeldInputs(),
      focus: new FocusMemory(),
      trees: elements.port,
    });
    const { outcome } = await elements.click({ name: 'More shapes' });
    expect(outcome).toMatchObject({ effect: 'confirmed', delivery: 'posted', evidence: [{ kind: 'window-opened' }] });
    await keyboard.chords(elements.record, ['down', 'down', 'enter'], 1, 'background', newCall());
    await until(() => did(fixture).length > 0, 'the shape');
    expect(did(fixture)).toEqual(['inserted: arrow']);
  });

  it('a button without a menu is its command, without a click', async () => {
    await using fixture = await Fixture.start('ribbon');
    const elements = await Elements.bind(fixture.hwnd);
    expect((await elements.click({ name: 'Insert circle' })).outcome).toMatchObject({ delivery: 'message' });
    await until(() => did(fixture).length > 0, 'the shape');
    expect(did(fixture)).toEqual(['inserted: circle']);
  });
});

describe('several documents in a frame', () => {
  const WM_COMMAND = 0x0111;
  const [WM_MDIGETACTIVE, CMD_NEXT] = [0x0229, 107];
  /** The program's own command for its next document, as from its menu. */
  const next = async (frame: number): Promise<void> => {
    const client = user32.GetDlgItem(frame, 1);
    const active = (): number => Number(user32.SendMessageW(client, WM_MDIGETACTIVE, 0, 0));
    const before = active();
    user32.PostMessageW(frame, WM_COMMAND, CMD_NEXT, 0);
    await until(() => active() !== before, 'the other document');
  };
  /** The field of one of them. */
  const fieldOf = (nodes: readonly TreeNode[], name: string): TreeNode =>
    nodes.slice(nodes.findIndex((node) => node.name === name)).find(({ controlType }) => controlType === 'Edit')!;

  it.each([
    [
      'a click at a point',
      (elements: Elements, field: TreeNode, focus: FocusMemory) =>
        /* the corner that neither covers */ clickAt(
          elements,
          placeIn(Number(elements.record.hwnd), field, 5, field.height - 5),
          newCall(),
          focus,
        ),
    ],
    [
      'a click on the element',
      (elements: Elements, { ref }: TreeNode) =>
        elements.port.click(elements.record, ref!, { delivery: 'background' }, newCall()),
    ],
    [
      'text for the element',
      (elements: Elements, { ref }: TreeNode) =>
        elements.port.typeInto(
          elements.record,
          ref!,
          'Eggs',
          { mode: 'replace', delivery: 'background', isSecret: false },
          newCall(),
        ),
    ],
  ] as const)('%s brings the document behind forward: the next command is for it', async (_what, act) => {
    using folder = new Folder();
    await using fixture = await Fixture.start('notes', ['--folder', folder.path]);
    using focus = new FocusMemory();
    const elements = await Elements.bind(fixture.hwnd, { focus });
    const keyboard = createKeyboardPort(elements.services, { held: new HeldInputs(), focus, trees: elements.port });
    for (const name of ['Note 1', 'Note 2']) {
      const before = did(fixture).length;
      await act(elements, fieldOf(await elements.nodes(), name), focus);
      await keyboard.chords(elements.record, ['ctrl+s'], 1, 'background', newCall());
      await until(() => did(fixture).length > before, 'the note');
      expect(did(fixture).at(-1)).toBe(`wrote: ${name}.txt`);
    }
  });

  it('keys go to the document that the program itself brought forward since the click', async () => {
    await using other = await Fixture.start('sentinel', ['--x', '700', '--y', '400', '--activate']);
    using folder = new Folder();
    await using fixture = await Fixture.start('notes', ['--folder', folder.path]);
    using focus = new FocusMemory();
    const elements = await Elements.bind(fixture.hwnd, { focus });
    const keyboard = createKeyboardPort(elements.services, { held: new HeldInputs(), focus, trees: elements.port });
    const cover = async (): Promise<void> => {
      user32.SetForegroundWindow(fixture.hwnd);
      await until(() => user32.GetForegroundWindow() === fixture.hwnd, 'the notes in front');
      user32.SetForegroundWindow(other.hwnd);
      await until(
        () => user32.GetForegroundWindow() === other.hwnd && focusOf(threadOf(fixture.hwnd).thread) === 0,
        'another program in front',
      );
    };
    const fields = async (): Promise<TreeNode[]> => {
      const nodes = await elements.nodes();
      return ['Note 1', 'Note 2'].map((name) => fieldOf(nodes, name));
    };
    const type = (text: string) =>
      keyboard.typeText(elements.record, text, { viaClipboard: false, delivery: 'background' }, newCall());
    const texts = async (): Promise<unknown[]> => (await fields()).map(({ value }) => value ?? '');
    await elements.port.click(elements.record, (await fields())[0]!.ref!, { delivery: 'background' }, newCall());
    await type('one');
    expect(await texts()).toEqual(['one', '']);
    // A frame that is not in front activates its documents without giving them the focus.
    await cover();
    await next(fixture.hwnd);
    await type('two');
    expect(await texts()).toEqual(['one', 'two']);
    // What was clicked counts again once its document is back.
    await next(fixture.hwnd);
    await type('one more ');
    expect((await texts())[1]).toBe('two');
  });
});

describe('an open menu', () => {
  it('is clicked in at a point; an element under it is not', async () => {
    using folder = new Folder();
    await using fixture = await Fixture.start('notes', ['--folder', folder.path]);
    using session = await Session.bind(fixture.hwnd);
    await session.keys('alt+f');
    const popup = await until(
      () => topWindowsOf(fixture.pid).find((hwnd) => classNameOf(hwnd) === MENU_CLASS),
      'the menu',
    );
    const menu = await session.elements.bound(popup);
    const rect = outerRect(popup)!;
    // Four entries and a line between: the second is Save.
    const save = { x: rect.x + 40, y: rect.y + Math.round((rect.height / 4.5) * 1.5) };
    expect(await refusal(session.pointer.click(session.record, save, ONE, newCall()), 'state_conflict')).toMatchObject({
      delivery: 'not_delivered',
      message: expect.stringContaining('open menu'),
    });
    expect(did(fixture)).toEqual([]);
    expect((await session.pointer.click(menu.record, save, ONE, newCall())).outcome).toMatchObject({
      effect: 'confirmed',
      delivery: 'posted',
      evidence: [{ kind: 'window-closed' }],
    });
    await until(() => did(fixture).length > 0, 'the note');
    expect(did(fixture)).toEqual(['wrote: Note 2.txt']);
  });

  it('a menu bar that keeps the keys after the first escape is named until the second', async () => {
    await using fixture = await Fixture.start('controls');
    using session = await Session.bind(fixture.hwnd);
    const note = async (): Promise<string> =>
      /\(The menu bar .*\)/.exec((await session.elements.snapshot()).accessibilityText)?.[0] ?? '';
    expect(await note()).toBe('');
    await session.keys('alt+f');
    await session.keys('escape');
    expect(await note()).toMatch(/takes the keys and the pointer now.*escape leaves it/);
    await session.keys('escape');
    expect(await note()).toBe('');
  });

  for (const delivery of ['background', 'foreground'] as const)
    for (const press of ['keys', 'hold'] as const)
      it(`closes for a grey entry too: that confirms nothing, by ${press} in the ${delivery}`, async () => {
        await using fixture = await Fixture.start('controls', delivery === 'foreground' ? ['--activate'] : []);
        using session = await Session.bind(fixture.hwnd);
        const menus = (): number[] => topWindowsOf(fixture.pid).filter((hwnd) => classNameOf(hwnd) === MENU_CLASS);
        const send = async (key: string): Promise<Outcome> =>
          press === 'keys'
            ? session.keys(key, session.record, delivery)
            : (await session.keyboard.hold(session.record, [key], 60, delivery, await session.judged())).outcome;
        for (const [key, effect, shown] of [
          ['p', 'unverified', 'Clicks: 0'],
          ['n', 'confirmed', 'Clicks: 1'],
          ['escape', 'confirmed', 'Clicks: 1'],
        ] as const) {
          await session.keys('alt+f', session.record, delivery);
          await until(() => menus().length === 1, 'the menu');
          const sent = await send(key);
          expect([key, sent.effect, effect === 'unverified' ? sent.evidence : []]).toEqual([key, effect, []]);
          await until(() => menus().length === 0, 'the menu to close');
          expect(windowText(user32.GetDlgItem(fixture.hwnd, COUNTER)), key).toBe(shown);
        }
      });
});
