/** What a workbook has beyond its cells, and where a text is: bounded lists, which change nothing. */
import type { BookListed } from '../../contract/cells/book.ts';
import { cellName, intersectAreas } from '../../contract/cells/cell-address.ts';
import { cellWords } from '../../contract/cells/cell-text.ts';
import { MOST_CELLS } from '../../contract/cells/cells.ts';
import type { BookWish } from '../../contract/cells/book.ts';
import { CHARTS, PIVOTS, TABLES, areaOfTable, chartType, eachOf, type OnSheet } from './book-objects.ts';
import type { At } from './book-op.ts';
import { ifGiven } from './excel-errors.ts';
import { areasOf, findRange, text, usedRange } from './find-range.ts';
import { formatArea } from '../../contract/cells/cell-address.ts';
import type { OpenBook } from './open-book.ts';
import { addressText, readCells } from './read-range.ts';
import { rangeAt } from './find-range.ts';

type Row = BookListed['rows'][number];
type Wish = BookWish & Readonly<Record<string, unknown>>;
type Lister = (book: OpenBook, wish: Wish, own: At['own'], add: (row: Row) => boolean) => Promise<void>;

/** Rows that an answer has; the rest is counted. */
const MOST_ROWS = 200;
/** Cells that a search looks through in one call. */
const MOST_SEARCHED = 200_000;

/** Every object of a kind as one row each. */
const listed =
  (kind: readonly [string, string], rowOf: (found: OnSheet, own: At['own']) => Promise<Row>): Lister =>
  async (book, _wish, own, add) => {
    await eachOf(book, kind, own, async (found) => {
      add(await rowOf(found, own));
      return false;
    });
  };

/** Cells that show or hold a text, in the sheet or range, without the program's own search, whose settings a person keeps. */
const find: Lister = async (book, wish, own, add) => {
  const found = own(await findRange(book, { sheet: wish.sheet, range: wish.range }));
  using used = await usedRange(found.sheet);
  const [content] = areasOf(text(await used.get('Address')));
  const wanted = String(wish['text']).toLowerCase();
  const fits = (word: string): boolean =>
    wish['match'] === 'cell' ? word.toLowerCase() === wanted : word.toLowerCase().includes(wanted);
  let left = MOST_SEARCHED;
  for (const area of found.areas.flatMap((each) => intersectAreas(each, content) ?? [])) {
    const most = Math.max(1, Math.floor(MOST_CELLS / area.columns));
    for (let row = 0; row < area.rows && left > 0; row += most) {
      const part = { ...area, row: area.row + row, rows: Math.min(most, area.rows - row) };
      left -= part.rows * part.columns;
      using range = await rangeAt(found.sheet, formatArea(part));
      const read = await readCells(found, part, 'iso', range);
      for (const [r, cells] of read.values.entries())
        for (const [c, value] of cells.entries()) {
          const cell = cellName(part.row + r, part.column + c);
          const formula = read.formulas[cell];
          if (value === null && formula === undefined) continue;
          const word = typeof value === 'string' ? value : cellWords(value);
          if (fits(word) || (formula !== undefined && fits(formula)))
            add({
              sheet: found.sheetName,
              cell,
              value: word.slice(0, 200),
              ...(formula === undefined ? {} : { formula }),
            });
        }
    }
  }
};

const LISTERS: Readonly<Record<string, Lister>> = {
  find,
  tables: listed(TABLES, async ({ sheetName, name, object }) => ({
    table: name,
    sheet: sheetName,
    range: addressText(await areaOfTable(object)),
    totals: (await object.get('ShowTotals')) === true,
  })),
  async charts(book, _wish, own, add) {
    await eachOf(book, CHARTS, own, async (found) => {
      using chart = await found.object.object('Chart', 'Chart');
      using all = await chart.ask('SeriesCollection', 'SeriesCollection');
      const count = Number(await all.get('Count'));
      for (let at = 1; at <= count; at += 1) {
        using series = await all.object('Item', 'Series', [at]);
        // Its ranges are in the formula: read-range has the data.
        add({
          chart: found.name,
          sheet: found.sheetName,
          type: await chartType(found),
          series: text(await series.get('Name')),
          formula: text(await series.get('Formula')),
        });
      }
      return false;
    });
  },
  async sources(book, wish, own, add) {
    await listed(PIVOTS, async ({ sheetName, name, object }) => {
      using range = await object.object('TableRange1', 'Range');
      return {
        pivot: name,
        sheet: sheetName,
        range: addressText(areasOf(text(await range.get('Address')))[0]),
        source: text(await ifGiven(() => object.get('SourceData'), '')),
      };
    })(book, wish, own, add);
    for (const [member, kind] of [
      ['Connections', 'connection'],
      ['Queries', 'query'],
    ] as const)
      await ifGiven(async () => {
        const list = own(await (await book.book()).object(member, member));
        const count = Math.min(Number(await list.get('Count')), MOST_ROWS);
        for (let at = 1; at <= count; at += 1) {
          using one = await list.object('Item', kind, [at]);
          add({
            [kind]: text(await one.get('Name')),
            description: text(await ifGiven(() => one.get('Description'), '')),
          });
        }
      }, undefined);
  },
};

export async function listInBook(book: OpenBook, wish: Wish): Promise<BookListed> {
  using owned = new DisposableStack();
  const rows: Row[] = [];
  let total = 0;
  await LISTERS[wish.op]!(
    book,
    wish,
    (made) => owned.use(made),
    (row) => {
      total += 1;
      if (rows.length < MOST_ROWS) rows.push(row);
      return rows.length < MOST_ROWS;
    },
  );
  const whole = await book.book();
  const path = text(await whole.get('Path'));
  return {
    workbook: { name: text(await whole.get('Name')), path: path === '' ? null : text(await whole.get('FullName')) },
    rows,
    total,
  };
}
