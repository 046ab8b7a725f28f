/** Catalogue rows for programs in a console. */
import { CONFIRMED, LOOKS, refused, row, type Row } from '../row.ts';

const answered = (text: string) => ({ see: 'journal', event: { event: 'answer', text } }) as const;
const silence = { see: 'silence' } as const;
const prompts = { flags: ['prompts'] } as const;

/**
 * The prompts of the program in the console, in this order: each row that answers takes one. The console draws itself,
 * so it contains no elements.
 */
export const STEPS = ['text', 'text', 'text', 'yes-no', 'menu', 'oui-non', 'text', 'text', 'text'] as const;

export const console: readonly Row[] = [
  row('an element in a window that draws itself', 'click-element', { name: 'Your name' }, refused('target_not_found'), [
    silence,
  ]),
  row(
    'a field in a window that has none',
    'type-into-element',
    { role: 'textbox', text: 'x' },
    refused('target_not_found'),
    [silence],
  ),
  row('the key that closes a window', 'key', { keySequence: 'alt+f4' }, refused('key_blocked'), [silence]),
  row('what it asks', 'read-terminal', {}, LOOKS, [
    silence,
    { see: 'value', holds: { exitStatus: null, untrusted: true }, text: 'Your name:' },
  ]),
  row('a line of text', 'virtual-keyboard', { action: 'type', text: 'Ada\n' }, CONFIRMED, [answered('Ada')]),
  row('keys', 'key', { keySequence: 'a b backspace c enter' }, CONFIRMED, [answered('ac')]),
  row(
    'a text and Enter',
    'respond-to-prompt',
    { responseType: 'type', text: 'Grace Höpper 漢字' },
    CONFIRMED,
    [answered('Grace Höpper 漢字')],
    { given: [prompts] },
  ),
  row('yes, by the letter that it shows', 'respond-to-prompt', { responseType: 'yes' }, CONFIRMED, [answered('y')], {
    given: [prompts],
  }),
  row(
    'the third of a menu',
    'respond-to-prompt',
    { responseType: 'select', arrowCount: 2 },
    CONFIRMED,
    [answered('Gamma – größer')],
    { given: [prompts] },
  ),
  row('no, in a prompt of another language', 'respond-to-prompt', { responseType: 'no' }, CONFIRMED, [answered('n')], {
    given: [prompts],
  }),
  row('Enter alone', 'respond-to-prompt', { responseType: 'enter' }, CONFIRMED, [answered('')], { given: [prompts] }),
];
