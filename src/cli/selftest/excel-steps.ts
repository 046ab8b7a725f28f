// What the selftest of spreadsheets does on a new workbook, and what it asks a person to do first.
import { isDeepStrictEqual } from 'node:util';

export interface ExcelTools {
  /** Runs an action and answers its value; a card that it needs is approved. */
  // oxlint-disable-next-line typescript/no-explicit-any
  act(action: string, input: object): Promise<any>;
  /** Runs an action that must be refused with this code; what the error says. */
  refused(code: string, action: string, input: object): Promise<string>;
}

export interface ExcelStep {
  readonly name: string;
  /** What a person does before it; such a step is left out where no person is asked. */
  readonly ask?: string;
  /** What is worth noting: a time, a separator. */
  run(tools: ExcelTools): Promise<string | void>;
}

/** More than one card's table, and more than a write that counts as small. */
const ROWS = 500;
const COLUMNS = 20;
const SHORT_MS = 3000;
const mixed = (r: number, c: number): unknown =>
  [r * 1000 + c, `text ${r} of ${c}`, r % 2 === 0, (r - c) / 4, { error: '#N/A' }][(r * 7 + c) % 5];

function expect(what: string, got: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(got, wanted))
    throw new Error(`${what}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}.`.slice(0, 500));
}

async function writes(tools: ExcelTools, range: string, values: readonly unknown[][]): Promise<void> {
  const { differing } = await tools.act('write-range', { range, values, overwrite: true });
  expect(`Cells of ${range} that differ`, differing, []);
}

const LOOK_ALIKES = [['007', '1-2', '=A1', 'TRUE', '@x', "'x", '+1', '12%', '#N/A']];
const DAYS = [[{ date: '1900-03-01' }, { date: '2024-02-29' }, { date: '2026-11-23T14:30:05' }]];

export const EXCEL_STEPS: readonly ExcelStep[] = [
  {
    name: 'the workbook answers for its own window',
    async run({ act }) {
      const { application, separators } = await act('workbook-info', {});
      return `${application.name} ${application.version}, decimal separator ${separators.decimal}, list separator ${separators.list}`;
    },
  },
  {
    name: 'texts stay these texts, whatever they look like',
    async run(tools) {
      await writes(tools, 'A1:I1', LOOK_ALIKES);
      const { values, formulas } = await tools.act('read-range', { range: 'A1:I1' });
      expect('values', values, LOOK_ALIKES);
      expect('formulas', formulas, {});
    },
  },
  {
    name: 'numbers, booleans, errors and dates come back',
    async run(tools) {
      const values = [[1.5, -3, true, { error: '#N/A' }, ...DAYS[0]!]];
      await writes(tools, 'A2:G2', values);
      expect('values', (await tools.act('read-range', { range: 'A2:G2' })).values, values);
      const { text } = await tools.act('read-range', { range: 'A2:G2', text: true });
      return `displayed as ${text[0].join(' | ')}`;
    },
  },
  {
    name: 'a formula is calculated and read back',
    async run(tools) {
      await writes(tools, 'A3:B3', [[{ formula: '=SUM(A2:B2)' }, { formula: '=A3*2' }]]);
      const { values, formulas } = await tools.act('read-range', { range: 'A3:B3' });
      expect('values', values, [[-1.5, -3]]);
      expect('formulas', formulas, { A3: '=SUM(A2:B2)', B3: '=A3*2' });
    },
  },
  {
    name: 'a formula that spills fills the cells below',
    async run(tools) {
      await tools.act('write-range', { range: 'D3', values: [[{ formula: '=SEQUENCE(3)' }]], overwrite: true });
      const { values } = await tools.act('read-range', { range: 'D3:D5', what: 'values' });
      const isOlder = JSON.stringify(values[0]) === JSON.stringify([{ error: '#NAME?' }]);
      if (!isOlder) expect('values', values, [[1], [2], [3]]);
      return isOlder ? 'this version has no SEQUENCE' : undefined;
    },
  },
  {
    name: 'a broken formula is refused with the program’s words',
    run: (tools) => tools.refused('invalid_argument', 'write-range', { range: 'A6', values: [[{ formula: '=SUM(' }]] }),
  },
  {
    name: 'a formula that starts programs is blocked',
    async run(tools) {
      const values = [[{ formula: "=cmd|'/c calc'!A0" }]];
      await tools.refused('blocked_by_policy', 'write-range', { range: 'A6', values });
      expect('A6', (await tools.act('read-range', { range: 'A6' })).values, [[null]]);
    },
  },
  {
    name: 'cells that are not empty are kept',
    async run(tools) {
      await tools.refused('state_conflict', 'write-range', { range: 'A1', values: [['x']] });
      const { digest } = await tools.act('read-range', { range: 'A1:I1' });
      await writes(tools, 'A1', [['changed']]);
      await tools.refused('state_conflict', 'write-range', { range: 'A1', values: [['x']], expect: digest });
    },
  },
  {
    name: 'a range is selected',
    async run(tools) {
      await tools.act('select-range', { range: 'B40:C41' });
      expect('selection', (await tools.act('read-range', { range: 'selection' })).range, 'B40:C41');
    },
  },
  {
    name: '10,000 cells are written, read back and read',
    async run(tools) {
      const values = Array.from({ length: ROWS }, (_r, r) => Array.from({ length: COLUMNS }, (_c, c) => mixed(r, c)));
      const began = performance.now();
      await writes(tools, 'K1', values);
      const wrote = performance.now();
      expect('values', (await tools.act('read-range', { range: 'K1:AD500', maxCells: 10_000 })).values, values);
      return `written in ${Math.round(wrote - began)} ms, read in ${Math.round(performance.now() - wrote)} ms`;
    },
  },
  {
    name: 'a cell that a person edits',
    ask: 'Start typing into an empty cell, and leave it in edit mode.',
    async run(tools) {
      await tools.refused('state_conflict', 'read-range', { range: 'A1', deadlineMs: SHORT_MS });
      return tools.refused('state_conflict', 'write-range', { range: 'J1', values: [['x']], deadlineMs: SHORT_MS });
    },
  },
  {
    name: 'an open dialog',
    ask: 'Press Escape, then open Format Cells (Ctrl+1) and leave it open.',
    run: (tools) => tools.refused('state_conflict', 'read-range', { range: 'A1', deadlineMs: SHORT_MS }),
  },
  {
    name: 'a filtered list',
    ask: 'Close the dialog. Filter column K so that only the numbers are shown.',
    async run(tools) {
      const values = Array.from({ length: 20 }, (_, r) => [`row ${r}`, r]);
      await writes(tools, 'AF1', values);
      expect('values', (await tools.act('read-range', { range: 'AF1:AG20' })).values, values);
    },
  },
  {
    name: 'undo after a write',
    ask: 'Remove the filter, and press Ctrl+Z. If something was undone that the selftest wrote, note it in the report.',
    run: async ({ act }) => `A1 now holds ${JSON.stringify((await act('read-range', { range: 'A1' })).values[0][0])}`,
  },
  {
    name: 'a protected sheet',
    ask: 'Protect the sheet (Review, Protect Sheet), without a password.',
    run: (tools) => tools.refused('target_readonly', 'write-range', { range: 'J2', values: [['x']] }),
  },
];
