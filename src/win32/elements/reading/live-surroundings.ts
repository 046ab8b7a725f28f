/**
 * An element of UI Automation with what is around it, asked of the live elements of the last reading: itself, its
 * ancestors and their children, what the window asks, its default button and its focus. The rest is as it was read a
 * moment ago. Null wherever that is in doubt: the whole window is read then.
 */
import { ComError } from '../../../../native-bindings/com/hresult.ts';
import type {
  IUIAutomationCacheRequest,
  IUIAutomationElement,
} from '../../../../native-bindings/uia/automation.generated.ts';
import { TreeScope } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { ES_READONLY } from '../../../../native-bindings/win32/constants.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import { Asker } from '../../windows/ask.ts';
import { buttonKind, isDefaultButtonStyle, type ControlKind } from '../../windows/classes.ts';
import { threadOf } from '../../windows/handle.ts';
import { liveWindow } from '../../windows/record.ts';
import { focusOf, isEnabledThroughout, windowStyle } from '../../windows/window-info.ts';
import type { Automation } from '../sources/uia-client.ts';
import { needsMessages, type Observed, type ReadOptions } from './observe.ts';
import { nodeOf, propertiesOf, type AboveNode } from '../sources/automation-node.ts';
import { readValues } from '../sources/automation.ts';
import { isPasswordField, markInnerFocus, type WindowEntry } from '../sources/child-windows.ts';
import { clipAgain } from '../tree/tree-index.ts';
import { markCovered, pathTo, walk, type TreeNode } from '../tree/tree.ts';
import type { AutomationView } from './automation-views.ts';
import { QUESTIONS, isLabel } from './surroundings.ts';

/** A container with more children than this is not compared child by child. */
const WIDE = 200;
/** Share of the time left for all questions. */
const SHARE = 0.5;

/** Kinds whose state UI Automation or the window itself says. */
const NO_MESSAGES: ReadonlySet<ControlKind> = new Set(['static', 'dialog', 'other', 'rebar']);

const isUia = ({ source }: TreeNode): boolean => source === 'uia';

/** Reads parts of a kept tree again; false where it no longer fits. Errors: ComError. */
class LiveRefresh {
  readonly #automation: Automation;
  readonly #view: AutomationView;
  readonly #asker: Asker;
  readonly #properties: readonly number[];
  readonly #done = new Set<TreeNode>();

  constructor(automation: Automation, view: AutomationView, asker: Asker) {
    this.#automation = automation;
    this.#view = view;
    this.#asker = asker;
    this.#properties = propertiesOf(automation.abilities.patterns);
  }

