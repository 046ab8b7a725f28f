/** Catalogue rows for a program with its own UI Automation provider. */
import { CONFIRMED, refused, unverified, type Row } from '../row.ts';

const event = (name: string, more: object = {}) => ({ see: 'journal', event: { event: name, ...more } }) as const;
const silence = { see: 'silence' } as const;

/**
 * Wine reads such a tree but offers no patterns: clickable elements get a click at their place, the rest is refused.
 */
export const provider: readonly Row[] = [
  {
    what: 'a button',
    action: 'click-element',
    input: { name: 'OK' },
    expect: CONFIRMED,
    seen: [event('invoke', { id: 'btnOk' })],
  },
  {
    what: 'a check box',
    action: 'click-element',
    input: { automationId: 'chkAgree' },
    expect: CONFIRMED,
    seen: [event('toggle', { id: 'chkAgree', state: 1 })],
  },
  {
    what: 'an item of a list',
    action: 'click-element',
    input: { name: 'Green' },
    expect: CONFIRMED,
    seen: [event('select', { id: 'itGreen', selected: true })],
  },
  {
    what: 'a disabled button',
    action: 'click-element',
    input: { name: 'Off' },
    expect: refused('target_disabled'),
    seen: [silence],
  },
  {
    what: 'an element that is not there',
    action: 'click-element',
    input: { automationId: 'btnNone' },
    expect: refused('target_not_found'),
    seen: [silence],
  },
  {
    what: 'a field',
    action: 'type-into-element',
    input: { automationId: 'txtName', text: 'Grace' },
    expect: refused('unsupported'),
    seen: [silence],
  },
  {
    what: 'a button by its place',
    action: 'click',
    aims: { point: { at: { id: 'btnOk' } }, space: 'image' },
    expect: CONFIRMED,
    seen: [event('invoke', { id: 'btnOk', how: 'mouse' })],
  },
  {
    what: 'a list item by its place in the client area',
    action: 'virtual-mouse',
    input: { action: 'click' },
    aims: { point: { at: { id: 'itBlue' } }, space: 'client' },
    expect: CONFIRMED,
    seen: [event('select', { id: 'itBlue', how: 'mouse' })],
  },
  {
    what: 'characters into the field that was clicked',
    action: 'virtual-keyboard',
    given: [{ act: 'virtual-mouse', input: { action: 'click', space: 'client', x: 195, y: 22 } }],
    input: { action: 'type', text: '!' },
    expect: unverified(
      'typing is confirmed by the text that is read back alone, and this field draws itself: Wine passes on no patterns, so that its text cannot be read',
    ),
    seen: [event('set_value', { id: 'txtName', how: 'keyboard' })],
  },
];
