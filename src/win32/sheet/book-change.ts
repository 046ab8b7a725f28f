/** One operation on a workbook: what it would do, carried out once, and what the workbook shows afterwards. */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Dispatch } from '../../../native-bindings/com/dispatch.ts';
import { ComError } from '../../../native-bindings/com/hresult.ts';
import type { BookBefore, BookChanged, BookWish } from '../../contract/cells/book.ts';
import type { CellsBefore } from '../../contract/cells/sheet.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { changeBook } from '../exits/outside.ts';
import { CELL_OPS } from './book-cells.ts';
import { FILE_OPS } from './book-file.ts';
import { format } from './book-format.ts';
import { OBJECT_OPS } from './book-objects.ts';
import type { Op, Plan, State } from './book-op.ts';
import { SHEET_OPS } from './book-sheets.ts';
import { ifGiven, isBusy, isRefusal, refused } from './excel-errors.ts';
import type { Turn } from './excel-program.ts';
import { text } from './find-range.ts';
import type { OpenBook } from './open-book.ts';
import { definedNames, readOnly } from './write-range.ts';

const OPS: Readonly<Record<string, Op>> = { ...SHEET_OPS, ...CELL_OPS, ...OBJECT_OPS, ...FILE_OPS, format };

/** The program became busy before anything was done: a person may have changed what was read. */
const AGAIN = Symbol('again');

/** How often (ms) a program that works is asked whether it is done. */
const POLL_MS = 200;

/** More than a person reads. */
const MOST_SHOWN = 30;

function changesOf(before: State, after: State): Pick<BookBefore, 'changes' | 'more'> {
  const labels = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const words = (value: State[string] | undefined): string =>
    value === undefined || value === null ? 'empty' : String(value);
  const all = labels
    .filter((label) => before[label] !== after[label])
    .map((label) => ({ cell: label, before: words(before[label]), after: words(after[label]) }));
  return { changes: all.slice(0, MOST_SHOWN), more: Math.max(0, all.length - MOST_SHOWN) };
}

const isSame = (a: State, b: State): boolean => changesOf(a, b).changes.length === 0;

/** Errors: target_readonly. */
async function assertChangeable(book: OpenBook): Promise<void> {
  if ((await (await book.book()).get('ReadOnly')) === true)
    throw readOnly('The workbook is open for reading only', 'A person can save a copy and open that.');
  if ((await ifGiven(async () => (await book.application()).get('IsSandboxed'), false)) === true)
    throw readOnly('The workbook is in Protected View', 'A person can enable editing in its window.');
}

/** Makes the plan, and gives it to `use` with the state that it was made from. */
async function planned<T>(
  book: OpenBook,
  wish: BookWish,
  turn: Turn,
  use: (plan: Plan, before: State) => Promise<T>,
): Promise<T | typeof AGAIN> {
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
  try {
    await assertChangeable(book);
    const make = OPS[wish.op];
    if (make === undefined) throw new UiaHostError('internal', `There is no operation ${wish.op}.`);
    const plan = await make({
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
  } catch (error) {
    if (error === AGAIN) return AGAIN;
    throw error;
  }
}

/** For the gate: what it would do, and nothing is done. */
export async function bookBefore(book: OpenBook, wish: BookWish, turn: Turn): Promise<CellsBefore> {
  const found = await planned(book, wish, turn, async (plan, before) => {
    const { what, sheet, range = '', formulas = [] } = plan;
    const shown = { what, loses: plan.loses ?? null, reaches: plan.reaches ?? null, formulas: [...formulas] };
    const wanted = plan.wanted(before);
    const digest = createHash('sha256')
      .update(JSON.stringify([wish.op, sheet, range, shown, before, wanted]))
      .digest('hex');
    return {
      sheet,
      range,
      values: [],
      texts: Object.values(before).filter((value) => typeof value === 'string'),
      formulas: {},
      filled: 0,
      digest: `A1.${digest.slice(0, 32)}`,
      names: await definedNames(book, [formulas.map((formula) => ({ formula }))]),
      book: { ...shown, ...changesOf(before, wanted) },
    };
  });
  if (found === AGAIN) throw new Error('a look changes nothing');
  return found;
}

export async function changeWorkbook(book: OpenBook, wish: BookWish, turn: Turn): Promise<BookChanged> {
  for (;;) {
    const changed = await planned(book, wish, turn, (plan, before) => carryOut(book, plan, before, turn));
    if (changed !== AGAIN) return changed;
  }
}

async function carryOut(book: OpenBook, plan: Plan, before: State, turn: Turn): Promise<BookChanged> {
  const wanted = plan.wanted(before);
  const isThere = plan.isOpen !== true && isSame(before, wanted);
  if (!isThere)
    await plan.act().catch((error: unknown) => {
      throw isRefusal(error)
        ? refused('state_conflict', `to ${plan.what}`, error, 'unknown', 'Look at the workbook before you try again.')
        : error;
    });
  const after = isThere ? before : await plan.now();
  const whole = await book.book();
  const path = text(await whole.get('Path'));
  return {
    workbook: { name: text(await whole.get('Name')), path: path === '' ? null : text(await whole.get('FullName')) },
    sheet: plan.sheet,
    range: plan.range ?? '',
    result: isThere
      ? 'unchanged'
      : (plan.verdict?.(before, after) ?? (isSame(after, wanted) ? 'changed' : 'unverified')),
    what: plan.what,
    ...changesOf(before, after),
    facts: (await plan.facts?.()) ?? {},
    undoCleared: turn.hasBegun,
    macrosMayRun: (await ifGiven(() => whole.get('HasVBProject'), false)) === true,
    saved: (await whole.get('Saved')) === true,
  };
}
