/**
 * List views. Rows are read by index, visible or not; of a long one only the visible and selected rows. Source:
 * learn.microsoft.com/windows/win32/controls/list-view-control-reference
 */
import * as m from '../../../../native-bindings/win32/constants.ts';
import { LVFINDINFOW, LVITEMW } from '../../../../native-bindings/win32/structs.ts';
import type { ElementState } from '../../../contract/element/control-types.ts';
import type { Asker } from '../../windows/ask.ts';
import type { RemoteMemory } from '../../elements/tree/remote-memory.ts';
import type { WindowInfo } from '../../windows/window-info.ts';
import type { TreeNode } from '../../elements/tree/tree.ts';
import { columnTitle, columnsOf } from '../header.ts';
import type { ControlReader, ItemList, ItemReader, ListedItem } from '../driver.ts';
import {
  askItems,
  askRemote,
  TOGETHER,
  askRemoteRect,
  CHECK_STATES,
  clientToScreen,
  itemNode,
  MOST_ALIKE,
  SMALL_LIST,
  TEXT_AT,
  TEXT_UNITS,
} from '../items.ts';

export const isReport = (style: number): boolean => (style & m.LVS_TYPEMASK) === m.LVS_REPORT;
const isVirtual = (style: number): boolean => (style & m.LVS_OWNERDATA) !== 0;

/** Whether a column of a list view has a width: a person sees nothing of others. */
export const isColumnInSight = (asker: Asker, info: WindowInfo, column: number): boolean =>
  !isReport(info.style) || asker.ask(info.hwnd, m.LVM_GETCOLUMNWIDTH, column) !== 0;

/** The column whose text names a row: the first with a width. */
export function nameColumn(asker: Asker, info: WindowInfo): number {
  const count = isColumnInSight(asker, info, 0) ? 1 : columnCount(asker, info);
  for (let column = 0; column < count; column += 1) if (isColumnInSight(asker, info, column)) return column;
  return 0;
}

/** Number of columns; 1 outside report view. */
export function columnCount(asker: Asker, info: WindowInfo): number {
  if (!isReport(info.style)) return 1;
  const header = asker.ask(info.hwnd, m.LVM_GETHEADER);
  return header === null || header === 0 ? 1 : columnsOf(asker, header);
}

/** The titles of some columns; empty outside report view. */
export function columnTitles(
  asker: Asker,
  memory: RemoteMemory,
  { hwnd, style }: Pick<WindowInfo, 'hwnd' | 'style'>,
  columns: readonly number[],
): string[] {
  const header = isReport(style) ? (asker.ask(hwnd, m.LVM_GETHEADER) ?? 0) : 0;
  return columns.map((column) => (header === 0 ? '' : (columnTitle(asker, memory, header, column)?.title ?? '')));
}

export const rowCount = (asker: Asker, hwnd: number): number => asker.ask(hwnd, m.LVM_GETITEMCOUNT) ?? 0;

/** A cell's text; null where it is not known. */
export type Cell = string | null;

/** The texts of cells, in order; fewer if the list stops answering. */
function cellTexts(
  asker: Asker,
  memory: RemoteMemory,
  hwnd: number,
  cells: ReadonlyArray<readonly [row: number, column: number]>,
): Cell[] {
  const questions = cells.map(([row, column]) => ({
    wParam: row,
    fields: (pszText: bigint) => ({
      mask: m.LVIF_TEXT,
      iItem: row,
      iSubItem: column,
      pszText,
      cchTextMax: TEXT_UNITS,
    }),
  }));
  // It answers a length, whatever it wrote; nothing is known where it answered one and wrote nothing.
  return askItems({ asker, memory, hwnd }, m.LVM_GETITEMTEXTW, LVITEMW, questions).map(
    (cell) => cell.text() ?? (cell.answer > 0 ? null : ''),
  );
}

