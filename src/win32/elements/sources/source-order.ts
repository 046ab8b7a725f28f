/** Which sources are asked for a window, first to last: one table for every system. A source that says nothing makes way. */
import type { WindowEntry } from './child-windows.ts';

export type Source = 'automation' | 'accessible' | 'messages';

/**
 * `standard`: a control that the system knows. `own`: a custom window without child windows, which only its program can
 * describe. `frame`: a custom window or dialog with child windows.
 */
type Sort = 'standard' | 'own' | 'frame';

interface Order {
  /** Where UI Automation has patterns. */
  readonly full: readonly Source[];
  /** Where it has none, a program's own IAccessible offers more, and of a standard control it shows nothing. */
  readonly bare: readonly Source[];
}

const ORDER: Readonly<Record<Sort, Order>> = {
  standard: { full: ['automation', 'messages'], bare: ['messages'] },
  own: { full: ['automation', 'accessible', 'messages'], bare: ['accessible', 'automation', 'messages'] },
  frame: { full: ['automation', 'messages'], bare: ['automation', 'messages'] },
};

function sortOf({ kind, node }: Pick<WindowEntry, 'kind' | 'node'>): Sort {
  if (kind !== 'other' && kind !== 'dialog') return 'standard';
  return node.children.length === 0 ? 'own' : 'frame';
}

/** A custom window without child windows. */
export const isOwnTree = (entry: Pick<WindowEntry, 'kind' | 'node'>): boolean => sortOf(entry) === 'own';

/** @param hasPatterns whether UI Automation has patterns here */
export const sourcesOf = (entry: Pick<WindowEntry, 'kind' | 'node'>, hasPatterns: boolean): readonly Source[] =>
  ORDER[sortOf(entry)][hasPatterns ? 'full' : 'bare'];
