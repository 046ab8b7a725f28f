/** Which windows of a tree are next to an element. No Windows calls. */
import { indexOf } from '../tree/tree-index.ts';
import type { TreeNode } from '../tree/tree.ts';

/** The windows next to a node, nearest first. */
export function nearest(root: TreeNode, target: TreeNode, most: number): TreeNode[] {
  const found: TreeNode[] = [];
  for (const node of indexOf(root).inView.nearest(target.visible ?? target.rect)) {
    if (node.locator.kind !== 'window' || node === root) continue;
    found.push(node);
    if (found.length >= most) break;
  }
  return found;
}
