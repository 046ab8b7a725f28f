/** Finds elements that fit a description, as lines of a snapshot: docs/behaviour.md#a-part-of-a-window. */
import type { BindingRecord } from '../../../contract/element/binding.ts';
import type { CallContext, FindOptions, FoundData, Wanted } from '../../../desktop/index.ts';
import { throwIfAborted } from '../../windows/waiting.ts';
import { fitting, fittingIn, nearestFirst, ofFirstTypes } from '../finding/find.ts';
import { locateElement, searchUnread, type Located } from '../finding/locate.ts';
import type { RefBook } from '../finding/refs.ts';
import { readPopups, type ReadOptions } from '../reading/observe.ts';
import { readAwake, readPart } from '../reading/read-part.ts';
import { DEFAULT_VIEW, shownOf } from '../tree/snapshot-nodes.ts';
import { dataOf } from '../tree/snapshot-text.ts';
import type { TreeNode } from '../tree/tree.ts';
import { geometryOf, idsThatTell, lineOfNode, NO_TEXTS, type Drawing } from './snapshot.ts';
import { textWords } from './text-attributes.ts';

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
