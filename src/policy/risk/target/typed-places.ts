/**
 * What typed text becomes where it arrives, by whatever exit: a formula in a spreadsheet, a path in a dialog, an address bar, a
 * shell or a sheet. Typed in pieces or pasted, it is judged with what came before.
 */
import type { AppIdentity, BindingRecord } from '../../../contract/element/binding.ts';
import { TEXT_FIELDS, type ControlType } from '../../../contract/element/control-types.ts';
import type { ElementContext } from '../../../contract/element/element.ts';
import type { Exit } from '../../../contract/gate/exit.ts';
import { judgeFormula, type FormulaJudgement } from '../../../contract/cells/formula.ts';
import { parseChord } from '../../../contract/keys/keys.ts';
import type { ActionTraits } from '../../../contract/gate/traits.ts';
import { isTypedIn, onlyBegins, typedText, walkEntry, type Entry } from '../content/typed-text.ts';
import { isExecutablePath, isStartup } from '../content/programs.ts';
import { pastes } from '../keys/line-keys.ts';
import { saysPaste } from '../words/match.ts';
import { DIALOG_CLASS, isTerminal, kindOf, programOf, startsTyped } from '../words/app-kind.ts';

export interface TypedFacts {
  readonly traits: ActionTraits;
  readonly exits: readonly Exit[];
  readonly app: AppIdentity | null;
  readonly binding: BindingRecord | null;
  readonly context: ElementContext | null;
  /** What may have been typed into the same field shortly before. */
  readonly typedBefore?: readonly string[];
  /** What the host itself may have put on the clipboard last. */
  readonly clipboard?: readonly string[];
  /** How far the text of the cell's entry is known; default: as a whole. */
  readonly entry?: Entry;
}

const pastesClipboard = (exits: readonly Exit[], { context }: TypedFacts): boolean =>
  exits.some(
    (exit) =>
      (exit.kind === 'keys' && exit.chords.some((chord) => pastes(parseChord(chord)))) ||
      ((exit.kind === 'press' || exit.kind === 'choose' || exit.kind === 'point') &&
        [context?.element?.name ?? '', ...(context?.chosen ?? []).map(({ name }) => name)].some(saysPaste)),
  );

/** The text that arrives, then the whole that it may complete: typed on, or before what is there already. */
function arriving(facts: TypedFacts): readonly string[] {
  const { traits, exits, typedBefore = [], clipboard = [] } = facts;
  const typed = exits.some(isTypedIn) ? typedText(traits) : null;
  const pasted = pastesClipboard(exits, facts) && clipboard.length > 0 ? clipboard : [''];
  const texts = pasted.map((one) => (typed ?? '') + one).filter((text) => text !== '');
  const before = traits.replacesText ? [] : typedBefore.filter((one) => one !== '');
  return texts.flatMap((text) => [text, ...before.flatMap((one) => [one + text, text + one])]);
}

/** Whether what is typed may become the content of a cell: any field of a spreadsheet program, a row of a grid elsewhere. */
function isCell({ app, context, exits }: TypedFacts): boolean {
  if (exits.some(({ kind }) => kind === 'cells')) return false;
  return kindOf(app) === 'spreadsheet' || context?.element?.controlType === 'DataItem';
}

/**
 * The worst formula that the text makes; null where it makes none that reaches outside. Outside spreadsheet programs only a text
 * with `=` counts, which a page may show in a cell: `isRefused`, whether it is certain to be one.
 */
export function formulaTyped(facts: TypedFacts): (FormulaJudgement & { readonly isRefused: boolean }) | null {
  const isSure = isCell(facts);
  const judged = arriving(facts)
    .flatMap((text) => [text, ...text.split(/[\t\r\n]+/)])
    .filter((text) => isSure || /^\s*=/.test(text))
    .map((text) => judgeFormula(text))
    .filter(({ reason }) => reason !== null);
  const worst = judged.find(({ verdict }) => verdict === 'blocked_by_policy') ?? judged[0];
  return worst === undefined ? null : { ...worst, isRefused: isSure && worst.verdict === 'blocked_by_policy' };
}

/**
 * Whether a formula is continued or finished that keys changed after it was typed, or that begins before what a cell holds: what
 * it says is not known. In a dialog, such as Replace, its beginning alone may make one of each cell.
 */
