/** Catalogue rows for a dialog with many property pages. */
import { CB_GETCURSEL, TCM_GETCURSEL } from '../messages.ts';
import { CONFIRMED, MODAL, refused, row, type Row } from '../row.ts';

const VERSIONS = '#1012';
const TABS = '#12320';
const version = (index: number) => ({ see: 'answer', part: VERSIONS, ask: [CB_GETCURSEL, 0, 0], is: index }) as const;
const tab = (index: number) => ({ see: 'answer', part: TABS, ask: [TCM_GETCURSEL, 0, 0], is: index }) as const;
const onTab = (item: string) => ({ act: 'select-element', input: { automationId: '12320', item } }) as const;

export const winecfg: readonly Row[] = [
  row('an item of a combo box', 'select-element', { name: 'Windows Version', item: 'Windows 7' }, CONFIRMED, [
    version(5),
  ]),
  row('an item of a combo box by its index', 'select-element', { automationId: '1012', index: 1 }, CONFIRMED, [
    version(1),
  ]),
  row('an item of a combo box by a click on it', 'click-element', { name: 'Windows 11', role: 'ListItem' }, CONFIRMED, [
    version(0),
  ]),
  row('a property page', 'click-element', { name: 'Libraries', role: 'TabItem' }, CONFIRMED, [tab(1)]),
  row(
    'a field of another page',
    'type-into-element',
    { role: 'textbox', text: 'comctl32' },
    CONFIRMED,
    [{ see: 'text', part: '#8004', is: 'comctl32' }],
    { given: [onTab('Libraries')] },
  ),
  row('a check box of another page', 'click-element', { name: 'Emulate a virtual desktop' }, CONFIRMED, [tab(2)], {
    given: [onTab('Graphics')],
  }),
  row(
    'a disabled button',
    'click-element',
    { name: 'Remove application' },
    refused('target_disabled'),
    [{ see: 'no window' }],
    { given: [onTab('Applications')] },
  ),
  row('a button that opens a dialog', 'click-element', { name: 'Add application' }, MODAL, [{ see: 'window' }], {
    given: [onTab('Applications')],
  }),
  row('a property page by its place', 'virtual-mouse', { action: 'click' }, CONFIRMED, [tab(2)], {
    given: [onTab('Applications')],
    aims: { point: { at: { name: 'Graphics', controlType: 'TabItem' } }, space: 'client' },
  }),
  row('a disabled button by its place', 'click', {}, refused('target_disabled'), [{ see: 'no window' }], {
    given: [onTab('Applications')],
    aims: { point: { at: { name: 'Remove application' } }, space: 'image' },
  }),
  row('the next version by an arrow', 'key', { keySequence: 'down' }, CONFIRMED, [version(2)], {
    given: [
      onTab('Applications'),
      { act: 'select-element', input: { automationId: '1012', index: 1 } },
      { act: 'click-element', input: { automationId: '1012' } },
    ],
  }),
  row(
    'text where no field could take it',
    'key',
    { keySequence: 'ctrl+alt+delete' },
    refused('key_blocked'),
    [{ see: 'no window' }],
    { given: [onTab('About')] },
  ),
];
