/** End to end: what people ask for in a spreadsheet, by the public interface: asked first, proven after, in the bound workbook alone. */
import { expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Fixture } from '../support/fixture.ts';
import { eachWorkbook } from '../support/workbook.ts';

let book: Fixture;
let client: Client;
eachWorkbook((given) => void ({ book, client } = given), { args: ['--books', 2], policy: { level: 'control' } });

type Call = readonly [action: string, input: object];
type Cells = readonly unknown[][];
/** The list that most tasks begin with, in Data!A1:C6. */
const LIST: Cells = [
  ['Item', 'Price', 'Number'],
  ['Tea', 4, 10],
  ['Coffee', 9, 3],
  ['tea', 4, 10],
  ['Cocoa', 6, 0],
  ['Milk', 1, 20],
];
const at = (range: string, more: object): object => ({ sheet: 'Data', range, ...more });
const edit = (op: string, more: object): Call => ['edit-workbook', { op, ...more }];
const cells = (op: string, range: string, more: object = {}): Call => ['edit-cells', at(range, { op, ...more })];
const write = (range: string, values: Cells, more: object = {}): Call => [
  'write-range',
  at(range, { values, ...more }),
];
const format = (range: string, more: object): Call => ['format-cells', at(range, more)];
const list = (op: string, more: object = {}): Call => ['inspect-workbook', { op, ...more }];

/** What is there afterwards: cells of Data by their range, or what the last call answers. */
const TASKS: ReadonlyArray<readonly [wish: string, calls: readonly Call[], place: string | null, there: unknown]> = [
  ['remove the duplicate rows', [cells('remove_duplicates', 'A1:C6')], 'A5:A6', [['Milk'], [null]]],
  ['sort my list by price, dearest first', [cells('sort', 'A1:C6', { by: ['-B'] })], 'A2:A3', [['Coffee'], ['Cocoa']]],
  ['sort by number, then by name', [cells('sort', 'A1:C6', { by: ['C', 'A'] })], 'A2:A3', [['Cocoa'], ['Coffee']]],
  ['show only what costs more than 5', [cells('filter', 'A1:C6', { by: ['B'], criteria: ['>5'] })], 'A3', [['Coffee']]],
  [
    'show everything again',
    [cells('filter', 'A1:C6', { by: ['B'], criteria: ['>5'] }), cells('unfilter', 'A1:C6')],
    'A2',
    [['Tea']],
  ],
  [
    'add a column with price times number',
    [write('D1', [['Total']]), cells('fill_formula', 'D2:D6', { formula: '=B2*C2' })],
    'D1:D3',
    [['Total'], [40], [27]],
  ],
  ['add up the prices below the list', [write('B7', [[{ formula: '=SUM(B2:B6)' }]])], 'B7', [[24]]],
  [
    'which rows divide by zero',
    [cells('fill_formula', 'D2:D6', { formula: '=B2/C2' }), list('find', { text: '#DIV/0!', sheet: 'Data' })],
    null,
    { rows: [{ sheet: 'Data', cell: 'D5', value: '#DIV/0!' }] },
  ],
  [
    'find coffee',
    [list('find', { text: 'coff', sheet: 'Data' })],
    null,
    { rows: [{ sheet: 'Data', cell: 'A3', value: 'Coffee' }] },
  ],
  ['put two empty rows above the first item', [cells('insert', '2:3')], 'A2:A4', [[null], [null], ['Tea']]],
  ['delete the cocoa row', [cells('delete', '5:5')], 'A4:A5', [['tea'], ['Milk']]],
  ['move the number column to the front', [cells('move', 'C:C', { to: 'A' })], 'A1:C1', [['Number', 'Item', 'Price']]],
  [
    'put a title over the table',
    [cells('insert', '1:1'), write('A1', [['Stock']]), cells('merge', 'A1:C1'), format('A1:C1', { align: 'center' })],
    'A1:A2',
    [['Stock'], ['Item']],
  ],
  [
    'unmerge the groups and fill each row',
    [
      write('E1', [['x'], [null], ['y'], [null]]),
      cells('merge', 'E1:E2'),
      cells('unmerge', 'E1:E2'),
      cells('fill_blanks', 'E1:E4'),
    ],
    'E1:E4',
    [['x'], ['x'], ['y'], ['y']],
  ],
  [
    'copy the formula down',
    [write('D2', [[{ formula: '=B2+1' }]]), cells('fill_down', 'D2:D4')],
    'D2:D4',
    [[5], [10], [5]],
  ],
  ['two decimals for the prices', [format('B2:B6', { numberFormat: '0.00' })], 'B2', [[4]]],
  [
    'show it as days',
    [write('E2', [[46349]]), format('E2', { numberFormat: 'm/d/yyyy' })],
    'E2',
    [[{ date: '2026-11-23' }]],
  ],
  [
    'header bold, on yellow, lines around',
    [format('A1:C1', { bold: true, fill: '#ffee00', border: 'thin' })],
    'A1',
    [['Item']],
  ],
  [
    'wrap the notes at the top left',
    [format('A2:A6', { wrap: true, valign: 'top', align: 'left', width: 12 })],
    'A2',
    [['Tea']],
  ],
  [
    'make it a table with totals',
    [edit('make_table', at('A1:C6', { name: 'Stock' })), edit('totals', { name: 'Stock', on: true }), list('tables')],
    null,
    { rows: [{ table: 'Stock', sheet: 'Data', range: 'A1:C6', totals: true }] },
  ],
  [
    'two more rows for my table',
    [edit('make_table', at('A1:C6', { name: 'Stock' })), edit('add_rows', { name: 'Stock', count: 2 }), list('tables')],
    null,
    { rows: [{ table: 'Stock', range: 'A1:C8' }] },
  ],
  [
    'the table should end at milk',
    [
      edit('make_table', at('A1:C4', { name: 'Stock' })),
      edit('resize_table', { name: 'Stock', range: 'A1:C6' }),
      list('tables'),
    ],
    null,
    { rows: [{ table: 'Stock', range: 'A1:C6' }] },
  ],
  [
    'a line chart of the prices, and what does it show',
    [edit('make_chart', at('A1:B6', { type: 'line', name: 'Prices' })), list('charts')],
    null,
    { rows: [{ chart: 'Prices', sheet: 'Data', type: 'line', series: 'Price' }] },
  ],
  [
    'a copy of this sheet for May',
    [edit('copy_sheet', { sheet: 'Data', name: 'May' }), ['read-range', { sheet: 'May', range: 'A1:A2' }]],
    null,
    { values: [['Item'], ['Tea']] },
  ],
  [
    'a summary sheet with the sum of the prices',
    [
      ['read-range', { sheet: 'Data', range: 'B2:B6' }],
      edit('add_sheet', { name: 'Sum' }),
      ['write-range', { sheet: 'Sum', range: 'A1', values: [['All', 24]] }],
      ['read-range', { sheet: 'Sum', range: 'A1:B1' }],
    ],
    null,
    { values: [['All', 24]] },
  ],
  [
    'rename, move and hide sheets',
    [
      edit('rename_sheet', { sheet: 'Data', name: 'Stock' }),
      edit('move_sheet', { sheet: 'Stock', to: 1 }),
      edit('hide_sheet', { sheet: 'Sheet1' }),
      ['workbook-info', {}],
    ],
    null,
    { sheets: [{ name: 'Stock', visible: true }, { name: 'Sheet1', visible: false }, {}, {}] },
  ],
  [
    'bring the hidden sheet back, delete the first one',
    [edit('show_sheet', { sheet: 'Hidden' }), edit('delete_sheet', { sheet: 'Sheet1' }), ['workbook-info', {}]],
    null,
    { sheets: [{ name: 'Data' }, { name: 'Chart' }, { name: 'Hidden', visible: true }] },
  ],
  [
    'append the other list below mine',
    [
      ['write-range', { sheet: 'Sheet1', range: 'F1', values: [['Sugar', 2, 5]] }],
      ['read-range', { sheet: 'Sheet1', range: 'F1:H1' }],
      write('A7', [['Sugar', 2, 5]]),
    ],
    'A6:C7',
    [
      ['Milk', 1, 20],
      ['Sugar', 2, 5],
    ],
  ],
  ['correct the price of cocoa, which must still be 6', [write('B5', [[7]], { overwrite: true })], 'B5', [[7]]],
  ['give me the list as CSV', [edit('csv', { path: 'C:\\stock.csv', sheet: 'Data' })], 'A2', [['Tea']]],
];

