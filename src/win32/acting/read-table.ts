/** Rows and columns of list views, lists, trees and grids: each row is read by its index, visible or not. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { TableData } from '../../contract/element/element.ts';
import type { CallContext, TableRange } from '../../desktop/index.ts';
import { inSlices } from '../windows/waiting.ts';
import { Asker } from '../windows/ask.ts';
import { refOf } from '../elements/finding/locate.ts';
import { RemoteBlocks, type RemoteMemory } from '../elements/tree/remote-memory.ts';
import type { RefBook } from '../elements/finding/refs.ts';
import {
  columnCount,
  columnTitles,
  nameColumn,
  readCells,
  rowCount,
  rowIdentity,
  selectedRows,
  isColumnInSight,
} from '../drivers/list-view/rows.ts';
import { openItems, type OpenItems } from '../drivers/index.ts';
import { itemsFrom } from '../elements/finding/query.ts';
import { makeNode, type TreeNode } from '../elements/tree/tree.ts';
import type { WindowInfo } from '../windows/window-info.ts';
import { itemsOf } from './choose-item.ts';
import { virtualizesItems } from './choose-unread.ts';
import { ROWS_RESERVE_MS, columnsOf, containerTable, gridTable, listTable } from './grid-editor.ts';
import { elementOf, targetOf, type ElementTarget, type ActionTools } from '../elements/finding/element-target.ts';

/** Part of the table was not answered: the rows read so far are in the error. */
function unanswered(target: ElementTarget, partial: TableData): UiaHostError {
  return new UiaHostError(
    'window_hung',
    `${target.description} did not answer completely in time; ${partial.rows.length} rows were read.`,
    { partialResult: partial },
  );
}

/** Rows read at a time, with turns for other work in between. */
const CHUNK = 32;

async function listViewTable(
  refs: RefBook,
  target: ElementTarget,
  info: WindowInfo,
  range: TableRange,
  memory: RemoteMemory,
): Promise<TableData> {
  const asker = new Asker(target.deadline.remaining(ROWS_RESERVE_MS));
  const totalRows = rowCount(asker, info.hwnd);
  const count = columnCount(asker, info);
  const shown = columnsOf(range, count);
  const columns = columnTitles(asker, memory, info, shown.indices);
  // A row's name identifies it.
  const named = nameColumn(asker, info);
  const read = shown.indices.includes(named) ? shown.indices : [named, ...shown.indices];
  const indices = Array.from(
    { length: Math.max(0, Math.min(range.count, totalRows - range.from)) },
    (_, offset) => range.from + offset,
  );
  const selected = new Set(selectedRows(asker, info.hwnd, range.from - 1, range.count));
  const rows: TableData['rows'] = [];
  const chunks = Array.from({ length: Math.ceil(indices.length / CHUNK) }, (_, at) =>
    indices.slice(at * CHUNK, (at + 1) * CHUNK),
  );
  await inSlices(chunks, target.call, (chunk) => {
    const cells = readCells(asker, memory, info.hwnd, chunk, read);
    for (const [position, index] of chunk.entries()) {
      const texts = cells[position];
      if (texts === undefined) return false;
      const node = makeNode({
        identity: `${target.node.identity}/${rowIdentity(asker, info, index, texts[read.indexOf(named)] ?? '')}`,
        locator: { kind: 'item', hwnd: info.hwnd, item: 'list-view-row', index, handle: -1 },
        controlType: 'ListItem',
        name: texts[0] ?? '',
        rect: target.node.rect,
        source: 'message',
        hwnd: info.hwnd,
      });
      rows.push({
        index,
        ref: refOf(refs, target.root, node),
        cells: texts.slice(read.length - shown.indices.length),
        selected: selected.has(index),
      });
    }
    return true;
  });
  const hiddenColumns = shown.indices.filter((column) => !isColumnInSight(asker, info, column));
  const table: TableData = {
    ...shown.note,
    columns,
    rows,
    totalRows,
    ...(hiddenColumns.length === 0 ? {} : { hiddenColumns }),
  };
  if (asker.isPartial || rows.length < indices.length) throw unanswered(target, table);
  return table;
}

/** Rows of lists, combo boxes and trees, each read by its index. */
async function itemTable(
  refs: RefBook,
  target: ElementTarget,
  container: TreeNode,
  items: OpenItems,
  range: TableRange,
): Promise<TableData> {
  const { list, asker } = items;
  const isTree = container.controlType === 'Tree';
  const shown = columnsOf(range, 1);
  const rows: TableData['rows'] = [];
  // Items of a small list have different identities from those of a long one.
  const known = new Map(
    itemsOf(container).flatMap((node) => (node.locator.kind === 'item' && !isTree ? [[node.locator.index, node]] : [])),
  );
  await itemsFrom(list, range.from, range.count, target.call, (item) => {
    const node = known.get(item.index) ?? list.row?.(item) ?? list.branch(item)?.at(-1);
    if (node === undefined) return false;
    rows.push({
      index: item.index,
      ref: refOf(refs, target.root, node),
      cells: shown.indices.map(() => (item.name === '' && node.unread !== null ? null : item.name)),
      selected: node.states.has('selected'),
      ...(isTree ? { depth: item.depth } : {}),
    });
    return !items.isOver;
  });
  const table: TableData = { ...shown.note, columns: shown.indices.map(() => ''), rows, totalRows: list.count };
  if (asker.isPartial || rows.length < Math.min(range.count, Math.max(0, list.count - range.from)))
    throw unanswered(target, table);
  return table;
}

/** Errors: element_stale, window_hung with the rows read so far, unsupported for elements without rows. */
export async function readElementTable(
  tools: ActionTools,
  record: BindingRecord,
  ref: string,
  range: TableRange,
  call: CallContext,
): Promise<TableData> {
  const target = await targetOf({ ...tools, read: { ...tools.read, omitsRows: true } }, record, ref, call);
  const {
    node,
    located: { observed },
  } = target;
  const { refs, read } = tools;
  using element = elementOf(target);
  const grid = await gridTable(target, range);
  if (grid !== null) return grid;
  const contained = element !== null && virtualizesItems(node) ? await containerTable(target, element, range) : null;
  if (contained !== null) return contained;
  const entry = node.locator.kind === 'window' ? observed.windows.entries.get(node.hwnd) : undefined;
  if (entry?.kind === 'list-view') {
    using blocks = new RemoteBlocks(read.remoteControlMemory);
    const memory = blocks.for(entry.info.hwnd);
    if (memory === null)
      throw new UiaHostError(
        'unsupported',
        `${target.description} can only be read through the memory of its program, which the policy or Windows forbids.`,
      );
    return await listViewTable(refs, target, entry.info, range, memory);
  }
  const isShown = node.children.some((child) => child.source === 'uia');
  if (isShown && !observed.partial) return listTable(target, range);
  using items =
    entry === undefined
      ? null
      : openItems(entry, node, target.deadline.remaining(ROWS_RESERVE_MS), read.remoteControlMemory);
  if (items !== null) return await itemTable(refs, target, node, items, range);
  if (isShown) throw unanswered(target, listTable(target, range));
  throw new UiaHostError('unsupported', `${target.description} has no rows that can be read.`, {
    hint: 'Name a list, tree or grid.',
  });
}
