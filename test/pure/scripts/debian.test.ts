/** The Debian mirror from which the scripts fetch packages. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { debianMirror } from '../../../scripts/lib/debian.mjs';

describe('the Debian mirror', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  function machine(files: Record<string, string>): string {
    const etc = mkdtempSync(join(tmpdir(), 'uiahost-apt-'));
    folders.push(etc);
    mkdirSync(join(etc, 'sources.list.d'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(etc, name), text);
    return etc;
  }

  it('is the machine’s own, in the newer format', () => {
    const etc = machine({
      'sources.list.d/debian.sources': `Types: deb
# a comment between the fields
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main
`,
    });
    expect(debianMirror(etc)).toBe('http://mirror.example/debian');
  });

  it('is the machine’s own, in the older format', () => {
    const etc = machine({
      'sources.list':
        '# deb http://old.example/debian bookworm main\ndeb [arch=amd64 signed-by=/x.gpg] https://mirror.example/debian trixie main contrib\n',
    });
    expect(debianMirror(etc)).toBe('https://mirror.example/debian');
  });

  it('is never a mirror for security updates, or for another distribution', () => {
    const etc = machine({
      'sources.list':
        'deb http://archive.ubuntu.example/ubuntu noble main\ndeb http://security.example/debian-security bookworm-security main\n',
    });
    expect(() => debianMirror(etc)).toThrow(/no Debian mirror/);
  });
});
