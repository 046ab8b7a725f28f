/** What the scripts use of a machine's own tools: Node, and the compiler's headers in the layouts that its packages have. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { findUiaHeaders } from '../../../scripts/build-fixtures.mjs';
import { toolNode } from '../../../scripts/lib/dependencies.mjs';

const folders: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

it.each([
  ['include', 'MSYS2'],
  ['x86_64-w64-mingw32/include', 'the images of hosted runners'],
])('the UI Automation headers are found in %s, as %s have them', (place) => {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-mingw-'));
  folders.push(folder);
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, place), { recursive: true });
  writeFileSync(join(folder, place, 'uiautomationclient.h'), 'typedef struct IUIAutomationElementVtbl {}');
  vi.stubEnv('UIAHOST_MINGW_INCLUDE', '');
  vi.stubEnv('UIAHOST_CACHE', folder);
  expect(findUiaHeaders(join(folder, 'bin', 'gcc.exe'))).toBe(join(folder, 'bin', '..', place));
});

it('an old Node on a processor that npm has no package for is named, with the cure', () => {
  expect(toolNode({ version: '24.1.0', arch: 'arm64' })).toBe(process.execPath);
  expect(toolNode({ version: '22.1.0', arch: 'x64' })).toContain('node_modules');
  expect(() => toolNode({ version: '22.1.0', arch: 'arm64' })).toThrow(
    /Node\.js 22\.1\.0.*arm64[^]*install Node\.js 24/,
  );
});
