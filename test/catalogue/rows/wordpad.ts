/** Catalogue rows for WordPad. */
import { EM_GETFIRSTVISIBLELINE, EM_SETSEL, TB_GETSTATE } from '../messages.ts';
import { CONFIRMED, MODAL, refused, row, type Row } from '../row.ts';

const RICH = '#2001';
const FORMAT_BAR = '#2003';
const CHECKED_AND_ENABLED = 5;
const holds = (is: string | RegExp) => ({ see: 'text', part: RICH, is }) as const;
const put = (text: string) => ({ put: RICH, text }) as const;
const document = { at: { controlType: 'Document' } } as const;
const TEXT = '’ ‘ " ` $ 🦊 漢字 é';
const LONG = Array.from({ length: 80 }, (_, line) => `line ${line}`).join('\r\n');

export const wordpad: readonly Row[] = [
  row('the document', 'type-into-element', { role: 'Document', text: TEXT }, CONFIRMED, [holds(TEXT)]),
  row(
    'the document, at its end',
    'type-into-element',
    { role: 'Document', text: ' two', mode: 'append' },
    CONFIRMED,
    [holds('one two')],
    { given: [put('one')] },
  ),
  row(
    'a check button of the tool bar',
    'click-element',
    { automationId: 'Item 1400' },
    CONFIRMED,
    [holds('bold'), { see: 'answer', part: FORMAT_BAR, ask: [TB_GETSTATE, 1400, 0], is: CHECKED_AND_ENABLED }],
    { given: [put('bold'), { ask: [EM_SETSEL, 0, -1], part: RICH }] },
  ),
  row('a tool bar button that opens a dialog', 'click-element', { automationId: 'Item 1600' }, MODAL, [
    { see: 'window' },
  ]),
  row(
    'a disabled tool bar button',
    'click-element',
    { automationId: 'Item 1310' },
    refused('target_disabled'),
    [{ see: 'no window' }],
    { given: [{ ask: [EM_SETSEL, 0, 0], part: RICH }] },
  ),
  row('an element that is not there', 'click-element', { name: 'Ribbon' }, refused('target_not_found'), [
    { see: 'no window' },
  ]),
  row('a place in the text by a click', 'click', {}, CONFIRMED, [{ see: 'selection', part: RICH, from: 7, to: 7 }], {
    given: [put('one two'), { act: 'key', input: { keySequence: 'ctrl+home' } }],
    aims: { point: document, space: 'image' },
  }),
  row(
    'a long text by the wheel',
    'mouse-wheel',
    { delta: -2 },
    CONFIRMED,
    [{ see: 'answer', part: RICH, ask: [EM_GETFIRSTVISIBLELINE, 0, 0], is: 'more' }],
    { given: [put(LONG)], aims: { point: document, space: 'client' } },
  ),
  row('text', 'virtual-keyboard', { action: 'type', text: TEXT }, CONFIRMED, [holds(TEXT)], { given: [put('')] }),
  row(
    'everything by Ctrl+A',
    'key',
    { keySequence: 'ctrl+a' },
    CONFIRMED,
    [{ see: 'selection', part: RICH, from: 0, to: 10 }],
    { given: [put('all of it')] },
  ),
  row('a dialog by Ctrl+F', 'key', { keySequence: 'ctrl+f' }, CONFIRMED, [{ see: 'window' }], { given: [put('kept')] }),
  row('a key that is held', 'hold-key', { keyNames: ['y'], durationMs: 1200 }, CONFIRMED, [holds(/^y{3,}$/)], {
    given: [put('')],
  }),
  row('the key that closes a window', 'key', { keySequence: 'alt+f4' }, refused('key_blocked'), [{ see: 'no window' }]),
  row('text', 'type', { text: 'really', delivery: 'foreground' }, CONFIRMED, [holds('really'), { see: 'foreground' }], {
    given: [put(''), { act: 'activate-window', input: {} }],
  }),
];
