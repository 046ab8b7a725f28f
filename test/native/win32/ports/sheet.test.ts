/** The port of spreadsheets against workbook.exe: references, memory, and calls that no one waits for any more. */
import { describe, expect, test, vi } from 'vitest';
import { comRefsAlive } from '../../../../native-bindings/com/com-ref.ts';
import { oleaut32 } from '../../../../native-bindings/win32/oleaut32.ts';
import type { BindingRecord } from '../../../../src/contract/element/binding.ts';
import type { CellInput } from '../../../../src/contract/cells/sheet.ts';
import { createSheetPort } from '../../../../src/win32/ports/sheet.ts';
import { until } from '../../../support/until.ts';
import { createPorts } from '../support/ports.ts';
import { Fixture, newCall } from '../support/programs.ts';

const { binding } = createPorts();
const bound = (fixture: Fixture): Promise<BindingRecord> => binding.find({ hwnd: String(fixture.hwnd) }, newCall());

const write = (range: string, values: CellInput[][]) => ({
  sheet: 'Data',
  range,
  values,
  overwrite: true,
  expect: undefined,
});
/** As the gate asks. */
const aimOf = ({ sheet, range, ...put }: Omit<ReturnType<typeof write>, 'sheet'> & { sheet: string | undefined }) => ({
  sheet,
  range,
  write: put,
});
const read = (range: string) =>
  ({ sheet: 'Data', range, what: 'both', text: false, dates: 'iso', maxCells: 10_000 }) as const;

async function liveObjects(fixture: Fixture): Promise<number> {
  const live = (): number => Number(fixture.journal().findLast(({ event }) => event === 'live')?.['objects'] ?? -1);
  await until(async () => {
    await fixture.tell('live');
    return live() === 0;
  }, 'the release of all objects').catch(() => undefined);
  return live();
}

describe('[sheet.in-book] what a call reaches', () => {
  test('a name that leads to another workbook is neither read nor written', async () => {
    await using fixture = await Fixture.start('workbook', ['--books', '2']);
    await fixture.tell('book 1');
    await fixture.tell('name Outside =[Book2.xlsx]Data!A1');
    await fixture.tell('name Inside =Data!A1');
    const record = await bound(fixture);
    using sheet = createSheetPort();
    const refused = { code: 'invalid_argument', message: expect.stringContaining('Book2.xlsx') };
    await expect(sheet.read(record, { ...read('Outside'), sheet: undefined }, newCall())).rejects.toMatchObject(
      refused,
    );
    const wanted = { ...write('Outside', [['x']]), sheet: undefined };
    await expect(sheet.write(record, wanted, newCall())).rejects.toMatchObject(refused);
    await expect(sheet.before(record, aimOf(wanted), newCall())).rejects.toMatchObject(refused);
    expect(fixture.journal().filter(({ event }) => event === 'changed')).toEqual([]);
    expect(await sheet.read(record, { ...read('Inside'), sheet: undefined }, newCall())).toMatchObject({
      sheet: 'Data',
    });
  });

  test('a formula with more names than are judged is refused', { timeout: 120_000 }, async () => {
    await using fixture = await Fixture.start('workbook');
    const names = Array.from({ length: 66 }, (_, at) => `N_${at}x`);
    for (const [at, name] of names.entries()) await fixture.tell(`name ${name} =${names[at + 1] ?? 'Data!A1'}`);
    const record = await bound(fixture);
    using sheet = createSheetPort();
    await expect(sheet.write(record, write('A1', [[{ formula: `=${names[0]}` }]]), newCall())).rejects.toMatchObject({
      code: 'blocked_by_policy',
      delivery: 'not_delivered',
    });
  });

  test('a hidden sheet is named as hidden, for the card and in answers', async () => {
    await using fixture = await Fixture.start('workbook');
    const record = await bound(fixture);
    using sheet = createSheetPort();
    const hidden = { ...write('A1', [['x']]), sheet: 'Hidden' };
    expect(await sheet.before(record, aimOf(hidden), newCall())).toMatchObject({ hidden: true });
    expect(await sheet.write(record, hidden, newCall())).toMatchObject({ value: { written: { hidden: true } } });
    expect(await sheet.read(record, { ...read('A1'), sheet: 'Hidden' }, newCall())).toMatchObject({ hidden: true });
    expect(await sheet.read(record, read('A1'), newCall())).not.toHaveProperty('hidden');
  });
});

