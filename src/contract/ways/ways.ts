/**
 * The ways in which a verb reaches an element, in the order in which they are tried, and what leaves the host by each. One
 * table for both sides: the gate judges what every way of a row can make, and delivery climbs the same rows.
 */
import type { ElementContext, Receiver, WantedItem } from '../element/element.ts';
import { ITEMS, TEXT_FIELDS } from '../element/control-types.ts';
import type { Exit } from '../gate/exit.ts';
import { isCarried, type Input } from './receivers.ts';

export type Verb =
  | 'click'
  | 'double'
  | 'context'
  | 'presses'
  | 'select'
  | 'type'
  | 'scroll'
  | 'page'
  | 'focus'
  | 'cell';

/** What a call wants of an element. */
export interface Wish {
  readonly verb: Verb;
  readonly button: 'left' | 'right' | 'middle';
  readonly count: number;
  /** Null: a stored secret. */
  readonly text: string | null;
  readonly replaces: boolean;
  readonly item: WantedItem | null;
}

interface Way {
  readonly id: string;
  readonly verb: Verb;
  readonly families: ReadonlyArray<Receiver['family']>;
  /** Absent: all. */
  readonly parts?: ReadonlyArray<Receiver['part']>;
  readonly takes?: ReadonlyArray<Receiver['takes']>;
  /** Real input, which a caller asks for. */
  readonly isReal?: true;
  /** What it sends as messages of the mouse or keyboard, or in their place: only where the receiver takes that from messages. */
  readonly sends?: Input;
  makes(wish: Wish): readonly Exit[];
}

type Press = Extract<Exit, { kind: 'press' }>;

const pressBy =
  (by: Press['by']) =>
  ({ button, count }: Wish): readonly Exit[] => [{ kind: 'press', end: 'target', by, button, count }];
const text = ({ text: of, replaces }: Wish): readonly Exit[] => [{ kind: 'text', text: of, replaces }];
const keys = ({ text: of, replaces }: Wish): readonly Exit[] => [
  { kind: 'text', text: of, replaces },
  { kind: 'keys', from: 'element', chords: [], text: of ?? '', rounds: 1, isHeld: false },
];
const choose = ({ item }: Wish): readonly Exit[] => [{ kind: 'choose', item }];
const only = (exit: Exit) => (): readonly Exit[] => [exit];
const realClick = ({ button, count }: Wish): readonly Exit[] => [
  { kind: 'point', end: 'target', does: 'press', button, count, held: [] },
];

/** A click on an item chooses it: what else it offers belongs to a double click, its check box or the sign before it. */
const NO_ITEM: Way['parts'] = ['tab', 'plain'];
const AUTOMATION: Way['families'] = ['automation'];
const ACCESSIBLE: Way['families'] = ['accessible'];
const CONTROL: Way['families'] = ['control'];
const BY_MESSAGE: Way['families'] = ['automation', 'control'];
const ALL: Way['families'] = ['automation', 'accessible', 'control'];

