/** Actions on a workbook beyond its cells' values: sheets, rows, formats, tables, charts, pivots and files. One judged operation a call. */
import { z } from 'zod';
import { BookChanged, BookListed, hasItsFields, opsText, type BookOps, type BookWish } from '../contract/cells/book.ts';
import { CHART_TYPES, FORMULA_CHARACTERS, LONGEST_NAME, LONGEST_SHEET } from '../contract/cells/cells.ts';
import { content, plain } from '../contract/gate/input-content.ts';
import { LOOKING, type ActionTraits } from '../contract/gate/traits.ts';
import { boundWindow, defineAction, inputTo, saw, type ActionContext } from './definition.ts';

/** Rows are added to a table one by one. */
const MOST_ROWS = 100;
const fullPath = () =>
  z
    .string()
    .regex(/^(?:[A-Za-z]:[\\/]|\\\\)[^]+$/)
    .max(LONGEST_NAME);
const range = () => plain(z.string().min(1).max(LONGEST_NAME)).optional();
const sheet = () => plain(z.string().min(1).max(LONGEST_SHEET)).optional();

const few = (one: z.ZodString, most: number) => z.array(one).max(most);

const opOf = (ops: BookOps) => z.enum(Object.keys(ops) as [string, ...string[]]).describe(opsText(ops));
const ruleOf = (ops: BookOps, always = '') => ({
  holds: (input: Readonly<Record<string, unknown>>): boolean => hasItsFields(ops, input, always),
  message: `Each op takes its own fields: ${opsText(ops)}.`,
});

const traitsOf = (wish: BookWish, more: Partial<ActionTraits> = {}): ActionTraits => ({
  ...inputTo({ kind: 'window' }, 'full'),
  cells: { sheet: wish.sheet, range: wish.range ?? '', write: null, book: wish },
  ...more,
});

const changing = {
  topic: 'sheet',
  cap: 'excel',
  effect: 'input',
  needs: 'level control, tier full',
  output: () => BookChanged,
  run: (context: ActionContext, wish: BookWish) =>
    context.desktop.sheet.change(boundWindow(context), wish, context.call),
} as const;

const BOOK_OPS: BookOps = {
  add_sheet: 'name to?',
  rename_sheet: 'sheet name',
  move_sheet: 'sheet to',
  copy_sheet: 'sheet name to?',
  hide_sheet: 'sheet',
  show_sheet: 'sheet',
  delete_sheet: 'sheet',
  make_table: 'sheet? range name',
  resize_table: 'name range',
  add_rows: 'name count',
  totals: 'name on',
  make_chart: 'sheet? range type name',
  refresh: 'name',
  save: '',
  save_as: 'path',
  pdf: 'path sheet?',
  csv: 'path sheet? range?',
  recalculate: '',
};

export const editWorkbook = defineAction('editWorkbook', {
  ...changing,
  meaning: 'Change Excel sheets, tables, charts; refresh, save, export.',
  input: () => ({
    op: opOf(BOOK_OPS),
    sheet: sheet(),
    name: plain(z.string().min(1).max(LONGEST_NAME)).optional(),
    to: z.int().min(1).optional(),
    range: range(),
    count: z.int().min(1).max(MOST_ROWS).optional(),
    on: z.boolean().optional(),
    type: z.enum(Object.keys(CHART_TYPES) as [keyof typeof CHART_TYPES, ...Array<keyof typeof CHART_TYPES>]).optional(),
    path: plain(fullPath()).optional(),
  }),
  sample: { op: 'add_sheet', name: 'Report' },
  rules: [ruleOf(BOOK_OPS)],
  traits: (input) => traitsOf(input, { paths: input.path === undefined ? [] : [input.path] }),
});

const CELL_OPS: BookOps = {
  insert: '',
  delete: '',
  move: 'to',
  merge: '',
  unmerge: '',
  fill_down: '',
  fill_blanks: '',
  fill_formula: 'formula',
  sort: 'by header?',
  filter: 'by criteria',
  unfilter: '',
  remove_duplicates: 'by? header?',
};

