/** The action that shows or hides the strip on the bound window that says what the agent is doing. */
import { z } from 'zod';
import { looked } from '../contract/outcome.ts';
import { LOOKING, TOUCHING_NONE, type ActionTraits } from '../contract/gate/traits.ts';
import { defineMethod } from './definition.ts';

export const statusIndicator = defineMethod('statusIndicator', {
  topic: 'indicator',
  meaning: 'Show, hide or query the click-through status strip on the bound window.',
  cap: 'apps',
  effect: 'observe',
  needs: 'level observe',
  isIdempotent: true,
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
  async run(context, input) {
    return {
      value: await context.desktop.indicator.set(context.binding, input.action, input.message, context.call),
      outcome: looked(),
    };
  },
});
