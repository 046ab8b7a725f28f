/** Generated sequences of the sheet actions against workbook.exe, each through the gate: its journal judges what they did. */
import { expect, test } from 'vitest';
import { editCells, editWorkbook, formatCells, inspectWorkbook } from '../../../../src/actions/book.ts';
import type { ActionContext, ActionDefinition } from '../../../../src/actions/definition.ts';
import { readRange, selectRange, writeRange } from '../../../../src/actions/sheet.ts';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import { defaultPolicy } from '../../../../src/contract/gate/permissions.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import { withPermit } from '../../../../src/win32/exits/leaving.ts';
import { createSheetPort } from '../../../../src/win32/ports/sheet.ts';
import { subject, testWorld } from '../../../pure/policy/world.ts';
import { counting, rounds } from '../../../support/rounds.ts';
import { createPorts } from '../support/ports.ts';
import { Fixture, newCall } from '../support/programs.ts';

const seed = Number(process.env['UIAHOST_SEQUENCES_SEED']) || Date.now() % 1_000_000;
/** UIAHOST_SEQUENCES=5000 takes a quarter of an hour. */
const SEQUENCES = Number(process.env['UIAHOST_SEQUENCES']) || rounds({ whole: 1_000, quick: 200 });
/** Its journal is read again and again. */
const TO_A_PROGRAM = 40;
const { binding } = createPorts();
let state = seed;
const below = (count: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
  return (state >> 8) % count;
};
const one = <const T>(...of: readonly T[]): T => of[below(of.length)]!;
const few = <T>(most: number, make: () => T): T[] => Array.from({ length: 1 + below(most) }, make);

const column = (): string => one('A', 'B', 'C', 'D');
const cell = (): string => `${column()}${1 + below(7)}`;
const lines = (): string => one(`${1 + below(4)}:${5 + below(3)}`, '8:9', `${column()}:${column()}`);
const range = (): string => one(cell(), `${cell()}:${cell()}`, `${cell()}:${cell()}`, 'A1:C6', 'Outside');
const sheet = () => one({}, { sheet: 'Data' }, { sheet: 'Data' }, { sheet: one('Sheet1', 'Hidden', 'Chart', 'Book2') });
const name = (): string => one('Data', 'Report', 'May', 'Stock', 'Prices', 'Sums', 'Sales', '[Book2.xlsx]Data');
const formula = (): string =>
  one('=A1*2', '=B2/C2', '=[Book2.xlsx]Data!A1', '=WEBSERVICE("http://x")', "=cmd|'/c calc'!A0", '=Outside');
const value = () =>
  one<unknown>('Tea', 'tea', '', 4, 9, null, true, '007', '=B2', { date: '2026-11-23' }, { formula: formula() });
const by = (): string[] => few(2, () => `${one('', '-')}${column()}`);

const WISHES: ReadonlyArray<readonly [ActionDefinition, () => object]> = [
  [readRange, () => ({ ...sheet(), range: range() })],
  [selectRange, () => ({ ...sheet(), range: range() })],
  [inspectWorkbook, () => one({ op: 'find', text: 'tea' }, { op: one('tables', 'charts', 'sources') })],
  [
    writeRange,
    () => ({ ...sheet(), range: cell(), values: few(3, () => [name(), value()]), overwrite: one(true, false) }),
  ],
  [editCells, () => ({ op: one('insert', 'delete', 'delete'), ...sheet(), range: lines() })],
  [editCells, () => ({ op: 'move', ...sheet(), range: one('2:2', 'B:C'), to: one('1', '5', 'A', 'D') })],
  [
    editCells,
    () => ({ op: one('merge', 'unmerge', 'fill_down', 'fill_blanks', 'unfilter'), ...sheet(), range: range() }),
  ],
  [editCells, () => ({ op: 'fill_formula', ...sheet(), range: range(), formula: formula() })],
  [
    editCells,
    () => ({ op: one('sort', 'remove_duplicates'), ...sheet(), range: range(), by: by(), header: one(true, false) }),
  ],
  [
    editCells,
    () => ({ op: 'filter', ...sheet(), range: 'A1:C6', by: [column()], criteria: few(2, () => one('>4', 'Tea')) }),
  ],
  [
    formatCells,
    () => ({ ...sheet(), range: range(), ...one({ bold: true }, { numberFormat: '0.00' }, { width: 12 }) }),
  ],
  [
    editWorkbook,
    () => ({ op: one('rename_sheet', 'copy_sheet'), sheet: one('Data', 'Sheet1', 'Report'), name: name() }),
  ],
  [editWorkbook, () => ({ op: one('hide_sheet', 'show_sheet', 'delete_sheet'), sheet: one('Data', 'Hidden', name()) })],
  [editWorkbook, () => one({ op: 'add_sheet', name: name() }, { op: 'move_sheet', sheet: name(), to: 1 + below(4) })],
  [editWorkbook, () => ({ op: 'make_table', ...sheet(), range: range(), name: name() })],
  [editWorkbook, () => ({ op: 'make_chart', ...sheet(), range: range(), type: one('line', 'pie'), name: name() })],
  [
    editWorkbook,
    () => one({ op: 'add_rows', name: name(), count: 2 }, { op: 'totals', name: name(), on: one(true, false) }),
  ],
  [editWorkbook, () => one({ op: 'resize_table', name: name(), range: range() }, { op: 'refresh', name: name() })],
  [editWorkbook, () => ({ op: one('save', 'recalculate') })],
];
const LIST = 'Item Price Number|Tea 4 10|Coffee 9 3|tea 4 10|Milk 1 20'
  .split('|')
  .map((row) => row.split(' ').map((one) => Number(one) || one));

