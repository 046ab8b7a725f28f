/** From a query or a ref to one live element of the bound window. */
import type { BindingRecord } from '../../contract/binding.ts';
import type { ElementInfo, ElementQuery } from '../../contract/element.ts';
import { UiaHostError, type Candidate } from '../../contract/errors.ts';
import { readPatiently, type Observed, type ReadOptions } from './observe.ts';
import { findMatches, type QueryPurpose } from './query.ts';
import type { RefBook } from './refs.ts';
import { pathTo, walk, type TreeNode } from './tree.ts';

/** An element as it is now, in the tree it was read in. */
export interface Located {
  readonly node: TreeNode;
  readonly observed: Observed;
}

const CANDIDATES_SHOWN = 10;

export const describeNode = (node: Pick<TreeNode, 'controlType' | 'name'>): string => (node.name === '' ? node.controlType : `${node.controlType} “${node.name.slice(0, 80)}”`);

/** The ref of a node that was read. */
export function refOf(refs: RefBook, root: number, node: TreeNode): string {
  return refs.refFor(root, node.identity, node.locator, describeNode(node));
}

/** The element as plain data, rectangle in screen pixels. */
export function elementInfo(refs: RefBook, root: number, node: TreeNode): ElementInfo {
  return {
    ref: refOf(refs, root, node),
    controlType: node.controlType,
    name: node.name,
    automationId: node.automationId,
    rect: node.visible ?? node.rect,
    states: [...node.states],
    source: node.source,
    identity: node.identity,
    isDefaultButton: node.isDefaultButton,
  };
}

function describeQuery(query: ElementQuery): string {
  const parts = [
    query.name === undefined ? null : `name “${query.name}”`,
    query.role === undefined ? null : `role ${query.role}`,
    query.automationId === undefined ? null : `automationId “${query.automationId}”`,
  ];
  return parts.filter((part) => part !== null).join(' and ');
}

const candidate = (refs: RefBook, root: number, node: TreeNode): Candidate => ({
  ref: refOf(refs, root, node), role: node.controlType, name: node.name.slice(0, 200), automationId: node.automationId.slice(0, 200),
});

/** Whether some control has items that were not read. */
const hasUnread = (root: TreeNode): boolean => [...walk(root)].some((node) => node.itemCount !== null || node.states.has('collapsed'));

/**
 * The one element that a query names; items of long lists and collapsed branches are looked through only when nothing
 * else answers. Errors: target_not_found, target_ambiguous with candidates, invalid_argument for an unknown role.
 */
export function locateQuery(refs: RefBook, record: BindingRecord, query: ElementQuery, purpose: QueryPurpose, options: ReadOptions): Located {
  const root = Number(record.hwnd);
  let observed = readPatiently(record, options);
  let found = findMatches(observed.root, query, purpose);
  if (found.length === 0 && query.name !== undefined && hasUnread(observed.root)) {
    observed = readPatiently(record, { ...options, allItems: true });
    found = findMatches(observed.root, query, purpose);
  }
  const [node] = found;
  if (node === undefined) {
    throw new UiaHostError('target_not_found', `No element of “${observed.root.name}” has ${describeQuery(query)}.`
      + (observed.partial ? ' The window did not answer everything in time, so it may be there.' : ''));
  }
  if (found.length > 1) {
    throw new UiaHostError('target_ambiguous', `${found.length} elements of “${observed.root.name}” have ${describeQuery(query)}.`, {
      candidates: found.slice(0, CANDIDATES_SHOWN).map((one) => candidate(refs, root, one)),
    });
  }
  return { node, observed };
}

/**
 * The element of a ref as it is now.
 * @param scope `branch`: only its window and those above are read; `tree`: with everything around it
 * Errors: element_stale.
 */
export function locateRef(refs: RefBook, record: BindingRecord, ref: string, options: ReadOptions, scope: 'branch' | 'tree' = 'branch'): Located {
  const root = Number(record.hwnd);
  const entry = refs.entry(ref);
  if (entry === undefined) {
    throw new UiaHostError('element_stale', `The ref ${ref} is not known: it was never given to this session, or its window was unbound.`);
  }
  if (entry.root !== root) {
    throw new UiaHostError('element_stale', `The ref ${ref} belongs to another window than the bound one.`, { hint: 'Bind that window again, or take a snapshot of this one.' });
  }
  const first: ReadOptions = {
    ...options,
    ...(scope === 'branch' ? { only: entry.locator.hwnd } : {}),
    ...(entry.locator.kind === 'item' ? { item: entry.locator } : {}),
  };
  // An item may stand at another place than it was seen at.
  const attempts = entry.locator.kind === 'item' ? [first, { ...first, allItems: true }] : [first];
  let partial = false;
  for (const attempt of attempts) {
    const observed = readPatiently(record, attempt);
    const node = pathTo(observed.root, entry.identity).at(-1);
    if (node !== undefined) return { node, observed };
    partial ||= observed.partial;
  }
  if (partial) throw new UiaHostError('window_hung', `“${record.title}” did not answer in time, so ${entry.description} (${ref}) could not be looked at.`);
  throw new UiaHostError('element_stale', `${entry.description} (${ref}) is gone.`);
}

/** With everything around it: by ref where there is one, else by name, role and id. */
export function locate(refs: RefBook, record: BindingRecord, query: ElementQuery, purpose: QueryPurpose, options: ReadOptions): Located {
  return query.ref === undefined ? locateQuery(refs, record, query, purpose, options) : locateRef(refs, record, query.ref, options, 'tree');
}
