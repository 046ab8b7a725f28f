/**
 * One element with its surroundings, read again without the rest of its window: the element, the windows around it, the
 * texts next to it, what the window asks, its default button and its focus. The rest is as it was last read, unless
 * something was reported of it. Null wherever that is in doubt: the whole window is read then.
 */
import { ES_PASSWORD, WS_DISABLED, WS_VISIBLE } from '../../../../native-bindings/win32/constants.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import type { ElementState } from '../../../contract/element/control-types.ts';
import { Asker } from '../../windows/ask.ts';
import { isDefaultButtonStyle, type ControlKind } from '../../windows/classes.ts';
import { threadOf } from '../../windows/handle.ts';
import { sameRect } from '../../windows/place.ts';
import { liveWindow } from '../../windows/record.ts';
import { focusOf, windowStyle } from '../../windows/window-info.ts';
import { noteText, readPatiently, type Observed, type ReadOptions } from './observe.ts';
import { nearest } from './nearest.ts';
import { RemoteBlocks } from '../tree/remote-memory.ts';
import {
  clipContent,
  isPasswordField,
  keptText,
  markInnerFocus,
  nameOf,
  type WindowEntry,
} from '../sources/child-windows.ts';
import { readControl } from '../sources/controls/index.ts';
import { rowsRead, showsSameRows } from '../sources/controls/rows-shown.ts';
import { withoutAccelerator } from '../tree/text.ts';
import { clipAgain, forgetIndex, indexOf, type TreeIndex } from '../tree/tree-index.ts';
import { makeNode, type TreeNode } from '../tree/tree.ts';
import { isContentReported, isReported, isStyleReported, isTextReported, lastStyle } from './known-windows.ts';
import { isPlain, windowViews, type WindowView } from './window-views.ts';

/** This many controls next to the element are read again, with what they contain. */
const NEAR = 64;
/** For keys, which may choose any row, this many rows of lists too; of other long lists whether they show the same. */
const ROWS = 32;
/** And this many texts and read-only fields, wherever they are: as many as the gate is given of what a window asks. */
export const QUESTIONS = 40;
/** And for the window as a whole, this many of its largest fields: documents. */
const DOCUMENTS = 4;
/** And for keys, which reach everything, the names of this many buttons. */
const PRESSED = 400;

const FIELDS: ReadonlySet<ControlKind> = new Set(['edit', 'rich-edit']);
/** They contain no text, and evidence reads their state itself. */
const NO_CONTENT: ReadonlySet<ControlKind> = new Set(['button', 'static', 'progress-bar', 'scroll-bar', 'rebar']);
/** States that a control's own messages report. */
const READ_STATES: readonly ElementState[] = ['selected', 'checked', 'mixed', 'expanded', 'collapsed'];

const isWindow = ({ locator }: TreeNode): boolean => locator.kind === 'window';

/** Whether a text names or places another element: that would need a new name too. */
export function isLabel(root: TreeNode, text: string): boolean {
  if (text === '') return false;
  const label = withoutAccelerator(text);
  const { labels, besides } = indexOf(root).derived('labels', labelsIn);
  const start = label.trim().slice(0, 40);
  return labels.has(label) || besides.some((beside) => beside.startsWith(start));
}

/** The texts by which elements are named or placed. */
function labelsIn(all: readonly TreeNode[]): { labels: ReadonlySet<string>; besides: readonly string[] } {
  const labels = new Set<string>();
  const besides = new Set<string>();
  for (const { label, beside } of all) {
    if (label !== null) labels.add(label);
    if (beside !== null) besides.add(beside);
  }
  return { labels, besides: [...besides] };
}

/** The first of a list of nodes that are meant: their windows may change while they are read again. */
function first(all: readonly TreeNode[], most: number, isMeant: (node: TreeNode) => boolean): TreeNode[] {
  const found: TreeNode[] = [];
  for (const node of all) {
    if (found.length >= most) break;
    if (isMeant(node)) found.push(node);
  }
  return found;
}

/** The fields that show most. */
function largest(all: readonly TreeNode[]): TreeNode[] {
  const area = ({ rect }: TreeNode): number => rect.width * rect.height;
  return all
    .filter(
      (node) =>
        isWindow(node) && (node.controlType === 'Edit' || node.controlType === 'Document') && node.visible !== null,
    )
    .sort((one, other) => area(other) - area(one))
    .slice(0, DOCUMENTS);
}

/** Reads parts of a kept tree again; false where it no longer fits. */
class Refresh {
  readonly #view: WindowView;
  readonly #asker: Asker;
  readonly #remote: RemoteBlocks;
  readonly #index: TreeIndex;
  readonly #done = new Set<number>();
  #rowsLeft: number;
  /** Items came or went. */
  #hasOtherItems = false;

  constructor(view: WindowView, asker: Asker, remote: RemoteBlocks, rows: number) {
    this.#rowsLeft = rows;
    this.#view = view;
    this.#asker = asker;
    this.#remote = remote;
    this.#index = indexOf(view.observed.root);
  }

