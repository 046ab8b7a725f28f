/** Catalogue rows for a program whose controls are described by MSAA alone. */
import { CONFIRMED, refused, unverified, row, type Row } from '../row.ts';

const event = (name: string, more: object = {}) => ({ see: 'journal', event: { event: name, ...more } }) as const;
const silence = { see: 'silence' } as const;
/** The colour of what is checked or selected, and of what is not (accessible.c, draw). */
const LIT = 0xaadcaa;
const PLAIN = 0xd7e1f0;
const corner = (name: string) => ({ at: { name }, dx: 40, dy: -8 });

export const accessible: readonly Row[] = [
  row(
    'a button by its default action',
    'click-element',
    { name: 'Go' },
    unverified('nothing that the program shows changes'),
    [event('default_action', { name: 'Go', how: 'msaa' })],
  ),
  row('a check box by its default action', 'click-element', { name: 'Subscribe' }, CONFIRMED, [
    event('default_action', { name: 'Subscribe', checked: true }),
    { see: 'pixel', where: corner('Subscribe'), colour: LIT },
  ]),
  row('an item is selected, not opened', 'click-element', { name: 'Apple' }, CONFIRMED, [
    event('select', { name: 'Apple', how: 'msaa' }),
    { see: 'pixel', where: corner('Apple'), colour: LIT },
    { see: 'pixel', where: corner('Pear'), colour: PLAIN },
  ]),
  row(
    'a button of a nested object',
    'click-element',
    { name: 'Deliver' },
    unverified('nothing that the program shows changes'),
    [event('default_action', { name: 'Deliver', object: 'Address' })],
  ),
  row('a disabled button', 'click-element', { name: 'Off' }, refused('target_disabled'), [silence]),
  row('an item by selecting it', 'select-element', { name: 'Pear' }, CONFIRMED, [
    event('select', { name: 'Pear', how: 'msaa' }),
    { see: 'pixel', where: corner('Pear'), colour: LIT },
  ]),
  row('a field', 'type-into-element', { name: 'City', text: 'Graz 🦊 ’“' }, CONFIRMED, [
    event('put_value', { name: 'City', text: 'Graz 🦊 ’“', how: 'msaa' }),
  ]),
  row(
    'a field, at the end of what it holds',
    'type-into-element',
    { name: 'Street', text: '23', mode: 'append' },
    CONFIRMED,
    [event('put_value', { name: 'Street', text: 'Ring 123' })],
  ),
  row('a read-only field', 'type-into-element', { name: 'Serial', text: 'SN-6666' }, refused('target_readonly'), [
    silence,
  ]),
  row(
    'a field that answers S_FALSE and does nothing',
    'type-into-element',
    { name: 'Stubborn', text: 'changed' },
    refused('unsupported', 'unknown'),
    [event('put_value', { name: 'Stubborn', hresult: 1 })],
  ),
  row(
    'a check box by its place',
    'virtual-mouse',
    { action: 'click' },
    CONFIRMED,
    [
      event('default_action', { name: 'Subscribe', how: 'mouse' }),
      { see: 'pixel', where: corner('Subscribe'), colour: PLAIN },
    ],
    { aims: { point: { at: { name: 'Subscribe' } }, space: 'client' } },
  ),
  row('an item by its place', 'click', {}, CONFIRMED, [event('select', { name: 'Apple', how: 'mouse' })], {
    aims: { point: { at: { name: 'Apple' } }, space: 'image' },
  }),
  row(
    'characters into the field that was clicked',
    'virtual-keyboard',
    { action: 'type', text: '!' },
    CONFIRMED,
    [event('put_value', { name: 'City', how: 'keyboard' })],
    { given: [{ act: 'virtual-mouse', input: { action: 'click', space: 'client', x: 200, y: 20 } }] },
  ),
  row('an element that is not there', 'click-element', { name: 'Nobody' }, refused('target_not_found'), [silence]),
];
