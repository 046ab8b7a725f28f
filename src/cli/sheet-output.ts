// Prints what the actions on cells answer: tables for a person.
import { tableRows } from '../contract/cells/cell-text.ts';
import { RangeRead, RangeWritten, WorkbookInfo } from '../contract/cells/sheet.ts';
import { printable, table } from './output.ts';

/** A terminal's line holds few columns of this width. */
const WIDEST = 40;

/** Columns side by side; long cells end in an ellipsis. */
function aligned(rows: readonly string[][]): string[] {
  const short = rows.map((row) =>
    row.map((cell) => (cell.length > WIDEST ? `${cell.slice(0, WIDEST - 1)}…` : cell).replaceAll('\n', ' ')),
  );
  const widths = (short[0] ?? []).map((_, column) => Math.max(...short.map((row) => row[column]?.length ?? 0)));
  return short.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** What a table of the cells does not show by itself. */
const unseen = ({ hidden, merged }: Pick<RangeRead, 'hidden' | 'merged'>): string[] => [
  ...(hidden === true ? ['This sheet is hidden.'] : []),
  ...(merged === undefined ? [] : [`Merged, only the first cell of each holds something: ${merged.join(', ')}`]),
];

function describeRead(read: RangeRead): string[] {
  return [
    `${read.sheet}!${read.range}, ${read.rows} × ${read.columns}`,
    ...unseen(read),
    ...aligned(tableRows(read)),
    ...(read.text === undefined
      ? []
      : ['As displayed:', ...aligned(tableRows({ range: read.range, values: read.text }))]),
    ...(read.nextRange === null ? [] : [`More: --range ${read.nextRange}`]),
    `Digest for write-range --expect: ${read.digest}`,
  ];
}

function describeWritten(written: RangeWritten): string[] {
  const { sheet, range, before, differing, beforeUrl } = written;
  const formulas = written.formulas === 0 ? '' : ` (formulas: ${written.formulas})`;
  return [
    `${sheet}!${range}: ${written.written} ${written.written === 1 ? 'cell' : 'cells'} written${formulas}, not saved; the program’s undo list is empty now${written.macrosMayRun ? ', and macros of the workbook may have run' : ''}.`,
    ...unseen(written),
    ...(differing.length === 0
      ? []
      : [
          `Cells that hold something else than was written: ${differing.length}`,
          table(differing.map(({ cell, wanted, got }) => ({ cell, wanted, got }))),
        ]),
    ...(before === null
      ? []
      : ['Before:', ...aligned(tableRows({ range, values: before.values, formulas: before.formulas }))]),
    ...(beforeUrl === null ? [] : [`The range as it was: ${beforeUrl}`]),
  ];
}

function describeWorkbook({
  application,
  workbook,
  sheets,
  selection,
  calculation,
  separators,
}: WorkbookInfo): string[] {
  const marks = [
    workbook.readOnly ? 'read-only' : '',
    workbook.protectedView ? 'Protected View' : '',
    workbook.saved ? 'saved' : 'has unsaved changes',
    workbook.date1904 ? '1904 date system' : '',
  ].filter((mark) => mark !== '');
  return [
    `${workbook.name} in ${application.name} ${application.version} (${marks.join(', ')})`,
    ...(workbook.path === null ? [] : [workbook.path]),
    table(
      sheets.map(({ name, usedRange, active, visible, protected: isProtected }) => ({
        sheet: name,
        used: usedRange ?? '',
        is: [active ? 'active' : '', visible ? '' : 'hidden', isProtected ? 'protected' : '']
          .filter(Boolean)
          .join(', '),
      })),
    ),
    ...(selection === null ? [] : [`Selected: ${selection.sheet}!${selection.range} (${selection.cells} cells)`]),
    `Calculation ${calculation}; decimal separator ${separators.decimal}, list separator ${separators.list}`,
  ];
}

/** The value of an action on cells as text; null for any other. */
export function describeCells(value: Readonly<Record<string, unknown>>): string | null {
  const { untrusted: _mark, ...read } = value;
  const range = RangeRead.safeParse(read);
  if (range.success) return printable(describeRead(range.data).join('\n'));
  const written = RangeWritten.safeParse(value);
  if (written.success) return printable(describeWritten(written.data).join('\n'));
  const workbook = WorkbookInfo.safeParse(value);
  return workbook.success ? printable(describeWorkbook(workbook.data).join('\n')) : null;
}
