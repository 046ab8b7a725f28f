/** The port of elements: snapshots, queries, actions on one element, tables and waits. */
import type { BindingRecord } from '../contract/element/binding.ts';
import type { ElementState } from '../contract/element/control-types.ts';
import type {
  ChosenItem,
  ElementContext,
  ElementInfo,
  ElementQuery,
  ShownElement,
  SourceFacts,
  TableData,
  WantedItem,
} from '../contract/element/element.ts';
import type { ObservationGeometry, Point } from '../contract/element/geometry.ts';
import type { ActionTarget } from '../contract/gate/traits.ts';
import type { CallContext, Done, LaterChange } from './call.ts';
import type { DeliveryMode, MouseButton } from './ports.ts';

/** `brief`: lines without rectangles, and without ids where there is a name. */
export type SnapshotForm = 'full' | 'brief';
/** `counted`: what closed combo boxes and lists out of view hold is counted, and rows that are alike are joined. */
export type SnapshotItems = 'counted' | 'all';

export interface SnapshotOptions {
  /** Given by the host; refs and `since` and `cursor` belong to it. */
  readonly observationId: string;
  /** Geometry of the picture that this text belongs to; default: the window's current one. */
  readonly geometry?: ObservationGeometry | undefined;
  readonly maxTokens: number;
  readonly maxElements: number;
  readonly since?: string | undefined;
  readonly cursor?: string | undefined;
  /** Default: that of the observation in `since` or `cursor`, else full. */
  readonly form?: SnapshotForm | undefined;
  /** Default: that of the observation in `since` or `cursor`, else counted; all items of a list or combo box that is the root. */
  readonly items?: SnapshotItems | undefined;
  /** Only this element and what is in it; default: that of the observation in `since`, else the window with its popups. */
  readonly within?: ElementQuery | undefined;
  /** Levels below the root; what is deeper is counted. Default: that of the observation in `since`, else all. */
  readonly depth?: number | undefined;
  /** Whether lines of texts say how they look. Default: that of the observation in `since` or `cursor`, else they do not. */
  readonly attributes?: boolean | undefined;
  /** Also the elements of its lines, as data. Default false. */
  readonly asElements?: boolean | undefined;
  /** Time budget in milliseconds; after it, what was read is returned with `partial`. */
  readonly budgetMs: number;
  /** Policy: structured control messages may use memory in the target. */
  readonly remoteControlMemory: boolean;
}

export interface SnapshotData {
  /** The observation that the text belongs to: the given one, or the continued one of a cursor. */
  readonly observationId: string;
  readonly accessibilityText: string;
  readonly partial: boolean;
  readonly cursor?: string | undefined;
  readonly geometry: ObservationGeometry;
  readonly elementCount: number;
  readonly elements?: ShownElement[] | undefined;
  /** Only one element and what is in it. */
  readonly isPart: boolean;
}

/** What `find` looks for: all that is given must hold. */
export interface Wanted {
  /** Part of its name or label, ignoring case; `*` stands for any text, and the whole name must fit then. */
  readonly name?: string | undefined;
  /** A role or control type. */
  readonly role?: string | undefined;
  /** Part of its value, ignoring case, with `*` as in `name`. */
  readonly value?: string | undefined;
  readonly state?: ElementState | 'enabled' | undefined;
  /** Ref of an element that it is in. */
  readonly within?: string | undefined;
  /** Ref of an element: the nearest come first. */
  readonly near?: string | undefined;
}

export interface FindOptions {
  /** Given by the host: the space of the rectangles. */
  readonly observationId: string;
  readonly limit: number;
  readonly form: SnapshotForm;
  /** Whether lines of texts say how they look. */
  readonly attributes: boolean;
  readonly asElements?: boolean | undefined;
  readonly budgetMs: number;
}

export interface FoundData {
  /** Lines of a snapshot, without indentation. */
  readonly accessibilityText: string;
  readonly elements?: ShownElement[] | undefined;
  /** How many fit, whether or not they are listed. */
  readonly total: number;
  /** Not all of the window could be read or searched. */
  readonly partial: boolean;
  readonly geometry: ObservationGeometry;
}

/** An action's target as the desktop takes it: a point in pixels of the screen, and no other names for a window. */
export type TargetSpec =
  | Extract<ActionTarget, { readonly kind: 'none' | 'window' | 'focus' | 'element' }>
  | { readonly kind: 'point'; readonly at: Point };

/** Which part of a table to read: rows, and columns if not the first hundred. */
export interface TableRange {
  readonly from: number;
  readonly count: number;
  readonly fromColumn?: number | undefined;
  readonly columnCount?: number | undefined;
}