describe('references', () => {
  test('are all released: after reads, writes, refusals, and a busy program', async () => {
    await using fixture = await Fixture.start('workbook');
    const record = await bound(fixture);
    using sheet = createSheetPort();
    const before = comRefsAlive();
    await sheet.write(
      record,
      write('A1', [
        ['a', 1],
        [{ formula: '=B1' }, true],
      ]),
      newCall(),
    );
    await sheet.read(record, read('A1:B2'), newCall());
    await sheet.info(record, newCall());
    await expect(sheet.read(record, read('Nothing'), newCall())).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(sheet.write(record, write('A5', [[{ formula: '=(' }]]), newCall())).rejects.toMatchObject({
      code: 'invalid_argument',
      delivery: 'not_delivered',
    });
    await fixture.tell('refuse filter 1200');
    await expect(sheet.read(record, read('A1'), newCall({ deadlineMs: 700 }))).rejects.toMatchObject({
      code: 'state_conflict',
    });
    await until(() => comRefsAlive() === before, 'the release of all references');
    expect(await liveObjects(fixture)).toBe(0);
  });

  test('objects that are kept for the next action are asked for again where the program has ended them', async () => {
    await using fixture = await Fixture.start('workbook');
    const record = await bound(fixture);
    using sheet = createSheetPort();
    const alive = comRefsAlive();
    await sheet.read(record, read('A1'), newCall());
    expect(comRefsAlive(), 'window, workbook, sheets').toBe(alive + 3);
    await fixture.tell('disconnect');
    expect(await sheet.read(record, read('A1'), newCall())).toMatchObject({ range: 'A1' });
    await until(() => comRefsAlive() === alive, 'the release of all references');
    expect(await liveObjects(fixture)).toBe(0);
  });

  test('objects that the gate reads for a judgement are released at its end', async () => {
    await using fixture = await Fixture.start('workbook');
    const record = await bound(fixture);
    using sheet = createSheetPort();
    const alive = comRefsAlive();
    const wanted = write('A1', [['a', 1]]);
    const aim = { sheet: wanted.sheet, range: wanted.range, write: wanted };
    expect(await sheet.before(record, aim, newCall())).toMatchObject({ range: 'A1:B1', values: [[null, null]] });
    await until(() => comRefsAlive() === alive, 'the release of all references');
    expect(await liveObjects(fixture)).toBe(0);
  });

  test('[sheet.person] a person types after the cells were read for a write: they are read again before it', async () => {
    await using fixture = await Fixture.start('workbook');
    const record = await bound(fixture);
    using sheet = createSheetPort();
    // A person begins to type between the reading and the write.
    await fixture.tell('edit-at Hidden');
    const writing = sheet.write(record, write('A1', [['a', 1]]), newCall());
    await until(() => fixture.journal().some(({ event }) => event === 'editing'), 'the edit');
    await fixture.tell('set Data!A1 typed');
    await fixture.tell('ready');
    expect(await writing).toMatchObject({
      value: { before: { values: [['typed', null]], filled: 1 }, written: { differing: [] } },
      outcome: { effect: 'confirmed', delivery: 'object-model' },
    });
    expect(await liveObjects(fixture)).toBe(0);
  });

  test('an abandoned call ends before the next, and leaves nothing behind', async () => {
    await using fixture = await Fixture.start('workbook');
    const record = await bound(fixture);
    using sheet = createSheetPort();
    await sheet.read(record, read('A1'), newCall());
    await fixture.tell('hang-for 2500');
    await fixture.tell('hang-at UsedRange');
    const late = sheet.read(record, { ...read('A1'), range: undefined }, newCall({ deadlineMs: 900 }));
    await expect(late).rejects.toMatchObject({ code: 'window_hung', delivery: 'not_delivered' });
    await expect(sheet.read(record, read('A1'), newCall({ deadlineMs: 600 }))).rejects.toMatchObject({
      code: 'window_hung',
    });
    expect(await sheet.read(record, read('A1'), newCall())).toMatchObject({ range: 'A1' });
    expect(await liveObjects(fixture)).toBe(0);
  });
});

test('each array of cells is gone through once: what was there, what is sent, what is read back', async () => {
  await using fixture = await Fixture.start('workbook');
  const record = await bound(fixture);
  using sheet = createSheetPort();
  const arrays = vi.spyOn(oleaut32, 'SafeArrayAccessData');
  try {
    const values = [
      ['a', 1, true],
      ['b', 2.5, false],
    ];
    const { value } = await sheet.write(record, write('A1', values), newCall());
    expect(value.written).toMatchObject({ written: 6, differing: [] });
    expect(arrays).toHaveBeenCalledTimes(3);
  } finally {
    arrays.mockRestore();
  }
});

test('ten thousand mixed cells are written and read back without a difference', async () => {
  await using fixture = await Fixture.start('workbook');
  const record = await bound(fixture);
  using sheet = createSheetPort();
  const kinds = (r: number, c: number): CellInput =>
    [r * 1000 + c, `text ${r}/${c}: äöü 漢字 🦁`, r % 2 === 0, (r - c) / 7, { error: '#N/A' as const }][
      (r * 7 + c) % 5
    ]!;
  const values = Array.from({ length: 500 }, (_r, r) => Array.from({ length: 20 }, (_c, c) => kinds(r, c)));
  const done = await sheet.write(record, write('A1', values), newCall({ deadlineMs: 60_000 }));
  expect(done.value.written).toMatchObject({ written: 10_000, differing: [], before: null });
  expect((await sheet.read(record, read('A1:T500'), newCall({ deadlineMs: 60_000 }))).values).toEqual(values);
});
