/** Groups control types by what keys and clicks do to them. */
import type { ControlType } from '../../contract/control-types.ts';

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
/** With the focus on one of these, an access-key letter presses what it marks. A control drawn by the program takes the letter itself. */
export const TAKES_NO_LETTERS: ReadonlySet<ControlType> = new Set<ControlType>([
  'Button',
  'SplitButton',
  'Hyperlink',
  'MenuItem',
  'CheckBox',
  'RadioButton',
]);
/** Controls whose rows name objects: files, messages, contacts. */
export const ITEMS: ReadonlySet<ControlType> = new Set<ControlType>(['ListItem', 'TreeItem', 'DataItem']);
export const ITEM_HOLDERS: ReadonlySet<ControlType> = new Set<ControlType>([
  'ListItem',
  'TreeItem',
  'DataItem',
  'List',
  'Tree',
  'DataGrid',
  'Table',
]);
export const TEXT_FIELDS: ReadonlySet<ControlType> = new Set<ControlType>(['Edit', 'Document', 'ComboBox', 'Spinner']);
/** In these, arrow keys only change a value or scroll a view. */
export const KEEPS_ARROWS: ReadonlySet<ControlType> = new Set<ControlType>([
  'Edit',
  'Document',
  'ComboBox',
  'Spinner',
  'Slider',
  'ScrollBar',
]);
export const MENUS: ReadonlySet<ControlType> = new Set<ControlType>(['Menu', 'MenuBar', 'MenuItem']);
/** Space only toggles them and opens nothing. */
export const KEEPS_FOCUS: ReadonlySet<ControlType> = new Set<ControlType>(['CheckBox', 'RadioButton']);
