/**
 * The risk of prompts and commands, however they are given: a line submitted in a shell, what is pasted
 * there, a script that is opened, and any key that reaches a question in a terminal.
 */
import type { AppIdentity, BindingRecord } from '../../../contract/element/binding.ts';
import { lineOf, shownPrompt, type ShownPrompt } from '../../../contract/terminal/console-prompt.ts';
import type { ElementContext, ElementInfo } from '../../../contract/element/element.ts';
import type { Chord } from '../../../contract/keys/keys.ts';
import { fileNameOf } from '../../../contract/gate/app-match.ts';
import { quoted } from '../../../contract/json/quoted.ts';
import type { ActionTraits } from '../../../contract/gate/traits.ts';
import { DIALOG_CLASS, isTerminal, kindOf } from '../words/app-kind.ts';
import { findDestructiveCommand } from '../content/commands.ts';
import { ITEMS, TEXT_FIELDS } from '../../../contract/element/control-types.ts';
import { saysPaste } from '../words/match.ts';
import { hasLineEnd, onlyMoves, pastesInTerminal, sendsLine } from './line-keys.ts';
import { typedText } from '../content/typed-text.ts';

export interface ConsoleInput {
  readonly traits: ActionTraits;
  readonly app: AppIdentity | null;
  readonly binding: BindingRecord | null;
  readonly context: ElementContext | null;
  readonly chords: readonly Chord[];
  /** Keys that are already held. */
  readonly held: Chord;
  /** Text typed into the same place shortly before. */
  readonly typedBefore?: string;
}

export interface ConsoleFinding {
  readonly tag: 'customCommand' | 'prompts' | 'destructive';
  readonly text: string;
}

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
/** A terminal pastes at a click of the right or middle button. */
const isOtherButton = (variant: string | null): boolean => /right|middle/.test(variant ?? '');
const isModifierOnly = (chord: Chord): boolean => chord.every((key) => key.modifier !== null);
const together = (held: Chord, chord: Chord): Chord => [
  ...new Map([...held, ...chord].map((key) => [key.name, key])).values(),
];

