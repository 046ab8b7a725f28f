/** What actions that take pictures share: who may see one, and taking it together with the text of the bound window. */
import { looked, type Outcome } from '../contract/outcome.ts';
import type { ObservationGeometry } from '../contract/element/geometry.ts';
import { narrowing } from '../contract/gate/app-match.ts';
import { LOOKING, type ActionTraits } from '../contract/gate/traits.ts';
import type { CaptureOptions, Picture } from '../desktop/index.ts';
import type { ActionContext } from './definition.ts';

/**
 * A picture of a window needs only the window's grant. One of a display shows other applications: without a list it needs a
 * flag, and with a list it is taken, and everything is painted over that the list or the grants leave out. Where no display
 * is named and no window is bound, a caller without a list most likely forgot to bind one.
 */
export function pictureTraits(
  wantsDisplay: boolean,
  isBound: boolean,
  allowed: readonly string[] | undefined,
): ActionTraits {
  const showsDisplay = wantsDisplay || !isBound;
  if (showsDisplay && allowed !== undefined) return { ...LOOKING, binding: 'optional', reaches: 'permitted' };
  return {
    ...LOOKING,
    binding: wantsDisplay ? 'optional' : 'preferred',
    target: showsDisplay ? { kind: 'none' } : { kind: 'window' },
    flags: showsDisplay ? ['displayCapture'] : [],
    allowedBundleIds: narrowing(allowed),
  };
}

/** How a picture is taken. `limit`: for a display, the applications that the caller lists; null without a list. */
export async function captureOptions(
  context: ActionContext,
  format: 'png' | 'jpeg' | 'webp',
  limit: readonly string[] | null,
): Promise<CaptureOptions> {
  const shown = limit === null ? null : await context.host.shownOnDisplay(limit, context.call);
  return { format, deny: context.policy.deny, ...(shown === null ? {} : { shown }) };
}

async function takePicture(context: ActionContext, { displayId, format, allowed }: Wanted): Promise<Picture> {
  if (displayId === undefined && context.binding !== null)
    return context.desktop.capture.window(context.binding, await captureOptions(context, format, null), context.call);
  const options = await captureOptions(context, format, allowed ?? null);
  return context.desktop.capture.display(displayId, options, context.call);
}

/** The geometry of a picture, and of a display which one it is and where the bound window is in it. */
async function observed(context: ActionContext, { geometry, displayId }: Picture): Promise<ObservationGeometry> {
  if (displayId === undefined) return geometry;
  if (context.binding === null) return { ...geometry, displayId };
  const bound = await context.desktop.element.geometry(context.binding, context.call).catch(() => null);
  if (bound === null) return { ...geometry, displayId };
  const { originX: x, originY: y, displayWidth: width, displayHeight: height } = bound;
  return { ...geometry, displayId, boundWindow: { x, y, width, height } };
}

/** What an action reports about its picture in addition to its value. */
export function pictured({ masksMayBeIncomplete, contentMayBeMissing, seenThrough, shown }: Picture): Outcome {
  const details = {
    ...(shown === undefined ? {} : { shownApps: shown }),
    ...(masksMayBeIncomplete === undefined ? {} : { masksMayBeIncomplete }),
    ...(contentMayBeMissing === undefined ? {} : { contentMayBeMissing }),
    ...(seenThrough === undefined ? {} : { seenThrough }),
  };
  return Object.keys(details).length === 0 ? looked() : { ...looked(), details };
}

/** A picture with its text: what is captured, and for whom. */
interface Wanted {
  /** Default: the bound window, or without one the primary display. */
  readonly displayId: number | undefined;
  readonly format: 'png' | 'jpeg' | 'webp';
  /** It shows a display, for which the gate checked no application. */
  readonly isDisplay: boolean;
  /** The text of the bound window is read too. */
  readonly withText: boolean;
  readonly allowed: readonly string[] | undefined;
  readonly sourceTool: string;
}

interface Observed {
  readonly picture: Picture;
  readonly observationId: string;
  readonly accessibilityText: string | undefined;
  readonly artifact: string | null;
}

/**
 * Takes a picture and reads the text of the bound window after it, in its image space. What does not depend on each
 * other runs at the same time: the pixels and the gate's answer about the text, then the text and storing the picture.
 */
export async function observe(context: ActionContext, wanted: Wanted): Promise<Observed> {
  const needsAnswer = wanted.withText && wanted.isDisplay && context.binding !== null;
  const [picture, refusal] = await Promise.all([
    takePicture(context, wanted),
    needsAnswer ? context.host.refusalToLook(narrowing(wanted.allowed)) : null,
  ]);
  const observationId = context.observations.newId();
  context.observations.add(observationId, await observed(context, picture));
  const [accessibilityText, artifact] = await Promise.all([
    !wanted.withText
      ? undefined
      : refusal === null
        ? describeBinding(context, observationId, picture)
        : leftOut(refusal),
    context.host.keepPicture(picture, wanted.sourceTool),
  ]);
  return { picture, observationId, accessibilityText, artifact };
}

/** In place of the text, where a snapshot would be refused. No line of a window's text begins like this. */
const leftOut = (refusal: string): string =>
  `(The text of the bound window is left out: a snapshot of it is refused as well, with ${refusal}.)`;

/** The text of the bound window in the image space of the picture just taken; undefined if no window is bound. */
async function describeBinding(
  context: ActionContext,
  observationId: string,
  picture: Picture,
): Promise<string | undefined> {
  const record = context.binding;
  if (record === null) return undefined;
  const data = await context.desktop.element.snapshot(
    record,
    {
      observationId,
      geometry: picture.geometry,
      maxTokens: 4000,
      maxElements: 1000,
      budgetMs: Math.max(50, Math.round(context.call.deadlineMs * 0.6)),
      remoteControlMemory: context.policy.remoteControlMemory,
    },
    context.call,
  );
  return data.accessibilityText;
}
