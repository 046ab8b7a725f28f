/** Writes cells and reads them back. */
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import { ComError } from '../../../native-bindings/com/hresult.ts';
import type { GridValue } from '../../../native-bindings/com/variant-grid.ts';
import {
  cellCount,
  cellName,
  formatArea,
  intersectAreas,
  parseAddress,
  type CellArea,
} from '../../contract/cells/cell-address.ts';
import { cellsToWrite, checkCellValues } from '../../contract/cells/cell-values.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { isSameFormula, judgeFormula } from '../../contract/cells/formula.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { daysOf, MOST_BEFORE, MOST_NAMES, textsAmong } from '../../contract/cells/cells.ts';
import type { CellInput, CellsBefore } from '../../contract/cells/sheet.ts';
import type { CellsWritten, WriteCells } from '../../desktop/index.ts';
import { putCells } from '../exits/outside.ts';
import { betweenHidden, blocksOf, type Block, holds } from './cell-blocks.ts';
import { isBusy, isRefusal, lacksMember, refused, toSheetError, ifGiven } from './excel-errors.ts';
import type { Turn } from './excel-program.ts';
import { findRange, hiddenOf, oneArea, rangeAt, type FoundRange, isCovered, mergedIn } from './find-range.ts';
import type { OpenBook } from './open-book.ts';
import { addressText, formulaTexts, isFormula, readCells, type CellsRead } from './read-range.ts';

type Values = WriteCells['values'];

/** The cells that a write is aimed at, found and read. */
interface Aimed extends Disposable {
  readonly found: FoundRange;
  readonly area: CellArea;
  /** Merged areas among the cells. */
  readonly merged: readonly CellArea[];
  /** The object of `area`. */
  readonly range: Dispatch;
  readonly read: CellsRead;
  readonly before: CellsBefore;
  /** Known where dates are written. */
  readonly is1904: boolean;
  /** `refusals` of the turn when the cells were read. */
  readonly refusals: number;
}

export const readOnly = (why: string, hint: string): UiaHostError =>
  new UiaHostError('target_readonly', `${why}; nothing was written.`, { hint });

/** A property that older or other programs lack. */
async function optional(object: Dispatch, name: string): Promise<unknown> {
  try {
    return await object.get(name);
  } catch (error) {
    if (lacksMember(error)) return undefined;
    throw error;
  }
}

/** What the program does not refuse by itself. Errors: target_readonly. */
export async function assertNotReadOnly({ book }: Pick<FoundRange, 'book'>): Promise<void> {
  if ((await optional(await book.application(), 'IsSandboxed')) === true)
    throw readOnly('The workbook is in Protected View', 'A person can enable editing in its window.');
  if ((await (await book.book()).get('ReadOnly')) === true)
    throw readOnly('The workbook is open for reading only', 'A person can save a copy and open that.');
}

/** Errors: target_readonly. */
export async function assertWritable(
  { sheet, sheetName }: Pick<FoundRange, 'sheet' | 'sheetName'>,
  range: Dispatch,
): Promise<void> {
  if ((await optional(sheet, 'ProtectContents')) !== true) return;
  // False: none of them is locked. Null: some are.
  if ((await range.get('Locked')) !== false)
    throw readOnly(
      `The sheet ${quoted(sheetName)} is protected`,
      'A person can unprotect it; cells that are not locked can be written.',
    );
}

/** How many of the cells that are written are not empty, and the first of them. */
interface Filled {
  readonly count: number;
  /** Null where all are empty. */
  readonly first: string | null;
}

function filledCells(area: CellArea, { raw }: CellsRead, values: Values): Filled {
  let count = 0;
  let first: string | null = null;
  for (let r = 0; r < raw.length; r += 1) {
    const found = filledIn(raw[r]!, values[r]);
    count += found.count;
    if (found.count > 0) first ??= cellName(area.row + r, area.column + found.first);
  }
  return { count, first };
}

/** `first`: its place in the row. */
function filledIn(
  row: readonly GridValue[],
  wanted: readonly CellInput[] | undefined,
): { count: number; first: number } {
  let count = 0;
  let first = -1;
  for (let c = 0; c < row.length; c += 1) {
    if (row[c] === undefined || wanted?.[c] === null) continue;
    count += 1;
    if (first < 0) first = c;
  }
  return { count, first };
}

