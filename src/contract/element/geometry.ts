/** Schemas of points, rectangles and displays, with the coordinate spaces they are in. */
import { z } from 'zod';

/** Integer pixel rectangle. Each use states its coordinate space. */
export const Rect = z.strictObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
export type Rect = z.infer<typeof Rect>;
export const Point = z.strictObject({ x: z.number(), y: z.number() });
export type Point = z.infer<typeof Point>;
/** Where a window is moved to, and its size, screen pixels; what is absent stays unchanged. */
export type WindowPlace = { readonly [K in keyof Rect]?: number | undefined };

/**
 * `image`: pixels of a named observation. `client`: client area of the bound window.
 * `screen`: physical pixels of the virtual desktop, whose origin may be negative.
 */
export const Space = z.enum(['image', 'client', 'screen']);
export type Space = z.infer<typeof Space>;
/** The default space of a point, on every action: as snapshots and pictures use. */
export const DEFAULT_SPACE = 'image' satisfies Space;

/** One monitor, physical pixels (seed: DisplayGeometry). */
export const DisplayGeometry = z.strictObject({
  displayId: z.int(),
  width: z.int(),
  height: z.int(),
  scaleFactor: z.number(),
  originX: z.int(),
  originY: z.int(),
  label: z.string().optional(),
  isPrimary: z.boolean().optional(),
});
export type DisplayGeometry = z.infer<typeof DisplayGeometry>;

/** What a picture or snapshot shows: unscaled size and screen origin, and the size of the image that was sent. */
export const ObservationGeometry = z.strictObject({
  imageWidth: z.int(),
  imageHeight: z.int(),
  /** Unscaled width and height in physical pixels. */
  displayWidth: z.int(),
  displayHeight: z.int(),
  /** Screen position of the image's top left corner. */
  originX: z.int(),
  originY: z.int(),
  /** The display that it shows; absent for the picture or snapshot of a window. */
  displayId: z.int().optional(),
  /** In a picture of a display: where the bound window was, screen pixels. */
  boundWindow: Rect.optional(),
});
export type ObservationGeometry = z.infer<typeof ObservationGeometry>;
