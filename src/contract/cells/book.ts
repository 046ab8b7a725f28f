/** What is done with a workbook beyond its cells' values: operations by name, the fields that each takes, and the answers. */
import { z } from 'zod';

/** A wish as its action got it: plain data, which crosses to the desktop worker. */
export interface BookWish {
  readonly op: string;
  readonly sheet?: string | undefined;
  readonly range?: string | undefined;
  readonly name?: string | undefined;
  readonly to?: string | number | undefined;
}

/** What differs afterwards, as on a card: texts in quotation marks, formulas and numbers without. */
export const CellChanges = {
  changes: z.array(z.strictObject({ cell: z.string(), before: z.string(), after: z.string() })),
  /** How many cells are not among them. */
  more: z.int(),
};

/** What an operation would do now, for the gate: shown and judged. */
export const BookBefore = z.strictObject({
  /** One line: `delete the sheet “Data” (12 cells that are not empty)`. */
  what: z.string(),
  /** What would be lost for good; null for nothing. */
  loses: z.string().nullable(),
  /** What it would fetch from, or send to, outside the workbook; null for nothing. */
  reaches: z.string().nullable(),
  /** Formulas that it puts into cells. */
  formulas: z.array(z.string()),
  ...CellChanges,
});
export type BookBefore = z.infer<typeof BookBefore>;

const Fact = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** The exact workbook that an answer is about. */
const identity = z.strictObject({ name: z.string(), path: z.string().nullable() });

export const BookChanged = z.strictObject({
  workbook: identity,
  sheet: z.string(),
  /** Empty where the operation is not about cells. */
  range: z.string(),
  /** `unchanged`: it was so before, and nothing was called. `unverified`: what was read back is not what was wished. */
  result: z.enum(['changed', 'unchanged', 'unverified']),
  /** What it did, in one line. */
  what: z.string(),
  /** What is different now, by reading back: the first 30. */
  ...CellChanges,
  /** More facts: the rows that went, hidden rows, cells with errors. */
  facts: z.record(z.string(), Fact),
  undoCleared: z.boolean(),
  macrosMayRun: z.boolean(),
  saved: z.boolean(),
});
export type BookChanged = z.infer<typeof BookChanged>;

export const BookListed = z.strictObject({
  workbook: identity,
  rows: z.array(z.record(z.string(), Fact)),
  /** How many there are; `rows` has the first of them. */
  total: z.int(),
});
export type BookListed = z.infer<typeof BookListed>;

/** The fields that each operation needs, and optional ones (`?`), by its name. */
export type BookOps = Readonly<Record<string, string>>;

/** For a model and for an error: `add_sheet: name to?; delete_sheet: sheet`; operations without fields of their own are left out, and `sheet?`, which all may have. */
export function opsText(ops: BookOps): string {
  const byFields = new Map<string, string[]>();
  for (const [op, fields] of Object.entries(ops)) {
    const own = fields.replaceAll(/sheet\?\s?/g, '').trim();
    if (own !== '') byFields.set(own, [...(byFields.get(own) ?? []), op]);
  }
  return [...byFields].map(([fields, names]) => `${names.join(', ')}: ${fields}`).join('; ');
}

/** Whether a wish has the fields of its operation and no others. `always`: fields that every operation may have. */
export function hasItsFields(ops: BookOps, wish: Readonly<Record<string, unknown>>, always = ''): boolean {
  const fields = (ops[String(wish['op'])] ?? '').split(' ').filter((field) => field !== '');
  const free = ['op', 'deadlineMs', 'window', ...always.split(' ')];
  const given = Object.keys(wish).filter((field) => wish[field] !== undefined && !free.includes(field));
  return (
    fields.every((field) => field.endsWith('?') || wish[field] !== undefined) &&
    given.every((field) => fields.includes(field) || fields.includes(`${field}?`))
  );
}
