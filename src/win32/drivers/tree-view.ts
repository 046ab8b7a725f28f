/**
 * Tree views: expanded branches, of a long tree the visible items; items below a collapsed one are found by a search.
 * Source: learn.microsoft.com/windows/win32/controls/tree-view-control-reference
 */
import * as m from '../../../native-bindings/win32/constants.ts';
import { TVITEMEXW } from '../../../native-bindings/win32/structs.ts';
import type { ElementState } from '../../contract/element/control-types.ts';
import type { Rect } from '../../contract/element/geometry.ts';
import type { Asker } from '../windows/ask.ts';
import type { RemoteMemory } from '../elements/tree/remote-memory.ts';
import type { TreeNode } from '../elements/tree/tree.ts';
import { along, change, choosing, notify } from '../exits/messages.ts';
import { noteTouch } from '../exits/leaving.ts';
import { delivered, failed } from './driver.ts';
import type { Driver, Question, ControlReader, ItemList, ItemReader, ListedItem } from './driver.ts';
import {
  answersTo,
  markUnder,
  readNow,
  stateImage,
  CHECK_STATES,
  askItems,
  TOGETHER,
  askRemoteRect,
  clientToScreen,
  itemNode,
  TEXT_UNITS,
} from './items.ts';

/** Its label only: a click in the rest of the line does not hit the item. */
const LABEL = 1;
/** A tree with at most this many items is read with all of its expanded branches. */
export const SMALL_TREE = 200;
export interface TreeItem {
  readonly handle: number;
  readonly text: string;
  /** Whether its text was answered. */
  readonly isKnown: boolean;
  readonly isSelected: boolean;
  readonly isExpanded: boolean;
  readonly hasChildren: boolean;
  /** Index of the image for its state; 0 = none. */
  readonly stateImage: number;
}

/** Whether the items have state images: the control's check boxes, or the program's custom ones. */
function hasStateImages(asker: Asker, hwnd: number, style: number): boolean {
  return (style & m.TVS_CHECKBOXES) !== 0 || (asker.ask(hwnd, m.TVM_GETIMAGELIST, m.TVSIL_STATE) ?? 0) !== 0;
}

/** Those of some handles, in order; fewer if the tree stops answering. */
function treeItems(
  asker: Asker,
  memory: RemoteMemory,
  hwnd: number,
  handles: readonly number[],
): Array<TreeItem & { readonly isTold: boolean }> {
  const questions = handles.map((hItem) => ({
    fields: (pszText: bigint) => ({
      mask: m.TVIF_TEXT | m.TVIF_STATE | m.TVIF_HANDLE | m.TVIF_CHILDREN,
      hItem,
      stateMask: 0xffff,
      pszText,
      cchTextMax: TEXT_UNITS,
    }),
  }));
  return askItems({ asker, memory, hwnd }, m.TVM_GETITEMW, TVITEMEXW, questions).map((item, at) => {
    const { state, cChildren, pszText } = item.fields;
    const text = item.text(pszText);
    return {
      handle: handles[at]!,
      text: text ?? '',
      isTold: item.isTold,
      isKnown: text !== null,
      isSelected: (state & m.TVIS_SELECTED) !== 0,
      isExpanded: (state & m.TVIS_EXPANDED) !== 0,
      hasChildren: cChildren !== 0,
      stateImage: (state >> 12) & 0xf,
    };
  });
}

/**
 * Null if it was not answered or the item is gone.
 * @param isThere the tree has just named it: what it does not tell of it is unknown
 */
function treeItem(asker: Asker, memory: RemoteMemory, hwnd: number, handle: number, isThere = false): TreeItem | null {
  const [item] = treeItems(asker, memory, hwnd, [handle]);
  return item === undefined || (!item.isTold && !isThere) ? null : item;
}

/** The client rectangle of an item's label; null if it is not in view. */
function labelRect(asker: Asker, memory: RemoteMemory, hwnd: number, handle: number): Rect | null {
  // A handle of 32 bits is the first half.
  const where = Buffer.alloc(16);
  where.writeBigInt64LE(BigInt(handle), 0);
  return askRemoteRect(asker, memory, hwnd, m.TVM_GETITEMRECT, { wParam: LABEL, first: where });
}

const nextItem = (asker: Asker, hwnd: number, relation: number, from: number): number =>
  asker.ask(hwnd, m.TVM_GETNEXTITEM, relation, from) ?? 0;

/** The items directly below one (0: the roots), in order. */
export function* itemsBelow(
  asker: Asker,
  memory: RemoteMemory,
  info: Pick<ItemReader['info'], 'hwnd' | 'style'>,
  above: number,
): Generator<TreeItem, void> {
  const first =
    above === 0 ? nextItem(asker, info.hwnd, m.TVGN_ROOT, 0) : nextItem(asker, info.hwnd, m.TVGN_CHILD, above);
  for (let handle = first; handle !== 0;) {
    const handles: number[] = [];
    for (; handle !== 0 && handles.length < TOGETHER; handle = nextItem(asker, info.hwnd, m.TVGN_NEXT, handle))
      handles.push(handle);
    const items = treeItems(asker, memory, info.hwnd, handles);
    yield* items;
    if (items.length < handles.length) return;
  }
}

