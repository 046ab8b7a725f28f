/** The sheet topic on Windows: cells of a spreadsheet window by its object model. */
import { enterMta } from '../../../native-bindings/com/apartment.ts';
import { parseAddress } from '../../contract/cells/cell-address.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { CallContext, SheetPort } from '../../desktop/index.ts';
import { toSheetError } from '../sheet/excel-errors.ts';
import { ExcelPrograms, type Turn } from '../sheet/excel-program.ts';
import { bookBefore, changeWorkbook } from '../sheet/book-change.ts';
import { listInBook } from '../sheet/book-list.ts';
import { noObjectModel, openBook, paneOf } from '../sheet/excel-window.ts';
import type { OpenBook } from '../sheet/open-book.ts';
import { readRange } from '../sheet/read-range.ts';
import { selectRange, workbookInfo } from '../sheet/workbook.ts';
import { cellsBefore, writeRange } from '../sheet/write-range.ts';
import { liveWindow } from '../windows/record.ts';
import { startWitness } from '../windows/witness.ts';

type Outcome = Parameters<ReturnType<typeof startWitness>['outcome']>[0];

/** Everything that is done here has one way. */
function begin() {
  const witness = startWitness();
  return (shown: Omit<Outcome, 'delivery' | 'attempts'>, result: 'delivered' | 'not_applicable' = 'delivered') =>
    witness.outcome({ ...shown, delivery: 'object-model', attempts: [{ rung: 'object-model', result, reason: '' }] });
}

/** The sheet port; `Disposable` leaves the apartment. */
export type Win32SheetPort = SheetPort & Disposable;

export function createSheetPort(): Win32SheetPort {
  const programs = new ExcelPrograms();
  let apartment: Disposable | undefined;

  /** One action on the workbook of the window, in its turn. */
  const onBook = <T>(
    record: BindingRecord,
    call: CallContext,
    action: (book: OpenBook, turn: Turn) => Promise<T>,
  ): Promise<T> => {
    const hwnd = liveWindow(record);
    const pane = paneOf(hwnd);
    if (pane === 0) return Promise.reject(noObjectModel(record, 'it has no EXCEL7 window'));
    apartment ??= enterMta();
    return programs.run(record.pid, hwnd, call, async (turn) => {
      try {
        return await action(await openBook(record, pane, turn), turn);
      } catch (error) {
        throw toSheetError(error, turn.hasBegun ? 'unknown' : 'not_delivered');
      }
    });
  };

  return {
    [Symbol.dispose]() {
      programs.close();
      apartment?.[Symbol.dispose]();
      apartment = undefined;
    },

    info: (record, call) => onBook(record, call, workbookInfo),

    read: (record, wanted, call) => onBook(record, call, (book) => readRange(book, wanted)),

    async before(record, aim, call) {
      liveWindow(record);
      const { sheet, range, write, book: wish } = aim;
      if (wish !== undefined) return onBook(record, call, (book, turn) => bookBefore(book, wish, turn));
      if (write !== null) return onBook(record, call, (book) => cellsBefore(book, { sheet, range, ...write }));
      // Selecting reads nothing; an impossible address is refused without asking.
      parseAddress(range, sheet ?? null);
      return null;
    },

    async write(record, wanted, call) {
      const outcome = begin();
      const { wasThere, ...value } = await onBook(record, call, (book, turn) => writeRange(book, wanted, turn));
      const { differing, written } = value.written;
      const isRight = differing.length === 0;
      return {
        value,
        outcome: outcome({
          effect: !isRight ? 'unverified' : wasThere ? 'none' : 'confirmed',
          evidence: [{ kind: 'cells', before: value.before.filled, after: written - differing.length }],
          readBack: isRight ? 'verified' : 'mismatch',
        }),
      };
    },

    list: (record, wish, call) => onBook(record, call, (book) => listInBook(book, { ...wish })),

    async change(record, wish, call) {
      const outcome = begin();
      const value = await onBook(record, call, (book, turn) => changeWorkbook(book, wish, turn));
      const { result, changes, more, undoCleared } = value;
      return {
        value,
        outcome: outcome(
          {
            effect: result === 'unchanged' ? 'none' : result === 'changed' ? 'confirmed' : 'unverified',
            evidence: [{ kind: 'cells', before: 0, after: changes.length + more }],
            readBack: result === 'unverified' ? 'mismatch' : 'verified',
          },
          undoCleared ? 'delivered' : 'not_applicable',
        ),
      };
    },

    async select(record, wanted, call) {
      const outcome = begin();
      const { before, after, ...value } = await onBook(record, call, (book, turn) => selectRange(book, wanted, turn));
      return {
        value,
        outcome: outcome({
          effect: after !== value.range ? 'unverified' : before === after && !value.sheetChanged ? 'none' : 'confirmed',
          evidence: [{ kind: 'selection', before, after }],
        }),
      };
    },
  };
}
