/** Scrolls an element into view by what its container offers. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Point, Rect } from '../../contract/element/geometry.ts';
import type { CallContext } from '../../desktop/index.ts';
import { clickPoint, type TreeNode } from '../elements/tree/tree.ts';
import { STALL_MS, taken, ANSWER_RESERVE_MS } from '../windows/waiting.ts';
import { intersectRects } from '../../contract/element/coordinates.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { changeWithin } from '../exits/messages.ts';
import { driverOfItem } from '../drivers/index.ts';
import { scrollCode } from '../drivers/position.ts';
import { Asker } from '../windows/ask.ts';
import { parentOf, readWindowInfo } from '../windows/window-info.ts';
import { outerRect } from '../windows/rects.ts';
import { scrollItemIntoView } from '../exits/patterns.ts';
import { attempt } from '../elements/sources/patterns.ts';
import { delivered, failed, notApplicable, climb, type Climb, type Way } from '../drivers/driver.ts';
import {
  elementOf,
  requireEnabled,
  targetOf,
  type ActionTools,
  type ElementTarget,
} from '../elements/finding/element-target.ts';

/** Maximum number of pages and lines to scroll. */
const MOST_STEPS = 200;
const SCROLL_MS = 1000;

const byScrollItem: Way<ElementTarget> = async (target) => {
  using element = elementOf(target);
  if (element === null || !target.node.capabilities.has('scroll-item'))
    return notApplicable('uia-scroll-item', 'not offered');
  return attempt('uia-scroll-item', 'ScrollIntoView', () => scrollItemIntoView(element), target.description);
};

/** Items of the standard controls have a message for it. */
const byItemMessage: Way<ElementTarget> = ({ node, deadline }) => {
  const { locator } = node;
  if (locator.kind !== 'item') return notApplicable('message', 'not an item of a standard control');
  const reveal = driverOfItem(locator.item)?.reveal;
  if (reveal === undefined) return notApplicable('message', 'this kind of item cannot be scrolled');
  return reveal(new Asker(deadline.share(SCROLL_MS)), locator) === null
    ? failed('message', 'the control did not answer')
    : delivered('message', 'the control was asked to show the item');
};

interface Axis {
  readonly style: number;
  readonly message: number;
  readonly from: (rect: Rect) => number;
  readonly size: (rect: Rect) => number;
}

const AXES: readonly Axis[] = [
  { style: m.WS_VSCROLL, message: m.WM_VSCROLL, from: (rect) => rect.y, size: (rect) => rect.height },
  { style: m.WS_HSCROLL, message: m.WM_HSCROLL, from: (rect) => rect.x, size: (rect) => rect.width },
];

/** Scrolls `panel` until `hwnd` is visible along the axis; false if it stops moving before. */
async function scrollAlong(
  panel: number,
  view: Rect,
  hwnd: number,
  axis: Axis,
  { deadline, call }: Pick<ElementTarget, 'deadline' | 'call'>,
): Promise<boolean> {
  let last: number | null = null;
  for (let step = 0; step < MOST_STEPS && deadline.remaining(ANSWER_RESERVE_MS) > 0; step++) {
    const rect = outerRect(hwnd);
    if (rect === null) return false;
    const before = axis.from(view) - axis.from(rect);
    const after = axis.from(rect) + axis.size(rect) - axis.from(view) - axis.size(view);
    // A window larger than the view is visible once its start is.
    if (before <= 0 && (after <= 0 || axis.size(rect) > axis.size(view))) return true;
    const distance = before > 0 ? before : after;
    const code = scrollCode(before > 0, distance > axis.size(view));
    if (last === axis.from(rect)) return false;
    last = axis.from(rect);
    if (changeWithin(panel, axis.message, code, 0, SCROLL_MS) !== null) continue;
    // A program that stopped responding may or may not have scrolled: the next step starts from its actual position.
    if (!(await taken(panel, 0, deadline.share(STALL_MS, ANSWER_RESERVE_MS), call))) return false;
    last = null;
  }
  return false;
}

/** Panels with scroll bars that move their child windows. */
const byScrollBars: Way<ElementTarget> = async (target) => {
  const { node, root } = target;
  const { hwnd } = node;
  let tried = false;
  for (let panel = parentOf(hwnd); panel !== 0; panel = panel === root ? 0 : parentOf(panel)) {
    const info = readWindowInfo(panel);
    const rect = outerRect(hwnd);
    if (info === null || rect === null) break;
    for (const axis of AXES) {
      if ((info.style & axis.style) === 0 || intersectRects(rect, info.client) !== null) continue;
      tried = true;
      await scrollAlong(panel, info.client, hwnd, axis, target);
    }
  }
  return tried
    ? delivered('message', 'its container was scrolled')
    : notApplicable('message', 'none of its containers has scroll bars');
};

export async function scrollIntoView(target: ElementTarget): Promise<Climb> {
  return climb([byScrollItem, byItemMessage, byScrollBars], target);
}

/** An entry of a closed drop-down list is chosen without opening it, and a cell without a place where it is. */
const isChosenUnseen = ({ locator, capabilities, rect }: TreeNode): boolean =>
  locator.kind === 'item'
    ? locator.item === 'combo-item'
    : locator.kind === 'msaa' && capabilities.has('selection-item') && rect.width === 0;

/** Scrolls it into view if necessary. Errors: target_offscreen. */
export async function requireInView(target: ElementTarget): Promise<ElementTarget> {
  if (target.node.visible !== null || isChosenUnseen(target.node)) return target;
  if (target.node.unread === 'place')
    throw new UiaHostError(
      'target_offscreen',
      `Only its control knows where in its text ${target.description} is. Nothing was sent.`,
      { hint: 'Click at its point in a screenshot, or focus the text and press Tab and Enter.' },
    );
  const minimised = user32.IsIconic(target.root);
  if (!minimised) await scrollIntoView(target);
  const again = minimised ? target : await targetOf(target.tools, target.record, target.ref, target.call);
  if (again.node.visible !== null) return again;
  throw new UiaHostError(
    'target_offscreen',
    minimised
      ? `${target.description} cannot be reached while ${quoted(target.record.title)} is minimised. Nothing was sent.`
      : `${target.description} is not in view, and scrolling its containers did not reveal it.`,
    minimised ? { hint: 'Restore the window with manage-window.' } : {},
  );
}

/**
 * The point of an element that a click would go to, screen pixels, once it is in view. Errors: target_disabled,
 * target_offscreen, element_stale.
 */
export async function pointOfElement(
  tools: ActionTools,
  record: BindingRecord,
  ref: string,
  call: CallContext,
): Promise<Point> {
  const first = await targetOf(tools, record, ref, call);
  requireEnabled(first);
  const target = await requireInView(first);
  const at = clickPoint(target.node);
  if (at !== null) return at;
  throw new UiaHostError('target_offscreen', `No part of ${target.description} is in view. Nothing was sent.`);
}
