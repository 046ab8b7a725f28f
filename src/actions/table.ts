/** Actions on lists, grids and trees of the bound window as tables: read rows and columns, edit a cell. */
import { z } from 'zod';
import { TableData } from '../contract/element/element.ts';
import { LOOKING, type ActionTraits } from '../contract/gate/traits.ts';
import { plain } from '../contract/gate/input-content.ts';
import { boundWindow, defineAction, saw, inputTo } from './definition.ts';
import { aimedAt, judgedRef } from './element.ts';
import * as field from './fields.ts';

export const readTable = defineAction('readTable', {
  topic: 'element',
  meaning: 'Read a table: rows and columns of a list view, grid or tree, including off-screen and virtualised rows.',
  cap: 'core',
  effect: 'observe',
  needs: 'level observe, tier read',
  input: () => ({
    ...field.elementQuery,
    from: z.int().min(0).max(10_000_000).optional().describe('First row, from 0.'),
    count: z.int().min(1).max(1000).optional().describe('Default 100.'),
    fromColumn: z.int().min(0).max(1_000_000).optional().describe('First column, from 0.'),
    columnCount: z.int().min(1).max(1000).optional().describe('Default 100.'),
  }),
  sample: { name: 'List' },
  rules: [{ holds: field.queryGiven, message: field.QUERY_MESSAGE }],
  output: () => TableData.extend({ untrusted: z.literal(true) }),
  traits: (input): ActionTraits => ({ ...LOOKING, binding: 'required', target: aimedAt(input, 'look') }),
  async run(context, input) {
    const table = await context.desktop.element.readTable(
      boundWindow(context),
      judgedRef(context),
      {
        from: input.from ?? 0,
        count: input.count ?? 100,
        fromColumn: input.fromColumn,
        columnCount: input.columnCount,
      },
      context.call,
    );
    return saw({ ...table, untrusted: true as const });
  },
});

export const writeCell = defineAction('writeCell', {
  topic: 'element',
  meaning: 'Edit one cell of a list view or grid of the bound window in place, and read it back.',
  cap: 'core',
  effect: 'input',
  needs: 'level control, tier full',
  isIdempotent: true,
  input: () => ({
    ...field.elementQuery,
    row: z.int().min(0).max(10_000_000).describe('From 0, as in read-table.'),
    column: plain(
      z.union([z.int().min(0).max(1_000_000), z.string().min(1).max(1000)]).describe('Number, from 0, or title.'),
    ),
    text: field.text.describe('Replaces what it holds.'),
    expect: field.text.optional().describe('What it must still hold.'),
  }),
  sample: { name: 'List', row: 0, column: 0, text: 'a' },
  rules: [{ holds: field.queryGiven, message: field.QUERY_MESSAGE }],
  output: () => z.boolean(),
  traits: (input): ActionTraits => ({
    ...inputTo(aimedAt(input, 'look'), 'full'),
    content: input.text,
    replacesText: true,
  }),
  run: async (context, input) =>
    context.desktop.element.writeCell(
      boundWindow(context),
      judgedRef(context),
      { row: input.row, column: input.column, text: input.text, expect: input.expect },
      context.call,
    ),
});

/** Beyond the executor's methods, in the order in which lists show them. */
export const beyond = [readTable, writeCell] as const;
