/** Which command runs which test file (scripts/lib/suites.mjs), and that no file falls out. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandOf, countsOnce, CORE, runsAlone, sortOf, testFiles } from '../../../scripts/lib/suites.mjs';

const files = testFiles();

describe('the two test commands', () => {
  it('run every test file but those of other registries', () => {
    expect(files.length).toBeGreaterThan(300);
    for (const file of files) expect(commandOf(file) === 'nightly', file).toBe(sortOf(file) === 'programs');
  });

  it('name only files that exist', () => {
    for (const file of CORE) expect(existsSync(file), file).toBe(true);
  });

  it('attack the overlay in every complete run, and while nothing else runs', () => {
    const attacks = 'test/e2e/overlay-attacks.test.ts';
    expect(commandOf(attacks)).toBe('node scripts/test.mjs --all');
    expect(files.filter(runsAlone)).toEqual(['test/e2e/catalogue.test.ts', attacks]);
    expect(files.filter(runsAlone).every(countsOnce)).toBe(true);
  });
});
