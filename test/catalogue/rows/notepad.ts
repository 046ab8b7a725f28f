import { EM_GETFIRSTVISIBLELINE, EM_SETSEL } from '../messages.ts';
import { CONFIRMED, refused, type Row } from '../row.ts';

const EDIT = 'Edit';
const holds = (is: string | RegExp) => ({ see: 'text', part: EDIT, is }) as const;
const selects = (from: number, to: number) => ({ see: 'selection', part: EDIT, from, to }) as const;
const put = (text: string) => ({ put: EDIT, text }) as const;
const caretAt = (from: number, to = from) => ({ ask: [EM_SETSEL, from, to], part: EDIT }) as const;
const document = { at: { controlType: 'Edit' } } as const;
const inFront = { act: 'activate-window', input: {} } as const;
const TEXT = 'Grüße – ’x’ "y" 狐 🦊👩‍👩‍👧 é שלום';
const LONG = Array.from({ length: 120 }, (_, line) => `line ${line}`).join('\r\n');

export const notepad: readonly Row[] = [
  // by elements
  { what: 'the document', action: 'type-into-element', input: { role: 'textbox', text: `${TEXT}\r\nnext` }, expect: CONFIRMED, seen: [holds(`${TEXT}\r\nnext`)] },
  { what: 'the document, at its end', action: 'type-into-element', given: [put('one')], input: { role: 'textbox', text: ' two', mode: 'append' }, expect: CONFIRMED, seen: [holds('one two')] },
  { what: 'the document emptied', action: 'type-into-element', given: [put('old')], input: { role: 'Edit', text: '' }, expect: CONFIRMED, seen: [holds('')] },
  { what: 'a menu entry by its path, which Wine does not show to other programs', action: 'select-element', given: [put('kept')], input: { role: 'Window', item: 'Edit > Select All' }, expect: refused('unsupported'), seen: [holds('kept'), { see: 'no window' }] },
  { what: 'an element that is not there', action: 'click-element', given: [put('kept')], input: { name: 'Ribbon' }, expect: refused('target_not_found'), seen: [holds('kept')] },
  { what: 'a page of a long text', action: 'scroll-element', given: [put(LONG)], expect: CONFIRMED, seen: [{ see: 'answer', part: EDIT, ask: [EM_GETFIRSTVISIBLELINE, 0, 0], is: 'more' }] },
  { what: 'until the text is there', action: 'wait-for', given: [put('arrived')], input: { role: 'Edit', condition: 'value', value: 'arrived' }, expect: { is: 'looks' }, seen: [{ see: 'value', holds: { met: true } }, holds('arrived')] },

  // by coordinates
  { what: 'the end of a line by a click behind it', action: 'virtual-mouse', given: [put('one two'), caretAt(0)], input: { action: 'click' }, aims: { point: { at: { controlType: 'Edit' }, dy: -238 }, space: 'client' }, expect: CONFIRMED, seen: [selects(7, 7)] },
  { what: 'a word by a double click', action: 'click', given: [put('wonderful')], input: { count: 2 }, aims: { point: { at: { controlType: 'Edit' }, dx: -360, dy: -238 }, space: 'image' }, expect: CONFIRMED, seen: [selects(0, 9)] },
  { what: 'text by dragging', action: 'drag', given: [put('from here to there')], aims: { from: { at: { controlType: 'Edit' }, dx: -371, dy: -238 }, to: { at: { controlType: 'Edit' }, dx: 300, dy: -238 }, space: 'image' }, expect: CONFIRMED, seen: [selects(0, 18)] },
  { what: 'text by dragging, by screen coordinates', action: 'drag', given: [put('from here to there')], aims: { from: { at: { controlType: 'Edit' }, dx: 300, dy: -238 }, to: { at: { controlType: 'Edit' }, dx: -371, dy: -238 }, space: 'screen' }, expect: CONFIRMED, seen: [selects(0, 18)] },
  { what: 'a long text by the wheel', action: 'mouse-wheel', given: [put(LONG)], input: { delta: -2 }, aims: { point: document, space: 'client' }, expect: CONFIRMED, seen: [{ see: 'answer', part: EDIT, ask: [EM_GETFIRSTVISIBLELINE, 0, 0], is: 'more' }] },
  { what: 'a long text by scrolling down', action: 'scroll', given: [put(LONG)], input: { dx: 0, dy: 3 }, aims: { point: document, space: 'image' }, expect: CONFIRMED, seen: [{ see: 'answer', part: EDIT, ask: [EM_GETFIRSTVISIBLELINE, 0, 0], is: 'more' }] },
  { what: 'a point above the client area', action: 'click', given: [put('kept')], input: { x: 100, y: 10 }, aims: { space: 'image' }, expect: refused('invalid_argument'), seen: [holds('kept')] },

  // by keys
  { what: 'text', action: 'virtual-keyboard', given: [put('')], input: { action: 'type', text: `${TEXT}\n\tnext` }, expect: CONFIRMED, seen: [holds(`${TEXT}\r\n\tnext`)] },
  { what: 'text three times over', action: 'virtual-keyboard', given: [put('')], input: { action: 'type', text: 'ab ', repeat: 3 }, expect: CONFIRMED, seen: [holds('ab ab ab ')] },
  { what: 'text by type', action: 'type', given: [put('')], input: { text: 'typed' }, expect: CONFIRMED, seen: [holds('typed')] },
  { what: 'text by the clipboard', action: 'type', given: [put('')], input: { text: TEXT, viaClipboard: true }, expect: CONFIRMED, seen: [holds(TEXT)] },
  { what: 'everything by Ctrl+A', action: 'virtual-keyboard', given: [put('all of it')], input: { action: 'combo', text: 'ctrl+a' }, expect: CONFIRMED, seen: [selects(0, 9)] },
  { what: 'copied by Ctrl+C', action: 'key', given: [put('copied'), caretAt(0, 6)], input: { keySequence: 'ctrl+c' }, expect: CONFIRMED, seen: [holds('copied')] },
  { what: 'cut by Ctrl+X', action: 'key', given: [put('cut off'), caretAt(0, 4)], input: { keySequence: 'ctrl+x' }, expect: CONFIRMED, seen: [holds('off')] },
  { what: 'pasted by Ctrl+V', action: 'key', given: [put(''), { clipboard: 'from the clipboard' }], input: { keySequence: 'ctrl+v' }, expect: CONFIRMED, seen: [holds('from the clipboard')] },
  { what: 'undone by Ctrl+Z', action: 'key', given: [put(''), { act: 'virtual-keyboard', input: { action: 'type', text: 'undone' } }], input: { keySequence: 'ctrl+z' }, expect: CONFIRMED, seen: [holds('')] },
  { what: 'moves and deletions', action: 'key', given: [put('one two'), caretAt(7)], input: { keySequence: 'HOME Del Return' }, expect: CONFIRMED, seen: [holds('\r\nne two')] },
  { what: 'a key three times', action: 'key', given: [put('one two'), caretAt(7)], input: { keySequence: 'backspace', repeat: 3 }, expect: CONFIRMED, seen: [holds('one ')] },
  { what: 'letters, whatever key has their code', action: 'key', given: [put('')], input: { keySequence: 'p . shift+q 7 plus' }, expect: CONFIRMED, seen: [holds('p.Q7+')] },
  { what: 'date and time by an accelerator', action: 'key', given: [put('')], input: { keySequence: 'f5' }, expect: CONFIRMED, seen: [holds(/\d+:\d\d/)] },
  { what: 'a dialog by Ctrl+F', action: 'key', given: [put('kept')], input: { keySequence: 'ctrl+f' }, expect: CONFIRMED, seen: [{ see: 'window', title: 'Find' }] },
  { what: 'a selection by Shift and an arrow', action: 'key', given: [put('one'), caretAt(0)], input: { keySequence: 'shift+right' }, expect: CONFIRMED, seen: [selects(0, 1)] },
  { what: 'a key that is held', action: 'virtual-keyboard', given: [put('')], input: { action: 'hold', text: 'x', duration: 1.2 }, expect: CONFIRMED, seen: [holds(/^x{3,}$/)] },
  { what: 'the key of the start menu', action: 'key', given: [put('kept')], input: { keySequence: 'win+r' }, expect: refused('key_blocked'), seen: [holds('kept'), { see: 'no window' }] },

  // real input, in the foreground
  { what: 'text into a window that is not in front', action: 'virtual-keyboard', given: [put('kept')], input: { action: 'type', text: 'elsewhere', delivery: 'foreground' }, expect: refused('state_conflict'), seen: [holds('kept')] },
  { what: 'text', action: 'virtual-keyboard', given: [put(''), inFront], input: { action: 'type', text: 'really', delivery: 'foreground' }, expect: CONFIRMED, seen: [holds('really'), { see: 'foreground' }] },
  { what: 'a combination', action: 'key', given: [put('all'), inFront], input: { keySequence: 'ctrl+a', delivery: 'foreground' }, expect: CONFIRMED, seen: [selects(0, 3)] },
  { what: 'the document', action: 'type-into-element', input: { role: 'textbox', text: 'by hand', delivery: 'foreground' }, expect: CONFIRMED, seen: [holds('by hand')] },
  { what: 'a place in the text', action: 'click', given: [put('one two'), inFront, caretAt(0)], input: { delivery: 'foreground' }, aims: { point: { at: { controlType: 'Edit' }, dy: -238 }, space: 'image' }, expect: CONFIRMED, seen: [selects(7, 7)] },
];