/** A cell's text; null if it was not answered, or is not known. */
export const cellText = (asker: Asker, memory: RemoteMemory, hwnd: number, row: number, column: number): Cell =>
  cellTexts(asker, memory, hwnd, [[row, column]])[0] ?? null;

/** The cells of many rows. Rows after the first unanswered one are left out. */
export function readCells(
  asker: Asker,
  memory: RemoteMemory,
  hwnd: number,
  rows: readonly number[],
  columns: readonly number[],
): Cell[][] {
  const all = rows.flatMap((row) => columns.map((column) => [row, column] as const));
  const texts = cellTexts(asker, memory, hwnd, all);
  const whole = Math.floor(texts.length / Math.max(1, columns.length));
  return rows.slice(0, whole).map((_, at) => texts.slice(at * columns.length, (at + 1) * columns.length));
}

function rowState(asker: Asker, hwnd: number, row: number): number {
  return asker.ask(hwnd, m.LVM_GETITEMSTATE, row, m.LVIS_FOCUSED | m.LVIS_SELECTED | m.LVIS_STATEIMAGEMASK) ?? 0;
}

const imageOf = (state: number): number => (state & m.LVIS_STATEIMAGEMASK) >> 12;

/** The id that a row keeps while others come and go; null for virtual rows, which are whatever is at an index. */
function rowId(asker: Asker, info: WindowInfo, row: number): number | null {
  if (isVirtual(info.style)) return null;
  const id = asker.ask(info.hwnd, m.LVM_MAPINDEXTOID, row);
  return id === null || id === -1 ? null : id;
}

/** In place of the handle of a row known only by its index. */
const NO_ID = -1;

/** The text is part of a row's identity, so that a reused id is not mistaken for the earlier row. */
const identityOf = (id: number | null, row: number, text: string): string =>
  id === null ? `row:${row}:${text}` : `id:${id}:${text}`;

export const rowIdentity = (asker: Asker, info: WindowInfo, row: number, text: string): string =>
  identityOf(rowId(asker, info, row), row, text);

/** The visible rows; outside report and list view, the items whose rectangle is visible. */
function rowsInView(asker: Asker, info: WindowInfo, count: number): number[] {
  const top = Math.max(0, asker.ask(info.hwnd, m.LVM_GETTOPINDEX) ?? 0);
  // One more: the last row may be cut off.
  const page = (asker.ask(info.hwnd, m.LVM_GETCOUNTPERPAGE) ?? SMALL_LIST) + 1;
  const end = Math.min(count, top + Math.min(page, SMALL_LIST * 2));
  return Array.from({ length: Math.max(0, end - top) }, (_, offset) => top + offset);
}

/** The selected rows after `after` (-1 = from the first), at most `limit`. */
export function selectedRows(asker: Asker, hwnd: number, after: number, limit: number): number[] {
  const rows: number[] = [];
  for (
    let row = asker.ask(hwnd, m.LVM_GETNEXTITEM, BigInt.asUintN(64, BigInt(after)), m.LVNI_SELECTED);
    row !== null && row >= 0 && rows.length < limit;
  ) {
    rows.push(row);
    row = asker.ask(hwnd, m.LVM_GETNEXTITEM, row, m.LVNI_SELECTED);
  }
  return rows;
}

/** Common to all rows of one reading. */
interface Rows {
  readonly info: WindowInfo;
  readonly node: TreeNode;
  readonly asker: Asker;
  readonly memory: RemoteMemory;
  readonly columns: number;
  /** Columns of some width: what is in the others is not shown. */
  readonly inSight: readonly boolean[];
  readonly named: number;
  readonly hasChecks: boolean;
  /** The part of a row that a click selects. */
  readonly part: number;
  readonly toScreen: ReturnType<typeof clientToScreen>;
}