/** Errors: state_conflict where what was read has changed, or where cells would be overwritten without leave. */
async function assertExpected(
  found: FoundRange,
  area: CellArea,
  read: CellsRead,
  filled: Filled,
  { overwrite, expect }: Pick<WriteCells, 'overwrite' | 'expect'>,
): Promise<void> {
  if (expect !== undefined) {
    const address = expect.split('.')[0] ?? '';
    const parsed = parseAddress(address);
    const seen = parsed.kind === 'areas' ? parsed.areas[0] : area;
    const inside = intersectAreas(seen, area);
    if (inside === null || cellCount(inside) !== cellCount(area))
      throw new UiaHostError(
        'invalid_argument',
        `expect: this is the digest of ${address}, which does not contain ${addressText(area)}; nothing was written.`,
        { hint: 'Read the range that you write with read-range, and send its digest.' },
      );
    const digest = addressText(seen) === addressText(area) ? read.digest : await digestAt(found, seen);
    if (digest === expect) return;
    throw new UiaHostError(
      'state_conflict',
      `The cells of ${address} on the sheet ${quoted(found.sheetName)} have changed since they were read; nothing was written.`,
      { hint: 'Read the range again, and write with its new digest.' },
    );
  }
  if (overwrite || filled.first === null) return;
  throw new UiaHostError(
    'state_conflict',
    `${String(filled.count)} of the cells to write are not empty, the first is ${filled.first}; nothing was written.`,
    { hint: 'Read them with read-range and send its digest as expect, or send overwrite: true.' },
  );
}

async function digestAt(found: FoundRange, area: CellArea): Promise<string> {
  using range = await rangeAt(found.sheet, formatArea(area));
  return (await readCells(found, area, 'iso', range)).digest;
}

/** Reads the cells that a write is aimed at. Errors: target_readonly, state_conflict. */
async function look(
  { found, area, range }: Pick<Aimed, 'found' | 'area' | 'range'>,
  wanted: WriteCells,
): Promise<Pick<Aimed, 'read' | 'before'>> {
  await assertNotReadOnly(found);
  await assertWritable(found, range);
  const read = await readCells(found, area, 'iso', range);
  const filled = filledCells(area, read, wanted.values);
  await assertExpected(found, area, read, filled, wanted);
  const before: CellsBefore = {
    sheet: found.sheetName,
    ...hiddenOf(found),
    range: addressText(area),
    values: read.values,
    texts: textsAmong(read.values),
    formulas: read.formulas,
    names: await definedNames(found.book, wanted.values),
    filled: filled.count,
    digest: read.digest,
  };
  return { read, before };
}

/** Finds and reads the cells, for the gate and again for the write. Errors: those of `look`, invalid_argument. */
async function aim(book: OpenBook, wanted: WriteCells, turn: Turn): Promise<Aimed> {
  const { values } = wanted;
  assertDates(values);
  using owned = new DisposableStack();
  const found = owned.use(await findRange(book, wanted));
  const area = checkCellValues(oneArea(found), values);
  const range = owned.use(await rangeAt(found.sheet, formatArea(area)));
  const { refusals } = turn;
  const { read, before } = await look({ found, area, range }, wanted);
  const is1904 = hasDates(values) && (await optional(await book.book(), 'Date1904')) === true;
  const merged = await mergedIn(found.sheet, range, area);
  const kept = owned.move();
  return { found, area, range, read, before, refusals, is1904, merged, [Symbol.dispose]: () => kept.dispose() };
}

/** What the names in the formulas refer to, and the names in that: a name can hide what a formula reaches. */
export async function definedNames(book: OpenBook, values: Values): Promise<Record<string, string>> {
  const wanted = new Set(cellsToWrite(values).formulas.flatMap(({ formula }) => judgeFormula(formula).names));
  if (wanted.size === 0) return {};
  const found: Record<string, string> = {};
  using names = await (await book.book()).object('Names', 'Names');
  for (const name of wanted) {
    if (Object.keys(found).length >= MOST_NAMES)
      throw new UiaHostError(
        'blocked_by_policy',
        `The formulas lead to more than ${String(MOST_NAMES)} names; nothing was written.`,
      );
    const target = await ifGiven(async () => {
      using item = await names.object('Item', 'Name', [name]);
      return await item.get('RefersTo');
    }, null);
    if (typeof target !== 'string') continue;
    found[name] = target;
    for (const inner of judgeFormula(target).names) wanted.add(inner);
  }
  return found;
}

const hasDates = (values: Values): boolean => cellsToWrite(values).dates.length > 0;

