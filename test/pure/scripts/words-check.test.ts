/** The check that comments use plain words: which phrases it finds, and where it does not look. */
import { expect, test } from 'vitest';
import { wordFaults } from '../../../scripts/lib/words-check.mjs';

test.each([
  ['a block', '/** Whoever gets one disposes of it. */\n', 'Whoever'],
  ['a phrase across lines', '/**\n * Waits for\n * so long.\n */\n', 'for so long'],
  ['a line', '  // it stands at the end\n', 'stands'],
  ['a second line', '// Plain words.\n// Nobody reads them.\n', 'Nobody'],
  ['the end of a clause', '/** The file stays as it is. */\n', 'as it is'],
])('finds %s', (_where, text, found) => {
  expect(wordFaults(text)).toEqual([expect.stringContaining(`“${found}”`)]);
});

test.each([
  ['code', "const text = 'nobody stands beside it';\n"],
  ['quoted words', '/** Says `nobody`, “anew” and "for ever". */\n'],
  ['a term of the field', '/** The chord that a ref stands for, as far as it is known, if there is no other. */\n'],
])('leaves %s alone', (_what, text) => {
  expect(wordFaults(text)).toEqual([]);
});
