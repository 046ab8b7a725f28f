/** Tables, charts, pivots and connections of a workbook. https://learn.microsoft.com/office/vba/api/excel.listobjects, .../excel.chartobjects, .../excel.pivottable, .../excel.workbookconnection */
import { MISSING, type Dispatch } from '../../../native-bindings/com/dispatch.ts';
import { OleDate } from '../../../native-bindings/com/variant-grid.ts';
import { formatArea, intersectAreas, type CellArea } from '../../contract/cells/cell-address.ts';
import { CHART_TYPES } from '../../contract/cells/cells.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { wrong, type At, type Op, type Plan, type State } from './book-op.ts';
import { ifGiven } from './excel-errors.ts';
import { areasOf, findRange, oneArea, rangeAt, text } from './find-range.ts';
import type { OpenBook } from './open-book.ts';
import { addressText, readCells } from './read-range.ts';
import { assertWritable } from './write-range.ts';

/** https://learn.microsoft.com/office/vba/api/excel.xllistobjectsourcetype, .../excel.xlyesnoguess, .../excel.xlpivottablesourcetype */
const FROM_RANGE = 1;
const YES = 1;
const FROM_WORKBOOK = 1;

/** More sheets, and more objects on one, are not looked through. */
const MOST_SHEETS = 100;
const MOST_ON_SHEET = 100;

/** One object of a workbook, such as a table, with its sheet. */
export interface OnSheet {
  readonly sheet: Dispatch;
  readonly sheetName: string;
  readonly object: Dispatch;
  readonly name: string;
}

/** Every object of a kind, sheet by sheet: `use` answers true where it is the one, and then all three are kept by `own`. */
export async function eachOf(
  book: OpenBook,
  [member, kind]: readonly [member: string, kind: string],
  own: At['own'],
  use: (found: OnSheet) => Promise<boolean>,
): Promise<OnSheet | null> {
  const sheets = await book.sheets();
  const count = Math.min(Number(await sheets.get('Count')), MOST_SHEETS);
  for (let at = 1; at <= count; at += 1) {
    const sheet = own(await sheets.object('Item', 'Worksheet', [at]));
    const sheetName = text(await sheet.get('Name'));
    const list = await ifGiven(async () => own(await sheet.ask(member, `${kind}s`)), null);
    const inside = list === null ? 0 : Math.min(Number(await list.get('Count')), MOST_ON_SHEET);
    for (let index = 1; index <= inside; index += 1) {
      const object = own(await list!.object('Item', kind, [index]));
      const found = { sheet, sheetName, object, name: text(await object.get('Name')) };
      if (await use(found)) return found;
    }
  }
  return null;
}

export const TABLES = ['ListObjects', 'ListObject'] as const;
export const CHARTS = ['ChartObjects', 'ChartObject'] as const;
export const PIVOTS = ['PivotTables', 'PivotTable'] as const;

const isNamed =
  (name: string) =>
  async (found: OnSheet): Promise<boolean> =>
    found.name.toLowerCase() === name.toLowerCase();
const named = (at: At, kind: readonly [string, string]): Promise<OnSheet | null> =>
  eachOf(at.book, kind, at.own, isNamed(String(at.wish.name)));

export async function areaOfTable(table: Dispatch): Promise<CellArea> {
  using range = await table.object('Range', 'Range');
  return areasOf(text(await range.get('Address')))[0];
}

async function tableOf(at: At): Promise<OnSheet & { readonly area: CellArea }> {
  const found = await named(at, TABLES);
  if (found === null) throw missing('table', at);
  const area = await areaOfTable(found.object);
  using range = await rangeAt(found.sheet, formatArea(area));
  await assertWritable({ book: at.book, sheet: found.sheet, sheetName: found.sheetName }, range);
  return { ...found, area };
}

const missing = (what: string, { wish }: At): Error =>
  wrong(`The workbook has no ${what} ${quoted(String(wish.name))}`, 'Call inspect-workbook, which lists them.');

/** https://support.microsoft.com/office/fbf49a4f-82a3-43eb-8ba2-44d21233b114: as of a defined name. */
const TABLE_NAME = /^[\p{L}_\\][\p{L}\p{M}\p{N}_.\\]*$/u;

/** An operation on one table: `state` is what is compared. */
async function onTable(
  at: At,
  verb: string,
  state: (table: OnSheet) => Promise<State>,
  plan: (table: OnSheet & { readonly area: CellArea }) => Promise<Pick<Plan, 'act' | 'wanted' | 'loses'>>,
): Promise<Plan> {
  const table = await tableOf(at);
  return {
    what: `${verb} the table ${quoted(table.name)} (${quoted(table.sheetName)} ${addressText(table.area)})`,
    sheet: table.sheetName,
    range: addressText(table.area),
    now: () => state(table),
    ...(await plan(table)),
  };
}

