/** Whether what lies at a point is still what the gate judged there: read again just before something is pressed. */
import type { ElementInfo } from '../../contract/element.ts';
import type { Point } from '../../contract/geometry.ts';
import { describeNode, nodeAt, type TreeNode } from './tree.ts';

export type JudgedElement = Pick<ElementInfo, 'identity' | 'controlType' | 'name' | 'automationId'>;

/** The same element, and saying the same: a page can give a button another meaning without making a new one. A window's title changes at will. */
export function isSameElement(judged: JudgedElement | null, now: TreeNode | null): boolean {
  if (judged === null || now === null) return judged === now;
  return (
    now.identity === judged.identity &&
    now.controlType === judged.controlType &&
    now.automationId === judged.automationId &&
    (now.name === judged.name || now.controlType === 'Window')
  );
}

/** A reading of a window; `part`: of the window that the message goes to and those above it, which is quicker. */
export interface Reading {
  readonly root: TreeNode;
  readonly partial: boolean;
}

/**
 * What is there instead, in words; null where it is still the same. Where the part does not show the judged element, as with
 * a text that lets clicks through, the whole window decides.
 */
export function changedAt(
  at: Point,
  judged: JudgedElement | null,
  read: (scope: 'part' | 'all') => Reading,
): string | null {
  const part = read('part');
  if (judged !== null && !part.partial && isSameElement(judged, nodeAt(part.root, at))) return null;
  const all = read('all');
  const now = nodeAt(all.root, at);
  if (isSameElement(judged, now)) return null;
  if (all.partial) return 'something that did not answer in time';
  return now === null ? 'nothing that could be named' : describeNode(now);
}
