/** What the workbook of a window is, and selecting cells in it. */
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import { cellCount, formatAreas } from '../../contract/cells/cell-address.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { RangeSelected, WorkbookInfo } from '../../contract/cells/sheet.ts';
import { isRefusal, refused, ifGiven } from './excel-errors.ts';
import type { Turn } from './excel-program.ts';
import type { OpenBook } from './open-book.ts';
import { scrollSheet, selectInBook } from '../exits/outside.ts';
import { areasOf, findRange, isVisible, oneArea, rangeAt, text } from './find-range.ts';
import { addressText } from './read-range.ts';

/** https://learn.microsoft.com/office/vba/api/excel.xlcalculation */
const CALCULATIONS = new Map<unknown, WorkbookInfo['calculation']>([
  [-4105, 'automatic'],
  [-4135, 'manual'],
  [2, 'semiautomatic'],
]);
/** https://learn.microsoft.com/office/vba/api/excel.xlapplicationinternational */
const DECIMAL_SEPARATOR = 3;
const LIST_SEPARATOR = 5;

/** A property that older or other programs lack, or that this sheet has not. */
const optional = (object: Dispatch, name: string, args: readonly number[] = []): Promise<unknown> =>
  ifGiven(() => object.get(name, args), undefined);

const plainAddress = (address: string): string => areasOf(address).map(addressText).join(',');

const usedRangeOf = (sheet: Dispatch): Promise<string | null> =>
  ifGiven(async () => {
    using used = await sheet.object('UsedRange', 'Range');
    return plainAddress(text(await used.get('Address')));
  }, null);

async function sheetsOf(sheets: Dispatch, active: string): Promise<WorkbookInfo['sheets']> {
  const count = Number(await sheets.get('Count'));
  const found: WorkbookInfo['sheets'] = [];
  for (let index = 1; index <= count; index += 1) {
    using sheet = await sheets.object('Item', 'Worksheet', [index]);
    const name = text(await sheet.get('Name'));
    const visible = await sheet.get('Visible');
    found.push({
      name,
      index,
      visible: isVisible(visible),
      protected: (await optional(sheet, 'ProtectContents')) === true,
      usedRange: await usedRangeOf(sheet),
      active: name === active,
    });
  }
  return found;
}

const selectionOf = (window: Dispatch, sheet: string): Promise<WorkbookInfo['selection']> =>
  ifGiven(async () => {
    using range = await window.object('RangeSelection', 'Range');
    const areas = areasOf(text(await range.get('Address')));
    return { sheet, range: formatAreas(areas), cells: areas.reduce((sum, area) => sum + cellCount(area), 0) };
  }, null);

export async function workbookInfo(open: OpenBook): Promise<WorkbookInfo> {
  const { window } = open;
  const application = await open.application();
  const book = await open.book();
  using active = await window.object('ActiveSheet', 'Worksheet');
  const activeName = text(await active.get('Name'));
  const path = text(await book.get('Path'));
  return {
    application: { name: text(await application.get('Name')), version: text(await application.get('Version')) },
    workbook: {
      name: text(await book.get('Name')),
      path: path === '' ? null : text(await book.get('FullName')),
      readOnly: (await book.get('ReadOnly')) === true,
      saved: (await book.get('Saved')) === true,
      date1904: (await optional(book, 'Date1904')) === true,
      protectedView: (await optional(application, 'IsSandboxed')) === true,
    },
    sheets: await sheetsOf(await open.sheets(), activeName),
    selection: await selectionOf(window, activeName),
    calculation: CALCULATIONS.get(await application.get('Calculation')) ?? 'automatic',
    separators: {
      decimal: text(await optional(application, 'International', [DECIMAL_SEPARATOR])) || '.',
      list: text(await optional(application, 'International', [LIST_SEPARATOR])) || ',',
    },
  };
}

/** Scrolls the window so far that the first cell is in view. */
const scrollTo = (window: Dispatch, row: number, column: number): Promise<void> =>
  // Frozen panes and other programs: the selection itself is what counts.
  ifGiven(async () => {
    using visible = await window.object('VisibleRange', 'Range');
    const [shown] = areasOf(text(await visible.get('Address')));
    if (row < shown.row || row >= shown.row + shown.rows) await scrollSheet(window, 'ScrollRow', row);
    if (column < shown.column || column >= shown.column + shown.columns)
      await scrollSheet(window, 'ScrollColumn', column);
  }, undefined);

export async function selectRange(
  book: OpenBook,
  wanted: { readonly sheet: string | undefined; readonly range: string; readonly scroll: boolean },
  turn: Turn,
): Promise<RangeSelected & { readonly before: string; readonly after: string }> {
  using found = await findRange(book, wanted);
  const { window } = book;
  const area = oneArea(found);
  const place = { sheet: found.sheetName, range: addressText(area) };
  using active = await window.object('ActiveSheet', 'Worksheet');
  const activeName = text(await active.get('Name'));
  const sheetChanged = activeName !== found.sheetName;
  const before = (await selectionOf(window, activeName))?.range ?? '';
  // Found before the sheet changes: a wrong address changes nothing.
  using range = await rangeAt(found.sheet, addressText(area));
  turn.began();
  if (sheetChanged) {
    try {
      await selectInBook(found.sheet, 'Activate', place);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      throw refused('state_conflict', `to show the sheet ${found.sheetName}, which may be hidden`, error);
    }
  }
  try {
    await selectInBook(range, 'Select', place);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw refused(
      'state_conflict',
      `to select ${addressText(area)}`,
      error,
      sheetChanged ? 'delivered' : 'not_delivered',
    );
  }
  if (wanted.scroll) await scrollTo(window, area.row, area.column);
  const after = (await selectionOf(window, found.sheetName))?.range ?? '';
  if (after === '')
    throw new UiaHostError('state_conflict', 'The selection could not be read back.', { delivery: 'delivered' });
  return { sheet: found.sheetName, range: addressText(area), sheetChanged, before, after };
}
