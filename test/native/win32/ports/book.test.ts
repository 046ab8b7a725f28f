/** Operations on a workbook against workbook.exe: each judged, carried out once, read back, and never outside the bound workbook. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import type { BookWish } from '../../../../src/contract/cells/book.ts';
import { createSheetPort } from '../../../../src/win32/ports/sheet.ts';
import { createPorts } from '../support/ports.ts';
import { Fixture, newCall } from '../support/programs.ts';

type Wish = BookWish & Readonly<Record<string, unknown>>;
/** `shows`: what is read then, the cells of Data or the sheets' names; `look`: the changes that another wish would make. */
interface Row {
  readonly set?: string[];
  readonly wish: Wish;
  readonly loses?: string;
  readonly shows?: string | null;
  readonly look?: Wish;
  readonly list?: string | Wish;
  readonly reaches?: string;
  readonly identity?: string;
  readonly gives: unknown;
  readonly facts?: object;
  readonly isOnce?: false;
}
type Refused = [title: string, commands: string[], wish: Wish, code: string, words: string];
const { right, refused } = JSON.parse(
  readFileSync(new URL('../../../fixtures/workbook/operations.json', import.meta.url), 'utf8'),
) as { right: Array<[string, Row]>; refused: Refused[] };
const { binding } = createPorts();

async function open(commands: readonly string[] = []) {
  const fixture = await Fixture.start('workbook', ['--books', '2']);
  for (const command of commands) await fixture.tell(command);
  const record = await binding.find({ hwnd: String(fixture.hwnd) }, newCall());
  const port = createSheetPort();
  const events = (...names: string[]) => fixture.journal().filter(({ event }) => names.includes(String(event)));
  const whole = { what: 'values', text: false, dates: 'iso', maxCells: 500 } as const;
  return {
    events,
    /** What the gate sees. */
    look: async (wish: Wish) =>
      (await port.before(record, { sheet: wish.sheet, range: wish.range ?? '', write: null, book: wish }, newCall()))!
        .book!,
    change: (wish: Wish) => port.change(record, wish, newCall()),
    list: async (what: string | Wish) =>
      (await port.list(record, typeof what === 'string' ? { op: what } : what, newCall())).rows,
    async shown(what: string | null | undefined) {
      if (what !== 'names')
        return what ? (await port.read(record, { sheet: 'Data', range: what, ...whole }, newCall())).values : 0;
      return (await port.info(record, newCall())).sheets.map(({ name, visible }) => `${name}${visible ? '' : '-'}`);
    },
    others: () => events('changed', 'sheets').filter(({ book = 1 }) => book !== 1),
    async [Symbol.asyncDispose]() {
      port[Symbol.dispose]();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

describe('[book.read-back] an operation is read back, and a second time there is nothing to do', () => {
  test.each(right)('%s', async (_title, row) => {
    await using book = await open(row.set);
    const path = String(row.wish['path']).replace('DIR', mkdtempSync(`${tmpdir()}\\book`));
    const wish = 'path' in row.wish ? { ...row.wish, path } : row.wish;
    const { loses, reaches } = await book.look(wish);
    expect(reaches ?? '').toContain(row.reaches ?? '');
    expect(loses ?? '').toMatch(row.loses === undefined ? /^$/ : row.loses);
    const { value, outcome } = await book.change(wish);
    const identity = { name: row.identity ?? 'Book1.xlsx' };
    expect(value).toMatchObject({
      result: 'changed',
      workbook: identity,
      undoCleared: wish.op !== 'csv',
      facts: row.facts ?? {},
    });
    expect(outcome.effect).toBe('confirmed');
    if (row.list) expect(await book.list(row.list)).toEqual(row.gives);
    else expect(row.look ? (await book.look(row.look)).changes : await book.shown(row.shows)).toEqual(row.gives);
    const again = row.isOnce === false ? null : await book.change(wish);
    if (again !== null) expect([again.value.result, again.outcome.effect]).toEqual(['unchanged', 'none']);
    expect([...book.others(), ...book.events('asked', 'clipboard', 'other-book')]).toEqual([]);
  });
});

describe('[book.refused] what cannot be done is refused before anything is called', () => {
  test.each(refused)('%s', async (title, commands, wish, code, words) => {
    await using book = await open(commands);
    const filter = { op: 'filter', sheet: 'Data', range: 'A1:B5', by: ['B'], criteria: ['>1'] };
    if (title.startsWith('a second')) await book.change(filter);
    const before = book.events('changed', 'sheets').length;
    const error = { code, delivery: 'not_delivered', message: expect.stringContaining(words) };
    for (const work of [book.look, book.change]) await expect(work(wish)).rejects.toMatchObject(error);
    expect(book.events('changed', 'sheets')).toHaveLength(before);
  });
});
