/** The messages of a kind of control stand in its driver alone, so that a finding about it is mended in one file. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOM = path.resolve(import.meta.dirname, '../../../../src/win32');
const SOURCES = readdirSync(ROOM, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({
    file: file.replaceAll('\\', '/'),
    // Comments and texts may name a message.
    code: readFileSync(path.join(ROOM, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'[^'\n]*'|`[^`]*`/g, ''),
  }));

describe('the messages of a control stand in one driver', () => {
  test.each([
    ['LVM', 'drivers/list-view/'],
    ['TVM', 'drivers/tree-view.ts'],
    ['LB', 'drivers/list-box.ts'],
    ['CB', 'drivers/combo.ts'],
    ['CBEM', 'drivers/combo.ts'],
    ['BM', 'drivers/button.ts'],
    ['TCM', 'drivers/tab.ts'],
    ['TB_(?:GET|CHECK|BUTTON)', 'drivers/tool-bar.ts'],
    ['HDM', 'drivers/header.ts'],
    ['RB', 'drivers/bars.ts'],
    ['LM', 'drivers/link.ts'],
    ['PBM', 'drivers/position.ts'],
    ['HKM', 'drivers/picker.ts'],
  ])('%s: %s', (prefix, driver) => {
    const name = new RegExp(String.raw`\b${prefix.includes('_') ? prefix : `${prefix}_`}[A-Z]`);
    const elsewhere = SOURCES.filter(({ file, code }) => name.test(code) && !file.startsWith(driver));
    expect(elsewhere.map(({ file }) => file)).toEqual([]);
    expect(SOURCES.some(({ file, code }) => file.startsWith(driver) && name.test(code))).toBe(true);
  });
});
