/**
 * The risk of prompts and commands, however they are given: a line submitted in a shell, what is pasted
 * there, a script that is opened, and any key that reaches a question in a terminal.
 */
import { lineOf, shownPrompt, type ShownPrompt } from '../../../contract/terminal/console-prompt.ts';
import type { ElementContext, ElementInfo } from '../../../contract/element/element.ts';
import type { Exit } from '../../../contract/gate/exit.ts';
import { canonicalChord, parseChord, type Chord } from '../../../contract/keys/keys.ts';
import { idle } from '../content/keyboard.ts';
import { quoted } from '../../../contract/json/quoted.ts';
import type { ActionTraits } from '../../../contract/gate/traits.ts';
import {
  DIALOG_CLASS,
  DRAWN,
  isDevelopment,
  isLauncher,
  isOfPage,
  isTerminal,
  kindOf,
  programOf,
  showsFiles,
  startsEntered,
  startsTyped,
} from '../words/app-kind.ts';
import verbs from '../words/languages/starting.json' with { type: 'json' };
import {
  findDestructiveCommand,
  isBin,
  kindOfFile,
  namesProgram,
  RUNNABLE,
  SCRIPT,
  WITH_ARGUMENTS,
} from '../content/programs.ts';
import { ITEMS, PRESSABLE, TEXT_FIELDS } from '../../../contract/element/control-types.ts';
import { saysPaste } from '../words/match.ts';
import { hasLineEnd, onlyMoves, pastesInTerminal, sendsLine } from './line-keys.ts';
import { type Sent, typedText } from '../content/typed-text.ts';

/** Takes a finding. */
type Add = (tag: 'customCommand' | 'prompts' | 'destructive', text: string) => void;

/** What one call sends to a program that reads lines. */
interface Given {
  readonly text: string;
  /** Submits a line. */
  readonly sends: boolean;
  /** Pastes clipboard content that has not been seen. */
  readonly pastes: boolean;
  /** More than navigation: characters, Enter, Escape, a click. */
  readonly acts: boolean;
}

const NOTHING: Given = { text: '', sends: false, pastes: false, acts: false };
const isModifierOnly = (chord: Chord): boolean => chord.every((key) => key.modifier !== null);
const together = (held: Chord, chord: Chord): Chord => [
  ...new Map([...held, ...chord].map((key) => [key.name, key])).values(),
];

/** All that the call gives, by whatever exit. */
function givenBy(input: Sent): Given {
  const all = input.exits.map((exit) => givenByExit(exit, input));
  return {
    text: all.find(({ text }) => text !== '')?.text ?? '',
    sends: all.some(({ sends }) => sends),
    pastes: all.some(({ pastes }) => pastes),
    acts: all.some(({ acts }) => acts),
  };
}

function givenByExit(exit: Exit, { traits, context, keyboard = idle() }: Sent): Given {
  const element = context?.element ?? null;
  switch (exit.kind) {
    case 'keys': {
      const { held } = keyboard;
      const pressed = exit.chords
        .map((chord) => together(held, parseChord(chord)))
        .filter((chord) => !isModifierOnly(chord));
      // Text that is typed while Ctrl or Alt is held is a row of combinations.
      const isCombined = exit.text !== '' && held.some((key) => key.modifier !== null && key.modifier !== 'shift');
      return {
        text: typedText(traits) ?? '',
        sends: isCombined || pressed.some(sendsLine) || hasLineEnd(exit.text),
        pastes: pressed.some(pastesInTerminal),
        acts: exit.text !== '' || pressed.some((chord) => !onlyMoves(chord)),
      };
    }
    case 'console':
      return { text: exit.text, sends: exit.variant !== 'escape', pastes: false, acts: true };
    case 'text':
      return { text: exit.text ?? '', sends: hasLineEnd(exit.text ?? ''), pastes: false, acts: true };
    case 'press':
    case 'choose':
    case 'point': {
      if (exit.kind === 'point' && !isPress(exit)) return NOTHING;
      const isOnSurface = isSurface(element);
      const isOther = exit.kind !== 'choose' && exit.button !== 'left';
      const pastes = (isOther && isOnSurface) || saysPasteAmong(traits, context);
      return { ...NOTHING, pastes, acts: pastes || isOnSurface };
    }
    default:
      return NOTHING;
  }
}

