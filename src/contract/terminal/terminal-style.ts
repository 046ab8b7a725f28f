/** Parts of a terminal's screen that are drawn in another colour or style than the rest. */
import { z } from 'zod';

export const StyledText = z.strictObject({
  /** Line of the screen, from 0. */
  row: z.int(),
  text: z.string(),
  /** In words: `green`, `dim`, `bold cyan`, `white on blue`. */
  style: z.string(),
});
export type StyledText = z.infer<typeof StyledText>;
