/**
 * Controls that are hard to name, in a real window: tool tips, pictures, a tree's custom check boxes, counters, groups.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { classNameOf, topWindowsOf } from '../../../../src/win32/windows/window-info.ts';
import { menuEntries } from '../../../../src/win32/elements/finding/menu-path.ts';
import { Elements, only, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { until } from '../../../support/until.ts';

let fixture: Fixture;
let elements: Elements;

beforeAll(async () => {
  fixture = await Fixture.start('names', ['--topmost']);
  elements = await Elements.bind(fixture.hwnd);
});
afterAll(() => fixture[Symbol.asyncDispose]());

describe('their names in a snapshot', () => {
  test('tool bar buttons without a text, by their tool tips', async () => {
    const nodes = await elements.nodes();
    const named = nodes.filter(({ id }) => id?.startsWith('Item ')).map(({ id, name }) => [id, name]);
    expect(named).toEqual([
      ['Item 101', 'New document'],
      ['Item 102', 'Open… (Ctrl+O)'],
      ['Item 103', 'Plain'],
      ['Item 104', 'Spelling'],
    ]);
    const ref = await elements.ref({ name: 'New document' });
    expect((await elements.port.click(elements.record, ref, { delivery: 'background' }, newCall())).value).toBe(true);
    expect(
      fixture
        .journal()
        .filter(({ event }) => event === 'chosen')
        .map((entry) => entry['id']),
    ).toContain(101);
  });

  test('without memory in the program they stay without a name', async () => {
    const nodes = await elements.nodes({ remoteControlMemory: false });
    expect(nodes.filter(({ id }) => id?.startsWith('Item '))).toEqual([]);
  });

  test('a picture has no name that is the number of a resource', async () => {
    const text = (await elements.snapshot()).accessibilityText;
    expect(text).not.toContain('\uffff');
    expect(text).not.toContain('[Image]');
  });

  test('tree items show whether they are checked by images of the program’s own', async () => {
    const items = (await elements.nodes()).filter(({ controlType }) => controlType === 'TreeItem');
    expect(
      items.map(({ name, states, value }) => [
        name,
        states.filter((state) => state === 'checked' || state === 'mixed'),
        value,
      ]),
    ).toEqual([
      ['Documentation', [], undefined],
      ['Program', ['checked'], undefined],
      ['Plug-ins', ['mixed'], undefined],
      ['Required', [], 'state image 5'],
      ['Heading', [], undefined],
    ]);
  });

  test('rows of a list show the same', async () => {
    const rows = (await elements.nodes()).filter(({ controlType }) => controlType === 'ListItem');
    const checks = (name: string): unknown[] =>
      rows.find((row) => row.name === name)!.states.filter((state) => state === 'checked' || state === 'mixed');
    expect(['Documentation', 'Program', 'Plug-ins'].map(checks)).toEqual([[], ['checked'], ['mixed']]);
  });

  test('buttons and fields that nothing names', async () => {
    const nodes = await elements.nodes();
    expect(only(nodes, { id: '122' }).name).toBe('(beside “Destination Folder”)');
    expect(only(nodes, { id: '140' }).name).toBe('');
    expect((await elements.context({ name: '(beside “Destination Folder”)', role: 'Button' })).element).toMatchObject({
      automationId: '122',
      name: '',
    });
  });

  test('text goes to a group’s only field', async () => {
    expect((await elements.type({ name: 'Destination Folder' }, 'C:\\Other')).outcome.effect).toBe('confirmed');
    expect(only(await elements.nodes(), { id: '121' }).value).toBe('C:\\Other');
  });

  test('a closed combo box with many items is one line; opened, its items are shown', async () => {
    const nodes = await elements.nodes();
    expect(only(nodes, { id: '160' })).toMatchObject({ value: 'Choice 5', states: ['collapsed'] });
    expect(nodes.filter(({ name }) => name.startsWith('Choice '))).toEqual([]);
    expect((await elements.context({ name: 'Choice 17' })).element).toMatchObject({ controlType: 'ListItem' });
  });
});

test('fields next to texts that change keep their names, and a difference is the one line that changed', async () => {
  const seen = async (since?: string): Promise<string> =>
    (await elements.snapshot(since === undefined ? {} : { since })).accessibilityText;
  const fields = async (): Promise<string[]> =>
    (await elements.nodes())
      .filter(({ id }) => ['131', '133', '135', '137'].includes(id ?? ''))
      .map(({ name }) => name);
  for (let number = 0; number < 4; number += 1) {
    await fixture.tell(`count ${number}`);
    await seen();
  }
  const before = await elements.snapshot();
  const names = await fields();
  expect(names.at(-1)).toBe('Line 2:');
  expect(names.slice(0, -1).filter((name) => /clicks|Round|Ready|Working|Saved/.test(name))).toEqual([]);
  await fixture.tell('count 4');
  const difference = await seen(before.observationId);
  expect(difference.split('\n').map((line) => /"([^"]*)"/.exec(line)?.[1])).toEqual(['clicks=4', 'Round 4', 'Working']);
  expect(await fields()).toEqual(names);
});

describe('menus', () => {
  const WM_SYSCOMMAND = 0x0112;
  const SC_KEYMENU = 0xf100;
  const WM_CANCELMODE = 0x001f;

  test('a path without an element: chosen where the menu can be read, else the hint names the keys', async () => {
    const chosen = elements.select({}, { name: 'File > Rename...' });
    if (menuEntries(user32.GetMenu(fixture.hwnd)) === null) {
      const error = await refusal(chosen, 'unsupported');
      expect(error).toMatchObject({
        delivery: 'not_delivered',
        hint: expect.stringMatching(/virtual-keyboard combo alt\+f .*then r /) as unknown,
      });
    } else {
      await chosen;
      await until(
        () => fixture.journal().some((entry) => entry.event === 'chosen' && entry['id'] === 201),
        'the command',
      );
      await refusal(elements.select({}, { name: 'File > Delete' }), 'target_disabled');
    }
  });

  test('a name that no element has leads to the menu', async () => {
    for (const query of [{ name: 'Rename' }, { role: 'MenuBar' }, { name: 'Word wrap', role: 'MenuItem' }]) {
      const found = await elements.context(query).catch((error: unknown) => error);
      // Where UI Automation shows the menu bar, it is found.
      if (found instanceof Error)
        expect(found, JSON.stringify(query)).toMatchObject({
          code: 'target_not_found',
          hint: expect.stringMatching(/select-element.*alt\+letter/) as unknown,
        });
    }
    expect(await refusal(elements.context({ automationId: '4711' }), 'target_not_found')).not.toMatchObject({
      hint: expect.stringContaining('alt+letter') as unknown,
    });
  });

  test('an open menu says its entries, or how they are chosen', async () => {
    user32.PostMessageW(fixture.hwnd, WM_SYSCOMMAND, SC_KEYMENU, 'f'.charCodeAt(0));
    const popup = await until(
      () => topWindowsOf(fixture.pid).find((hwnd) => classNameOf(hwnd) === '#32768' && user32.IsWindowVisible(hwnd)),
      'the menu',
    );
    try {
      const menu = await elements.bound(popup);
      const { accessibilityText } = await menu.snapshot();
      expect(accessibilityText).toMatch(/^\[Menu\] /);
      if (accessibilityText.includes('[MenuItem]')) expect(accessibilityText).toContain('Rename');
      else
        expect(accessibilityText.split('\n').slice(1)).toEqual([
          expect.stringMatching(
            /^\(The entries of this open menu cannot be read here\. .*underlined letter/,
          ) as unknown,
        ]);
    } finally {
      user32.PostMessageW(fixture.hwnd, WM_CANCELMODE, 0, 0);
    }
  });
});
