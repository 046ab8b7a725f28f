/** The tree of child windows: cheap, complete for classic programs, and never blocked by the target. */
import {
  kindOfWindow,
  classNameOf,
  controlId,
  focusOf,
  windowStyle,
  windowText,
  MENU_CLASS,
  descendantsOf,
  parentOf,
  readWindowInfo,
  type WindowInfo,
} from '../../windows/window-info.ts';
import {
  EM_GETPASSWORDCHAR,
  ES_PASSWORD,
  ES_READONLY,
  SS_NOPREFIX,
  SS_NOTIFY,
  WS_CHILD,
  WS_DISABLED,
  WS_VISIBLE,
} from '../../../../native-bindings/win32/constants.ts';
import type { Rect } from '../../../contract/element/geometry.ts';
import { threadOf } from '../../windows/handle.ts';
import { buttonKind, controlTypeOf, isDefaultButtonStyle, type ControlKind } from '../../windows/classes.ts';
import { type Asker } from '../../windows/ask.ts';
import { withoutAccelerator } from '../tree/text.ts';
import { makeNode, type TreeNode } from '../tree/tree.ts';
import type { WindowFacts } from '../tree/window-facts.ts';

/** IDC_STATIC: many controls share it, so it identifies none. */
const NO_ID = 0xffff;

/** A window of the tree with what was read from it. */
export interface WindowEntry {
  readonly info: WindowInfo;
  readonly kind: ControlKind;
  readonly node: TreeNode;
  /** Its text as the system keeps it; empty where that is not what it shows. */
  readonly text: string;
}

export interface WindowTree {
  readonly root: TreeNode;
  readonly entries: ReadonlyMap<number, WindowEntry>;
  /** All windows that were listed below the root, hidden ones too. */
  readonly order: readonly number[];
}

/** Facts of an earlier reading, with the changes reported since. */
export interface KnownWindows {
  /** All windows below the root; null if some may have come or gone. */
  readonly order: readonly number[] | null;
  /** What cannot change; null if it is not known. */
  facts(hwnd: number): WindowFacts | null;
  keep(hwnd: number, facts: WindowFacts): void;
  /** Where it is; undefined if it may have moved. */
  rect(hwnd: number): Rect | undefined;
  /** Its style, if what matters of it is reported when it changes; undefined if it has to be asked. */
  style(hwnd: number): number | undefined;
  /** The text that the system keeps for it, if changes are reported; undefined if it has to be asked. */
  text(hwnd: number): string | undefined;
  /** Adds the state and value that the control had; false if it has to be asked. */
  content(entry: WindowEntry): boolean;
}

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
  if ((info.style & ES_PASSWORD) !== 0) return true;
  if (info.className.toLowerCase() === 'edit') return false;
  return asker.ask(info.hwnd, EM_GETPASSWORDCHAR) !== 0;
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
  if (kind === 'static') return (style & SS_NOPREFIX) !== 0 ? text : withoutAccelerator(text);
  return kind === 'button' ? withoutAccelerator(text) : kind === 'link' ? text.replaceAll(/<[^>]*>/g, '') : text;
}

function describe(
  info: WindowInfo,
  kind: ControlKind,
  isRoot: boolean,
  parentEnabled: boolean,
  focus: number,
  asker: Asker,
  text: string,
): TreeNode {
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
  if (!parentEnabled || (info.style & WS_DISABLED) !== 0) node.states.add('disabled');
  if (info.hwnd === focus) node.states.add('focused');
  if (kind === 'button') node.isDefaultButton = isDefaultButtonStyle(info.style);
  if (isPasswordField(kind, info, asker)) node.states.add('password');
  if ((kind === 'edit' || kind === 'rich-edit') && (info.style & ES_READONLY) !== 0) node.states.add('readonly');
  node.letsClicksThrough =
    (kind === 'button' && buttonKind(info.style) === 'group') || (kind === 'static' && (info.style & SS_NOTIFY) === 0);
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

/** What cannot change. Null once the window is gone. */
function askFacts(hwnd: number, known: KnownWindows | null): WindowFacts | null {
  const { thread, process } = threadOf(hwnd);
  if (thread === 0) return null;
  const className = classNameOf(hwnd);
  const facts: WindowFacts = {
    className,
    kind: kindOfWindow(hwnd, className),
    id: controlId(hwnd),
    parent: parentOf(hwnd),
    thread,
    process,
  };
  known?.keep(hwnd, facts);
  return facts;
}

/**
 * The visible windows of one top-level window. Null if it is gone.
 * Control id = AutomationId, as Windows' own proxies do it.
 * @param only this window and those above it; null = all
 * @param known what needs no asking; null = everything is asked
 */
export function readChildWindows(
  root: number,
  asker: Asker,
  only: number | null = null,
  known: KnownWindows | null = null,
): WindowTree | null {
  const rootInfo = readWindowInfo(root);
  if (rootInfo === null) return null;
  const focus = focusOf(threadOf(root).thread);
  const rootKind = kindOfWindow(root, rootInfo.className);
  const entries = new Map<number, WindowEntry>();
  const rootText = keptText(rootKind, root, rootInfo.style);
  const rootNode = describe(rootInfo, rootKind, true, true, focus, asker, rootText);
  entries.set(root, { info: rootInfo, kind: rootKind, node: rootNode, text: rootText });
  const order = only === null ? (known?.order ?? descendantsOf(root)) : branchTo(root, only);
  for (const hwnd of order) {
    const kept = known?.facts(hwnd) ?? null;
    const style = (kept === null ? undefined : known?.style(hwnd)) ?? windowStyle(hwnd);
    if ((style & WS_VISIBLE) === 0) continue;
    const facts = kept ?? askFacts(hwnd, known);
    const parent = facts === null ? undefined : entries.get(facts.parent);
    // Below a hidden window, or inside a control that is shown as one element.
    if (facts === null || parent === undefined || HIDES_CHILDREN.has(parent.kind)) continue;
    const { className, kind } = facts;
    const id = (style & WS_CHILD) === 0 ? 0 : facts.id;
    const info = readWindowInfo(hwnd, { className, id, style, rect: known?.rect(hwnd) });
    if (info === null) continue;
    asker.knows(hwnd, facts.thread);
    const text = known?.text(hwnd) ?? keptText(kind, hwnd, style);
    const node = describe(info, kind, false, !parent.node.states.has('disabled'), focus, asker, text);
    entries.set(hwnd, { info, kind, node, text });
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
