/** A permit is for its content: another text, key, program, cell, item or element than the permitted one does not leave. */
import { describe, expect, test } from 'vitest';
import {
  VK_BACK,
  VK_CONTROL,
  VK_DELETE,
  VK_DOWN,
  VK_ESCAPE,
  VK_F5,
  VK_MENU,
  VK_RETURN,
} from '../../../../native-bindings/win32/constants.ts';
import type { Exit, PermittedPlace } from '../../../../src/contract/gate/exit.ts';
import { charactersOf, type Sent } from '../../../../src/win32/exits/fits.ts';
import { beginWay, comparedBy, comparedItem, leave, withPermit } from '../../../../src/win32/exits/leaving.ts';
import { ErrorValue, OleDate } from '../../../../native-bindings/com/variant-grid.ts';
import { daysOf, errorScode } from '../../../../src/contract/cells/cells.ts';
import { layoutOf } from '../../../../src/win32/windows/key-codes.ts';

const layout = layoutOf(0);
const typed = (text: string): Sent => ({ strokes: charactersOf(text), layout });
const pressed = (...vks: readonly number[]): Sent => ({ strokes: vks.map((vk) => ({ vk })), layout });
const C_KEY = 0x43;
const keys = (chords: readonly string[], text = '', more: Partial<Extract<Exit, { kind: 'keys' }>> = {}): Exit => ({
  kind: 'keys',
  from: 'focus',
  chords,
  text,
  rounds: 1,
  isHeld: false,
  ...more,
});
const cells = (sheet: string, range: string, values: ReadonlyArray<readonly unknown[]>, isFormula = false): Sent => ({
  cells: { sheet, range, write: { values, isFormula } },
});

interface Case {
  readonly name: string;
  readonly exit: Exit;
  /** Each row is what one call sends, one after the other. */
  readonly leaves: ReadonlyArray<readonly Sent[]>;
  /** The last of a row is refused. */
  readonly refused: ReadonlyArray<readonly Sent[]>;
}

const permits = (name: string, exit: Exit, rows: Pick<Case, 'leaves' | 'refused'>): Case => ({ name, exit, ...rows });
const replaced = (text: string): Exit => ({ kind: 'text', text, replaces: true });
const valued = (whole: string, before: string | null): Sent => ({ value: { whole, before: () => before } });
const picked = (date: string): Sent => ({ picked: date });

