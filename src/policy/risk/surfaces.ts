/** Whether the element under a point shows what a press there does, or is only a container. */
import type { ControlType } from '../../contract/element/control-types.ts';
import type { ElementContext, ElementInfo } from '../../contract/element/element.ts';
import { identifierWords } from './lexicon/match.ts';

/** Containers. If a point hits nothing inside one, what is there is custom-drawn or could not be read. */
const HOLDERS: ReadonlySet<ControlType> = new Set<ControlType>([
  'Window',
  'Pane',
  'Group',
  'Custom',
  'Document',
  'List',
  'Tree',
  'DataGrid',
  'Table',
  'Menu',
  'MenuBar',
  'ToolBar',
  'AppBar',
  'TitleBar',
  'StatusBar',
  'Tab',
  'Header',
  'SemanticZoom',
]);
/** They do what their name says; without a name the effect is unknown. */
const NAMED: ReadonlySet<ControlType> = new Set<ControlType>([
  'Button',
  'SplitButton',
  'Hyperlink',
  'MenuItem',
  'CheckBox',
  'RadioButton',
  'Image',
  'Text',
  'ListItem',
  'TreeItem',
  'DataItem',
]);

/** True if what is under this context's point is unknown. */
export function isUnnamed(context: ElementContext, element: ElementInfo): boolean {
  if (HOLDERS.has(element.controlType)) return context.takesCaret !== true;
  return NAMED.has(element.controlType) && `${element.name}${identifierWords(element.automationId)}`.trim() === '';
}
