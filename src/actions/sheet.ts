/** Actions on the cells of a bound spreadsheet window: what the workbook is, read, write and select, in the background. */
import { z } from 'zod';
import { UiaHostError } from '../contract/errors.ts';
import { cellsToWrite } from '../contract/cells/cell-values.ts';
import { DEFAULT_CELLS, LONGEST_NAME, LONGEST_SHEET, MOST_BEFORE, MOST_CELLS } from '../contract/cells/cells.ts';
import {
  CellInputs,
  CellsBefore,
  type CellInput,
  RangeDigest,
  RangeRead,
  RangeSelected,
  RangeWritten,
  WorkbookInfo,
} from '../contract/cells/sheet.ts';
import { LOOKING, type ActionTraits } from '../contract/gate/traits.ts';
import { plain } from '../contract/gate/input-content.ts';
import { boundWindow, defineAction, type ActionContext, saw, inputTo } from './definition.ts';

const sheet = plain(z.string().min(1).max(LONGEST_SHEET).describe('Name of a sheet; default the active one.'));
const range = plain(z.string().min(1).max(LONGEST_NAME));

const reading = { topic: 'sheet', cap: 'sheet', effect: 'observe', needs: 'level observe, tier read' } as const;

export const workbookInfo = defineAction('workbookInfo', {
  ...reading,
  meaning: 'Excel workbook of the bound spreadsheet window: name, sheets with used ranges, selection, separators.',
  output: () => WorkbookInfo,
  traits: (): ActionTraits => ({ ...LOOKING, binding: 'required', target: { kind: 'window' } }),
  run: async (context) => saw(await context.desktop.sheet.info(boundWindow(context), context.call)),
});

export const readRange = defineAction('readRange', {
  ...reading,
  meaning:
    'Read Excel cells: values and formulas of the bound spreadsheet window. The digest allows write-range to overwrite them.',
  input: () => ({
    sheet: sheet.optional(),
    range: range.optional().describe('A1 address, a name, or selection; default the used range.'),
    what: z.enum(['values', 'formulas', 'both']).optional().describe('Default both.'),
    text: z.boolean().optional().describe('Also what is displayed, in the cells’ formats; at most 500 cells.'),
    dates: z.enum(['iso', 'serial']).optional().describe('How dates are given; default iso.'),
    maxCells: z
      .int()
      .min(1)
      .max(MOST_CELLS)
      .optional()
      .describe('Most cells to read; default 2000. nextRange has the rest.'),
  }),
  sample: { range: 'A1:C4' },
  output: () => RangeRead.extend({ untrusted: z.literal(true) }),
  traits: (): ActionTraits => ({ ...LOOKING, binding: 'required', target: { kind: 'window' } }),
  async run(context, input) {
    const { sheet, range, what = 'both', text = false, dates = 'iso', maxCells = DEFAULT_CELLS } = input;
    const wanted = { sheet, range, what, text, dates, maxCells };
    const read = await context.desktop.sheet.read(boundWindow(context), wanted, context.call);
    return saw({ ...read, untrusted: true as const });
  },
});

/** Whether all rows have the same length. */
const areEven = (rows: ReadonlyArray<readonly unknown[]>): boolean =>
  rows.every(({ length }) => length === rows[0]?.length);

/** The texts and formulas that go into cells, for the content check. */
function textsOf(values: ReadonlyArray<readonly CellInput[]>): string | null {
  const { texts, formulas } = cellsToWrite(values);
  const all = [...texts, ...formulas.map(({ formula }) => formula)];
  return all.length === 0 ? null : all.join('\n');
}

/** Where the whole of what the cells held is kept. */
const keepBefore = (context: ActionContext, { sheet, range, values, formulas }: CellsBefore): Promise<string | null> =>
  context.host.keepDocument({ sheet, range, values, formulas });

/** A write that failed in the middle has what the cells held too: in the error up to 200 cells, and always in the artifact. */
async function withBeforeUrl(context: ActionContext, error: unknown): Promise<unknown> {
  const partial = error instanceof UiaHostError ? CellsBefore.safeParse(error.partialResult) : null;
  if (!(error instanceof UiaHostError) || partial?.success !== true) return error;
  const { sheet, range, values, formulas } = partial.data;
  const cells = values.length * (values[0]?.length ?? 0);
  const beforeUrl = await keepBefore(context, partial.data);
  return error.with({
    partialResult: { sheet, range, before: cells <= MOST_BEFORE ? { values, formulas } : null, beforeUrl },
  });
}

export const writeRange = defineAction('writeRange', {
  topic: 'sheet',
  meaning:
    'Write Excel cells: values and formulas of the bound spreadsheet window, read back. Strings stay text. The workbook is not saved.',
  cap: 'sheet',
  effect: 'input',
  needs: 'level control, tier full',
  input: () => ({
    sheet: sheet.optional(),
    range: range.describe('A1 address of the size of values, or of its first cell; or a name.'),
    values: CellInputs,
    overwrite: z.boolean().optional().describe('True: replace cells that are not empty.'),
    expect: RangeDigest.optional().describe('Digest of what was read: replace cells if they still hold it.'),
  }),
  sample: { range: 'A1:B1', values: [['Total', 3]] },
  rules: [
    { holds: ({ values }) => areEven(values), message: 'All rows of values must have the same length.' },
    {
      holds: ({ values }) => values.length * (values[0]?.length ?? 0) <= MOST_CELLS,
      message: `At most ${String(MOST_CELLS)} cells are written at a time.`,
    },
    {
      holds: ({ values }) => cellsToWrite(values).written > 0,
      message: 'There is nothing to write: every value is null.',
    },
  ],
  output: () => RangeWritten,
  traits: ({ sheet, range, values, overwrite = false, expect }): ActionTraits => ({
    ...inputTo({ kind: 'window' }, 'full'),
    content: textsOf(values),
    replacesText: true,
    cells: { sheet, range, write: { values, overwrite, expect } },
  }),
  async run(context, input) {
    const { sheet, range, values, overwrite = false, expect } = input;
    const wanted = { sheet, range, values, overwrite, expect };
    try {
      const { value, outcome } = await context.desktop.sheet.write(boundWindow(context), wanted, context.call);
      return { value: { ...value.written, beforeUrl: await keepBefore(context, value.before) }, outcome };
    } catch (error) {
      throw await withBeforeUrl(context, error);
    }
  },
});

export const selectRange = defineAction('selectRange', {
  topic: 'sheet',
  meaning: 'Select cells of the bound spreadsheet window, on another sheet if named; scrolls to them.',
  cap: 'sheet',
  effect: 'input',
  needs: 'level control, tier click',
  isIdempotent: true,
  notDestructive: 'a selection changes no content',
  input: () => ({
    sheet: sheet.optional(),
    range: range.describe('A1 address or a name.'),
    scroll: z.boolean().optional().describe('Scroll the window to the cells; default true.'),
  }),
  sample: { range: 'B2:C4' },
  output: () => RangeSelected,
  traits: (input): ActionTraits => ({
    ...inputTo({ kind: 'window' }, 'click'),
    cells: { sheet: input.sheet, range: input.range, write: null },
  }),
  run: async (context, { sheet, range, scroll = true }) =>
    context.desktop.sheet.select(boundWindow(context), { sheet, range, scroll }, context.call),
});

/** Beyond the executor's methods, in the order in which lists show them. */
export const beyond = [workbookInfo, readRange, writeRange, selectRange] as const;
