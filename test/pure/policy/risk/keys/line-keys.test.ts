/** What keys do to a line of input. */
import { expect, test } from 'vitest';
import { parseChord } from '../../../../../src/contract/keys/keys.ts';
import { pastes, pastesInTerminal } from '../../../../../src/policy/risk/keys/line-keys.ts';

test.each([
  ['ctrl+v', true, true],
  ['ctrl+shift+v', true, true],
  ['shift+insert', true, true],
  ['insert', false, true],
  ['ctrl+insert', false, true],
  // A redo in most programs; a shell pastes the last cut.
  ['ctrl+y', false, true],
  ['ralt+y', false, false],
  ['v', false, false],
  ['alt+v', false, false],
])('%s pastes into a field: %s; may paste in a terminal: %s', (chord, inField, inTerminal) => {
  expect([pastes(parseChord(chord)), pastesInTerminal(parseChord(chord))]).toEqual([inField, inTerminal]);
});
