/**
 * What a formula reaches outside its workbook: judged outside its quoted texts, as Excel reads it (blanks and line
 * breaks, case, full-width letters, `@`, prefixes such as `_xlfn.`, names that point elsewhere). A formula whose quotations
 * do not end is judged with and without them: a further reading can only add findings.
 */
import { columnName, columnNumber } from './cell-address.ts';
import functions from './formula-functions.json' with { type: 'json' };

/*
 * Functions of spreadsheets that reach outside the workbook. Names are as in files and in English; those of other languages
 * (German, French, Spanish, Italian, Portuguese, Russian, Polish) and of Google Sheets and LibreOffice are there because a
 * formula typed into a window is read in the language of its program.
 * https://support.microsoft.com/office/b3944572-255d-4efb-bb96-c6d90033e188 (functions by category)
 */

/** They send data out, fetch it, load it from elsewhere, or lead a person out by a link. */
const OUTSIDE: ReadonlySet<string> = new Set(functions.outside);
/** The functions of data cubes, also in French, Spanish and Russian. */
const OUTSIDE_FAMILY = new RegExp('^(?:CUBE[A-Z]*|MEMBRECUBE|MIEMBROCUBO|VALORCUBO|КУБ[А-Я]+)$');
/** They call code of the system or start programs, and nothing else has their names. */
const FORBIDDEN: ReadonlySet<string> = new Set(functions.forbidden);
/** REGISTER, REGISTER.ID, UNREGISTER. */
const FORBIDDEN_FAMILY = /^(?:UN)?REGISTER(?:\.[A-Z.]+)?$/;
/** Functions of Excel 4.0 macro sheets whose names may also be those of a person's cells: forbidden where they are called. */
const FORBIDDEN_CALLS: ReadonlySet<string> = new Set(functions.forbiddenCalls);
/** They read a text as a reference or a formula: what is quoted in such a formula is judged like a formula too. */
const READS_TEXT: ReadonlySet<string> = new Set(functions.readsText);
/** They take functions by their bare names: `=MAP(A1:A3, WEBSERVICE)`. */
const TAKES_FUNCTION: ReadonlySet<string> = new Set(functions.takesFunction);
/** Kinds of files that a reference without quotation marks can name: `Rates.xlsx!Rate`. */
const WORKBOOK_FILE =
  /\.(?:xl[a-z]{1,2}|csv|ods|ots|txt|prn|dbf|slk|dif|html?|mht(?:ml)?|xml|mdb|accdb|odc|iqy|dqy|rqy)$/i;

/** `harmless`: not a formula. `high`: a formula. */
export type FormulaVerdict = 'harmless' | 'high' | 'external_submit' | 'blocked_by_policy';

export interface FormulaJudgement {
  readonly verdict: FormulaVerdict;
  /** For a card and an error, what leads to the verdict: `WEBSERVICE`, `a DDE link`; null for the lower two. */
  readonly reason: string | null;
  /** Names that only the workbook can resolve, in upper case. Without `names` what they point to is not judged. */
  readonly names: readonly string[];
}

/** What a defined name refers to, as the workbook says (`=Sheet1!$A$1`); null if it has no such name. */
export type NameLookup = (name: string) => string | null;

const ORDER: readonly FormulaVerdict[] = ['harmless', 'high', 'external_submit', 'blocked_by_policy'];
const isWorse = (a: FormulaVerdict, b: FormulaVerdict): boolean => ORDER.indexOf(a) > ORDER.indexOf(b);

/** Names that lead to names: Excel has no limit, and more than these say nothing new. */
const DEEPEST = 32;

/** One piece of a formula outside its quoted texts. */
interface Token {
  /** `word`: function, name, cell or sheet. `path`: in apostrophes. `brackets`: `[…]`. `text`: a quoted text. */
  readonly kind: 'word' | 'path' | 'brackets' | 'text' | 'mark';
  readonly text: string;
  /** Whether anything blank is between this and the token before. */
  readonly isApart: boolean;
}

const WORD = /[\p{L}\p{M}\p{N}_.\\?$]/u;

/** The end of a quotation that doubles its mark to write it; the text's length and false if it does not end. */
function endOfQuoted(text: string, from: number): readonly [end: number, isEnded: boolean] {
  const mark = text[from];
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] !== mark) continue;
    if (text[at + 1] !== mark) return [at + 1, true];
    at += 1;
  }
  return [text.length, false];
}

/** The end of brackets, which nest, and in which an apostrophe escapes the next character. */
function endOfBrackets(text: string, from: number): readonly [end: number, isEnded: boolean] {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "'") at += 1;
    else if (text[at] === '[') depth += 1;
    else if (text[at] === ']' && (depth -= 1) === 0) return [at + 1, true];
  }
  return [text.length, false];
}

interface Reading {
  readonly tokens: readonly Token[];
  /** False if a quotation or a bracket does not end. */
  readonly isEnded: boolean;
}

