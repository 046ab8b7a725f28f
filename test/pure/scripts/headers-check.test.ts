/** The check that each source file begins with a line that says what it is for. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { headerFault, headerProblems } from '../../../scripts/lib/headers-check.mjs';

const base = mkdtempSync(path.join(tmpdir(), 'uiahost-headers-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

test.each([
  '/** Reads what others write. */\nimport x from "x";\n',
  '#!/usr/bin/env node\n// Starts the whole program.\n',
  '// @ts-nocheck\n/* Declares the shapes. */\n',
  '// cc: -municode\n/*\n * Sends one command.\n */\n#include <windows.h>\n',
])('accepts %j', (text) => expect(headerFault(text)).toBeNull());

test.each([
  'import x from "x";\n/** Reads what others write. */\n',
  '#!/usr/bin/env node\nimport x from "x";\n',
  '// @ts-nocheck because of the generated shapes\nimport x from "x";\n',
  '/** keyboard */\nimport x from "x";\n',
  '',
])('refuses %j', (text) => expect(headerFault(text)).not.toBeNull());

test('names each file below a folder that has none, and leaves generated files out', async () => {
  mkdirSync(path.join(base, 'src/deep'), { recursive: true });
  writeFileSync(path.join(base, 'src/good.ts'), '/** Adds two numbers. */\n');
  writeFileSync(path.join(base, 'src/deep/bad.ts'), 'export {};\n');
  writeFileSync(path.join(base, 'src/made.generated.ts'), 'export {};\n');
  writeFileSync(path.join(base, 'src/data.json'), '{}\n');
  expect(await headerProblems(['src'], base)).toBe('src/deep/bad.ts begins without a comment that says what it is for');
  rmSync(path.join(base, 'src/deep'), { recursive: true });
  expect(await headerProblems(['src'], base)).toBeUndefined();
});
