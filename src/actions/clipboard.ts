/** Actions that read and write the text of the clipboard. */
import { z } from 'zod';
import { looked } from '../contract/outcome.ts';
import { LOOKING } from '../contract/gate/traits.ts';
import { defineMethod } from './definition.ts';
import * as field from './fields.ts';

export const readClipboard = defineMethod('readClipboard', {
  topic: 'clipboard',
  meaning: 'Read (paste from) the clipboard: its text, untrimmed.',
  cap: 'clipboard',
  effect: 'observe',
  needs: 'level observe, flag clipboardRead',
  isIdempotent: true,
  input: () => ({}),
  sample: {},
  output: () => z.string(),
  traits: () => ({ ...LOOKING, flags: ['clipboardRead' as const] }),
  async run(context) {
    return { value: await context.desktop.clipboard.read(context.call), outcome: looked() };
  },
});

export const writeClipboard = defineMethod('writeClipboard', {
  topic: 'clipboard',
  meaning: 'Copy text to the clipboard and read it back.',
  cap: 'clipboard',
  effect: 'input',
  needs: 'level control, flag clipboardWrite',
  isIdempotent: true,
  input: () => ({ text: field.text.describe('The text; any Unicode.') }),
  sample: { text: 'a' },
  output: () => z.null(),
  traits: (input) => ({
    ...LOOKING,
    effect: 'input' as const,
    flags: ['clipboardWrite' as const],
    content: input.text,
    changesSomething: true,
  }),
  async run(context, input) {
    return context.desktop.clipboard.write(input.text, context.call);
  },
});
