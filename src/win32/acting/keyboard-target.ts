/** What the keyboard's actions share: the window that receives the keys, and the state before them. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { needsFront } from '../../contract/ways/receivers.ts';
import type { Chord } from '../../contract/keys/keys.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { CallContext, DeliveryMode, Done } from '../../desktop/index.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { look, type SeenState } from '../evidence/chord-effects.ts';
import { isFrameCommand } from '../input/chords-background.ts';
import { type Begun, beginInput } from '../evidence/late-foreground.ts';
import { isInFront } from '../input/temporary-focus.ts';
import type { HeldInputs } from '../input/held-input.ts';
import { shownEffects, type ShownEffects, type TreeReader } from '../evidence/shown-effects.ts';
import { requireEnabledWindow, type ActionTools } from '../elements/finding/element-target.ts';
import { findKeyTarget, type FocusMemory, type KeyTarget, receiverAt } from '../elements/finding/text-target.ts';
import { focusOf, windowText, windowStyle, threadOf } from '../windows/window-info.ts';
import { notCarried, toolkitOf } from '../windows/toolkit.ts';
import type { ScrollerFinder } from './scroll.ts';
import type { BoundConsole } from '../terminal/console-protocol.ts';
import { controlTypeOf } from '../windows/classes.ts';
import { YIELD_MS, quietMoment } from '../windows/person.ts';
import { assertSameFocus } from '../input/keyboard-foreground.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { refOf } from '../elements/finding/locate.ts';
import { takesLegacyText } from '../elements/sources/patterns.ts';
import { readPatiently } from '../elements/reading/observe.ts';
import { walk, type TreeNode } from '../elements/tree/tree.ts';
import { typeIntoElement } from './type-into.ts';

/** Puts text into the field of a window that takes no keys; null if it is not known which. */
export interface FieldFinder {
  typeIntoField(record: BindingRecord, text: string, call: CallContext): Promise<Done<boolean> | null>;
}

export interface InputTools {
  readonly held: HeldInputs;
  readonly focus: FocusMemory;
  /** Reads what programs expose through UI Automation or MSAA; without it only their pictures are compared. */
  readonly trees?: TreeReader & ScrollerFinder & FieldFinder;
  /** The consoles behind bound windows. */
  readonly consoles: BoundConsole;
  /** Whether a window is the host's own by now: keys can lead a browser to its page. */
  isOwnWindow(hwnd: number): boolean;
}

/** The state before input. */
export interface StateBefore {
  readonly target: KeyTarget;
  readonly shown: ShownEffects | null;
  readonly before: SeenState;
}

/**
 * The part of the bound window that receives keys, or a chord that its frame may handle. Errors: those of `findKeyTarget`;
 * target_disabled behind a modal dialog; unsupported where its toolkit drops keys while another program is in front.
 */
export function keyTargetOf(
  { focus }: InputTools,
  record: BindingRecord,
  owner: string,
  chord: Chord | null = null,
): KeyTarget {
  const bound = Number(record.hwnd);
  requireEnabledWindow(bound);
  const isCommand = chord !== null && isFrameCommand(chord, bound, record.app.executable);
  const target = findKeyTarget(bound, focus, owner, isCommand);
  const toolkit = toolkitOf(target.hwnd);
  if (needsFront(toolkit) && !isInFront(target, bound)) throw notCarried(toolkit, 'keys');
  return target;
}

export const shownBefore = (
  { trees }: InputTools,
  record: BindingRecord,
  target: KeyTarget,
  call: CallContext,
): Promise<ShownEffects | null> => shownEffects(trees ?? null, record, target, null, call);

/**
 * Records the state before input; null if no window is bound, since others are not read.
 * `isWatched`: what a custom window shows is recorded too; `isWhole`: so is what the target and the whole window show,
 * else only the windows and the title; `isChoice`: as `look` has it.
 */
export async function readBefore(
  tools: InputTools,
  record: BindingRecord | null,
  target: KeyTarget | null,
  call: CallContext,
  { isWatched, ...how }: { readonly isWatched: boolean } & Parameters<typeof look>[2],
): Promise<StateBefore | null> {
  if (record === null || target === null) return null;
  const shown = isWatched ? await shownBefore(tools, record, target, call) : null;
  return { target, shown, before: look(target, Number(record.hwnd), how) };
}

/** Names the element that received the keys. */
export function describeTarget(
  { trees }: InputTools,
  record: BindingRecord | null,
  target: KeyTarget | null,
  call: CallContext,
): { target?: { readonly role: string; readonly name: string; readonly foundBy: string } } {
  if (record === null || target === null) return {};
  const named = trees?.keyTarget(record, target.hwnd, call) ?? {
    role: controlTypeOf(target.kind, windowStyle(target.hwnd), false),
    name: windowText(target.hwnd),
  };
  return { target: { ...named, foundBy: target.foundBy } };
}

/** Begins what goes to the focus: real input in a quiet moment, and only while the focus is what was judged. */
export async function beginKeys(
  tools: InputTools,
  record: BindingRecord | null,
  delivery: DeliveryMode,
  call: CallContext,
): Promise<Begun> {
  const begun = beginInput(record, delivery, call);
  const isReal = record === null || delivery === 'foreground';
  if (isReal) await quietMoment(YIELD_MS, begun.deadline);
  assertSameFocus(record, isReal, tools, call);
  return begun;
}

/** The focused window of the program in front: real keys go there. */
export function realTarget(record: BindingRecord): KeyTarget {
  const bound = Number(record.hwnd);
  const { thread } = threadOf(user32.GetForegroundWindow());
  const focused = focusOf(thread);
  const hwnd = focused !== 0 && threadOf(focused).process === threadOf(bound).process ? focused : bound;
  return receiverAt(hwnd, hwnd === focused ? 'system focus' : 'window itself');
}

export const withDetails = (outcome: Outcome, details: Record<string, unknown>): Outcome =>
  Object.keys(details).length === 0 ? outcome : { ...outcome, details: { ...outcome.details, ...details } };

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
