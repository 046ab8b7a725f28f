/**
 * Elements of UI Automation in a kept reading, asked again: one with its children, or everything in view by one search.
 * Each answer is false where the reading no longer fits: the whole window is read then. Errors: ComError.
 */
import { sameRect } from '../../../contract/element/coordinates.ts';
import type {
  IUIAutomationCacheRequest,
  IUIAutomationCondition,
  IUIAutomationElement,
} from '../../../../native-bindings/uia/automation.generated.ts';
import { ControlTypeId, PropertyId, TreeScope } from '../../../../native-bindings/uia/identifiers.generated.ts';
import { ES_READONLY } from '../../../../native-bindings/win32/constants.ts';
import { PRESSABLE, TEXT_FIELDS } from '../../../contract/element/control-types.ts';
import type { ElementQuery } from '../../../contract/element/element.ts';
import { buttonKind, isDefaultButtonStyle, type ControlKind } from '../../windows/classes.ts';
import { isEnabledThroughout, windowStyle } from '../../windows/window-info.ts';
import type { Asker } from '../../windows/ask.ts';
import { isTextual, MOST_TEXTS, readValues, takeText } from '../sources/automation.ts';
import { identify, nodeOf, propertiesOf, type AboveNode, cachedOf } from '../sources/automation-node.ts';
import { isPasswordField } from '../sources/child-windows.ts';
import type { WindowEntry } from '../../drivers/driver.ts';
import type { Automation } from '../sources/uia-client.ts';
import { isLabel } from '../tree/labels.ts';
import { indexOf, type TreeIndex } from '../tree/tree-index.ts';
import type { TreeNode } from '../tree/tree.ts';
import type { LiveWindows } from './live-windows.ts';
import type { WindowView } from './live-views.ts';
import { needsMessages } from './observe.ts';

/** A container with more children than this is not compared child by child. */
const WIDE = 200;
/** Kinds whose state UI Automation or the window itself says. */
const NO_MESSAGES: ReadonlySet<ControlKind> = new Set(['static', 'dialog', 'other', 'rebar']);

export const isUia = ({ source }: TreeNode): boolean => source === 'uia';

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

export class LiveAutomation {
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