/** Whether what is pressed or chosen pastes, by its name; an entry of a menu that could not be read may. */
function saysPasteAmong({ target }: ActionTraits, context: ElementContext | null): boolean {
  const named = target.kind === 'element' ? target : null;
  const chosen = context?.chosen ?? null;
  const names = [
    context?.element?.name ?? named?.query.name ?? '',
    named?.item?.name ?? '',
    ...(chosen ?? []).map(({ name }) => name),
  ];
  const isUnread = named?.item?.index !== undefined && chosen === null;
  return names.some(saysPaste) || (isUnread && (context?.element?.controlType ?? 'Menu').startsWith('Menu'));
}

/** True for the part of a terminal that takes keys and clicks; false for a tab or button next to it. */
const BESIDE: ReadonlySet<string> = new Set([
  'TabItem',
  'Tab',
  'Button',
  'SplitButton',
  'MenuItem',
  'MenuBar',
  'Menu',
  'TitleBar',
  'ScrollBar',
  'Thumb',
  'CheckBox',
  'Hyperlink',
]);
const isSurface = (element: ElementInfo | null): boolean => element === null || !BESIDE.has(element.controlType);

/** How development environments name their built-in shell. */
const SHELL_WORDS = new RegExp([...verbs.shell, ...verbs.palette].join('|'), 'iu');

/** Everything about this call that its own kind does not show. */
export function lookAtConsole(input: Sent, add: Add): void {
  const { traits, app, binding, context, exits } = input;
  if (traits.effect !== 'launch' && isTerminal(app, binding) && closesWindow(input))
    return closedWhileRunning(input, add);
  if (traits.effect === 'input' && !exits.some(choosesMacro)) {
    const given = givenBy(input);
    if (isTerminal(app, binding, context)) return inTerminal(given, input, add);
    if (isDevelopment(app, binding, context)) return inShellOfEditor(given, input, add);
  }
  const starts = startsCommand(input);
  if (starts !== null) add('customCommand', starts);
}

/** What of it starts a command outside terminals and development environments, in words; null if nothing does. */
function startsCommand(input: Sent): string | null {
  const { traits, app, exits } = input;
  if (traits.effect === 'launch') return launched(traits);
  if (traits.effect !== 'input') return null;
  if (exits.some(choosesMacro)) return 'these keys choose and run a macro';
  const given = givenBy(input);
  return byShell(given, input) ?? (kindOf(app) === 'other' ? onDrawnSurface(given, input) : null);
}

function launched({ target }: ActionTraits): string | null {
  const names = target.kind === 'apps' ? target.names : [];
  const name = names.find((one) => SCRIPT.test(one) || WITH_ARGUMENTS.test(one));
  return name === undefined ? null : `${quoted(name, 200)} is a script, or a program with arguments`;
}

/** A terminal that is closed, by its window or by the button that does it. */
const closesWindow = ({ exits, context }: Sent): boolean =>
  exits.some(
    (exit) =>
      (exit.kind === 'window' && exit.operation === 'close') ||
      ((exit.kind === 'press' || (exit.kind === 'point' && exit.does === 'press')) &&
        context?.element?.controlType === 'Button' &&
        /^close/i.test(`${context.element.automationId}${context.element.name}`)),
  );

/** What runs in it ends with it. A shell that waits for a line runs nothing. */
function closedWhileRunning({ context }: Sent, add: Add): void {
  const view = context?.console ?? null;
  const line = view === null || view.isBehind ? null : lineOf(view);
  if (line === null || !WAITING.test(line)) add('destructive', 'what runs in this terminal, or may, ends with it');
}

/** What shells print before a command; the last ones are from PowerShell themes, Cmder and others. */
const SHELL_PROMPT = new RegExp('^[^>$#%❯λ»]*[>$#%❯λ»]+\\s*', 'u');

/** The same, with nothing typed after it. */
const WAITING = new RegExp('[>$#%❯λ»]\\s*$', 'u');

/** An answer is a letter, a digit, or one of the prompt's own words; anything longer is a line for the program. */
const isAnswer = (text: string): boolean => /^\s*(?:[\p{L}\d]?|yes|no)\s*$/iu.test(text);

