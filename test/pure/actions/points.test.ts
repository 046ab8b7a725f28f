/** Points of a picture belong to the window in it, wherever that is when they are used. */
import { describe, expect, it } from 'vitest';
import { toScreenPoint, type PointContext } from '../../../src/actions/points.ts';
import type { BindingRecord } from '../../../src/contract/element/binding.ts';
import type { ObservationGeometry, Point, Rect } from '../../../src/contract/element/geometry.ts';
import { Observations } from '../../../src/host/running/owners.ts';

const PICTURE: ObservationGeometry = {
  imageWidth: 320,
  imageHeight: 240,
  displayWidth: 640,
  displayHeight: 480,
  originX: 200,
  originY: 100,
};
const BOUND = { hwnd: '1', title: 'Orders' } as BindingRecord;

/** `now`: where the bound window is when the point is used. */
function context(seen: ObservationGeometry, now: Rect, binding: BindingRecord | null = BOUND): PointContext {
  const observations = new Observations();
  observations.add('obs_1', seen);
  const geometry: ObservationGeometry = {
    imageWidth: now.width,
    imageHeight: now.height,
    displayWidth: now.width,
    displayHeight: now.height,
    originX: now.x,
    originY: now.y,
  };
  return {
    observations,
    binding,
    call: {} as PointContext['call'],
    desktop: { element: { geometry: async () => geometry } } as unknown as PointContext['desktop'],
  };
}

const at = (world: PointContext): Promise<Point> => toScreenPoint(world, { x: 10, y: 20 }, 'image', undefined);

describe('[point.window] a point of an observation', () => {
  it('stays where it was while the window does', async () => {
    expect(await at(context(PICTURE, { x: 200, y: 100, width: 640, height: 480 }))).toEqual({ x: 221, y: 141 });
  });

  it('moves with the window', async () => {
    expect(await at(context(PICTURE, { x: 80, y: 130, width: 640, height: 480 }))).toEqual({ x: 101, y: 171 });
  });

  it('is refused after the window changed its size', async () => {
    await expect(at(context(PICTURE, { x: 200, y: 100, width: 700, height: 480 }))).rejects.toMatchObject({
      code: 'state_conflict',
      delivery: 'not_delivered',
      hint: expect.stringContaining('manage-window restore') as string,
    });
  });

  it('is refused outside the picture, as that of a minimised window is small', async () => {
    const small = { ...PICTURE, imageWidth: 160, imageHeight: 31 };
    const world = context(small, { x: 200, y: 100, width: 640, height: 480 });
    await expect(toScreenPoint(world, { x: 300, y: 200 }, 'image', undefined)).rejects.toMatchObject({
      code: 'invalid_argument',
      hint: expect.stringContaining('minimised') as string,
    });
  });

  const display: ObservationGeometry = { ...PICTURE, displayId: 1, imageWidth: 640, imageHeight: 480 };
  const window = { x: 205, y: 110, width: 100, height: 50 };
  const moved = { ...window, x: 305 };

  it('moves with the bound window in a picture of a display, if it is inside it', async () => {
    expect(await at(context({ ...display, boundWindow: window }, moved))).toEqual({ x: 310, y: 120 });
    expect(await at(context({ ...display, boundWindow: { ...window, x: 400 } }, moved))).toEqual({ x: 210, y: 120 });
  });

  it('stays on the screen where no bound window was shown', async () => {
    expect(await at(context(display, moved))).toEqual({ x: 210, y: 120 });
    expect(await at(context(PICTURE, moved, null))).toEqual({ x: 221, y: 141 });
  });
});