const CASES: readonly Case[] = [
  permits('text', replaced('one\r\ntwo'), {
    leaves: [[typed('one\ntwo')], [typed('on'), typed('e'), typed('\ntwo')], [valued('one\ntwo', 'x')]],
    refused: [
      [typed('two')],
      [typed('one'), typed('one')],
      [typed('one\ntwo'), typed('\n')],
      [valued('rm one\ntwo', 'rm ')],
      [valued('one', null)],
      [pressed(VK_DELETE)],
    ],
  }),
  {
    name: 'text that is added',
    exit: { kind: 'text', text: 'two', replaces: false },
    leaves: [[valued('one two', 'one ')], [typed('two')]],
    refused: [[valued('format two', 'one ')], [valued('one two', null)]],
  },
  permits('an empty text', replaced(''), {
    leaves: [[typed('')], [valued('', 'x')]],
    refused: [[typed('x')], [valued('x', 'x')]],
  }),
  permits('a number', replaced(' 42'), { leaves: [[{ number: 42 }]], refused: [[{ number: 43 }], [{ number: 0 }]] }),
  permits('a date of a picker', replaced('2026-12-31'), {
    leaves: [[picked('2026-12-31 08:15:00')], [picked('2026-12-31/2026-12-31')]],
    refused: [
      [picked('2026-12-30 08:15:00')],
      [picked('2026-12-31/2027-01-01')],
      [picked('')],
      [picked('192.168.0.1')],
    ],
  }),
  permits('a time of a picker', replaced('14:05'), {
    leaves: [[picked('2026-12-31 14:05:00')]],
    refused: [[picked('2026-12-31 14:05:01')], [picked('2026-12-31 14:06:00')]],
  }),
  permits('days of a calendar', replaced('2026-12-24/2026-12-31'), {
    leaves: [[picked('2026-12-24/2026-12-31')]],
    refused: [[picked('2026-12-24/2026-12-30')], [picked('2026-12-24 00:00:00')]],
  }),
  permits('no date', replaced('none'), { leaves: [[picked('')]], refused: [[picked('2026-12-31 00:00:00')]] }),
  permits('an address', replaced('10.020.0.7'), {
    leaves: [[picked('10.20.0.7')]],
    refused: [[picked('10.20.0.8')], [picked('')]],
  }),
  permits('a text that is no date', replaced('Friday'), {
    leaves: [],
    refused: [[picked('2026-12-31 00:00:00')], [picked('')], [picked('10.20.0.8')]],
  }),
  permits('a chord', keys(['ctrl+c']), {
    leaves: [
      [pressed(VK_CONTROL, C_KEY)],
      [pressed(VK_CONTROL), pressed(C_KEY)],
      [{ chords: ['ctrl+c', 'ctrl+insert'] }],
    ],
    refused: [
      [typed('calc')],
      [pressed(VK_CONTROL, VK_RETURN)],
      [pressed(VK_MENU, C_KEY)],
      [{ chords: ['ctrl+v'] }],
      [pressed(VK_CONTROL, C_KEY), pressed(C_KEY)],
      [valued('x', '')],
    ],
  }),
  permits('chords in rounds', keys(['f5', 'a'], '', { rounds: 2 }), {
    leaves: [[pressed(VK_F5), typed('a'), pressed(VK_F5), typed('A')]],
    refused: [[pressed(VK_F5), pressed(VK_F5), pressed(VK_F5)], [typed('b')], [pressed(VK_RETURN)]],
  }),
  permits('typed characters with a line break', keys([], 'ab\nc'), {
    leaves: [[typed('ab'), pressed(VK_RETURN), typed('c')], [typed('ab\nc')]],
    refused: [
      [pressed(VK_RETURN)],
      [typed('ab'), pressed(VK_RETURN), pressed(VK_RETURN)],
      [typed('ab'), pressed(VK_BACK)],
      [typed('ab\ncd')],
      [{ chords: ['ctrl+v'] }],
    ],
  }),
  permits('keys that stay down', keys(['down'], '', { isHeld: true, rounds: 100 }), {
    leaves: [[pressed(VK_DOWN), pressed(VK_DOWN), pressed(VK_DOWN)]],
    refused: [[pressed(VK_RETURN)], [typed('x')]],
  }),
  permits('text of an element by keys', keys([], 'x', { from: 'element' }), {
    leaves: [[pressed(VK_CONTROL, 0x41), typed('x')], [pressed(VK_DELETE)]],
    refused: [[pressed(VK_RETURN)], [pressed(VK_MENU, VK_RETURN)]],
  }),
  {
    name: 'the clipboard',
    exit: { kind: 'clipboard', text: 'one\ntwo' },
    leaves: [[{ clipboard: 'one\r\ntwo' }]],
    refused: [[{ clipboard: 'two' }], [{ clipboard: '' }], [{ clipboard: 'one\ntwo\n' }]],
  },
  {
    name: 'a started program',
    exit: { kind: 'start', programs: ['notepad'], terminal: null, runs: ['C:\\windows\\notepad.exe'] },
    leaves: [[{ program: 'c:\\Windows\\Notepad.exe' }]],
    refused: [[{ program: 'C:\\windows\\system32\\cmd.exe' }], [{ program: 'notepad.exe' }]],
  },
  {
    name: 'a program that was not found',
    exit: { kind: 'start', programs: ['notepad'], terminal: null, runs: [] },
    leaves: [],
    refused: [[{ program: 'C:\\windows\\notepad.exe' }]],
  },
  {
    name: 'cells',
    exit: {
      kind: 'cells',
      aim: {
        sheet: 'Plan',
        range: 'B2:C4',
        write: {
          values: [
            ['=x', 2],
            [{ formula: '=A1' }, null],
            [{ date: '2026-11-27' }, { error: '#N/A' }],
          ],
          overwrite: true,
          expect: undefined,
        },
      },
    },
    leaves: [
      [cells('Plan', 'B2:C2', [["'=x", 2]])],
      [cells('Plan', 'B3', [['=A1']], true)],
      [cells('Plan', 'C3', [[undefined]])],
      [cells('Plan', 'B4', [[new OleDate(daysOf('2026-11-27', false))]])],
      [cells('Plan', 'C4', [[new ErrorValue(errorScode('#N/A'))]])],
    ],
    refused: [
      [cells('Other', 'B2', [["'=x"]])],
      [cells('Plan', 'B2', [['=x']], true)],
      [cells('Plan', 'B3', [['=A2']], true)],
      [cells('Plan', 'A1', [["'=x"]])],
      [cells('Plan', 'D4', [[2]])],
      [cells('Plan', 'C2', [[3]])],
      [cells('Plan', 'B4', [[new OleDate(daysOf('2026-11-28', false))]])],
      [cells('Plan', 'B4', [[new ErrorValue(errorScode('#N/A'))]])],
      [cells('Plan', 'C4', [[new ErrorValue(errorScode('#REF!'))]])],
      [valued('other', null)],
    ],
  },
  {
    name: 'cells that are selected',
    exit: { kind: 'cells', aim: { sheet: 'Plan', range: 'B2', write: null } },
    leaves: [[{ cells: { sheet: 'Plan', range: 'B2', write: null } }]],
    refused: [[cells('Plan', 'B2', [[1]])], [{ cells: { sheet: 'Other', range: 'B2', write: null } }]],
  },
  {
    name: 'an answer that is typed',
    exit: { kind: 'console', text: 'main', variant: 'type' },
    leaves: [[typed('main'), pressed(VK_RETURN)]],
    refused: [[typed('rm')], [typed('main'), pressed(VK_RETURN), pressed(VK_RETURN)], [pressed(VK_ESCAPE)]],
  },
  {
    name: 'yes',
    exit: { kind: 'console', text: '', variant: 'yes' },
    leaves: [[typed('y'), pressed(VK_RETURN)], [pressed(VK_DOWN, VK_RETURN)]],
    refused: [[typed('rm -rf /')], [pressed(VK_CONTROL, C_KEY)], [pressed(VK_ESCAPE)]],
  },
  {
    name: 'Escape',
    exit: { kind: 'console', text: '', variant: 'escape' },
    leaves: [[pressed(VK_ESCAPE)]],
    refused: [[pressed(VK_RETURN)], [typed('y')]],
  },
  {
    name: 'a window’s state',
    exit: { kind: 'window', operation: 'minimize' },
    leaves: [[{ operations: ['minimize'] }]],
    refused: [[{ operations: ['maximize'] }], [{ operations: ['close'] }]],
  },
  {
    name: 'a window’s place',
    exit: { kind: 'window', operation: 'move_resize', place: { x: 10, y: 20, width: 300 } },
    leaves: [[{ operations: ['move_resize'], place: { x: 10, y: 20, width: 300, height: 999 } }]],
    refused: [
      [{ operations: ['move_resize'], place: { x: 11, y: 20, width: 300 } }],
      [{ operations: ['move_resize'], place: { x: 10, y: 20, width: 301 } }],
      [{ operations: ['move_resize'], place: { x: 10, y: 20 } }],
    ],
  },
];

