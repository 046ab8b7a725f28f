/** The port of spreadsheets: what the workbook is, and reading, writing and selecting cells in the background. */
import type { BindingRecord } from '../contract/element/binding.ts';
import type {
  CellInput,
  CellsAim,
  CellsBefore,
  RangeRead,
  RangeSelected,
  RangeWritten,
  WorkbookInfo,
} from '../contract/cells/sheet.ts';
import type { CallContext, Done } from './call.ts';

export interface ReadCells {
  /** Default: the active sheet of the bound window. */
  readonly sheet: string | undefined;
  /** A1 address, name or `selection`; default: the used range. */
  readonly range: string | undefined;
  readonly what: 'values' | 'formulas' | 'both';
  /** Also what is displayed, where the range is small enough. */
  readonly text: boolean;
  readonly dates: 'iso' | 'serial';
  readonly maxCells: number;
}

export interface WriteCells {
  readonly sheet: string | undefined;
  readonly range: string;
  readonly values: ReadonlyArray<readonly CellInput[]>;
  readonly overwrite: boolean;
  readonly expect: string | undefined;
}

/** What was written, and the range before it, however large. */
export interface CellsWritten {
  readonly written: Omit<RangeWritten, 'beforeUrl'>;
  readonly before: CellsBefore;
  /** Cells that the write changed and that were not empty. */
  readonly filled: number;
}

/**
 * Errors of every method: unsupported (no object model behind the window), target_not_found (the object belongs to another
 * window), state_conflict (busy until the deadline), window_hung, window_gone, invalid_argument (sheet, range or formula).
 */
export interface SheetPort {
  info(record: BindingRecord, call: CallContext): Promise<WorkbookInfo>;
  read(record: BindingRecord, wanted: ReadCells, call: CallContext): Promise<RangeRead>;
  /**
   * The cells that a write or a selection is aimed at, for the gate; null for a selection.
   * Errors in addition: target_readonly, and state_conflict where cells are not empty or differ from the digest.
   */
  before(record: BindingRecord, aim: CellsAim, call: CallContext): Promise<CellsBefore | null>;
  /** Errors in addition: those of `before`; with delivery unknown where the deadline passes after the write began. */
  write(record: BindingRecord, wanted: WriteCells, call: CallContext): Promise<Done<CellsWritten>>;
  select(
    record: BindingRecord,
    wanted: { sheet: string | undefined; range: string; scroll: boolean },
    call: CallContext,
  ): Promise<Done<RangeSelected>>;
}
