/** Whether the element under a point says what a press there does, or only what lies around it. */
import type { ControlType } from '../../contract/control-types.ts';
import type { ElementContext, ElementInfo } from '../../contract/element.ts';
import { identifierWords } from './lexicon/match.ts';

/** They hold other things. Where a point finds nothing inside of them, what lies there is drawn, or could not be read. */
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
/** They do what their name says; without a name nobody knows what. */
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

/** True where nobody could name what lies under the point of this context. */
export function isUnnamed(context: ElementContext, element: ElementInfo): boolean {
  if (HOLDERS.has(element.controlType)) return context.takesCaret !== true;
  return NAMED.has(element.controlType) && `${element.name}${identifierWords(element.automationId)}`.trim() === '';
}
