/** Schemas of elements, of the queries that find them, and of their states. */
import { z } from 'zod';
import { AppIdentity } from './binding.ts';
import { CONTROL_TYPES, ELEMENT_STATES } from './control-types.ts';
import { ELEMENT_PATH, MAX_PATH } from './element-path.ts';
import { TOOLKITS } from '../ways/receivers.ts';
import { Rect } from './geometry.ts';

const ControlType = z.enum(CONTROL_TYPES);
const ElementState = z.enum(ELEMENT_STATES);

/** Which reader saw the element. */
export const ElementSource = z.enum(['window', 'uia', 'msaa', 'message']);
export type ElementSource = z.infer<typeof ElementSource>;

/** One element as plain data: what crosses the worker's process boundary, and subjects of the gate. */
export const ElementInfo = z.strictObject({
  ref: z.string(),
  controlType: ControlType,
  name: z.string(),
  automationId: z.string(),
  /** Screen pixels. */
  rect: Rect,
  states: z.array(ElementState),
  source: ElementSource,
  /** RuntimeId, or window handle + child index: what the digest of an approval binds. */
  identity: z.string(),
  isDefaultButton: z.boolean(),
});
export type ElementInfo = z.infer<typeof ElementInfo>;

/**
 * `text`: its program draws it. `items`, `value`: kept in the memory of a program that must not be read, or whose pointers have
 * another size. `state`: a button that its program draws may be any kind of button. `marks`: a list whose program
 * draws its items may draw check marks too. `content`: a window of a class of its own that answers nothing.
 */
const UNREAD = ['text', 'items', 'value', 'state', 'marks', 'place', 'content'] as const;
export type Unread = (typeof UNREAD)[number];

/** An element as programs get it: the same object in each answer. */
export const ShownElement = z.strictObject({
  ref: z.string(),
  role: ControlType,
  name: z.string(),
  value: z.string().optional().describe('Whole, up to 64 KiB; absent without one, and for a password.'),
  states: z.array(ElementState),
  rect: Rect.describe('In the image of the observation that observationId names.'),
  id: z.string().optional().describe('AutomationId, where it tells the element from others.'),
  parent: z.string().optional().describe('Ref of the nearest element above it that is listed.'),
  count: z.int().optional().describe('Its items, where not all of them are listed.'),
  unread: z.enum(UNREAD).optional().describe('What it shows and no source tells.'),
});
export type ShownElement = z.infer<typeof ShownElement>;

/**
 * How text looks at the selection or the caret, and where that is. Null: the source does not say it, or it differs within
 * the selection.
 */
export const TextAttributes = z.strictObject({
  font: z.string().nullable(),
  size: z.number().nullable().describe('In points.'),
  colour: z.string().nullable().describe('`#rrggbb`'),
  bold: z.boolean().nullable(),
  selection: z
    .strictObject({ start: z.int(), end: z.int() })
    .nullable()
    .describe('Characters from 0 as the source counts them; both are the caret where nothing is selected.'),
  caretLine: z.int().nullable().describe('Line of the start of the selection, from 1.'),
});
export type TextAttributes = z.infer<typeof TextAttributes>;

/** An element as one source shows it. Absent: the source has no such property. */
export const SourceFacts = z.strictObject({
  source: ElementSource,
  controlType: ControlType.optional(),
  name: z.string(),
  automationId: z.string().optional(),
  className: z.string().optional(),
  patterns: z.array(z.string()).optional().describe('Of UI Automation, as the element offers them now.'),
  defaultAction: z.string().optional(),
  provider: z.string().optional().describe('Of UI Automation: who answers for the element (ProviderDescription).'),
  text: TextAttributes.optional().describe('With `attributes`, where the source shows a text.'),
});
export type SourceFacts = z.infer<typeof SourceFacts>;

/** An item inside an element, or an entry along a menu path: what a choice by name, path or index resolves to. */
export const ChosenItem = z.strictObject({
  controlType: ControlType,
  name: z.string(),
  /** As for an element; empty if the item has none before it is created. */
  identity: z.string(),
});
export type ChosenItem = z.infer<typeof ChosenItem>;

/** What is wanted inside an element. */
export interface WantedItem {
  /** Its name, or a path of names. */
  readonly name?: string | undefined;
  readonly index?: number | undefined;
}

/**
 * Something in the window that keys may move the focus to: what Enter, Space or its letter presses, or a field that
 * hides typed text.
 */
export const KeyReach = z.strictObject({
  controlType: ControlType,
  name: z.string(),
  automationId: z.string(),
  isPassword: z.boolean(),
  /** An entry of a menu that is open. */
  isInMenu: z.boolean(),
  /** An item of a combo box, open or closed: arrows, letters and the wheel choose it without opening anything. */
  isInComboBox: z.boolean(),
});
export type KeyReach = z.infer<typeof KeyReach>;

/** A console's screen, and whether its program has shown everything that was typed. */
export const ShownConsole = z.strictObject({
  /** Visible rows from the top. */
  rows: z.array(z.string()),
  /** Columns: a full row may continue in the next. */
  width: z.int(),
  cursor: z.strictObject({ x: z.int(), y: z.int() }),
  /** Its program has not read all keys yet, so it does not show everything that was typed. */
  isBehind: z.boolean(),
});
export type ShownConsole = z.infer<typeof ShownConsole>;