  get #root(): TreeNode {
    return this.#view.observed.root;
  }

  #named(node: TreeNode, name: string): boolean {
    if (node.label !== null) return name === '';
    if (node.name === name) return true;
    if (node.name !== '' && isLabel(this.#root, node.name)) return false;
    node.name = name;
    if (node.controlType === 'Text') noteText(node);
    this.#view.live.add(node.hwnd);
    return true;
  }

  /** Its state and text; what it contains too if `withContent`. */
  again(node: TreeNode, withContent = false): boolean {
    const fits = this.#again(node, withContent);
    this.#index.update(node);
    return fits;
  }

  #again(node: TreeNode, withContent: boolean): boolean {
    const entry = this.#view.observed.windows.entries.get(node.hwnd);
    if (entry === undefined || entry.node !== node) return false;
    if (this.#done.has(node.hwnd)) return true;
    this.#done.add(node.hwnd);
    const isQuiet = !isReported(this.#view, node.hwnd);
    const style = isQuiet && isStyleReported(entry) ? lastStyle(this.#view, entry) : windowStyle(node.hwnd);
    if ((style & WS_VISIBLE) === 0 || !this.#enabled(entry, style)) return false;
    const isSame = style === lastStyle(this.#view, entry);
    this.#view.styles.set(node.hwnd, style);
    if (entry.kind === 'button') node.isDefaultButton = isDefaultButtonStyle(style);
    // What it shows is read now: a later report counts again. None is taken in while this tree is read.
    const reads = this.#view.reported.delete(node.hwnd) || withContent;
    if (FIELDS.has(entry.kind)) {
      if (!reads) return !this.#becameSecret(node, style);
      return isQuiet && isSame && isContentReported(entry) ? true : this.#value(entry, style);
    }
    if (!(isQuiet && isTextReported(entry)) && !this.#text(entry, keptText(entry.kind, node.hwnd, style), style))
      return false;
    return !reads || (isQuiet && NO_CONTENT.has(entry.kind)) || this.#content(entry);
  }

  /** Values and items; a long list only where it shows other rows now. */
  #content(entry: WindowEntry): boolean {
    const { node } = entry;
    const context = { asker: this.#asker, remote: this.#remote, windows: this.#view.observed.windows };
    const rows = rowsRead(entry);
    if (rows > this.#rowsLeft && showsSameRows(entry, context)) return true;
    this.#rowsLeft = Math.max(0, this.#rowsLeft - rows);
    const copy = makeNode({
      ...node,
      states: new Set([...node.states].filter((state) => !READ_STATES.includes(state))),
      value: null,
      shown: null,
      itemCount: null,
      children: node.children.filter(isWindow),
    });
    readControl({ ...entry, node: copy }, context);
    if (copy.controlType !== node.controlType) return false;
    if (copy.states.has('password') !== node.states.has('password')) return false;
    if (copy.children.length > 0 && node.clip === null) clipContent(entry);
    this.#take(node, copy);
    return true;
  }

  #text({ kind, node, text }: WindowEntry, now: string, style: number): boolean {
    if (now === (this.#view.texts.get(node.hwnd) ?? text)) return true;
    this.#view.texts.set(node.hwnd, now);
    return this.#named(node, nameOf(kind, style, now));
  }

  #becameSecret = (node: TreeNode, style: number): boolean =>
    (style & ES_PASSWORD) !== 0 && !node.states.has('password');

  #value({ kind, info, node }: WindowEntry, style: number): boolean {
    const isSecret = isPasswordField(kind, { hwnd: node.hwnd, style, className: info.className }, this.#asker);
    if (isSecret !== node.states.has('password')) return false;
    if (isSecret) return true;
    const value = this.#asker.text(node.hwnd);
    if (value === null) return false;
    node.value = value;
    return true;
  }

  /** Its parent's state holds for it too, so one with windows inside is read with them. */
  #enabled({ node }: WindowEntry, style: number): boolean {
    const isDisabled = (style & WS_DISABLED) !== 0;
    const was = node.states.has('disabled');
    if (isDisabled === was || (was && !isDisabled && this.#isInDisabled(node))) return true;
    if (node.children.length > 0) return false;
    if (isDisabled) node.states.add('disabled');
    else node.states.delete('disabled');
    return true;
  }

  #isInDisabled(node: TreeNode): boolean {
    return this.#index.parentOf(node)?.states.has('disabled') ?? false;
  }

  /** The element's own branch as it was just read, perhaps without the rows of a long list. */
  adopt(branch: Observed, hwnd: number, omitsRows: boolean): boolean {
    if (!isPlain(branch)) return false;
    for (const [each, now] of branch.windows.entries) {
      const then = this.#view.observed.windows.entries.get(each);
      if (
        then === undefined ||
        then.info.className !== now.info.className ||
        !sameRect(then.info.rect, now.info.rect) ||
        (then.node.states.has('disabled') !== now.node.states.has('disabled') &&
          (each !== hwnd || then.node.children.some(({ locator }) => locator.kind === 'window'))) ||
        !this.#text(then, now.text, now.info.style)
      )
        return false;
      this.#done.add(each);
      this.#index.update(then.node);
      if (each !== hwnd) continue;
      this.#view.reported.delete(each);
      this.#view.styles.set(each, now.info.style);
      if (omitsRows && now.node.itemCount !== null) {
        if (!this.#withoutRows(then, now)) return false;
        continue;
      }
      this.#take(then.node, now.node);
      this.#rowsLeft = Math.max(0, this.#rowsLeft - rowsRead(then));
    }
    return branch.windows.entries.has(hwnd);
  }

  /** A long list of which the branch has no rows. */
  #withoutRows(then: WindowEntry, now: WindowEntry): boolean {
    then.node.states = new Set(now.node.states);
    then.node.value = now.node.value;
    const fits = this.#content(then);
    this.#index.update(then.node);
    return fits;
  }

  /** What a control holds, and its items. */
  #take(into: TreeNode, from: TreeNode): void {
    into.states = new Set(from.states);
    into.value = from.value;
    into.shown = from.shown;
    into.isDefaultButton = from.isDefaultButton;
    into.itemCount = from.itemCount;
    const items = from.children.filter((child) => !isWindow(child));
    if (items.length > 0 || into.children.some((child) => !isWindow(child))) {
      this.#hasOtherItems = true;
      into.children = [...into.children.filter(isWindow), ...items];
    }
    this.#index.update(into);
  }

  /** What is in view of the items that were read again. No window has moved. */
  clip(): void {
    if (this.#hasOtherItems) clipAgain(this.#root);
  }

  /** Which window has the focus now. */
  focus(): void {
    const { windows } = this.#view.observed;
    const index = indexOf(this.#root);
    const focus = focusOf(threadOf(this.#root.hwnd).thread);
    const before = index.list('focused').filter(isWindow);
    for (const { states } of before) states.delete('focused');
    const entry = windows.entries.get(focus);
    entry?.node.states.add('focused');
    const outer = entry ?? markInnerFocus(windows.entries, focus);
    for (const node of [...before, ...(outer === null ? [] : [outer.node])]) index.update(node);
  }
}

/**
 * What the surroundings are for: an element with what is next to it; keys, which may press any button; the window as a
 * whole, of which only what it asks and what it reports can matter.
 */
export type Purpose = 'element' | 'keys' | 'window';

/**
 * @param hwnd the window of the element; the bound window itself if nothing in it is meant
 * Errors: window_gone.
 */
export function readSurroundings(
  record: BindingRecord,
  hwnd: number,
  options: ReadOptions,
  purpose: Purpose = 'element',
): Observed | null {
  const root = liveWindow(record);
  const view = windowViews.view(root);
  const entry = view?.observed.windows.entries.get(hwnd);
  if (view === null || entry === undefined || !view.isWhole || !view.isInPlace) return null;
  if (view.changed.size > NEAR || view.reported.size > NEAR) return null;
  const { root: tree, windows } = view.observed;
  const branch = hwnd === root ? null : readPatiently(record, { ...options, only: hwnd });
  const { process } = threadOf(root);
  const asker = new Asker(options.budgetMs, (each) => windowViews.facts(process, each)?.thread);
  if (branch === null ? !asker.answers(root) : branch.partial) return null;
  using remote = new RemoteBlocks(options.remoteControlMemory);
  const refresh = new Refresh(view, asker, remote, purpose === 'keys' ? ROWS : 0);
  const index = indexOf(tree);
  const asks = (node: TreeNode): boolean =>
    isWindow(node) &&
    (node.controlType === 'Text' ||
      (node.states.has('readonly') && FIELDS.has(windows.entries.get(node.hwnd)?.kind ?? 'other')));
  const isFresh =
    (branch === null || refresh.adopt(branch, hwnd, options.omitsRows === true)) &&
    refresh.again(tree) &&
    (purpose === 'window' || nearest(tree, entry.node, NEAR).every((node) => refresh.again(node, true))) &&
    first(index.list('questions'), QUESTIONS, asks).every((node) => refresh.again(node, true)) &&
    (purpose !== 'window' || index.derived('largest', largest).every((node) => refresh.again(node, true))) &&
    index
      .list('statusBars')
      .filter(isWindow)
      .every((node) => refresh.again(node, true)) &&
    index
      .list('default')
      .filter((node) => isWindow(node) && node.visible !== null)
      .every((node) => refresh.again(node)) &&
    [...view.changed, ...view.reported, ...view.live].every((each) => {
      const changed = windows.entries.get(each)?.node;
      return changed === undefined || refresh.again(changed);
    }) &&
    (purpose !== 'keys' || first(index.list('pressable'), PRESSED, isWindow).every((node) => refresh.again(node)));
  // What was reported meanwhile counts too.
  if (!isFresh || asker.isPartial || windowViews.view(root) !== view || !view.isWhole || !view.isInPlace) {
    windowViews.drop(root);
    forgetIndex(tree);
    return null;
  }
  refresh.clip();
  refresh.focus();
  return {
    record,
    root: tree,
    windows,
    partial: false,
    ask: branch?.ask ?? ((window, message, wParam) => asker.ask(window, message, wParam)),
    answers: branch?.answers ?? ((window) => asker.answers(window)),
  };
}
