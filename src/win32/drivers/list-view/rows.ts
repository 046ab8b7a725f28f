/**
 * List views. Rows are read by index, visible or not; of a long one only the visible and selected rows. Source:
 * learn.microsoft.com/windows/win32/controls/list-view-control-reference
 */
import { text16 } from '../../../../native-bindings/library.ts';
import * as m from '../../../../native-bindings/win32/constants.ts';
import { LVFINDINFOW, LVITEMW } from '../../../../native-bindings/win32/structs.ts';
import type { ElementState } from '../../../contract/element/control-types.ts';
import type { Rect } from '../../../contract/element/geometry.ts';
import type { Asker } from '../../windows/ask.ts';
import type { RemoteMemory } from '../../elements/tree/remote-memory.ts';
import { readRect } from '../../windows/rects.ts';
import type { WindowInfo } from '../../windows/window-info.ts';
import type { TreeNode } from '../../elements/tree/tree.ts';
import { columnTitle, columnsOf } from '../header.ts';
import type { ControlReader, ItemList, ItemReader, ListedItem } from '../driver.ts';
import {
  askRemote,
  CHECK_STATES,
  clientToScreen,
  itemNode,
  MOST_ALIKE,
  SMALL_LIST,
  TEXT_AT,
  TEXT_UNITS,
  UNWRITTEN_BYTES,
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

/** A cell's text; null if it was not answered, or is not known. */
export function cellText(asker: Asker, memory: RemoteMemory, hwnd: number, row: number, column: number): string | null {
  memory.write(
    0,
    memory.layoutOf(LVITEMW).alloc({
      mask: m.LVIF_TEXT,
      iItem: row,
      iSubItem: column,
      pszText: memory.address + BigInt(TEXT_AT),
      cchTextMax: TEXT_UNITS,
    }),
  );
  memory.write(TEXT_AT, UNWRITTEN_BYTES);
  const length = askRemote(asker, memory, hwnd, m.LVM_GETITEMTEXTW, { wParam: row });
  const text = length === null ? null : memory.read(TEXT_AT, TEXT_UNITS * 2);
  return text === null ? null : writtenText(text, length!);
}

/** What a message wrote as a cell's text, whatever length it answered; null if it answered one and wrote nothing. */
function writtenText(text: Buffer, length: number): string | null {
  const isUnwritten = text.subarray(0, UNWRITTEN_BYTES.length).equals(UNWRITTEN_BYTES);
  return isUnwritten ? (length > 0 ? null : '') : text16(text);
}

/** Rows whose rectangles are read together, and the size of one. */
const ROWS_TOGETHER = 64;
const RECT_SIZE = 16;

/** Cells read per round trip through remote memory. */
const BATCH = 64;
const CELL_UNITS = 256;
const CELLS_AT = 0x4000;

/** A cell's text; null where it is not known. */
export type Cell = string | null;

/**
 * The cells of many rows: structures and texts of a batch pass through remote memory together. Rows after the first
 * unanswered one are left out, so that no row gets another's text.
 */
export function readCells(
  asker: Asker,
  memory: RemoteMemory,
  hwnd: number,
  rows: readonly number[],
  columns: readonly number[],
): Cell[][] {
  const found: Cell[][] = [];
  const cells = rows.flatMap((row) => columns.map((column) => ({ row, column })));
  const layout = memory.layoutOf(LVITEMW);
  for (let start = 0; start < cells.length; start += BATCH) {
    const batch = cells.slice(start, start + BATCH);
    const textAddress = (slot: number): bigint => memory.address + BigInt(CELLS_AT + slot * CELL_UNITS * 2);
    const structures = layout.alloc({}, batch.length);
    batch.forEach(({ row, column }, slot) => {
      layout.write(
        structures,
        { mask: m.LVIF_TEXT, iItem: row, iSubItem: column, pszText: textAddress(slot), cchTextMax: CELL_UNITS },
        slot * layout.size,
      );
    });
    memory.write(0, structures);
    const blank = Buffer.alloc(batch.length * CELL_UNITS * 2);
    for (const slot of batch.keys()) UNWRITTEN_BYTES.copy(blank, slot * CELL_UNITS * 2);
    memory.write(CELLS_AT, blank);
    const lengths = batch.map(({ row }, slot) =>
      askRemote(asker, memory, hwnd, m.LVM_GETITEMTEXTW, { wParam: row, offset: slot * layout.size }),
    );
    const texts = memory.read(CELLS_AT, blank.length);
    for (const [slot, { row, column }] of batch.entries()) {
      const length = lengths[slot];
      if (length === null || length === undefined || texts === null)
        return found.filter((cell) => cell.length === columns.length);
      const place = slot * CELL_UNITS * 2;
      const part = writtenText(texts.subarray(place, place + CELL_UNITS * 2), length);
      // Truncated: read again with a larger buffer.
      const text = (part?.length ?? 0) < CELL_UNITS - 1 ? part : cellText(asker, memory, hwnd, row, column);
      if (text === null && asker.isPartial) return found.filter((cell) => cell.length === columns.length);
      if (column === columns[0]) found.push([]);
      found.at(-1)!.push(text);
    }
  }
  return found;
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

/** Client rectangles of rows, through remote memory together; fewer if the control stops answering. */
function rowRects({ info, asker, memory, part }: Rows, rows: readonly number[]): Rect[] {
  const asked = Buffer.alloc(rows.length * RECT_SIZE);
  for (const slot of rows.keys()) asked.writeInt32LE(part, slot * RECT_SIZE);
  memory.write(0, asked);
  const refused = rows.findIndex(
    (row, slot) => !askRemote(asker, memory, info.hwnd, m.LVM_GETITEMRECT, { wParam: row, offset: slot * RECT_SIZE }),
  );
  const back = memory.read(0, asked.length);
  const count = back === null ? 0 : refused < 0 ? rows.length : refused;
  return Array.from({ length: count }, (_, slot) => readRect(back!, slot * RECT_SIZE));
}

/** The state of each row: its own where it can be more than selected. */
function rowStates({ info, node, asker, hasChecks }: Rows, rows: readonly number[]): (row: number) => number {
  if (hasChecks || node.states.has('focused') || rows.length < 2) return (row) => rowState(asker, info.hwnd, row);
  const selected = new Set(selectedRows(asker, info.hwnd, Math.min(...rows) - 1, rows.length));
  return (row) => (selected.has(row) ? m.LVIS_SELECTED : 0);
}

/** In place of a text that the program keeps to itself. */
const KEPT_CELL = '…';

/** Their nodes; fewer if the control stops answering. */
function rowNodes(rows: Rows, wanted: readonly number[]): TreeNode[] {
  const { info, node, asker, memory, columns, inSight, named, hasChecks, toScreen } = rows;
  const all = Array.from({ length: columns }, (_, column) => column);
  const cells = readCells(asker, memory, info.hwnd, wanted, all);
  const rects = rowRects(rows, wanted.slice(0, cells.length));
  const stateOf = rowStates(rows, wanted);
  return rects.map((rect, at) => {
    const row = wanted[at]!;
    const text = cells[at]![named] ?? '';
    const others = cells[at]!.flatMap((cell, column) =>
      column === named || inSight[column] === false ? [] : [cell ?? KEPT_CELL],
    );
    const state = stateOf(row);
    const states: ElementState[] = [];
    if ((state & m.LVIS_SELECTED) !== 0) states.push('selected');
    if ((state & m.LVIS_FOCUSED) !== 0 && node.states.has('focused')) states.push('focused');
    const check = hasChecks ? CHECK_STATES[imageOf(state)] : undefined;
    if (check !== undefined) states.push(check);
    const id = rowId(asker, info, row);
    return itemNode(node, {
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
    });
  });
}

/** Number of rows whose texts are fetched together when all are read through. */
const SEARCHED = 64;

function* rowNames(
  asker: Asker,
  memory: RemoteMemory,
  info: WindowInfo,
  { from, count, named }: { readonly from: number; readonly count: number; readonly named: number },
): Generator<ListedItem, void> {
  for (let start = from; start < count; start += SEARCHED) {
    const rows = Array.from({ length: Math.min(SEARCHED, count - start) }, (_, offset) => start + offset);
    const names = readCells(asker, memory, info.hwnd, rows, [named]);
    for (const [offset, [name]] of names.entries())
      yield { index: start + offset, handle: NO_ID, name: name ?? '', depth: 0 };
    if (names.length < rows.length) return;
  }
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
  return {
    count,
    // The control's own search looks at its first column.
    find: (text) =>
      named === 0
        ? findRows(asker, memory, info, text)
        : [...rowNames(asker, memory, info, { from: 0, count, named })]
            .filter(({ name }) => name === text)
            .slice(0, MOST_ALIKE),
    shown() {
      const rows = rowsInView(asker, info, count);
      return readCells(asker, memory, info.hwnd, rows, [named]).map(([name], at) => ({
        index: rows[at]!,
        handle: NO_ID,
        name: name ?? '',
        depth: 0,
      }));
    },
    items: (from) => rowNames(asker, memory, info, { from, count, named }),
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
  const rows = rowsOf({ info, node, asker }, memory);
  for (let from = 0; from < indices.length; from += ROWS_TOGETHER) {
    const wanted = indices.slice(from, from + ROWS_TOGETHER);
    const found = rowNodes(rows, wanted);
    node.children.push(...found);
    if (found.length < wanted.length) break;
  }
  if (node.children.length < count) node.itemCount = count;
};
