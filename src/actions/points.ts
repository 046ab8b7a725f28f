import { UiaHostError } from '../contract/errors.ts';
import { assertFinitePoint, imageToScreen } from '../contract/coordinates.ts';
import type { Point, Space } from '../contract/geometry.ts';
import type { ActionContext } from './definition.ts';

/**
 * A caller's point → physical screen pixels.
 * Errors: invalid_argument for points that are not finite or outside the image they name; state_conflict where nothing was observed.
 */
export async function toScreenPoint(context: ActionContext, point: Point, space: Space, observationId: string | undefined): Promise<Point> {
  assertFinitePoint(point, 'point');
  if (space === 'screen') return { x: point.x, y: point.y };
  if (space === 'image') {
    const geometry = context.observations.get(observationId);
    if (point.x < 0 || point.y < 0 || point.x >= geometry.imageWidth || point.y >= geometry.imageHeight) {
      throw new UiaHostError('invalid_argument', `The point ${point.x},${point.y} is outside the image of ${geometry.imageWidth}×${geometry.imageHeight}.`);
    }
    return imageToScreen(geometry, point);
  }
  if (context.binding === null) throw new UiaHostError('not_bound', 'Client coordinates belong to a bound window, and none is bound.');
  return context.desktop.window.clientToScreen(context.binding, point, context.call);
}

/** A caller's point → client pixels of the bound window. */
export async function toClientPoint(context: ActionContext, point: Point, space: Space, observationId: string | undefined): Promise<Point> {
  const screen = await toScreenPoint(context, point, space, observationId);
  if (context.binding === null) throw new UiaHostError('not_bound', 'Client coordinates belong to a bound window, and none is bound.');
  return context.desktop.window.screenToClient(context.binding, screen, context.call);
}
