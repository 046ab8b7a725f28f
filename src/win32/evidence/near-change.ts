/**
 * What input to one element changed in the tree around it. Programs change much by themselves, so only the element and
 * its container count, never another part of the window; and it must persist, where a clock keeps changing.
 */
import { pathTo, type TreeNode, describeNode } from '../elements/tree/tree.ts';
import { CHANGE_STAYS_MS } from '../../contract/patience.ts';
import { pause, type Deadline } from '../windows/waiting.ts';
import type { ControlType, ElementState } from '../../contract/element/control-types.ts';
import type { Evidence } from '../../contract/outcome.ts';

/** A change of a text next to the element is uncertain. */
export interface NearChange extends Change {
  readonly evidence: Evidence;
}

/** A click only focuses these. */
const FIELDS: ReadonlySet<ControlType> = new Set(['Edit', 'Document']);
/** States that say which of several elements is chosen or open. */
const CHOICES: readonly ElementState[] = ['selected', 'checked', 'mixed', 'expanded', 'collapsed'];
const LENGTH = 200;

const cut = (text: string): string => text.slice(0, LENGTH);
const words = (states: Iterable<ElementState>): string => [...states].sort().join(' ');
const choice = (node: TreeNode): string => words(CHOICES.filter((state) => node.states.has(state)));
const sure = (kind: string, before: unknown, after: unknown): NearChange => ({
  evidence: { kind, before, after },
  isSure: true,
});

/** The same element in the new tree: its text may have changed, which some sources treat as a different element. */
function again(then: TreeNode, now: TreeNode, hit: TreeNode): TreeNode | null {
  const same = now.children.find(({ identity }) => identity === hit.identity);
  if (same !== undefined) return same;
  const there = now.children[then.children.indexOf(hit)];
  const isRenamed =
    there !== undefined &&
    now.children.length === then.children.length &&
    there.controlType === hit.controlType &&
    !then.children.some(({ identity }) => identity === there.identity);
  return isRenamed ? there : null;
}

/** Its own states, value and text. Focus counts only for fields. */
function ownChange(then: TreeNode, now: TreeNode): NearChange | null {
  const counted = (node: TreeNode): string =>
    words([...node.states].filter((state) => state !== 'offscreen' && state !== 'focused'));
  if (counted(then) !== counted(now)) return sure('state', counted(then), counted(now));
  if (then.value !== null && now.value !== null && then.value !== now.value)
    return sure('value', cut(then.value), cut(now.value));
  if (then.name !== now.name) return sure('text', cut(then.name), cut(now.name));
  if (FIELDS.has(now.controlType) && !then.states.has('focused') && now.states.has('focused'))
    return sure('focus', false, true);
  return then.children.length === now.children.length
    ? null
    : sure('children', then.children.length, now.children.length);
}

/** Its siblings: which one is chosen, how many there are, and what they say. */
function siblingChange(then: TreeNode, now: TreeNode, hit: TreeNode): NearChange | null {
  const [before, after] = [then, now].map(({ children }) =>
    children.filter(({ controlType }) => !SELF_CHANGING_TYPES.has(controlType)),
  ) as [TreeNode[], TreeNode[]];
  if (before.length !== after.length) return sure('children', before.length, after.length);
  let said: NearChange | null = null;
  for (const [index, old] of before.entries()) {
    const node = after.find(({ identity }) => identity === old.identity) ?? after[index]!;
    if (old === hit || node.controlType !== old.controlType) continue;
    if (choice(old) !== choice(node))
      return sure('selection', `${cut(old.name)}: ${choice(old)}`, `${cut(node.name)}: ${choice(node)}`);
    if (old.name !== node.name)
      said ??= { evidence: { kind: 'text', before: cut(old.name), after: cut(node.name) }, isSure: false };
  }
  return said;
}

/**
 * The first change of the element `hit` (an identity of `then`) or of its siblings; null if there is none, or if its
 * container is gone and nothing can be concluded.
 * @param then the tree before the input
 * @param now the tree after it, or the branch of the element's window
 */
export function nearChange(then: TreeNode, now: TreeNode, hit: string): NearChange | null {
  const path = pathTo(then, hit);
  const [above, element] = [path.at(-2), path.at(-1)];
  if (element === undefined || above === undefined || SELF_CHANGING_TYPES.has(element.controlType)) return null;
  const container = pathTo(now, above.identity).at(-1);
  if (container === undefined) return null;
  const seen = again(above, container, element);
  if (seen === null) return sure('element', cut(element.name), null);
  return ownChange(element, seen) ?? siblingChange(above, container, element);
}

export interface Change {
  /** False for a change that the program may have made by itself. */
  readonly isSure: boolean;
}

/** How often a change is looked at again as far as looks are quick: what alternates would be the same now and then. */
const LATER_LOOKS = 7;

/**
 * The change that remains after it had time to change again: a certain one immediately, an uncertain one if a second
 * look finds it unchanged. Null if it does not, or if the deadline leaves no time for the second look.
 * @param shown what must stay the same
 */
export async function persistentChange<C extends Change>(
  look: () => C | null,
  shown: (change: C) => unknown,
  deadline: Deadline,
): Promise<C | null> {
  const from = performance.now();
  const first = look();
  if (first === null || first.isSure) return first;
  if (deadline.remaining() < 2 * CHANGE_STAYS_MS) return null;
  const tookMs = performance.now() - from;
  const looks = Math.max(1, Math.min(LATER_LOOKS, Math.floor(CHANGE_STAYS_MS / tookMs)));
  for (let left = looks; ; left -= 1) {
    await pause(CHANGE_STAYS_MS / looks, deadline.call, 'delivered');
    const later = look();
    if (later === null || later.isSure) return later;
    if (!Object.is(shown(later), shown(first))) return null;
    if (left <= 1) return later;
  }
}

/** The focus follows the action, and scrolling changes what is visible: neither shows that the program did anything. */
const INCIDENTAL: ReadonlySet<ElementState> = new Set(['focused', 'offscreen']);
/** They change by themselves by design. */
const SELF_CHANGING_TYPES: ReadonlySet<ControlType> = new Set(['ProgressBar', 'ToolTip']);

/** Without what changes by itself and what is in it: a tip has a text. */
const lasting = (node: TreeNode): TreeNode[] =>
  SELF_CHANGING_TYPES.has(node.controlType) ? [] : [node, ...node.children.flatMap(lasting)];

const states = (node: TreeNode): string =>
  [...node.states]
    .filter((state) => !INCIDENTAL.has(state))
    .sort()
    .join(' ');

/** The first element whose name, value or type changed, or that appeared or disappeared; null if there is none. */
export function elementChange(then: TreeNode, now: TreeNode): Evidence | null {
  const counted = (root: TreeNode): Map<string, TreeNode> =>
    new Map(lasting(root).map((node) => [node.identity, node]));
  const [before, after] = [counted(then), counted(now)];
  for (const [identity, node] of after) {
    const old = before.get(identity);
    if (old === undefined) return { kind: 'element', before: null, after: cut(node.name) };
    if (old.name !== node.name)
      return { kind: 'text', before: cut(old.name), after: cut(node.name), element: node.controlType };
    if (states(old) !== states(node))
      return { kind: 'state', before: states(old), after: states(node), element: describeNode(node) };
    if (old.value !== null && node.value !== null && old.value !== node.value)
      return { kind: 'value', before: cut(old.value), after: cut(node.value), element: describeNode(node) };
  }
  const gone = [...before.values()].find(({ identity }) => !after.has(identity));
  return gone === undefined ? null : { kind: 'element', before: cut(gone.name), after: null };
}
