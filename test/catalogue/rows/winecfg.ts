/** Catalogue rows for a dialog with many property pages. */
import { CB_GETCURSEL, TCM_GETCURSEL } from '../messages.ts';
import { CONFIRMED, MODAL, refused, type Row } from '../row.ts';

const VERSIONS = '#1012';
const TABS = '#12320';
const version = (index: number) => ({ see: 'answer', part: VERSIONS, ask: [CB_GETCURSEL, 0, 0], is: index }) as const;
const tab = (index: number) => ({ see: 'answer', part: TABS, ask: [TCM_GETCURSEL, 0, 0], is: index }) as const;
const onTab = (item: string) => ({ act: 'select-element', input: { automationId: '12320', item } }) as const;

export const winecfg: readonly Row[] = [
  {
    what: 'an item of a combo box',
    action: 'select-element',
    input: { name: 'Windows Version', item: 'Windows 7' },
    expect: CONFIRMED,
    seen: [version(5)],
  },
  {
    what: 'an item of a combo box by its index',
    action: 'select-element',
    input: { automationId: '1012', index: 1 },
    expect: CONFIRMED,
    seen: [version(1)],
  },
  {
    what: 'an item of a combo box by a click on it',
    action: 'click-element',
    input: { name: 'Windows 11', role: 'ListItem' },
    expect: CONFIRMED,
    seen: [version(0)],
  },
  {
    what: 'a property page',
    action: 'click-element',
    input: { name: 'Libraries', role: 'TabItem' },
    expect: CONFIRMED,
    seen: [tab(1)],
  },
  {
    what: 'a field of another page',
    action: 'type-into-element',
    given: [onTab('Libraries')],
    input: { role: 'textbox', text: 'comctl32' },
    expect: CONFIRMED,
    seen: [{ see: 'text', part: '#8004', is: 'comctl32' }],
  },
  {
    what: 'a check box of another page',
    action: 'click-element',
    given: [onTab('Graphics')],
    input: { name: 'Emulate a virtual desktop' },
    expect: CONFIRMED,
    seen: [tab(2)],
  },
  {
    what: 'a disabled button',
    action: 'click-element',
    given: [onTab('Applications')],
    input: { name: 'Remove application' },
    expect: refused('target_disabled'),
    seen: [{ see: 'no window' }],
  },
  {
    what: 'a button that opens a dialog',
    action: 'click-element',
    given: [onTab('Applications')],
    input: { name: 'Add application' },
    expect: MODAL,
    seen: [{ see: 'window' }],
  },
  {
    what: 'a property page by its place',
    action: 'virtual-mouse',
    given: [onTab('Applications')],
    input: { action: 'click' },
    aims: { point: { at: { name: 'Graphics', controlType: 'TabItem' } }, space: 'client' },
    expect: CONFIRMED,
    seen: [tab(2)],
  },
  {
    what: 'a disabled button by its place',
    action: 'click',
    given: [onTab('Applications')],
    aims: { point: { at: { name: 'Remove application' } }, space: 'image' },
    expect: refused('target_disabled'),
    seen: [{ see: 'no window' }],
  },
  {
    what: 'the next version by an arrow',
    action: 'key',
    given: [
      onTab('Applications'),
      { act: 'select-element', input: { automationId: '1012', index: 1 } },
      { act: 'click-element', input: { automationId: '1012' } },
    ],
    input: { keySequence: 'down' },
    expect: CONFIRMED,
    seen: [version(2)],
  },
  {
    what: 'text where no field could take it',
    action: 'key',
    given: [onTab('About')],
    input: { keySequence: 'ctrl+alt+delete' },
    expect: refused('key_blocked'),
    seen: [{ see: 'no window' }],
  },
];
