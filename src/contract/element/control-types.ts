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

/**
 * The one table from roles to control types: those of the given contracts (`coordinate` is not an element), and the names of
 * ARIA that differ from the control type's. The first list that has a match counts. The contracts' roles have none for other
 * things that are pressed, so `button` also means these, where no button matches.
 */
export const ROLE_TO_CONTROL_TYPES: Readonly<Record<string, ReadonlyArray<readonly ControlType[]>>> = {
  button: [
    ['Button', 'SplitButton'],
    ['CheckBox', 'RadioButton', 'TabItem', 'MenuItem', 'ListItem', 'TreeItem', 'DataItem'],
  ],
  link: [['Hyperlink']],
  textbox: [['Edit', 'Document', 'ComboBox']],
  status: [['StatusBar', 'Text']],
  radio: [['RadioButton']],
  tab: [['TabItem'], ['Tab']],
  tablist: [['Tab']],
  option: [['ListItem']],
  listbox: [['List']],
  row: [['DataItem', 'ListItem']],
  grid: [['DataGrid', 'Table']],
  spinbutton: [['Spinner']],
  switch: [['CheckBox'], ['Button']],
  searchbox: [['Edit']],
  dialog: [['Window']],
  img: [['Image']],
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
/** What gets the focus by anything but the mouse presses or chooses itself. */
export const PRESSED_BY_FOCUS: ReadonlySet<ControlType> = new Set<ControlType>(['RadioButton', 'TabItem']);
/** The wheel changes their value. */
export const VALUES_TURNED: ReadonlySet<ControlType> = new Set<ControlType>(['Spinner', 'Slider']);
export const TEXT_FIELDS: ReadonlySet<ControlType> = new Set<ControlType>(['Edit', 'Document', 'ComboBox', 'Spinner']);
/** A value in these is what people enter; elsewhere "read-only" means nothing. */
export const VALUE_FIELDS: ReadonlySet<ControlType> = new Set<ControlType>([...TEXT_FIELDS, 'Slider']);
