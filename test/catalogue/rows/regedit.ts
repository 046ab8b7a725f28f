/** Catalogue rows for the registry editor. */
import { LVM_GETNEXTITEM, LVNI_SELECTED } from '../messages.ts';
import { CONFIRMED, LOOKS, refused, type Row } from '../row.ts';

/** The status bar shows the selected key after the computer's name. */
const selected = (path: string) =>
  ({ see: 'text', part: '#2001', is: new RegExp(`^[^\\\\]+\\\\${path.replaceAll('\\', '\\\\')}$`) }) as const;
const tree = { automationId: '2002' } as const;
const list = { automationId: '2003' } as const;
const onKey = (item: string) => ({ act: 'select-element', input: { ...tree, item } }) as const;

export const regedit: readonly Row[] = [
  {
    what: 'a key by its name',
    action: 'click-element',
    input: { name: 'HKEY_USERS', role: 'TreeItem' },
    expect: CONFIRMED,
    seen: [selected(String.raw`HKEY_USERS`)],
  },
  {
    what: 'a key by its path, which opens on the way',
    action: 'select-element',
    input: { ...tree, item: 'My Computer > HKEY_CURRENT_USER > Software > Wine' },
    expect: CONFIRMED,
    seen: [selected(String.raw`HKEY_CURRENT_USER\Software\Wine`)],
  },
  {
    what: 'a value of a key',
    action: 'select-element',
    given: [onKey('My Computer > HKEY_CURRENT_USER > Control Panel > Desktop')],
    input: { ...list, index: 2 },
    expect: CONFIRMED,
    seen: [{ see: 'answer', part: '#2003', ask: [LVM_GETNEXTITEM, -1, LVNI_SELECTED], is: 2 }],
  },
  {
    what: 'a key that is not there',
    action: 'select-element',
    given: [onKey('My Computer > HKEY_USERS')],
    input: { ...tree, item: 'My Computer > HKEY_NOBODY' },
    expect: refused('target_not_found'),
    seen: [selected(String.raw`HKEY_USERS`)],
  },
  {
    what: 'the values of a key',
    action: 'read-table',
    given: [onKey('My Computer > HKEY_CURRENT_USER > Control Panel > Desktop')],
    input: { ...list, count: 3 },
    expect: LOOKS,
    seen: [
      { see: 'value', holds: { columns: ['Name', 'Type', 'Data'] } },
      { see: 'answer', part: '#2003', ask: [LVM_GETNEXTITEM, -1, LVNI_SELECTED], is: -1 },
    ],
  },
  {
    what: 'an element that is not a field',
    action: 'type-into-element',
    input: { name: 'HKEY_USERS', text: 'x' },
    expect: refused('unsupported'),
    seen: [{ see: 'no window' }],
  },
  {
    what: 'a key by a click',
    action: 'virtual-mouse',
    given: [onKey('My Computer')],
    input: { action: 'click' },
    aims: { point: { at: { name: 'HKEY_CURRENT_CONFIG' } }, space: 'client' },
    expect: CONFIRMED,
    seen: [selected(String.raw`HKEY_CURRENT_CONFIG`)],
  },
  {
    what: 'a key by a click, by image coordinates',
    action: 'click',
    given: [onKey('My Computer')],
    aims: { point: { at: { name: 'HKEY_USERS' } }, space: 'image' },
    expect: CONFIRMED,
    seen: [selected(String.raw`HKEY_USERS`)],
  },
  {
    what: 'the next key by an arrow',
    action: 'key',
    given: [
      onKey('My Computer > HKEY_USERS'),
      { act: 'click-element', input: { name: 'HKEY_USERS', role: 'TreeItem' } },
    ],
    input: { keySequence: 'down' },
    expect: CONFIRMED,
    seen: [selected(String.raw`HKEY_CURRENT_CONFIG`)],
  },
  {
    what: 'the dialog of Ctrl+F',
    action: 'key',
    given: [onKey('My Computer')],
    input: { keySequence: 'ctrl+f' },
    expect: CONFIRMED,
    seen: [{ see: 'window' }],
  },
  {
    what: 'until a key appears',
    action: 'wait-for',
    given: [onKey('My Computer > HKEY_USERS')],
    input: { name: 'HKEY_CURRENT_USER', role: 'TreeItem' },
    expect: LOOKS,
    seen: [{ see: 'value', holds: { met: true } }, selected('HKEY_USERS')],
  },
];
