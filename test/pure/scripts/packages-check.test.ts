/** The checks of licences and of the lock file. */
import { describe, expect, it } from 'vitest';
import { licenceProblems, lockProblems } from '../../../scripts/lib/packages-check.mjs';

const lock = (packages: Record<string, object>) => ({ packages: { '': {}, ...packages } });

describe('licences', () => {
  it('match the list', () => {
    expect(
      licenceProblems(
        lock({
          'node_modules/a': { license: 'MIT' },
          'node_modules/b': { license: '(MIT OR GPL-3.0)' },
          'node_modules/c': { license: 'GPL-3.0', dev: true },
        }),
      ),
    ).toBeUndefined();
    expect(licenceProblems(lock({ 'node_modules/a': { license: 'GPL-3.0-only' } }))).toMatch(
      /^a: GPL-3.0-only is not in the list/,
    );
    expect(licenceProblems(lock({ 'node_modules/a': { license: 'MIT AND GPL-3.0-only' } }))).toMatch(/^a: /);
    expect(licenceProblems(lock({ 'node_modules/x/node_modules/a': {} }))).toBe('a: no licence is stated');
  });

  it('make an exception for libvips alone', () => {
    expect(
      licenceProblems(
        lock({
          'node_modules/@img/sharp-win32-x64': { license: 'Apache-2.0 AND LGPL-3.0-or-later' },
          'node_modules/@img/sharp-libvips-linux-x64': { license: 'LGPL-3.0-or-later' },
        }),
      ),
    ).toBeUndefined();
    expect(licenceProblems(lock({ 'node_modules/other': { license: 'LGPL-3.0-or-later' } }))).toMatch(/^other: /);
  });
});

it('the lock: pins every package and names no host', () => {
  expect(lockProblems(lock({ 'node_modules/a': { integrity: 'sha512-x' } }))).toBeUndefined();
  expect(
    lockProblems(lock({ 'node_modules/a': { integrity: 'sha512-x', resolved: 'https://registry.example/a.tgz' } })),
  ).toMatch(/registry\.example/);
  expect(lockProblems(lock({ 'node_modules/a': {} }))).toMatch(/^node_modules\/a: no integrity/);
});
