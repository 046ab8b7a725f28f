/** One operation on a workbook: what it would do, carried out once, and what the workbook shows afterwards. */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import { ComError } from '../../../native-bindings/com/hresult.ts';
import type { BookChanged, BookWish } from '../../contract/cells/book.ts';
import type { CellsBefore } from '../../contract/cells/sheet.ts';
import { changeBook } from '../exits/outside.ts';
import { CELL_OPS } from './book-cells.ts';
import { FILE_OPS } from './book-file.ts';
import { format } from './book-format.ts';
import { OBJECT_OPS } from './book-objects.ts';
import { identityOf, isSame, changesOf, type Op, type Plan, type State } from './book-op.ts';
import { SHEET_OPS } from './book-sheets.ts';
import { ifGiven, isBusy, isRefusal, refused } from './excel-errors.ts';
import type { Turn } from './excel-program.ts';
import type { OpenBook } from './open-book.ts';
import { assertNotReadOnly, definedNames } from './write-range.ts';

const OPS: Readonly<Record<string, Op>> = { ...SHEET_OPS, ...CELL_OPS, ...OBJECT_OPS, ...FILE_OPS, format };

/** The program became busy before anything was done: a person may have changed what was read. */
const AGAIN = Symbol('again');

/** How often (ms) a program that works is asked whether it is done. */
const POLL_MS = 200;

/** Makes the plan, and gives it to `use` with the state that it was made from. Errors: AGAIN, which only a change can meet. */
async function planned<T>(
  book: OpenBook,
  wish: BookWish,
  turn: Turn,
  use: (plan: Plan, before: State) => Promise<T>,
): Promise<T> {
  using owned = new DisposableStack();
  const { refusals } = turn;
  let sheet = '';
  const leave = async (object: Dispatch, what: Parameters<typeof changeBook>[2]): Promise<void> => {
    const isFirst = !turn.hasBegun;
    if (isFirst && turn.refusals !== refusals) throw AGAIN;
    turn.began();
    try {
      const made = await changeBook(object, { sheet, op: wish.op }, what, isFirst);
      if (made instanceof Object && Symbol.dispose in made) made[Symbol.dispose]();
    } catch (error) {
      if (!isFirst || !(error instanceof ComError) || !isBusy(error.hresult)) throw error;
      turn.began(false);
      throw AGAIN;
    }
  };
  await assertNotReadOnly({ book });
  const plan = await OPS[wish.op]!({
    book,
    wish: { ...wish },
    hasBegun: () => turn.hasBegun,
    wait: () => turn.wait(setTimeout(POLL_MS), 'while it works'),
    own: (made) => owned.use(made),
    set: (object, put, value) => leave(object, { put, value }),
    run: (object, call, ...args) => leave(object, { call, args }),
  });
  ({ sheet } = plan);
  return await use(plan, await plan.now());
}

/** For the gate: what it would do, and nothing is done. */
export const bookBefore = (book: OpenBook, wish: BookWish, turn: Turn): Promise<CellsBefore> =>
  planned(book, wish, turn, async (plan, before) => {
    const { what, sheet, range = '', wanted, loses = null, reaches = null, formulas = [] } = plan;
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
      names: await definedNames(book, [formulas.map((formula) => ({ formula }))]),
      book: { ...shown, ...changesOf(before, wanted) },
    };
  });

export async function changeWorkbook(book: OpenBook, wish: BookWish, turn: Turn): Promise<BookChanged> {
  for (;;)
    try {
      return await planned(book, wish, turn, (plan, before) => carryOut(book, plan, before, turn));
    } catch (error) {
      if (error !== AGAIN) throw error;
    }
}

async function carryOut(book: OpenBook, plan: Plan, before: State, turn: Turn): Promise<BookChanged> {
  const { what, sheet, range = '', wanted, isOpen = false } = plan;
  const isThere = !isOpen && isSame(before, wanted);
  if (!isThere)
    await plan.act().catch((error: unknown) => {
      throw isRefusal(error)
        ? refused('state_conflict', `to ${what}`, error, 'unknown', 'Look at the workbook before you try again.')
        : error;
    });
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
    macrosMayRun: (await ifGiven(() => whole.get('HasVBProject'), false)) === true,
    saved: (await whole.get('Saved')) === true,
  };
}
