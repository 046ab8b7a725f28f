/** Whether a long list still shows the rows that were read: its count and its first row, asked instead of all rows. */
import {
  LB_GETCOUNT,
  LB_GETTOPINDEX,
  LVM_GETITEMCOUNT,
  LVM_GETTOPINDEX,
  TVGN_FIRSTVISIBLE,
  TVM_GETCOUNT,
} from '../../../../../native-bindings/win32/constants.ts';
import type { Asker } from '../../../windows/ask.ts';
import { walk } from '../../tree.ts';
import type { WindowEntry } from '../child-windows.ts';
import { nextItem } from './tree-view.ts';

/** How many rows of it were read. */
export function rowsRead({ node }: WindowEntry): number {
  let count = 0;
  for (const { locator, hwnd } of walk(node)) if (locator.kind === 'item' && hwnd === node.hwnd) count += 1;
  return count;
}

/** False for anything but a long list, and where that is in doubt. */
export function showsSameRows({ kind, node, info: { hwnd } }: WindowEntry, asker: Asker): boolean {
  if (node.itemCount === null) return false;
  let first: { readonly index: number; readonly handle: number } | null = null;
  for (const { locator, visible } of walk(node)) {
    if (locator.kind !== 'item' || visible === null) continue;
    first = locator;
    break;
  }
  if (first === null) return false;
  switch (kind) {
    case 'list-box':
      return asker.ask(hwnd, LB_GETCOUNT) === node.itemCount && asker.ask(hwnd, LB_GETTOPINDEX) === first.index;
    case 'list-view':
      return asker.ask(hwnd, LVM_GETITEMCOUNT) === node.itemCount && asker.ask(hwnd, LVM_GETTOPINDEX) === first.index;
    case 'tree-view':
      return (
        asker.ask(hwnd, TVM_GETCOUNT) === node.itemCount && nextItem(asker, hwnd, TVGN_FIRSTVISIBLE, 0) === first.handle
      );
    default:
      return false;
  }
}
