/** One operation on a workbook: what it would do, carried out once, and what the workbook shows afterwards. */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import type { BookChanged, BookWish } from '../../contract/cells/book.ts';
import type { CellsBefore } from '../../contract/cells/sheet.ts';
import { changeBook } from '../exits/outside.ts';
import { CELL_OPS } from './book-cells.ts';
import { FILE_OPS } from './book-file.ts';
import { format } from './book-format.ts';
import { OBJECT_OPS } from './book-objects.ts';
import { isSame, changesOf, type Op } from './book-op.ts';
import { SHEET_OPS } from './book-sheets.ts';
import { isSet, orRefused, refused } from './excel-errors.ts';
import { whileUnchanged, type Change, type Turn } from './excel-program.ts';
import { activeSheet, identityOf, nameOf } from './find-range.ts';
import type { OpenBook } from './open-book.ts';
import { assertNotReadOnly, definedNames } from './write-range.ts';

const OPS: Readonly<Record<string, Op>> = { ...SHEET_OPS, ...CELL_OPS, ...OBJECT_OPS, ...FILE_OPS, format };

/** How often (ms) a program that works is asked whether it is done. */
const POLL_MS = 200;

async function planOf(book: OpenBook, wish: BookWish, turn: Turn, change: Change) {
  await assertNotReadOnly(book);
  const judged: { sheet: string; loses: string | null } = { sheet: '', loses: null };
  const leave = async (object: Dispatch, what: Parameters<typeof changeBook>[2]): Promise<void> => {
    await change((isOnce) => changeBook(object, { ...judged, op: wish.op }, what, isOnce));
  };
  const plan = await OPS[wish.op]!({
    book,
    wish: { ...wish },
    hasBegun: () => turn.hasBegun,
    wait: () => turn.wait(setTimeout(POLL_MS), 'while it works'),
    set: (object, put, value) => leave(object, { put, value }),
    run: (object, call, ...args) => leave(object, { call, args }),
  });
  judged.sheet = plan.sheet ?? (await nameOf(await activeSheet(book)));
  judged.loses = plan.loses ?? null;
  return { ...plan, ...judged, range: plan.range ?? '', before: await plan.now() };
}

/** For the gate: what it would do, and nothing is done. */
export const bookBefore = (book: OpenBook, wish: BookWish, turn: Turn): Promise<CellsBefore> =>
  whileUnchanged(turn, async (change) => {
    const plan = await planOf(book, wish, turn, change);
    const { what, sheet, range, before, wanted, loses, reaches = null, formulas = [] } = plan;
    const shown = { what, loses, reaches, formulas: [...formulas] };
    const all = JSON.stringify([wish.op, sheet, range, shown, before, wanted]);
    return {
      sheet,
      range,
      values: [],
      texts: Object.values(before).filter((value) => typeof value === 'string'),
      formulas: {},
      filled: 0,
      digest: `A1.${createHash('sha256').update(all).digest('hex').slice(0, 32)}`,
      names: await definedNames(
        book,
        formulas.map((formula) => ({ formula })),
      ),
      book: { ...shown, ...changesOf(before, wanted) },
    };
  });

export const changeWorkbook = (book: OpenBook, wish: BookWish, turn: Turn): Promise<BookChanged> =>
  whileUnchanged(turn, async (change) => {
    const plan = await planOf(book, wish, turn, change);
    const { what, sheet, range, before, wanted, isOpen = false } = plan;
    const isThere = !isOpen && isSame(before, wanted);
    if (!isThere)
      await orRefused(
        () => plan.act(),
        (error) =>
          refused('state_conflict', `to ${what}`, error, 'unknown', 'Look at the workbook before you try again.'),
      );
    const after = isThere ? before : await plan.now();
    const isRight = isThere || (plan.isRight?.(before, after) ?? isSame(after, wanted));
    const isNew = !isSame(before, after);
    const whole = await book.book();
    return {
      workbook: await identityOf(book),
      sheet,
      range,
      result: isRight && isNew ? 'changed' : isRight && (isThere || isOpen) ? 'unchanged' : 'unverified',
      what,
      ...changesOf(before, after),
      facts: (await plan.facts?.()) ?? {},
      undoCleared: turn.hasBegun,
      macrosMayRun: await isSet(whole, 'HasVBProject'),
      saved: (await whole.get('Saved')) === true,
    };
  });
