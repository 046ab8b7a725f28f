/** Catalogue rows for Notepad. */
import { EM_GETFIRSTVISIBLELINE, EM_SETSEL } from '../messages.ts';
import { CONFIRMED, refused, row, type Row } from '../row.ts';

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
  row('the document', 'type-into-element', { role: 'textbox', text: `${TEXT}\r\nnext` }, CONFIRMED, [
    holds(`${TEXT}\r\nnext`),
  ]),
  row(
    'the document, at its end',
    'type-into-element',
    { role: 'textbox', text: ' two', mode: 'append' },
    CONFIRMED,
    [holds('one two')],
    { given: [put('one')] },
  ),
  row('the document emptied', 'type-into-element', { role: 'Edit', text: '' }, CONFIRMED, [holds('')], {
    given: [put('old')],
  }),
  row(
    'a menu entry by its path, which Wine does not show to other programs',
    'select-element',
    { role: 'Window', item: 'Edit > Select All' },
    refused('unsupported'),
    [holds('kept'), { see: 'no window' }],
    { given: [put('kept')] },
  ),
  row(
    'an element that is not there',
    'click-element',
    { name: 'Ribbon' },
    refused('target_not_found'),
    [holds('kept')],
    { given: [put('kept')] },
  ),
  row(
    'a page of a long text',
    'scroll-element',
    {},
    CONFIRMED,
    [{ see: 'answer', part: EDIT, ask: [EM_GETFIRSTVISIBLELINE, 0, 0], is: 'more' }],
    { given: [put(LONG)] },
  ),
  row(
    'until the text appears',
    'wait-for',
    { role: 'Edit', condition: 'value', value: 'arrived' },
    { is: 'looks' },
    [{ see: 'value', holds: { met: true } }, holds('arrived')],
    { given: [put('arrived')] },
  ),

  // by coordinates
  row('the end of a line by a click after it', 'virtual-mouse', { action: 'click' }, CONFIRMED, [selects(7, 7)], {
    given: [put('one two'), caretAt(0)],
    aims: { point: { at: { controlType: 'Edit' }, dy: -238 }, space: 'client' },
  }),
  row('a word by a double click', 'click', { count: 2 }, CONFIRMED, [selects(0, 9)], {
    given: [put('wonderful')],
    aims: { point: { at: { controlType: 'Edit' }, dx: -360, dy: -238 }, space: 'image' },
  }),
  row('text by dragging', 'drag', {}, CONFIRMED, [selects(0, 18)], {
    given: [put('from here to there')],
    aims: {
      from: { at: { controlType: 'Edit' }, dx: -371, dy: -238 },
      to: { at: { controlType: 'Edit' }, dx: 300, dy: -238 },
      space: 'image',
    },
  }),
  row('text by dragging, by screen coordinates', 'drag', {}, CONFIRMED, [selects(0, 18)], {
    given: [put('from here to there')],
    aims: {
      from: { at: { controlType: 'Edit' }, dx: 300, dy: -238 },
      to: { at: { controlType: 'Edit' }, dx: -371, dy: -238 },
      space: 'screen',
    },
  }),
  row(
    'a long text by the wheel',
    'mouse-wheel',
    { delta: -2 },
    CONFIRMED,
    [{ see: 'answer', part: EDIT, ask: [EM_GETFIRSTVISIBLELINE, 0, 0], is: 'more' }],
    { given: [put(LONG)], aims: { point: document, space: 'client' } },
  ),
  row(
    'a long text by scrolling down',
    'scroll',
    { dx: 0, dy: 3 },
    CONFIRMED,
    [{ see: 'answer', part: EDIT, ask: [EM_GETFIRSTVISIBLELINE, 0, 0], is: 'more' }],
    { given: [put(LONG)], aims: { point: document, space: 'image' } },
  ),
  row('a point above the client area', 'click', { x: 100, y: 10 }, refused('invalid_argument'), [holds('kept')], {
    given: [put('kept')],
    aims: { space: 'image' },
  }),

  // by keys
  row(
    'text',
    'virtual-keyboard',
    { action: 'type', text: `${TEXT}\n\tnext` },
    CONFIRMED,
    [holds(`${TEXT}\r\n\tnext`)],
    { given: [put('')] },
  ),
  row(
    'text three times over',
    'virtual-keyboard',
    { action: 'type', text: 'ab ', repeat: 3 },
    CONFIRMED,
    [holds('ab ab ab ')],
    { given: [put('')] },
  ),
  row('text by type', 'type', { text: 'typed' }, CONFIRMED, [holds('typed')], { given: [put('')] }),
  row('text by the clipboard', 'type', { text: TEXT, viaClipboard: true }, CONFIRMED, [holds(TEXT)], {
    given: [put('')],
  }),
  row('everything by Ctrl+A', 'virtual-keyboard', { action: 'combo', text: 'ctrl+a' }, CONFIRMED, [selects(0, 9)], {
    given: [put('all of it')],
  }),
  row('copied by Ctrl+C', 'key', { keySequence: 'ctrl+c' }, CONFIRMED, [holds('copied')], {
    given: [put('copied'), caretAt(0, 6)],
  }),
  row('cut by Ctrl+X', 'key', { keySequence: 'ctrl+x' }, CONFIRMED, [holds('off')], {
    given: [put('cut off'), caretAt(0, 4)],
  }),
  row('pasted by Ctrl+V', 'key', { keySequence: 'ctrl+v' }, CONFIRMED, [holds('from the clipboard')], {
    given: [put(''), { clipboard: 'from the clipboard' }],
  }),
  row('undone by Ctrl+Z', 'key', { keySequence: 'ctrl+z' }, CONFIRMED, [holds('')], {
    given: [put(''), { act: 'virtual-keyboard', input: { action: 'type', text: 'undone' } }],
  }),
  row('moves and deletions', 'key', { keySequence: 'HOME Del Return' }, CONFIRMED, [holds('\r\nne two')], {
    given: [put('one two'), caretAt(7)],
  }),
  row('a key three times', 'key', { keySequence: 'backspace', repeat: 3 }, CONFIRMED, [holds('one ')], {
    given: [put('one two'), caretAt(7)],
  }),
  row(
    'letters, whichever key has their code',
    'key',
    { keySequence: 'p . shift+q 7 plus' },
    CONFIRMED,
    [holds('p.Q7+')],
    { given: [put('')] },
  ),
  row('date and time by an accelerator', 'key', { keySequence: 'f5' }, CONFIRMED, [holds(/\d+:\d\d/)], {
    given: [put('')],
  }),
  row('a dialog by Ctrl+F', 'key', { keySequence: 'ctrl+f' }, CONFIRMED, [{ see: 'window', title: 'Find' }], {
    given: [put('kept')],
  }),
  row('a selection by Shift and an arrow', 'key', { keySequence: 'shift+right' }, CONFIRMED, [selects(0, 1)], {
    given: [put('one'), caretAt(0)],
  }),
  row(
    'a key that is held',
    'virtual-keyboard',
    { action: 'hold', text: 'x', duration: 1.2 },
    CONFIRMED,
    [holds(/^x{3,}$/)],
    { given: [put('')] },
  ),
  row(
    'the key of the start menu',
    'key',
    { keySequence: 'win+r' },
    refused('key_blocked'),
    [holds('kept'), { see: 'no window' }],
    { given: [put('kept')] },
  ),

  // real input, in the foreground
  row(
    'text into a window that is not in front',
    'virtual-keyboard',
    { action: 'type', text: 'elsewhere', delivery: 'foreground' },
    refused('state_conflict'),
    [holds('kept')],
    { given: [put('kept')] },
  ),
  row(
    'text',
    'virtual-keyboard',
    { action: 'type', text: 'really', delivery: 'foreground' },
    CONFIRMED,
    [holds('really'), { see: 'foreground' }],
    { given: [put(''), inFront] },
  ),
  row('a combination', 'key', { keySequence: 'ctrl+a', delivery: 'foreground' }, CONFIRMED, [selects(0, 3)], {
    given: [put('all'), inFront],
  }),
  row('the document', 'type-into-element', { role: 'textbox', text: 'by hand', delivery: 'foreground' }, CONFIRMED, [
    holds('by hand'),
  ]),
  row('a place in the text', 'click', { delivery: 'foreground' }, CONFIRMED, [selects(7, 7)], {
    given: [put('one two'), inFront, caretAt(0)],
    aims: { point: { at: { controlType: 'Edit' }, dy: -238 }, space: 'image' },
  }),
];