/** Errors: invalid_argument for a day that no month has. */
function assertDates(values: Values): void {
  for (const date of cellsToWrite(values).dates)
    if (Number.isNaN(daysOf(date, false)))
      throw new UiaHostError(
        'invalid_argument',
        `${quoted(String(date))} is not a date from 1900 to 9999; nothing was written.`,
      );
}

/** For the gate. */
export async function cellsBefore(book: OpenBook, wanted: WriteCells, turn: Turn): Promise<CellsBefore> {
  using aimed = await aim(book, wanted, turn);
  return aimed.before;
}

/** `isOnce`: an error where the program is busy now. */
async function putInto(
  range: Dispatch,
  { sheetName: sheet }: FoundRange,
  { way, values, address }: Block,
  isOnce: boolean,
): Promise<void> {
  const place = { sheet, range: address };
  const put = (property: 'Value' | 'Value2' | 'Formula' | 'Formula2'): Promise<void> =>
    putCells(range, place, { property, values }, isOnce);
  if (way !== 'formula') return put(way === 'date' ? 'Value' : 'Value2');
  // Excel 2019 has the member, and refuses it; a wrong formula is refused again.
  if ((await ifGiven(() => put('Formula2'), 'refused')) === 'refused') await put('Formula');
}

interface Difference {
  readonly cell: string;
  readonly wanted: CellInput;
  readonly got: CellsRead['values'][number][number];
  readonly at: readonly [row: number, column: number];
}

async function differences(aimed: Aimed, values: Values): Promise<Difference[]> {
  const { found, area, range } = aimed;
  const hasFormulas = cellsToWrite(values).formulas.length > 0;
  const read = await readCells(found, area, 'iso', range);
  return differencesFrom(read, aimed, values, hasFormulas ? await formulaTexts(range) : null);
}

/** @param given the formulas as the program has them; null counts each as another one */
function differencesFrom(
  read: CellsRead,
  { area, is1904, merged }: Aimed,
  values: Values,
  given: Awaited<ReturnType<typeof formulaTexts>> | null,
): Difference[] {
  const nameOf = (r: number, c: number): string => cellName(area.row + r, area.column + c);
  const isRight = (wanted: CellInput, r: number, c: number): boolean => {
    const got = read.raw[r]?.[c];
    if (typeof wanted !== 'object' || wanted === null || !('formula' in wanted))
      return holds(wanted, got, is1904) && !(read.hasFormulas && nameOf(r, c) in read.formulas);
    const formula = given?.[r]?.[c];
    return isFormula(formula, got) && isSameFormula(formula, wanted.formula);
  };
  const wrong: Difference[] = [];
  const compare = (row: readonly CellInput[], r: number): void => {
    for (let c = 0; c < row.length; c += 1) {
      const wanted = row[c]!;
      if (wanted !== null && (isCovered(merged, area.row + r, area.column + c) || !isRight(wanted, r, c)))
        wrong.push({ cell: nameOf(r, c), wanted, got: read.valueAt(r, c), at: [r, c] });
    }
  };
  values.forEach(compare);
  return wrong;
}

/** In a cell of the format Text the apostrophe becomes part of the text: there the text itself is sent. */
async function withoutApostrophe(
  { sheet, sheetName }: FoundRange,
  area: CellArea,
  wrong: readonly Difference[],
): Promise<boolean> {
  const kept = wrong.filter(({ wanted, got }) => typeof wanted === 'string' && got === `'${wanted}`);
  for (const { wanted, at } of kept) {
    const range = cellName(area.row + at[0], area.column + at[1]);
    using cell = await rangeAt(sheet, range);
    await putCells(cell, { sheet: sheetName, range }, { property: 'Value2', values: [[wanted as string]] });
  }
  return kept.length > 0;
}

/** State of a write that the program refused midway. */
async function refusedMidway(aimed: Aimed, block: Block, error: unknown): Promise<never> {
  if (!isRefusal(error)) throw error;
  const now = await readCells(aimed.found, aimed.area, 'iso', aimed.range);
  const isUnchanged = now.digest === aimed.read.digest;
  if (isUnchanged) await assertWritable(aimed.found, aimed.range);
  const what = `${block.way === 'formula' ? 'the formula' : 'the values'} for ${block.address}`;
  const more = isUnchanged
    ? { hint: 'Correct the formula or value, and write again.' }
    : { hint: 'Some cells were written before it; read the range.' };
  throw refused('invalid_argument', what, error, isUnchanged ? 'not_delivered' : 'delivered').with(more);
}

