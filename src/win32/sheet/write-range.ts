/** Writes cells and reads them back. */
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import {
  addressText,
  cellCount,
  formatArea,
  formatAreas,
  intersectAreas,
  parseAddress,
  type CellArea,
} from '../../contract/cells/cell-address.ts';
import { cellsToWrite, checkCellValues } from '../../contract/cells/cell-values.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { isSameFormula, judgeFormula } from '../../contract/cells/formula.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { MOST_BEFORE, MOST_NAMES, textsAmong } from '../../contract/cells/cells.ts';
import type { CellsBefore } from '../../contract/cells/sheet.ts';
import type { CellsWritten, WriteCells } from '../../desktop/index.ts';
import { putCells } from '../exits/outside.ts';
import { betweenHidden, blocksOf, type Block, holds } from './cell-blocks.ts';
import { conflict, ifGiven, isRefusal, isSet, readOnly, refused, toSheetError, wrong } from './excel-errors.ts';
import { whileUnchanged, type Change, type Turn } from './excel-program.ts';
import {
  findRange,
  isCovered,
  mergedIn,
  mergedText,
  oneArea,
  placeOf,
  rangeAt,
  type FoundRange,
} from './find-range.ts';
import type { OpenBook } from './open-book.ts';
import { eachCell, readCells, type CellsRead } from './read-range.ts';

type Values = WriteCells['values'];

/** The cells that a write is aimed at, found and read. */
interface Aimed {
  readonly found: FoundRange;
  readonly area: CellArea;
  /** The object of `area`. */
  readonly range: Dispatch;
  readonly values: Values;
  /** Merged areas among the cells. */
  readonly merged: readonly CellArea[];
  readonly read: CellsRead;
  readonly before: CellsBefore;
  /** Known where dates are written. */
  readonly is1904: boolean;
}

/** What the program does not refuse by itself. Errors: target_readonly. */
export async function assertNotReadOnly(book: OpenBook): Promise<void> {
  if (await isSet(await book.application(), 'IsSandboxed'))
    throw readOnly('The workbook is in Protected View', 'A person can enable editing in its window.');
  if ((await (await book.book()).get('ReadOnly')) === true)
    throw readOnly('The workbook is open for reading only', 'A person can save a copy and open that.');
}

/** Errors: target_readonly. */
export async function assertWritable(
  { sheet, sheetName }: Pick<FoundRange, 'sheet' | 'sheetName'>,
  range: Dispatch,
): Promise<void> {
  if (!(await isSet(sheet, 'ProtectContents'))) return;
  // False: none of them is locked. Null: some are.
  if ((await range.get('Locked')) !== false)
    throw readOnly(
      `The sheet ${quoted(sheetName)} is protected`,
      'A person can unprotect it; cells that are not locked can be written.',
    );
}

/** Errors: invalid_argument for the digest of other cells, state_conflict where what was read has changed. */
async function assertUnchanged(found: FoundRange, area: CellArea, read: CellsRead, expect: string): Promise<void> {
  const address = expect.split('.')[0] ?? '';
  const parsed = parseAddress(address);
  const seen = parsed.kind === 'areas' ? parsed.areas[0] : area;
  const inside = intersectAreas(seen, area);
  if (inside === null || cellCount(inside) !== cellCount(area))
    throw wrong(
      `expect: this is the digest of ${address}, which does not contain ${addressText(area)}`,
      'Read the range that you write with read-range, and send its digest.',
    );
  const { digest } = addressText(seen) === addressText(area) ? read : await readCells(found, seen);
  if (digest !== expect)
    throw conflict(
      `The cells of ${address} on the sheet ${quoted(found.sheetName)} have changed since they were read`,
      'Read the range again, and write with its new digest.',
    );
}

/** Finds and reads the cells, for the gate and again for the write. Errors: target_readonly, state_conflict, invalid_argument. */
async function aim(book: OpenBook, wanted: WriteCells): Promise<Aimed> {
  const { values, overwrite, expect } = wanted;
  const found = await findRange(book, wanted);
  const area = checkCellValues(oneArea(found), values);
  const range = await rangeAt(found.sheet, area);
  await assertNotReadOnly(book);
  await assertWritable(found, range);
  const read = await readCells(found, area, range);
  const filled = eachCell(read).filter(({ raw, r, c }) => raw !== undefined && values[r]![c] !== null);
  if (expect !== undefined) await assertUnchanged(found, area, read, expect);
  else if (!overwrite && filled[0] !== undefined)
    throw conflict(
      `${filled.length} of the cells to write are not empty, the first is ${filled[0].cell}`,
      'Read them with read-range and send its digest as expect, or send overwrite: true.',
    );
  const { formulas, dates } = cellsToWrite(values);
  const before: CellsBefore = {
    ...placeOf(found, area),
    values: read.values,
    texts: textsAmong(read.values),
    formulas: read.formulas,
    names: await definedNames(book, formulas),
    filled: filled.length,
    digest: read.digest,
  };
  const is1904 = dates.length > 0 && (await isSet(await book.book(), 'Date1904'));
  return { found, area, range, values, merged: await mergedIn(found.sheet, range, area), read, before, is1904 };
}

