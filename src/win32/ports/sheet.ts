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
      if (write !== null)
        return onBook(record, call, (book, turn) => cellsBefore(book, { sheet, range, ...write }, turn));
      // Selecting reads nothing; an impossible address is refused without asking.
      parseAddress(range, sheet ?? null);
      return null;
    },

    async write(record, wanted, call) {
      const witness = startWitness();
      const { wasThere, ...value } = await onBook(record, call, (book, turn) => writeRange(book, wanted, turn));
      const { differing, written } = value.written;
      const isRight = differing.length === 0;
      return {
        value,
        outcome: witness.outcome({
          effect: !isRight ? 'unverified' : wasThere ? 'none' : 'confirmed',
          delivery: 'object-model',
          evidence: [{ kind: 'cells', before: value.filled, after: written - differing.length }],
          attempts: [{ rung: 'object-model', result: 'delivered', reason: '' }],
          readBack: isRight ? 'verified' : 'mismatch',
        }),
      };
    },

    list: (record, wish, call) => onBook(record, call, (book) => listInBook(book, { ...wish })),

    async change(record, wish, call) {
      const witness = startWitness();
      const value = await onBook(record, call, (book, turn) => changeWorkbook(book, wish, turn));
      const { result, changes, more } = value;
      return {
        value,
        outcome: witness.outcome({
          effect: result === 'unchanged' ? 'none' : result === 'changed' ? 'confirmed' : 'unverified',
          delivery: 'object-model',
          evidence: [{ kind: 'cells', before: 0, after: changes.length + more }],
          attempts: [{ rung: 'object-model', result: value.undoCleared ? 'delivered' : 'not_applicable', reason: '' }],
          readBack: result === 'unverified' ? 'mismatch' : 'verified',
        }),
      };
    },

    async select(record, wanted, call) {
      const witness = startWitness();
      const { before, after, ...value } = await onBook(record, call, (book, turn) => selectRange(book, wanted, turn));
      return {
        value,
        outcome: witness.outcome({
          effect: after !== value.range ? 'unverified' : before === after && !value.sheetChanged ? 'none' : 'confirmed',
          delivery: 'object-model',
          evidence: [{ kind: 'selection', before, after }],
          attempts: [{ rung: 'object-model', result: 'delivered', reason: '' }],
        }),
      };
    },
  };
}
