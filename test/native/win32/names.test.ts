/** Controls that are hard to name, in a real window: tool tips, pictures, check boxes of a tree's own, counters, groups. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Elements, only } from './support/elements.ts';
import { Fixture, newCall } from './support/programs.ts';

let fixture: Fixture;
let elements: Elements;

beforeAll(async () => {
  fixture = await Fixture.start('names', ['--topmost']);
  elements = await Elements.bind(fixture.hwnd);
});
afterAll(() => fixture[Symbol.asyncDispose]());

describe('what a snapshot calls them', () => {
  test('[name.tool-tip] tool bar buttons without a text, by their tool tips', async () => {
    const nodes = await elements.nodes();
    const named = nodes.filter(({ id }) => id?.startsWith('Item ')).map(({ id, name }) => [id, name]);
    expect(named).toEqual([['Item 101', 'New document'], ['Item 102', 'Open… (Ctrl+O)'], ['Item 103', 'Plain'], ['Item 104', 'Spelling']]);
    const ref = await elements.ref({ name: 'New document' });
    expect((await elements.port.click(elements.record, ref, { delivery: 'background' }, newCall())).value).toBe(true);
    expect(fixture.journal().filter(({ event }) => event === 'chosen').map((entry) => entry['id'])).toContain(101);
  });

  test('[name.tool-tip] without memory in the program they stay without a name', async () => {
    const nodes = await elements.nodes({ remoteControlMemory: false });
    expect(nodes.filter(({ id }) => id?.startsWith('Item '))).toEqual([]);
  });

  test('[name.ordinal] a picture has no name that is the number of a resource', async () => {
    const text = (await elements.snapshot()).accessibilityText;
    expect(text).not.toContain('\uffff');
    expect(text).not.toContain('[Image]');
  });

  test('[tree.check] tree items show whether they are checked by images of the program’s own', async () => {
    const items = (await elements.nodes()).filter(({ controlType }) => controlType === 'TreeItem');
    expect(items.map(({ name, states, value }) => [name, states.filter((state) => state === 'checked' || state === 'mixed'), value])).toEqual([
      ['Documentation', [], undefined], ['Program', ['checked'], undefined], ['Plug-ins', ['mixed'], undefined], ['Required', [], 'state image 5'], ['Heading', [], undefined],
    ]);
  });

  test('[name.beside] buttons and fields that nothing names', async () => {
    const nodes = await elements.nodes();
    expect(only(nodes, { id: '122' }).name).toBe('(beside “Destination Folder”)');
    expect(only(nodes, { id: '140' }).name).toBe('');
    expect((await elements.context({ name: '(beside “Destination Folder”)', role: 'Button' })).element).toMatchObject({ automationId: '122', name: '' });
  });

  test('[query.group] text goes to a group’s only field', async () => {
    expect((await elements.type({ name: 'Destination Folder' }, 'C:\\Other')).outcome.effect).toBe('confirmed');
    expect(only(await elements.nodes(), { id: '121' }).value).toBe('C:\\Other');
  });

  test('[snapshot.combo] a closed combo box with many items is one line; opened, its items are shown', async () => {
    const nodes = await elements.nodes();
    expect(only(nodes, { id: '160' })).toMatchObject({ value: 'Choice 5', states: ['collapsed'] });
    expect(nodes.filter(({ name }) => name.startsWith('Choice '))).toEqual([]);
    expect((await elements.context({ name: 'Choice 17' })).element).toMatchObject({ controlType: 'ListItem' });
  });
});

describe('[label.still] fields beside texts that change', () => {
  test('keep their names, and a difference has the one line of what changed', async () => {
    const seen = async (since?: string): Promise<string> => (await elements.snapshot(since === undefined ? {} : { since })).accessibilityText;
    const fields = async (): Promise<string[]> => (await elements.nodes()).filter(({ id }) => ['131', '133', '135', '137'].includes(id ?? '')).map(({ name }) => name);
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
});