/** What the names in the formulas refer to, and the names in that: a name can hide what a formula reaches. */
export async function definedNames(
  book: OpenBook,
  formulas: ReadonlyArray<{ readonly formula: string }>,
): Promise<Record<string, string>> {
  const wanted = new Set(formulas.flatMap(({ formula }) => judgeFormula(formula).names));
  if (wanted.size === 0) return {};
  const found: Record<string, string> = {};
  const names = await (await book.book()).object('Names');
  for (const name of wanted) {
    if (Object.keys(found).length >= MOST_NAMES)
      throw new UiaHostError(
        'blocked_by_policy',
        `The formulas lead to more than ${MOST_NAMES} names; nothing was written.`,
      );
    const target = await ifGiven(async () => (await names.object('Item', 'Name', [name])).get('RefersTo'), null);
    if (typeof target !== 'string') continue;
    found[name] = target;
    for (const inner of judgeFormula(target).names) wanted.add(inner);
  }
  return found;
}

/** For the gate. */
export const cellsBefore = async (book: OpenBook, wanted: WriteCells): Promise<CellsBefore> =>
  (await aim(book, wanted)).before;

/** Cells that do not hold what is wanted. */
const differencesFrom = (read: CellsRead, { values, is1904, merged }: Aimed) =>
  eachCell(read).flatMap(({ cell, row, column, r, c, raw, value, formula = '' }) => {
    const wanted = values[r]![c]!;
    if (wanted === null) return [];
    const isRight =
      typeof wanted === 'object' && 'formula' in wanted
        ? isSameFormula(formula, wanted.formula)
        : formula === '' && holds(wanted, raw, is1904);
    return isRight && !isCovered(merged, { row, column }) ? [] : [{ cell, row, column, wanted, got: value }];
  });

type Difference = ReturnType<typeof differencesFrom>[number];

const addressOf = ({ row, column, values }: Block): string =>
  formatArea({ row, column, rows: values.length, columns: values[0]!.length });

async function putBlock(
  { found: { sheet, sheetName }, area, range }: Aimed,
  block: Block,
  change: Change,
): Promise<void> {
  const { way, values } = block;
  const place = addressOf(block);
  const object = place === formatArea(area) ? range : await rangeAt(sheet, place);
  await change(async (isOnce) => {
    const put = (property: Parameters<typeof putCells>[2]['property']): Promise<void> =>
      putCells(object, { sheet: sheetName, range: place }, { property, values }, isOnce);
    if (way !== 'formula') return put(way === 'date' ? 'Value' : 'Value2');
    // Excel 2019 has the member, and refuses it; a wrong formula is refused again.
    if ((await ifGiven(() => put('Formula2'), 'refused')) === 'refused') await put('Formula');
  });
}

/** State of a write that the program refused midway. */
async function refusedMidway({ found, area, range, read }: Aimed, block: Block, error: unknown): Promise<never> {
  if (!isRefusal(error)) throw error;
  const isUnchanged = (await readCells(found, area, range)).digest === read.digest;
  if (isUnchanged) await assertWritable(found, range);
  throw refused(
    'invalid_argument',
    `${block.way === 'formula' ? 'the formula' : 'the values'} for ${addressOf(block)}`,
    error,
    isUnchanged ? 'not_delivered' : 'delivered',
    isUnchanged
      ? 'Correct the formula or value, and write again.'
      : 'Some cells were written before it; read the range.',
  );
}

/** Writes the cells; the cells that did not keep what was written. */
async function put(aimed: Aimed, change: Change): Promise<Difference[]> {
  const { found, area, range, values, is1904 } = aimed;
  const putAll = async (blocks: readonly Block[]): Promise<Difference[]> => {
    for (const block of blocks)
      await putBlock(aimed, block, change).catch((error: unknown) => refusedMidway(aimed, block, error));
    return differencesFrom(await readCells(found, area, range), aimed);
  };
  const places = await betweenHidden(found.sheet, area);
  const differing = await putAll(blocksOf(places, area, values, is1904));
  if (differing.length === 0) return differing;
  // Where rows or columns have been hidden since, each cell that is seen holds the first value.
  const now = await betweenHidden(found.sheet, area);
  const isSame = formatAreas(now) === formatAreas(places);
  const left = isSame ? differing : await putAll(blocksOf(now, area, values, is1904));
  // In a cell of the format Text the apostrophe becomes part of the text: there the text itself is sent.
  const kept = left.filter(({ wanted, got }) => typeof wanted === 'string' && got === `'${wanted}`);
  return kept.length === 0
    ? left
    : putAll(
        kept.map(({ row, column, wanted }): Block => ({ row, column, way: 'value', values: [[wanted as string]] })),
      );
}

/** What was written, and whether the cells held that before. */
interface RangeChange extends CellsWritten {
  readonly wasThere: boolean;
}

export const writeRange = (book: OpenBook, wanted: WriteCells, turn: Turn): Promise<RangeChange> =>
  whileUnchanged(turn, async (change) => {
    const aimed = await aim(book, wanted);
    const { found, area, read, before, merged } = aimed;
    const macrosMayRun = await isSet(await book.book(), 'HasVBProject');
    const { written, formulas } = cellsToWrite(wanted.values);
    const wasThere = before.filled === written && formulas.length === 0 && differencesFrom(read, aimed).length === 0;
    const differing = await put(aimed, change).catch((error: unknown) => {
      const failure = toSheetError(error, turn.hasBegun ? 'unknown' : 'not_delivered');
      const isUnchanged = !(failure instanceof UiaHostError) || failure.delivery === 'not_delivered';
      throw isUnchanged ? failure : failure.with({ partialResult: before });
    });
    return {
      wasThere,
      before,
      written: {
        ...placeOf(found, area),
        written,
        formulas: formulas.length,
        before: cellCount(area) <= MOST_BEFORE ? { values: read.values, formulas: read.formulas } : null,
        ...mergedText(merged),
        differing: differing.map(({ cell, wanted: value, got }) => ({ cell, wanted: value, got })),
        undoCleared: true,
        macrosMayRun,
        saved: false,
      },
    };
  });