function rowsOf({ info, node, asker }: Pick<ItemReader, 'info' | 'node' | 'asker'>, memory: RemoteMemory): Rows {
  const extended = asker.ask(info.hwnd, m.LVM_GETEXTENDEDLISTVIEWSTYLE) ?? 0;
  const columns = columnCount(asker, info);
  const inSight = Array.from({ length: columns }, (_, column) => isColumnInSight(asker, info, column));
  const named = Math.max(0, inSight.indexOf(true));
  return {
    info,
    node,
    asker,
    memory,
    columns,
    inSight,
    named,
    // A program may give its rows state images of its own, as SWT does.
    hasChecks:
      (extended & m.LVS_EX_CHECKBOXES) !== 0 || (asker.ask(info.hwnd, m.LVM_GETIMAGELIST, m.LVSIL_STATE) ?? 0) !== 0,
    // In report view a click on other columns does not select the item, unless full-row select is on.
    // That of a column of no width is nowhere.
    part:
      isReport(info.style) && (extended & m.LVS_EX_FULLROWSELECT) === 0 && named === 0
        ? m.LVIR_SELECTBOUNDS
        : m.LVIR_BOUNDS,
    toScreen: clientToScreen(info),
  };
}

/** In place of a text that the program keeps to itself. */
const KEPT_CELL = '…';

/** Their nodes; fewer if the control stops answering. */
function rowNodes(rows: Rows, wanted: readonly number[]): TreeNode[] {
  const { info, node, asker, memory, columns, inSight, named, hasChecks, toScreen } = rows;
  const part = Buffer.alloc(16);
  part.writeInt32LE(rows.part, 0);
  const all = Array.from({ length: columns }, (_, column) => column);
  const cells = readCells(asker, memory, info.hwnd, wanted, all);
  const found: TreeNode[] = [];
  for (const at of cells.keys()) {
    const row = wanted[at]!;
    const rect = askRemoteRect(asker, memory, info.hwnd, m.LVM_GETITEMRECT, { wParam: row, first: part });
    if (rect === null) break;
    const text = cells[at]![named] ?? '';
    const others = cells[at]!.flatMap((cell, column) =>
      column === named || inSight[column] === false ? [] : [cell ?? KEPT_CELL],
    );
    const state = rowState(asker, info.hwnd, row);
    const states: ElementState[] = [];
    if ((state & m.LVIS_SELECTED) !== 0) states.push('selected');
    if ((state & m.LVIS_FOCUSED) !== 0 && node.states.has('focused')) states.push('focused');
    const check = hasChecks ? CHECK_STATES[imageOf(state)] : undefined;
    if (check !== undefined) states.push(check);
    const id = rowId(asker, info, row);
    found.push(
      itemNode(node, {
        kind: 'list-view-row',
        identity: identityOf(id, row, text),
        index: row,
        handle: id ?? NO_ID,
        controlType: 'ListItem',
        name: text,
        value: others.some((other) => other !== '') ? others.join(' | ') : null,
        rect: toScreen(rect),
        states,
        unread: cells[at]![named] === null ? 'text' : null,
      }),
    );
  }
  return found;
}

/**
 * The rows whose text is exactly this, by the control's own search, which ignores case. In a virtual list the owner
 * searches, and may answer 0 for what it does not find, so each result is verified.
 * Source: learn.microsoft.com/windows/win32/controls/lvm-finditem
 */
function findRows(asker: Asker, memory: RemoteMemory, info: WindowInfo, text: string): ListedItem[] {
  const wanted = Buffer.from(`${text}\0`, 'utf16le');
  const found: ListedItem[] = [];
  if (text === '' || wanted.length > TEXT_UNITS * 2) return found;
  for (let last = -1, tried = 0; tried < MOST_ALIKE; tried++) {
    // Reading the row's text below uses the same memory.
    memory.write(
      0,
      memory.layoutOf(LVFINDINFOW).alloc({ flags: m.LVFI_STRING, psz: memory.address + BigInt(TEXT_AT) }),
    );
    memory.write(TEXT_AT, wanted);
    const row = askRemote(asker, memory, info.hwnd, m.LVM_FINDITEMW, { wParam: BigInt.asUintN(64, BigInt(last)) });
    if (row === null || row <= last) break;
    if (cellText(asker, memory, info.hwnd, row, 0) === text)
      found.push({ index: row, handle: NO_ID, name: text, depth: 0 });
    else if (isVirtual(info.style)) break;
    last = row;
  }
  return found;
}

