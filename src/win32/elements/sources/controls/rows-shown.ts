/**
 * Whether a long list still shows the rows that were read: its count, its first row, and the texts of the first and the
 * last one, asked instead of all rows.
 */
import {
  LB_GETCOUNT,
  LB_GETTOPINDEX,
  LVM_GETITEMCOUNT,
  LVM_GETTOPINDEX,
  TVGN_FIRSTVISIBLE,
  TVM_GETCOUNT,
} from '../../../../../native-bindings/win32/constants.ts';
import { sameRect } from '../../../windows/place.ts';
import { walk, type Locator, type TreeNode } from '../../tree/tree.ts';
import type { WindowEntry } from '../child-windows.ts';
import type { ReadContext } from './items.ts';
import { rowText as listBoxText } from './list-box.ts';
import { cellText } from './list-view.ts';
import { nextItem, treeRow } from './tree-view.ts';

/** How many rows of it were read. */
export function rowsRead({ node }: WindowEntry): number {
  let count = 0;
  for (const { locator, hwnd } of walk(node)) if (locator.kind === 'item' && hwnd === node.hwnd) count += 1;
  return count;
}

type Row = TreeNode & { readonly locator: Extract<Locator, { kind: 'item' }> };

/** The rows in view, first to last: one that a search found is the last of its list. */
function rowsInView({ node, kind }: WindowEntry): Row[] {
  return walk(node)
    .filter((one): one is Row => one.locator.kind === 'item' && one.hwnd === node.hwnd && one.visible !== null)
    .sort((one, other) => (kind === 'tree-view' ? one.rect.y - other.rect.y : one.locator.index - other.locator.index));
}

type Still = (entry: WindowEntry, first: Row, last: Row, context: ReadContext) => boolean;

const listBox: Still = ({ node, info }, first, last, { asker }) =>
  asker.ask(info.hwnd, LB_GETCOUNT) === node.itemCount &&
  asker.ask(info.hwnd, LB_GETTOPINDEX) === first.locator.index &&
  [first, last].every((row) => listBoxText(asker, info, row.locator.index) === row.name);

const listView: Still = ({ node, info: { hwnd } }, first, last, { asker, remote }) => {
  const memory = remote.for(hwnd);
  return (
    memory !== null &&
    asker.ask(hwnd, LVM_GETITEMCOUNT) === node.itemCount &&
    asker.ask(hwnd, LVM_GETTOPINDEX) === first.locator.index &&
    [first, last].every((row) => cellText(asker, memory, hwnd, row.locator.index, 0) === row.name)
  );
};

/** A branch that was opened or closed moves the last row. */
const treeView: Still = ({ node, info }, first, last, { asker, remote }) => {
  const memory = remote.for(info.hwnd);
  if (
    memory === null ||
    asker.ask(info.hwnd, TVM_GETCOUNT) !== node.itemCount ||
    nextItem(asker, info.hwnd, TVGN_FIRSTVISIBLE, 0) !== first.locator.handle
  )
    return false;
  return [first, last].every((row) => {
    const now = treeRow(info, asker, memory, row.locator.handle);
    return now !== null && now.text === row.name && sameRect(now.rect, row.rect);
  });
};

const STILL: Partial<Record<WindowEntry['kind'], Still>> = {
  'list-box': listBox,
  'list-view': listView,
  'tree-view': treeView,
};

/** False for anything but a long list, and where that is in doubt. */
export function showsSameRows(entry: WindowEntry, context: ReadContext): boolean {
  const still = entry.node.itemCount === null ? undefined : STILL[entry.kind];
  const rows = still === undefined ? [] : rowsInView(entry);
  const [first, last] = [rows[0], rows.at(-1)];
  return still !== undefined && first !== undefined && last !== undefined && still(entry, first, last, context);
}
