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
    ['LVM_', 'drivers/list-view/'],
    ['TVM_', 'drivers/tree-view.ts'],
    ['EM_', 'drivers/edit.ts'],
    ['LB_', 'drivers/list-box.ts'],
    ['(?:CB|CBEM)_', 'drivers/combo.ts'],
    ['BM_', 'drivers/button.ts'],
    ['TCM_', 'drivers/tab.ts'],
    ['TB_(?!THUMB|END)', 'drivers/tool-bar.ts'],
    ['HDM_', 'drivers/header.ts'],
    ['(?:RB_|SB_(?:GET|IS|SET))', 'drivers/bars.ts'],
    ['LM_', 'drivers/link.ts'],
    ['(?:(?:TBM|UDM|SBM|PBM)_|TB_(?:THUMB|END)|SB_(?:LINE|PAGE|THUMB|END))', 'drivers/position.ts'],
    ['(?:DTM|MCM|HKM|IPM)_', 'drivers/picker.ts'],
  ])('%s: %s', (prefix, driver) => {
    const name = new RegExp(String.raw`\b${prefix}[A-Z]`);
    const elsewhere = SOURCES.filter(({ file, code }) => name.test(code) && !file.startsWith(driver));
    expect(elsewhere.map(({ file }) => file)).toEqual([]);
    expect(SOURCES.some(({ file, code }) => file.startsWith(driver) && name.test(code))).toBe(true);
  });
});
