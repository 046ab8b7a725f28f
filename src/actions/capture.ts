/** Actions that take pictures: of the bound window, of a display, zoomed into a region, and the checks before a capture. */
import { z } from 'zod';
import { badInput, UiaHostError } from '../contract/errors.ts';
import { looked } from '../contract/outcome.ts';
import { rectCentre, intersectRects } from '../contract/element/coordinates.ts';
import { DisplayGeometry, type Rect } from '../contract/element/geometry.ts';
import { narrowing } from '../contract/gate/app-match.ts';
import { LOOKING, TOUCHING_NONE, type ActionTraits, LOOKING_AT_PERMITTED } from '../contract/gate/traits.ts';
import type { Picture } from '../desktop/index.ts';
import { defineMethod, type ActionContext, saw } from './definition.ts';
import * as field from './fields.ts';
import { captureOptions, observe, pictured, pictureTraits } from './picture.ts';
import { toCaptureRegion } from './points.ts';
import { plain } from '../contract/gate/input-content.ts';
import { identified } from './app.ts';

const ImageFields = {
  base64: z.string(),
  width: z.int(),
  height: z.int(),
  displayWidth: z.int(),
  displayHeight: z.int(),
  originX: z.int(),
  originY: z.int(),
  displayId: z.int().optional(),
  accessibilityText: z.string().optional(),
};

/** A view of the bytes, not a copy: pictures are large. */
const base64Of = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/** A picture's bytes, its size, and where in the display it is. */
const imageOf = ({ bytes, geometry }: Picture) => ({
  base64: base64Of(bytes),
  width: geometry.imageWidth,
  height: geometry.imageHeight,
  displayWidth: geometry.displayWidth,
  displayHeight: geometry.displayHeight,
  originX: geometry.originX,
  originY: geometry.originY,
});

const picturing = {
  topic: 'capture',
  effect: 'observe',
  needs: 'level observe; a whole display needs the flag displayCapture',
} as const;

const checking = { topic: 'capture', cap: 'display', effect: 'observe', needs: 'level observe' } as const;

export const screenshot = defineMethod('screenshot', {
  ...picturing,
  meaning: 'Picture of the bound window, even when covered, or of a display.',
  cap: 'core',
  input: () => ({
    displayId: field.displayId.optional(),
    format: field.format.optional(),
    text: z.boolean().optional().describe('With the elements as text.'),
    allowedBundleIds: field.allowedBundleIds.optional(),
  }),
  output: () =>
    z.strictObject({
      ...ImageFields,
      mimeType: z.string(),
      observationId: z.string(),
      artifact: z.string().nullable(),
      method: z.string(),
    }),
  traits: (input, state) => pictureTraits(input.displayId !== undefined, state.isBound, input.allowedBundleIds),
  async run(context, input) {
    const { picture, observationId, accessibilityText, artifact } = await observe(context, {
      displayId: input.displayId,
      format: input.format ?? 'png',
      isDisplay: input.displayId !== undefined,
      withText: input.text ?? true,
      allowed: input.allowedBundleIds,
      sourceTool: 'screenshot',
    });
    const value = {
      ...imageOf(picture),
      ...(picture.displayId === undefined ? {} : { displayId: picture.displayId }),
      ...(accessibilityText === undefined ? {} : { accessibilityText }),
      mimeType: picture.mimeType,
      observationId,
      artifact,
      method: picture.method,
    };
    return { value, outcome: pictured(picture) };
  },
});

export const zoom = defineMethod('zoom', {
  ...picturing,
  meaning: 'A region of the latest picture or snapshot at native resolution, from a fresh capture.',
  cap: 'display',
  input: () => ({
    regionLogical: z
      .strictObject({ x: z.number(), y: z.number(), w: z.number().positive(), h: z.number().positive() })
      .describe('The region, in the pixels of `space`.'),
    displayId: field.displayId.optional(),
    allowedBundleIds: field.allowedBundleIds.optional(),
    space: field.zoomSpace,
    observationId: field.observationId.optional(),
  }),
  sample: { regionLogical: { x: 0, y: 0, w: 9, h: 9 }, space: 'capture' },
  output: () => z.strictObject({ base64: z.string(), width: z.int(), height: z.int() }),
  traits: (input, state) => pictureTraits(input.displayId !== undefined, state.isBound, input.allowedBundleIds),
  async run(context, input) {
    // Without a binding, an image of a display says which display is meant.
    const ofImage =
      context.binding === null && input.space === 'image'
        ? context.observations.get(input.observationId).displayId
        : undefined;
    const displayId = input.displayId ?? ofImage;
    const target = displayId === undefined && context.binding !== null ? { record: context.binding } : { displayId };
    const { rect, origin } = await toCaptureRegion(
      context,
      input.regionLogical,
      input.space,
      input.observationId,
      'record' in target ? 'window' : displayId,
    );
    const picture = await context.desktop.capture.region(
      target,
      rect,
      {
        ...(await captureOptions(context, 'png', 'record' in target ? null : (input.allowedBundleIds ?? null))),
        origin,
      },
      context.call,
    );
    return {
      stored: context.host.keepPicture(picture, 'zoom'),
      value: {
        base64: base64Of(picture.bytes),
        width: picture.geometry.imageWidth,
        height: picture.geometry.imageHeight,
      },
      outcome: pictured(picture),
    };
  },
});

