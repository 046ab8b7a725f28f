/** Catalogue rows for Task Manager. */
import { TCM_GETCURSEL } from '../messages.ts';
import { CONFIRMED, LOOKS, MODAL, refused, type Row } from '../row.ts';

const tab = (index: number) => ({ see: 'answer', part: '#1015', ask: [TCM_GETCURSEL, 0, 0], is: index }) as const;
const onTab = (item: string) => ({ act: 'select-element', input: { automationId: '1015', item } }) as const;

export const taskmgr: readonly Row[] = [
  // posted clicks first: its dialog takes none on the tabs once a message has chosen one
  {
    what: 'a page by its place',
    action: 'virtual-mouse',
    input: { action: 'click' },
    aims: { point: { at: { name: 'Performance', controlType: 'TabItem' } }, space: 'client' },
    expect: CONFIRMED,
    seen: [tab(2)],
  },
  {
    what: 'a page by its place in the picture',
    action: 'click',
    aims: { point: { at: { name: 'Processes', controlType: 'TabItem' } }, space: 'image' },
    expect: CONFIRMED,
    seen: [tab(1)],
  },
  {
    what: 'a page',
    action: 'click-element',
    input: { name: 'Applications', role: 'TabItem' },
    expect: CONFIRMED,
    seen: [tab(0)],
  },
  {
    what: 'a page by its name',
    action: 'select-element',
    input: { automationId: '1015', item: 'Performance' },
    expect: CONFIRMED,
    seen: [tab(2)],
  },
  {
    what: 'the list of processes',
    action: 'read-table',
    given: [onTab('Processes')],
    input: { role: 'List', count: 50 },
    expect: LOOKS,
    seen: [tab(1)],
  },
  {
    what: 'a disabled button',
    action: 'click-element',
    given: [onTab('Applications')],
    input: { name: 'End Task' },
    expect: refused('target_disabled'),
    seen: [{ see: 'no window' }],
  },
  {
    what: 'a button that opens a dialog',
    action: 'click-element',
    given: [onTab('Applications')],
    input: { name: 'New Task' },
    expect: MODAL,
    seen: [{ see: 'window' }],
  },
  {
    what: 'a disabled button by its place',
    action: 'click',
    given: [onTab('Applications')],
    aims: { point: { at: { name: 'Switch To' } }, space: 'image' },
    expect: refused('target_disabled'),
    seen: [{ see: 'no window' }],
  },
  {
    what: 'the key of the task manager itself',
    action: 'key',
    given: [onTab('Applications')],
    input: { keySequence: 'ctrl+shift+esc' },
    expect: refused('key_blocked'),
    seen: [{ see: 'no window' }],
  },
];
