/** Catalogue rows for WordPad. */
import { EM_GETFIRSTVISIBLELINE, EM_SETSEL, TB_GETSTATE } from '../messages.ts';
import { CONFIRMED, MODAL, refused, type Row } from '../row.ts';

const RICH = '#2001';
const FORMAT_BAR = '#2003';
const CHECKED_AND_ENABLED = 5;
const holds = (is: string | RegExp) => ({ see: 'text', part: RICH, is }) as const;
const put = (text: string) => ({ put: RICH, text }) as const;
const document = { at: { controlType: 'Document' } } as const;
const TEXT = '’ ‘ " ` $ 🦊 漢字 é';
const LONG = Array.from({ length: 80 }, (_, line) => `line ${line}`).join('\r\n');

export const wordpad: readonly Row[] = [
  {
    what: 'the document',
    action: 'type-into-element',
    input: { role: 'Document', text: TEXT },
    expect: CONFIRMED,
    seen: [holds(TEXT)],
  },
  {
    what: 'the document, at its end',
    action: 'type-into-element',
    given: [put('one')],
    input: { role: 'Document', text: ' two', mode: 'append' },
    expect: CONFIRMED,
    seen: [holds('one two')],
  },
  {
    what: 'a check button of the tool bar',
    action: 'click-element',
    given: [put('bold'), { ask: [EM_SETSEL, 0, -1], part: RICH }],
    input: { automationId: 'Item 1400' },
    expect: CONFIRMED,
    seen: [holds('bold'), { see: 'answer', part: FORMAT_BAR, ask: [TB_GETSTATE, 1400, 0], is: CHECKED_AND_ENABLED }],
  },
  {
    what: 'a tool bar button that opens a dialog',
    action: 'click-element',
    input: { automationId: 'Item 1600' },
    expect: MODAL,
    seen: [{ see: 'window' }],
  },
  {
    what: 'a disabled tool bar button',
    action: 'click-element',
    given: [{ ask: [EM_SETSEL, 0, 0], part: RICH }],
    input: { automationId: 'Item 1310' },
    expect: refused('target_disabled'),
    seen: [{ see: 'no window' }],
  },
  {
    what: 'an element that is not there',
    action: 'click-element',
    input: { name: 'Ribbon' },
    expect: refused('target_not_found'),
    seen: [{ see: 'no window' }],
  },
  {
    what: 'a place in the text by a click',
    action: 'click',
    given: [put('one two'), { act: 'key', input: { keySequence: 'ctrl+home' } }],
    aims: { point: document, space: 'image' },
    expect: CONFIRMED,
    seen: [{ see: 'selection', part: RICH, from: 7, to: 7 }],
  },
  {
    what: 'a long text by the wheel',
    action: 'mouse-wheel',
    given: [put(LONG)],
    input: { delta: -2 },
    aims: { point: document, space: 'client' },
    expect: CONFIRMED,
    seen: [{ see: 'answer', part: RICH, ask: [EM_GETFIRSTVISIBLELINE, 0, 0], is: 'more' }],
  },
  {
    what: 'text',
    action: 'virtual-keyboard',
    given: [put('')],
    input: { action: 'type', text: TEXT },
    expect: CONFIRMED,
    seen: [holds(TEXT)],
  },
  {
    what: 'everything by Ctrl+A',
    action: 'key',
    given: [put('all of it')],
    input: { keySequence: 'ctrl+a' },
    expect: CONFIRMED,
    seen: [{ see: 'selection', part: RICH, from: 0, to: 10 }],
  },
  {
    what: 'a dialog by Ctrl+F',
    action: 'key',
    given: [put('kept')],
    input: { keySequence: 'ctrl+f' },
    expect: CONFIRMED,
    seen: [{ see: 'window' }],
  },
  {
    what: 'a key that is held',
    action: 'hold-key',
    given: [put('')],
    input: { keyNames: ['y'], durationMs: 1200 },
    expect: CONFIRMED,
    seen: [holds(/^y{3,}$/)],
  },
  {
    what: 'the key that closes a window',
    action: 'key',
    input: { keySequence: 'alt+f4' },
    expect: refused('key_blocked'),
    seen: [{ see: 'no window' }],
  },
  {
    what: 'text',
    action: 'type',
    given: [put(''), { act: 'activate-window', input: {} }],
    input: { text: 'really', delivery: 'foreground' },
    expect: CONFIRMED,
    seen: [holds('really'), { see: 'foreground' }],
  },
];