test(
  `[book.asked] nothing destructive is done unasked, and nothing in another workbook, in ${SEQUENCES} sequences`,
  { timeout: 7_200_000 },
  async () => {
    console.log(`seed ${seed}`);
    const seen = { calls: 0, done: 0, cards: 0, lost: 0, refused: 0 };
    for (const first of counting(Math.ceil(SEQUENCES / TO_A_PROGRAM))) {
      await using fixture = await Fixture.start('workbook', ['--books', '2']);
      for (const command of ['book 1', 'name Outside =[Book2.xlsx]Data!A1', 'pivot Data Sums', 'connection Sales'])
        await fixture.tell(command);
      const record = await binding.find({ hwnd: String(fixture.hwnd) }, newCall());
      using sheets = createSheetPort();
      let read = fixture.journal().length;
      const run = async (definition: ActionDefinition, wish: object, answer: 'approve' | 'deny') => {
        const level = one('control', 'full', 'full');
        const call = {
          owner: 'test',
          deadlineMs: 10_000,
          signal: new AbortController().signal,
          remoteControlMemory: true,
        };
        const world = testWorld({ policy: defaultPolicy(level), app: record.app });
        Object.assign(world, { live: record, cells: (aim: never) => sheets.before(record, aim, call) });
        world.answer = () => ({ decision: answer });
        const input = definition.input.parse(wish) as never;
        const traits = definition.traits(input, { isBound: true });
        const context = {
          desktop: { sheet: sheets },
          call,
          binding: record,
          host: { keepDocument: async () => null },
        } as unknown as ActionContext;
        let failed: unknown = null;
        try {
          const { permit } = await passGate(subject(traits, { action: definition.method, input }), world);
          // A person types into a row that was empty when the gate looked.
          if (level === 'full' && below(20) === 0)
            await fixture.tell(`set Data!${one('A8', 'D9', 'D3')} ${below(99)}`).catch(() => undefined);
          await withPermit(permit, () => definition.run(context, input));
        } catch (error) {
          failed = error;
        }
        const events = fixture.journal().slice(read);
        read += events.length;
        const what = JSON.stringify([
          `seed ${seed}`,
          `program ${first}`,
          level,
          answer,
          definition.method,
          wish,
          events,
          failed,
        ]);
        if (failed !== null) expect(failed, what).toBeInstanceOf(UiaHostError);
        expect((failed as UiaHostError | null)?.code, what).not.toBe('internal');
        const did = events.filter(({ event }) => ['changed', 'sheets', 'saved', 'selected'].includes(event));
        const lost = did.filter(
          (each) => each['lost'] || each.event === 'saved' || (each.event === 'sheets' && each['member'] === 'Delete'),
        );
        expect(
          events.filter(({ event, book = 1 }) => book !== 1 || ['other-book', 'asked', 'clipboard'].includes(event)),
          what,
        ).toEqual([]);
        if (answer === 'deny' && world.cards.length > 0) expect(did, what).toEqual([]);
        if (lost.length > 0)
          expect(
            world.cards.map(({ riskTags }) => riskTags.includes('destructive')),
            what,
          ).toEqual([true]);
        seen.calls += 1;
        seen.done += Number(did.length > 0);
        seen.cards += world.cards.length;
        seen.lost += Number(lost.length > 0);
        seen.refused += Number(failed !== null);
      };
      for (let sequence = 0; sequence < TO_A_PROGRAM; sequence += 1) {
        await run(writeRange, { sheet: 'Data', range: 'A1', values: LIST, overwrite: true }, 'approve');
        for (const [definition, make] of few(4, () => one(...WISHES)))
          await run(definition, make(), one('approve', 'approve', 'approve', 'deny'));
      }
    }
    console.log(JSON.stringify(seen));
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(SEQUENCES / 10);
  },
);