export const editCells = defineAction('editCells', {
  ...changing,
  meaning: 'Insert, delete, move Excel rows, columns; merge, fill, sort, filter, remove duplicates.',
  input: () => ({
    op: opOf(CELL_OPS),
    sheet: sheet(),
    range: range().unwrap().describe('2:4 or B:C to insert, delete, move.'),
    to: plain(z.string().min(1).max(LONGEST_SHEET)).optional().describe('Row or column behind.'),
    formula: content(z.string().regex(/^=[^]/).max(FORMULA_CHARACTERS)).optional(),
    by: few(plain(z.string().regex(/^-?[A-Za-z]{1,3}$/)), 10)
      .optional()
      .describe('Columns; -B: descending.'),
    criteria: few(content(z.string().min(1).max(LONGEST_NAME)), 2)
      .min(1)
      .optional(),
    header: z.boolean().optional(),
  }),
  sample: { op: 'merge', range: 'A1:B1' },
  rules: [ruleOf(CELL_OPS, 'sheet range')],
  traits: (input) =>
    traitsOf(input, { content: [input.formula, ...(input.criteria ?? [])].filter(Boolean).join('\n') || null }),
});

const PLACE: ReadonlySet<string> = new Set(['sheet', 'range', 'deadlineMs']);
const colour = () => plain(z.string().regex(/^#[0-9a-fA-F]{6}$/)).optional();
/** Excel's limits. https://support.microsoft.com/office/1672b34d-7043-467e-8e27-269d656771c3 */
const WIDEST = 255;
const HIGHEST = 409;

export const formatCells = defineAction('formatCells', {
  ...changing,
  isIdempotent: true,
  notDestructive: 'a format changes no content',
  meaning: 'Format Excel cells; colours: #rrggbb.',
  input: () => ({
    sheet: sheet(),
    range: range().unwrap(),
    numberFormat: plain(z.string().min(1).max(LONGEST_NAME)).optional(),
    bold: z.boolean().optional(),
    italic: z.boolean().optional(),
    size: z.number().min(1).max(HIGHEST).optional(),
    font: plain(z.string().min(1).max(LONGEST_SHEET)).optional(),
    color: colour(),
    fill: plain(z.string().regex(/^(?:#[0-9a-fA-F]{6}|none)$/)).optional(),
    border: z.enum(['none', 'thin']).optional(),
    align: z.enum(['left', 'center', 'right']).optional(),
    valign: z.enum(['top', 'center', 'bottom']).optional(),
    wrap: z.boolean().optional(),
    width: z.number().min(0).max(WIDEST).optional(),
    height: z.number().min(0).max(HIGHEST).optional(),
    autofit: z.enum(['columns', 'rows']).optional(),
  }),
  sample: { range: 'A1:B1', bold: true },
  rules: [
    { holds: (input) => Object.keys(input).some((field) => !PLACE.has(field)), message: 'Give at least one format.' },
  ],
  traits: (input) => traitsOf({ ...input, op: 'format' }),
  run: (context, input) => changing.run(context, { ...input, op: 'format' }),
});

const LISTS: BookOps = { find: 'text match? sheet? range?', tables: '', charts: '', sources: '' };

export const inspectWorkbook = defineAction('inspectWorkbook', {
  topic: 'sheet',
  cap: 'excel',
  effect: 'observe',
  needs: 'level observe, tier read',
  meaning: 'Find Excel cells (default: active sheet), or list tables, charts, sources: pivots, connections.',
  input: () => ({
    op: opOf(LISTS),
    text: content(z.string().min(1).max(LONGEST_NAME)).optional(),
    match: z.enum(['part', 'cell']).optional(),
    sheet: sheet(),
    range: range(),
  }),
  sample: { op: 'tables' },
  rules: [ruleOf(LISTS)],
  output: () => BookListed.extend({ untrusted: z.literal(true) }),
  traits: (): ActionTraits => ({ ...LOOKING, binding: 'required', target: { kind: 'window' } }),
  run: async (context, input) =>
    saw({ ...(await context.desktop.sheet.list(boundWindow(context), input, context.call)), untrusted: true as const }),
});

/** In the order in which lists show them. */
export const beyond = [inspectWorkbook, editWorkbook, editCells, formatCells] as const;
