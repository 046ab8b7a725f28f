/** The safety document's five computer tools: their arguments and descriptions. */
import { z } from 'zod';

const Coordinate = z.number();

/** Arguments of the safety document's computer tools, strict. Points are pixels of the latest picture. */
export const COMPUTER_INPUTS = {
  screenshot: z.strictObject({
    displayId: z.int().optional().describe('Capture this display instead of the bound window.'),
  }),
  pointer_move: z.strictObject({ x: Coordinate, y: Coordinate }),
  click: z.strictObject({
    x: Coordinate,
    y: Coordinate,
    button: z.enum(['left', 'right', 'middle']).optional(),
    clickCount: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional(),
  }),
  keypress: z.strictObject({
    key: z.string().min(1).max(40),
    modifiers: z.array(z.string().min(1).max(20)).max(6).optional(),
    repeat: z.int().min(1).max(100).optional(),
  }),
  type: z.strictObject({ text: z.string().max(100_000) }),
} as const;

/** What each of them does, as models read it. */
export const COMPUTER_DESCRIPTIONS: Readonly<Record<keyof typeof COMPUTER_INPUTS, string>> = {
  screenshot: 'Picture of the bound window, or of a display.',
  pointer_move: 'Move the pointer to a point of the latest picture.',
  click: 'Click at a point of the latest picture.',
  keypress: 'Press a key, with modifiers held.',
  type: 'Type text.',
};
