/** Catalogue rows for Task Manager. */
import { TCM_GETCURSEL } from '../messages.ts';
import { CONFIRMED, LOOKS, MODAL, refused, row, type Row } from '../row.ts';

const tab = (index: number) => ({ see: 'answer', part: '#1015', ask: [TCM_GETCURSEL, 0, 0], is: index }) as const;
const onTab = (item: string) => ({ act: 'select-element', input: { automationId: '1015', item } }) as const;

export const taskmgr: readonly Row[] = [
  // posted clicks first: its dialog takes none on the tabs once a message has chosen one
  row('a page by its place', 'virtual-mouse', { action: 'click' }, CONFIRMED, [tab(2)], {
    aims: { point: { at: { name: 'Performance', controlType: 'TabItem' } }, space: 'client' },
  }),
  row('a page by its place in the picture', 'click', {}, CONFIRMED, [tab(1)], {
    aims: { point: { at: { name: 'Processes', controlType: 'TabItem' } }, space: 'image' },
  }),
  row('a page', 'click-element', { name: 'Applications', role: 'TabItem' }, CONFIRMED, [tab(0)]),
  row('a page by its name', 'select-element', { automationId: '1015', item: 'Performance' }, CONFIRMED, [tab(2)]),
  row('the list of processes', 'read-table', { role: 'List', count: 50 }, LOOKS, [tab(1)], {
    given: [onTab('Processes')],
  }),
  row('a disabled button', 'click-element', { name: 'End Task' }, refused('target_disabled'), [{ see: 'no window' }], {
    given: [onTab('Applications')],
  }),
  row('a button that opens a dialog', 'click-element', { name: 'New Task' }, MODAL, [{ see: 'window' }], {
    given: [onTab('Applications')],
  }),
  row('a disabled button by its place', 'click', {}, refused('target_disabled'), [{ see: 'no window' }], {
    given: [onTab('Applications')],
    aims: { point: { at: { name: 'Switch To' } }, space: 'image' },
  }),
  row(
    'the key of the task manager itself',
    'key',
    { keySequence: 'ctrl+shift+esc' },
    refused('key_blocked'),
    [{ see: 'no window' }],
    { given: [onTab('Applications')] },
  ),
];
