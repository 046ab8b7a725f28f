/** Schemas of elements, of the queries that find them, and of their states. */
import { z } from 'zod';
import { CONTROL_TYPES, ELEMENT_STATES } from './control-types.ts';
import { Rect } from './geometry.ts';

const ControlType = z.enum(CONTROL_TYPES);
const ElementState = z.enum(ELEMENT_STATES);

/** Which reader saw the element. */
export const ElementSource = z.enum(['window', 'uia', 'msaa', 'message']);
export type ElementSource = z.infer<typeof ElementSource>;

/** One element as plain data: what crosses the worker's border and what the gate judges by. */
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

/** An item inside of an element, or an entry on a menu's way: what a choice by name, path or index comes to. */
export const ChosenItem = z.strictObject({
  controlType: ControlType,
  name: z.string(),
  /** As of an element; empty where the item has none before it is made. */
  identity: z.string(),
});
export type ChosenItem = z.infer<typeof ChosenItem>;

/** What is wanted inside of an element. */
export interface WantedItem {
  /** Its name, or a path of names. */
  readonly name?: string | undefined;
  readonly index?: number | undefined;
}

/** Something in the window that keys may move the focus to: what Enter, Space or its letter presses, or a field that hides what is typed. */
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

/** A console as displayed, with what its program has not shown yet. */
export const ShownConsole = z.strictObject({
  /** Visible rows from the top. */
  rows: z.array(z.string()),
  /** Columns: a full row may continue in the next. */
  width: z.int(),
  cursor: z.strictObject({ x: z.int(), y: z.int() }),
  /** Its program has not read all keys yet: what it shows is not all that was typed. */
  isBehind: z.boolean(),
});
export type ShownConsole = z.infer<typeof ShownConsole>;

/** What surrounds an element and raises or lowers its risk. All texts are other programs' words. */
export const ElementContext = z.strictObject({
  element: ElementInfo.nullable(),
  /** At a point: the element shows text of its own, and a click puts the caret into it. */
  takesCaret: z.boolean().optional(),
  /** Where an item inside of the element is wanted: the entries on a menu's way and then the item that would be chosen; null where it is not known yet. */
  chosen: z.array(ChosenItem).min(1).nullable().optional(),
  /** The dialog or window that contains the element: its title and static texts. */
  dialogTitle: z.string(),
  dialogTexts: z.array(z.string()),
  /** Other names near by: group box, label. */
  nearbyTexts: z.array(z.string()),
  /** What the part of the window in view says, nearest to the element first and within a budget: names, values, a console’s screen. */
  screenTexts: z.array(z.string()),
  /** What the console behind a terminal window shows; absent where there is none that can be read. */
  console: ShownConsole.optional(),
  /** The part that keys go to takes letters itself, as it told Windows: a dialog then presses none of its buttons for them. For keys alone. */
  takesLetters: z.boolean().optional(),
  /** Where keys would go: handles of the part that posted ones reach and of the one that has the focus; "0" where not known. For keys alone. */
  keysTo: z.strictObject({ posted: z.string(), real: z.string() }).optional(),
  /** Address of a browser window: Document value; null where there is none or witnesses disagree. */
  address: z.string().nullable(),
  /** The document that the element itself is in: the page, a frame in it, or none, as the browser’s own controls are. Address null = unknown. */
  document: z.strictObject({ kind: z.enum(['page', 'frame', 'none']), address: z.string().nullable() }),
  /** The default button that Enter would press, if the keys go to this dialog. */
  defaultButtonName: z.string().nullable(),
  /** What keys can reach in this window, wherever the focus is now. */
  reachable: z.array(KeyReach),
  /** There is more of it, or not all of the window could be read. */
  reachesMore: z.boolean(),
  /** `open`: letters, arrows and Enter choose in it. `closed`: keys may open one. `none`: Alt with a letter opens none; a context menu may still come. */
  menu: z.enum(['none', 'closed', 'open']),
});
export type ElementContext = z.infer<typeof ElementContext>;

export const ElementQuery = z.strictObject({
  name: z.string().min(1).max(1000).optional(),
  role: z.string().min(1).max(100).optional(),
  automationId: z.string().min(1).max(1000).optional(),
  ref: z
    .string()
    .regex(/^e[1-9][0-9]{0,9}$/)
    .optional(),
});
/** What an element is looked for: it decides which of several fits. */
export type ElementPurpose = 'click' | 'type' | 'select' | 'scroll' | 'look';

export type ElementQuery = z.infer<typeof ElementQuery>;
