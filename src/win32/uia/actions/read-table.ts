/** Rows and columns of list views, lists, trees and grids: each row is asked for by its own index, in view or not. */
import type { BindingRecord } from '../../../contract/binding.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import type { CallContext, TableData } from '../../../desktop/index.ts';
import { Asker } from '../ask.ts';
import { refOf } from '../locate.ts';
import { readWindow } from '../observe.ts';
import { RemoteBlocks, type RemoteMemory } from '../remote-memory.ts';
import type { RefBook } from '../refs.ts';
import { kindOf } from '../sources/child-windows.ts';
import { columnTitle } from '../sources/controls/header.ts';
import { columnCount, isReport, LVM_GETHEADER, LVM_GETITEMCOUNT, readCells, rowIdentity, selectedRows } from '../sources/controls/list-view.ts';
import { makeNode, pathTo, type TreeNode } from '../tree.ts';
import { readWindowInfo, type WindowInfo } from '../window-info.ts';
import { gridTable, listTable } from './grid-table.ts';
import { elementOf, targetOf, type ActionTarget, type ActionTools } from './target.ts';

interface Range { readonly from: number; readonly count: number }

const RESERVE_MS = 200;

/** Something was not answered: what is known so far goes with the error. */
function unanswered(target: ActionTarget, partial: TableData): UiaHostError {
  return new UiaHostError('window_hung', `${target.description} did not answer everything in time; ${partial.rows.length} rows were read.`, { partialResult: partial });
}

function listViewTable(refs: RefBook, target: ActionTarget, info: WindowInfo, range: Range, memory: RemoteMemory): TableData {
  const asker = new Asker(target.deadline.remaining(RESERVE_MS));
  const totalRows = asker.ask(info.hwnd, LVM_GETITEMCOUNT) ?? 0;
  const count = columnCount(asker, info);
  const header = isReport(info.style) ? asker.ask(info.hwnd, LVM_GETHEADER) ?? 0 : 0;
  const columns = Array.from({ length: count }, (_, column) => (header === 0 ? '' : columnTitle(asker, memory, header, column) ?? ''));
  const indices = Array.from({ length: Math.max(0, Math.min(range.count, totalRows - range.from)) }, (_, offset) => range.from + offset);
  const cells = readCells(asker, memory, info.hwnd, indices, count);
  const selected = new Set(selectedRows(asker, info.hwnd, range.from - 1, range.count));
  const rows: TableData['rows'] = [];
  for (const [position, index] of indices.entries()) {
    const texts = cells[position];
    if (texts === undefined) break;
    const node = makeNode({
      identity: `${target.node.identity}/${rowIdentity(asker, info, index, texts[0] ?? '')}`, locator: { kind: 'item', hwnd: info.hwnd, item: 'list-view-row', index, handle: index },
      controlType: 'ListItem', name: texts[0] ?? '', rect: target.node.rect, source: 'message', hwnd: info.hwnd,
    });
    rows.push({ index, ref: refOf(refs, target.root, node), cells: texts, selected: selected.has(index) });
  }
  const table: TableData = { columns, rows, totalRows };
  if (asker.isPartial || rows.length < indices.length) throw unanswered(target, table);
  return table;
}

/** Items of lists, combo boxes and trees, which a full read has. */
function itemTable(refs: RefBook, target: ActionTarget, container: TreeNode, range: Range): TableData {
  const flat: Array<{ node: TreeNode; depth: number }> = [];
  const collect = (node: TreeNode, depth: number): void => {
    for (const child of node.children) {
      if (child.locator.kind !== 'item') continue;
      flat.push({ node: child, depth });
      collect(child, depth + 1);
    }
  };
  collect(container, 0);
  const isTree = container.controlType === 'Tree';
  return {
    columns: [''],
    rows: flat.slice(range.from, range.from + range.count).map(({ node, depth }, offset) => ({
      index: range.from + offset, ref: refOf(refs, target.root, node), cells: [node.name], selected: node.states.has('selected'), ...(isTree ? { depth } : {}),
    })),
    totalRows: flat.length,
  };
}

/** Errors: element_stale, window_hung with what was read, unsupported for what has no rows. */
export async function readElementTable(tools: ActionTools, record: BindingRecord, ref: string, range: Range, call: CallContext): Promise<TableData> {
  const target = await targetOf(tools, record, ref, call);
  const { node } = target;
  const { refs, read } = tools;
  using element = elementOf(target);
  const grid = element !== null && node.capabilities.has('grid') ? await gridTable(target, element, range) : null;
  if (grid !== null) return grid;
  const info = node.locator.kind === 'window' ? readWindowInfo(node.hwnd) : null;
  const kind = info === null ? null : kindOf(info.hwnd, info.className);
  if (info !== null && kind === 'list-view') {
    using blocks = new RemoteBlocks(read.remoteControlMemory);
    const memory = blocks.for(info.hwnd);
    if (memory === null) throw new UiaHostError('unsupported', `${target.description} can only be read through memory of its program, which is of another bitness or which the policy forbids.`);
    return listViewTable(refs, target, info, range, memory);
  }
  if (node.children.some((child) => child.source === 'uia')) return listTable(target, range);
  if (kind !== 'list-box' && kind !== 'combo-box' && kind !== 'tree-view') {
    throw new UiaHostError('unsupported', `${target.description} has no rows that can be read.`, { hint: 'Name a list, tree or grid.' });
  }
  const observed = readWindow(record, { ...read, budgetMs: target.deadline.remaining(RESERVE_MS), only: node.hwnd, allItems: true });
  const container = pathTo(observed.root, node.identity).at(-1);
  if (container === undefined) throw new UiaHostError('element_stale', `${target.description} is gone.`);
  const table = itemTable(refs, target, container, range);
  if (observed.partial) throw unanswered(target, table);
  return table;
}
