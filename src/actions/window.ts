/** Actions on windows: list them, read and change their rectangle and state, bring one to the front, and show the strip on it. */
import { z } from 'zod';
import { Rect } from '../contract/element/geometry.ts';
import { type ActionTraits, LOOKING, LOOKING_AT_PERMITTED, TOUCHING_NONE } from '../contract/gate/traits.ts';
import { WINDOW_ACTIONS, type WindowAction } from '../desktop/index.ts';
import { boundWindow, defineMethod, saw } from './definition.ts';
import * as field from './fields.ts';
import { namingTarget, toClientPoint } from './points.ts';

export const listVisibleWindows = defineMethod('listVisibleWindows', {
  topic: 'window',
  meaning: 'List the open (visible) windows, topmost first. Titles come from other programs.',
  cap: 'core',
  effect: 'observe',
  needs: 'level observe',
  output: () =>
    z.array(
      z.strictObject({
        hwnd: z.string(),
        pid: z.int(),
        title: z.string(),
        app: z.string().describe('Application identity (bundleId).'),
        className: z.string(),
        minimized: z.boolean(),
        toolWindow: z.boolean(),
        elevated: z.boolean(),
        hung: z.literal(true).optional().describe('It does not respond.'),
      }),
    ),
  // Its titles are other programs' words.
  traits: () => ({ ...LOOKING_AT_PERMITTED, reads: true }),
  async run(context) {
    const rows = await context.desktop.window.listVisible(context.call);
    const value = rows
      .filter((row) => !context.isOutside(row.app))
      .map((row) => ({
        hwnd: row.hwnd,
        pid: row.pid,
        title: context.isDenied(row.app) ? '' : row.title,
        app: row.app.bundleId,
        className: row.className,
        minimized: row.minimized,
        toolWindow: row.toolWindow,
        elevated: row.elevated,
        ...(row.hung === undefined ? {} : { hung: row.hung }),
      }));
    return saw(value);
  },
});

export const getWindowRect = defineMethod('getWindowRect', {
  topic: 'window',
  meaning: 'Outer rectangle of the bound window in screen pixels.',
  cap: 'pointer',
  effect: 'observe',
  needs: 'level observe',
  output: () => Rect.nullable(),
  traits: (): ActionTraits => ({ ...LOOKING, binding: 'required', target: { kind: 'window' }, reads: false }),
  run: async (context) => saw(await context.desktop.window.rect(boundWindow(context), context.call)),
});

export const manageWindow = defineMethod('manageWindow', {
  topic: 'window',
  meaning: 'Minimize, maximize, restore, close, focus, move or resize the bound window (close a program).',
  cap: 'core',
  effect: 'manage',
  needs: 'level control, tier full',
  input: () => ({
    action: z.enum(WINDOW_ACTIONS).describe('move_resize needs x and y, or width and height.'),
    x: z.int().min(-100_000).max(100_000).optional().describe('Left edge, screen pixels.'),
    y: z.int().min(-100_000).max(100_000).optional().describe('Top edge, screen pixels.'),
    width: z.int().min(1).max(100_000).optional().describe('Outer width in pixels.'),
    height: z.int().min(1).max(100_000).optional().describe('Outer height in pixels.'),
  }),
  sample: { action: 'minimize' },
  rules: [
    {
      holds: ({ action, x, y, width, height }) =>
        action !== 'move_resize' ||
        (x === undefined ? y === undefined && width !== undefined && height !== undefined : y !== undefined),
      message: '`move_resize` needs x and y, or width and height.',
    },
    {
      holds: (input) =>
        input.action === 'move_resize' ||
        (input.x === undefined && input.y === undefined && input.width === undefined && input.height === undefined),
      message: 'Only move_resize takes x, y, width and height.',
    },
  ],
  output: () => z.boolean(),
  traits: (input): ActionTraits => ({
    ...LOOKING,
    effect: input.action === 'get_rect' ? 'observe' : 'manage',
    reads: false,
    variant: input.action,
    binding: 'required',
    target: { kind: 'window' },
    tier: input.action === 'get_rect' ? 'read' : 'full',
    changesSomething: input.action !== 'get_rect',
    place: input.action === 'move_resize' ? { x: input.x, y: input.y, width: input.width, height: input.height } : null,
  }),
  run: async (context, input) =>
    context.desktop.window.manage(boundWindow(context), input.action as WindowAction, input, context.call),
});

export const activateWindow = defineMethod('activateWindow', {
  topic: 'window',
  meaning: 'Bring the bound window to the foreground; clicks only when both clickX and clickY are given.',
  cap: 'pointer',
  effect: 'manage',
  needs: 'level control, tier full',
  isIdempotent: true,
  input: () => ({
    clickX: field.x.optional().describe('Where to click after activating.'),
    clickY: field.y.optional(),
    space: field.space,
    observationId: field.observationId.optional(),
  }),
  rules: [
    {
      holds: (input) => (input.clickX === undefined) === (input.clickY === undefined),
      message: 'Give both clickX and clickY, or neither.',
    },
  ],
  output: () => z.boolean(),
  traits: (input): ActionTraits => ({
    ...LOOKING,
    // With a click it is input like any other.
    effect: input.clickX === undefined ? 'manage' : 'input',
    variant: input.clickX === undefined ? 'focus' : null,
    binding: 'required',
    target:
      input.clickX === undefined || input.clickY === undefined
        ? { kind: 'window' }
        : {
            kind: 'point',
            at: { x: input.clickX, y: input.clickY },
            space: input.space,
            observationId: input.observationId,
          },
    tier: 'full',
    isForeground: true,
    isCoordinate: input.clickX !== undefined,
    changesSomething: true,
  }),
  async run(context, input) {
    const record = boundWindow(context);
    if (input.clickX === undefined || input.clickY === undefined)
      return context.desktop.window.activate(record, null, context.call);
    const point = await toClientPoint(context, { x: input.clickX, y: input.clickY }, input.space, input.observationId);
    return namingTarget(context, await context.desktop.window.activate(record, point, context.call));
  },
});

export const statusIndicator = defineMethod('statusIndicator', {
  topic: 'indicator',
  meaning: 'Show, hide or query the click-through status strip on the bound window.',
  cap: 'apps',
  effect: 'observe',
  needs: 'level observe',
  input: () => ({
    action: z.enum(['show', 'hide', 'status']).describe('What to do.'),
    message: z
      .string()
      .max(1000)
      .optional()
      .describe('Text to show; control characters are removed, at most 120 characters.'),
  }),
  sample: { action: 'show' },
  rules: [
    { holds: (input) => input.message === undefined || input.action === 'show', message: 'Only show takes message.' },
  ],
  output: () => z.strictObject({ active: z.boolean(), message: z.string().optional() }),
  // The answers of hide and status are also true for a window that is gone.
  traits: (input): ActionTraits =>
    input.action === 'show' ? { ...LOOKING, binding: 'required', reads: false } : TOUCHING_NONE,
  run: async (context, input) =>
    saw(await context.desktop.indicator.set(context.binding, input.action, input.message, context.call)),
});
