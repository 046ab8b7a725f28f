/** Actions of the keyboard: key chords, held keys and typed text. */
import { z } from 'zod';
import { badInput } from '../contract/errors.ts';
import { LOOKING, type ActionTraits } from '../contract/gate/traits.ts';
import { keys } from '../contract/gate/input-content.ts';
import { splitKeySequence } from '../contract/keys/keys.ts';
import type { DeliveryMode } from '../desktop/index.ts';
import { boundWindow, defineMethod, type ActionContext } from './definition.ts';
import * as field from './fields.ts';

/** Bound: messages to the window unless real input is asked for; unbound: real input is the only way. */
export function deliveryOf(context: ActionContext, asked: DeliveryMode | undefined): DeliveryMode {
  return context.binding === null ? 'foreground' : (asked ?? 'background');
}

/** Whether a text has characters only: no Enter, Tab or other control character, which may act on something else. */
const isPlain = (text: string): boolean => [...text].every((character) => character >= ' ' && character !== '\u007f');

function keyTraits(
  chords: readonly string[],
  content: string | null,
  isBound: boolean,
  asked: DeliveryMode | undefined,
): ActionTraits {
  const isPosted = isBound && asked !== 'foreground';
  return {
    ...LOOKING,
    effect: 'input',
    binding: 'optional',
    target: {
      kind: 'focus',
      takesText: content !== null && isPosted,
      ...(content !== null && isPosted && isPlain(content) ? { staysInField: true } : {}),
    },
    tier: 'full',
    chords,
    content,
    isForeground: !isBound || asked === 'foreground',
    changesSomething: true,
  };
}

const keying = { topic: 'keyboard', cap: 'keyboard', effect: 'input' } as const;

export const key = defineMethod('key', {
  ...keying,
  meaning: 'Press key chords such as `ctrl+s` or `alt+f x`: in the bound window, else as real input to the foreground.',
  needs: 'level control, tier full; blocked keys need systemKeyCombos',
  input: () => ({
    keySequence: field.keySequence,
    repeat: field.repeat.optional(),
    delivery: field.delivery.optional(),
  }),
  sample: { keySequence: 'a' },
  output: () => z.null(),
  traits: (input, state) => ({
    ...keyTraits(splitKeySequence(input.keySequence), null, state.isBound, input.delivery),
    repeat: input.repeat ?? 1,
  }),
  async run(context, input) {
    const done = await context.desktop.keyboard.chords(
      context.binding,
      splitKeySequence(input.keySequence),
      input.repeat ?? 1,
      deliveryOf(context, input.delivery),
      context.call,
    );
    return { value: null, outcome: done.outcome };
  },
});

export const holdKey = defineMethod('holdKey', {
  ...keying,
  meaning: 'Hold keys for a time, with key repeat as on a keyboard, then release them.',
  needs: 'level control, tier full',
  input: () => ({
    keyNames: keys(z.array(z.string().min(1).max(40)).min(1).max(8).describe('Keys held together.')),
    durationMs: z.int().min(1).max(100_000).describe('Milliseconds, at most 100000.'),
    delivery: field.delivery.optional(),
  }),
  sample: { keyNames: ['a'], durationMs: 1 },
  output: () => z.null(),
  lasts: (input) => input.durationMs,
  traits: (input, state) => ({
    ...keyTraits([input.keyNames.join('+')], null, state.isBound, input.delivery),
    variant: 'hold',
  }),
  async run(context, input) {
    const done = await context.desktop.keyboard.hold(
      context.binding,
      input.keyNames,
      input.durationMs,
      deliveryOf(context, input.delivery),
      context.call,
    );
    return { value: null, outcome: done.outcome };
  },
});