/** `marksOnly`: apostrophes and brackets are marks like others, so that they hide nothing. */
function read(formula: string, marksOnly: boolean): Reading {
  const tokens: Token[] = [];
  let isEnded = true;
  let isApart = false;
  let at = 0;
  const take = (kind: Token['kind'], end: number): void => {
    tokens.push({ kind, text: formula.slice(at, end), isApart });
    isApart = false;
    at = end;
  };
  while (at < formula.length) {
    const character = String.fromCodePoint(formula.codePointAt(at)!);
    if (/[\s\p{C}\p{Z}]/u.test(character)) {
      isApart = true;
      at += character.length;
    } else if (character === '"' || (!marksOnly && (character === "'" || character === '['))) {
      const [end, ends] = character === '[' ? endOfBrackets(formula, at) : endOfQuoted(formula, at);
      isEnded &&= ends;
      take(character === '"' ? 'text' : character === "'" ? 'path' : 'brackets', end);
    } else if (WORD.test(character)) {
      let end = at + character.length;
      while (end < formula.length) {
        const next = String.fromCodePoint(formula.codePointAt(end)!);
        if (!WORD.test(next)) break;
        end += next.length;
      }
      take('word', end);
    } else take('mark', at + character.length);
  }
  return { tokens, isEnded };
}

/** `_xlfn._xlws.WEBSERVICE`, `$A$1` → the name in upper case without prefixes. */
const bare = (word: string): string => word.toUpperCase().replace(/^(?:_XL[A-Z]*\.)+/, '');

/** A cell, in either style. */
const isCell = (word: string): boolean => /^\$?[A-Z]{1,3}\$?\d+$|^R\d*(?:C\d*)?$|^C\d*$/.test(word);
/** A whole column or row, which is only written as a range. */
const isEdge = (word: string): boolean => /^\$?[A-Z]{1,3}$|^\$?\d+$/.test(word);
const CONSTANTS: ReadonlySet<string> = new Set(['TRUE', 'FALSE']);

/** What no sheet's name can have: a folder, a file, a server, a wildcard. */
const PATH_SIGNS = /[\\/[\]?*]/;

class Judge {
  verdict: FormulaVerdict = 'high';
  reason: string | null = null;
  readonly names = new Set<string>();

  find(verdict: FormulaVerdict, reason: string): void {
    if (!isWorse(verdict, this.verdict)) return;
    this.verdict = verdict;
    this.reason = reason;
  }

  read({ tokens }: Reading): void {
    const words = new Set(tokens.filter(({ kind }) => kind === 'word').map(({ text }) => bare(text)));
    const takesFunction = [...words].some((word) => TAKES_FUNCTION.has(word));
    for (const [at, token] of tokens.entries()) {
      const next = tokens[at + 1];
      if (token.text === '|') this.find('blocked_by_policy', 'a DDE link');
      else if (token.kind === 'path') this.#path(token.text.slice(1, -1), next?.text === '!');
      else if (token.kind === 'brackets') this.#brackets(tokens.slice(at + 1, at + 5));
      else if (token.kind === 'word') this.#word(token.text, tokens[at - 1], next, takesFunction);
    }
    if (![...words].some((word) => READS_TEXT.has(word))) return;
    const quotedTexts = tokens
      .filter(({ kind }) => kind === 'text')
      .map(({ text }) => text.slice(1, -1).replaceAll('""', '"'));
    for (const text of [...quotedTexts, quotedTexts.join('')]) this.#quotedReference(text);
  }

  /** Between apostrophes: the sheet, or the way to another file. */
  #path(path: string, isSheet: boolean): void {
    // A sheet's name may have this sign, but what a server of DDE is asked for is written in the same way.
    if (path.includes('|')) this.find('blocked_by_policy', 'a DDE link');
    if (PATH_SIGNS.test(path) || (isSheet && WORKBOOK_FILE.test(path)))
      this.find('external_submit', 'a reference to another file');
  }

  /** `[Book2.xlsx]Data!A1`, `[Book2.xlsx]Jan:Mar!A1`, `[1]!Rate`; not `Orders[Amount]`. */
  #brackets(next: readonly Token[]): void {
    const end = next.findIndex(({ text }) => text === '!');
    const leadsOn =
      end >= 0 &&
      next
        .slice(0, end)
        .every(({ kind, text }, at) => (at % 2 === 0 ? kind === 'word' || kind === 'path' : text === ':'));
    if (leadsOn) this.find('external_submit', 'a reference to another workbook');
  }

  #word(text: string, before: Token | undefined, next: Token | undefined, takesFunction: boolean): void {
    const word = bare(text);
    if (text.startsWith('\\\\')) this.find('external_submit', 'a reference to another file');
    if (next?.text === '!') {
      if (WORKBOOK_FILE.test(word) || text.includes('\\')) this.find('external_submit', 'a reference to another file');
      return;
    }
    const isCalled = next?.text === '(';
    const isTable = next?.kind === 'brackets' && !next.isApart;
    // `RTD:RTD` is a column.
    const isRange = isEdge(word) && (next?.text === ':' || before?.text === ':');
    if (isTable || (isRange && !isCalled)) return;
    if (FORBIDDEN.has(word) || FORBIDDEN_FAMILY.test(word)) {
      if (isCalled || takesFunction) this.find('blocked_by_policy', word);
    } else if (FORBIDDEN_CALLS.has(word) && isCalled) this.find('blocked_by_policy', word);
    else if (OUTSIDE.has(word) || OUTSIDE_FAMILY.test(word)) this.find('external_submit', word);
    if (!isCell(word) && !CONSTANTS.has(word) && !/^[\d.]+(?:E\d*)?$/.test(word)) this.names.add(word);
  }

  /** A text that INDIRECT may read as an address. */
  #quotedReference(text: string): void {
    if (text.includes('|')) this.find('blocked_by_policy', 'a DDE link');
    if (/[[\\]|:\/\//.test(text) && !/^[\p{L}_][^[\\!]*\[[^\\!]*\]$/u.test(text))
      this.find('external_submit', 'a reference to another file');
  }
}

