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
export const TEXT_FIELDS: ReadonlySet<ControlType> = new Set<ControlType>(['Edit', 'Document', 'ComboBox', 'Spinner']);
/** A value in these is what people enter; elsewhere "read-only" means nothing. */
export const VALUE_FIELDS: ReadonlySet<ControlType> = new Set<ControlType>([...TEXT_FIELDS, 'Slider']);