const addressNow = async ({ object }: OnSheet): Promise<State> => ({ range: addressText(await areaOfTable(object)) });

export const OBJECT_OPS: Readonly<Record<string, Op>> = {
  async make_table(at) {
    const found = at.own(await findRange(at.book, { sheet: at.wish.sheet, range: at.wish.range }));
    const area = oneArea(found);
    const range = at.own(await rangeAt(found.sheet, formatArea(area)));
    await assertWritable(found, range);
    const name = String(at.wish.name);
    if (!TABLE_NAME.test(name))
      throw wrong(
        `${quoted(name)} cannot be the name of a table`,
        'Begin with a letter, and use letters, digits, _ and . alone.',
      );
    const same = await named(at, TABLES);
    const isIt =
      same !== null &&
      same.sheetName === found.sheetName &&
      addressText(await areaOfTable(same.object)) === addressText(area);
    if (same !== null && !isIt) throw wrong(`The workbook has a table ${quoted(name)} already`);
    const other = isIt
      ? null
      : await eachOf(
          at.book,
          TABLES,
          at.own,
          async ({ sheetName, object }) =>
            sheetName === found.sheetName && intersectAreas(await areaOfTable(object), area) !== null,
        );
    if (other !== null) throw wrong(`The table ${quoted(other.name)} is there already`, 'Tables do not overlap.');
    using top = await rangeAt(found.sheet, formatArea({ ...area, rows: 1 }));
    const [headers = []] = (await readCells(found, { ...area, rows: 1 }, 'iso', top)).values;
    const texts = headers.map((each) => (typeof each === 'string' ? each.toLowerCase() : null));
    if (texts.includes(null) || new Set(texts).size < texts.length)
      throw wrong(
        'Its first row is not a header: each cell needs a text of its own',
        'Excel would replace the others. Write the headers first.',
      );
    return {
      what: `make the table ${quoted(name)} of ${quoted(found.sheetName)} ${addressText(area)}`,
      sheet: found.sheetName,
      range: addressText(area),
      now: async () => {
        const table = await named(at, TABLES);
        return { [`table ${name}`]: table === null ? null : addressText(await areaOfTable(table.object)) };
      },
      wanted: () => ({ [`table ${name}`]: addressText(area) }),
      async act() {
        const tables = at.own(await found.sheet.object('ListObjects', 'ListObjects'));
        await at.run(tables, 'Add', FROM_RANGE, range, MISSING, YES);
        await at.set(at.own(await range.object('ListObject', 'ListObject')), 'Name', name);
      },
    };
  },
  resize_table: (at) =>
    onTable(at, 'resize', addressNow, async ({ sheet, sheetName, object, area }) => {
      const found = at.own(await findRange(at.book, { sheet: sheetName, range: at.wish.range }));
      const to = oneArea(found);
      if (found.sheetName !== sheetName || to.row !== area.row || intersectAreas(to, area) === null)
        throw wrong(
          `A table keeps its header row, ${addressText({ ...area, rows: 1 })}`,
          'Give a range that begins in that row and overlaps the table.',
        );
      return {
        wanted: () => ({ range: addressText(to) }),
        act: async () => at.run(object, 'Resize', at.own(await rangeAt(sheet, formatArea(to)))),
      };
    }),
  add_rows: (at) =>
    onTable(at, `add ${String(at.wish['count'])} rows to`, addressNow, async ({ object, area }) => ({
      wanted: () => ({ range: addressText({ ...area, rows: area.rows + Number(at.wish['count']) }) }),
      async act() {
        const rows = at.own(await object.object('ListRows', 'ListRows'));
        for (let added = 0; added < Number(at.wish['count']); added += 1) await at.run(rows, 'Add');
      },
    })),
  totals: (at) =>
    onTable(
      at,
      at.wish['on'] === true ? 'show the totals of' : 'remove the totals of',
      async ({ object }) => ({ totals: (await object.get('ShowTotals')) === true }),
      async ({ object }) => ({
        wanted: () => ({ totals: at.wish['on'] === true }),
        act: () => at.set(object, 'ShowTotals', at.wish['on'] === true),
        loses:
          at.wish['on'] === true || (await object.get('ShowTotals')) !== true
            ? null
            : 'it would remove the row of totals',
      }),
    ),
  async make_chart(at) {
    const found = at.own(await findRange(at.book, { sheet: at.wish.sheet, range: at.wish.range }));
    const area = oneArea(found);
    const range = at.own(await rangeAt(found.sheet, formatArea(area)));
    await assertWritable(found, range);
    const name = String(at.wish.name);
    const type = at.wish['type'] as keyof typeof CHART_TYPES;
    const now = async (): Promise<State> => {
      const chart = await named(at, CHARTS);
      return { [`chart ${name}`]: chart === null ? null : await chartType(chart) };
    };
    const [left, top, width] = await Promise.all(
      ['Left', 'Top', 'Width'].map(async (member) => Number(await range.get(member))),
    );
    return {
      what: `make the ${type} chart ${quoted(name)} of ${quoted(found.sheetName)} ${addressText(area)}`,
      sheet: found.sheetName,
      range: addressText(area),
      now,
      wanted: () => ({ [`chart ${name}`]: type }),
      async act() {
        if ((await named(at, CHARTS)) !== null)
          throw wrong(`The workbook has a chart ${quoted(name)} already, of another type`);
        const charts = at.own(await found.sheet.ask('ChartObjects', 'ChartObjects'));
        await at.run(charts, 'Add', left! + width! + GAP, top!, CHART_WIDTH, CHART_HEIGHT);
        const made = at.own(await charts.object('Item', 'ChartObject', [Number(await charts.get('Count'))]));
        await at.set(made, 'Name', name);
        const chart = at.own(await made.object('Chart', 'Chart'));
        await at.set(chart, 'ChartType', CHART_TYPES[type]);
        await at.run(chart, 'SetSourceData', range);
      },
    };
  },
  async refresh(at) {
    const pivot = await named(at, PIVOTS);
    return pivot === null ? refreshConnection(at) : refreshPivot(at, pivot);
  },
};

