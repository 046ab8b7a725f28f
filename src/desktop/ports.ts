/** The ports of the desktop, one for each kind of thing: what the host may ask of it and have it do. Elements and terminals have files of their own. */
import type { ImageMimeType } from '../contract/artifact.ts';
import type { BookChanged, BookListed, BookWish } from '../contract/cells/book.ts';
import type {
  CellInput,
  CellsAim,
  CellsBefore,
  RangeRead,
  RangeSelected,
  RangeWritten,
  WorkbookInfo,
} from '../contract/cells/sheet.ts';
import type { AppIdentity, BindingRecord } from '../contract/element/binding.ts';
import type { DisplayGeometry, ObservationGeometry, Point, Rect } from '../contract/element/geometry.ts';
import type { InstalledApp, RunningApp } from '../contract/executor.ts';
import type { SessionFacts } from '../contract/process/doctor.ts';
import type { CallContext, Done } from './call.ts';

export type DeliveryMode = 'background' | 'foreground';

/** The keyboard: chords, held keys and text, to a window or as real input. */
export interface KeyboardPort {
  /** Any Unicode text to the bound window's text target; `null` = real input to the foreground. */
  typeText(
    record: BindingRecord | null,
    text: string,
    options: { viaClipboard: boolean; delivery: DeliveryMode },
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Chords in canonical form (`["ctrl+a", "delete"]`), each `repeat` times. */
  chords(
    record: BindingRecord | null,
    chords: readonly string[],
    repeat: number,
    delivery: DeliveryMode,
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Presses the keys and keeps them held for the owner until `release`, unbind or exit. */
  press(
    record: BindingRecord | null,
    keys: readonly string[],
    delivery: DeliveryMode,
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Releases keys; releasing a key that is not held is not an error. */
  release(
    record: BindingRecord | null,
    keys: readonly string[],
    delivery: DeliveryMode,
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Holds the keys, resending the down message, then releases them. */
  hold(
    record: BindingRecord | null,
    keys: readonly string[],
    durationMs: number,
    delivery: DeliveryMode,
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Releases every key and button that any owner holds; part of the emergency stop. */
  releaseAll(call: CallContext): Promise<void>;
}

/** Applications: list, start, and find the owner of a point. */
export interface AppPort {
  /** The host's own identity. */
  host(call: CallContext): Promise<AppIdentity>;
  frontmost(call: CallContext): Promise<AppIdentity | null>;
  /** `at` in screen pixels. */
  underPoint(at: Point, call: CallContext): Promise<AppIdentity | null>;
  installed(options: { icons: boolean }, call: CallContext): Promise<InstalledApp[]>;
  running(call: CallContext): Promise<RunningApp[]>;
  /** PNG data URL; undefined where the file has no icon. */
  icon(path: string, call: CallContext): Promise<string | undefined>;
  /**
   * Identity, path, AppUserModelID or exact display name. Waits for the window, never moves it. `accessibility`: with the
   * switch of Chromium programs that builds their pages for UI Automation. Errors: launch_failed; unsupported for
   * `accessibility` with any other program.
   */
  open(bundleId: string, options: { accessibility: boolean }, call: CallContext): Promise<Done<null>>;
  /** Whether a path leads to another machine (mapped drives included) or to a device. No file is accessed. */
  isForeign(path: string, call: CallContext): Promise<boolean>;
  /**
   * Identity for a name a caller gave (path, AppUserModelID, display name or file name); null when unknown. A path on
   * another machine is judged by its text alone.
   */
  resolve(name: string, call: CallContext): Promise<AppIdentity | null>;
}

export interface BindingQuery {
  readonly hwnd?: string | undefined;
  readonly title?: string | undefined;
  readonly pid?: number | undefined;
  /** Applications on the policy's deny list: their titles are neither matched nor shown. */
  readonly deny?: readonly string[] | undefined;
  /**
   * Applications that the caller's token is limited to: windows of others are not found, neither by title nor by
   * process.
   */
  readonly only?: readonly string[] | undefined;
}

/** Finds the window that a query means, and checks that it is still the same window. */
export interface BindingPort {
  /**
   * Finds the one window that matches all given criteria. Never restores, raises or focuses it.
   * Errors: target_not_found, target_ambiguous with candidates.
   */
  find(query: BindingQuery, call: CallContext): Promise<BindingRecord>;
  /**
   * The top-level window under a point of the screen; null on the empty desktop, and for windows that may not get
   * input: the host's own, and those of the program that started it.
   */
  at(point: Point, call: CallContext): Promise<BindingRecord | null>;
  /**
   * The window that real keys go to now; null as for `at`. For a bound window: the window itself, or its dialog if that
   * is in front.
   */
  front(bound: BindingRecord | null, call: CallContext): Promise<BindingRecord | null>;
  /** Re-checks the record before an action. Errors: window_gone, window_hung, target_elevated. */
  verify(record: BindingRecord, call: CallContext): Promise<void>;
  /** Cheap: IsWindow, and the window's pid. */
  isAlive(record: BindingRecord, call: CallContext): Promise<boolean>;
  /** Current title and outer rectangle in screen pixels; null once the window is gone. */
  describe(record: BindingRecord, call: CallContext): Promise<{ title: string; rect: Rect; isHidden?: boolean } | null>;
  /**
   * Ends a binding: releases held input of this owner, moves back a window that `move_offscreen` moved, forgets refs.
   * Null: everything that the owner holds or has moved, in any window, and keys it holds by real input without a
   * window.
   */
  release(record: BindingRecord | null, call: CallContext): Promise<void>;
}

export interface VisibleWindow {
  readonly hwnd: string;
  readonly pid: number;
  readonly title: string;
  readonly app: AppIdentity;
  readonly className: string;
  readonly minimized: boolean;
  readonly toolWindow: boolean;
  readonly elevated: boolean;
  /** Windows found that it does not respond. */
  readonly hung?: true;
}

export const WINDOW_ACTIONS = [
  'minimize',
  'maximize',
  'restore',
  'close',
  'focus',
  'move_offscreen',
  'move_resize',
  'get_rect',
] as const;
export type WindowAction = (typeof WINDOW_ACTIONS)[number];

/** Windows: list them, and read or change their position and state. */
export interface WindowPort {
  /** Every visible top-level window except cloaked ones and the host's own, topmost first. Never waits for a window. */
  listVisible(call: CallContext): Promise<VisibleWindow[]>;
  /** Outer rectangle in screen pixels; null once the window is gone. */
  rect(record: BindingRecord, call: CallContext): Promise<Rect | null>;
  /** Uses only Win32 calls and verifies the result from outside. x, y, width, height are screen pixels. */
  manage(
    record: BindingRecord,
    action: WindowAction,
    place: { x?: number | undefined; y?: number | undefined; width?: number | undefined; height?: number | undefined },
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Client → screen pixels. Errors: invalid_argument for a point outside the client area. */
  clientToScreen(record: BindingRecord, point: Point, call: CallContext): Promise<Point>;
  /** Screen → client pixels. Errors: invalid_argument for a point outside the client area. */
  screenToClient(record: BindingRecord, point: Point, call: CallContext): Promise<Point>;
  /**
   * Requests the foreground without workarounds; clicks the client point only if it is given. True = the window has the
   * foreground.
   */
  activate(
    record: BindingRecord,
    clientPoint: { x: number; y: number } | null,
    call: CallContext,
  ): Promise<Done<boolean>>;
}

/** Displays and their geometry. */
export interface DisplayPort {
  /** Every monitor in physical pixels; exactly one is primary. */
  list(call: CallContext): Promise<DisplayGeometry[]>;
  /** For each application identity, the displays its top-level windows are on. */
  ofApplications(
    bundleIds: readonly string[],
    call: CallContext,
  ): Promise<Array<{ bundleId: string; displayIds: number[] }>>;
  /** How many top-level windows of these applications are on each display that has any. */
  countWindows(bundleIds: readonly string[], call: CallContext): Promise<Array<{ displayId: number; windows: number }>>;
}

export type CaptureFormat = 'png' | 'jpeg' | 'webp';

/** How the pixels were obtained. */
export type CaptureMethod = 'print-window' | 'window-dc' | 'screen-crop' | 'display';

export interface Picture {
  readonly bytes: Uint8Array;
  readonly mimeType: ImageMimeType;
  readonly geometry: ObservationGeometry;
  readonly method: CaptureMethod;
  readonly displayId?: number;
  /** Not everything in the picture was searched for password fields in time: some may not be painted over. */
  readonly masksMayBeIncomplete?: true;
  /** The window's frame is there and its inside is black, as some programs' drawing is captured. */
  readonly contentMayBeMissing?: true;
  /** Through parts of the window a person sees what is behind it: they are black, or of the colour that means so. */
  readonly seenThrough?: true;
  /** The bundleIds of the applications that a limited picture of a display shows; everything else is painted over. */
  readonly shown?: readonly string[];
}

export interface CaptureOptions {
  readonly format: CaptureFormat;
  /** Executables (lower-cased path or file name) whose windows are painted over. */
  readonly deny: readonly string[];
  /** For a display: the bundleIds of the applications that are shown; everything else is painted over. Default: all. */
  readonly shown?: readonly string[];
}

/** Pictures of a window, of a region and of a display. */
export interface CapturePort {
  /**
   * The bound window alone, covered or not, its state unchanged. Errors: capture_blank, window_gone; capture_failed,
   * also if its program could report its password fields but does not.
   */
  window(record: BindingRecord, options: CaptureOptions, call: CallContext): Promise<Picture>;
  /**
   * A whole display. Painted over: the host's own and deny-listed windows, password fields, and windows whose program
   * could report its password fields but does not. Unknown id → invalid_argument.
   */
  display(displayId: number | undefined, options: CaptureOptions, call: CallContext): Promise<Picture>;
  /**
   * A region at native resolution from a fresh capture. `region` is in unscaled pixels from `origin`: that of the
   * capture (default) or of the screen.
   */
  region(
    target: { record: BindingRecord } | { displayId: number | undefined },
    region: Rect,
    options: CaptureOptions & { readonly origin?: 'capture' | 'screen' },
    call: CallContext,
  ): Promise<Picture>;
}

export type MouseButton = 'left' | 'right' | 'middle';

/** How pointer input is sent. `modifiers`: names of modifier keys that are down meanwhile. */
export interface Pointing {
  readonly delivery: DeliveryMode;
  readonly modifiers?: readonly string[];
}

/** All points are physical screen pixels: the caller has converted them. `record` null = real input to the desktop. */
export interface PointerPort {
  move(record: BindingRecord | null, to: Point, how: Pointing, call: CallContext): Promise<Done<boolean>>;
  /** The same, and what the window shows under the pointer afterwards. */
  hover(record: BindingRecord, at: Point, delivery: DeliveryMode, call: CallContext): Promise<Done<boolean>>;
  click(
    record: BindingRecord | null,
    at: Point,
    options: Pointing & { button: MouseButton; count: 1 | 2 | 3 },
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Button down or up at the point, or at the virtual position (bound) or the cursor (unbound). */
  button(
    record: BindingRecord | null,
    change: 'down' | 'up',
    at: Point | null,
    how: Pointing,
    call: CallContext,
  ): Promise<Done<boolean>>;
  drag(
    record: BindingRecord | null,
    from: Point | null,
    to: Point,
    how: Pointing,
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Notches: positive `vertical` = up, positive `horizontal` = right. */
  wheel(
    record: BindingRecord | null,
    at: Point,
    notches: { vertical: number; horizontal: number },
    how: Pointing,
    call: CallContext,
  ): Promise<Done<boolean>>;
  /** Where a button would go down: the virtual position, null while there is none, or the cursor. */
  position(record: BindingRecord | null, delivery: DeliveryMode, call: CallContext): Promise<Point | null>;
  /** Cursor position in screen pixels. */
  cursor(call: CallContext): Promise<Point>;
}

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
  /** What the workbook has beyond its cells, and where a text is. */
  list(record: BindingRecord, wish: BookWish, call: CallContext): Promise<BookListed>;
  /** Carries out an operation on the workbook and reads it back. Errors in addition: target_readonly, and those of `write`. */
  change(record: BindingRecord, wish: BookWish, call: CallContext): Promise<Done<BookChanged>>;
  select(
    record: BindingRecord,
    wanted: { sheet: string | undefined; range: string; scroll: boolean },
    call: CallContext,
  ): Promise<Done<RangeSelected>>;
}

/** The clipboard’s text. */
export interface ClipboardPort {
  /** Unicode text, untrimmed; empty when there is none. Retried while another program holds the clipboard. */
  read(call: CallContext): Promise<string>;
  write(text: string, call: CallContext): Promise<Done<null>>;
}

/** Facts about the user session that the doctor and the gate judge by. */
export interface SystemPort {
  /** Facts that the doctor judges. */
  facts(record: BindingRecord | null, call: CallContext): Promise<SessionFacts>;
  /** Which of the system's interfaces are available here, found by probing. */
  capabilities(call: CallContext): Promise<Record<string, boolean | string>>;
  /** Whether the window's program takes messages: one within `withinMs`. */
  answers(record: BindingRecord, withinMs: number, call: CallContext): Promise<boolean>;
}

/** The status strip on the bound window. */
export interface IndicatorPort {
  /**
   * The click-through strip on the bound window, one for each owner of a call. The answer's `message` is the strip's
   * text; `active` says whether it is on the screen now: false while the window is minimised, and once it is gone.
   * `notice`: the host's own words before the agent's.
   * Without a record nothing is bound, and the owner's strip is removed. Errors: not_bound and window_gone for `show`;
   * desktop_unavailable if Windows creates no window.
   */
  set(
    record: BindingRecord | null,
    change: 'show' | 'hide' | 'status',
    message: string | undefined,
    call: CallContext,
    notice?: string,
  ): Promise<{ active: boolean; message?: string }>;
}