/** Writes at level control: its card, which says what would be done and where, is approved. */
async function approved([action, input]: Call) {
  const { actionId, card } = await client.pending(action, input);
  const shown = `${card.summary} ${JSON.stringify(card.cells)}`;
  for (const [field, value] of Object.entries(input))
    if (['sheet', 'range', 'name'].includes(field)) expect(shown).toContain(String(value));
  await client.decide(card.approvalId, 'approve');
  const { result, error } = await client.ended(actionId);
  expect(error).toBeUndefined();
  expect([action, input, result?.outcome.effect]).toEqual([action, input, 'confirmed']);
  return result!;
}

it.each(TASKS)('%s', { timeout: 120_000 }, async (_wish, calls, place, there) => {
  expect(calls.length).toBeLessThanOrEqual(10);
  await book.tell('book 1');
  for (const [r, row] of LIST.entries())
    for (const [c, value] of row.entries()) await book.tell(`set Data!${'ABC'[c]!}${r + 1} ${String(value)}`);
  await book.tell('saved 0');
  const before = book.journal.events({}).length;
  let last: unknown;
  for (const call of calls) {
    const isLook = /^(?:read|inspect|workbook)/.test(call[0]);
    last = (isLook ? await client.act(...call) : await approved(call)).value;
  }
  if (place !== null) last = (await client.act('read-range', at(place, { what: 'values' }))).value.values;
  expect(last).toMatchObject(there as object);
  const others = book.journal.events({}).slice(before);
  expect(others.filter(({ event, book: which = 1 }) => /^(?:changed|sheets)$/.test(event) && which !== 1)).toEqual([]);
});