/** What Excel takes for the beginning of a formula; an array formula is shown in braces. */
const BEGINS = /^[\s\p{C}\p{Z}]*(?:[=+@-]|\{[\s\p{C}\p{Z}]*=)/u;
/** `+` and `-` also begin numbers. */
const NUMBER = /^[\s\p{C}\p{Z}]*[+-]?[\d.,]+(?:e[+-]?\d+)?%?\s*$/iu;

const begins = (text: string): boolean => BEGINS.test(text) && !NUMBER.test(text);

/** The spellings that a program may read: as given, and with compatibility forms folded and invisible characters gone. */
function spellings(text: string): readonly string[] {
  const folded = text.normalize('NFKC').replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
  return folded === text ? [text] : [text, folded];
}

function judge(text: string, names: NameLookup | undefined, seen: ReadonlySet<string>): FormulaJudgement {
  const readable = spellings(text).filter(begins);
  if (readable.length === 0) return { verdict: 'harmless', reason: null, names: [] };
  const found = new Judge();
  for (const formula of readable) {
    const strict = read(formula, false);
    found.read(strict);
    // A quotation mark in brackets is a letter of a column's name only if the program reads these brackets as one.
    if (!strict.isEnded || strict.tokens.some(({ kind, text: one }) => kind === 'brackets' && one.includes('"')))
      found.read(read(formula, true));
    if (/:\/\/|:\\/.test(strict.tokens.map(({ kind, text: one }) => (kind === 'text' ? ' ' : one)).join('')))
      found.find('external_submit', 'a reference to another file');
  }
  for (const name of names === undefined ? [] : found.names) {
    if (seen.has(name) || seen.size >= DEEPEST) continue;
    const target = names!(name);
    if (target === null) continue;
    const inner = judge(target.startsWith('=') ? target : `=${target}`, names, new Set([...seen, name]));
    if (inner.reason !== null) found.find(inner.verdict, `${inner.reason}, by the name ${name}`);
  }
  return { verdict: found.verdict, reason: found.reason, names: [...found.names] };
}

/** Judges one text that is written as a formula. Without `names`, what defined names point to is left open. */
export const judgeFormula = (text: string, names?: NameLookup): FormulaJudgement => judge(text, names, new Set());

/** Case, blanks and the marks that Excel adds do not matter; texts in quotation marks do. */
export const formulaKey = (formula: string): string =>
  formula
    .split(/("(?:[^"]|"")*")/)
    .map((part, i) => (i % 2 === 1 ? part : part.replaceAll(/\s+|@|_xlfn\.|_xlws\./gi, '').toUpperCase()))
    .join('');

/** Whether a program would read both as the same formula. */
export const isSameFormula = (a: string, b: string): boolean => formulaKey(a) === formulaKey(b);

const CELL_REFERENCE = /(?<![\w.$\]])(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\w.(!])/gi;

/** A formula as it is in another cell: references without `$` move with it. Names and columns of tables stay. */
export function shiftFormula(formula: string, rows: number, columns: number): string {
  const shift = (part: string): string =>
    part.replaceAll(CELL_REFERENCE, (_, fixed: string, letters: string, kept: string, row: string) => {
      const column = fixed === '$' ? letters : columnName(columnNumber(letters) + columns);
      return `${fixed}${column}${kept}${kept === '$' ? row : Number(row) + rows}`;
    });
  return formula
    .split(/("(?:[^"]|"")*"|'(?:[^']|'')*'|\[[^\]]*\])/)
    .map((part, at) => (at % 2 === 1 ? part : shift(part)))
    .join('');
}