/** False where the program has been busy since the cells were read: a person may have changed them, and nothing was put. */
async function putFirst({ found, area, range, refusals }: Aimed, block: Block, turn: Turn): Promise<boolean> {
  using part = block.address === formatArea(area) ? null : await rangeAt(found.sheet, block.address);
  if (turn.refusals !== refusals) return false;
  try {
    await putInto(part ?? range, found, block, true);
    return true;
  } catch (error) {
    if (error instanceof ComError && isBusy(error.hresult)) return false;
    throw error;
  }
}

async function putNext({ found }: Aimed, block: Block): Promise<true> {
  using part = await rangeAt(found.sheet, block.address);
  await putInto(part, found, block, false);
  return true;
}

/** Writes the cells; returns the cells that did not keep what was written. Null where nothing was: see `putFirst`. */
async function put(aimed: Aimed, values: Values, blocks: readonly Block[], turn: Turn): Promise<Difference[] | null> {
  const { found, area } = aimed;
  const putAll = async (all: readonly Block[], isAgain: boolean): Promise<boolean> => {
    for (const [at, block] of all.entries()) {
      try {
        const isPut = at > 0 || isAgain ? await putNext(aimed, block) : await putFirst(aimed, block, turn);
        if (!isPut) return false;
      } catch (error) {
        await refusedMidway(aimed, block, error);
      }
    }
    return true;
  };
  if (!(await putAll(blocks, false))) return null;
  let wrong = await differences(aimed, values);
  const others = wrong.length === 0 ? null : await othersNow(aimed, values, blocks);
  if (others !== null) {
    await putAll(others, true);
    wrong = await differences(aimed, values);
  }
  return (await withoutApostrophe(found, area, wrong)) ? differences(aimed, values) : wrong;
}

/** Where rows or columns have been hidden since the blocks were made, each cell that is seen holds the first value: blocks for now. */
async function othersNow(
  { found, area, is1904 }: Aimed,
  values: Values,
  blocks: readonly Block[],
): Promise<readonly Block[] | null> {
  const now = await betweenHidden(found.sheet, area, blocksOf(area, values, is1904));
  const isSame = now.length === blocks.length && now.every(({ address }, at) => address === blocks[at]?.address);
  return isSame ? null : now;
}

/** What was written, and whether the cells held that before. */
interface RangeChange extends CellsWritten {
  readonly wasThere: boolean;
}

export async function writeRange(book: OpenBook, wanted: WriteCells, turn: Turn): Promise<RangeChange> {
  for (;;) {
    const written = await writeOnce(book, wanted, turn);
    if (written !== null) return written;
    // The next call waits until the program answers, or until the deadline.
    turn.began(false);
  }
}

/** Null where the program is busy and nothing was written. */
async function writeOnce(book: OpenBook, wanted: WriteCells, turn: Turn): Promise<RangeChange | null> {
  const { values } = wanted;
  using aimed = await aim(book, wanted, turn);
  const { found, area, read, before, is1904 } = aimed;
  const macrosMayRun = (await optional(await book.book(), 'HasVBProject')) === true;
  const blocks = await betweenHidden(found.sheet, area, blocksOf(area, values, is1904));
  const { written, formulas } = cellsToWrite(values);
  const wasThere = before.filled === written && differencesFrom(read, aimed, values, null).length === 0;
  turn.began();
  const wrong = await put(aimed, values, blocks, turn).catch((error: unknown) => {
    const failure = toSheetError(error, 'unknown');
    const isUnchanged = !(failure instanceof UiaHostError) || failure.delivery === 'not_delivered';
    throw isUnchanged ? failure : failure.with({ partialResult: before });
  });
  if (wrong === null) return null;
  return {
    wasThere,
    before,
    filled: before.filled,
    written: {
      sheet: found.sheetName,
      ...hiddenOf(found),
      range: addressText(area),
      written,
      formulas: formulas.length,
      before: cellCount(area) <= MOST_BEFORE ? { values: read.values, formulas: read.formulas } : null,
      ...(aimed.merged.length === 0 ? {} : { merged: aimed.merged.map(addressText) }),
      differing: wrong.map(({ cell, wanted: value, got }) => ({ cell, wanted: value, got })),
      undoCleared: true,
      macrosMayRun,
      saved: false,
    },
  };
}
