/** Catalogue rows for programs in a console. */
import { CONFIRMED, LOOKS, refused, type Row } from '../row.ts';

const answered = (text: string) => ({ see: 'journal', event: { event: 'answer', text } }) as const;
const silence = { see: 'silence' } as const;
const prompts = { flags: ['prompts'] } as const;

/**
 * The prompts of the program in the console, in this order: each row that answers takes one. The console draws itself,
 * so it contains no elements.
 */
export const STEPS = ['text', 'text', 'text', 'yes-no', 'menu', 'oui-non', 'text', 'text', 'text'] as const;

export const console: readonly Row[] = [
  {
    what: 'an element in a window that draws itself',
    action: 'click-element',
    input: { name: 'Your name' },
    expect: refused('target_not_found'),
    seen: [silence],
  },
  {
    what: 'a field in a window that has none',
    action: 'type-into-element',
    input: { role: 'textbox', text: 'x' },
    expect: refused('target_not_found'),
    seen: [silence],
  },
  {
    what: 'the key that closes a window',
    action: 'key',
    input: { keySequence: 'alt+f4' },
    expect: refused('key_blocked'),
    seen: [silence],
  },
  {
    what: 'what it asks',
    action: 'read-terminal',
    expect: LOOKS,
    seen: [silence, { see: 'value', holds: { exitStatus: null, untrusted: true }, text: 'Your name:' }],
  },
  {
    what: 'a line of text',
    action: 'virtual-keyboard',
    input: { action: 'type', text: 'Ada\n' },
    expect: CONFIRMED,
    seen: [answered('Ada')],
  },
  {
    what: 'keys',
    action: 'key',
    input: { keySequence: 'a b backspace c enter' },
    expect: CONFIRMED,
    seen: [answered('ac')],
  },
  {
    what: 'a text and Enter',
    action: 'respond-to-prompt',
    given: [prompts],
    input: { responseType: 'type', text: 'Grace Höpper 漢字' },
    expect: CONFIRMED,
    seen: [answered('Grace Höpper 漢字')],
  },
  {
    what: 'yes, by the letter that it shows',
    action: 'respond-to-prompt',
    given: [prompts],
    input: { responseType: 'yes' },
    expect: CONFIRMED,
    seen: [answered('y')],
  },
  {
    what: 'the third of a menu',
    action: 'respond-to-prompt',
    given: [prompts],
    input: { responseType: 'select', arrowCount: 2 },
    expect: CONFIRMED,
    seen: [answered('Gamma – größer')],
  },
  {
    what: 'no, in a prompt of another language',
    action: 'respond-to-prompt',
    given: [prompts],
    input: { responseType: 'no' },
    expect: CONFIRMED,
    seen: [answered('n')],
  },
  {
    what: 'Enter alone',
    action: 'respond-to-prompt',
    given: [prompts],
    input: { responseType: 'enter' },
    expect: CONFIRMED,
    seen: [answered('')],
  },
];
