/**
 * What a lasting approval of one call covers: calls of the same method and variant, for the
 * same purpose. The key it is stored under and the words on its card are made in one place, so that neither covers more.
 */
import type { AppIdentity, BindingRecord } from '../../contract/element/binding.ts';
import { chordText, type Chord } from '../../contract/keys/keys.ts';
import type { ActionTraits } from '../../contract/gate/traits.ts';
import { onlyMoves, pastesInTerminal, sendsLine, writes } from '../risk/keys/line-keys.ts';
import { hasTerminal } from '../risk/words/app-kind.ts';
import { quoted } from '../../contract/json/quoted.ts';

export interface CoverageFacts {
  readonly action: string;
  readonly traits: ActionTraits;
  readonly chords: readonly Chord[];
  readonly app: AppIdentity | null;
  readonly binding: BindingRecord | null;
}

export interface Coverage {
  /** Method, variant, purpose. */
  readonly key: string;
  /** `Scroll in this window`; the answer sets the duration. */
  readonly inWindow: string;
  /** `Scroll in “Notepad”, any window, until the session ends`. */
  readonly inSession: string;
}

interface Purpose {
  readonly name: string;
  /** `Scroll` in a window, `Close` a window. */
  readonly verb: string;
  readonly joint: 'in' | 'of' | 'app';
}

const MANAGED: Readonly<Record<string, string>> = {
  minimize: 'Minimize',
  maximize: 'Maximize',
  restore: 'Restore',
  close: 'Close',
  focus: 'Bring forward',
  move_offscreen: 'Move off the screen',
  move_resize: 'Move and resize',
};
const CLICKS: Readonly<Record<string, string>> = {
  click: 'Click',
  double_click: 'Double-click',
  triple_click: 'Click three times',
  right_click: 'Right-click',
  middle_click: 'Click with the middle button',
  down: 'Press the mouse button',
  up: 'Release the mouse button',
  mouseDown: 'Press the mouse button',
  mouseUp: 'Release the mouse button',
};

/** What a click on an element is called: `Right-click element`. */
export const clickSentence = (action: string, variant: string | null): string =>
  variant === null || CLICKS[variant] === undefined ? sentenceOf(action) : `${CLICKS[variant]} element`;

/** `clickElement`, `double_click` → `Click element`, `Double click`. */
export function sentenceOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function purposeOf({ action, traits, chords, app, binding }: CoverageFacts): Purpose | null {
  const { target, variant, content } = traits;
  const inTerminal = hasTerminal(app, binding);
  if (traits.effect === 'observe') return { name: 'look', verb: 'Look', joint: 'in' };
  if (traits.effect === 'manage')
    return { name: 'manage', verb: MANAGED[variant ?? 'focus'] ?? sentenceOf(variant ?? action), joint: 'of' };
  if (traits.effect === 'launch') return { name: 'launch', verb: 'Start', joint: 'app' };
  if (traits.isPointerMoveOnly) return { name: 'move', verb: 'Move the pointer', joint: 'in' };
  if (traits.cells !== null)
    return traits.cells.write === null
      ? { name: 'cells:select', verb: 'Select cells', joint: 'in' }
      : { name: 'cells:write', verb: 'Write cells', joint: 'in' };
  if ((target.kind === 'element' || target.kind === 'point') && target.purpose === 'scroll')
    return { name: 'scroll', verb: 'Scroll', joint: 'in' };
  if (target.kind === 'window' && traits.tier === 'click') return { name: 'scroll', verb: 'Scroll', joint: 'in' };
  if (traits.from !== null) return { name: 'drag', verb: 'Drag and drop', joint: 'in' };
  if (content !== null || (target.kind === 'element' && target.purpose === 'type')) {
    // In a shell, text is a command, or becomes one.
    if (inTerminal) return null;
    if (target.kind === 'element')
      return {
        name: 'type',
        verb: variant === 'append' ? 'Add text to fields' : 'Replace the text of fields',
        joint: 'in',
      };
    return { name: 'type', verb: variant === 'paste' ? 'Paste text' : 'Type text', joint: 'in' };
  }
  if (target.kind === 'focus') {
    if (inTerminal && chords.some((chord) => sendsLine(chord) || pastesInTerminal(chord) || writes(chord))) return null;
    if (chords.length > 0 && chords.every(onlyMoves))
      return { name: 'keys:moving', verb: 'Press arrow, page, Home and End keys', joint: 'in' };
    const keys = chords.map(chordText).join(' ');
    return {
      name: `keys:${keys}`,
      verb: keys === '' ? 'Release keys' : `${variant === 'hold' || variant === 'press' ? 'Hold' : 'Press'} ${keys}`,
      joint: 'in',
    };
  }
  if (target.kind === 'element' && target.purpose === 'select')
    return { name: 'select', verb: 'Choose items', joint: 'in' };
  if (target.kind === 'element' && target.purpose === 'look')
    return { name: 'focus', verb: 'Give elements the keyboard focus', joint: 'in' };
  if (target.kind === 'element')
    return { name: 'click', verb: `${CLICKS[variant ?? 'click'] ?? 'Click'} elements`, joint: 'in' };
  if (target.kind === 'point' || target.kind === 'pointer') {
    const keys = chords.map(chordText).join(' ');
    return {
      name: `point:${keys}`,
      verb: `${CLICKS[variant ?? action] ?? sentenceOf(variant ?? action)} at points${keys === '' ? '' : ` with ${keys} held`}`,
      joint: 'in',
    };
  }
  return { name: 'other', verb: sentenceOf(action), joint: 'in' };
}

/** Null if no approval may last: text and Enter in terminals and in programs that contain one. */
export function coverageOf(facts: CoverageFacts): Coverage | null {
  const purpose = purposeOf(facts);
  if (purpose === null) return null;
  const app = quoted(facts.app?.displayName ?? '');
  const { verb, joint } = purpose;
  return {
    key: [facts.action, facts.traits.variant ?? '', purpose.name].join('/'),
    inWindow: joint === 'in' ? `${verb} in this window` : joint === 'of' ? `${verb} this window` : `${verb} ${app}`,
    inSession: `${joint === 'in' ? `${verb} in any window of ${app}` : joint === 'of' ? `${verb} any window of ${app}` : `${verb} ${app}`}, until the session ends`,
  };
}
