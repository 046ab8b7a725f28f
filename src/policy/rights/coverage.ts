/**
 * What a lasting approval of one call covers: calls that let out the same kinds of exit. The key it is stored under and the words
 * on its card are made in one place, so that neither covers more.
 */
import type { Exit } from '../../contract/gate/exit.ts';
import { chordText, parseChord } from '../../contract/keys/keys.ts';
import { isTypedIn, type Sent, typedText } from '../risk/content/typed-text.ts';
import { isPress } from '../risk/keys/console.ts';
import { onlyMoves, pastesInTerminal, sendsLine, writes } from '../risk/keys/line-keys.ts';
import { hasTerminal, showsPage, typingSurface, type TypingSurface } from '../risk/words/app-kind.ts';
import {
  type ControlType,
  ITEMS,
  PRESSABLE,
  PRESSED_BY_FOCUS,
  VALUES_TURNED,
} from '../../contract/element/control-types.ts';
import { originOf } from '../../contract/gate/pages.ts';
import { quoted } from '../../contract/json/quoted.ts';

export type CoverageFacts = Pick<Sent, 'exits' | 'app' | 'binding' | 'context'>;

export interface Coverage {
  /** The kinds of its exits, with what distinguishes them. */
  readonly key: string;
  /** `Scroll in this window`; the answer sets the duration. */
  readonly inWindow: string;
  /** `Scroll in “Notepad”, any window, until the session ends`; null where an approval lasts for a window only. */
  readonly inSession: string | null;
}

interface Purpose {
  /** `Scroll` in a window, `Close` a window. */
  readonly verb: string;
  readonly joint: 'in' | 'of' | 'app';
  /** What sets it apart from others of its kind. */
  readonly apart: string;
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
};

const TIMES = ['', 'double_', 'triple_'];
const clicksOf = ({ button, count }: { readonly button: string; readonly count: number }): string =>
  `${TIMES[count - 1] ?? ''}${button === 'left' ? '' : `${button}_`}click`;

const POINTED: Readonly<Record<string, string>> = {
  move: 'Move the pointer',
  down: 'Press the mouse button',
  up: 'Release the mouse button',
  drag: 'Drag and drop',
  drop: 'Drag and drop',
  wheel: 'Scroll',
};

/** `clickElement`, `double_click` → `Click element`, `Double click`. */
export function sentenceOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What the card says about one exit: null if no approval of it may last. */
function purposeOf(exit: Exit, { app, binding, context }: CoverageFacts): Purpose | null {
  const inTerminal = hasTerminal(app, binding);
  const controlType = context?.element?.controlType ?? '';
  const of = controlType === '' ? '' : ` of type ${controlType}`;
  const inWindow = (verb: string, apart = ''): Purpose => ({ verb, joint: 'in', apart });
  switch (exit.kind) {
    case 'window':
      return { verb: MANAGED[exit.operation] ?? sentenceOf(exit.operation), joint: 'of', apart: exit.operation };
    case 'start':
      return { verb: 'Start', joint: 'app', apart: exit.terminal === null ? '' : exit.terminal.agent };
    case 'scroll':
      return inWindow('Scroll');
    case 'focus':
      return inWindow(`Give elements${of} the keyboard focus`, controlType);
    case 'cells':
      return exit.aim.write === null ? inWindow('Select cells', 'select') : inWindow('Write cells', 'write');
    case 'press':
    case 'choose': {
      const clicks = exit.kind === 'press' ? clicksOf(exit) : 'choose';
      const verb = exit.kind === 'choose' ? 'Choose items' : `${CLICKS[clicks] ?? 'Click'} elements`;
      return inWindow(`${verb}${of}`, `${clicks} ${exit.kind === 'press' ? exit.by : ''} ${controlType}`);
    }
    case 'text':
      // In a shell, text is a command, or becomes one.
      return inTerminal
        ? null
        : inWindow(
            `${exit.replaces ? 'Replace the text of' : 'Add text to'} fields${of}`,
            `${String(exit.replaces)} ${controlType}`,
          );
    case 'keys':
      return keysPurpose(exit, inTerminal, controlType);
    case 'point': {
      // The wheel changes the value of what holds one.
      if (exit.does === 'wheel' && VALUES_TURNED.has(context?.element?.controlType ?? 'Window'))
        return inWindow(`Turn the wheel over elements${of}`, `wheel ${controlType}`);
      if (exit.does === 'wheel' || exit.does === 'move') return inWindow(POINTED[exit.does] ?? '', exit.does);
      const clicks = exit.does === 'press' ? clicksOf(exit) : exit.does;
      const held = exit.held.length === 0 ? '' : ` with ${exit.held.join(' ')} held`;
      return inWindow(
        `${POINTED[exit.does] ?? CLICKS[clicks] ?? 'Click'} at points${of === '' ? '' : ` on elements${of}`}${held}`,
        `${clicks}${held} ${controlType}`,
      );
    }
    case 'console':
      return inWindow('Answer prompts', exit.variant ?? '');
    case 'clipboard':
      return inWindow('Put text on the clipboard');
    case 'path':
      return inWindow('Touch files');
  }
}

