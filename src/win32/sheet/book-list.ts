/** What a workbook has beyond its cells, and where a text is: bounded lists, which change nothing. */
import type { BookListed } from '../../contract/cells/book.ts';
import { addressText, cellCount, intersectAreas } from '../../contract/cells/cell-address.ts';
import { cellWords } from '../../contract/cells/cell-text.ts';
import { CHARTS, PIVOTS, TABLES, chartState, itemsIn, objectsOf, tableState } from './book-objects.ts';
import type { Look } from './book-op.ts';
import { given } from './excel-errors.ts';
import { areasAt, contentOf, findRange, identityOf, nameOf, text } from './find-range.ts';
import type { OpenBook } from './open-book.ts';
import { eachCell, readBlocks } from './read-range.ts';

type Row = BookListed['rows'][number];

/** Rows that an answer has; the rest is counted. */
const MOST_ROWS = 200;
/** Cells that a search looks through in one call. */
const MOST_SEARCHED = 200_000;
const LONGEST_VALUE = 200;

const LISTERS: Readonly<Record<string, (look: Look) => AsyncGenerator<Row>>> = {
  /** Without the program's own search, whose settings a person keeps. */
  async *find({ book, wish }) {
    const found = await findRange(book, wish);
    const content = await contentOf(found.sheet);
    const wanted = String(wish['text']).toLowerCase();
    const fits = (word = ''): boolean =>
      wish['match'] === 'cell' ? word.toLowerCase() === wanted : word.toLowerCase().includes(wanted);
    let left = MOST_SEARCHED;
    for (const area of found.areas.flatMap((each) => intersectAreas(each, content) ?? []))
      for await (const read of readBlocks(found, area)) {
        for (const { cell, value, formula } of eachCell(read)) {
          const word = typeof value === 'string' ? value : cellWords(value);
          if (fits(word) || fits(formula))
            yield {
              sheet: found.sheetName,
              cell,
              value: word.slice(0, LONGEST_VALUE),
              ...(formula === undefined ? {} : { formula }),
            };
        }
        left -= cellCount(read.area);
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
      const { type, series } = await chartState(chart);
      for (const one of series)
        yield {
          chart: chart.name,
          sheet: chart.sheetName,
          type,
          series: await nameOf(one),
          formula: text(await one.get('Formula')),
        };
    }
  },
  async *sources(look) {
    for (const { name, sheetName, object } of await objectsOf(look, PIVOTS)) {
      const [area] = await areasAt(await object.object('TableRange1', 'Range'));
      const source = text(await given(object, 'SourceData'));
      yield { pivot: name, sheet: sheetName, range: addressText(area), source };
    }
    for (const [member, kind] of [
      ['Connections', 'connection'],
      ['Queries', 'query'],
    ] as const)
      for (const one of await itemsIn(await look.book.book(), member))
        yield { [kind]: await nameOf(one), description: text(await given(one, 'Description')) };
  },
};

export async function listInBook(book: OpenBook, wish: Look['wish']): Promise<BookListed> {
  const rows: Row[] = [];
  for await (const row of LISTERS[wish.op]!({ book, wish })) rows.push(row);
  return { workbook: await identityOf(book), rows: rows.slice(0, MOST_ROWS), total: rows.length };
}
