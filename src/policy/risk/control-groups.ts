/** Control types by what keys and clicks do to them. */
import type { ControlType } from '../../contract/control-types.ts';

/** Controls that the keyboard presses with Enter or Space. */
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
/** With the focus on one of these a letter is free to press what it marks. A control that a program draws itself takes it. */
export const TAKES_NO_LETTERS: ReadonlySet<ControlType> = new Set<ControlType>([
  'Button',
  'SplitButton',
  'Hyperlink',
  'MenuItem',
  'CheckBox',
  'RadioButton',
]);
/** Controls whose rows are names of things: files, messages, contacts. */
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
/** In these the arrow keys move nothing but a value or a view. */
export const KEEPS_ARROWS: ReadonlySet<ControlType> = new Set<ControlType>([
  'Edit',
  'Document',
  'ComboBox',
  'Spinner',
  'Slider',
  'ScrollBar',
]);
export const MENUS: ReadonlySet<ControlType> = new Set<ControlType>(['Menu', 'MenuBar', 'MenuItem']);
/** Space changes their mark and opens nothing. */
export const KEEPS_FOCUS: ReadonlySet<ControlType> = new Set<ControlType>(['CheckBox', 'RadioButton']);
