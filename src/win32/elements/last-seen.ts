/** The tree that the gate looked at just before an action: what the action changes is compared with it, without reading it twice. */
import type { Observed } from './observe.ts';
import type { TreeNode } from './tree.ts';

/** Older ones may have changed by themselves meanwhile. */
const FRESH_MS = 2000;

export interface SeenTree {
  readonly root: TreeNode;
  /** How long it took to read: so long it takes again. */
  readonly tookMs: number;
}

/** One for each owner. */
export class LastSeen {
  #kept: (SeenTree & { readonly at: number }) | null = null;

  /** @param since when the reading began, by `performance.now()` */
  keep({ root, partial }: Observed, since: number): void {
    const at = performance.now();
    this.#kept = partial ? null : { root, tookMs: at - since, at };
  }

  /** The tree of a bound window, once, if it was read a moment ago; null otherwise. */
  take(bound: number): SeenTree | null {
    const kept = this.peek(bound);
    this.#kept = null;
    return kept;
  }

  /** The same for those who look something up in it and compare nothing. */
  peek(bound: number): SeenTree | null {
    const kept = this.#kept;
    return kept !== null && kept.root.hwnd === bound && performance.now() - kept.at < FRESH_MS ? kept : null;
  }
}