  /** An element and, if there are not too many, its children. */
  withChildren(node: TreeNode, above: TreeNode | null): boolean {
    const children = node.children.filter(isUia);
    if (children.length > WIDE) return this.again(node, above);
    using request = this.#automation.levelRequest(this.#properties);
    return this.#ask(node, request, (element, cached) => {
      using found = cached.GetCachedChildren();
      const length = found === null ? 0 : found.get_Length();
      if (length !== children.length || !this.#take(node, cached, above)) return false;
      for (const [at, child] of children.entries()) {
        using one = found!.GetElement(at);
        if (one === null || !this.#take(child, one, node, at)) return false;
      }
      readValues(this.#automation, element, [node, ...children], TreeScope.Element | TreeScope.Children);
      return true;
    });
  }

  /** The element alone. */
  again(node: TreeNode, above: TreeNode | null): boolean {
    if (this.#done.has(node)) return true;
    using request = this.#automation.request(this.#properties, false);
    return this.#ask(node, request, (element, cached) => {
      if (!this.#take(node, cached, above, siblingsBefore(node, above))) return false;
      readValues(this.#automation, element, [node], TreeScope.Element);
      return true;
    });
  }

  #ask(
    node: TreeNode,
    request: IUIAutomationCacheRequest,
    use: (element: IUIAutomationElement, cached: IUIAutomationElement) => boolean,
  ): boolean {
    const element = this.#view.elements.get(node);
    if (element === undefined || this.#asker.isOver) return false;
    using cached = element.BuildUpdatedCache(request);
    return cached !== null && use(element, cached);
  }

  #take(node: TreeNode, cached: IUIAutomationElement, above: TreeNode | null, index = 0): boolean {
    if (this.#done.has(node)) return true;
    const parent: AboveNode = above ?? { identity: node.identity, hwnd: node.hwnd, controlType: null };
    const now = nodeOf(cached, parent, index, this.#automation.abilities.patterns);
    const entry = node.locator.kind === 'window' ? this.#view.windows.entries.get(node.locator.hwnd) : undefined;
    if (above !== null && now.identity !== node.identity) return false;
    if (above !== null && now.controlType !== node.controlType) return false;
    // Its value comes from elsewhere: from its document, or from its window's messages.
    if (node.value !== null && now.value === null && !now.capabilities.has('value')) return false;
    if (entry !== undefined && isReadByMessages(entry, node)) return false;
    if (!this.#named(node, now.name)) return false;
    this.#done.add(node);
    const wasSecret = node.states.has('password');
    node.states = now.states;
    node.capabilities = now.capabilities;
    node.rect = now.rect;
    if (node.popup !== null) node.popup = now.popup ?? node.popup;
    node.isDefaultButton = now.isDefaultButton;
    if (entry !== undefined) adoptStyle(entry, node, this.#asker);
    // A field that hid its text does not show it here, whatever one source says now.
    if (wasSecret) node.states.add('password');
    node.value = node.states.has('password') ? null : now.value;
    return true;
  }

  #named(node: TreeNode, name: string): boolean {
    const old = node.label === null ? node.name : '';
    if (name === old) return true;
    // Its name comes from elsewhere, or names another element too.
    if (name === '' || node.label !== null || isLabel(this.#view.root, old)) return false;
    node.name = name;
    return true;
  }
}

/** Its place among what UI Automation shows of its parent: the identity of an element without a RuntimeId. */
const siblingsBefore = (node: TreeNode, above: TreeNode | null): number =>
  above === null ? 0 : Math.max(0, above.children.filter(isUia).indexOf(node));

function isReadByMessages(entry: WindowEntry, node: TreeNode): boolean {
  if (node.children.some(({ source }) => source === 'message')) return true;
  if (!needsMessages(entry, node) || NO_MESSAGES.has(entry.kind)) return false;
  const kind = entry.kind === 'button' ? buttonKind(entry.info.style) : null;
  return kind === null || kind === 'check' || kind === 'radio';
}

/** What only the window itself says; a modal dialog disables all windows below its owner. */
function adoptStyle({ kind, info }: WindowEntry, node: TreeNode, asker: Asker): void {
  const style = windowStyle(info.hwnd);
  if (!isEnabledThroughout(info.hwnd)) node.states.add('disabled');
  if (kind === 'button' && isDefaultButtonStyle(style)) node.isDefaultButton = true;
  if (kind !== 'edit' && kind !== 'rich-edit') return;
  if ((style & ES_READONLY) !== 0) node.states.add('readonly');
  if (isPasswordField(kind, { hwnd: info.hwnd, style, className: info.className }, asker)) node.states.add('password');
}

/** What the window asks, as the gate is given it: texts and read-only fields in view, and what the keys would press. */
function* asked(root: TreeNode): Generator<[TreeNode, TreeNode]> {
  let questions = 0;
  for (const above of walk(root))
    for (const node of above.children) {
      if (!isUia(node)) continue;
      const isText = node.controlType === 'Text' || node.states.has('readonly');
      if (
        node.isDefaultButton ||
        node.states.has('focused') ||
        (isText && node.visible !== null && questions++ < QUESTIONS)
      )
        yield [node, above];
    }
}

/** The focus of the window's thread, where a window has it. */
function markFocus({ root, windows }: AutomationView): void {
  const focus = focusOf(threadOf(root.hwnd).thread);
  windows.entries.get(focus)?.node.states.add('focused');
  markInnerFocus(windows.entries, focus);
}

/** An element and the tree that it is in. */
export interface LiveElement {
  readonly node: TreeNode;
  readonly observed: Observed;
}

function refreshed(view: AutomationView, way: readonly TreeNode[], refresh: LiveRefresh, isAround: boolean): boolean {
  const target = way.at(-1)!;
  if (!isAround) return refresh.withChildren(target, way.at(-2) ?? null);
  for (const [depth, node] of way.entries()) if (!refresh.withChildren(node, way[depth - 1] ?? null)) return false;
  for (const [node, above] of asked(view.root)) if (!refresh.again(node, above)) return false;
  return true;
}

/**
 * @param identity the element's, in the window of `record`
 * @param scope `element`: it alone is asked, to be operated; `surroundings`: what the gate needs too
 * Errors: window_gone.
 */
export function readLive(
  record: BindingRecord,
  identity: string,
  { automation, budgetMs }: ReadOptions,
  scope: 'element' | 'surroundings',
): LiveElement | null {
  const root = liveWindow(record);
  const view = automation?.views.view(root) ?? null;
  if (automation === null || view === null) return null;
  const way = pathTo(view.root, identity);
  const node = way.at(-1);
  const asker = new Asker(budgetMs);
  if (node === undefined || !isUia(node) || !asker.answers(root)) return null;
  const refresh = new LiveRefresh(automation, view, asker);
  try {
    const isFresh = automation.waitingAtMost(asker.left * SHARE, () =>
      refreshed(view, way, refresh, scope === 'surroundings'),
    );
    if (!isFresh || asker.isPartial || automation.views.view(root) !== view) {
      automation.views.drop(root);
      return null;
    }
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    automation.views.drop(root);
    return null;
  }
  clipAgain(view.root);
  markCovered(view.root);
  if (scope === 'surroundings') markFocus(view);
  const observed: Observed = {
    record,
    root: view.root,
    windows: view.windows,
    partial: false,
    ask: (hwnd, message, wParam) => asker.ask(hwnd, message, wParam),
    answers: (hwnd) => asker.answers(hwnd),
  };
  return { node, observed };
}
