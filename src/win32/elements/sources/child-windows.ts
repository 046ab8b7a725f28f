/** The tree of child windows: cheap, complete for classic programs, and never blocked by the target. */
import {
  kindOfWindow,
  classNameOf,
  controlId,
  focusOf,
  isEnabledThroughout,
  windowStyle,
  windowText,
  MENU_CLASS,
  descendantsOf,
  parentOf,
  readWindowInfo,
  type WindowInfo,
  threadOf,
} from '../../windows/window-info.ts';
import { withoutAccelerator } from '../../../contract/element/element-words.ts';
import * as m from '../../../../native-bindings/win32/constants.ts';
import { buttonKind, controlTypeOf, isDefaultButtonStyle, type ControlKind } from '../../windows/classes.ts';
import { type Asker } from '../../windows/ask.ts';
import { makeNode, type TreeNode } from '../tree/tree.ts';
import type { WindowEntry, WindowTree } from '../../drivers/driver.ts';
import { hidesText } from '../../drivers/edit.ts';

/** IDC_STATIC: many controls share it, so it identifies none. */
const NO_ID = 0xffff;

/** Kinds that keep their text themselves: what Windows keeps for them is not what they show. */
const OWN_TEXT: ReadonlySet<ControlKind> = new Set([
  'edit',
  'rich-edit',
  'combo-box',
  'date-time',
  'ip-address',
  'hot-key',
  'calendar',
  'up-down',
  'scroll-bar',
  'list-box',
  'list-view',
  'tree-view',
]);

/** Controls made of several windows, which are shown as one element. */
const HIDES_CHILDREN: ReadonlySet<ControlKind> = new Set([
  'combo-box',
  'ip-address',
  'date-time',
  'calendar',
  'up-down',
]);

/**
 * Whether an edit control hides typed text. Its style decides; only kinds whose style does not show it are asked. A
 * control that does not answer counts as a password field and is not read.
 */
export function isPasswordField(
  kind: ControlKind,
  info: Pick<WindowInfo, 'hwnd' | 'style' | 'className'>,
  asker: Asker,
): boolean {
  if (kind !== 'edit' && kind !== 'rich-edit') return false;
  if ((info.style & m.ES_PASSWORD) !== 0) return true;
  if (info.className.toLowerCase() === 'edit') return false;
  return hidesText(asker, info.hwnd);
}

/** The text that the system keeps for a window; empty where that is not what the window shows. */
export function keptText(kind: ControlKind, hwnd: number, style: number): string {
  return OWN_TEXT.has(kind) ? '' : windowText(hwnd, style);
}

/** The name that a window has by its text. */
export function nameOf(kind: ControlKind, style: number, text: string): string {
  // A picture named by a resource ordinal: the number is not a text.
  if (text.startsWith('\uffff')) return '';
  // With SS_NOPREFIX an `&` in the text is an `&`.
  if (kind === 'static') return (style & m.SS_NOPREFIX) !== 0 ? text : withoutAccelerator(text);
  return kind === 'button' ? withoutAccelerator(text) : kind === 'link' ? text.replaceAll(/<[^>]*>/g, '') : text;
}

/** What a window's node is made of. */
interface Described {
  readonly info: WindowInfo;
  readonly kind: ControlKind;
  readonly text: string;
  readonly isRoot: boolean;
  readonly isParentEnabled: boolean;
}

function describe({ info, kind, text, isRoot, isParentEnabled }: Described, focus: number, asker: Asker): TreeNode {
  const node = makeNode({
    identity: `hwnd:${info.hwnd}`,
    locator: { kind: 'window', hwnd: info.hwnd },
    controlType: info.className === MENU_CLASS ? 'Menu' : isRoot ? 'Window' : controlTypeOf(kind, info.style, false),
    name: nameOf(kind, info.style, text),
    automationId: !isRoot && info.id > 0 && info.id < NO_ID ? String(info.id) : '',
    className: info.className,
    rect: info.rect,
    source: 'window',
    hwnd: info.hwnd,
  });
  if (!isParentEnabled || (info.style & m.WS_DISABLED) !== 0) node.states.add('disabled');
  if (info.hwnd === focus) node.states.add('focused');
  if (kind === 'static' && node.name === '' && (info.style & m.SS_TYPEMASK) === m.SS_OWNERDRAW) node.unread = 'text';
  if (kind === 'button') node.isDefaultButton = isDefaultButtonStyle(info.style);
  if (isPasswordField(kind, info, asker)) node.states.add('password');
  if ((kind === 'edit' || kind === 'rich-edit') && (info.style & m.ES_READONLY) !== 0) node.states.add('readonly');
  node.letsClicksThrough =
    (kind === 'button' && buttonKind(info.style) === 'group') ||
    (kind === 'static' && (info.style & m.SS_NOTIFY) === 0);
  return node;
}

