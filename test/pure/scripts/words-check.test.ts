/** The check that comments and titles use plain words: which phrases it finds, and where it does not look. */
import { expect, test } from 'vitest';
import { promiseFaults, titleFaults, wordFaults } from '../../../scripts/lib/words-check.mjs';

test.each([
  ['a block', '/** Whoever gets one disposes of it. */\n', 'Whoever'],
  ['a phrase across lines', '/**\n * Waits for\n * so long.\n */\n', 'for so long'],
  ['a line', '  // it stands at the end\n', 'stands'],
  ['a second line', '// Plain words.\n// Nobody reads them.\n', 'Nobody'],
  ['the end of a clause', '/** The file stays as it is. */\n', 'as it is'],
  ['a sentence without its subject', '/** A list. Of others nothing is read. */\n', '. Of'],
  ['a missing noun', '// Keeps those that another process holds.\n', 'those that'],
  ['a clause as a noun', '/** Returns what is known of a window. */\n', 'what is known'],
])('finds %s', (_where, text, found) => expect(wordFaults(text)).toEqual([expect.stringContaining(`“${found}”`)]));

test.each([
  ['code', "const text = 'nobody stands beside it';\n"],
  ['quoted words', '/** Says `nobody`, “anew” and "for ever". */\n'],
  ['a term of the field', '/** The chord that a ref stands for, as far as it is known, if there is no other. */\n'],
])('leaves %s alone', (_what, text) => expect(wordFaults(text)).toEqual([]));

test.each([
  ['a test', "it('[a.b] of a session its oldest go', () => {});\n", 'of'],
  ['a group', "describe('one that waits', () => {\n", 'one that'],
  ['a table’s test', "test.each([\n  ['a', f('x')],\n])\u0028'%s: the outcome says so', () => {});\n", 'says so'],
])('finds the title of %s', (_what, text, found) => {
  expect(titleFaults(text)).toEqual([expect.stringContaining(`“${found}”`)]);
});

test('leaves titles of plain words and other strings alone', () => {
  expect(titleFaults("it('exactly one of several calls runs', () => {\n  const text = 'one that';\n});\n")).toEqual([]);
});

const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');

test.each([
  ['a promise', (count: number) => `- ${words(count)}\n`],
  ['a row', (count: number) => `| ${words(count - 1)} | word |\n`],
  ['a paragraph', words],
])('finds %s of more than 60 words', (_what, of) => {
  expect(promiseFaults(of(60))).toEqual([]);
  expect(promiseFaults(of(61))).toHaveLength(1);
});

test('finds a page of more than 9,000 words', () => {
  const page = (count: number): string => 'word\n'.repeat(count);
  expect(promiseFaults(page(9000))).toEqual([]);
  expect(promiseFaults(page(9001))).toHaveLength(1);
});
