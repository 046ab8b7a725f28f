/**
 * The tree that the gate read just before an action: the baseline for what the action changes, so that it is not read
 * twice.
 */
import type { Observed } from '../reading/observe.ts';
import type { TreeNode } from '../tree/tree.ts';

/** Older trees may have changed meanwhile. */
const FRESH_MS = 2000;

export interface SeenTree {
  readonly root: TreeNode;
  /** How long it took to read, as an estimate for the next reading. */
  readonly tookMs: number;
}

/** One per owner. */
export class LastSeen {
  #kept: (SeenTree & { readonly at: number }) | null = null;

  /** @param since when the reading began (`performance.now()`) */
  keep({ root, partial }: Observed, since: number): void {
    const at = performance.now();
    this.#kept = partial ? null : { root, tookMs: at - since, at };
  }

  /** The tree of a bound window, removed from memory, if it was read a moment ago; else null. */
  take(bound: number): SeenTree | null {
    const kept = this.peek(bound);
    this.#kept = null;
    return kept;
  }

  /** The same without removing it, for callers that only look something up. */
  peek(bound: number): SeenTree | null {
    const kept = this.#kept;
    return kept !== null && kept.root.hwnd === bound && performance.now() - kept.at < FRESH_MS ? kept : null;
  }
}
