/** An item of a tree by its path: branches are opened on the way, since many programs fill them only then. */
import type { ActionTarget } from './target.ts';
import { readWindow, type Observed } from '../observe.ts';
import { pathTo, type TreeNode } from '../tree.ts';
import { describeNode } from '../locate.ts';
import { expand } from '../patterns/expand-collapse.ts';
import { attempt } from '../patterns/pattern.ts';
import { Asker } from '../ask.ts';
import { TVM_EXPAND } from '../sources/controls/tree-view.ts';
import { bestNamed } from './choose-item.ts';
import { elementOf } from './target.ts';

const TVE_EXPAND = 2;
const EXPAND_MS = 2000;

/** False where it cannot be opened: nothing new is below it then. Errors: target_disabled, element_stale, window_hung. */
async function open(target: ActionTarget, observed: Observed, item: TreeNode): Promise<boolean> {
  if (item.locator.kind === 'item') {
    new Asker(target.deadline.share(EXPAND_MS)).ask(item.locator.hwnd, TVM_EXPAND, TVE_EXPAND, item.locator.handle);
    return true;
  }
  using element = elementOf({ ...target, node: item, located: { node: item, observed } });
  if (element === null || !item.capabilities.has('expand-collapse')) return false;
  return (await attempt('uia-expand-collapse', 'Expand', () => expand(element), describeNode(item))).result === 'delivered';
}

/** Null where some part of the path is not there or not the only one of its name. */
export async function openTreePath(target: ActionTarget, parts: readonly string[]): Promise<{ readonly node: TreeNode; readonly observed: Observed } | null> {
  const read = (): { observed: Observed; tree: TreeNode | undefined } => {
    const observed = readWindow(target.record, { ...target.tools.read, only: target.node.hwnd, allItems: true });
    return { observed, tree: pathTo(observed.root, target.node.identity).at(-1) };
  };
  let { observed, tree } = read();
  let at = tree;
  for (const part of parts) {
    if (at === undefined) return null;
    let found = bestNamed(at.children, part);
    if (found.length === 0 && at !== tree) {
      const { identity } = at;
      if (!await open(target, observed, at)) return null;
      ({ observed, tree } = read());
      at = tree === undefined ? undefined : pathTo(tree, identity).at(-1);
      found = at === undefined ? [] : bestNamed(at.children, part);
    }
    if (found.length !== 1) return null;
    at = found[0];
  }
  return at === undefined ? null : { node: at, observed };
}