/** Common to all items of one reading. */
interface Items extends ItemReader {
  readonly memory: RemoteMemory;
  readonly toScreen: ReturnType<typeof clientToScreen>;
  readonly hasImages: boolean;
}

function itemsOf(reader: ItemReader): Items | null {
  const memory = reader.remote.for(reader.info.hwnd);
  return memory === null
    ? null
    : {
        ...reader,
        memory,
        toScreen: clientToScreen(reader.info),
        hasImages: hasStateImages(reader.asker, reader.info.hwnd, reader.info.style),
      };
}

const identityOf = ({ handle, text }: Pick<TreeItem, 'handle' | 'text'>): string => `item:${handle}:${text}`;

/** Null if it was not answered or the item is gone. */
function treeNode(
  { info, node, asker, memory, toScreen, hasImages }: Items,
  handle: number,
  index: number,
  mayShow: boolean,
  isThere = false,
): TreeNode | null {
  const item = treeItem(asker, memory, info.hwnd, handle, isThere);
  if (item === null) return null;
  const rect = mayShow ? labelRect(asker, memory, info.hwnd, handle) : null;
  const states: ElementState[] = [];
  if (item.isSelected) states.push('selected');
  if (item.hasChildren) states.push(item.isExpanded ? 'expanded' : 'collapsed');
  const image = hasImages ? item.stateImage : 0;
  const check = CHECK_STATES[image];
  if (check !== undefined) states.push(check);
  if (rect === null) states.push('offscreen');
  const made = itemNode(node, {
    kind: 'tree-item',
    identity: identityOf(item),
    index,
    handle,
    controlType: 'TreeItem',
    name: item.text,
    value: image > 3 ? `state image ${image}` : null,
    rect: rect === null ? node.rect : toScreen(rect),
    states,
    unread: item.isKnown ? null : 'text',
  });
  // Items are drawn below each other, not inside each other.
  made.popup = node.clip ?? node.rect;
  return made;
}

/** The handles from a root item down to an item; empty if one of them was not answered. */
function wayTo(asker: Asker, hwnd: number, handle: number): number[] {
  const way: number[] = [];
  for (let at = handle; at !== 0; at = nextItem(asker, hwnd, m.TVGN_PARENT, at)) {
    // A tree that changes meanwhile could send us in circles.
    if (way.includes(at)) return [];
    way.unshift(at);
  }
  return way;
}

/** In tree order, collapsed branches included. Ends early if the control stops answering. */
function* walkItems({ asker, memory, info }: Items, from: number): Generator<ListedItem | null, void> {
  let index = 0;
  const below = function* (above: number, depth: number): Generator<ListedItem | null, void> {
    for (const { handle, text, hasChildren } of itemsBelow(asker, memory, info, above)) {
      const at = index++;
      yield at < from ? null : { index: at, handle, name: text, depth };
      if (hasChildren) yield* below(handle, depth + 1);
    }
  };
  yield* below(0, 0);
}

/** Adds the nodes of some items below those of their ancestors, each once. */
function addBranches(items: Items, handles: Iterable<number>): number {
  const { node, asker, info } = items;
  const made = new Map<number, TreeNode>();
  for (const handle of handles) {
    let above = node;
    for (const at of wayTo(asker, info.hwnd, handle)) {
      const known = made.get(at);
      const one: TreeNode | null = known ?? treeNode(items, at, made.size, true, true);
      if (one === null) break;
      if (known === undefined) {
        made.set(at, one);
        above.children.push(one);
      }
      above = one;
    }
  }
  return made.size;
}

function* inView(asker: Asker, hwnd: number): Generator<number> {
  // One more: the last item may be cut off.
  let left = (asker.ask(hwnd, m.TVM_GETVISIBLECOUNT) ?? SMALL_TREE) + 1;
  for (
    let handle = nextItem(asker, hwnd, m.TVGN_FIRSTVISIBLE, 0);
    handle !== 0 && left > 0;
    left--, handle = nextItem(asker, hwnd, m.TVGN_NEXTVISIBLE, handle)
  )
    yield handle;
  const selected = nextItem(asker, hwnd, m.TVGN_CARET, 0);
  if (selected !== 0) yield selected;
}

function listedItems(reader: ItemReader): ItemList | null {
  const { info, asker } = reader;
  const count = asker.ask(info.hwnd, m.TVM_GETCOUNT);
  const items = count === null || count < 0 ? null : itemsOf(reader);
  if (count === null || items === null) return null;
  return {
    count,
    // A tree view cannot search.
    find: () => [],
    items: (from) => walkItems(items, from),
    known(identity) {
      const handle = Number(/^item:(\d+):/.exec(identity)?.[1] ?? 0);
      const item = handle === 0 ? null : treeItem(asker, items.memory, info.hwnd, handle);
      return item === null || identityOf(item) !== identity ? null : { index: 0, handle, name: item.text, depth: 0 };
    },
    branch({ index, handle }) {
      // The tree view rejects the handle of an item that is gone.
      const last = treeNode(items, handle, index, true);
      const above =
        last === null
          ? []
          : wayTo(asker, info.hwnd, handle)
              .slice(0, -1)
              .map((at) => treeNode(items, at, 0, true));
      if (last === null || above.includes(null)) return null;
      return [...(above as TreeNode[]), last];
    },
  };
}