/** In the order in which they are tried. */
const WAYS: readonly Way[] = [
  { id: 'real-click', verb: 'click', families: ALL, isReal: true, makes: realClick },
  { id: 'msaa-select', verb: 'click', families: ACCESSIBLE, parts: ['item', 'tab'], makes: pressBy('select') },
  { id: 'msaa-action', verb: 'click', families: ACCESSIBLE, parts: ['plain'], makes: pressBy('invoke') },
  { id: 'uia-invoke', verb: 'click', families: AUTOMATION, parts: NO_ITEM, makes: pressBy('invoke') },
  { id: 'uia-toggle', verb: 'click', families: AUTOMATION, parts: NO_ITEM, makes: pressBy('toggle') },
  { id: 'uia-select', verb: 'click', families: AUTOMATION, makes: pressBy('select') },
  {
    id: 'uia-expand-collapse',
    verb: 'click',
    families: AUTOMATION,
    parts: NO_ITEM,
    makes: pressBy('expand'),
  },
  { id: 'legacy-action', verb: 'click', families: AUTOMATION, parts: NO_ITEM, makes: pressBy('invoke') },
  { id: 'message', verb: 'click', families: BY_MESSAGE, sends: 'click', makes: pressBy('click') },
  { id: 'posted-click', verb: 'click', families: ALL, sends: 'click', makes: pressBy('click') },

  { id: 'real-click', verb: 'double', families: ALL, isReal: true, makes: realClick },
  { id: 'msaa-action', verb: 'double', families: ACCESSIBLE, parts: ['item'], makes: pressBy('invoke') },
  { id: 'uia-invoke', verb: 'double', families: AUTOMATION, parts: ['item'], makes: pressBy('invoke') },
  { id: 'legacy-action', verb: 'double', families: AUTOMATION, parts: ['item'], makes: pressBy('invoke') },
  { id: 'posted-clicks', verb: 'double', families: ALL, sends: 'click', makes: pressBy('click') },

  { id: 'real-click', verb: 'context', families: ALL, isReal: true, makes: realClick },
  { id: 'uia-context-menu', verb: 'context', families: ALL, makes: pressBy('menu') },
  { id: 'context-menu-message', verb: 'context', families: ALL, sends: 'click', makes: pressBy('menu') },
  { id: 'posted-clicks', verb: 'context', families: ALL, sends: 'click', makes: pressBy('click') },

  { id: 'real-click', verb: 'presses', families: ALL, isReal: true, makes: realClick },
  { id: 'posted-clicks', verb: 'presses', families: ALL, sends: 'click', makes: pressBy('click') },

  { id: 'msaa-select', verb: 'select', families: ACCESSIBLE, makes: choose },
  { id: 'msaa-action', verb: 'select', families: ACCESSIBLE, makes: choose },
  { id: 'uia-select', verb: 'select', families: AUTOMATION, makes: choose },
  { id: 'uia-invoke', verb: 'select', families: AUTOMATION, parts: NO_ITEM, makes: choose },
  { id: 'uia-toggle', verb: 'select', families: AUTOMATION, parts: NO_ITEM, makes: choose },
  { id: 'legacy-action', verb: 'select', families: AUTOMATION, parts: NO_ITEM, makes: choose },
  { id: 'message', verb: 'select', families: BY_MESSAGE, sends: 'click', makes: choose },
  { id: 'posted-click', verb: 'select', families: CONTROL, parts: ['tab'], sends: 'click', makes: choose },

  { id: 'real-type', verb: 'type', families: ALL, isReal: true, makes: (wish) => [...realClick(wish), ...keys(wish)] },
  { id: 'msaa-value', verb: 'type', families: ACCESSIBLE, makes: text },
  { id: 'uia-value', verb: 'type', families: AUTOMATION, makes: text },
  { id: 'uia-range', verb: 'type', families: AUTOMATION, makes: text },
  { id: 'legacy-value', verb: 'type', families: AUTOMATION, makes: text },
  { id: 'replace-selection', verb: 'type', families: BY_MESSAGE, takes: ['edit'], makes: text },
  { id: 'custom-editor', verb: 'type', families: BY_MESSAGE, takes: ['custom'], sends: 'characters', makes: keys },
  { id: 'set-number', verb: 'type', families: BY_MESSAGE, takes: ['position'], makes: text },
  { id: 'post-text', verb: 'type', families: BY_MESSAGE, takes: ['characters'], sends: 'characters', makes: keys },

  { id: 'scroll-into-view', verb: 'scroll', families: ALL, makes: only({ kind: 'scroll' }) },
  { id: 'page', verb: 'page', families: ALL, makes: only({ kind: 'scroll' }) },
  { id: 'focus', verb: 'focus', families: ALL, makes: only({ kind: 'focus' }) },
  { id: 'cell', verb: 'cell', families: ALL, makes: text },
];

/** The ways of one verb for this receiver, in their order: real input alone where it is asked for, else all others. */
export const waysFor = (verb: Verb, receiver: Receiver, isReal: boolean): readonly Way[] =>
  WAYS.filter(
    (way) =>
      way.verb === verb &&
      (way.isReal === true) === isReal &&
      way.families.includes(receiver.family) &&
      (way.parts?.includes(receiver.part) ?? true) &&
      (way.takes?.includes(receiver.takes) ?? true) &&
      (way.sends === undefined || isCarried(receiver.toolkit ?? 'custom', way.sends)),
  );

/** What the element was read as; by its kind where the reader does not tell. */
export function receiverOf(context: ElementContext | null): Receiver {
  if (context?.receiver !== undefined) return context.receiver;
  const { controlType, source } = context?.element ?? { controlType: 'Custom', source: 'uia' };
  const family = source === 'uia' ? 'automation' : source === 'msaa' ? 'accessible' : 'control';
  const isField = TEXT_FIELDS.has(controlType);
  const part = ITEMS.has(controlType) ? 'item' : controlType === 'TabItem' ? 'tab' : 'plain';
  if (family !== 'control') return { family, part, takes: isField || part === 'item' ? 'value' : 'custom' };
  if (controlType === 'Slider' || controlType === 'Spinner' || controlType === 'ScrollBar')
    return { family, part, takes: 'position' };
  const isDrawn = controlType === 'Custom' || controlType === 'Pane';
  return { family, part, takes: isField ? 'edit' : isDrawn ? 'custom' : 'none' };
}
