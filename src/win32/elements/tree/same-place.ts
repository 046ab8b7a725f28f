/** Whether the element at a point is still the judged element: read again just before input is sent. */
import type { ElementInfo } from '../../../contract/element/element.ts';
import type { Point } from '../../../contract/element/geometry.ts';
import { describeNode, nodeAt, pathTo, type TreeNode } from './tree.ts';

export type JudgedElement = Pick<ElementInfo, 'identity' | 'controlType' | 'name' | 'automationId'>;

/**
 * The same element with the same content: a page can change a button's meaning without replacing it. A window's title
 * may change freely.
 */
export function isSameElement(judged: JudgedElement | null, now: TreeNode | null): boolean {
  if (judged === null || now === null) return judged === now;
  return (
    now.identity === judged.identity &&
    now.controlType === judged.controlType &&
    now.automationId === judged.automationId &&
    (now.name === judged.name || now.controlType === 'Window')
  );
}

/** Reads a window; `part`: only the window that receives the message and the ones above it, which is faster. */
export interface Reading {
  readonly root: TreeNode;
  readonly partial: boolean;
}

/** The judged element is at the point; an element that the caller named may contain what is at the point. */
function isThere(judged: JudgedElement | null, isNamed: boolean, root: TreeNode, at: Point): boolean {
  const hit = nodeAt(root, at);
  if (!isNamed || judged === null || hit === null) return isSameElement(judged, hit);
  return pathTo(root, hit.identity).some((node) => isSameElement(judged, node));
}

/**
 * A description of what is there instead; null if unchanged. Where the partial reading does not contain the judged
 * element, as with a text that lets clicks through, the whole window is read.
 */
export function changedAt(
  at: Point,
  judged: JudgedElement | null,
  read: (scope: 'part' | 'all') => Reading,
  isNamed = false,
): string | null {
  const part = read('part');
  if (judged !== null && !part.partial && isThere(judged, isNamed, part.root, at)) return null;
  const all = read('all');
  const now = nodeAt(all.root, at);
  if (isThere(judged, isNamed, all.root, at)) return null;
  if (all.partial) return 'something that did not answer in time';
  return now === null ? 'no identifiable element' : describeNode(now);
}
