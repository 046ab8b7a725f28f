/** Catalogue rows for a program whose controls are described by MSAA alone. */
import { CONFIRMED, refused, unverified, type Row } from '../row.ts';

const event = (name: string, more: object = {}) => ({ see: 'journal', event: { event: name, ...more } }) as const;
const silence = { see: 'silence' } as const;
/** The colour of what is checked or selected, and of what is not (accessible.c, draw). */
const LIT = 0xaadcaa;
const PLAIN = 0xd7e1f0;
const corner = (name: string) => ({ at: { name }, dx: 40, dy: -8 });

export const accessible: readonly Row[] = [
  {
    what: 'a button by its default action',
    action: 'click-element',
    input: { name: 'Go' },
    expect: unverified('nothing that the program shows changes'),
    seen: [event('default_action', { name: 'Go', how: 'msaa' })],
  },
  {
    what: 'a check box by its default action',
    action: 'click-element',
    input: { name: 'Subscribe' },
    expect: CONFIRMED,
    seen: [
      event('default_action', { name: 'Subscribe', checked: true }),
      { see: 'pixel', where: corner('Subscribe'), colour: LIT },
    ],
  },
  {
    what: 'an item is selected, not opened',
    action: 'click-element',
    input: { name: 'Apple' },
    expect: CONFIRMED,
    seen: [
      event('select', { name: 'Apple', how: 'msaa' }),
      { see: 'pixel', where: corner('Apple'), colour: LIT },
      { see: 'pixel', where: corner('Pear'), colour: PLAIN },
    ],
  },
  {
    what: 'a button of a nested object',
    action: 'click-element',
    input: { name: 'Deliver' },
    expect: unverified('nothing that the program shows changes'),
    seen: [event('default_action', { name: 'Deliver', object: 'Address' })],
  },
  {
    what: 'a disabled button',
    action: 'click-element',
    input: { name: 'Off' },
    expect: refused('target_disabled'),
    seen: [silence],
  },
  {
    what: 'an item by selecting it',
    action: 'select-element',
    input: { name: 'Pear' },
    expect: CONFIRMED,
    seen: [event('select', { name: 'Pear', how: 'msaa' }), { see: 'pixel', where: corner('Pear'), colour: LIT }],
  },
  {
    what: 'a field',
    action: 'type-into-element',
    input: { name: 'City', text: 'Graz 🦊 ’“' },
    expect: CONFIRMED,
    seen: [event('put_value', { name: 'City', text: 'Graz 🦊 ’“', how: 'msaa' })],
  },
  {
    what: 'a field, at the end of what it holds',
    action: 'type-into-element',
    input: { name: 'Street', text: '23', mode: 'append' },
    expect: CONFIRMED,
    seen: [event('put_value', { name: 'Street', text: 'Ring 123' })],
  },
  {
    what: 'a read-only field',
    action: 'type-into-element',
    input: { name: 'Serial', text: 'SN-6666' },
    expect: refused('target_readonly'),
    seen: [silence],
  },
  {
    what: 'a field that answers S_FALSE and does nothing',
    action: 'type-into-element',
    input: { name: 'Stubborn', text: 'changed' },
    expect: refused('unsupported', 'unknown'),
    seen: [event('put_value', { name: 'Stubborn', hresult: 1 })],
  },
  {
    what: 'a check box by its place',
    action: 'virtual-mouse',
    input: { action: 'click' },
    aims: { point: { at: { name: 'Subscribe' } }, space: 'client' },
    expect: CONFIRMED,
    seen: [
      event('default_action', { name: 'Subscribe', how: 'mouse' }),
      { see: 'pixel', where: corner('Subscribe'), colour: PLAIN },
    ],
  },
  {
    what: 'an item by its place',
    action: 'click',
    aims: { point: { at: { name: 'Apple' } }, space: 'image' },
    expect: CONFIRMED,
    seen: [event('select', { name: 'Apple', how: 'mouse' })],
  },
  {
    what: 'characters into the field that was clicked',
    action: 'virtual-keyboard',
    given: [{ act: 'virtual-mouse', input: { action: 'click', space: 'client', x: 200, y: 20 } }],
    input: { action: 'type', text: '!' },
    expect: CONFIRMED,
    seen: [event('put_value', { name: 'City', how: 'keyboard' })],
  },
  {
    what: 'an element that is not there',
    action: 'click-element',
    input: { name: 'Nobody' },
    expect: refused('target_not_found'),
    seen: [silence],
  },
];