export function listViewItems({ info, node, asker, remote }: ItemReader): ItemList | null {
  const count = asker.ask(info.hwnd, m.LVM_GETITEMCOUNT);
  const memory = count === null || count < 0 ? null : remote.for(info.hwnd);
  if (count === null || memory === null) return null;
  const named = nameColumn(asker, info);
  const at = (row: number): ListedItem | null => {
    const name = cellText(asker, memory, info.hwnd, row, named) ?? (asker.isPartial ? null : '');
    return name === null ? null : { index: row, handle: NO_ID, name, depth: 0 };
  };
  const items = function* (from: number): Generator<ListedItem, void> {
    for (let start = from; start < count; start += TOGETHER) {
      const rows = Array.from({ length: Math.min(TOGETHER, count - start) }, (_, offset) => start + offset);
      const names = readCells(asker, memory, info.hwnd, rows, [named]);
      for (const [at, [name]] of names.entries()) yield { index: rows[at]!, handle: NO_ID, name: name ?? '', depth: 0 };
      if (names.length < rows.length) return;
    }
  };
  return {
    count,
    // The control's own search looks at its first column.
    find: (text) =>
      named === 0
        ? findRows(asker, memory, info, text)
        : [...items(0)].filter(({ name }) => name === text).slice(0, MOST_ALIKE),
    shown: () =>
      rowsInView(asker, info, count)
        .map(at)
        .filter((item) => item !== null),
    items,
    at,
    known(identity) {
      const [, kind, number] = /^(id|row):(\d+):/.exec(identity) ?? [];
      if (kind === undefined) return null;
      const row = kind === 'row' ? Number(number) : asker.ask(info.hwnd, m.LVM_MAPIDTOINDEX, Number(number));
      const item = row === null || row < 0 || row >= count ? null : at(row);
      return item !== null && rowIdentity(asker, info, item.index, item.name) === identity ? item : null;
    },
    row: ({ index, name }) =>
      itemNode(node, {
        kind: 'list-view-row',
        identity: rowIdentity(asker, info, index, name),
        index,
        handle: NO_ID,
        controlType: 'ListItem',
        name,
        rect: info.rect,
      }),
    branch({ index, handle }) {
      // A row known by its id may have moved since.
      const moved = handle === NO_ID ? -1 : (asker.ask(info.hwnd, m.LVM_MAPIDTOINDEX, handle) ?? -1);
      const row = moved < 0 ? index : moved;
      const [found] = row < count ? rowNodes(rowsOf({ info, node, asker }, memory), [row]) : [];
      return found === undefined ? null : [found];
    },
  };
}

export const readListView: ControlReader = ({ info, node }, { asker, remote, omitsRows }) => {
  const count = asker.ask(info.hwnd, m.LVM_GETITEMCOUNT);
  if (count === null || count <= 0) return;
  const memory = remote.for(info.hwnd);
  if (memory === null) node.unread = 'items';
  if (memory === null || (omitsRows === true && count > SMALL_LIST)) {
    node.itemCount = count;
    return;
  }
  const indices =
    count <= SMALL_LIST
      ? Array.from({ length: count }, (_, row) => row)
      : [...new Set([...rowsInView(asker, info, count), ...selectedRows(asker, info.hwnd, -1, SMALL_LIST)])].sort(
          (a, b) => a - b,
        );
  node.children.push(...rowNodes(rowsOf({ info, node, asker }, memory), indices));
  if (node.children.length < count) node.itemCount = count;
};