/** The windows from the topmost down to this one; empty if it is not below `root`. */
function branchTo(root: number, hwnd: number): number[] {
  const branch: number[] = [];
  for (let at = hwnd; at !== 0; at = parentOf(at)) {
    if (at === root) return branch.reverse();
    branch.push(at);
  }
  return [];
}

/** What cannot change while no window comes or goes. Null once the window is gone. */
function factsOf(hwnd: number, last: WindowEntry | undefined): Facts | null {
  if (last !== undefined) {
    const { info, kind, parent, thread } = last;
    return { className: info.className, id: info.id, kind, parent, thread };
  }
  const { thread } = threadOf(hwnd);
  if (thread === 0) return null;
  const className = classNameOf(hwnd);
  return { className, id: controlId(hwnd), kind: kindOfWindow(hwnd, className), parent: parentOf(hwnd), thread };
}

type Facts = Pick<WindowEntry, 'kind' | 'parent' | 'thread'> & Pick<WindowInfo, 'className' | 'id'>;

/**
 * The visible windows of one top-level window, or of a child window of it. Null if it is gone.
 * Control id = AutomationId, as Windows' own proxies do it.
 * @param only this window and those above it; null = all
 * @param last the last reading, if no window came or went since: what cannot change is not asked again, nor places where none moved
 */
export function readChildWindows(
  root: number,
  asker: Asker,
  only: number | null = null,
  last: (WindowTree & { readonly isInPlace: boolean }) | null = null,
  isTop = true,
): WindowTree | null {
  const rootInfo = readWindowInfo(root);
  if (rootInfo === null) return null;
  const { thread } = threadOf(root);
  const focus = focusOf(thread);
  const rootKind = kindOfWindow(root, rootInfo.className);
  const entries = new Map<number, WindowEntry>();
  const add = (described: Described, parent: number, ofThread: number): TreeNode => {
    const node = describe(described, focus, asker);
    const { info, kind, text } = described;
    entries.set(info.hwnd, { info, kind, text, node, parent, thread: ofThread });
    return node;
  };
  const rootText = keptText(rootKind, root, rootInfo.style);
  const isRoot = { isRoot: isTop, isParentEnabled: isTop || isEnabledThroughout(parentOf(root)) };
  const rootNode = add({ info: rootInfo, kind: rootKind, text: rootText, ...isRoot }, 0, thread);
  const order = only === null ? (last?.order ?? descendantsOf(root)) : branchTo(root, only);
  for (const hwnd of order) {
    const style = windowStyle(hwnd);
    if ((style & m.WS_VISIBLE) === 0) continue;
    const then = last?.entries.get(hwnd);
    const facts = factsOf(hwnd, then);
    const parent = facts === null ? undefined : entries.get(facts.parent);
    // Below a hidden window, or inside a control that is shown as one element.
    if (facts === null || parent === undefined || HIDES_CHILDREN.has(parent.kind)) continue;
    const { className, kind } = facts;
    const id = (style & m.WS_CHILD) === 0 ? 0 : facts.id;
    const info = readWindowInfo(hwnd, {
      className,
      id,
      style,
      rect: last?.isInPlace === true ? then?.info.rect : undefined,
    });
    if (info === null) continue;
    asker.knows(hwnd, facts.thread);
    const isParentEnabled = !parent.node.states.has('disabled');
    const text = keptText(kind, hwnd, style);
    const node = add({ info, kind, text, isRoot: false, isParentEnabled }, facts.parent, facts.thread);
    parent.node.children.push(node);
    if (parent.node.controlType === 'Custom') parent.node.controlType = 'Pane';
  }
  markInnerFocus(entries, focus);
  return { root: rootNode, entries, order };
}

/** The area that clips what is inside a window, set once it has content: most windows have none. */
export function clipContent({ info, node }: WindowEntry): void {
  node.clip ??= info.client;
}

/** Focus inside a control that is shown as one element counts as the control's, which is returned. */
export function markInnerFocus(entries: ReadonlyMap<number, WindowEntry>, focus: number): WindowEntry | null {
  if (focus === 0 || entries.has(focus)) return null;
  for (let at = parentOf(focus); at !== 0; at = parentOf(at)) {
    const entry = entries.get(at);
    if (entry === undefined) continue;
    if (!HIDES_CHILDREN.has(entry.kind)) return null;
    entry.node.states.add('focused');
    return entry;
  }
  return null;
}
