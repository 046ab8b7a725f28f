/** Cells of a window that has no object model, by the grid that UI Automation shows. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import type { CellInput } from '../../../../src/contract/cells/sheet.ts';
import type { SheetPort } from '../../../../src/desktop/index.ts';
import { orGrid } from '../../../../src/win32/ports/grid-sheet.ts';
import { Elements, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { UiaCom } from '../support/uia-com.ts';

const none = (): Promise<never> => Promise.reject(new UiaHostError('unsupported', 'No object model.'));
const noModel: SheetPort = { info: none, read: none, before: none, write: none, select: none };
const com = new UiaCom();
let window: Fixture;
let elements: Elements;
let sheet: SheetPort;

beforeAll(async () => {
  window = await Fixture.start('sentinel', ['--x', '20', '--y', '20', '--width', '560', '--height', '540']);
});
afterAll(async () => {
  elements.port[Symbol.dispose]();
  await window[Symbol.asyncDispose]();
});
beforeEach(async () => {
  elements?.port[Symbol.dispose]();
  com.reset();
  com.configure({ graft: window.hwnd });
  elements = await Elements.bind(window.hwnd, { automation: com.factory });
  sheet = orGrid(noModel, elements.port);
});

const reading = { sheet: undefined, what: 'both', text: false, dates: 'iso', maxCells: 2000 } as const;
const read = (range: string | undefined, maxCells = 2000) =>
  sheet.read(elements.record, { ...reading, range, maxCells }, newCall());
const writing = { sheet: undefined, overwrite: true, expect: undefined };

describe('a grid without an object model', () => {
  it('[sheet.grid] its cells are read by their addresses, in parts, as text', async () => {
    expect(await read('A1:C2')).toMatchObject({
      sheet: 'Log',
      range: 'A1:C2',
      values: [
        ['12:00:00', 'info', 'Event number 0'],
        ['12:00:01', 'warning', 'Event number 1'],
      ],
      nextRange: null,
    });
    expect(await read('C:C', 2)).toMatchObject({ range: 'C1:C2', nextRange: 'C3:C100' });
    expect(await read(undefined, 6)).toMatchObject({ range: 'A1:C2', rows: 2, columns: 3, nextRange: 'A3:C100' });
    expect((await read('C84')).values).toEqual([['Event number 83']]);
  });

  it('[sheet.grid] cells that can be edited are written and read back', async () => {
    const { digest } = await read('C3:C4');
    const wanted = {
      ...writing,
      range: 'C3',
      values: [['first'], ['2026']],
      overwrite: false,
      expect: digest,
    };
    expect(
      await sheet.before(elements.record, { range: 'C3', sheet: undefined, write: wanted }, newCall()),
    ).toMatchObject({
      range: 'C3:C4',
      filled: 2,
      values: [['Event number 2'], ['Event number 3']],
    });
    const { value, outcome } = await sheet.write(elements.record, wanted, newCall());
    expect(value.written).toMatchObject({ range: 'C3:C4', written: 2, differing: [], saved: false });
    expect(outcome).toMatchObject({ effect: 'confirmed', delivery: 'uia-value', readBack: 'verified' });
    expect((await read('C2:C5')).values).toEqual([['Event number 1'], ['first'], ['2026'], ['Event number 4']]);
    await refusal(sheet.write(elements.record, wanted, newCall()), 'state_conflict');
  });

  it('[sheet.grid] requests beyond the grid’s abilities are refused before anything is changed', async () => {
    const before = await read('A1:C9');
    const write = (range: string, values: CellInput[][], more = {}): Promise<unknown> =>
      sheet.write(elements.record, { ...writing, range, values, ...more }, newCall());
    await refusal(write('B1', [['x', 'y']]), 'target_readonly');
    await refusal(write('C1', [['x'], ['=A1']]), 'unsupported');
    await refusal(write('C1', [[{ formula: '=A1' }]]), 'unsupported');
    await refusal(sheet.read(elements.record, { ...reading, range: 'A1', what: 'formulas' }, newCall()), 'unsupported');
    await refusal(write('C1', [['x']], { overwrite: false }), 'state_conflict');
    await refusal(write('C100', [['x'], ['y']]), 'invalid_argument');
    await refusal(write('D1', [['x']]), 'invalid_argument');
    await refusal(write('Total', [['x']]), 'invalid_argument');
    await refusal(read('Other!A1'), 'target_not_found');
    await refusal(read('selection'), 'unsupported');
    expect((await refusal(sheet.info(elements.record, newCall()), 'unsupported')).message).toContain('100 × 3');
    expect(await read('A1:C9')).toEqual(before);
  });

  it('[sheet.grid] a window without a grid answers as before', async () => {
    await using plain = await Fixture.start('panes');
    const bound = await Elements.bind(plain.hwnd);
    const port = orGrid(noModel, bound.port);
    const error = await refusal(port.read(bound.record, { ...reading, range: 'A1' }, newCall()), 'unsupported');
    expect(error.message).toBe('No object model.');
  });
});