export function makesUnknownFormula(facts: TypedFacts): boolean {
  const { app, exits, context, traits, binding, entry = 'whole', typedBefore = [] } = facts;
  if (kindOf(app) !== 'spreadsheet') return false;
  const isDialog = (context?.dialogTitle ?? '') !== '' && context?.dialogTitle !== binding?.title;
  return walkEntry(exits, entry, typedBefore).isUnknown || (isDialog && onlyBegins(typedText(traits) ?? ''));
}

/** Fields of a document that start a program or fetch a file once they are updated. */
const FIELD_CODE = /\b(DDE(?:AUTO)?|INCLUDETEXT|INCLUDEPICTURE)\s+["\\\w]/i;
const WORD_PROCESSORS = /^(?:winword\.exe|soffice\.(?:exe|bin)|wps\.exe)$/;

/** The field code that a text makes in a word processor: its name in upper case. */
export const fieldCodeTyped = (facts: TypedFacts): string | null =>
  WORD_PROCESSORS.test(programOf(facts.app))
    ? (arriving(facts).flatMap((text) => FIELD_CODE.exec(text)?.[1]?.toUpperCase() ?? [])[0] ?? null)
    : null;

/**
 * Where a typed path is touched. `dialog`: a field of a dialog. `alone`: another field, which may be in a dialog that the
 * program draws itself; only a text that is nothing but a path counts there. `other`: an address bar, a launcher, a shell,
 * a sheet, or an unknown place. Null: a document or page, where a path is only text.
 */
function placeOfPaths({ app, binding, context }: TypedFacts): 'dialog' | 'alone' | 'other' | null {
  const element = context?.element ?? null;
  if (isTerminal(app, binding, context) || kindOf(app) === 'spreadsheet' || startsTyped(app)) return 'other';
  if (context === null || element === null) return 'other';
  const isPage = context.document.kind !== 'none';
  if (!TEXT_FIELDS.has(element.controlType)) return DRAWN.has(element.controlType) && !isPage ? 'alone' : null;
  const isDialog =
    binding?.className === DIALOG_CLASS ||
    context.defaultButtonName !== null ||
    (context.dialogTitle !== '' && context.dialogTitle !== binding?.title);
  if (isDialog) return 'dialog';
  if (kindOf(app) === 'browser') return isPage ? null : 'other';
  return element.controlType === 'Document' || isPage ? null : 'alone';
}

/** What a program draws itself: a field of its own may have the focus. */
const DRAWN: ReadonlySet<ControlType> = new Set<ControlType>(['Custom', 'Pane', 'Window']);

/** Network shares, addresses of files and searches, device names, and paths with a drive, which may be another machine’s. */
const PATHS = [
  /(?:^|[\s"'=(;,[])([\\/]{2}[^\s\\/"'<>|]+[\\/]?[^"'<>|\r\n\t]*)/g,
  /(?:^|[\s"'=(;,[])(\\\?\?\\[^"'<>|\r\n\t]*)/g,
  /((?:file:|search(?:-ms)?:|::\{)[\\/]*[^\s"'<>|]+)/gi,
  /(?:^|[\s"'=(;,[])([a-z]:[\\/][^"'<>|\r\n\t]*)/gi,
];

const withoutQuotes = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();

/** In a dialog of files an address is a folder of another machine, too. */
const ADDRESS = /([a-z][a-z0-9+.-]*:[\\/]{2}[^\s"'<>|]+)/gi;

/** Places whose files start programs, files that are programs, and everything that may be a path of another machine. */
export interface TypedPaths {
  readonly candidates: readonly string[];
  readonly starting: string | null;
}

export function pathsTyped(facts: TypedFacts): TypedPaths {
  const place = placeOfPaths(facts);
  const texts = place === null ? [] : arriving(facts);
  const patterns = place === 'dialog' && kindOf(facts.app) !== 'browser' ? [...PATHS, ADDRESS] : PATHS;
  const candidates = new Set(
    texts.flatMap((text) =>
      patterns
        .flatMap((pattern) => [...text.matchAll(pattern)].map(([, path]) => path!.trim()))
        .filter((path) => place !== 'alone' || path === withoutQuotes(text)),
    ),
  );
  const isStarting = (text: string): boolean => isStartup(text) || (place === 'dialog' && isExecutablePath(text));
  return { candidates: [...candidates], starting: texts.find(isStarting) ?? null };
}
