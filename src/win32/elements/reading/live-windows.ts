/**
 * Windows of a kept reading, asked again one by one: what Windows knows of them, and by the control's own messages what
 * it holds. Each answer is false where the reading no longer fits: the whole window is read then.
 */
import { sameRect } from '../../../contract/element/coordinates.ts';
import { ES_PASSWORD, WS_DISABLED, WS_VISIBLE } from '../../../../native-bindings/win32/constants.ts';
import type { ElementState } from '../../../contract/element/control-types.ts';
import type { Asker } from '../../windows/ask.ts';
import { isDefaultButtonStyle, isSystemClass, type ControlKind } from '../../windows/classes.ts';
import { threadOf, focusOf, windowStyle } from '../../windows/window-info.ts';
import { outerRect } from '../../windows/rects.ts';
import { clipContent, isPasswordField, keptText, markInnerFocus, nameOf } from '../sources/child-windows.ts';
import type { WindowEntry } from '../../drivers/driver.ts';
import { readControl } from '../../drivers/index.ts';
import { isLabel } from '../tree/labels.ts';
import type { RemoteBlocks } from '../tree/remote-memory.ts';
import { indexOf } from '../tree/tree-index.ts';
import { makeNode, type TreeNode } from '../tree/tree.ts';
import type { WindowView } from './live-views.ts';
import { noteText } from './observe.ts';

const FIELDS: ReadonlySet<ControlKind> = new Set(['edit', 'rich-edit']);
/** They contain nothing that their own messages say. */
const NO_CONTENT: ReadonlySet<ControlKind> = new Set(['static', 'progress-bar', 'scroll-bar', 'rebar']);
/** States that a control's own messages report. */
const READ_STATES: readonly ElementState[] = ['selected', 'checked', 'mixed', 'expanded', 'collapsed'];

export const isWindow = ({ locator }: TreeNode): boolean => locator.kind === 'window';
const isItem = ({ locator }: TreeNode): boolean => locator.kind === 'item';

/** A button of the system reports each change of its check mark. */
const reportsItself = ({ kind, info }: WindowEntry): boolean =>
  kind === 'button' && isSystemClass(info.className) && windowStyle(info.hwnd) === info.style;

export class LiveWindows {
  readonly #view: WindowView;
  readonly #asker: Asker;
  readonly #remote: RemoteBlocks;
  readonly #done = new Set<TreeNode>();
  /** Items came, went or moved. */
  hasOtherItems = false;

  constructor(view: WindowView, asker: Asker, remote: RemoteBlocks) {
    this.#view = view;
    this.#asker = asker;
    this.#remote = remote;
  }

  /** The window of a node that only Windows and its own messages describe; undefined for any other. */
  entryOf(node: TreeNode): WindowEntry | undefined {
    const entry = isWindow(node) ? this.#view.windows.entries.get(node.hwnd) : undefined;
    return entry?.node === node ? entry : undefined;
  }

  /** State, text and, if wanted, what it contains. */
  again(node: TreeNode, withContent: boolean, isOwn = false): boolean {
    const entry = this.entryOf(node);
    if (entry === undefined) return false;
    if (this.#done.has(node)) return true;
    this.#done.add(node);
    const isReported = this.#view.changed.delete(node.hwnd);
    const isAsked = withContent && (isOwn || !reportsItself(entry));
    const fits = this.#again(entry, isAsked || isReported);
    indexOf(this.#view.root).update(node);
    return fits;
  }

  /** The same for the action's own window, or one around it: its place is unchanged, too. */
  onTheWay(node: TreeNode, withContent: boolean): boolean {
    const entry = this.entryOf(node);
    const rect = outerRect(node.hwnd);
    return (
      entry !== undefined && rect !== null && sameRect(rect, entry.info.rect) && this.again(node, withContent, true)
    );
  }

  #again(entry: WindowEntry, withContent: boolean): boolean {
    const { node, kind } = entry;
    const style = windowStyle(node.hwnd);
    entry.info.style = style;
    if ((style & WS_VISIBLE) === 0 || !this.#enabled(entry, style)) return false;
    if (kind === 'button') node.isDefaultButton = isDefaultButtonStyle(style);
    if (FIELDS.has(kind)) return this.#value(entry, style, withContent);
    if (!this.#text(entry, style)) return false;
    return !withContent || NO_CONTENT.has(kind) || this.content(entry, node);
  }

  #text(entry: WindowEntry, style: number): boolean {
    const { kind, node } = entry;
    const now = keptText(kind, node.hwnd, style);
    if (now === entry.text) return true;
    entry.text = now;
    const name = nameOf(kind, style, now);
    if (node.label !== null) return name === '';
    if (node.name !== '' && isLabel(this.#view.root, node.name)) return false;
    node.name = name;
    if (node.controlType === 'Text') noteText(node);
    return true;
  }

  #value({ kind, info, node }: WindowEntry, style: number, withContent: boolean): boolean {
    const isShown = node.states.has('password');
    if (!withContent) return (style & ES_PASSWORD) === 0 || isShown;
    const isSecret = isPasswordField(kind, { hwnd: node.hwnd, style, className: info.className }, this.#asker);
    if (isSecret || isShown) return isSecret === isShown;
    const value = this.#asker.text(node.hwnd);
    if (value !== null) node.value = value;
    return value !== null;
  }

  /** Its parent's state holds for it too, so one with windows inside is read with them. */
  #enabled({ node }: WindowEntry, style: number): boolean {
    const isDisabled = (style & WS_DISABLED) !== 0;
    const was = node.states.has('disabled');
    const isInDisabled = indexOf(this.#view.root).parentOf(node)?.states.has('disabled') ?? false;
    if (isDisabled === was || (was && isInDisabled)) return true;
    if (node.children.length > 0) return false;
    if (isDisabled) node.states.add('disabled');
    else node.states.delete('disabled');
    return true;
  }

  /** Value and items by the control's own messages; what UI Automation reports stays. */
  content(entry: WindowEntry, node: TreeNode): boolean {
    const isUia = node.source === 'uia';
    const copy = makeNode({
      ...node,
      states: new Set([...node.states].filter((state) => isUia || !READ_STATES.includes(state))),
      value: isUia ? node.value : null,
      shown: null,
      itemCount: null,
      children: node.children.filter((child) => !isItem(child)),
    });
    readControl({ ...entry, node: copy }, { asker: this.#asker, remote: this.#remote, windows: this.#view.windows });
    if (copy.states.has('password') !== node.states.has('password')) return false;
    if (!isUia && copy.controlType !== node.controlType) return false;
    if (copy.children.length > 0 && node.clip === null) clipContent({ ...entry, node });
    if (!isUia) node.states = copy.states;
    node.value = copy.states.has('password') ? null : copy.value;
    node.shown = copy.shown;
    node.itemCount = copy.itemCount;
    if (node.children.some(isItem) || copy.children.some(isItem)) {
      this.hasOtherItems = true;
      node.children = copy.children;
    }
    return true;
  }

  /** Which window has the focus now. */
  focus(): void {
    const { root, windows } = this.#view;
    const index = indexOf(root);
    const focus = focusOf(threadOf(root.hwnd).thread);
    const before = index.list('focused').filter((node) => this.entryOf(node) !== undefined);
    for (const { states } of before) states.delete('focused');
    const entry = windows.entries.get(focus) ?? markInnerFocus(windows.entries, focus);
    entry?.node.states.add('focused');
    for (const node of [...before, ...(entry === null ? [] : [entry.node])]) index.update(node);
  }
}