export const resolvePrepareCapture = defineMethod('resolvePrepareCapture', {
  ...picturing,
  meaning:
    'Choose a display (the preferred one, or the one with most of the bound or allowed windows) and capture it. Hides nothing.',
  cap: 'display',
  input: () => ({
    allowedBundleIds: field.allowedBundleIds.optional(),
    preferredDisplayId: field.displayId.optional(),
    autoResolve: z
      .boolean()
      .optional()
      .describe('Take the display with most of the bound or allowed windows; default true.'),
    doHide: z.boolean().optional().describe('Accepted; nothing is ever hidden.'),
  }),
  output: () =>
    z.strictObject({
      ...ImageFields,
      displayId: z.int(),
      hidden: z.array(z.string()),
      captureError: z.string().optional(),
      observationId: z.string().optional(),
      artifact: z.string().nullable().optional(),
    }),
  traits: (input, state) =>
    pictureTraits(input.preferredDisplayId !== undefined, state.isBound, input.allowedBundleIds),
  async run(context, input) {
    const displays = await context.desktop.display.list(context.call);
    const display = await chooseDisplay(context, displays, input);
    try {
      const useWindow = context.binding !== null && input.preferredDisplayId === undefined;
      const { picture, observationId, accessibilityText, artifact } = await observe(context, {
        displayId: useWindow ? undefined : display.displayId,
        format: 'png',
        isDisplay: !useWindow,
        withText: true,
        allowed: input.allowedBundleIds,
        sourceTool: 'resolvePrepareCapture',
      });
      return {
        value: {
          ...imageOf(picture),
          displayId: display.displayId,
          ...(accessibilityText === undefined ? {} : { accessibilityText }),
          hidden: [],
          observationId,
          artifact,
        },
        outcome: pictured(picture),
      };
    } catch (error) {
      if (!(error instanceof UiaHostError) || (error.code !== 'capture_failed' && error.code !== 'capture_blank'))
        throw error;
      return {
        value: {
          base64: '',
          width: display.width,
          height: display.height,
          displayWidth: display.width,
          displayHeight: display.height,
          originX: display.originX,
          originY: display.originY,
          displayId: display.displayId,
          hidden: [],
          captureError: `${error.code}: ${error.message}`,
        },
        outcome: looked(),
      };
    }
  },
});

async function chooseDisplay(
  context: ActionContext,
  displays: DisplayGeometry[],
  input: {
    preferredDisplayId?: number | undefined;
    autoResolve?: boolean | undefined;
    allowedBundleIds?: string[] | undefined;
  },
): Promise<DisplayGeometry> {
  const primary = displays.find((display) => display.isPrimary) ?? displays[0];
  if (primary === undefined) throw new UiaHostError('desktop_unavailable', 'There is no display.');
  if (input.preferredDisplayId !== undefined) return knownDisplay(input.preferredDisplayId, displays);
  if (input.autoResolve === false) return primary;
  if (context.binding !== null) {
    const rect = await context.desktop.window.rect(context.binding, context.call);
    if (rect !== null) return mostOf(rect, displays) ?? primary;
  }
  const allowed = input.allowedBundleIds ?? [];
  if (allowed.length === 0) return primary;
  const counts = await context.desktop.display.countWindows(allowed, context.call);
  const best = [...counts].sort((a, b) => b.windows - a.windows)[0];
  return displays.find((display) => display.displayId === best?.displayId) ?? primary;
}

