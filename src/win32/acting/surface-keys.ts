/**
 * Text and key combinations for windows that take no posted keys (XAML, WinUI, UWP): text goes into the field by its
 * patterns, a combination to the element that names it as its own.
 */
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { ElementContext } from '../../contract/element/element.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { canonicalChord, shownChord } from '../../contract/keys/keys.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { CallContext, Done } from '../../desktop/index.ts';
import type { ActionTools } from '../elements/finding/element-target.ts';
import { elementInfo, refOf } from '../elements/finding/locate.ts';
import { takesLegacyText } from '../elements/sources/patterns.ts';
import { readPatiently } from '../elements/reading/observe.ts';
import { walk, type TreeNode } from '../elements/tree/tree.ts';
import { clickElement } from './click.ts';
import { typeIntoElement } from './type-into.ts';
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import { ComError } from '../../../native-bindings/com/hresult.ts';
import { PropertyId, TreeScope } from '../../../native-bindings/uia/identifiers.generated.ts';
import type { Automation } from '../elements/sources/uia-client.ts';
import { cachedOf, runtimeIdOf } from '../elements/sources/automation-node.ts';

/** How the keyboard's actions use elements; provided by the element topic. */
export interface SurfaceKeys {
  /** Puts text at the end of the field with the focus, else of the only field; null if it is not known which. */
  typeIntoField(record: BindingRecord, text: string, call: CallContext): Promise<Done<boolean> | null>;
  /** Uses the element that a chord stands for; null if none names it, or several do. */
  useChord(record: BindingRecord, chord: string, call: CallContext): Promise<Done<boolean> | null>;
}

/** What to do instead, for windows that take keys only from a real keyboard. */
export const lostKeys = (what: string): UiaHostError =>
  new UiaHostError(
    'unsupported',
    `This window takes keys only from the keyboard itself: posted ones would be lost, and ${what}. Nothing was sent.`,
    {
      hint: 'Use type-into-element for text and click-element for commands, or bring the window forward and give delivery: "foreground".',
    },
  );

const isField = (node: TreeNode): boolean => {
  const { capabilities, states, controlType, visible } = node;
  return (
    (capabilities.has('value') || takesLegacyText(node)) &&
    visible !== null &&
    !states.has('disabled') &&
    !states.has('readonly') &&
    (controlType === 'Edit' || controlType === 'Document' || controlType === 'ComboBox')
  );
};

export async function typeIntoField(
  tools: ActionTools,
  record: BindingRecord,
  text: string,
  call: CallContext,
): Promise<Done<boolean> | null> {
  const fields = walk(readPatiently(record, tools.read).root).filter(isField);
  const focused = fields.find(({ states }) => states.has('focused'));
  const field = focused ?? (fields.length === 1 ? fields[0]! : null);
  const judged = call.permit?.target.element ?? null;
  // A password field that was not judged as the target is not typed into.
  if (field === null || (field.states.has('password') && judged?.identity !== field.identity)) return null;
  if (judged !== null && judged.identity !== field.identity && isFieldOf(judged.controlType)) return null;
  const ref = refOf(tools.refs, Number(record.hwnd), field);
  const how = { mode: 'append', delivery: 'background', isSecret: field.states.has('password') } as const;
  return typeIntoElement(tools, record, ref, { text, ...how }, call);
}

const isFieldOf = (controlType: string): boolean => controlType === 'Edit' || controlType === 'Document';

/** For the gate: the elements that chords would use. */
export function commandsOfChords(
  tools: ActionTools,
  record: BindingRecord,
  chords: readonly string[],
): NonNullable<ElementContext['commands']> {
  const { automation } = tools.read;
  const bound = Number(record.hwnd);
  const found = automation === null ? null : chordElements(automation, bound, chords);
  if (found === null || found.size === 0) return [];
  const nodes = new Map(walk(readPatiently(record, tools.read).root).map((node) => [node.identity, node]));
  return [...found].flatMap(([chord, identities]) =>
    identities.flatMap((identity) => {
      const node = nodes.get(identity);
      return node === undefined ? [] : [{ chord, element: elementInfo(tools.refs, bound, node) }];
    }),
  );
}

/** Exactly the judged element is used; without a judgement, it is looked up. */
export async function useChord(
  tools: ActionTools,
  record: BindingRecord,
  chord: string,
  call: CallContext,
): Promise<Done<boolean> | null> {
  const wanted = canonicalChord(chord);
  const commands =
    call.permit === undefined ? commandsOfChords(tools, record, [chord]) : (call.permit.target.commands ?? []);
  const [command, ...others] = commands.filter((each) => each.chord === wanted);
  if (command === undefined || others.length > 0) return null;
  const done = await clickElement(tools, record, command.element.ref, { delivery: 'background' }, call);
  const { ref, controlType: role, name } = command.element;
  const outcome: Outcome = { ...done.outcome, details: { ...done.outcome.details, target: { role, name, ref } } };
  return { value: done.value, outcome };
}

/** One call for the whole window. */
const SEARCH_MS = 1500;

const isCalled = (element: IUIAutomationElement, property: number, wanted: ReadonlySet<string>): string | null => {
  const value = cachedOf(element)(property);
  const chord = typeof value === 'string' && value !== '' ? shownChord(value) : null;
  return chord !== null && wanted.has(chord) ? chord : null;
};

/**
 * The identities of the elements below a window, by canonical chord. Empty where the system cannot search.
 * Source: learn.microsoft.com/windows/win32/winauto/uiauto-automation-element-propids (AcceleratorKey, AccessKey)
 */
function chordElements(automation: Automation, hwnd: number, chords: readonly string[]): Map<string, string[]> {
  const wanted = new Set(chords.map(canonicalChord));
  const found = new Map<string, string[]>();
  if (!automation.canSearch) return found;
  try {
    automation.waitingAtMost(SEARCH_MS, () => {
      using start = automation.fromWindow(hwnd);
      using request = automation.request(
        [PropertyId.AcceleratorKey, PropertyId.AccessKey, PropertyId.RuntimeId],
        false,
      );
      using condition = automation.client.CreateTrueCondition()!;
      using all = start?.FindAllBuildCache(TreeScope.Descendants, condition, request) ?? null;
      const length = all?.get_Length() ?? 0;
      for (let at = 0; at < length; at++) {
        using element = all!.GetElement(at);
        if (element === null) continue;
        const chord =
          isCalled(element, PropertyId.AcceleratorKey, wanted) ?? isCalled(element, PropertyId.AccessKey, wanted);
        const id = chord === null ? '' : runtimeIdOf(element);
        if (chord !== null && id !== '') found.set(chord, [...(found.get(chord) ?? []), `rid:${id}`]);
      }
    });
  } catch (error) {
    if (!(error instanceof ComError)) throw error;
  }
  return found;
}