function keysPurpose(
  { chords, text, from, isHeld }: Extract<Exit, { kind: 'keys' }>,
  inTerminal: boolean,
  controlType: string,
): Purpose | null {
  const parsed = chords.map(parseChord);
  const isPressing = PRESSED_BY_FOCUS.has(controlType as ControlType);
  const sends = parsed.some((chord) => sendsLine(chord) || pastesInTerminal(chord) || writes(chord));
  if (inTerminal && (sends || text !== '')) return null;
  // Characters that may act, such as a line break, are covered by themselves alone.
  const acting = [...new Set(text.replace(/[^\p{C}]/gu, ''))]
    .sort()
    .map((one) => one.codePointAt(0))
    .join(' ');
  if (text !== '')
    return {
      verb: acting === '' ? 'Type text' : 'Type text with Enter or Tab',
      joint: 'in',
      apart: `${from} ${controlType} ${acting}`,
    };
  if (parsed.length > 0 && parsed.every(onlyMoves) && !isHeld) {
    const on = isPressing ? ` on elements of type ${controlType}` : '';
    return { verb: `Press arrow, page, Home and End keys${on}`, joint: 'in', apart: `moving${on}` };
  }
  const keys = parsed.map(chordText).join(' ');
  return {
    verb: keys === '' ? 'Release keys' : `${isHeld ? 'Hold' : 'Press'} ${keys}`,
    joint: 'in',
    apart: `${keys} ${String(isHeld)}`,
  };
}

/** The exits that say what a call is for; others only prepare it. */
const PREPARING: ReadonlySet<Exit['kind']> = new Set<Exit['kind']>(['scroll', 'window', 'focus', 'path', 'clipboard']);

/** Text without characters that may act, and keys that only write or move: they fill what they go to, and press nothing. */
function onlyFills(exit: Exit): boolean {
  if (exit.kind === 'text') return exit.text !== null && !/\p{C}/u.test(exit.text);
  if (exit.kind !== 'keys') return PREPARING.has(exit.kind) && exit.kind !== 'path';
  const chords = exit.chords.map(parseChord);
  return (
    !exit.isHeld &&
    !/\p{C}/u.test(exit.text) &&
    chords.every((chord) => onlyMoves(chord) || (writes(chord) && !chord.some(({ name }) => name === 'tab')))
  );
}

/** The surface that takes a call’s text and keys; null where they go to what keys press, and for every other call. */
function surfaceTyped({ exits, app, binding, context }: CoverageFacts): TypingSurface | null {
  const controlType = context?.element?.controlType ?? 'Pane';
  const isPressed = PRESSABLE.has(controlType) || (ITEMS.has(controlType) && controlType !== 'DataItem');
  return isPressed || !exits.some(isTypedIn) ? null : typingSurface(app, binding, context);
}

/**
 * Through what a call’s text may leave, or its choice: any that comes to a page, a chat or a mail, and text that only fills
 * another surface. Null where nothing may.
 */
export function leavesThrough(facts: CoverageFacts & Pick<Sent, 'traits'>): TypingSurface | null {
  const { exits, app, binding, context } = facts;
  const surface = surfaceTyped(facts);
  if ((typedText(facts.traits) ?? '').trim() !== '' && (surface?.sends === true || exits.every(onlyFills)))
    return surface;
  // A suggestion, or an entry of a page's list, is chosen by a click, too.
  const isListed = context?.element?.controlType === 'ListItem' && showsPage(app, context);
  if (!exits.some((exit) => exit.kind === 'choose' || (isListed && isPress(exit)))) return null;
  const chosen = typingSurface(app, binding, context);
  return chosen?.sends === true ? chosen : null;
}

/** Null if no approval may last: text and Enter in terminals and in programs that contain one. */
export function coverageOf(facts: CoverageFacts): Coverage | null {
  if (facts.exits.length === 0) return sayCoverage('look', { verb: 'Look', joint: 'in', apart: '' }, facts);
  const surface = facts.exits.every(onlyFills) ? surfaceTyped(facts) : null;
  if (surface !== null)
    return {
      key: `fill ${surface.what} ${surface.shows}`,
      inWindow: `Enter text and move by keys in this window while it shows ${quoted(surface.shows)}: this may enter formulas, and text that leaves here`,
      inSession: null,
    };
  const parts: Array<Purpose & { readonly kind: Exit['kind'] }> = [];
  for (const exit of facts.exits) {
    const purpose = purposeOf(exit, facts);
    if (purpose === null) return null;
    parts.push({ ...purpose, kind: exit.kind });
  }
  const main = parts.findLast(({ kind }) => !PREPARING.has(kind)) ?? parts.at(-1)!;
  return sayCoverage(parts.map(({ kind, apart }) => `${kind} ${apart}`).join('/'), main, facts);
}

/** In a browser it holds for the pages of one origin. */
function sayCoverage(key: string, { verb, joint }: Purpose, { app: of, context }: CoverageFacts): Coverage {
  const app = quoted(of?.displayName ?? '');
  const origin = showsPage(of, context) ? (originOf(context?.address ?? null) ?? 'an unknown page') : null;
  const on = origin === null ? '' : ` on ${origin}`;
  const [window, session] = {
    in: [`${verb} in this window`, `${verb} in any window of ${app}`],
    of: [`${verb} this window`, `${verb} any window of ${app}`],
    app: [`${verb} ${app}`, `${verb} ${app}`],
  }[joint] as [string, string];
  return { key: key + on, inWindow: window + on, inSession: `${session}${on}, until the session ends` };
}
