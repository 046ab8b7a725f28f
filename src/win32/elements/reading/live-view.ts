/**
 * The view that an action takes of its window, on every system: the element, what contains it and what is next to it are
 * asked again, with what the window asks, its default button and its focus. What else UI Automation shows in view is asked
 * by one search. Null wherever that cannot be done or is in doubt: the whole window is read then.
 */
import { ComError } from '../../../../native-bindings/com/hresult.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import type { ElementQuery } from '../../../contract/element/element.ts';
import type { Point } from '../../../contract/element/geometry.ts';
import { Asker } from '../../windows/ask.ts';
import { liveWindow } from '../../windows/record.ts';
import { RemoteBlocks } from '../tree/remote-memory.ts';
import { clipAgain, indexOf, type TreeIndex } from '../tree/tree-index.ts';
import { markCovered, pathTo, walk, type TreeNode } from '../tree/tree.ts';
import { isWindow, LiveWindows } from './live-windows.ts';
import type { WindowView } from './live-views.ts';
import { type Observed, type ReadOptions, needsMessages } from './observe.ts';
import { sameRect } from '../../../contract/element/coordinates.ts';
import type {
  IUIAutomationCacheRequest,
  IUIAutomationCondition,
  IUIAutomationElement,
} from '../../../../native-bindings/uia/automation.generated.ts';
import { ControlTypeId, PropertyId, TreeScope } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { ES_READONLY } from '../../../../native-bindings/win32/constants.ts';
import { PRESSABLE, TEXT_FIELDS } from '../../../contract/element/control-types.ts';
import { buttonKind, isDefaultButtonStyle, type ControlKind } from '../../windows/classes.ts';
import { isEnabledThroughout, windowStyle } from '../../windows/window-info.ts';
import { isTextual, MOST_TEXTS, readValues, takeText } from '../sources/automation.ts';
import { identify, nodeOf, propertiesOf, type AboveNode, cachedOf } from '../sources/automation-node.ts';
import { isPasswordField } from '../sources/child-windows.ts';
import type { WindowEntry } from '../../drivers/driver.ts';
import type { Automation } from '../sources/uia-client.ts';
import { isLabel } from '../tree/labels.ts';

/** A container with more children than this is not compared child by child. */
const WIDE = 200;
/** Kinds whose state UI Automation or the window itself says. */
const NO_MESSAGES: ReadonlySet<ControlKind> = new Set(['static', 'dialog', 'other', 'rebar']);

const isUia = ({ source }: TreeNode): boolean => source === 'uia';

const byIdentity = (all: readonly TreeNode[]): ReadonlyMap<string, TreeNode> =>
  new Map(all.map((node) => [node.identity, node]));

/** Each has a RuntimeId of its own. */
const areToldApart = (all: readonly TreeNode[]): boolean =>
  all.every(({ locator }) => locator.kind !== 'uia' || (locator.runtimeId.length > 0 && locator.isShared !== true));

/** A RuntimeId that several have is told apart by their order: here the element itself is asked. */
const isSame = ({ identity, locator }: TreeNode, now: TreeNode): boolean =>
  identity === now.identity ||
  (locator.kind === 'uia' && locator.isShared === true && identity.startsWith(`${now.identity}~`));

const identityOf = (element: IUIAutomationElement): string =>
  identify(cachedOf(element), { identity: '', hwnd: 0 }, 0, '', 'Custom').identity;

/** Its place among what UI Automation shows of its parent: the identity of an element without a RuntimeId. */
const siblingsBefore = (node: TreeNode, above: TreeNode | null): number =>
  above === null ? 0 : Math.max(0, above.children.filter(isUia).indexOf(node));

class LiveAutomation {
  readonly #automation: Automation;
  readonly #view: WindowView;
  readonly #asker: Asker;
  readonly #windows: LiveWindows;
  readonly #index: TreeIndex;
  readonly #properties: readonly number[];
  readonly #done = new Set<TreeNode>();
  #texts = 0;
  /** Something is in another place, or came into view or out of it. */
  hasMoved = false;

