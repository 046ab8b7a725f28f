/** Tables, charts, pivots and connections of a workbook. https://learn.microsoft.com/office/vba/api/excel.listobjects, .../excel.chartobjects, .../excel.pivottable, .../excel.workbookconnection */
import { MISSING, type Dispatch } from '../../../native-bindings/com/dispatch.ts';
import { OleDate } from '../../../native-bindings/com/variant-grid.ts';
import { addressText, intersectAreas, type CellArea } from '../../contract/cells/cell-address.ts';
import { CHART_TYPES } from '../../contract/cells/cells.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { cellsOf, counted, onCells, type At, type Look, type Op, type Plan } from './book-op.ts';
import { ifGiven, wrong } from './excel-errors.ts';
import { areasAt, findRange, itemsOf, nameOf, oneArea, rangeAt } from './find-range.ts';
import { readCells } from './read-range.ts';
import { assertWritable } from './write-range.ts';

/** https://learn.microsoft.com/office/vba/api/excel.xllistobjectsourcetype, .../excel.xlyesnoguess, .../excel.xlpivottablesourcetype */
const FROM_RANGE = 1;
const YES = 1;
const FROM_WORKBOOK = 1;

/** Points: next to the data, as large as the program makes one. */
const GAP = 12;
const CHART_WIDTH = 360;
const CHART_HEIGHT = 216;

export const TABLES = 'ListObjects';
export const CHARTS = 'ChartObjects';
export const PIVOTS = 'PivotTables';

/** One object of a workbook, such as a table, with its sheet. */
export interface OnSheet {
  readonly sheet: Dispatch;
  readonly sheetName: string;
  readonly object: Dispatch;
  readonly name: string;
}

/** Some collections are given by a method without arguments, which is not a property. */
const byMethod = (owner: Dispatch, member: string): Promise<Dispatch> => owner.object(member, member, [], true);

/** The objects of a collection by its name; none where the program lacks it. */
export const itemsIn = (owner: Dispatch, member: string): Promise<Dispatch[]> =>
  ifGiven(async () => itemsOf(await byMethod(owner, member)), []);

/** Every object of a kind, sheet by sheet. */
export async function objectsOf(look: Look, member: string): Promise<OnSheet[]> {
  const found: OnSheet[] = [];
  for (const sheet of await itemsOf(await look.book.sheets())) {
    const sheetName = await nameOf(sheet);
    for (const object of await itemsIn(sheet, member))
      found.push({ sheet, sheetName, object, name: await nameOf(object) });
  }
  return found;
}

const isNamed = ({ wish }: Look, { name }: OnSheet): boolean => name.toLowerCase() === String(wish.name).toLowerCase();

const named = async (look: Look, member: string): Promise<OnSheet | undefined> =>
  (await objectsOf(look, member)).find((each) => isNamed(look, each));

const missing = (what: string, { wish }: Look): Error =>
  wrong(`The workbook has no ${what} ${quoted(String(wish.name))}`, 'Call inspect-workbook, which lists them.');

const areaOfTable = async (table: Dispatch): Promise<CellArea> => (await areasAt(await table.object('Range')))[0];

/** What is listed and compared. */
export const tableState = async ({ object }: OnSheet) => ({
  range: addressText(await areaOfTable(object)),
  totals: (await object.get('ShowTotals')) === true,
});
type TableState = Awaited<ReturnType<typeof tableState>>;

/** The type by its name here, or its number; `empty` where it shows no data. */
export async function chartState({ object }: OnSheet) {
  const chart = await object.object('Chart');
  const series = await itemsIn(chart, 'SeriesCollection');
  const type = await chart.get('ChartType');
  const name = Object.entries(CHART_TYPES).find(([, number]) => number === type)?.[0];
  return { series, type: series.length === 0 ? 'empty' : (name ?? String(type)) };
}

/** An operation on one table, whose members are asked for only in `act`. */
const onTable =
  (
    work: (
      at: At,
      table: OnSheet & { readonly area: CellArea; readonly before: TableState },
    ) => Promise<Pick<Plan, 'act' | 'loses' | 'what'> & { readonly to: Partial<TableState> }>,
  ): Op =>
  async (at) => {
    const table = await named(at, TABLES);
    if (table === undefined) throw missing('table', at);
    const { sheet, sheetName } = table;
    const [area, before] = [await areaOfTable(table.object), await tableState(table)];
    await assertWritable(table, await rangeAt(sheet, area));
    const { to, what, ...plan } = await work(at, { ...table, area, before });
    return {
      ...plan,
      what: `${what} the table ${quoted(table.name)} (${quoted(sheetName)} ${before.range})`,
      sheet: sheetName,
      range: before.range,
      now: () => tableState(table),
      wanted: { ...before, ...to },
    };
  };

/** As of a defined name, since the program would see it too late: https://support.microsoft.com/office/fbf49a4f-82a3-43eb-8ba2-44d21233b114 */
const TABLE_NAME = /^[\p{L}_\\][\p{L}\p{M}\p{N}_.\\]*$/u;

