/** Actions that bind a window to the session, release it, and report which one is bound. */
import { z } from 'zod';
import { UiaHostError } from '../contract/errors.ts';
import { Rect } from '../contract/element/geometry.ts';
import { LOOKING_AT_PERMITTED, TOUCHING_NONE } from '../contract/gate/traits.ts';
import { plain } from '../contract/gate/input-content.ts';
import { looked } from '../contract/outcome.ts';
import { defineMethod, saw } from './definition.ts';
import * as field from './fields.ts';

const Bound = z.strictObject({
  hwnd: z.string(),
  title: z.string(),
  pid: z.int(),
  window: z.string().describe('Id of this binding, which every action takes.'),
  note: z.string().optional(),
});

const asking = { topic: 'binding', effect: 'observe', needs: 'level observe' } as const;

export const bindToWindow = defineMethod('bindToWindow', {
  ...asking,
  meaning:
    'Bind to (choose, switch to) one window by handle, title or process id (all must match), without raising it.',
  cap: 'core',
  input: () => ({
    hwnd: field.hwnd.optional(),
    title: plain(
      z.string().min(1).max(1000).describe('Exact match first, then ignoring case, then as a part.'),
    ).optional(),
    pid: z.int().min(1).max(0xffff_ffff).optional().describe('Process id.'),
  }),
  sample: { title: 'Notepad' },
  rules: [
    {
      holds: (input) => input.hwnd !== undefined || input.title !== undefined || input.pid !== undefined,
      message: 'Give at least one of hwnd, title and pid.',
    },
  ],
  output: () => Bound,
  traits: () => LOOKING_AT_PERMITTED,
  async run(context, input) {
    const record = await context.desktop.binding.find(
      { hwnd: input.hwnd, title: input.title, pid: input.pid, deny: context.policy.deny, only: context.limits },
      context.call,
    );
    if (context.isDenied(record.app)) {
      throw new UiaHostError(
        'blocked_by_policy',
        'The application of this window is on the deny list; nothing was bound.',
        { hint: 'Bind a window of another application.' },
      );
    }
    if (context.isOutside(record.app)) {
      throw new UiaHostError('app_not_granted', 'This token is limited to other applications; nothing was bound.', {
        hint: 'Bind a window of an application that the token allows, or use another token.',
      });
    }
    const { window, mustName } = (await context.bind(record))!;
    const note = `Several windows are bound in this session: every action must name its own, window: "${window}".`;
    const { hwnd, title, pid } = record;
    return saw({ hwnd, title, pid, window, ...(mustName ? { note } : {}) });
  },
});

export const unbindFromWindow = defineMethod('unbindFromWindow', {
  ...asking,
  meaning: 'Release the bound window: held keys and buttons are released, and a window moved off-screen is moved back.',
  cap: 'core',
  notDestructive: 'it only gives up what this session holds',
  output: () => z.null(),
  traits: () => TOUCHING_NONE,
  async run(context) {
    await context.bind(null);
    return saw(null);
  },
});

export const hasBoundWindow = defineMethod('hasBoundWindow', {
  ...asking,
  meaning: 'Whether a window is bound and still exists.',
  cap: 'pointer',
  output: () => z.boolean(),
  traits: () => TOUCHING_NONE,
  async run(context) {
    const value = context.binding !== null && (await context.desktop.binding.isAlive(context.binding, context.call));
    return saw(value);
  },
});

export const getBindingStatus = defineMethod('getBindingStatus', {
  ...asking,
  meaning: 'The bound window, with its current title and rectangle (screen pixels).',
  cap: 'core',
  output: () =>
    z.strictObject({
      bound: z.boolean(),
      hwnd: z.string().optional(),
      title: z.string().optional(),
      pid: z.int().optional(),
      rect: Rect.optional(),
    }),
  traits: () => TOUCHING_NONE,
  async run(context) {
    const record = context.binding;
    const now = record === null ? null : await context.desktop.binding.describe(record, context.call);
    const value =
      record === null || now === null
        ? { bound: false }
        : {
            bound: true,
            hwnd: record.hwnd,
            title: context.isDenied(record.app) ? '' : now.title,
            pid: record.pid,
            rect: now.rect,
          };
    return { value, outcome: { ...looked(), ...(now?.isHidden && { details: { hidden: true } }) } };
  },
});
