/** A workbook as a file: save, save as, export, recalculate. The path is judged by the gate like any other. */
import { existsSync, statSync } from 'node:fs';
import { addressText } from '../../contract/cells/cell-address.ts';
import { cellWords } from '../../contract/cells/cell-text.ts';
import type { CellValue } from '../../contract/cells/sheet.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { isForeignPath } from '../system/trust.ts';
import { writeTable } from '../exits/outside.ts';
import type { At, Op, Plan } from './book-op.ts';
import { conflict, ifGiven, isSet, wrong } from './excel-errors.ts';
import { findRange, itemsOf, oneArea, sheetOf, text } from './find-range.ts';
import { readBlocks } from './read-range.ts';

/** https://learn.microsoft.com/office/vba/api/excel.xlfileformat, .../excel.xlfixedformattype, .../excel.xlcalculationstate */
const XLSX = 51;
const XLSM = 52;
const PDF = 0;
const DONE = 0;

/** The size of a file; null where there is none, or where looking would reach another machine before a person has agreed. */
const sizeOf = (at: At, path: string): number | null =>
  isForeignPath(path) && !at.hasBegun() ? null : (statSync(path, { throwIfNoEntry: false })?.size ?? null);

/** A new file at the path of the wish. */
async function onFile(at: At, ending: string, plan: Pick<Plan, 'what' | 'act'> & Partial<Plan>) {
  const path = String(at.wish['path']);
  if (!path.toLowerCase().endsWith(ending)) throw wrong(`${quoted(path, 200)} does not end in ${ending}`);
  return {
    now: async () => ({ file: (sizeOf(at, path) ?? 0) > 0 ? 'written' : null }),
    wanted: { file: 'written' },
    isOpen: plan.wanted === undefined,
    facts: async () => ({ path, bytes: sizeOf(at, path) }),
    ...plan,
    what: `${plan.what} as ${quoted(path, 200)}${plan.wanted === undefined ? '' : ', which its window shows from then on'}`,
    async act() {
      // The program would ask before it overwrites a file.
      if (existsSync(path)) throw conflict(`${quoted(path, 200)} is there already`, 'Give another name.');
      await plan.act();
    },
  };
}

/** As Excel writes it: a comma between cells, quotation marks where they are needed. */
const csvCell = (value: CellValue): string => {
  const plain = typeof value === 'string' ? value : cellWords(value);
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

export const FILE_OPS: Readonly<Record<string, Op>> = {
  async save(at) {
    const book = await at.book.book();
    const path = text(await book.get('FullName'));
    if (text(await book.get('Path')) === '') throw wrong('The workbook was never saved', 'Use save_as with a path.');
    const isElsewhere = /^(?:[a-z]+:\/\/|\\\\)/i.test(path) || isForeignPath(path);
    return {
      what: `save the workbook to ${quoted(path, 200)}`,
      now: async () => ({ saved: (await book.get('Saved')) === true }),
      wanted: { saved: true },
      act: () => at.run(book, 'Save'),
      loses: (await book.get('Saved')) === true ? null : `it would replace what the file ${quoted(path, 200)} holds`,
      reaches: isElsewhere ? `it writes to ${quoted(path, 200)}, on another machine` : null,
    };
  },
  async save_as(at) {
    const book = await at.book.book();
    const path = String(at.wish['path']);
    const hasMacros = await isSet(book, 'HasVBProject');
    return onFile(at, hasMacros ? '.xlsm' : '.xlsx', {
      what: 'save the workbook',
      now: async () => ({ path: text(await book.get('FullName')) }),
      wanted: { path },
      act: () => at.run(book, 'SaveAs', path, hasMacros ? XLSM : XLSX),
    });
  },
  async pdf(at) {
    const { sheet } = at.wish;
    const object = sheet === undefined ? await at.book.book() : await sheetOf(at.book, sheet);
    return onFile(at, '.pdf', {
      what: `export ${sheet === undefined ? 'the workbook' : `the sheet ${quoted(sheet)}`}`,
      act: () => at.run(object, 'ExportAsFixedFormat', PDF, String(at.wish['path'])),
    });
  },
  /** Written here: with SaveAs the open workbook would become the CSV file. */
  async csv(at) {
    const found = await findRange(at.book, at.wish);
    const area = oneArea(found);
    return onFile(at, '.csv', {
      what: `export ${quoted(found.sheetName)} ${addressText(area)}`,
      sheet: found.sheetName,
      range: addressText(area),
      async act() {
        const lines: string[] = [];
        for await (const { values } of readBlocks(found, area))
          lines.push(...values.map((cells) => cells.map(csvCell).join(',')));
        writeTable(String(at.wish['path']), `\ufeff${lines.join('\r\n')}\r\n`);
      },
    });
  },
  async recalculate(at) {
    const application = await at.book.application();
    const isDone = async (): Promise<boolean> => (await application.get('CalculationState')) === DONE;
    return {
      what: 'recalculate the sheets of the workbook',
      now: async () => ({ calculated: await isDone() }),
      wanted: { calculated: true },
      async act() {
        // Sheet by sheet, since the application's own would calculate other workbooks too; a chart's sheet has no formulas.
        for (const sheet of await itemsOf(await at.book.sheets()))
          await ifGiven(() => at.run(sheet, 'Calculate'), undefined);
        while (!(await isDone())) await at.wait();
      },
    };
  },
};
