/** What each action's definition must be: listed, and with a sample that the tests can call it with. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ACTIONS, type ActionDefinition } from '../../../src/actions/index.ts';

const folder = new URL('../../../src/actions/', import.meta.url);

const isDefinition = (value: unknown): value is ActionDefinition =>
  typeof value === 'object' && value !== null && 'traits' in value && 'run' in value;

describe('a definition', () => {
  it.each(ACTIONS.map((action) => [action.name, action] as const))('%s has a valid sample', (_name, action) => {
    expect(action.input.safeParse(action.sample).error).toBeUndefined();
  });

  it('that a topic exports is an action', async () => {
    const topics = readdirSync(folder).filter((file) => file !== 'index.ts');
    const exported = await Promise.all(
      topics.map(async (file) => Object.values((await import(new URL(file, folder).href)) as object)),
    );
    // A topic exports a definition by its name, in its list, or both.
    const definitions = new Set(exported.flat(2).filter(isDefinition));
    expect([...definitions].map(({ name }) => name).toSorted()).toEqual(ACTIONS.map(({ name }) => name).toSorted());
  });
});

describe('an id', () => {
  const inputOf = (name: string) => ACTIONS.find((action) => action.name === name)!.input;

  it('[id.number] is taken as a number too where that is exact', () => {
    expect(inputOf('bind-to-window').parse({ hwnd: 131_202 })).toEqual({ hwnd: '131202' });
    expect(inputOf('click-element').parse({ automationId: 1001 })).toEqual({ automationId: '1001' });
    for (const hwnd of [1.5, -1, 1e21, Number.NaN, true, null, [131_202]])
      expect(inputOf('bind-to-window').safeParse({ hwnd }).success).toBe(false);
  });
});

describe('rules between the fields of an input', () => {
  const accepts = (name: string, input: object): boolean =>
    ACTIONS.find((action) => action.name === name)!.input.safeParse(input).success;

  it('bind-to-window needs one of hwnd, title and pid', () => {
    expect(accepts('bind-to-window', {})).toBe(false);
    for (const criterion of [{ hwnd: '4242' }, { title: 'Notepad' }, { pid: 7 }])
      expect(accepts('bind-to-window', criterion)).toBe(true);
  });

  it('[manage.move-needs] move_resize needs x and y, or width and height, and no other action of manage-window takes them', () => {
    expect(accepts('manage-window', { action: 'move_resize', x: 1, y: 2 })).toBe(true);
    expect(accepts('manage-window', { action: 'move_resize', width: 1, height: 2 })).toBe(true);
    for (const place of [{}, { x: 1 }, { y: 1 }, { width: 1 }, { height: 1 }, { x: 1, width: 1, height: 1 }])
      expect(accepts('manage-window', { action: 'move_resize', ...place })).toBe(false);
    expect(accepts('manage-window', { action: 'close', x: 1, y: 1 })).toBe(false);
  });
});

describe('the target of keys', () => {
  const target = (text: string, delivery?: string): object => {
    const type = ACTIONS.find(({ name }) => name === 'virtual-keyboard')!;
    const input = type.input.parse({ action: 'type', text, ...(delivery === undefined ? {} : { delivery }) });
    return type.traits(input as never, { isBound: true } as never).target;
  };

  it('stays in its field only for text without keys that could leave it', () => {
    expect(target('Grüße, 100 €')).toMatchObject({ staysInField: true });
    for (const text of ['a\tb', 'a\nb', 'a\rb', '\u001b', '\b', '\u007f'])
      expect(target(text)).not.toHaveProperty('staysInField');
    expect(target('a', 'foreground')).not.toHaveProperty('staysInField');
  });
});
