/** Actions that report the displays and which of them a window covers. */
import { z } from 'zod';
import { DisplayGeometry } from '../contract/element/geometry.ts';
import { LOOKING_AT_PERMITTED, TOUCHING_NONE } from '../contract/gate/traits.ts';
import { UiaHostError } from '../contract/errors.ts';
import { plain } from '../contract/gate/input-content.ts';
import { unknownDisplay } from './capture.ts';
import { identified } from './app.ts';
import { defineMethod, saw } from './definition.ts';
import * as field from './fields.ts';

const asking = { topic: 'display', cap: 'display', effect: 'observe', needs: 'level observe' } as const;

export const getDisplaySize = defineMethod('getDisplaySize', {
  ...asking,
  meaning: 'Geometry of one display in physical pixels; the primary one by default.',
  input: () => ({ displayId: field.displayId.optional() }),
  sample: {},
  output: () => DisplayGeometry,
  traits: () => TOUCHING_NONE,
  async run(context, input) {
    const displays = await context.desktop.display.list(context.call);
    const display = displays.find((each) =>
      input.displayId === undefined ? each.isPrimary === true : each.displayId === input.displayId,
    );
    if (display === undefined) {
      throw input.displayId === undefined
        ? new UiaHostError('desktop_unavailable', 'There is no display.')
        : unknownDisplay(input.displayId, displays);
    }
    return saw(display);
  },
});

export const listDisplays = defineMethod('listDisplays', {
  ...asking,
  meaning: 'Every display: physical pixels, scale, origin, label; exactly one is primary.',
  input: () => ({}),
  sample: {},
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
