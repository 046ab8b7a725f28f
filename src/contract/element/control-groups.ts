/** Groups of control types that the gate and the worker both go by. */
import type { ControlType } from './control-types.ts';

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