const NOWHERE: PermittedPlace = { window: null, element: null };
const send = ({ exit }: Case, row: readonly Sent[]): void => {
  withPermit({ exits: [exit], target: NOWHERE, start: null }, () => {
    for (const sent of row) leave([exit.kind], sent);
  });
};

describe('[exit.permitted] the content of a permit', () => {
  test.each(CASES)('$name leaves, and nothing else', (given) => {
    for (const row of given.leaves) expect(() => send(given, row), JSON.stringify(row)).not.toThrow();
    for (const row of given.refused) {
      expect(() => send(given, row.slice(0, -1)), JSON.stringify(row)).not.toThrow();
      expect(() => send(given, row), JSON.stringify(row)).toThrow(/not judged/);
    }
  });

  test('content of one kind fits no exit of another', () => {
    for (const given of CASES)
      for (const other of CASES) {
        if (given.exit.kind === other.exit.kind) continue;
        for (const [sent] of other.leaves)
          expect(
            () =>
              withPermit({ exits: [given.exit], target: NOWHERE, start: null }, () => leave([other.exit.kind], sent)),
            `${given.name}: ${other.name}`,
          ).toThrow(/not judged/);
      }
  });

  test('another way begins its text again', () => {
    const exit: Exit = { kind: 'text', text: 'abc', replaces: true };
    withPermit({ exits: [exit], target: NOWHERE, start: null }, () => {
      leave(['text'], typed('ab'));
      beginWay();
      leave(['text'], typed('abc'));
      expect(() => leave(['text'], typed('a'))).toThrow(/not judged/);
    });
  });

  test('an item is chosen only once it was compared with the judged one', () => {
    const exit: Exit = { kind: 'choose', item: { name: 'Gold' } };
    withPermit({ exits: [exit], target: NOWHERE, start: null }, () => {
      expect(() => leave(['choose'])).toThrow(/not judged/);
      comparedItem();
      leave(['choose']);
    });
  });

  test('what acts on a named element leaves only after a comparison with it', () => {
    const named = { ...NOWHERE, isNamed: true };
    const acts: readonly Exit[] = [
      { kind: 'press', end: 'target', by: 'invoke', button: 'left', count: 1 },
      { kind: 'text', text: 'x', replaces: true },
      { kind: 'choose', item: null },
      { kind: 'focus' },
    ];
    for (const exit of acts)
      withPermit({ exits: [exit], target: named, start: null }, () => {
        expect(() => leave([exit.kind]), exit.kind).toThrow(/not judged/);
        comparedBy(() => 'it is another one');
        expect(() => leave([exit.kind]), exit.kind).toThrow(/another one/);
        comparedBy(() => null);
        leave([exit.kind]);
      });
  });
});