const readTreeView: ControlReader = ({ info, node }, { asker, remote, omitsRows }) => {
  const count = asker.ask(info.hwnd, m.TVM_GETCOUNT);
  if (omitsRows === true && count !== null && count > SMALL_TREE) {
    node.itemCount = count;
    return;
  }
  const items = itemsOf({ info, node, asker, remote });
  if (items === null) {
    if (count !== null && count > 0) [node.itemCount, node.unread] = [count, 'items'];
    return;
  }
  if (count !== null && count > SMALL_TREE) {
    if (addBranches(items, inView(asker, info.hwnd)) < count) node.itemCount = count;
    return;
  }
  let read = 0;
  const readBranch = (parent: TreeNode, first: number, isShown: boolean): void => {
    for (let handle = first; handle !== 0 && !asker.isOver; handle = nextItem(asker, info.hwnd, m.TVGN_NEXT, handle)) {
      const child = treeNode(items, handle, read, isShown, true);
      if (child === null) return;
      read++;
      parent.children.push(child);
      if (child.states.has('expanded')) readBranch(child, nextItem(asker, info.hwnd, m.TVGN_CHILD, handle), isShown);
    }
  };
  readBranch(node, nextItem(asker, info.hwnd, m.TVGN_ROOT, 0), true);
};

/** Opens a branch, which many programs fill only then, unless it is open. */
export function openBranch(asker: Asker, hwnd: number, handle: number): void {
  if (((asker.ask(hwnd, m.TVM_GETITEMSTATE, handle, m.TVIS_EXPANDED) ?? 0) & m.TVIS_EXPANDED) !== 0) return;
  noteTouch();
  change(asker, hwnd, m.TVM_EXPAND, m.TVE_EXPAND, handle);
}

/** Expanded or not, and the check box. */
const SHOWN_STATE = m.TVIS_EXPANDED | m.TVIS_STATEIMAGEMASK;

/** Source: learn.microsoft.com/windows/win32/controls/tree-view-control-item-states */
const itemState = (state: number): string =>
  [(state & m.TVIS_EXPANDED) === 0 ? 'collapsed' : 'expanded', stateImage(state)]
    .filter((word) => word !== '')
    .join(', ');

const questions: readonly Question[] = [
  ['selection', m.TVM_GETNEXTITEM, m.TVGN_CARET],
  ['scroll-position', m.TVM_GETNEXTITEM, m.TVGN_FIRSTVISIBLE],
  ['items-in-view', m.TVM_GETVISIBLECOUNT],
];

export const treeView: Driver = {
  kinds: ['tree-view'],
  item: 'tree-item',
  asks: [
    [m.TVM_GETCOUNT, m.TVM_GETIMAGELIST, m.TVM_GETITEMRECT, m.TVM_GETITEMSTATE, m.TVM_GETITEMW, m.TVM_GETNEXTITEM],
    [m.TVM_GETVISIBLECOUNT, m.TVM_HITTEST],
  ].flat(),
  changes: [...along(m.TVM_ENSUREVISIBLE, m.TVM_EXPAND), ...choosing(m.TVM_SELECTITEM)],
  read: readTreeView,
  items: listedItems,
  questions,
  state(asker, hwnd) {
    const answers = answersTo(asker, hwnd, questions);
    const caret = answers.get('selection') ?? 0;
    if (caret !== 0) answers.set('item-state', asker.ask(hwnd, m.TVM_GETITEMSTATE, caret, SHOWN_STATE));
    return answers;
  },
  // Handles show only that another item is meant.
  word(question, answer, isAfter) {
    if (question === 'item-state') return itemState(answer);
    if (question === 'items-in-view') return answer;
    return answer === 0 ? 'no item' : isAfter ? 'another item' : 'one item';
  },
  choose: (_control, { hwnd, handle }) =>
    notify(hwnd, m.TVM_SELECTITEM, m.TVGN_CARET, handle)
      ? delivered('message', 'TVM_SELECTITEM, which notifies by itself')
      : failed('message', 'the message could not be sent'),
  reveal: (asker, { hwnd, handle }) => change(asker, hwnd, m.TVM_ENSUREVISIBLE, 0, handle),
  itemSign: ({ hwnd, handle }) => ({
    kind: 'selection',
    read: () => readNow(hwnd, m.TVM_GETNEXTITEM, m.TVGN_CARET) === handle,
    isMeant: (value) => value === true,
  }),
  markAt: (place) =>
    markUnder(place, {
      hitTest: m.TVM_HITTEST,
      getState: m.TVM_GETITEMSTATE,
      images: [m.TVM_GETIMAGELIST, m.TVSIL_STATE],
      onMark: m.TVHT_ONITEMBUTTON | m.TVHT_ONITEMSTATEICON,
      mask: SHOWN_STATE,
      isItem: (handle) => handle > 0,
      word: itemState,
    }),
};