/** Points: next to the data, as large as the program makes one. */
const GAP = 12;
const CHART_WIDTH = 360;
const CHART_HEIGHT = 216;

/** The type by its name here, or its number; `empty` where it shows no data. */
export async function chartType({ object }: OnSheet): Promise<string> {
  using chart = await object.object('Chart', 'Chart');
  using series = await chart.ask('SeriesCollection', 'SeriesCollection');
  if (Number(await series.get('Count')) === 0) return 'empty';
  const type = await chart.get('ChartType');
  return Object.entries(CHART_TYPES).find(([, number]) => number === type)?.[0] ?? String(type);
}

const dayOf = (value: unknown): string | null => (value instanceof OleDate ? `serial ${value.days}` : null);

async function refreshPivot(at: At, { object, name, sheetName }: OnSheet): Promise<Plan> {
  const cache = at.own(await object.ask('PivotCache', 'PivotCache'));
  const isInside = (await cache.get('SourceType')) === FROM_WORKBOOK;
  return {
    what: `refresh the pivot table ${quoted(name)}`,
    sheet: sheetName,
    now: async () => ({ refreshed: dayOf(await object.get('RefreshDate')) }),
    ...REFRESHED,
    act: () => at.run(object, 'RefreshTable'),
    reaches: isInside ? null : `it fetches the data of the pivot table ${quoted(name)} from outside the workbook`,
  };
}

const REFRESHED: Pick<Plan, 'wanted' | 'isOpen' | 'verdict'> = {
  wanted: (before) => before,
  isOpen: true,
  verdict: (before, after) =>
    before['refreshed'] === after['refreshed'] || after['refreshing'] === true ? 'unverified' : 'changed',
};

async function refreshConnection(at: At): Promise<Plan> {
  const connections = at.own(await (await at.book.book()).object('Connections', 'Connections'));
  const connection = await ifGiven(
    async () => at.own(await connections.object('Item', 'WorkbookConnection', [String(at.wish.name)])),
    null,
  );
  if (connection === null) throw missing('pivot table or connection', at);
  const source =
    (await ifGiven(async () => at.own(await connection.object('OLEDBConnection', 'OLEDBConnection')), null)) ??
    (await ifGiven(async () => at.own(await connection.object('ODBCConnection', 'ODBCConnection')), null));
  const isBusy = async (): Promise<boolean> => source !== null && (await source.get('Refreshing')) === true;
  const name = text(await connection.get('Name'));
  using sheet = await at.book.window.object('ActiveSheet', 'Worksheet');
  return {
    what: `refresh the connection ${quoted(name)}`,
    sheet: text(await sheet.get('Name')),
    now: async () => ({
      refreshed: source === null ? null : dayOf(await source.get('RefreshDate')),
      refreshing: await isBusy(),
    }),
    ...REFRESHED,
    async act() {
      await at.run(connection, 'Refresh');
      while (await isBusy()) await at.wait();
    },
    reaches: `it fetches from the connection ${quoted(name)}, outside the workbook`,
  };
}
