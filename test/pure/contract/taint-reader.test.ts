/** The reader that finds other programs’ words in our texts finds them in every form. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assertUntainted, PLANTED_VARIABLES, taintBelow, taintIn } from '../../support/taint.ts';

const SECRET = 'Grünspan "4711" – geheim';

// The reader of the taint tests must not miss everything.
describe('the reader of the taint tests', () => {
  it('finds a text in every form that a file could carry', () => {
    const bytes = Buffer.from(SECRET);
    for (const form of [
      `x${SECRET}y`,
      JSON.stringify({ a: SECRET }),
      encodeURIComponent(SECRET),
      Buffer.concat([Buffer.from([1, 2]), Buffer.from(SECRET, 'utf16le')]),
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      Buffer.from(SECRET, 'utf16le').toString('base64'),
      ...(['base64', 'base64url'] as const).flatMap((encoding) =>
        ['', 'a', 'ab', 'abc'].map((before) => Buffer.from(`${before}${SECRET} and more`).toString(encoding)),
      ),
    ])
      expect(taintIn(form, [SECRET]), String(form)).toEqual([SECRET]);
    expect(taintIn('nothing of it', [SECRET])).toEqual([]);
  });

  it('names the file, and leaves the token files alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'uiahost-taint-'));
    try {
      mkdirSync(join(folder, 'deep', 'er'), { recursive: true });
      writeFileSync(join(folder, 'agent.token'), SECRET);
      writeFileSync(join(folder, 'deep', 'er', 'file.bin'), Buffer.from(SECRET, 'utf16le'));
      expect(taintBelow(folder, [SECRET])).toEqual([`${join('deep', 'er', 'file.bin')}: ${SECRET}`]);
      expect(() => assertUntainted(folder, [SECRET])).toThrow(/file\.bin/);
      rmSync(join(folder, 'deep'), { recursive: true });
      assertUntainted(folder, [SECRET]);
      writeFileSync(join(folder, 'host.log'), PLANTED_VARIABLES['PLANTED_API_KEY'] ?? '');
      expect(() => assertUntainted(folder, [SECRET])).toThrow(/host\.log/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
