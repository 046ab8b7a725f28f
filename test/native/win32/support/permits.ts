/** Permits for tests that call a port without a gate. */
import type { Button, Exit, Permit } from '../../../../src/contract/gate/exit.ts';

const BUTTONS: readonly Button[] = ['left', 'right', 'middle'];

const NAMED =
  'enter escape tab backspace delete insert home end pageup pagedown space up down left right f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12';
const KEYS = [...'abcdefghijklmnopqrstuvwxyz0123456789', ...NAMED.split(' ')];
/** Every key, alone and with each modifier. */
const CHORDS: readonly string[] = ['', 'ctrl+', 'alt+', 'shift+', 'ctrl+shift+', 'ctrl+alt+'].flatMap((held) =>
  KEYS.map((key) => `${held}${key}`),
);

/** Every kind of exit with anything in it. */
export function everyExit(): Permit {
  const exits: Exit[] = [
    ...BUTTONS.flatMap((button): Exit[] => [
      { kind: 'press', end: 'target', by: 'click', button, count: 1 },
      { kind: 'point', end: 'target', does: 'press', button, count: 1, held: [] },
    ]),
    // The process that writes to consoles compares contents whatever the test's own process does.
    { kind: 'keys', from: 'focus', chords: CHORDS, text: null as unknown as string, rounds: 1, isHeld: true },
    { kind: 'text', text: null, replaces: true },
    { kind: 'choose', item: null },
    { kind: 'cells', aim: { sheet: undefined, range: '', write: { values: [], overwrite: true, expect: undefined } } },
    { kind: 'path', path: '' },
    { kind: 'scroll' },
    { kind: 'focus' },
    ...['move_resize', 'close', 'back', 'minimize', 'maximize', 'restore', 'focus'].map((operation): Exit => ({
      kind: 'window',
      operation,
    })),
    { kind: 'start', programs: [], terminal: null, runs: [] },
    { kind: 'clipboard', text: null as unknown as string },
    { kind: 'console', text: '', variant: null },
    { kind: 'console', text: '', variant: 'select' },
    { kind: 'console', text: '', variant: 'escape' },
  ];
  return { exits, target: { window: null, element: null }, start: null };
}