function mostOf(rect: Rect, displays: DisplayGeometry[]): DisplayGeometry | undefined {
  const area = (display: DisplayGeometry): number => {
    const part = intersectRects(rect, {
      x: display.originX,
      y: display.originY,
      width: display.width,
      height: display.height,
    });
    return part === null ? 0 : part.width * part.height;
  };
  const best = [...displays].sort((a, b) => area(b) - area(a))[0];
  if (best !== undefined && area(best) > 0) return best;
  const centre = rectCentre(rect);
  const distance = (display: DisplayGeometry): number =>
    Math.hypot(
      centre.x - Math.max(display.originX, Math.min(centre.x, display.originX + display.width)),
      centre.y - Math.max(display.originY, Math.min(centre.y, display.originY + display.height)),
    );
  return [...displays].sort((a, b) => distance(a) - distance(b))[0];
}

/** Errors: invalid_argument for an unknown id. */
function knownDisplay(displayId: number, displays: DisplayGeometry[]): DisplayGeometry {
  const known = displays.find((display) => display.displayId === displayId);
  if (known !== undefined) return known;
  throw badInput(
    `There is no display ${displayId}; there are ${displays.map((display) => display.displayId).join(', ') || 'none'}.`,
  );
}

export const prepareForAction = defineMethod('prepareForAction', {
  ...checking,
  meaning: 'Check the desktop and any bound window before acting; hides nothing and returns an empty list.',
  input: () => ({ allowlistBundleIds: field.allowedBundleIds.optional(), displayId: field.displayId.optional() }),
  output: () => z.array(z.string()),
  // Without a binding no application is meant, not even the one in the foreground.
  traits: (input, state): ActionTraits =>
    state.isBound
      ? {
          ...LOOKING,
          binding: 'required',
          target: { kind: 'window' },
          allowedBundleIds: narrowing(input.allowlistBundleIds),
        }
      : TOUCHING_NONE,
  async run(context, input) {
    const displays = await context.desktop.display.list(context.call);
    if (displays.length === 0)
      throw new UiaHostError('desktop_unavailable', 'There is no display, so there is no desktop to act on.');
    if (input.displayId !== undefined) knownDisplay(input.displayId, displays);
    const facts = await context.desktop.system.facts(context.binding, context.call);
    if (facts.inputDesktop === null)
      throw new UiaHostError('desktop_unavailable', 'Another desktop has the input (secure desktop or lock screen).');
    return saw([]);
  },
});

export const previewHideSet = defineMethod('previewHideSet', {
  ...checking,
  meaning: 'What prepareForAction would hide: always nothing, since a person’s windows are never hidden.',
  input: () => ({ allowlistBundleIds: field.allowedBundleIds.optional(), displayId: field.displayId.optional() }),
  output: () => z.array(z.strictObject({ bundleId: z.string(), displayName: z.string() })),
  traits: (): ActionTraits => TOUCHING_NONE,
  async run(context, input) {
    if (input.displayId !== undefined) knownDisplay(input.displayId, await context.desktop.display.list(context.call));
    return saw([]);
  },
});

const asking = { topic: 'display', cap: 'display', effect: 'observe', needs: 'level observe' } as const;

export const getDisplaySize = defineMethod('getDisplaySize', {
  ...asking,
  meaning: 'Geometry of one display in physical pixels; the primary one by default.',
  input: () => ({ displayId: field.displayId.optional() }),
  output: () => DisplayGeometry,
  traits: () => TOUCHING_NONE,
  async run(context, input) {
    const displays = await context.desktop.display.list(context.call);
    if (input.displayId !== undefined) return saw(knownDisplay(input.displayId, displays));
    const primary = displays.find(({ isPrimary }) => isPrimary === true);
    if (primary === undefined) throw new UiaHostError('desktop_unavailable', 'There is no display.');
    return saw(primary);
  },
});

export const listDisplays = defineMethod('listDisplays', {
  ...asking,
  meaning: 'Every display: physical pixels, scale, origin, label; exactly one is primary.',
  output: () => z.array(DisplayGeometry),
  traits: () => TOUCHING_NONE,
  run: async (context) => saw(await context.desktop.display.list(context.call)),
});

export const findWindowDisplays = defineMethod('findWindowDisplays', {
  ...asking,
  meaning: 'The displays that each application’s top-level windows are on.',
  input: () => ({
    bundleIds: plain(z.array(z.string().min(1).max(1024)).max(200).describe('Application identities.')),
  }),
  sample: { bundleIds: ['notepad.exe'] },
  output: () => z.array(z.strictObject({ bundleId: z.string(), displayIds: z.array(z.int()) })),
  traits: () => LOOKING_AT_PERMITTED,
  run: async (context, input) =>
    saw(
      await context.desktop.display.ofApplications(
        input.bundleIds.filter((bundleId) => !context.isOutside(identified(bundleId))),
        context.call,
      ),
    ),
});
