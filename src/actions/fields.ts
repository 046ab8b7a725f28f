/** Input fields that several actions share, so that each has one schema and one description; the kinds of clicks. */
import { z } from 'zod';
import { HwndText, idText } from '../contract/element/binding.ts';
import { DEFAULT_SPACE, Space } from '../contract/element/geometry.ts';
import { ELEMENT_PATH, MAX_PATH } from '../contract/element/element-path.ts';
import { keys, plain } from '../contract/gate/input-content.ts';

const TIMES = { 1: '', 2: 'double_', 3: 'triple_' } as const;

interface Click {
  readonly button?: 'left' | 'right' | 'middle' | undefined;
  readonly count?: 1 | 2 | 3 | undefined;
}

/** `click`, `double_click`, `right_click`, `triple_middle_click`. */
export const clickVariant = ({ button = 'left', count = 1 }: Click): string =>
  `${TIMES[count]}${button === 'left' ? '' : `${button}_`}click`;

export const isPlainClick = (click: Click): boolean => clickVariant(click) === 'click';

/** Shared input fields, each with one description. */
export const hwnd = plain(HwndText.describe('Window handle, decimal or 0x…'));
export const name = plain(
  z
    .string()
    .min(1)
    .max(1000)
    .describe('Accessible name or adjacent label; accelerator marks and a trailing … or : are ignored.'),
);
export const role = plain(
  z.string().min(1).max(100).describe('UIA control type (Button, Edit, …) or button, link, textbox, status.'),
);
export const automationId = plain(idText(z.string().min(1).max(1000)).describe('Exact AutomationId.'));
export const ref = plain(
  z
    .string()
    .regex(/^e[1-9][0-9]{0,9}$/, 'a ref looks like e12')
    .describe('Ref from a snapshot line, such as e12.'),
);
export const path = plain(
  z
    .string()
    .max(MAX_PATH)
    .regex(ELEMENT_PATH, 'a path looks like Group Address > Edit[2]')
    .describe('Instead, from describe-element: leads to an element without a name or id (`Group Address > Edit[2]`).'),
);
export const delivery = z
  .enum(['background', 'foreground'])
  .describe('Default background; foreground uses real input and takes the focus.');
export const button = z.enum(['left', 'right', 'middle']).describe('Default left.');
export const count = z.union([z.literal(1), z.literal(2), z.literal(3)]).describe('Clicks; default 1.');
/** Wheel notches. */
export const notches = z.number().min(-100).max(100);
const SPACES =
  'image: pixels of a screenshot or snapshot, like its rectangles (take one first); client: pixels of the bound window’s client area; screen: physical pixels of the desktop';
export const space = Space.default(DEFAULT_SPACE).describe(`Space of the coordinates. ${SPACES}.`);
export const zoomSpace = z
  .enum([...Space.options, 'capture'])
  .default(DEFAULT_SPACE)
  .describe(`Space of the region. ${SPACES}; capture: unscaled pixels from the origin of the capture.`);
export const observationId = plain(
  z
    .string()
    .regex(/^obs_[A-Za-z0-9_-]{1,40}$/)
    .describe('With space image: the observation it belongs to; default the latest.'),
);
export const x = z.number().describe('Pixels from the left of the space.');
export const y = z.number().describe('Pixels from the top of the space.');
export const displayId = z.int().describe('From list-displays; default the primary one.');
export const allowedBundleIds = plain(
  z
    .array(z.string().min(1).max(1024))
    .max(200)
    .describe('Limits the call to these applications (`*`: all); never widens it.'),
);
export const format = z.enum(['png', 'jpeg', 'webp']).describe('Default png.');
export const modifiers = keys(
  z.array(z.string().min(1).max(20)).max(6).describe('Modifier keys to hold: ctrl, shift, alt, win.'),
);
export const keySequence = keys(
  z.string().min(1).max(1000).describe('Keys joined with +, chords separated by spaces: `ctrl+a delete`.'),
);
export const repeat = z.int().min(1).max(100).describe('Times, 1 to 100; default 1.');
export const text = z.string().max(100_000);

export const elementQuery = {
  name: name.optional(),
  role: role.optional(),
  automationId: automationId.optional(),
  path: path.optional(),
  ref: ref.optional(),
};

/** The fields of a query, as parsed. */
export type Query = { readonly [Field in keyof typeof elementQuery]?: string | undefined };

/** The error text for a wheel that is not turned. */
export const NO_TURN = 'The wheel is turned by 0 notches, which does nothing.';

/** The error text for a query that names nothing. */
export const QUERY_MESSAGE = 'Give a name, role, automationId, path or ref.';
export const queryGiven = ({ name, role, automationId, path, ref }: Query): boolean =>
  [name, role, automationId, path, ref].some((given) => given !== undefined);