/**
 * How an element can be acted on (src/contract/ways). Made by the side that reads windows.
 *
 * `family`: what answers for it: UI Automation with patterns, an IAccessible, or its control’s own messages. `part`: `item`
 * is a row of a list, tree or grid, or an accessible object that can be selected. `takes`: how it takes text. `value`: by a
 * pattern. `edit`: by the messages of an edit control. `custom`: characters and keys, after its caret was placed. `position`: a
 * number. `characters`: characters wherever its caret is. `none`: it takes none. `toolkit`: who draws its window.
 */
const Receiver = z.strictObject({
  family: z.enum(['automation', 'accessible', 'control']),
  part: z.enum(['item', 'tab', 'plain']),
  takes: z.enum(['value', 'edit', 'custom', 'position', 'characters', 'none']),
  toolkit: z.enum(TOOLKITS).optional(),
});
export type Receiver = z.infer<typeof Receiver>;

/** The surroundings of an element that raise or lower its risk. All texts come from other programs. */
export const ElementContext = z.strictObject({
  element: ElementInfo.nullable(),
  receiver: Receiver.optional(),
  /**
   * It is in a view of files (a folder window, an Open or Save dialog, the desktop): what the Type column says of it, null
   * where that is not shown. Absent elsewhere.
   */
  fileType: z.string().nullable().optional(),
  /** The text that it holds now, where it is a field and that is known; never of a password field. */
  held: z.string().optional(),
  /** At a point: the element shows text of its own, and a click puts the caret into it. */
  takesCaret: z.boolean().optional(),
  /**
   * If an item inside the element is wanted: the entries along the menu path, then the item that would be chosen; null
   * if it is not known yet.
   */
  chosen: z.array(ChosenItem).min(1).nullable().optional(),
  /** For keys and points: the window itself is disabled. */
  isWindowDisabled: z.literal(true).optional(),
  /** The modal dialog that keeps the element or window disabled; absent if it is enabled or no dialog is in front. */
  dialogInFront: z.strictObject({ hwnd: z.string(), title: z.string() }).optional(),
  /** The application of a popup that belongs to the bound window, where it is another one (a file picker). */
  otherApp: AppIdentity.optional(),
  /** The dialog or window that contains the element: its title and static texts. */
  dialogTitle: z.string(),
  dialogTexts: z.array(z.string()),
  /** Other names nearby: group box, label. */
  nearbyTexts: z.array(z.string()),
  /**
   * Text in the visible part of the window, nearest to the element first and within a budget: names, values, a
   * console’s screen.
   */
  screenTexts: z.array(z.string()),
  /** The screen of the console behind a terminal window; absent if there is none that can be read. */
  console: ShownConsole.optional(),
  /**
   * The part that keys go to takes letters itself, as it reports to Windows, so a dialog presses no button for them.
   * For keys only.
   */
  takesLetters: z.boolean().optional(),
  /**
   * Where keys would go: handles of the part that posted keys reach and of the part with the focus; "0" if unknown.
   * For keys only.
   */
  keysTo: z.strictObject({ posted: z.string(), real: z.string() }).optional(),
  /** Address of a browser window: the Document's value; null if there is none or the witnesses disagree. */
  address: z.string().nullable(),
  /**
   * The document that the element itself is in: the page, a frame in it, or none, as for the browser’s own controls.
   * Address null = unknown.
   */
  document: z.strictObject({ kind: z.enum(['page', 'frame', 'none']), address: z.string().nullable() }),
  /** The default button that Enter would press, if the keys go to this dialog. */
  defaultButtonName: z.string().nullable(),
  /**
   * What keys can reach in this window, wherever the focus is now, and what a press on a whole list or the wheel may choose.
   * Empty, with `reachesMore`, for any other action.
   */
  reachable: z.array(KeyReach),
  /** There are more, or not all of the window could be read. */
  reachesMore: z.boolean(),
  /** `open`: letters, arrows and Enter choose in it. `closed`: keys may open one. `none`: Alt with a letter opens none; a context menu may still come. */
  menu: z.enum(['none', 'closed', 'open']),
});
export type ElementContext = z.infer<typeof ElementContext>;

export const ElementQuery = z.strictObject({
  name: z.string().min(1).max(1000).optional(),
  role: z.string().min(1).max(100).optional(),
  automationId: z.string().min(1).max(1000).optional(),
  /** Finds by itself; name, role and automationId are then those of its last step, by which the gate judges. */
  path: z.string().max(MAX_PATH).regex(ELEMENT_PATH).optional(),
  ref: z
    .string()
    .regex(/^e[1-9][0-9]{0,9}$/)
    .optional(),
});
/** What an element is looked up for: this decides which of several matches. */
export type ElementPurpose = 'click' | 'type' | 'select' | 'scroll' | 'look';

export type ElementQuery = z.infer<typeof ElementQuery>;

/** Rows of a list, grid or tree. */
export const TableData = z.strictObject({
  columns: z.array(z.string()),
  rows: z.array(
    z.strictObject({
      index: z.int(),
      ref: z.string().optional(),
      cells: z.array(z.string().nullable()).describe('Null: the program draws this text, and nothing tells it.'),
      selected: z.boolean().optional(),
      depth: z.int().optional(),
    }),
  ),
  totalRows: z.int(),
  /** If not all columns were read: the first one read, and their total number. */
  fromColumn: z.int().optional(),
  totalColumns: z.int().optional(),
  hiddenColumns: z.array(z.int()).optional().describe('Columns of no width, which a person does not see.'),
});
export type TableData = z.infer<typeof TableData>;
