/** Popups of another application that belong to the bound window: what the card says, and which approvals count. */
import { describe, expect, it } from 'vitest';
import { ACTIONS } from '../../../../src/actions/index.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import { context, element, NOTEPAD, subject, testWorld } from '../world.ts';

const definition = ACTIONS.find((action) => action.method === 'clickElement')!;
const input = { name: 'Open' };
const click = subject(definition.traits(definition.input.parse(input) as never, { isBound: true }), {
  action: 'clickElement',
  input,
});
const OWN = { ...context(element('Button', 'Open')), dialogTitle: 'Pick a file' };
const OTHERS = {
  ...OWN,
  otherApp: { bundleId: 'c:\\windows\\picker.exe', displayName: 'File Picker', executable: 'C:\\Windows\\picker.exe' },
};

describe('[popups.card] a popup of another application', () => {
  it('is named on the card with the program that shows it, which is approved once', async () => {
    const world = testWorld({ app: NOTEPAD, seen: OTHERS, policy: { level: 'control' } });
    await passGate(click, world).catch(() => {});
    expect(world.cards[0]?.summary).toContain('in “Pick a file” of “picker.exe (File Picker)”');
    expect(world.cards[0]?.allowedScopes).toEqual(['once']);
  });

  it('needs no further approval if it belongs to the bound application itself', async () => {
    const world = testWorld({ app: NOTEPAD, seen: OWN, policy: { level: 'control' } });
    await passGate(click, world).catch(() => {});
    expect(world.cards[0]?.summary).not.toContain('Pick a file');
    expect(world.cards[0]?.allowedScopes).toContain('window');
  });

  it('is not covered by an earlier approval for the window', async () => {
    const world = testWorld({ app: NOTEPAD, seen: OWN, policy: { level: 'control' } });
    world.answer = () => ({ scope: 'window' });
    await passGate(click, world);
    await passGate(click, world);
    expect(world.cards).toHaveLength(1);
    world.seen = OTHERS;
    world.answer = () => ({});
    await passGate(click, world);
    expect(world.cards).toHaveLength(2);
  });
});
