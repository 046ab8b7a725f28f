/** UIA control type names, unabridged. Source: learn.microsoft.com/windows/win32/winauto/uiauto-controltype-ids */

export const CONTROL_TYPES = [
  'Button',
  'Calendar',
  'CheckBox',
  'ComboBox',
  'Edit',
  'Hyperlink',
  'Image',
  'ListItem',
  'List',
  'Menu',
  'MenuBar',
  'MenuItem',
  'ProgressBar',
  'RadioButton',
  'ScrollBar',
  'Slider',
  'Spinner',
  'StatusBar',
  'Tab',
  'TabItem',
  'Text',
  'ToolBar',
  'ToolTip',
  'Tree',
  'TreeItem',
  'Custom',
  'Group',
  'Thumb',
  'DataGrid',
  'DataItem',
  'Document',
  'SplitButton',
  'Window',
  'Pane',
  'Header',
  'HeaderItem',
  'Table',
  'TitleBar',
  'Separator',
  'SemanticZoom',
  'AppBar',
] as const;
export type ControlType = (typeof CONTROL_TYPES)[number];

/** The one table from the given contracts' roles to control types. `coordinate` is not an element. */
export const ROLE_TO_CONTROL_TYPES: Readonly<Record<string, readonly ControlType[]>> = {
  button: ['Button', 'SplitButton'],
  link: ['Hyperlink'],
  textbox: ['Edit', 'Document', 'ComboBox'],
  status: ['StatusBar', 'Text'],
};

export const ELEMENT_STATES = [
  'focused',
  'disabled',
  'checked',
  'mixed',
  'selected',
  'expanded',
  'collapsed',
  'readonly',
  'password',
  'offscreen',
] as const;
export type ElementState = (typeof ELEMENT_STATES)[number];

/** Controls that Enter or Space presses. */
export const PRESSABLE: ReadonlySet<ControlType> = new Set<ControlType>([
  'Button',
  'SplitButton',
  'Hyperlink',
  'MenuItem',
  'CheckBox',
  'RadioButton',
  'Custom',
  'Image',
]);
/** Controls whose rows name objects: files, messages, contacts. */
export const ITEMS: ReadonlySet<ControlType> = new Set<ControlType>(['ListItem', 'TreeItem', 'DataItem']);
/** A click on the whole of one hits one of its rows. */
export const LISTS: ReadonlySet<ControlType> = new Set<ControlType>(['List', 'Tree', 'DataGrid', 'Table']);
/** The wheel over a closed combo box, or over its field or button, selects another item. */
export const TURNED: ReadonlySet<ControlType> = new Set<ControlType>(['ComboBox', 'Edit', 'Button']);
export const TEXT_FIELDS: ReadonlySet<ControlType> = new Set<ControlType>(['Edit', 'Document', 'ComboBox', 'Spinner']);
/** A value in these is what people enter; elsewhere "read-only" means nothing. */
export const VALUE_FIELDS: ReadonlySet<ControlType> = new Set<ControlType>([...TEXT_FIELDS, 'Slider']);
