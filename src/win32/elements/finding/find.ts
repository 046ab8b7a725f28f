/** Which elements of a reading fit a description, and in which order. No Windows calls. */
import { comparable } from '../../../contract/element/element-words.ts';
import { rectCentre, sameRect } from '../../../contract/element/coordinates.ts';
import type { ControlType } from '../../../contract/element/control-types.ts';
import type { Point, Rect } from '../../../contract/element/geometry.ts';
import type { Wanted } from '../../../desktop/element.ts';
import { walk, type TreeNode } from '../tree/tree.ts';
import { controlTypesOf, namesOf, rankName, rolesOf } from './query.ts';

/** Whether a text holds all parts of a pattern in their order, from its beginning to its end. */
function fitsPattern(parts: readonly string[], text: string): boolean {
  const [first, last] = [parts[0]!, parts.at(-1)!];
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

/** Whether a text fits: it contains the wanted one, or fits the whole pattern; case does not matter. */
function fitsText(wanted: string, text: string): boolean {
  const [pattern, whole] = [wanted.toLowerCase(), text.toLowerCase()];
  return pattern.includes('*') ? fitsPattern(pattern.split('*'), whole) : whole.includes(pattern);
}

const fitsName = (wanted: string, node: TreeNode): boolean =>
  namesOf(node).some(
    (name) =>
      (wanted.includes('*') && (fitsText(wanted, name) || fitsText(wanted, comparable(name)))) ||
      rankName(wanted, [name]) !== null,
  );

function fitsState(state: NonNullable<Wanted['state']>, { states }: TreeNode): boolean {
  return state === 'enabled' ? !states.has('disabled') : states.has(state);
}

/** Whether an element fits. Errors: invalid_argument for an unknown role. */
export function fitting(wanted: Wanted): (node: TreeNode) => boolean {
  const { role, name, value, state } = wanted;
  const types: ReadonlySet<ControlType> | null = role === undefined ? null : new Set(controlTypesOf(role));
  return (node) =>
    (types === null || types.has(node.controlType)) &&
    (name === undefined || fitsName(name, node)) &&
    (value === undefined || (node.value !== null && !node.states.has('password') && fitsText(value, node.value))) &&
    (state === undefined || fitsState(state, node));
}

/** What fits a role by its first list of control types that has any: a button is a menu item only where no button fits. */
export function ofFirstTypes<T extends { readonly node: TreeNode }>(
  found: readonly T[],
  role: string | undefined,
): readonly T[] {
  if (role === undefined) return found;
  for (const types of rolesOf(role)) {
    const own = found.filter(({ node }) => types.includes(node.controlType));
    if (own.length > 0) return own;
  }
  return [];
}

/** The elements of a tree that fit, without its root. */
export function fittingIn(root: TreeNode, wanted: Wanted): TreeNode[] {
  const fits = fitting(wanted);
  return walk(root).filter((node) => node !== root && fits(node));
}

const distance = (rect: Rect, { x, y }: Point): number => {
  const [dx, dy] = [
    Math.max(rect.x - x, 0, x - rect.x - rect.width),
    Math.max(rect.y - y, 0, y - rect.y - rect.height),
  ];
  return dx * dx + dy * dy;
};

/** Nearest to an element first; that element itself is left out. */
export function nearestFirst(nodes: readonly TreeNode[], to: TreeNode): TreeNode[] {
  const centre = rectCentre(to.visible ?? to.rect);
  const others = nodes.filter(({ identity, rect }) => identity !== to.identity || !sameRect(rect, to.rect));
  return others
    .map((node) => ({ node, far: distance(node.visible ?? node.rect, centre) }))
    .sort((one, other) => one.far - other.far)
    .map(({ node }) => node);
}
