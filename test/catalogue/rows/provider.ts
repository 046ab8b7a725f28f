/** Catalogue rows for a program with its own UI Automation provider. */
import { CONFIRMED, refused, unverified, row, type Row } from '../row.ts';

const event = (name: string, more: object = {}) => ({ see: 'journal', event: { event: name, ...more } }) as const;
const silence = { see: 'silence' } as const;

/**
 * Wine reads such a tree but offers no patterns: clickable elements get a click at their place, the rest is refused.
 */
export const provider: readonly Row[] = [
  row('a button', 'click-element', { name: 'OK' }, CONFIRMED, [event('invoke', { id: 'btnOk' })]),
  row('a check box', 'click-element', { automationId: 'chkAgree' }, CONFIRMED, [
    event('toggle', { id: 'chkAgree', state: 1 }),
  ]),
  row('an item of a list', 'click-element', { name: 'Green' }, CONFIRMED, [
    event('select', { id: 'itGreen', selected: true }),
  ]),
  row('a disabled button', 'click-element', { name: 'Off' }, refused('target_disabled'), [silence]),
  row('an element that is not there', 'click-element', { automationId: 'btnNone' }, refused('target_not_found'), [
    silence,
  ]),
  row('a field', 'type-into-element', { automationId: 'txtName', text: 'Grace' }, refused('unsupported'), [silence]),
  row('a button by its place', 'click', {}, CONFIRMED, [event('invoke', { id: 'btnOk', how: 'mouse' })], {
    aims: { point: { at: { id: 'btnOk' } }, space: 'image' },
  }),
  row(
    'a list item by its place in the client area',
    'virtual-mouse',
    { action: 'click' },
    CONFIRMED,
    [event('select', { id: 'itBlue', how: 'mouse' })],
    { aims: { point: { at: { id: 'itBlue' } }, space: 'client' } },
  ),
  row(
    'characters into the field that was clicked',
    'virtual-keyboard',
    { action: 'type', text: '!' },
    unverified(
      'typing is confirmed by the text that is read back alone, and this field draws itself: Wine passes on no patterns, so that its text cannot be read',
    ),
    [event('set_value', { id: 'txtName', how: 'keyboard' })],
    { given: [{ act: 'virtual-mouse', input: { action: 'click', space: 'client', x: 195, y: 22 } }] },
  ),
];
