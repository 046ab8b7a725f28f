/** Text for windows that take no posted keys (XAML, WinUI, UWP): it goes into the field by its patterns. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext, Done } from '../../desktop/index.ts';
import type { ActionTools } from '../elements/finding/element-target.ts';
import { refOf } from '../elements/finding/locate.ts';
import { takesLegacyText } from '../elements/sources/patterns.ts';
import { readPatiently } from '../elements/reading/observe.ts';
import { walk, type TreeNode } from '../elements/tree/tree.ts';
import { typeIntoElement } from './type-into.ts';

/** What to do instead, for windows that take keys only from a real keyboard. `sent`: key combinations before. */
export const lostKeys = (sent = 0): UiaHostError =>
  new UiaHostError(
    'unsupported',
    `This window takes keys only from the keyboard itself: posted ones would be lost. ${sent === 0 ? 'Nothing' : `After ${sent} key combinations nothing more`} was sent.`,
    {
      delivery: sent === 0 ? 'not_delivered' : 'delivered',
      hint: 'Use type-into-element for text and click-element for commands, or bring the window forward and give delivery: "foreground".',
    },
  );

const takesText = (node: TreeNode): boolean => {
  const { capabilities, states, controlType, visible } = node;
  return (
    (capabilities.has('value') || takesLegacyText(node)) &&
    visible !== null &&
    !states.has('disabled') &&
    !states.has('readonly') &&
    (controlType === 'Edit' || controlType === 'Document' || controlType === 'ComboBox')
  );
};

/** Puts text at the end of the field with the focus, else of the only field; null if it is not known which. */
export async function typeIntoField(
  tools: ActionTools,
  record: BindingRecord,
  text: string,
  call: CallContext,
): Promise<Done<boolean> | null> {
  const fields = walk(readPatiently(record, tools.read).root).filter(takesText);
  const focused = fields.find(({ states }) => states.has('focused'));
  const field = focused ?? (fields.length === 1 ? fields[0]! : null);
  const judged = call.permit?.target.element ?? null;
  // A password field that was not judged as the target is not typed into.
  if (field === null || (field.states.has('password') && judged?.identity !== field.identity)) return null;
  const isField = judged?.controlType === 'Edit' || judged?.controlType === 'Document';
  if (isField && judged?.identity !== field.identity) return null;
  const ref = refOf(tools.refs, Number(record.hwnd), field);
  const how = { mode: 'append', delivery: 'background', isSecret: field.states.has('password') } as const;
  return typeIntoElement(tools, record, ref, { text, ...how }, call);
}
