/** Editing one cell of a list view or grid in place. */
import { describe, expect, it } from 'vitest';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { CellWrite, Done } from '../../../../src/desktop/index.ts';
import { bare, Elements, journaled, refusal } from '../support/elements.ts';
import { Fixture, newCall } from '../support/programs.ts';
import { com, elements, graftEach } from '../support/grafted.ts';

const LIST = { automationId: '308' };

async function write(elements: Elements, of: { automationId: string }, wanted: CellWrite): Promise<Done<boolean>> {
  return elements.port.writeCell(elements.record, await elements.ref(of, 'look'), wanted, newCall());
}

async function names(elements: Elements): Promise<string[]> {
  const ref = await elements.ref(LIST, 'look');
  const { rows } = await elements.port.readTable(elements.record, ref, { from: 0, count: 10 }, newCall());
  return rows.map(({ cells }) => cells[0]!);
}

describe('labels of a list view', () => {
  it('a row of the first column is renamed in place; the program’s own journal has it', async () => {
    await using other = await Fixture.start('sentinel', ['--x', '700', '--y', '400', '--activate']);
    await using fixture = await Fixture.start('panes');
    const elements = await Elements.bind(fixture.hwnd);
    const { value, outcome } = await write(elements, LIST, {
      row: 1,
      column: 'name',
      text: 'Größe 🦁',
      expect: 'Colour',
    });
    expect(await journaled(fixture, 'label')).toMatchObject({ row: 1, text: 'Größe 🦁', taken: true });
    expect({ value, ...outcome }).toMatchObject({
      value: true,
      effect: 'confirmed',
      delivery: 'message',
      readBack: 'verified',
      evidence: [{ kind: 'value', before: 'Colour', after: 'Größe 🦁' }],
    });
    // Wine gives the foreground along with the focus: it is restored, and both are reported.
    expect(outcome.focusChanged).toBe(outcome.details?.['foreground'] !== undefined);
    expect(user32.GetForegroundWindow()).toBe(other.hwnd);
    expect(await names(elements)).toEqual(['(Default)', 'Größe 🦁', 'Size']);
    expect((await write(elements, LIST, { row: 0, column: 0, text: 'Standard' })).value).toBe(true);
    expect(await names(elements)).toEqual(['Standard', 'Größe 🦁', 'Size']);
    const again = await write(elements, LIST, { row: 0, column: 0, text: 'Standard' });
    expect(again).toMatchObject({ value: true, outcome: { effect: 'none', readBack: 'verified' } });
  });

  it('a text that the program does not take is not reported as written', async () => {
    await using fixture = await Fixture.start('panes');
    const elements = await Elements.bind(fixture.hwnd);
    const { value, outcome } = await write(elements, LIST, { row: 0, column: 0, text: 'Colour' });
    expect(await journaled(fixture, 'label')).toMatchObject({ text: 'Colour', taken: false });
    expect({ value, ...outcome }).toMatchObject({ value: false, effect: 'none', readBack: 'mismatch' });
    expect(await names(elements)).toEqual(['(Default)', 'Colour', 'Size']);
  });

  it('[cell.refused] a cell that cannot be edited is refused, and nothing is changed', async () => {
    await using fixture = await Fixture.start('panes');
    const elements = await Elements.bind(fixture.hwnd);
    const at = (wanted: Partial<CellWrite>): Promise<unknown> =>
      write(elements, LIST, { row: 0, column: 0, text: 'x', ...wanted });
    expect((await refusal(at({ row: 3 }), 'target_not_found')).message).toContain('has 3 rows');
    expect((await refusal(at({ column: 2 }), 'target_not_found')).message).toContain('has 2 columns');
    expect((await refusal(at({ column: 'Nmae' }), 'target_not_found')).suggestions).toEqual(['Name']);
    expect((await refusal(at({ column: 'Data' }), 'unsupported')).message).toContain('first column');
    expect((await refusal(at({ expect: 'Default' }), 'state_conflict')).message).toContain('“(Default)”');
    expect((await refusal(at({ row: 2 }), 'target_readonly')).delivery).toBe('not_delivered');
    await refusal(write(elements, { automationId: '307' }, { row: 0, column: 0, text: 'x' }), 'unsupported');
    expect(fixture.journal().filter(({ event }) => event === 'label')).toEqual([]);
    expect(await names(elements)).toEqual(['(Default)', 'Colour', 'Size']);
  });

  it('[cell.refused] a list whose program forbids editing is read-only', async () => {
    await using fixture = await Fixture.start('controls');
    const elements = await Elements.bind(fixture.hwnd);
    await refusal(write(elements, { automationId: '242' }, { row: 5, column: 0, text: 'x' }), 'target_readonly');
  });
});

bare(describe)('cells of a grid of UI Automation', () => {
  const GRID = { automationId: 'grdLog' };
  graftEach();

  const cell = async (row: number): Promise<ReadonlyArray<string | null>> => {
    const ref = await elements.ref(GRID, 'look');
    const table = await elements.port.readTable(elements.record, ref, { from: row, count: 1 }, newCall());
    return table.rows[0]!.cells;
  };

  it('a cell is set by its Value pattern and read back, a virtual row too', async () => {
    for (const [row, column] of [
      [2, 2],
      [73, 'Message'],
    ] as const) {
      const { value, outcome } = await write(elements, GRID, {
        row,
        column,
        text: `seen ${row}`,
        expect: `Event number ${row}`,
      });
      expect({ value, ...outcome }).toMatchObject({
        value: true,
        effect: 'confirmed',
        delivery: 'uia-value',
        readBack: 'verified',
        evidence: [{ before: `Event number ${row}`, after: `seen ${row}` }],
      });
      expect((await cell(row))[2]).toBe(`seen ${row}`);
      expect((await cell(row + 1))[2]).toBe(`Event number ${row + 1}`);
    }
  });

  it('[cell.refused] a read-only cell is not overwritten, and a cell that does not exist is refused', async () => {
    const before = await cell(4);
    await refusal(write(elements, GRID, { row: 4, column: 'Time', text: 'x' }), 'target_readonly');
    await refusal(write(elements, GRID, { row: 100, column: 2, text: 'x' }), 'target_not_found');
    await refusal(write(elements, GRID, { row: 4, column: 3, text: 'x' }), 'target_not_found');
    await refusal(write(elements, GRID, { row: 4, column: 2, text: 'x', expect: 'other' }), 'state_conflict');
    await refusal(write(elements, { automationId: 'btnOk' }, { row: 0, column: 0, text: 'x' }), 'unsupported');
    expect(await cell(4)).toEqual(before);
  });

  it('nothing of the program’s is kept once the port has ended', () => {
    elements.port[Symbol.dispose]();
    expect(com.liveByInterface()).toMatchObject({ IUIAutomationElement: [0, expect.any(Number) as number] });
  });
});