/** What is put into one cell of a table. */
export interface CellWrite {
  /** From 0, as in a table that was read. */
  readonly row: number;
  /** From 0, or its title. */
  readonly column: number | string;
  readonly text: string;
  /** Only if the cell holds this. */
  readonly expect?: string | undefined;
}

/** An item to choose, and what `context` reported for it. */
export interface ItemChoice extends WantedItem {
  /** Nothing else is chosen. If it is unknown, only an item with exactly the wanted name is chosen. */
  readonly judged?: readonly ChosenItem[] | null | undefined;
}

/** An element with what it holds now; absent or null: nothing, or a password. */
export interface SeenElement extends ElementInfo {
  readonly value?: string | null;
}

export type WaitCondition = 'appears' | 'goes' | 'changes' | 'enabled' | 'value';

export interface ElementPort {
  /** The geometry that an observation of the window would have now. Errors: window_gone. */
  geometry(record: BindingRecord, call: CallContext): Promise<ObservationGeometry>;
  /** Errors: invalid_argument (`since`, `cursor`); with `within` those of `context`. */
  snapshot(record: BindingRecord, options: SnapshotOptions, call: CallContext): Promise<SnapshotData>;
  /** Elements that fit. Errors: invalid_argument for an unknown role; element_stale for `within` and `near`. */
  find(record: BindingRecord, wanted: Wanted, options: FindOptions, call: CallContext): Promise<FoundData>;
  /**
   * The element as each source shows it, with `text` also how its text looks; and the path that finds it, null if none does.
   * Errors: element_stale, window_hung.
   */
  facts(
    record: BindingRecord,
    ref: string,
    options: { readonly text: boolean },
    call: CallContext,
  ): Promise<{ readonly sources: SourceFacts[]; readonly path: string | null; readonly value?: string | null }>;
  /**
   * The live target of an action and its surroundings, read now. Input can reach the window, as after `binding.verify`.
   * Errors: those of `verify`, target_not_found, target_ambiguous (candidates with refs), element_stale.
   */
  context(record: BindingRecord, target: TargetSpec, call: CallContext): Promise<ElementContext>;
  /** Errors in addition to those of `context`: target_disabled, target_offscreen. */
  click(
    record: BindingRecord,
    ref: string,
    options: { delivery: DeliveryMode; button?: MouseButton | undefined; count?: 1 | 2 | 3 | undefined },
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Gives an element the keyboard focus of its program, and remembers it as the place that keys go to. */
  focus(record: BindingRecord, ref: string, call: CallContext): Promise<Done<boolean>>;
  /**
   * The point of an element that a click would go to, screen pixels; scrolls the element into view first.
   * Errors in addition to those of `context`: target_disabled, target_offscreen.
   */
  point(record: BindingRecord, ref: string, call: CallContext): Promise<Point>;
  /** `isSecret`: the text is never reported, not even in evidence. Errors: target_readonly, target_disabled. */
  typeInto(
    record: BindingRecord,
    ref: string,
    text: string,
    options: { mode: 'replace' | 'append'; delivery: DeliveryMode; isSecret: boolean },
    call: CallContext,
  ): Promise<Done<boolean>>;
  /**
   * Selects an item by name or index in the list, combo box, tab, tree or grid that the ref names, or the item itself.
   * Errors in addition to those of `click`: state_conflict if the item is not the judged one.
   */
  select(record: BindingRecord, ref: string, item: ItemChoice | null, call: CallContext): Promise<Done<boolean>>;
  /** Scrolls an element into view (`ref`), or the window by one page. */
  scrollIntoView(record: BindingRecord, ref: string | null, call: CallContext): Promise<Done<boolean>>;
  waitFor(
    record: BindingRecord,
    what: {
      query?: ElementQuery | undefined;
      /** Part of a name will do. */
      part?: boolean | undefined;
      condition: WaitCondition;
      value?: string | undefined;
      windowTitle?: string | undefined;
      hwnd?: string | undefined;
    },
    call: CallContext,
  ): Promise<Done<SeenElement | null>>;
  /** Waits until the window answers and its elements and picture stay the same for `quietMs`; false when they do not within `mostMs`. */
  waitQuiet(
    record: BindingRecord,
    options: { quietMs: number; mostMs: number },
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** The last look of a batch: what did not stay of what the owner's actions left behind, 0.4 s after the last of them. */
  laterChanges(record: BindingRecord, call: CallContext): Promise<readonly LaterChange[]>;
  readTable(record: BindingRecord, ref: string, range: TableRange, call: CallContext): Promise<TableData>;
  /**
   * Edits one cell in place and reads it back.
   * Errors: target_not_found (row, column), target_readonly, state_conflict (`expect`), unsupported where cells cannot be edited.
   */
  writeCell(record: BindingRecord, ref: string, wanted: CellWrite, call: CallContext): Promise<Done<boolean>>;
}
