/** Merges what the sources know into one tree. No Windows calls. */
import { ITEMS } from '../../../contract/element/control-types.ts';
import { withoutAccelerator } from '../../../contract/element/element-words.ts';
import { rectCentre, rectContains } from '../../../contract/element/coordinates.ts';
import type { Rect } from '../../../contract/element/geometry.ts';
import { isSystemClass } from '../../windows/classes.ts';
import { nearby } from '../tree/rect-grid.ts';
import { walk, type TreeNode } from '../tree/tree.ts';

/** Properties that the control's own messages and window know better, or that only they know. */
function adoptWindow(into: TreeNode, window: TreeNode): void {
  into.className = window.className;
  into.clip = window.clip;
  into.letsClicksThrough = window.letsClicksThrough;
  into.hwnd = window.hwnd;
  if (into.automationId === '') into.automationId = window.automationId;
  if (into.name === '') into.name = window.name;
  const isDrawn =
    window.unread === 'text'
      ? into.name === ''
      : window.unread === 'state' && (into.isProxied ?? isSystemClass(window.className));
  if (isDrawn) into.unread ??= window.unread;
  into.label ??= window.label;
  into.isDefaultButton ||= window.isDefaultButton;
  const rows = into.children.filter(({ controlType }) => ITEMS.has(controlType)).length;
  into.itemCount = window.itemCount !== null && rows < window.itemCount ? window.itemCount : null;
  // UI Automation's own proxy knows nothing of custom text controls.
  if (
    window.controlType === 'Document' &&
    window.value !== null &&
    into.value === null &&
    (into.controlType === 'Pane' || into.controlType === 'Custom')
  )
    into.controlType = 'Document';
  // A field is a password field if any source reports it as one, and then has no value.
  for (const state of ['disabled', 'password', 'readonly', 'focused'] as const)
    if (window.states.has(state)) into.states.add(state);
  into.value = into.states.has('password') ? null : (into.value ?? window.value);
  if (!into.children.some((child) => child.locator.kind !== 'window'))
    into.children.push(...window.children.filter((child) => child.locator.kind === 'item'));
}

/** A control that its own messages describe. */
export interface OwnControl {
  /** The texts that proxies make its name of: one before it, by a rule that is often wrong, or its window's text. */
  readonly found: readonly string[];
  /** Its program answers for it with an object of its own: what it names has that name. */
  readonly isServed: boolean;
}

/** What UI Automation knows of such a control: its program's name for it and its id. */
function takeNames(node: TreeNode, shown: TreeNode, texts: ReadonlySet<string>, { found, isServed }: OwnControl): void {
  if (shown.automationId !== '') node.automationId = shown.automationId;
  const name = withoutAccelerator(shown.name);
  const isGuess = name === '' || found.some((text) => withoutAccelerator(text) === name);
  if (!isGuess && (isServed || (node.name === '' && !texts.has(name)))) node.name = shown.name;
  for (const state of ['disabled', 'password'] as const) if (shown.states.has(state)) node.states.add(state);
  if (node.states.has('password')) node.value = null;
  // What its messages cannot tell, the system's proxies read by the same messages.
  const parts = node.children.filter(
    ({ locator, name, unread }) => locator.kind === 'item' && (isServed || (name === '' && unread === null)),
  );
  if (parts.length === 0) return;
  const named = walk(shown).filter((part) => part !== shown && part.name !== '');
  const places = nearby(named, ({ rect }) => rect);
  for (const part of parts)
    part.name = places.near(part.rect).find(({ rect }) => isSamePlace(rect, part.rect))?.name ?? part.name;
}

const isSamePlace = (one: Rect, other: Rect): boolean =>
  rectContains(one, rectCentre(other)) && rectContains(other, rectCentre(one));

function textsIn(window: TreeNode): ReadonlySet<string> {
  const texts = walk(window).filter(({ controlType, name }) => controlType === 'Text' && name !== '');
  return new Set(texts.map(({ name }) => withoutAccelerator(name)));
}

const NONE: ReadonlyMap<number, OwnControl> = new Map();

/**
 * The UI Automation tree with what the windows add. Windows that it does not contain are attached to their nearest
 * ancestor that it does. `window` is the same window as the root of `automation`.
 * @param own windows that their own messages describe: what else UI Automation shows of them is left out
 */
export function mergeAutomation(
  automation: TreeNode,
  window: TreeNode,
  own: ReadonlyMap<number, OwnControl> = NONE,
): TreeNode {
  const shown = new Map<number, TreeNode>();
  const above = new Map<TreeNode, TreeNode>();
  for (const node of walk(automation)) {
    if (node.locator.kind === 'window') shown.set(node.locator.hwnd, node);
    for (const child of node.children) above.set(child, node);
  }
  const texts = own.size === 0 ? new Set<string>() : textsIn(window);
  /** Shown inside a control that its messages describe. */
  const left = new Set<TreeNode>();
  const takeOver = (node: TreeNode, same: TreeNode): void => {
    takeNames(node, same, texts, own.get(node.hwnd)!);
    for (const inner of walk(same)) left.add(inner);
    const siblings = above.get(same)?.children ?? [];
    siblings[siblings.indexOf(same)] = node;
    const below = node.children;
    node.children = below.filter((child) => child.locator.kind !== 'window');
    for (const child of below) if (child.locator.kind === 'window') adopt(child, node);
  };
  const adopt = (node: TreeNode, parent: TreeNode): void => {
    const same = node.locator.kind === 'window' ? shown.get(node.locator.hwnd) : undefined;
    if (same !== undefined && left.has(same)) {
      // A window inside such a control, with what its own provider shows.
      parent.children.push(same);
      above.set(same, parent);
      for (const inner of walk(same)) left.delete(inner);
    }
    if (same !== undefined && own.has(node.hwnd)) {
      takeOver(node, same);
      return;
    }
    if (same === undefined) {
      // Its child windows may be known even if it is not.
      const below = node.children.filter((child) => child.locator.kind === 'window');
      node.children = node.children.filter((child) => child.locator.kind !== 'window');
      parent.children.push(node);
      for (const child of below) adopt(child, node);
      return;
    }
    const below = node.children;
    adoptWindow(same, node);
    for (const child of below) if (child.locator.kind === 'window') adopt(child, same);
  };
  shown.set(window.hwnd, automation);
  if (own.has(window.hwnd)) {
    takeOver(window, automation);
    return window;
  }
  adopt(window, automation);
  automation.controlType = window.controlType === 'Window' ? 'Window' : automation.controlType;
  automation.identity = window.identity;
  automation.locator = window.locator;
  return automation;
}

/** Replaces a window's node with the merged one. */
export function replaceChild(root: TreeNode, old: TreeNode, now: TreeNode): void {
  for (const node of walk(root)) {
    const index = node.children.indexOf(old);
    if (index < 0) continue;
    node.children[index] = now;
    return;
  }
}