function givenBy({ traits, chords, held, context }: ConsoleInput): Given {
  const { target, content, variant } = traits;
  if (target.kind === 'focus') {
    const pressed = chords.map((chord) => together(held, chord)).filter((chord) => !isModifierOnly(chord));
    // Text that is typed while Ctrl or Alt is held is a row of combinations.
    const isCombined =
      content !== null && content !== '' && held.some((key) => key.modifier !== null && key.modifier !== 'shift');
    return {
      text: typedText(traits) ?? '',
      sends: isCombined || pressed.some(sendsLine) || hasLineEnd(content ?? ''),
      pastes: pressed.some(pastesInTerminal),
      acts: (content ?? '') !== '' || pressed.some((chord) => !onlyMoves(chord)),
    };
  }
  if (target.kind === 'window') {
    if (!traits.tags.includes('prompts')) return NOTHING;
    return { text: content ?? '', sends: variant !== 'escape', pastes: false, acts: true };
  }
  if (target.kind === 'element') {
    const text = content ?? '';
    if (target.purpose === 'type') return { text, sends: hasLineEnd(text), pastes: false, acts: true };
    if (target.purpose === 'look' || target.purpose === 'scroll') return NOTHING;
    const chosen = context?.chosen ?? null;
    const names = [
      context?.element?.name ?? target.query.name ?? '',
      target.item?.name ?? '',
      ...(chosen ?? []).map(({ name }) => name),
    ];
    const isPaste =
      names.some(saysPaste) ||
      (target.item?.index !== undefined &&
        chosen === null &&
        (context?.element?.controlType ?? 'Menu').startsWith('Menu'));
    const isOnSurface = isSurface(context?.element ?? null);
    const pastes = isPaste || (isOnSurface && traits.from === null && isOtherButton(variant));
    return { ...NOTHING, pastes, acts: pastes || isOnSurface };
  }
  if ((target.kind === 'point' && target.purpose !== 'scroll') || target.kind === 'pointer') {
    if (traits.from !== null) return NOTHING;
    const element = context?.element ?? null;
    return {
      ...NOTHING,
      pastes: (isOtherButton(variant) && isSurface(element)) || saysPaste(element?.name ?? ''),
      acts: isSurface(element),
    };
  }
  return NOTHING;
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

/** The application of a file, by its name. */
const programOf = (app: AppIdentity | null): string =>
  app === null ? '' : fileNameOf(app.executable ?? app.bundleId).toLowerCase();
/** Programs that start what is typed into their dialogs (Run) or fields (a folder window's address bar). */
const RUNS_DIALOGS: ReadonlySet<string> = new Set(['explorer.exe', 'taskmgr.exe']);
/** Where a person starts programs by typing. */
const LAUNCHERS: ReadonlySet<string> = new Set([
  'searchhost.exe',
  'searchapp.exe',
  'searchui.exe',
  'startmenuexperiencehost.exe',
  'powertoys.powerlauncher.exe',
  'microsoft.cmdpal.ui.exe',
]);
/** Files that run when opened. */
const RUNNABLE =
  /\.(?:bat|cmd|ps1|psm1|vbs|vbe|js|jse|wsf|wsh|hta|msi|msp|msix|appx|reg|scr|pif|lnk|url|cpl|msc|jar|py|pyw|sh|application|appref-ms|inf|exe|com)"?\s*$/i;
/** A path opened as an application is the script itself. */
const SCRIPT =
  /\.(?:bat|cmd|ps1|psm1|vbs|vbe|js|jse|wsf|wsh|hta|msi|msp|reg|scr|pif|lnk|url|cpl|msc|jar|py|pyw|sh|inf)"?\s*$/i;
/** A program followed by arguments. */
const WITH_ARGUMENTS =
  /\.(?:exe|com|bat|cmd)"?\s+\S|^\s*(?:cmd|powershell|pwsh|wt|wsl|bash|explorer|rundll32|mshta|wscript|cscript|start)\s+\S/i;
/** How development environments name their built-in shell. */
const SHELL_WORDS = new RegExp(
  [
    'terminal',
    'console',
    'konsole',
    'consola',
    'shell',
    'powershell',
    'prompt',
    'repl\\b',
    'immediate',
    'package manager',
    'ターミナル',
    'コンソール',
    '终端',
    '終端',
    '控制台',
    'терминал',
    'консоль',
    '터미널',
  ].join('|'),
  'iu',
);

/** Everything about this call that its own kind does not show. */
export function lookAtConsole(input: ConsoleInput): ConsoleFinding[] {
  const { traits, app, binding, context } = input;
  if (traits.effect === 'launch') return launched(traits);
  if (traits.effect !== 'input') return [];
  const given = givenBy(input);
  if (isTerminal(app, binding)) return inTerminal(given, input);
  if (kindOf(app) === 'ide') return inShellOfEditor(given, context);
  return byShell(given, input);
}

function launched({ target }: ActionTraits): ConsoleFinding[] {
  if (target.kind !== 'apps') return [];
  const name = target.names.find((one) => SCRIPT.test(one) || WITH_ARGUMENTS.test(one));
  return name === undefined
    ? []
    : [{ tag: 'customCommand', text: `${quoted(name, 200)} is a script, or a program with arguments` }];
}

/** What shells print before a command; the last ones are from PowerShell themes, Cmder and others. */
const SHELL_PROMPT = new RegExp('^[^>$#%❯λ»]*[>$#%❯λ»]+\\s*', 'u');

/** An answer is a letter, a digit, or one of the prompt's own words; anything longer is a line for the program. */
const isAnswer = (text: string): boolean => /^\s*(?:[\p{L}\d]?|yes|no)\s*$/iu.test(text);

function inTerminal(given: Given, { context, traits: { tags }, typedBefore = '' }: ConsoleInput): ConsoleFinding[] {
  const view = context?.console ?? null;
  const found: ConsoleFinding[] = [];
  const shown: ShownPrompt | 'unknown' | null = view !== null ? shownPrompt(view) : (promptAmong(context) ?? 'unknown');
  if (given.acts && shown !== null && !tags.includes('prompts')) {
    found.push({
      tag: 'prompts',
      text:
        shown === 'unknown'
          ? 'this terminal could not be read and may show a prompt'
          : `the terminal asks ${quoted(shown.text)}`,
    });
  }
  if (given.pastes)
    found.push({ tag: 'customCommand', text: 'it pastes into a terminal, where each line is a command' });
  if (!given.sends) return found;
  const isAnswered =
    shown !== null && shown !== 'unknown' && shown.isUnanswered && !(view?.isBehind ?? true) && isAnswer(given.text);
  // A line that looks empty may not be: what was typed can look like a prompt itself.
  if (!isAnswered) found.push({ tag: 'customCommand', text: 'Enter runs a line in a terminal' });
  const line = view === null ? '' : (lineOf(view) ?? '');
  const what =
    [line, line.replace(SHELL_PROMPT, ''), typedBefore]
      .map((before) => findDestructiveCommand(`${before}${given.text}`))
      .find((one) => one !== null) ?? null;
  if (what !== null)
    found.push({ tag: 'destructive', text: `the line that Enter runs contains a command that ${what}` });
  return found;
}

/** A prompt among the texts that the window itself exposes, if its screen cannot be read. */
function promptAmong(context: ElementContext | null): ShownPrompt | null | undefined {
  const rows = (context?.screenTexts ?? []).flatMap((text) => text.split(/\r\n|\r|\n/));
  return rows.length === 0 ? undefined : (shownPrompt({ rows, width: 0, cursor: null }) ?? undefined);
}

/** A development environment: its shell, by the name of the focused element; an unknown focus counts as the shell. */
function inShellOfEditor(given: Given, context: ElementContext | null): ConsoleFinding[] {
  const element = context?.element ?? null;
  const isShell =
    element === null ||
    [element.name, element.automationId, ...(context?.nearbyTexts ?? [])].some((text) => SHELL_WORDS.test(text));
  if (!isShell) return [];
  const found: ConsoleFinding[] = [];
  const prompt = given.acts ? promptAmong(context) : null;
  if (prompt !== null && prompt !== undefined)
    found.push({ tag: 'prompts', text: `the window asks ${quoted(prompt.text)}` });
  if (given.sends || given.pastes)
    found.push({
      tag: 'customCommand',
      text:
        element === null
          ? 'a line goes to an unknown element, which may be a shell'
          : `a line goes to ${quoted(element.name)}, a shell`,
    });
  return found;
}

/** The desktop's own ways to start programs: what is typed or opened there. */
function byShell(given: Given, { traits, app, binding, context }: ConsoleInput): ConsoleFinding[] {
  const program = programOf(app);
  const element = context?.element ?? null;
  const isField = element === null || TEXT_FIELDS.has(element.controlType);
  if (LAUNCHERS.has(program) && given.sends)
    return [{ tag: 'customCommand', text: 'Enter starts what is typed there' }];
  if (!RUNS_DIALOGS.has(program)) return [];
  const { target, variant } = traits;
  const isPress =
    (target.kind === 'element' && target.purpose === 'click') || target.kind === 'point' || target.kind === 'pointer';
  if (binding?.className === DIALOG_CLASS) {
    const confirms =
      isPress &&
      (element === null ||
        ((element.controlType === 'Button' || element.controlType === 'SplitButton') &&
          (element.isDefaultButton || element.automationId === '1')));
    if (given.sends || confirms || (target.kind === 'focus' && element?.isDefaultButton === true))
      return [{ tag: 'customCommand', text: 'this dialog may start what is typed in it' }];
    return [];
  }
  if (given.sends && isField) return [{ tag: 'customCommand', text: 'the address bar starts what is typed in it' }];
  const opens = given.sends || /double/.test(variant ?? '');
  if (opens && element !== null && ITEMS.has(element.controlType) && RUNNABLE.test(element.name))
    return [{ tag: 'customCommand', text: `${quoted(element.name)} runs when it is opened` }];
  return [];
}
