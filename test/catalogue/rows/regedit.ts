/** Catalogue rows for the registry editor. */
import { LVM_GETNEXTITEM, LVNI_SELECTED } from '../messages.ts';
import { CONFIRMED, LOOKS, refused, row, type Row } from '../row.ts';

/** The status bar shows the selected key after the computer's name. */
const selected = (path: string) =>
  ({ see: 'text', part: '#2001', is: new RegExp(`^[^\\\\]+\\\\${path.replaceAll('\\', '\\\\')}$`) }) as const;
const tree = { automationId: '2002' } as const;
const list = { automationId: '2003' } as const;
const onKey = (item: string) => ({ act: 'select-element', input: { ...tree, item } }) as const;

export const regedit: readonly Row[] = [
  row('a key by its name', 'click-element', { name: 'HKEY_USERS', role: 'TreeItem' }, CONFIRMED, [
    selected(String.raw`HKEY_USERS`),
  ]),
  row(
    'a key by its path, which opens on the way',
    'select-element',
    { ...tree, item: 'My Computer > HKEY_CURRENT_USER > Software > Wine' },
    CONFIRMED,
    [selected(String.raw`HKEY_CURRENT_USER\Software\Wine`)],
  ),
  row(
    'a value of a key',
    'select-element',
    { ...list, index: 2 },
    CONFIRMED,
    [{ see: 'answer', part: '#2003', ask: [LVM_GETNEXTITEM, -1, LVNI_SELECTED], is: 2 }],
    { given: [onKey('My Computer > HKEY_CURRENT_USER > Control Panel > Desktop')] },
  ),
  row(
    'a key that is not there',
    'select-element',
    { ...tree, item: 'My Computer > HKEY_NOBODY' },
    refused('target_not_found'),
    [selected(String.raw`HKEY_USERS`)],
    { given: [onKey('My Computer > HKEY_USERS')] },
  ),
  row(
    'the values of a key',
    'read-table',
    { ...list, count: 3 },
    LOOKS,
    [
      { see: 'value', holds: { columns: ['Name', 'Type', 'Data'] } },
      { see: 'answer', part: '#2003', ask: [LVM_GETNEXTITEM, -1, LVNI_SELECTED], is: -1 },
    ],
    { given: [onKey('My Computer > HKEY_CURRENT_USER > Control Panel > Desktop')] },
  ),
  row(
    'an element that is not a field',
    'type-into-element',
    { name: 'HKEY_USERS', text: 'x' },
    refused('unsupported'),
    [{ see: 'no window' }],
  ),
  row(
    'a key by a click',
    'virtual-mouse',
    { action: 'click' },
    CONFIRMED,
    [selected(String.raw`HKEY_CURRENT_CONFIG`)],
    { given: [onKey('My Computer')], aims: { point: { at: { name: 'HKEY_CURRENT_CONFIG' } }, space: 'client' } },
  ),
  row('a key by a click, by image coordinates', 'click', {}, CONFIRMED, [selected(String.raw`HKEY_USERS`)], {
    given: [onKey('My Computer')],
    aims: { point: { at: { name: 'HKEY_USERS' } }, space: 'image' },
  }),
  row(
    'the next key by an arrow',
    'key',
    { keySequence: 'down' },
    CONFIRMED,
    [selected(String.raw`HKEY_CURRENT_CONFIG`)],
    {
      given: [
        onKey('My Computer > HKEY_USERS'),
        { act: 'click-element', input: { name: 'HKEY_USERS', role: 'TreeItem' } },
      ],
    },
  ),
  row('the dialog of Ctrl+F', 'key', { keySequence: 'ctrl+f' }, CONFIRMED, [{ see: 'window' }], {
    given: [onKey('My Computer')],
  }),
  row(
    'until a key appears',
    'wait-for',
    { name: 'HKEY_CURRENT_USER', role: 'TreeItem' },
    LOOKS,
    [{ see: 'value', holds: { met: true } }, selected('HKEY_USERS')],
    { given: [onKey('My Computer > HKEY_USERS')] },
  ),
];
