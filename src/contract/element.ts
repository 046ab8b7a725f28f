import { z } from 'zod';
import { Rect } from './geometry.ts';

/** UIA control type names, unabridged. Source: learn.microsoft.com/windows/win32/winauto/uiauto-controltype-ids */
export const CONTROL_TYPES = [
  'Button', 'Calendar', 'CheckBox', 'ComboBox', 'Edit', 'Hyperlink', 'Image', 'ListItem', 'List', 'Menu', 'MenuBar', 'MenuItem',
  'ProgressBar', 'RadioButton', 'ScrollBar', 'Slider', 'Spinner', 'StatusBar', 'Tab', 'TabItem', 'Text', 'ToolBar', 'ToolTip', 'Tree',
  'TreeItem', 'Custom', 'Group', 'Thumb', 'DataGrid', 'DataItem', 'Document', 'SplitButton', 'Window', 'Pane', 'Header', 'HeaderItem',
  'Table', 'TitleBar', 'Separator', 'SemanticZoom', 'AppBar',
] as const;
export const ControlType = z.enum(CONTROL_TYPES);
export type ControlType = z.infer<typeof ControlType>;

/** The one table from the given contracts' roles to control types. `coordinate` is not an element. */
export const ROLE_TO_CONTROL_TYPES: Readonly<Record<string, readonly ControlType[]>> = {
  button: ['Button', 'SplitButton'],
  link: ['Hyperlink'],
  textbox: ['Edit', 'Document', 'ComboBox'],
  status: ['StatusBar', 'Text'],
};

export const ELEMENT_STATES = [
  'focused', 'disabled', 'checked', 'mixed', 'selected', 'expanded', 'collapsed', 'readonly', 'password', 'offscreen',
] as const;
export const ElementState = z.enum(ELEMENT_STATES);
export type ElementState = z.infer<typeof ElementState>;

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

/** What surrounds an element and raises or lowers its risk. All texts are other programs' words. */
export const ElementContext = z.strictObject({
  element: ElementInfo.nullable(),
  /** The dialog or window the element stands in: its title and static texts. */
  dialogTitle: z.string(),
  dialogTexts: z.array(z.string()),
  /** Other names near by: group box, label. */
  nearbyTexts: z.array(z.string()),
  /** Address of a browser window: Document value; null where there is none or witnesses disagree. */
  address: z.string().nullable(),
  /** The default button that Enter would press, if the keys go to this dialog. */
  defaultButtonName: z.string().nullable(),
});
export type ElementContext = z.infer<typeof ElementContext>;

export const ElementQuery = z.strictObject({
  name: z.string().min(1).max(1000).optional(),
  role: z.string().min(1).max(100).optional(),
  automationId: z.string().min(1).max(1000).optional(),
  ref: z.string().regex(/^e[1-9][0-9]{0,9}$/).optional(),
});
export type ElementQuery = z.infer<typeof ElementQuery>;
