/** Compares two readings of a window. No Windows calls. */
import type { ControlType, ElementState } from '../../contract/element/control-types.ts';
import type { Evidence } from '../../contract/outcome.ts';
import { describeNode, walk, type TreeNode } from '../elements/tree/tree.ts';

/** The focus follows the action, and scrolling changes what is visible: neither shows that the program did anything. */
const INCIDENTAL: ReadonlySet<ElementState> = new Set(['focused', 'offscreen']);
/** They change by themselves by design. */
export const SELF_CHANGING_TYPES: ReadonlySet<ControlType> = new Set(['ProgressBar', 'ToolTip']);
const LENGTH = 200;

const states = (node: TreeNode): string =>
  [...node.states]
    .filter((state) => !INCIDENTAL.has(state))
    .sort()
    .join(' ');
const cut = (text: string): string => text.slice(0, LENGTH);

/** The first element whose name, value or type changed, or that appeared or disappeared; null if there is none. */
export function elementChange(then: TreeNode, now: TreeNode): Evidence | null {
  const counted = (root: TreeNode): Map<string, TreeNode> =>
    new Map(
      walk(root)
        .filter((node) => !SELF_CHANGING_TYPES.has(node.controlType))
        .map((node) => [node.identity, node]),
    );
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
