/**
 * What typed text becomes where it arrives, by whatever exit: a formula in a spreadsheet, a path in a dialog, an address bar, a
 * shell or a sheet. It is judged as it is sent, what is on the clipboard included, and with what its field holds.
 */
import { TEXT_FIELDS } from '../../../contract/element/control-types.ts';
import type { ElementContext } from '../../../contract/element/element.ts';
import type { Exit } from '../../../contract/gate/exit.ts';
import { judgeFormula, type FormulaJudgement } from '../../../contract/cells/formula.ts';
import { parseChord } from '../../../contract/keys/keys.ts';
import { foundIn, isTypedIn, type Sent, typedText } from '../content/typed-text.ts';
import { isExecutablePath, isStartup } from '../content/programs.ts';
import { pastes } from '../keys/line-keys.ts';
import { saysPaste } from '../words/match.ts';
import { DIALOG_CLASS, DRAWN, isTerminal, kindOf, programOf, startsTyped } from '../words/app-kind.ts';

/** Whether the call pastes the clipboard: by keys, or by what is pressed. */
export const pastesClipboard = (exits: readonly Exit[], context: ElementContext | null): boolean =>
  exits.some(
    (exit) =>
      (exit.kind === 'keys' && exit.chords.some((chord) => pastes(parseChord(chord)))) ||
      ((exit.kind === 'press' || exit.kind === 'choose' || exit.kind === 'point') &&
        [context?.element?.name ?? '', ...(context?.chosen ?? []).map(({ name }) => name)].some(saysPaste)),
  );

/** What `finds` sees in the text that arrives, and in the whole that it makes in its field. */
function inArriving<T>(facts: Sent, finds: (text: string) => readonly T[]): readonly T[] {
  const { traits, exits, context, clipboard = '' } = facts;
  const text = (exits.some(isTypedIn) ? (typedText(traits) ?? '') : '') + clipboard;
  return text === '' ? [] : foundIn(text, { traits, held: context?.held }, finds);
}

/** Whether what is typed may become the content of a cell: any field of a spreadsheet program, a row of a grid elsewhere. */
function isCell({ app, context, exits }: Sent): boolean {
  if (exits.some(({ kind }) => kind === 'cells')) return false;
  return kindOf(app) === 'spreadsheet' || context?.element?.controlType === 'DataItem';
}

/**
 * The worst formula that the text makes; null where it makes none that reaches outside. Outside spreadsheet programs, where any
 * surface may be a cell, a text with `=` counts, and what starts programs: `isRefused`, whether it is certain to be one.
 */
export function formulaTyped(facts: Sent): (FormulaJudgement & { readonly isRefused: boolean }) | null {
  const isSure = isCell(facts);
  const judged = inArriving(facts, (text) =>
    [text, ...text.split(/[\t\r\n]+/)]
      .map((one) => ({ ...judgeFormula(one), isMeant: isSure || /^\s*=/.test(one) }))
      .filter(({ verdict, reason, isMeant }) => reason !== null && (isMeant || verdict === 'blocked_by_policy')),
  );
  const worst = judged.find(({ verdict }) => verdict === 'blocked_by_policy') ?? judged[0];
  return worst === undefined ? null : { ...worst, isRefused: isSure && worst.verdict === 'blocked_by_policy' };
}

/** Fields of a document that start a program or fetch a file once they are updated. */
const FIELD_CODE = /\b(DDE(?:AUTO)?|INCLUDETEXT|INCLUDEPICTURE)\s+["\\\w]/i;
const WORD_PROCESSORS = /^(?:winword\.exe|soffice\.(?:exe|bin)|wps\.exe)$/;

/** The field code that a text makes in a word processor: its name in upper case. */
export const fieldCodeTyped = (facts: Sent): string | null =>
  WORD_PROCESSORS.test(programOf(facts.app))
    ? (inArriving(facts, (text) => [FIELD_CODE.exec(text)?.[1]?.toUpperCase() ?? null]).find((one) => one !== null) ??
      null)
    : null;

/**
 * Where a typed path is touched. `dialog`: a field of a dialog. `alone`: another field, which may be in a dialog that the
 * program draws itself; only a text that is nothing but a path counts there. `other`: an address bar, a launcher, a shell,
 * a sheet, or an unknown place. Null: a document or page, where a path is only text.
 */
function placeOfPaths({ app, binding, context }: Sent): 'dialog' | 'alone' | 'other' | null {
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

export function pathsTyped(facts: Sent): TypedPaths {
  const place = placeOfPaths(facts);
  const patterns = place === 'dialog' && kindOf(facts.app) !== 'browser' ? [...PATHS, ADDRESS] : PATHS;
  const candidates = inArriving(facts, (text) =>
    (place === null ? [] : patterns)
      .flatMap((pattern) => [...text.matchAll(pattern)].map(([, path]) => path!.trim()))
      .filter((path) => place !== 'alone' || path === withoutQuotes(text)),
  );
  const starting = inArriving(facts, (text) =>
    (place !== null && isStartup(text)) ||
    (place === 'dialog' && isExecutablePath(text)) ||
    (kindOf(facts.app) === 'browser' && /^\s*javascript:/i.test(text))
      ? [text]
      : [],
  );
  return { candidates: [...new Set(candidates)], starting: starting[0] ?? null };
}
