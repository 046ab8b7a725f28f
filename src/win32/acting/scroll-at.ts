/** Scrolls the element under a point through UI Automation, for programs that ignore wheel messages. */
import { ComError } from '../../../native-bindings/com/hresult.ts';
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Point } from '../../contract/element/geometry.ts';
import type { Evidence, Outcome } from '../../contract/outcome.ts';
import type { CallContext } from '../../desktop/call.ts';
import type { Automation } from '../elements/sources/uia-client.ts';
import { describeNode } from '../elements/finding/locate.ts';
import { scrollSmall } from '../exits/patterns.ts';
import { attempt, scrollPercents, type ScrollPercents } from '../elements/sources/patterns.ts';
import { nodeAt, pathTo, type TreeNode } from '../elements/tree/tree.ts';

/** Lines per wheel notch by default. Source: learn.microsoft.com/windows/win32/inputdev/wm-mousewheel */
const LINES = 3;
const MOST_STEPS = 90;

interface Notches {
  readonly vertical: number;
  readonly horizontal: number;
}

/** The element under a point that scrolls, or its nearest ancestor that does. */
export interface Scroller {
  /** Null if it cannot be read at the moment. */
  positions(): ScrollPercents | null;
  /**
   * @param before positions before the wheel message: a direction that has moved since is not scrolled twice. Null if
   * it does not scroll.
   */
  scroll(
    before: ScrollPercents,
    notches: Notches,
  ): Promise<Pick<Outcome, 'effect' | 'delivery' | 'evidence' | 'attempts'> | null>;
}

/** Finds the scrollable element under a screen point through UI Automation; null if there is none. */
export interface ScrollerFinder {
  scrollerAt(record: BindingRecord, at: Point, call: CallContext): Scroller | null;
}

const changed = (before: ScrollPercents, after: ScrollPercents | null): boolean =>
  after !== null && (after.vertical !== before.vertical || after.horizontal !== before.horizontal);

export function scrollerAt(automation: Automation | null, root: TreeNode, at: Point): Scroller | null {
  const hit = nodeAt(root, at);
  const node =
    hit === null ? undefined : pathTo(root, hit.identity).findLast(({ capabilities }) => capabilities.has('scroll'));
  if (automation === null || node === undefined) return null;
  const description = describeNode(node);
  const withElement = <T>(work: (element: IUIAutomationElement) => T): T | null => {
    const element = automation.elementOf(node, root.hwnd);
    if (element === null) return null;
    const done = work(element);
    if (done instanceof Promise) void done.finally(() => element[Symbol.dispose]());
    else element[Symbol.dispose]();
    return done;
  };
  const positions = (): ScrollPercents | null => {
    try {
      return withElement(scrollPercents);
    } catch (error) {
      if (error instanceof ComError) return null;
      throw error;
    }
  };
  const evidenceOf = (before: ScrollPercents, after: ScrollPercents): Evidence => ({
    kind: 'scroll-percent',
    before,
    after,
    element: description,
  });
  return {
    positions,
    async scroll(before, notches) {
      const now = positions();
      if (now !== null && changed(before, now))
        return { effect: 'confirmed', delivery: 'posted', evidence: [evidenceOf(before, now)], attempts: [] };
      const steps = Math.min(
        MOST_STEPS,
        Math.ceil(Math.max(Math.abs(notches.vertical), Math.abs(notches.horizontal)) * LINES),
      );
      const part = (axis: number): -1 | 0 | 1 => (axis === 0 ? 0 : axis > 0 ? 1 : -1);
      let last = null;
      let position = now;
      for (let step = 0; step < steps; step += 1) {
        // Up is back, right is forward.
        last = await withElement((element) =>
          attempt(
            'uia-scroll',
            `Scroll of ${description} by small steps`,
            () => scrollSmall(element, -part(notches.vertical), part(notches.horizontal)),
            description,
          ),
        );
        if (last === null || last.result !== 'delivered' || last.isUnfinished === true) break;
        const next = positions();
        const isAtEnd = position !== null && !changed(position, next);
        position = next;
        if (isAtEnd) break;
      }
      if (last === null) return null;
      const { isUnfinished, ...tried } = last;
      if (tried.result !== 'delivered')
        return { effect: 'unverified', delivery: 'posted', evidence: [], attempts: [tried] };
      const isSeen = isUnfinished !== true && position !== null;
      return {
        effect: !isSeen ? 'unverified' : changed(before, position) ? 'confirmed' : 'none',
        delivery: 'uia-scroll',
        evidence: position === null ? [] : [evidenceOf(before, position)],
        attempts: [tried],
      };
    },
  };
}