function inTerminal(given: Given, { context, traits: { tags } }: Sent, add: Add): void {
  const view = context?.console ?? null;
  const shown: ShownPrompt | 'unknown' | null = view !== null ? shownPrompt(view) : (promptAmong(context) ?? 'unknown');
  if (given.acts && shown === 'unknown' && !tags.includes('prompts'))
    add('prompts', 'this terminal could not be read and may show a prompt');
  else if (given.acts && shown !== null && shown !== 'unknown' && !tags.includes('prompts'))
    add('prompts', `the terminal asks ${quoted(shown.text)}`);
  if (given.pastes) add('customCommand', 'it pastes into a terminal, where each line is a command');
  if (!given.sends) return;
  const isAnswered =
    shown !== null && shown !== 'unknown' && shown.isUnanswered && !(view?.isBehind ?? true) && isAnswer(given.text);
  // A line that looks empty may not be: what was typed can look like a prompt itself.
  if (!isAnswered) add('customCommand', 'Enter runs a line in a terminal');
  const line = view === null ? '' : (lineOf(view) ?? '');
  const what =
    [line, line.replace(SHELL_PROMPT, '')]
      .map((before) => findDestructiveCommand(`${before}${given.text}`))
      .find((one) => one !== null) ?? null;
  if (what !== null) add('destructive', `the line that Enter runs contains a command that ${what}`);
}

/** A prompt among the texts that the window itself exposes, if its screen cannot be read. */
function promptAmong(context: ElementContext | null): ShownPrompt | null | undefined {
  const rows = (context?.screenTexts ?? []).flatMap((text) => text.split(/\r\n|\r|\n/));
  return rows.length === 0 ? undefined : (shownPrompt({ rows, width: 0, cursor: null }) ?? undefined);
}

/** A development environment: its shell, by the name of the focused element; an unknown focus counts as the shell. */
function inShellOfEditor(given: Given, { app, exits, context }: Sent, add: Add): void {
  if (exits.some(runsCode)) return add('customCommand', 'these keys run code');
  const element = context?.element ?? null;
  const isCommand = [(context?.held ?? '') + given.text, given.text].some((text) => text.trimStart().startsWith('>'));
  const isShell =
    element === null ||
    kindOf(app) === 'browser' ||
    isCommand ||
    (DRAWN.has(element.controlType) && element.name.trim() === '') ||
    [element.name, element.automationId, ...(context?.nearbyTexts ?? [])].some((text) => SHELL_WORDS.test(text));
  if (!isShell) return;
  const prompt = given.acts ? (promptAmong(context) ?? null) : null;
  if (prompt !== null) add('prompts', `the window asks ${quoted(prompt.text)}`);
  const where = element === null ? 'an unknown element, which may be a shell' : `${quoted(element.name)}, a shell`;
  if (given.sends || given.pastes) add('customCommand', `a line goes to ${where}`);
}

/** Keys that run code in development environments. */
const RUN_KEYS =
  /^(?:(?:ctrl\+|shift\+|alt\+)*f5|(?:ctrl\+)?shift\+f10|(?:ctrl\+)?f9|alt\+shift\+f10|ctrl\+shift\+b|(?:ctrl\+|shift\+)+enter)$/;
const runsCode = (exit: Exit): boolean =>
  exit.kind === 'keys' && exit.chords.some((chord) => RUN_KEYS.test(canonicalChord(chord)));

/** Office lists macros by Alt+F8; the next keys run one. */
const choosesMacro = (exit: Exit): boolean =>
  exit.kind === 'keys' &&
  [...exit.chords.slice(0, -1), ...(exit.text === '' ? [] : exit.chords)].some(
    (chord) => canonicalChord(chord) === 'alt+f8',
  );

/** Editors that draw their text, and in which a line is only a line. */
const EDITORS =
  /^(?:notepad\+\+|notepad2|notepad3|notepad4|notepads|scite|pspad|uedit(?:32|64)|textpad|editplus|akelpad|emeditor|winword|powerpnt|onenote)\.exe$/;

const VIEWS: ReadonlySet<string> = new Set(['List', 'DataGrid', 'Table']);

