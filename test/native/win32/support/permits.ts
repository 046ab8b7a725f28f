/** Permits for tests that call a port without a gate. */
import type { Button, Exit, Permit } from '../../../../src/contract/gate/exit.ts';

const BUTTONS: readonly Button[] = ['left', 'right', 'middle'];

/** Every kind of exit with anything in it. */
export function everyExit(): Permit {
  const exits: Exit[] = [
    ...BUTTONS.flatMap((button): Exit[] => [
      { kind: 'press', end: 'target', by: 'click', button, count: 1 },
      { kind: 'point', end: 'target', does: 'press', button, count: 1, held: [] },
    ]),
    { kind: 'keys', from: 'focus', chords: ['any'], text: '', rounds: 1, isHeld: false },
    { kind: 'text', text: null, replaces: true },
    { kind: 'choose', item: null },
    { kind: 'cells', aim: { sheet: undefined, range: '', write: { values: [], overwrite: true, expect: undefined } } },
    { kind: 'scroll' },
    { kind: 'focus' },
    ...['move_resize', 'close', 'back', 'minimize', 'maximize', 'restore', 'focus'].map((operation): Exit => ({
      kind: 'window',
      operation,
    })),
    { kind: 'start', programs: [], terminal: null, runs: [] },
    { kind: 'clipboard', text: null as unknown as string },
    { kind: 'console', text: '', variant: null },
  ];
  return { exits, target: { window: null, element: null }, start: null };
}
