/** What the workbook of a window is, and selecting cells in it. */
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import { addressText, cellCount, formatAreas, type CellArea } from '../../contract/cells/cell-address.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { RangeSelected, WorkbookInfo } from '../../contract/cells/sheet.ts';
import { given, ifGiven, isSet, orRefused, refused } from './excel-errors.ts';
import type { Turn } from './excel-program.ts';
import {
  activeSheet,
  areasAt,
  findRange,
  identityOf,
  isVisible,
  itemsOf,
  nameOf,
  oneArea,
  rangeAt,
  text,
} from './find-range.ts';
import type { OpenBook } from './open-book.ts';
import { changeBook, scrollSheet } from '../exits/outside.ts';

/** https://learn.microsoft.com/office/vba/api/excel.xlcalculation */
const CALCULATIONS = new Map<unknown, WorkbookInfo['calculation']>([
  [-4105, 'automatic'],
  [-4135, 'manual'],
  [2, 'semiautomatic'],
]);
/** https://learn.microsoft.com/office/vba/api/excel.xlapplicationinternational */
const DECIMAL_SEPARATOR = 3;
const LIST_SEPARATOR = 5;

async function sheetsOf(sheets: Dispatch, active: string): Promise<WorkbookInfo['sheets']> {
  const found: WorkbookInfo['sheets'] = [];
  for (const sheet of await itemsOf(sheets, 'Worksheet', Infinity)) {
    const name = await nameOf(sheet);
    found.push({
      name,
      index: found.length + 1,
      visible: isVisible(await sheet.get('Visible')),
      protected: await isSet(sheet, 'ProtectContents'),
      usedRange: await ifGiven(async () => {
        const areas = await areasAt(await sheet.object('UsedRange', 'Range'));
        return areas.map(addressText).join(',');
      }, null),
      active: name === active,
    });
  }
  return found;
}

const selectionOf = (window: Dispatch, sheet: string): Promise<WorkbookInfo['selection']> =>
  ifGiven(async () => {
    const areas = await areasAt(await window.object('RangeSelection', 'Range'));
    return { sheet, range: formatAreas(areas), cells: areas.reduce((sum, area) => sum + cellCount(area), 0) };
  }, null);

export async function workbookInfo(open: OpenBook): Promise<WorkbookInfo> {
  const application = await open.application();
  const book = await open.book();
  const active = await nameOf(await activeSheet(open));
  const separator = async (index: number, usual: string): Promise<string> =>
    text(await given(application, 'International', [index])) || usual;
  return {
    application: { name: await nameOf(application), version: text(await application.get('Version')) },
    workbook: {
      ...(await identityOf(open)),
      readOnly: (await book.get('ReadOnly')) === true,
      saved: (await book.get('Saved')) === true,
      date1904: await isSet(book, 'Date1904'),
      protectedView: await isSet(application, 'IsSandboxed'),
    },
    sheets: await sheetsOf(await open.sheets(), active),
    selection: await selectionOf(open.window, active),
    calculation: CALCULATIONS.get(await application.get('Calculation')) ?? 'automatic',
    separators: { decimal: await separator(DECIMAL_SEPARATOR, '.'), list: await separator(LIST_SEPARATOR, ',') },
  };
}

/** Scrolls the window so far that the first cell is in view. */
const scrollTo = (window: Dispatch, { row, column }: CellArea): Promise<void> =>
  // Frozen panes and other programs: the selection itself is what counts.
  ifGiven(async () => {
    const [shown] = await areasAt(await window.object('VisibleRange', 'Range'));
    if (row < shown.row || row >= shown.row + shown.rows) await scrollSheet(window, 'ScrollRow', row);
    if (column < shown.column || column >= shown.column + shown.columns)
      await scrollSheet(window, 'ScrollColumn', column);
  }, undefined);

export async function selectRange(
  book: OpenBook,
  wanted: { readonly sheet: string | undefined; readonly range: string; readonly scroll: boolean },
  turn: Turn,
): Promise<RangeSelected & { readonly before: string; readonly after: string }> {
  const found = await findRange(book, wanted);
  const { window } = book;
  const area = oneArea(found);
  const place = { sheet: found.sheetName, range: addressText(area) };
  const active = await nameOf(await activeSheet(book));
  const sheetChanged = active !== found.sheetName;
  const before = (await selectionOf(window, active))?.range ?? '';
  // Found before the sheet changes: a wrong address changes nothing.
  const range = await rangeAt(found.sheet, place.range);
  turn.hasBegun = true;
  if (sheetChanged)
    await orRefused(
      () => changeBook(found.sheet, place, { call: 'Activate', args: [] }),
      (error) => refused('state_conflict', `to show the sheet ${found.sheetName}, which may be hidden`, error),
    );
  await orRefused(
    () => changeBook(range, place, { call: 'Select', args: [] }),
    (error) =>
      refused('state_conflict', `to select ${place.range}`, error, sheetChanged ? 'delivered' : 'not_delivered'),
  );
  if (wanted.scroll) await scrollTo(window, area);
  const after = (await selectionOf(window, found.sheetName))?.range ?? '';
  if (after === '')
    throw new UiaHostError('state_conflict', 'The selection could not be read back.', { delivery: 'delivered' });
  return { ...place, sheetChanged, before, after };
}