export const type = defineMethod('type', {
  ...keying,
  meaning: 'Type text into the bound window’s focused field, else into the foreground, as keys or by the clipboard.',
  needs: 'level control, tier full; viaClipboard needs clipboardWrite',
  input: () => ({
    text: field.text.describe('Any Unicode text; CRLF is one Enter.'),
    viaClipboard: z.boolean().optional().describe('Paste instead of typing; the clipboard is restored afterwards.'),
    delivery: field.delivery.optional(),
  }),
  sample: { text: 'a' },
  output: () => z.null(),
  traits: (input, state) => ({
    ...keyTraits([], input.text, state.isBound, input.delivery),
    variant: input.viaClipboard === true ? 'paste' : null,
    flags: input.viaClipboard === true ? ['clipboardWrite'] : [],
  }),
  async run(context, input) {
    const done = await context.desktop.keyboard.typeText(
      context.binding,
      input.text,
      { viaClipboard: input.viaClipboard ?? false, delivery: deliveryOf(context, input.delivery) },
      context.call,
    );
    return { value: null, outcome: done.outcome };
  },
});

export const virtualKeyboard = defineMethod('virtualKeyboard', {
  topic: 'keyboard',
  meaning:
    'Keys to the bound window only, in the background: type text, press a combo (keyboard shortcut, ctrl+s), or hold, press or release keys.',
  cap: 'core',
  effect: 'input',
  needs: 'level control, tier full',
  input: () => ({
    action: z
      .enum(['type', 'combo', 'press', 'release', 'hold'])
      .describe('type takes plain text; the others take keys in text.'),
    text: keys(
      z.string().min(1).max(100_000).describe('The text, or keys such as `ctrl+a`.'),
      ({ action }) => action !== undefined && action !== 'type',
    ),
    duration: z.number().min(0.001).max(100).optional().describe('Seconds to hold; default 1.'),
    repeat: field.repeat.optional(),
    delivery: field.delivery.optional(),
  }),
  sample: { action: 'type', text: 'a' },
  rules: [
    { holds: (input) => input.duration === undefined || input.action === 'hold', message: 'Only hold takes duration.' },
    {
      holds: (input) =>
        input.repeat === undefined || input.action === 'combo' || input.action === 'type' || input.action === 'hold',
      message: 'Only combo, type and hold take repeat.',
    },
  ],
  output: () => z.boolean(),
  lasts: (input) => (input.action === 'hold' ? holdMsOf(input.duration) * (input.repeat ?? 1) : 0),
  traits: (input, state) => ({
    // Releasing is never a combination: held keys can always be released.
    ...keyTraits(
      input.action === 'type' || input.action === 'release' ? [] : splitKeySequence(input.text),
      input.action === 'type' ? input.text : null,
      state.isBound,
      input.delivery,
    ),
    variant: input.action,
    binding: 'required' as const,
    repeat: input.repeat ?? 1,
  }),
  async run(context, input) {
    const record = boundWindow(context);
    const delivery = deliveryOf(context, input.delivery);
    const { keyboard } = context.desktop;
    switch (input.action) {
      case 'type':
        return keyboard.typeText(
          record,
          input.text.repeat(input.repeat ?? 1),
          { viaClipboard: false, delivery },
          context.call,
        );
      case 'combo':
        return keyboard.chords(record, splitKeySequence(input.text), input.repeat ?? 1, delivery, context.call);
      case 'press':
        return keyboard.press(record, keysOf(input.text), delivery, context.call);
      case 'release':
        return keyboard.release(record, keysOf(input.text), delivery, context.call);
      case 'hold': {
        const holdMs = holdMsOf(input.duration);
        let done = await keyboard.hold(record, keysOf(input.text), holdMs, delivery, context.call);
        for (let round = 1; round < (input.repeat ?? 1); round += 1)
          done = await keyboard.hold(record, keysOf(input.text), holdMs, delivery, context.call);
        return done;
      }
    }
  },
});

const holdMsOf = (seconds: number | undefined): number => Math.round((seconds ?? 1) * 1000);

function keysOf(text: string): string[] {
  const chords = splitKeySequence(text);
  if (chords.length !== 1) throw badInput('`press`, `release` and `hold` take one chord, such as `ctrl+shift`.');
  return chords[0]?.split(/(?<=.)\+/) ?? [];
}
