/** Which command a chord stands for, of everything in a program's accelerator tables. */
import { describe, expect, it } from 'vitest';
import {
  chooseCommand,
  commandsOf,
  type Accelerator,
  type CommandState,
} from '../../../../src/win32/input/accelerators.ts';

const entry = (key: number, command: number, more: Partial<Accelerator> = {}): Accelerator => ({
  ctrl: true,
  alt: false,
  shift: false,
  key,
  isCharacter: false,
  command,
  ...more,
});
const S = 0x53;
const chord = { ctrl: true, alt: false, shift: false, vk: S };
/** Two tables of one program: a document's and a tool window's. */
const tables = [entry(S, 100), entry(0x50, 101), entry(S, 200), entry(0x4b, 201)];

describe('the command of an accelerator', () => {
  it('every table counts, also its form as a character', () => {
    expect(commandsOf(tables, chord)).toEqual([100, 200]);
    expect(commandsOf([entry(S - 0x40, 7, { isCharacter: true, ctrl: false })], chord)).toEqual([7]);
    expect(commandsOf(tables, { ...chord, shift: true })).toEqual([]);
  });

  const choose = (commands: number[], states: Readonly<Record<number, CommandState>>): unknown =>
    chooseCommand(commands, (command) => states[command] ?? 'absent');

  it('the command that the window’s menu has enabled is sent', () => {
    expect(choose([100, 200], { 100: 'enabled' })).toEqual({ command: 100 });
    expect(choose([100, 200], { 100: 'disabled', 200: 'enabled' })).toEqual({ command: 200 });
  });

  it.each([
    ['none there', [], {}, 'no such accelerator'],
    ['disabled', [101], { 101: 'disabled' }, 'disabled'],
    ['of another window', [201], {}, 'another window'],
    ['two enabled', [100, 200], { 100: 'enabled', 200: 'enabled' }, '2 commands'],
    ['a menu that cannot be read, and two tables', [100, 200], { 100: 'unknown', 200: 'unknown' }, 'cannot be read'],
  ] as const)('none is sent, with the reason: %s', (_, commands, states, reason) => {
    expect(choose([...commands], states)).toEqual({ reason: expect.stringContaining(reason) });
  });

  it('without a readable menu, a command on which all tables agree is sent', () => {
    expect(choose([100], { 100: 'unknown' })).toEqual({ command: 100 });
  });
});
