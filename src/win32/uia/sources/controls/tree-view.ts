/** Tree views: expanded branches; what is below a collapsed item is found by a search. Source: learn.microsoft.com/windows/win32/controls/tree-view-control-reference */
import { TVITEMEXW } from '../../../../../native-bindings/win32/structs.ts';
import type { ElementState } from '../../../../contract/control-types.ts';
import type { Asker } from '../../ask.ts';
import type { RemoteMemory } from '../../remote-memory.ts';
import type { TreeNode } from '../../tree.ts';
import { askRemote, askRemoteRect, clientToScreen, itemNode, MOST_ITEMS, remoteText, TEXT_AT, TEXT_UNITS } from './items.ts';
import type { ControlReader } from './control-reader.ts';

export const TVM_EXPAND = 0x1102;
export const TVM_GETITEMRECT = 0x1104;
export const TVM_GETCOUNT = 0x1105;
export const TVM_GETNEXTITEM = 0x110a;
export const TVM_SELECTITEM = 0x110b;
export const TVM_ENSUREVISIBLE = 0x1114;
export const TVM_GETITEMW = 0x113e;
export const TVGN_ROOT = 0;
export const TVGN_NEXT = 1;
export const TVGN_CHILD = 4;
export const TVGN_CARET = 9;
const TVIF_TEXT_STATE_HANDLE_CHILDREN = 0x0001 | 0x0008 | 0x0010 | 0x0040;
const TVIS_SELECTED = 0x0002;
const TVIS_EXPANDED = 0x0020;
const TVS_CHECKBOXES = 0x0100;
/** Its label alone: a click beside it, in the rest of the line, is none on the item. */
const LABEL = 1;
/** State image of a check box: 1 = unchecked, 2 = checked, 3 = partly. */
const CHECK_STATES: Readonly<Record<number, ElementState>> = { 2: 'checked', 3: 'mixed' };

export interface TreeItem {
  readonly handle: number;
  readonly text: string;
  readonly isSelected: boolean;
  readonly isExpanded: boolean;
  readonly hasChildren: boolean;
  readonly check: ElementState | null;
}

/** Null when it was not answered or the item is gone. */
export function treeItem(asker: Asker, memory: RemoteMemory, hwnd: number, style: number, handle: number): TreeItem | null {
  memory.write(0, TVITEMEXW.alloc({
    mask: TVIF_TEXT_STATE_HANDLE_CHILDREN, hItem: handle, stateMask: 0xffff, pszText: memory.address + BigInt(TEXT_AT), cchTextMax: TEXT_UNITS,
  }));
  memory.write(TEXT_AT, Buffer.alloc(2));
  if (!askRemote(asker, memory, hwnd, TVM_GETITEMW, 0, 0)) return null;
  const back = memory.read(0, TVITEMEXW.size);
  if (back === null) return null;
  const { state, cChildren } = TVITEMEXW.read(back);
  return {
    handle,
    text: remoteText(memory),
    isSelected: (state & TVIS_SELECTED) !== 0,
    isExpanded: (state & TVIS_EXPANDED) !== 0,
    hasChildren: cChildren !== 0,
    check: (style & TVS_CHECKBOXES) === 0 ? null : CHECK_STATES[state >> 12 & 0xf] ?? null,
  };
}

export const nextItem = (asker: Asker, hwnd: number, relation: number, from: number): number => asker.ask(hwnd, TVM_GETNEXTITEM, relation, from) ?? 0;

export const readTreeView: ControlReader = ({ info, node }, { asker, remote, allItems }) => {
  const memory = remote.for(info.hwnd);
  if (memory === null) {
    const count = asker.ask(info.hwnd, TVM_GETCOUNT);
    if (count !== null && count > 0) node.itemCount = count;
    return;
  }
  const toScreen = clientToScreen(info);
  let read = 0;
  const readBranch = (parent: TreeNode, first: number, isShown: boolean): void => {
    for (let handle = first; handle !== 0 && read < MOST_ITEMS; handle = nextItem(asker, info.hwnd, TVGN_NEXT, handle)) {
      const item = treeItem(asker, memory, info.hwnd, info.style, handle);
      if (item === null) return;
      read++;
      const where = Buffer.alloc(16);
      where.writeBigInt64LE(BigInt(handle), 0);
      const rect = isShown ? askRemoteRect(asker, memory, info.hwnd, TVM_GETITEMRECT, LABEL, where) : null;
      const states: ElementState[] = [];
      if (item.isSelected) states.push('selected');
      if (item.hasChildren) states.push(item.isExpanded ? 'expanded' : 'collapsed');
      if (item.check !== null) states.push(item.check);
      if (rect === null) states.push('offscreen');
      const child = itemNode(node, {
        kind: 'tree-item', identity: `item:${handle}:${item.text}`, index: read - 1, handle, controlType: 'TreeItem', name: item.text,
        rect: rect === null ? node.rect : toScreen(rect), states,
      });
      // Items stand below each other, not inside each other.
      child.popup = node.clip ?? node.rect;
      parent.children.push(child);
      if (item.hasChildren && (item.isExpanded || allItems)) readBranch(child, nextItem(asker, info.hwnd, TVGN_CHILD, handle), isShown && item.isExpanded);
    }
  };
  readBranch(node, nextItem(asker, info.hwnd, TVGN_ROOT, 0), true);
};
