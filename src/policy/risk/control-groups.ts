/** Groups control types by what keys and clicks do to them, for the gate alone. */
import { ITEMS, VALUE_FIELDS } from '../../contract/element/control-groups.ts';
import type { ControlType } from '../../contract/element/control-types.ts';

/** With the focus on one of these, an access-key letter presses what it marks. A control drawn by the program takes the letter itself. */
export const TAKES_NO_LETTERS: ReadonlySet<ControlType> = new Set<ControlType>([
  'Button',
  'SplitButton',
  'Hyperlink',
  'MenuItem',
  'CheckBox',
  'RadioButton',
]);
export const ITEM_HOLDERS: ReadonlySet<ControlType> = new Set<ControlType>([
  ...ITEMS,
  'List',
  'Tree',
  'DataGrid',
  'Table',
]);
/** In these, arrow keys only change a value or scroll a view. */
export const KEEPS_ARROWS: ReadonlySet<ControlType> = new Set<ControlType>([...VALUE_FIELDS, 'ScrollBar']);
export const MENUS: ReadonlySet<ControlType> = new Set<ControlType>(['Menu', 'MenuBar', 'MenuItem']);
/** Space only toggles them and opens nothing. */
export const KEEPS_FOCUS: ReadonlySet<ControlType> = new Set<ControlType>(['CheckBox', 'RadioButton']);
