/** What choosing an item inside an element means: judged by the item, not by what the caller calls it. */
import { describe, expect, it } from 'vitest';
import { ACTIONS } from '../../../../src/actions/index.ts';
import type { ChosenItem } from '../../../../src/contract/element/element.ts';
import { pathParts } from '../../../../src/contract/element/element-words.ts';
import { actionDigest } from '../../../../src/policy/gate/digest.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import { deriveRisk, type Risk } from '../../../../src/policy/risk/target/risk.ts';
import { bound, context, element, NOTEPAD, subject, testWorld } from '../world.ts';

const SELECT_ELEMENT = ACTIONS.find(({ method }) => method === 'selectElement')!;
const traits = (input: object) => SELECT_ELEMENT.traits(SELECT_ELEMENT.input.parse(input) as never, { isBound: true });
const items = (controlType: ChosenItem['controlType'], ...names: string[]): ChosenItem[] =>
  names.map((name, at) => ({ controlType, name, identity: `at ${at}` }));
function risk(
  input: object,
  chosen: ChosenItem[] | null,
  holder: Parameters<typeof element>[0] = 'ComboBox',
  texts: string[] = [],
): Risk {
  return deriveRisk({
    traits: traits(input),
    app: NOTEPAD,
    binding: bound(NOTEPAD),
    context: context(element(holder, 'Actions'), { chosen, dialogTexts: texts }),
    typesSecret: false,
    claims: null,
  });
}

describe('the judged item', () => {
  it.each([{ item: 'Dele' }, { item: 'account' }, { item: 'dELETE' }, { item: 'D' }, { index: 2 }])(
    '%j, which would choose “Delete account…”',
    (wanted) => {
      expect(risk({ name: 'Actions', ...wanted }, items('ListItem', 'Delete account…'))).toMatchObject({
        level: 'critical',
        tags: ['destructive'],
        flags: [],
      });
      expect(risk({ name: 'Actions', ...wanted }, items('ListItem', 'Details'))).toMatchObject({
        level: 'high',
        tags: [],
        flags: [],
      });
    },
  );

  it.each(['ListItem', 'TreeItem', 'DataItem', 'TabItem', 'MenuItem', 'RadioButton', 'Custom'] as const)(
    'an item that is a %s',
    (type) => {
      expect(risk({ name: 'Actions', index: 0 }, items(type, 'Pay now'), 'List').tags).toContain('financial');
    },
  );

  it('every entry on a menu’s way, even if it looks like a file', () => {
    expect(risk({ item: 'Fi > Er > All' }, items('MenuItem', 'File', 'Erase', 'All'), 'Window').tags).toEqual([
      'destructive',
    ]);
    for (const name of ['Delete.all', 'Delete everything.now', 'Send to a.b'])
      expect(risk({ item: `File > ${name}` }, items('MenuItem', 'File', name), 'Window').tags, name).not.toEqual([]);
    expect(risk({ item: 'Open' }, items('ListItem', 'Delete everything.now'), 'ComboBox').tags).toEqual([
      'destructive',
    ]);
    expect(risk({ item: 'Open' }, items('ListItem', 'how to delete.txt'), 'List').tags).toEqual([]);
  });

  it('an item that could not be looked up, or has no name, is an unknown target', () => {
    for (const wanted of [{ item: 'Estonia' }, { index: 3 }]) {
      expect(risk({ name: 'Actions', ...wanted }, null).flags).toEqual(['unknown_target']);
      expect(risk({ name: 'Actions', ...wanted }, items('ListItem', '')).flags).toEqual(['unknown_target']);
      expect(risk({ name: 'Actions', ...wanted }, null, 'ComboBox', ['This cannot be undone.']).tags).toEqual([
        'destructive',
      ]);
    }
    expect(risk({ name: 'Actions', item: 'Delete account' }, null).tags).toEqual(['destructive']);
  });

  it.each([
    'File > Delete',
    'File>Delete',
    'File › Delete',
    'File→Delete',
    'File|Delete',
    'undo > Delete',
    ' > Delete',
    'File > Delete.exe',
  ])('the gate reads %j as the delivery does', (path) => {
    expect(pathParts(path).at(-1)?.name).toMatch(/^Delete/);
    expect(risk({ item: path }, null, 'Window').tags).toContain('destructive');
  });
});

describe('the bound item', () => {
  const parts = (chosen: ChosenItem[] | null) => ({
    action: 'selectElement',
    input: {},
    binding: bound(NOTEPAD),
    app: NOTEPAD,
    context: context(element('ComboBox', 'Actions'), { chosen }),
  });

  it('[approval.digest] another item, another name and another path are another digest', () => {
    const of = (chosen: ChosenItem[] | null): string => actionDigest(parts(chosen));
    const all = [
      null,
      items('ListItem', 'Red'),
      items('ListItem', 'Blue'),
      items('MenuItem', 'Red'),
      items('ListItem', 'File', 'Red'),
      [{ ...items('ListItem', 'Red')[0]!, identity: 'at 7' }],
    ];
    expect(new Set(all.map(of)).size).toBe(all.length);
    expect(of(items('ListItem', 'Red'))).toBe(of(items('ListItem', 'Red')));
  });

  it('[gate.chosen] the card names the actual item, and an item that was swapped voids the approval', async () => {
    const world = testWorld({
      seen: context(element('ComboBox', 'Actions'), { chosen: items('ListItem', 'Delete account…') }),
    });
    world.answer = (_card, of) => {
      of.seen = context(element('ComboBox', 'Actions'), { chosen: items('ListItem', 'Delete everything') });
      return {};
    };
    await expect(
      passGate(
        subject(traits({ name: 'Actions', item: 'Dele' }), {
          action: 'selectElement',
          input: { name: 'Actions', item: 'Dele' },
        }),
        world,
      ),
    ).rejects.toMatchObject({ code: 'state_conflict' });
    expect(world.cards[0]?.summary).toContain('item “Delete account…” of the combo box “Actions”');
    expect(world.voided).toHaveLength(1);
  });

  it('the card reports that the item could not be looked up', async () => {
    const world = testWorld({
      policy: { level: 'control' },
      seen: context(element('ComboBox', 'Actions'), { chosen: null }),
    });
    for (const wanted of [{ item: 'Blue' }, { index: 2 }])
      await passGate(
        subject(traits({ name: 'Actions', ...wanted }), { action: 'selectElement', input: wanted }),
        world,
      );
    expect(world.cards.map(({ summary }) => summary)).toEqual([
      expect.stringContaining('item “Blue”, which could not be read, of'),
      expect.stringContaining('item number 3, which could not be read, of'),
    ]);
    expect(world.cards[0]?.flags).toContain('unknown_target');
  });
});
