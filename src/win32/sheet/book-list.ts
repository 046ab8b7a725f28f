/** What a workbook has beyond its cells, and where a text is: bounded lists, which change nothing. */
import type { BookListed } from '../../contract/cells/book.ts';
import { cellName, intersectAreas } from '../../contract/cells/cell-address.ts';
import { cellWords } from '../../contract/cells/cell-text.ts';
import { CHARTS, PIVOTS, TABLES, chartState, objectsOf, tableState } from './book-objects.ts';
import { blocksOf, contentOf, identityOf, itemsIn, type Look } from './book-op.ts';
import { ifGiven } from './excel-errors.ts';
import { areasOf, findRange, text } from './find-range.ts';
import type { OpenBook } from './open-book.ts';
import { addressText } from './read-range.ts';

type Row = BookListed['rows'][number];

/** Rows that an answer has; the rest is counted. */
const MOST_ROWS = 200;
/** Cells that a search looks through in one call. */
const MOST_SEARCHED = 200_000;
const LONGEST_VALUE = 200;

const LISTERS: Readonly<Record<string, (look: Look) => AsyncGenerator<Row>>> = {
  /** Without the program's own search, whose settings a person keeps. */
  async *find({ book, wish, own }) {
    const found = own(await findRange(book, { sheet: wish.sheet, range: wish.range }));
    const content = await contentOf(found.sheet);
    const wanted = String(wish['text']).toLowerCase();
    const fits = (word = ''): boolean =>
      wish['match'] === 'cell' ? word.toLowerCase() === wanted : word.toLowerCase().includes(wanted);
    let left = MOST_SEARCHED;
    for (const area of found.areas.flatMap((each) => intersectAreas(each, content) ?? []))
      for await (const { area: part, values, formulas } of blocksOf(found, area)) {
        for (const [r, cells] of values.entries())
          for (const [c, value] of cells.entries()) {
            const cell = cellName(part.row + r, part.column + c);
            const word = typeof value === 'string' ? value : cellWords(value);
            const formula = formulas[cell];
            if (fits(word) || fits(formula))
              yield {
                sheet: found.sheetName,
                cell,
                value: word.slice(0, LONGEST_VALUE),
                ...(formula === undefined ? {} : { formula }),
              };
          }
        left -= part.rows * part.columns;
        if (left <= 0) return;
      }
  },
  async *tables(look) {
    for (const table of await objectsOf(look, TABLES))
      yield { table: table.name, sheet: table.sheetName, ...(await tableState(table)) };
  },
  /** Each series by its formula, which has its ranges: read-range has the data. */
  async *charts(look) {
    for (const chart of await objectsOf(look, CHARTS)) {
      const { type, series } = await chartState(look, chart);
      for (const one of series)
        yield {
          chart: chart.name,
          sheet: chart.sheetName,
          type,
          series: text(await one.get('Name')),
          formula: text(await one.get('Formula')),
        };
    }
  },
  async *sources(look) {
    for (const { name, sheetName, object } of await objectsOf(look, PIVOTS)) {
      const range = look.own(await object.object('TableRange1', 'Range'));
      const [area] = areasOf(text(await range.get('Address')));
      const source = text(await ifGiven(() => object.get('SourceData'), ''));
      yield { pivot: name, sheet: sheetName, range: addressText(area), source };
    }
    for (const [member, kind] of [
      ['Connections', 'connection'],
      ['Queries', 'query'],
    ] as const)
      for (const one of await itemsIn(look, await look.book.book(), member)) {
        const description = text(await ifGiven(() => one.get('Description'), ''));
        yield { [kind]: text(await one.get('Name')), description };
      }
  },
};

export async function listInBook(book: OpenBook, wish: Look['wish']): Promise<BookListed> {
  using owned = new DisposableStack();
  const rows: Row[] = [];
  for await (const row of LISTERS[wish.op]!({ book, wish, own: (made) => owned.use(made) })) rows.push(row);
  return { workbook: await identityOf(book), rows: rows.slice(0, MOST_ROWS), total: rows.length };
}