export const OBJECT_OPS: Readonly<Record<string, Op>> = {
  async make_table(at) {
    const cells = await cellsOf(at);
    const { found, area, range } = cells;
    const name = String(at.wish.name);
    if (!TABLE_NAME.test(name))
      throw wrong(`${quoted(name)} cannot be the name of a table`, 'Use letters, digits, _ and ., a letter first.');
    for (const other of await objectsOf(at, TABLES)) {
      const taken = await areaOfTable(other.object);
      const isHere = other.sheetName === found.sheetName && intersectAreas(taken, area) !== null;
      const isIt = isHere && isNamed(at, other) && addressText(taken) === addressText(area);
      if (!isIt && (isHere || isNamed(at, other))) throw wrong(`The table ${quoted(other.name)} is there already`);
    }
    const [headers = []] = (await readCells(found, { ...area, rows: 1 })).values;
    const texts = headers.flatMap((each) => (typeof each === 'string' ? each.toLowerCase() : []));
    if (new Set(texts).size < area.columns)
      throw wrong(
        'Its first row is not a header: each cell needs a text of its own',
        'Excel would replace the others.',
      );
    const label = `table ${name}`;
    return onCells(cells, `make the table ${quoted(name)} from`, {
      async now() {
        const table = await named(at, TABLES);
        return { [label]: table === undefined ? null : (await tableState(table)).range };
      },
      wanted: { [label]: addressText(area) },
      async act() {
        const tables = await found.sheet.object('ListObjects');
        await at.run(tables, 'Add', FROM_RANGE, range, MISSING, YES);
        await at.set(await range.object('ListObject'), 'Name', name);
      },
    });
  },
  resize_table: onTable(async (at, { sheetName, object }) => {
    const found = await findRange(at.book, { sheet: sheetName, range: at.wish.range });
    const to = oneArea(found);
    const range = await rangeAt(found.sheet, to);
    return { what: 'resize', to: { range: addressText(to) }, act: () => at.run(object, 'Resize', range) };
  }),
  add_rows: onTable(async (at, { object, area }) => {
    const count = Number(at.wish['count']);
    return {
      what: `add ${counted(count, 'row')} to`,
      to: { range: addressText({ ...area, rows: area.rows + count }) },
      async act() {
        const rows = await object.object('ListRows');
        for (let added = 0; added < count; added += 1) await at.run(rows, 'Add');
      },
    };
  }),
  totals: onTable(async (at, { object, before }) => {
    const totals = at.wish['on'] === true;
    const loses = before.totals && !totals ? 'it would remove the row of totals' : null;
    const what = `${totals ? 'show' : 'remove'} the totals of`;
    return { what, to: { totals }, act: () => at.set(object, 'ShowTotals', totals), loses };
  }),
  async make_chart(at) {
    const cells = await cellsOf(at);
    const { found, range } = cells;
    const name = String(at.wish.name);
    const type = at.wish['type'] as keyof typeof CHART_TYPES;
    const typeNow = async (): Promise<string | null> => {
      const chart = await named(at, CHARTS);
      return chart === undefined ? null : (await chartState(chart)).type;
    };
    if (((await typeNow()) ?? type) !== type) throw wrong(`The workbook has a chart ${quoted(name)} already`);
    const label = `chart ${name}`;
    return onCells(cells, `make the ${type} chart ${quoted(name)} from`, {
      now: async () => ({ [label]: await typeNow() }),
      wanted: { [label]: type },
      async act() {
        const [left, top, width] = [await range.get('Left'), await range.get('Top'), await range.get('Width')];
        const charts = await byMethod(found.sheet, CHARTS);
        await at.run(charts, 'Add', Number(left) + Number(width) + GAP, Number(top), CHART_WIDTH, CHART_HEIGHT);
        const made = await charts.object('Item', 'ChartObject', [Number(await charts.get('Count'))]);
        await at.set(made, 'Name', name);
        const chart = await made.object('Chart');
        await at.set(chart, 'ChartType', CHART_TYPES[type]);
        await at.run(chart, 'SetSourceData', range);
      },
    });
  },
  async refresh(at) {
    const pivot = await named(at, PIVOTS);
    const inside = async (owner: Dispatch, member: string, key: string[] = []): Promise<Dispatch | null> =>
      ifGiven(() => owner.object(member, member, key), null);
    const connections = await inside(await at.book.book(), 'Connections');
    const object = pivot?.object ?? (connections && (await inside(connections, 'Item', [String(at.wish.name)])));
    if (object === null) throw missing('pivot table or connection', at);
    const source =
      pivot?.object ?? (await inside(object, 'OLEDBConnection')) ?? (await inside(object, 'ODBCConnection'));
    const isBusy = async (): Promise<boolean> => pivot === undefined && (await source?.get('Refreshing')) === true;
    const cache = pivot === undefined ? null : await byMethod(object, 'PivotCache');
    const isInside = (await cache?.get('SourceType')) === FROM_WORKBOOK;
    const what = `${cache === null ? 'connection' : 'pivot table'} ${quoted(await nameOf(object))}`;
    const now = async () => {
      const date = await source?.get('RefreshDate');
      return { refreshed: date instanceof OleDate ? `serial ${date.days}` : null, refreshing: await isBusy() };
    };
    return {
      what: `refresh the ${what}`,
      ...(pivot && { sheet: pivot.sheetName }),
      now,
      wanted: await now(),
      isOpen: true,
      isRight: (before, after) => before['refreshed'] !== after['refreshed'] && after['refreshing'] === false,
      async act() {
        await at.run(object, cache === null ? 'Refresh' : 'RefreshTable');
        while (await isBusy()) await at.wait();
      },
      reaches: isInside ? null : `it fetches the data of the ${what} from outside the workbook`,
    };
  },
};