/** Where the shell shows files or programs. */
function isFileView({ app, binding, context }: Sent): boolean {
  return context?.fileType !== undefined || (showsFiles(app) && binding?.className !== DIALOG_CLASS);
}

/** A drag may end here: it is one call, or a button that an earlier one pressed. */
export const drops = (exit: Exit): boolean => exit.kind === 'point' && (exit.does === 'drop' || exit.does === 'up');

/** A press of a mouse button, or what stands for one. */
export const isPress = (exit: Exit): boolean =>
  exit.kind === 'press' ||
  (exit.kind === 'point' && (exit.does === 'press' || exit.does === 'down' || exit.does === 'up'));

/** What an open gesture on the element would start; null if it is known as a folder or document, or opens nothing. */
export function startedBy(input: Sent): string | null {
  const { exits, app, binding, context } = input;
  const element = context?.element ?? null;
  const presses = exits.filter(isPress);
  if (element === null || context === null) return null;
  if (isLauncher(app, binding)) {
    const isPressed = presses.length > 0 || givenBy(input).sends;
    return isPressed && (ITEMS.has(element.controlType) || PRESSABLE.has(element.controlType)) ? element.name : null;
  }
  const isView = isFileView(input);
  const { sends } = givenBy(input);
  const moves = sends && exits.some(movesFirst);
  if (!isView) {
    const kind = kindOf(app);
    if (!ITEMS.has(element.controlType) || kind === 'ide' || isOfPage(kind, context)) return null;
    const opened = sends || presses.length > 0 ? [element, ...(moves ? context.reachable : [])] : [];
    return opened.find((one) => ITEMS.has(one.controlType) && namesProgram(one.name))?.name ?? null;
  }
  // Enter on the view itself opens whatever is selected in it.
  if (VIEWS.has(element.controlType)) return sends ? element.name : null;
  if (!ITEMS.has(element.controlType)) return null;
  // What is dropped on a program is given to it; on a folder it is moved there.
  if (exits.some(drops) && !isBin(element.name))
    return kindOfFile(context.fileType ?? null) === 'folder' || element.controlType === 'TreeItem'
      ? null
      : element.name;
  const isKnown = !moves && (kindOfFile(context.fileType ?? null) !== null || element.controlType === 'TreeItem');
  return opensIt(input, sends) && (!isKnown || RUNNABLE.test(element.name)) ? element.name : null;
}

/** Keys that go to another item before they open it. */
const movesFirst = (exit: Exit): boolean =>
  exit.kind === 'keys' &&
  (/[^\r\n]/.test(exit.text) || exit.chords.some((chord) => !sendsLine(parseChord(chord))) || exit.rounds > 1);

/** Enter, a double click in one call or in two, and what stands for it. */
const opensIt = ({ exits, hasJustPressed }: Sent, sends: boolean): boolean =>
  sends ||
  exits.some(
    (exit) =>
      isPress(exit) &&
      'count' in exit &&
      (exit.count > 1 || (hasJustPressed === true && exit.button === 'left') || ('by' in exit && exit.by === 'invoke')),
  );

/** The desktop's own ways to start programs: what is typed, opened or chosen there. */
function byShell(given: Given, input: Sent): string | null {
  const { app, binding, context } = input;
  const opened = startedBy(input);
  if (opened !== null) return `${quoted(opened)} runs when it is opened, or is not known as a folder or document`;
  const isField = TEXT_FIELDS.has(context?.element?.controlType ?? 'Edit');
  const startsLine = startsTyped(app) && binding?.className !== DIALOG_CLASS && (isField || isLauncher(app, binding));
  return given.sends && (startsLine || startsEntered(app, binding)) ? 'Enter may start what is entered there' : null;
}

/** Enter on a surface that an unknown program draws: it may be a command line. */
function onDrawnSurface(given: Given, { app, context }: Sent): string | null {
  const element = context?.element ?? null;
  if (!given.sends || context === null || context.defaultButtonName !== null || EDITORS.test(programOf(app)))
    return null;
  if (element !== null && (!DRAWN.has(element.controlType) || context.takesCaret === false)) return null;
  return 'Enter goes to a surface that the program draws itself, which may be a command line';
}
