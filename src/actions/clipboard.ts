/** Actions that read and write the text of the clipboard. */
import { z } from 'zod';
import { LOOKING } from '../contract/gate/traits.ts';
import { defineMethod, saw } from './definition.ts';
import * as field from './fields.ts';

export const readClipboard = defineMethod('readClipboard', {
  topic: 'clipboard',
  meaning: 'Read (paste from) the clipboard: its text, untrimmed.',
  cap: 'clipboard',
  effect: 'observe',
  needs: 'level observe, flag clipboardRead',
  output: () => z.string(),
  traits: () => ({ ...LOOKING, flags: ['clipboardRead' as const] }),
  run: async (context) => saw(await context.desktop.clipboard.read(context.call)),
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
  run: async (context, input) => context.desktop.clipboard.write(input.text, context.call),
});
