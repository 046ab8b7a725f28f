/**
 * Converts a caller's point, in the space it states, to the pixels that the desktop takes. The gate and the action both
 * use this.
 */
import { badInput, UiaHostError } from '../contract/errors.ts';
import { assertFinitePoint, imageToScreen, rectContains, screenRectToImage } from '../contract/element/coordinates.ts';
import type { ElementInfo } from '../contract/element/element.ts';
import type { ObservationGeometry, Point, Rect, Space } from '../contract/element/geometry.ts';
import { quoted } from '../contract/json/quoted.ts';
import type { Done } from '../desktop/index.ts';
import type { ActionContext, ObservationBook } from './definition.ts';

/** What is needed to locate a point. */
export type PointContext = Pick<ActionContext, 'observations' | 'binding' | 'call'> & {
  readonly desktop: Pick<ActionContext['desktop'], 'window' | 'element'>;
};

const NEW_PIXELS =
  'Take a new screenshot or snapshot, and use its pixels. A minimised window takes no points: manage-window restore shows it again.';

/** Where the bound window was in an observation; undefined if it does not show it. */
const windowIn = (geometry: ObservationGeometry): Rect | undefined =>
  geometry.displayId === undefined
    ? { x: geometry.originX, y: geometry.originY, width: geometry.displayWidth, height: geometry.displayHeight }
    : geometry.boundWindow;

/**
 * A point of an observation belongs to the window that it shows, not to the screen: where the window moved since, the point
 * moved with it. In a window of another size the same place may be something else.
 * Errors: state_conflict if the window changed its size.
 */
async function whereWindowIsNow(context: PointContext, geometry: ObservationGeometry, point: Point): Promise<Point> {
  const { binding } = context;
  const seen = windowIn(geometry);
  if (binding === null || seen === undefined || !rectContains(seen, point)) return point;
  const now = await context.desktop.element.geometry(binding, context.call);
  if (now.displayWidth !== seen.width || now.displayHeight !== seen.height) {
    throw new UiaHostError(
      'state_conflict',
      `${quoted(binding.title)} had ${seen.width}×${seen.height} pixels when it was observed, and has ${now.displayWidth}×${now.displayHeight} now: the point may show something else. Nothing was sent.`,
      { hint: NEW_PIXELS },
    );
  }
  return { x: point.x + now.originX - seen.x, y: point.y + now.originY - seen.y };
}

/**
 * A caller's point → physical screen pixels.
 * Errors: invalid_argument for points that are not finite or outside the image they name; state_conflict if nothing was
 * observed, or the window changed its size since.
 */
export async function toScreenPoint(
  context: PointContext,
  point: Point,
  space: Space,
  observationId: string | undefined,
): Promise<Point> {
  assertFinitePoint(point, 'point');
  if (space === 'screen') return { x: point.x, y: point.y };
  if (space === 'image') {
    const geometry = context.observations.get(observationId);
    if (point.x < 0 || point.y < 0 || point.x >= geometry.imageWidth || point.y >= geometry.imageHeight) {
      throw badInput(
        `The point ${point.x},${point.y} is outside the image of ${geometry.imageWidth}×${geometry.imageHeight}; nothing was sent.`,
        { hint: NEW_PIXELS },
      );
    }
    return whereWindowIsNow(context, geometry, imageToScreen(geometry, point));
  }
  if (context.binding === null)
    throw new UiaHostError('not_bound', 'Client coordinates belong to a bound window, and none is bound.');
  return context.desktop.window.clientToScreen(context.binding, point, context.call);
}

/** A caller's point → client pixels of the bound window. */
export async function toClientPoint(
  context: PointContext,
  point: Point,
  space: Space,
  observationId: string | undefined,
): Promise<Point> {
  const screen = await toScreenPoint(context, point, space, observationId);
  if (context.binding === null)
    throw new UiaHostError('not_bound', 'Client coordinates belong to a bound window, and none is bound.');
  return context.desktop.window.screenToClient(context.binding, screen, context.call);
}

/** A caller's region as a capture takes it: relative to its own origin, or to the desktop's. */
export interface CaptureRegion {
  readonly rect: Rect;
  readonly origin: 'capture' | 'screen';
}

/**
 * A caller's region → unscaled pixels.
 * @param shown the display that will be captured, or the bound window
 * Errors: invalid_argument for a region outside the image it names; state_conflict if nothing was observed.
 */
export async function toCaptureRegion(
  context: PointContext,
  { x, y, w, h }: { readonly x: number; readonly y: number; readonly w: number; readonly h: number },
  space: Space | 'capture',
  observationId: string | undefined,
  shown: number | 'window' | undefined,
): Promise<CaptureRegion> {
  assertFinitePoint({ x, y }, 'regionLogical');
  if (space === 'capture') return { rect: { x, y, width: w, height: h }, origin: 'capture' };
  if (space !== 'image')
    return {
      rect: { ...(await toScreenPoint(context, { x, y }, space, undefined)), width: w, height: h },
      origin: 'screen',
    };
  const geometry = context.observations.get(observationId);
  if (x >= geometry.imageWidth || y >= geometry.imageHeight || x + w <= 0 || y + h <= 0) {
    throw badInput(
      `The region ${x},${y} ${w}×${h} is outside the image of ${geometry.imageWidth}×${geometry.imageHeight}.`,
    );
  }
  const [across, down] = [geometry.displayWidth / geometry.imageWidth, geometry.displayHeight / geometry.imageHeight];
  const rect = { x: x * across, y: y * down, width: w * across, height: h * down };
  // For the same window the region stays where the picture had it, even if the window was moved meanwhile.
  return shown === (geometry.displayId ?? 'window')
    ? { rect, origin: 'capture' }
    : { rect: { ...rect, x: rect.x + geometry.originX, y: rect.y + geometry.originY }, origin: 'screen' };
}

/** An element whose rectangle is in the image of an observation. */
export interface ElementInImage<E extends ElementInfo = ElementInfo> {
  readonly element: E;
  readonly observationId: string;
}

/**
 * An element as an answer shows it: in the latest observation's image or, if nothing was observed yet, in the image the
 * window would have now.
 */
export async function inImage<E extends ElementInfo>(
  context: Pick<ActionContext, 'desktop' | 'call'> & { readonly observations: ObservationBook },
  record: NonNullable<ActionContext['binding']>,
  element: E,
): Promise<ElementInImage<E>> {
  let latest = context.observations.latest();
  if (latest === null) {
    latest = {
      observationId: context.observations.newId(),
      geometry: await context.desktop.element.geometry(record, context.call),
    };
    context.observations.add(latest.observationId, latest.geometry);
  }
  return {
    element: { ...element, rect: screenRectToImage(latest.geometry, element.rect) },
    observationId: latest.observationId,
  };
}

/**
 * Adds to the outcome what the gate saw at the point just before, so that the caller can check that it was the intended
 * element.
 */
export function namingTarget<V>(context: Pick<ActionContext, 'element'>, { value, outcome }: Done<V>): Done<V> {
  const element = context.element?.element;
  if (element === null || element === undefined) return { value, outcome };
  const { ref, controlType: role, name } = element;
  return { value, outcome: { ...outcome, details: { target: { ref, role, name }, ...outcome.details } } };
}
