/** Scrolls an element into view, a window by one page, or the element under a point. */
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import { WS_VSCROLL } from '../../../native-bindings/win32/constants.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Attempt, Evidence, Outcome } from '../../contract/outcome.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext, Done } from '../../desktop/index.ts';
import { ANSWER_RESERVE_MS, Deadline, STALL_MS, taken, waitForProgram } from '../windows/waiting.ts';
import { focusedNode, type ActionTools, targetOf } from '../elements/finding/element-target.ts';
import { readWindow } from '../elements/reading/observe.ts';
import { describeNode } from '../elements/finding/locate.ts';
import { pageDown, scrollSmall } from '../exits/patterns.ts';
import { type ScrollPercents, attempt, scrollPercents } from '../elements/sources/patterns.ts';
import { type TreeNode, nodeAt, pathTo, walk } from '../elements/tree/tree.ts';
import { Asker } from '../windows/ask.ts';
import { driverOf } from '../drivers/index.ts';
import { answersTo } from '../drivers/items.ts';
import { pageOn, scrolledTo } from '../drivers/position.ts';
import { kindOfWindow, readWindowInfo } from '../windows/window-info.ts';
import { startAftermath } from '../evidence/late-foreground.ts';
import { scrollIntoView } from './reveal.ts';
import { saidBy, delivered } from '../drivers/driver.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { comAnswer } from '../elements/sources/boundary.ts';
import type { Automation } from '../elements/sources/uia-client.ts';

const SETTLE_MS = 150;
const ASK_MS = 2000;

/** Errors: element_stale, target_offscreen. */
export async function scrollElementIntoView(
  tools: ActionTools,
  record: BindingRecord,
  ref: string,
  call: CallContext,
): Promise<Done<boolean>> {
  const aftermath = startAftermath(record, call);
  const target = await targetOf(tools, record, ref, call);
  if (target.node.visible !== null) {
    return aftermath.untouched({ evidence: [{ kind: 'visible', before: true, after: true }] });
  }
  const climbed = await scrollIntoView(target);
  const now = await targetOf(tools, record, ref, call);
  if (now.node.visible === null) {
    throw new UiaHostError(
      'target_offscreen',
      `${target.description} could not be brought into view: ${saidBy(climbed.attempts)}.`,
    );
  }
  return aftermath.of(now.node, {
    effect: 'confirmed',
    delivery: climbed.delivered?.rung ?? 'none',
    evidence: [{ kind: 'visible', before: false, after: true }],
    attempts: climbed.attempts,
  });
}

/**
 * The scroll position: from its own message, its scroll bar, or the position of its content; null if none is available.
 */
function scrollPosition(hwnd: number): number | null {
  const own = driverOf(kindOfWindow(hwnd))?.questions?.find(([kind]) => kind === 'scroll-position');
  if (own !== undefined) return answersTo(new Asker(ASK_MS), hwnd, [own]).get(own[0]) ?? null;
  const places = scrolledTo(hwnd);
  const top = places.find(({ what }) => what === 'top edge');
  return places.find(({ what }) => what === 'vertical scroll bar')?.at ?? (top === undefined ? null : -top.at);
}

const canScroll = (node: TreeNode): boolean =>
  node.locator.kind === 'window' &&
  node.visible !== null &&
  ((readWindowInfo(node.hwnd)?.style ?? 0) & WS_VSCROLL) !== 0;
const area = (node: TreeNode): number => (node.visible === null ? 0 : node.visible.width * node.visible.height);

interface Paged {
  readonly before: number | null;
  readonly after: number | null;
  readonly attempts: readonly Attempt[];
}

/** Null if UI Automation exposes nothing that scrolls vertically. If one part refuses, the next is tried. */
async function pageByPattern(tools: ActionTools, root: TreeNode): Promise<Paged | null> {
  const { automation } = tools.read;
  if (automation === null) return null;
  const nodes = walk(root).filter((node) => node.capabilities.has('scroll') && node.visible !== null);
  const focused = nodes.filter(
    (node) => node.states.has('focused') || walk(node).some((below) => below.states.has('focused')),
  );
  const attempts: Attempt[] = [];
  for (const node of new Set([...focused, ...nodes.sort((a, b) => area(b) - area(a))])) {
    using element = automation.elementOf(node, root.hwnd);
    const before = element === null ? null : percent(element);
    if (element === null || before === null) continue;
    const { isUnfinished, ...tried } = await attempt(
      'uia-scroll',
      'Scroll by a large increment',
      () => pageDown(element),
      describeNode(node),
    );
    attempts.push(tried);
    if (tried.result === 'delivered')
      return { before, after: isUnfinished === true ? null : percent(element), attempts };
  }
  return null;
}

/** Null also if it cannot be read at the moment. */
const percent = (element: IUIAutomationElement): number | null =>
  comAnswer(() => scrollPercents(element)?.vertical ?? null);

/**
 * Scrolls down one page in the focused part, else in the largest part with a scroll bar. Errors: unsupported if nothing
 * scrolls.
 */
export async function scrollPage(tools: ActionTools, record: BindingRecord, call: CallContext): Promise<Done<boolean>> {
  const aftermath = startAftermath(record, call);
  const deadline = new Deadline(call);
  const { root } = readWindow(record, tools.read);
  const byPattern = await pageByPattern(tools, root);
  if (byPattern !== null) {
    const { before, after, attempts } = byPattern;
    return aftermath.of(root, {
      effect: after === null ? 'unverified' : after === before ? 'none' : 'confirmed',
      delivery: 'uia-scroll',
      evidence: [{ kind: 'scroll-percent', before, after }],
      attempts,
    });
  }
  const focused = focusedNode(root);
  const node =
    focused !== null && canScroll(focused)
      ? focused
      : walk(root)
          .filter(canScroll)
          .sort((a, b) => area(b) - area(a))[0];
  if (node === undefined)
    throw new UiaHostError(
      'unsupported',
      `Nothing in ${quoted(record.title)} has a vertical scroll bar. Nothing was sent.`,
    );
  const before = scrollPosition(node.hwnd);
  pageOn(node.hwnd);
  const rest = (): number => deadline.share(STALL_MS, ANSWER_RESERVE_MS);
  await taken(Number(record.hwnd), 0, rest(), call);
  // Null if it does not answer, which is not a different position.
  let position: number | null = null;
  await waitForProgram(
    () => {
      position = scrollPosition(node.hwnd);
      return position === null || position === before ? null : true;
    },
    { hwnd: node.hwnd, withinMs: SETTLE_MS, atMostMs: rest(), everyMs: 10, call, delivery: 'unknown' },
  );
  return aftermath.of(node, {
    effect: before === null || position === null ? 'unverified' : position === before ? 'none' : 'confirmed',
    delivery: 'message',
    evidence: [{ kind: 'scroll-position', before, after: position }],
    attempts: [delivered('message', 'WM_VSCROLL with SB_PAGEDOWN')],
  });
}

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
  const positions = (): ScrollPercents | null => comAnswer(() => withElement(scrollPercents));
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
      let last = null;
      let position = now;
      for (let step = 0; step < steps; step += 1) {
        // Up is back, right is forward.
        last = await withElement((element) =>
          attempt(
            'uia-scroll',
            `Scroll of ${description} by small steps`,
            () => scrollSmall(element, -notches.vertical, notches.horizontal),
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
