/** Flags of the real definitions: what an action says that it needs is what the gate is given. */
import { describe, expect, test } from 'vitest';
import { ACTIONS } from '../../../../src/actions/index.ts';
import { Flag } from '../../../../src/contract/gate/permissions.ts';

const flagsOf = (name: string, input: object, isBound = true): readonly string[] => {
  const definition = ACTIONS.find((action) => action.name === name)!;
  return definition.traits(definition.input.parse(input) as never, { isBound }).flags;
};

/** An input for which each action needs a flag, and one for which it does not. */
const NEEDS: ReadonlyArray<readonly [string, string, object, boolean]> = [
  ['clipboardRead', 'read-clipboard', {}, true],
  ['clipboardWrite', 'write-clipboard', { text: 'x' }, true],
  ['clipboardWrite', 'type', { text: 'x', viaClipboard: true }, true],
  ['displayCapture', 'screenshot', { displayId: 1 }, true],
  ['displayCapture', 'screenshot', {}, false],
  ['displayCapture', 'zoom', { regionLogical: { x: 0, y: 0, w: 1, h: 1 }, displayId: 1 }, true],
  ['displayCapture', 'resolve-prepare-capture', { preferredDisplayId: 1 }, true],
  ['prompts', 'respond-to-prompt', { responseType: 'yes' }, true],
];

describe('flags of definitions', () => {
  test.each(NEEDS)('%s: %s %o (bound: %o)', (flag, name, input, isBound) => {
    expect(flagsOf(name, input, isBound)).toEqual([flag]);
  });

  test('none where none is needed', () => {
    expect([
      flagsOf('type', { text: 'x' }),
      flagsOf('screenshot', {}),
      flagsOf('click-element', { name: 'a' }),
      flagsOf('key', { keySequence: 'ctrl+s' }),
    ]).toEqual([[], [], [], []]);
  });

  test('every flag that a definition’s `needs` names is in its traits, and every flag is named', () => {
    const named = ACTIONS.flatMap(({ name, needs }) =>
      Flag.options.filter((flag) => needs.includes(flag)).map((flag) => [flag, name] as const),
    );
    expect(new Set(named.map(([flag]) => flag))).toEqual(new Set(Flag.options));
    // systemKeyCombos depends on the keys alone, whichever action presses them.
    const carried = new Set(NEEDS.map(([flag, name]) => `${flag} ${name}`));
    expect(named.filter(([flag, name]) => flag !== 'systemKeyCombos' && !carried.has(`${flag} ${name}`))).toEqual([]);
  });
});
