/** Which item of a control is meant by a name, a path of names or an index. No Windows in here. */
import { UiaHostError } from '../../../contract/errors.ts';
import { rankName, type NameRank } from '../query.ts';
import type { TreeNode } from '../tree.ts';

const RANK_ORDER: readonly NameRank[] = ['exact', 'ignoring-case', 'prefix', 'substring'];
const SHOWN = 10;

/** Items at every level, in the order they are shown. */
export function itemsOf(container: TreeNode): TreeNode[] {
  return container.children.flatMap((child) => (child.controlType === 'Header' ? [] : [child, ...itemsOf(child)]));
}

/** `File > Save As…` → its parts. */
export function pathParts(text: string): string[] {
  return text.split(/\s*(?:>|›|→|\|)\s*/u).map((part) => part.trim()).filter((part) => part !== '');
}

/** The items of the best rank. */
export function bestNamed(items: readonly TreeNode[], name: string): TreeNode[] {
  let best = RANK_ORDER.length;
  let found: TreeNode[] = [];
  for (const item of items) {
    const rank = rankName(name, [item.name]);
    const order = rank === null ? RANK_ORDER.length : RANK_ORDER.indexOf(rank);
    if (order > best || rank === null) continue;
    if (order < best) { best = order; found = []; }
    found.push(item);
  }
  return found;
}

function byPath(container: TreeNode, parts: readonly string[]): TreeNode[] {
  let level: TreeNode[] = [container];
  for (const part of parts) level = bestNamed(level.flatMap((node) => node.children), part);
  return level;
}

/**
 * Errors: target_not_found with near names, target_ambiguous.
 * @param what the control, for messages
 */
export function chooseItem(container: TreeNode, wanted: { name?: string | undefined; index?: number | undefined }, what: string): TreeNode {
  const items = itemsOf(container);
  if (wanted.index !== undefined) {
    const item = items[wanted.index];
    if (item === undefined) throw new UiaHostError('target_not_found', `${what} has ${items.length} items, and none with index ${wanted.index}. Nothing was selected.`);
    return item;
  }
  const name = wanted.name ?? '';
  const parts = pathParts(name);
  let found = bestNamed(items, name);
  if (found.length !== 1 && parts.length > 1) found = byPath(container, parts);
  const [item] = found;
  if (item === undefined) {
    throw new UiaHostError('target_not_found', `${what} has no item “${name}”. Nothing was selected.`, { suggestions: items.slice(0, SHOWN).map((one) => one.name.slice(0, 100)) });
  }
  if (found.length > 1) {
    throw new UiaHostError('target_ambiguous', `${found.length} items of ${what} are called “${name}”. Nothing was selected.`, {
      candidates: found.slice(0, SHOWN).map((one) => ({ name: one.name.slice(0, 200), role: one.controlType })),
      hint: 'Give the index instead.',
    });
  }
  return item;
}
