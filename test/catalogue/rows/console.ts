import { refused, UNVERIFIED, type Row } from '../row.ts';

const answered = (text: string) => ({ see: 'journal', event: { event: 'answer', text } }) as const;
const silence = { see: 'silence' } as const;

/** The console is one window that draws itself: there is nothing in it to find. */
export const console: readonly Row[] = [
  { what: 'an element in a window that draws itself', action: 'click-element', input: { name: 'Your name' }, expect: refused('target_not_found'), seen: [silence] },
  { what: 'a field in a window that has none', action: 'type-into-element', input: { role: 'textbox', text: 'x' }, expect: refused('target_not_found'), seen: [silence] },
  { what: 'a line of text', action: 'virtual-keyboard', input: { action: 'type', text: 'Ada\n' }, expect: UNVERIFIED, seen: [answered('Ada')] },
  { what: 'keys', action: 'key', input: { keySequence: 'a b backspace c enter' }, expect: UNVERIFIED, seen: [answered('ac')] },
  { what: 'the key that closes a window', action: 'key', input: { keySequence: 'alt+f4' }, expect: refused('key_blocked'), seen: [silence] },
];