  constructor(automation: Automation, view: WindowView, asker: Asker, windows: LiveWindows) {
    this.#automation = automation;
    this.#view = view;
    this.#asker = asker;
    this.#windows = windows;
    this.#index = indexOf(view.root);
    this.#properties = propertiesOf(automation.abilities.patterns);
  }

  /** Whether what a search finds can be told apart. */
  get isSearchable(): boolean {
    return this.#index.derived('searchable', areToldApart);
  }

  /** A control that its own messages describe, or a part of it: the proxies' RuntimeIds begin with its window. */
  #isByMessages(identity: string): boolean {
    const [, whole, part] = /^(?:hwnd:(\d+)$|rid:42\.(-?\d+))/.exec(identity) ?? [];
    const hwnd = Number(whole ?? part ?? 0) >>> 0;
    const node = hwnd === 0 ? undefined : this.#view.windows.entries.get(hwnd)?.node;
    return node !== undefined && !isUia(node) && this.#index.parentOf(node) !== null;
  }

  /** The element alone. */
  again(node: TreeNode): boolean {
    if (this.#done.has(node)) return true;
    const above = this.#index.parentOf(node);
    using request = this.#automation.request(this.#properties, false);
    return this.#ask(node, request, (element, cached) => {
      if (!this.#take(node, cached, siblingsBefore(node, above))) return false;
      readValues(this.#automation, element, [node], TreeScope.Element);
      return true;
    });
  }

  /** An element and, if there are not too many, its children. */
  withChildren(node: TreeNode): boolean {
    const children = node.children.filter(isUia);
    if (children.length > WIDE) return this.again(node);
    using request = this.#automation.levelRequest(this.#properties);
    return this.#ask(node, request, (element, cached) => {
      using found = cached.GetCachedChildren();
      const length = found === null ? 0 : found.get_Length();
      using stack = new DisposableStack();
      const shown = Array.from({ length }, (_, at) => found!.GetElement(at)).flatMap((one) =>
        one === null || this.#isByMessages(identityOf(stack.use(one))) ? [] : [one],
      );
      if (shown.length !== children.length || !this.#take(node, cached)) return false;
      for (const [at, child] of children.entries()) if (!this.#take(child, shown[at]!, at)) return false;
      readValues(this.#automation, element, [node, ...children], TreeScope.Element | TreeScope.Children);
      return true;
    });
  }

  /**
   * Everything in view, by one search from each place where a provider begins.
   * @param pressable what keys could reach out of view too
   */
  screen(pressable: boolean): boolean {
    const missing = new Set(
      this.#index.all.filter((node) => isUia(node) && node !== this.#view.root && !node.states.has('offscreen')),
    );
    const condition = (): IUIAutomationCondition => {
      const inView = this.#automation.having([[PropertyId.IsOffscreen, false]]);
      return pressable ? this.#orPressable(inView) : inView;
    };
    return this.#search(condition, this.#properties, (found, start) => {
      for (const [node, cached] of found) {
        missing.delete(node);
        if (!this.#take(node, cached, siblingsBefore(node, this.#index.parentOf(node)))) return false;
      }
      const nodes = found.map(([node]) => node);
      readValues(this.#automation, start, nodes, TreeScope.Descendants, true);
      return true;
    })
      ? missing.size === 0
      : false;
  }

  #orPressable(inView: IUIAutomationCondition): IUIAutomationCondition {
    let any = inView;
    for (const type of [...PRESSABLE, ...TEXT_FIELDS, 'TabItem'] as const) {
      using known = any;
      using one = this.#automation.having([[PropertyId.ControlType, ControlTypeId[type]]]);
      any = this.#automation.client.CreateOrCondition(known, one)!;
    }
    return any;
  }

  /**
   * Who has exactly this name and automationId now, by the provider's own search. False where the reading shows others,
   * or an element that it does not know.
   */
  named({ name, automationId }: ElementQuery): boolean {
    const wanted: Array<readonly [number, string]> = [];
    if (name !== undefined) wanted.push([PropertyId.Name, name]);
    if (automationId !== undefined) wanted.push([PropertyId.AutomationId, automationId]);
    const missing = new Set(
      this.#index.all.filter(
        (node) =>
          isUia(node) &&
          node !== this.#view.root &&
          (name === undefined || node.name === name) &&
          (automationId === undefined || node.automationId === automationId),
      ),
    );
    const properties = [PropertyId.RuntimeId, PropertyId.NativeWindowHandle];
    const fits = this.#search(
      () => this.#automation.having(wanted),
      properties,
      (found) => {
        for (const [node] of found) {
          missing.delete(node);
          if (name !== undefined && !this.#named(node, name)) return false;
          if (automationId !== undefined && node.automationId !== automationId) return false;
        }
        return true;
      },
    );
    return fits && missing.size === 0;
  }

  #search(
    condition: () => IUIAutomationCondition,
    properties: readonly number[],
    use: (found: ReadonlyArray<readonly [TreeNode, IUIAutomationElement]>, start: IUIAutomationElement) => boolean,
  ): boolean {
    if (!this.isSearchable) return false;
    const known = this.#index.derived('by identity', byIdentity);
    using wanted = condition();
    using request = this.#automation.request(properties, false);
    for (const from of [this.#view.root, ...this.#view.elements.gaps]) {
      const start = this.#view.elements.get(from);
      if (start === undefined || this.#asker.isOver) return false;
      using all = start.FindAllBuildCache(TreeScope.Descendants, wanted, request);
      const length = all === null ? 0 : all.get_Length();
      using stack = new DisposableStack();
      const found: Array<readonly [TreeNode, IUIAutomationElement]> = [];
      for (let at = 0; at < length; at++) {
        const element = all!.GetElement(at);
        const identity = element === null ? '' : identityOf(stack.use(element));
        if (this.#isByMessages(identity)) continue;
        const node = known.get(identity);
        if (element === null || node === undefined) return false;
        found.push([node, element]);
      }
      if (!use(found, start)) return false;
    }
    return true;
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

  #take(node: TreeNode, cached: IUIAutomationElement, index = 0): boolean {
    if (this.#done.has(node)) return true;
    const above = this.#index.parentOf(node);
    const parent: AboveNode = above ?? { identity: node.identity, hwnd: node.hwnd, controlType: null };
    const now = nodeOf(cached, parent, index, this.#automation.abilities.patterns);
    if (above !== null && (!isSame(node, now) || now.controlType !== node.controlType)) return false;
    if (!this.#named(node, now.name)) return false;
    this.#done.add(node);
    const entry = node.locator.kind === 'window' ? this.#view.windows.entries.get(node.locator.hwnd) : undefined;
    const byMessages = entry !== undefined && isReadByMessages(entry, node);
    const [wasSecret, old] = [node.states.has('password'), node.value];
    this.hasMoved ||= !sameRect(node.rect, now.rect) || now.states.has('offscreen') !== node.states.has('offscreen');
    node.states = now.states;
    node.capabilities = now.capabilities;
    node.rect = now.rect;
    if (node.popup !== null) node.popup = now.popup ?? node.popup;
    node.isDefaultButton = now.isDefaultButton;
    if (entry !== undefined) adoptStyle(entry, node, this.#asker);
    // A field that hid its text does not show it here, whatever one source says now.
    if (wasSecret) node.states.add('password');
    node.value = node.states.has('password') ? null : now.value;
    const element = this.#view.elements.get(node);
    if (isTextual(node) && element !== undefined && this.#texts++ < MOST_TEXTS) takeText(node, element);
    else if (byMessages && !node.states.has('password')) {
      if (!this.#windows.content(entry, node)) return false;
    }
    // Its value came from elsewhere, which is not asked here.
    else if (old !== null && node.value === null && !node.capabilities.has('value') && !wasSecret) return false;
    this.#index.update(node);
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

  /** The element with the keyboard focus, if it is in this window. */
  focus(): void {
    const id = this.#automation.focusedId();
    const node = id === null ? undefined : this.#index.derived('by identity', byIdentity).get(`rid:${id}`);
    if (node === undefined) return;
    for (const other of this.#index.list('focused').slice()) {
      other.states.delete('focused');
      this.#index.update(other);
    }
    node.states.add('focused');
    this.#index.update(node);
  }
}

function isReadByMessages(entry: WindowEntry, node: TreeNode): boolean {
  if (node.children.some(({ source }) => source === 'message')) return true;
  const isMeant = node.value !== null ? !node.capabilities.has('value') : needsMessages(entry, node);
  if (!isMeant || NO_MESSAGES.has(entry.kind)) return false;
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

/** This many windows next to the element are asked again, with what they contain. */
const NEAR = 32;
/** And this many texts and read-only fields, wherever they are: as many as the gate is given of what a window asks. */
const QUESTIONS = 40;
/** For the window as a whole, this many of its largest fields: documents. */
const DOCUMENTS = 4;
/** For keys, which reach everything, the names of this many buttons. */
const PRESSED = 400;
/** What is in view but not around the element was read at most this long ago (ms) for an action on a ref. */
const SCREEN_MS = 5000;
/** Share of the time left for all questions. */
const SHARE = 0.5;

/**
 * `nothing`: the element alone, to be operated. `ref` and `place`: what the gate needs too. `keys` may press anything;
 * for the window as a whole only what it asks and reports matters.
 */
export type Around = 'nothing' | 'ref' | 'place' | 'keys' | 'window';

/** An element and the tree that it is in. */
export interface LiveElement {
  readonly node: TreeNode;
  readonly observed: Observed;
}

/** One look at a kept reading. */
class LiveLook {
  readonly view: WindowView;
  readonly windows: LiveWindows;
  /** Null where UI Automation shows nothing of the window. */
  readonly elements: LiveAutomation | null;

  constructor(view: WindowView, { automation }: ReadOptions, asker: Asker, remote: RemoteBlocks) {
    this.view = view;
    this.windows = new LiveWindows(view, asker, remote);
    this.elements =
      automation === null || view.elements.isEmpty ? null : new LiveAutomation(automation, view, asker, this.windows);
  }

  /** Whether the reading fits, with all that such an action looks at asked again. */
  at(target: TreeNode, around: Around): boolean {
    if (around === 'nothing') return this.elements !== null && isUia(target) && this.elements.withChildren(target);
    // Known before anything is asked.
    if (this.#searches(around) && this.elements?.isSearchable === false) return false;
    const way = indexOf(this.view.root).pathTo(target);
    const isMeant = (node: TreeNode): boolean => node !== way[0] && (node === target || isItemOf(target, node));
    const fits = way.every((node) => this.#onTheWay(node, isMeant(node)));
    return fits && this.#windowsAround(target, around) && this.#elementsAround(around);
  }

  #onTheWay(node: TreeNode, isTarget: boolean): boolean {
    if (isUia(node)) return this.elements?.withChildren(node) === true;
    return !isWindow(node) || this.windows.onTheWay(node, isTarget);
  }

  /** The windows that UI Automation does not show. */
  #windowsAround(target: TreeNode, around: Around): boolean {
    const { root, changed } = this.view;
    const index = indexOf(root);
    const isPlain = (node: TreeNode): boolean => node !== root && this.windows.entryOf(node) !== undefined;
    const near = around === 'window' ? [] : nearest(root, target, isPlain);
    const asks = (node: TreeNode): boolean =>
      isPlain(node) && (node.controlType === 'Text' || (node.states.has('readonly') && node.controlType === 'Edit'));
    const contents = [
      ...near,
      ...first(index.list('questions'), QUESTIONS, asks),
      ...index.list('statusBars').filter(isPlain),
      ...(around === 'window' ? index.derived('largest', largest).filter(isPlain) : []),
      ...[...changed].flatMap((hwnd) => this.view.windows.entries.get(hwnd)?.node ?? []).filter(isPlain),
    ];
    const states = [
      ...index.list('default').filter((node) => isPlain(node) && node.visible !== null),
      ...(around === 'keys' ? first(index.list('pressable'), PRESSED, isPlain) : []),
    ];
    return (
      contents.every((node) => this.windows.again(node, true)) &&
      states.every((node) => this.windows.again(node, false))
    );
  }

  /** Whether what is in view is asked by a search. */
  #searches(around: Around): boolean {
    return around !== 'ref' || performance.now() - this.view.screenAt > SCREEN_MS;
  }

  /** What UI Automation shows elsewhere. */
  #elementsAround(around: Around): boolean {
    const { elements, view } = this;
    if (elements === null) return true;
    if (!this.#searches(around)) return asked(view).every((node) => elements.again(node));
    const reachesAll = around === 'keys' && indexOf(view.root).list('pressable').length <= PRESSED;
    if (!elements.screen(reachesAll)) return false;
    view.screenAt = performance.now();
    view.changed.clear();
    return true;
  }

  /** The rest follows from the answers. */
  finish(around: Around): void {
    const { root } = this.view;
    if (this.elements?.hasMoved === true || this.windows.hasOtherItems) {
      clipAgain(root);
      if (this.elements?.hasMoved === true) markCovered(root);
    }
    if (around === 'nothing') return;
    this.windows.focus();
    this.elements?.focus();
  }
}

const isItemOf = (target: TreeNode, node: TreeNode): boolean =>
  target.locator.kind === 'item' && isWindow(node) && node.hwnd === target.hwnd;

/** The windows next to a node, nearest first. */
function nearest(root: TreeNode, target: TreeNode, isMeant: (node: TreeNode) => boolean): TreeNode[] {
  const found: TreeNode[] = [];
  for (const node of indexOf(root).inView.nearest(target.visible ?? target.rect)) {
    if (!isMeant(node)) continue;
    found.push(node);
    if (found.length >= NEAR) break;
  }
  return found;
}

/** The first of a list of nodes that are meant. */
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
    .filter(({ controlType, visible }) => (controlType === 'Edit' || controlType === 'Document') && visible !== null)
    .sort((one, other) => area(other) - area(one))
    .slice(0, DOCUMENTS);
}

/**
 * What the window asks, as the gate is given it: texts and read-only fields in view, and what the keys would press; and
 * whatever was reported to have changed.
 */
function asked({ root, changed }: WindowView): TreeNode[] {
  let questions = 0;
  const isAsked = (node: TreeNode): boolean =>
    isUia(node) &&
    node !== root &&
    (node.isDefaultButton ||
      node.states.has('focused') ||
      (isWindow(node) && changed.delete(node.hwnd)) ||
      ((node.controlType === 'Text' || node.states.has('readonly')) &&
        node.visible !== null &&
        questions++ < QUESTIONS));
  return walk(root).filter(isAsked);
}

/** What UI Automation answers about the last reading. */
interface Look {
  /** Whether the reading shows exactly those whom a search finds. */
  named(query: ElementQuery): boolean;
  /** The RuntimeId of the element at a screen point; null where that is not known. */
  idAt(at: Point): string | null;
}

/**
 * @param find the node in the last reading that the action is about; null if it has none
 * Errors: window_gone.
 */
export function readLive(
  record: BindingRecord,
  options: ReadOptions,
  around: Around,
  find: (root: TreeNode, look: Look) => TreeNode | null | undefined,
): LiveElement | null {
  const { automation, views } = options;
  const root = liveWindow(record);
  const view = views.view(record);
  if (view === null || view.changed.size > NEAR || (around === 'nothing' && view.elements.isEmpty)) return null;
  const asker = new Asker(options.budgetMs);
  if (!asker.answers(root)) return null;
  using remote = new RemoteBlocks(options.remoteControlMemory);
  const look = new LiveLook(view, options, asker, remote);
  const { elements } = look;
  const shown: Look = {
    named: (query) => elements?.named(query) === true,
    idAt: (at) => (elements === null || automation === null ? null : automation.idAt(at)),
  };
  /** Undefined: it is not in the last reading. */
  const read = (): { readonly target: TreeNode; readonly isFresh: boolean } | undefined => {
    const target = find(view.root, shown) ?? undefined;
    if (target === undefined || (around === 'nothing' && !isUia(target))) return undefined;
    return { target, isFresh: look.at(target, around) };
  };
  let target: TreeNode;
  try {
    const found = automation === null ? read() : automation.waitingAtMost(asker.left * SHARE, read);
    if (found === undefined) return null;
    if (!found.isFresh || asker.isPartial || views.view(record) !== view) {
      views.drop(root);
      return null;
    }
    ({ target } = found);
    look.finish(around);
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
    views.drop(root);
    return null;
  }
  // An item that was read again is another node.
  const node = target.locator.kind === 'item' ? pathTo(view.root, target.identity).at(-1) : target;
  if (node === undefined) return null;
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
