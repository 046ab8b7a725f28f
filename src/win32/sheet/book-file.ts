/** A workbook as a file: save, save as, export, recalculate. The path is judged by the gate like any other. */
import { existsSync, statSync } from 'node:fs';
import { quoted } from '../../contract/json/quoted.ts';
import { isForeignPath } from '../system/trust.ts';
import { writeTable } from '../exits/outside.ts';
import { conflict, wrong, type At, type Op, type Plan, type State } from './book-op.ts';
import { ifGiven } from './excel-errors.ts';
import { findRange, oneArea, rangeAt, sheetOf, text } from './find-range.ts';
import { formatArea } from '../../contract/cells/cell-address.ts';
import { MOST_CELLS } from '../../contract/cells/cells.ts';
import { addressText, readCells } from './read-range.ts';

/** https://learn.microsoft.com/office/vba/api/excel.xlfileformat, .../excel.xlfixedformattype, .../excel.xlcalculationstate */
const XLSX = 51;
const XLSM = 52;
const PDF = 0;
const DONE = 0;

/** Excel would ask before it overwrites a file; here none is. Errors: state_conflict. */
function assertNew(path: string): void {
  if (existsSync(path))
    throw conflict(`${quoted(path, 200)} is there already`, 'Give another name. Files are not overwritten.');
}

const assertEnding = (path: string, ending: string): void => {
  if (!path.toLowerCase().endsWith(ending))
    throw wrong(`${quoted(path, 200)} does not end in ${ending}`, `Give the path of a file that ends in ${ending}.`);
};

/** The size of a file; null where there is none, or where looking would reach another machine before a person has agreed. */
const sizeOf = (at: At, path: string): number | null =>
  isForeignPath(path) && !at.hasBegun() ? null : (statSync(path, { throwIfNoEntry: false })?.size ?? null);

async function nameOfActive({ book }: At): Promise<string> {
  using sheet = await book.window.object('ActiveSheet', 'Worksheet');
  return text(await sheet.get('Name'));
}

async function onFile(
  at: At,
  ending: string,
  plan: (path: string) => Promise<Pick<Plan, 'what' | 'act'> & { readonly sheet?: string; readonly range?: string }>,
): Promise<Plan> {
  const path = String(at.wish['path']);
  assertEnding(path, ending);
  const { act, ...rest } = await plan(path);
  return {
    sheet: await nameOfActive(at),
    ...rest,
    now: async (): Promise<State> => ({ file: (sizeOf(at, path) ?? 0) > 0 ? 'written' : null }),
    wanted: () => ({ file: 'written' }),
    isOpen: true,
    verdict: (before, after) => (before['file'] === null && after['file'] !== null ? 'changed' : 'unverified'),
    async act() {
      assertNew(path);
      await act();
    },
    facts: async () => ({ path, bytes: sizeOf(at, path) }),
  };
}

/** As Excel writes it: a comma between cells, quotation marks where they are needed. */
const csvCell = (value: unknown): string => {
  const plain =
    value === null
      ? ''
      : typeof value === 'object'
        ? String(Object.values(value as object)[0])
        : typeof value === 'boolean'
          ? String(value).toUpperCase()
          : String(value);
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

export const FILE_OPS: Readonly<Record<string, Op>> = {
  async save(at) {
    const book = await at.book.book();
    const path = text(await book.get('FullName'));
    if (text(await book.get('Path')) === '') throw wrong('The workbook was never saved', 'Use save_as with a path.');
    return {
      what: `save the workbook to ${quoted(path, 200)}`,
      sheet: await nameOfActive(at),
      now: async () => ({ saved: (await book.get('Saved')) === true }),
      wanted: () => ({ saved: true }),
      act: () => at.run(book, 'Save'),
      loses: (await book.get('Saved')) === true ? null : `it would replace what the file ${quoted(path, 200)} holds`,
      reaches:
        /^(?:[a-z]+:\/\/|\\\\)/i.test(path) || isForeignPath(path)
          ? `it writes to ${quoted(path, 200)}, on another machine`
          : null,
    };
  },
  async save_as(at) {
    const book = await at.book.book();
    const path = String(at.wish['path']);
    const hasMacros = (await ifGiven(() => book.get('HasVBProject'), false)) === true;
    assertEnding(path, hasMacros ? '.xlsm' : '.xlsx');
    return {
      what: `save the workbook as ${quoted(path, 200)}, which the window shows from then on`,
      sheet: await nameOfActive(at),
      now: async () => ({ path: text(await book.get('FullName')) }),
      wanted: () => ({ path }),
      async act() {
        assertNew(path);
        await at.run(book, 'SaveAs', path, hasMacros ? XLSM : XLSX);
      },
    };
  },
  pdf: (at) =>
    onFile(at, '.pdf', async (path) => {
      const { sheet } = at.wish;
      return {
        what: `export ${sheet === undefined ? 'the workbook' : `the sheet ${quoted(sheet)}`} as ${quoted(path, 200)}`,
        act: async () =>
          at.run(
            sheet === undefined ? await at.book.book() : at.own(await sheetOf(at.book, sheet)),
            'ExportAsFixedFormat',
            PDF,
            path,
          ),
      };
    }),
  csv: (at) =>
    onFile(at, '.csv', async (path) => {
      // Written here: with SaveAs the open workbook would become the CSV file.
      const found = at.own(await findRange(at.book, { sheet: at.wish.sheet, range: at.wish.range }));
      const area = oneArea(found);
      return {
        what: `export ${quoted(found.sheetName)} ${addressText(area)} as ${quoted(path, 200)}`,
        sheet: found.sheetName,
        range: addressText(area),
        async act() {
          const most = Math.max(1, Math.floor(MOST_CELLS / area.columns));
          const lines: string[] = [];
          for (let row = 0; row < area.rows; row += most) {
            const part = { ...area, row: area.row + row, rows: Math.min(most, area.rows - row) };
            using range = await rangeAt(found.sheet, formatArea(part));
            lines.push(
              ...(await readCells(found, part, 'iso', range)).values.map((cells) => cells.map(csvCell).join(',')),
            );
          }
          writeTable(path, `\ufeff${lines.join('\r\n')}\r\n`);
        },
      };
    }),
  async recalculate(at) {
    const application = await at.book.application();
    const sheets = await at.book.sheets();
    return {
      what: 'recalculate the sheets of the workbook',
      sheet: await nameOfActive(at),
      now: async () => ({ calculated: (await application.get('CalculationState')) === DONE }),
      wanted: () => ({ calculated: true }),
      async act() {
        // Sheet by sheet, since the application's own would calculate other workbooks too.
        const count = Number(await sheets.get('Count'));
        for (let index = 1; index <= count; index += 1)
          await ifGiven(
            async () => at.run(at.own(await sheets.object('Item', 'Worksheet', [index])), 'Calculate'),
            undefined,
          );
        while ((await application.get('CalculationState')) !== DONE) await at.wait();
      },
    };
  },
};
