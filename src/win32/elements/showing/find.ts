/** Finds elements that fit a description, as lines of a snapshot: docs/behaviour.md#a-part-of-a-window. */
import type { BindingRecord } from '../../../contract/element/binding.ts';
import type { CallContext, FindOptions, FoundData, Wanted } from '../../../desktop/index.ts';
import { throwIfAborted } from '../../windows/waiting.ts';
import { locateElement, searchUnread, type Located } from '../finding/locate.ts';
import type { RefBook } from '../finding/refs.ts';
import { readPopups, type ReadOptions } from '../reading/observe.ts';
import { readAwake, readPart } from '../reading/read-part.ts';
import { DEFAULT_VIEW, shownOf } from '../tree/snapshot-nodes.ts';
import { dataOf } from '../tree/snapshot-text.ts';
import { type TreeNode, walk } from '../tree/tree.ts';
import { geometryOf, idsThatTell, lineOfNode, NO_TEXTS, type Drawing } from './snapshot.ts';
import { textWords } from './text-attributes.ts';
import { comparable } from '../../../contract/element/element-words.ts';
import { rectCentre, sameRect } from '../../../contract/element/coordinates.ts';
import type { ControlType } from '../../../contract/element/control-types.ts';
import type { Point, Rect } from '../../../contract/element/geometry.ts';
import { controlTypesOf, namesOf, rankName, rolesOf } from '../finding/query.ts';

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
function fitting(wanted: Wanted): (node: TreeNode) => boolean {
  const { role, name, value, state } = wanted;
  const types: ReadonlySet<ControlType> | null = role === undefined ? null : new Set(controlTypesOf(role));
  return (node) =>
    (types === null || types.has(node.controlType)) &&
    (name === undefined || fitsName(name, node)) &&
    (value === undefined || (node.value !== null && !node.states.has('password') && fitsText(value, node.value))) &&
    (state === undefined || fitsState(state, node));
}

/** What fits a role by its first list of control types that has any: a button is a menu item only where no button fits. */
function ofFirstTypes<T extends { readonly node: TreeNode }>(
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
function fittingIn(root: TreeNode, wanted: Wanted): TreeNode[] {
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
function nearestFirst(nodes: readonly TreeNode[], to: TreeNode): TreeNode[] {
  const centre = rectCentre(to.visible ?? to.rect);
  const others = nodes.filter(({ identity, rect }) => identity !== to.identity || !sameRect(rect, to.rect));
  return others
    .map((node) => ({ node, far: distance(node.visible ?? node.rect, centre) }))
    .sort((one, other) => one.far - other.far)
    .map(({ node }) => node);
}

/** Bytes of a value that are shown: enough to tell elements apart. */
const VALUE_BYTES = 400;
/** Share of the time left for lists that were read in part. */
const LISTS_SHARE = 0.3;

/** A fitting element and the window that its ref belongs to. */
interface FoundNode {
  readonly node: TreeNode;
  readonly root: number;
}

/** Whose refs, which call, and how windows are read. */
interface Finding {
  readonly refs: RefBook;
  readonly call: CallContext;
  readonly reading: Omit<ReadOptions, 'budgetMs'>;
}

/** Errors: invalid_argument for an unknown role; element_stale for `within` and `near`; window_gone. */
export async function findElements(
  { refs, call, reading }: Finding,
  record: BindingRecord,
  wanted: Wanted,
  options: FindOptions,
): Promise<FoundData> {
  throwIfAborted(call);
  // An unknown role is refused before anything is read.
  fitting(wanted);
  const end = performance.now() + options.budgetMs;
  const read = (): ReadOptions => ({ ...reading, budgetMs: Math.max(1, end - performance.now()) });
  const located = (ref: string): Promise<Located> =>
    locateElement(
      { refs, options: read(), call },
      record,
      { kind: 'element', query: { ref }, purpose: 'look', isOnlyRead: true },
      0,
    );
  const near = wanted.near === undefined ? null : await located(wanted.near);
  const within = wanted.within === undefined ? null : await located(wanted.within);
  const { found: fit, partial } = await all(record, wanted, within, read, call);
  const found = ofFirstTypes(fit, wanted.role);
  const ordered = near === null ? found : inOrder(found, near.node);
  const geometry = geometryOf(record);
  const drawing: Drawing = {
    geometry,
    valueBytes: VALUE_BYTES,
    view: { ...DEFAULT_VIEW, form: options.form },
    below: 0,
    unread: new Set(),
    textOf: NO_TEXTS,
  };
  const ids = idsThatTell(ordered);
  const lines = ordered.slice(0, options.limit).map(({ node, root }) => {
    const shown = shownOf(node, drawing.view);
    return lineOfNode(
      { node, depth: 0, shown, isLeaf: true },
      refs.see(root, node),
      options.attributes ? { ...drawing, textOf: textWords({ read: read(), root }, end) } : drawing,
      ids.has(node.automationId),
    );
  });
  return {
    accessibilityText: lines.map(({ text }) => text).join('\n'),
    ...(options.asElements === true ? { elements: lines.map(({ element }) => dataOf(element)) } : {}),
    total: ordered.length,
    partial,
    geometry,
  };
}

function inOrder(found: readonly FoundNode[], to: TreeNode): FoundNode[] {
  const roots = new Map(found.map(({ node, root }) => [node, root]));
  return nearestFirst([...roots.keys()], to).map((node) => ({ node, root: roots.get(node)! }));
}

async function all(
  record: BindingRecord,
  wanted: Wanted,
  within: Located | null,
  read: () => ReadOptions,
  call: CallContext,
): Promise<{ readonly found: readonly FoundNode[]; readonly partial: boolean }> {
  const shown = within === null ? await readAwake(record, read(), call) : readPart(within, read());
  const popups = within === null ? readPopups(record, shown, read()) : [];
  const options = read();
  const lists = { options, searchMs: options.budgetMs * LISTS_SHARE, call };
  const unread = isPattern(wanted) ? null : await searchUnread(shown, wanted, lists);
  return {
    found: [shown, ...popups].flatMap(({ root, record: of }) =>
      fittingIn(root, wanted).map((node) => ({ node, root: Number(of.hwnd) })),
    ),
    partial: unread !== null || [shown, ...popups].some(({ partial }) => partial),
  };
}

const isPattern = ({ name }: Wanted): boolean => name?.includes('*') === true;
