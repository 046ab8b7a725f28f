/** Names of seats, pools and jobs on the bus. */
import { assert, oneof, property, string as text } from 'fast-check';
import { expect, it } from 'vitest';
import { isName, jobIdOf, nameOf } from '../../../src/fleet/bus/names.ts';

const textOf = (name: string): string => decodeURIComponent(name.slice(2).replaceAll('=', '%'));
const plain = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

it('encodes each byte that a subject, a tag or a folder could not carry', () => {
  expect(nameOf('seat', 'Büro.1')).toBe('h_b=c3=bcro=2e1');
  expect(nameOf('pool', 'excel')).toBe('p_excel');
  expect(textOf('h_b=c3=bcro=2e1')).toBe('büro.1');
});

it('gives each text one name, back to its text, and no two texts the same', () => {
  const texts = oneof(text({ unit: 'binary', maxLength: 20 }), text({ maxLength: 60 }));
  assert(
    property(texts, texts, (one, other) => {
      const name = nameOf('seat', one);
      if (name === null) return;
      expect(isName(name)).toBe(true);
      expect(textOf(name)).toBe(plain(one));
      expect(nameOf('seat', other) === name).toBe(plain(other) === plain(one));
    }),
    { numRuns: 300 },
  );
});

it.each(['', 'x'.repeat(59), 'ü'.repeat(20), '\ud800'])('refuses %j', (text) => {
  expect(nameOf('seat', text)).toBeNull();
});

it('keeps a key that has the form of an id, and hashes others', () => {
  expect(jobIdOf('order-17_a')).toBe('order-17_a');
  expect(jobIdOf('order 17')).toMatch(/^k_[0-9a-f]{40}$/);
  expect(jobIdOf('order 17')).not.toBe(jobIdOf('order 18'));
});
