/** Whether what a function is about to send is the content of a permitted exit, or the next part of it. */
import * as m from '../../../native-bindings/win32/constants.ts';
import type { CellInput } from '../../contract/cells/sheet.ts';
import type { WindowPlace } from '../../contract/element/geometry.ts';
import { saysPicked } from '../../contract/element/picked.ts';
import type { Button, Exit, Permit } from '../../contract/gate/exit.ts';
import { ErrorValue, OleDate } from '../../../native-bindings/com/variant-grid.ts';
import { areaOf } from '../../contract/cells/cell-address.ts';
import { daysOf, errorScode } from '../../contract/cells/cells.ts';
import { canonicalChord, parseChord, type Modifier } from '../../contract/keys/keys.ts';
import { resolveKey } from '../windows/key-codes.ts';

/** A key that goes down, or a character that is sent as one. */
export type Stroke = { readonly vk: number } | { readonly character: string };

/** What is compared with the permitted exit. What is absent is not compared: it has no content. */
export interface Sent {
  /** In order, following the strokes of the same way before. `layout`: of the thread that gets them. */
  readonly strokes?: readonly Stroke[];
  readonly layout?: number;
  /** The whole content of a field, and what it holds, which only an addition asks: no password is read. */
  readonly value?: { readonly whole: string; readonly before: () => string | null };
  readonly number?: number;
  /** What a date picker, a calendar or an address field would hold, as `saysPicked` takes it. */
  readonly picked?: string;
  /** The chords that a message or a command stands for. */
  readonly chords?: readonly string[];
  readonly button?: Button;
  /** How often an element or a button is pressed; `by`: an element's way. */
  readonly presses?: number;
  readonly by?: Extract<Exit, { kind: 'press' }>['by'];
  /** Modifiers that a mouse message says are down. */
  readonly held?: readonly Modifier[];
  readonly operations?: readonly string[];
  readonly place?: WindowPlace;
  readonly cells?: SentCells;
  /** The path of what is started, or its AppUserModelID. */
  readonly program?: string;
  /** The whole text of the clipboard. */
  readonly clipboard?: string;
}

export interface SentCells {
  readonly sheet: string;
  /** A rectangle in the A1 style. */
  readonly range: string;
  /** As they are sent; null where the cells are only selected. */
  readonly write: { readonly values: ReadonlyArray<readonly unknown[]>; readonly isFormula: boolean } | null;
  /** The operation on the workbook that sends it; absent where cells are written or selected. */
  readonly op?: string;
  /** What it would lose now: a person may have entered something since it was judged. */
  readonly loses?: string | null | undefined;
}

/** How far the running way has got. */
export class Progress {
  /** Characters; null where only a part of the call is seen, as in the process that writes to consoles. */
  typed: number | null = 0;
  presses = 0;
  /** How often each key went down. */
  readonly downs = new Map<number, number>();
  /** The item that is chosen was compared with the judged one. */
  isItemCompared = false;
}

export const charactersOf = (text: string): Stroke[] => Array.from(plainLines(text), (character) => ({ character }));

const plainLines = (text: string): string => text.replaceAll(/\r\n|\r/g, '\n');

const TYPING: ReadonlyMap<number, string> = new Map([
  [m.VK_RETURN, '\n'],
  [m.VK_TAB, '\t'],
  [m.VK_BACK, '\b'],
]);

/** The text that strokes type; null if one of them is another key. */
function asText(strokes: readonly Stroke[]): string | null {
  const typed = strokes.map((stroke) => ('character' in stroke ? stroke.character : TYPING.get(stroke.vk)));
  return typed.includes(undefined) ? null : plainLines(typed.join(''));
}

/** Whether strokes are the next part of the permitted text. Null: a stored secret, which the gate does not know. */
function continues(strokes: readonly Stroke[], permitted: string | null, rounds: number, progress: Progress): boolean {
  const one = asText(strokes);
  if (one === null) return false;
  if (permitted === null || one === '') return true;
  const all = plainLines(permitted);
  const { typed } = progress;
  if (typed === null) return all.includes(one) || (rounds > 1 && all.repeat(2).includes(one));
  if (all === '' || typed + one.length > all.length * rounds) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== all[(typed + at) % all.length]) return false;
  progress.typed = typed + one.length;
  return true;
}

function isValue({ whole, before }: NonNullable<Sent['value']>, text: string, replaces: boolean): boolean {
  const [sent, permitted] = [plainLines(whole), plainLines(text)];
  if (replaces) return sent === permitted;
  return sent.endsWith(permitted) && sent === plainLines(`${before() ?? ''}${text}`);
}

const NEEDED = [
  ['shift', m.VK_SHIFT],
  ['ctrl', m.VK_CONTROL],
  ['alt', m.VK_MENU],
] as const;

/** The keys of a chord in a layout, alone, and with the modifiers that its characters need. */
function keysOf(chord: string, layout: number): { readonly own: readonly number[]; readonly all: ReadonlySet<number> } {
  const keys = parseChord(chord).flatMap((key) => resolveKey(key, layout) ?? []);
  const needed = keys.flatMap(({ needs }) => NEEDED.filter(([name]) => needs[name]).map(([, vk]) => vk));
  const own = keys.map(({ vk }) => vk);
  return { own, all: new Set([...own, ...needed]) };
}

const typesOf = (chord: string): readonly string[] =>
  parseChord(chord).flatMap(({ character }) => (character === null ? [] : [character, character.toUpperCase()]));

/** Whether strokes are keys of one chord. */
function isChord(strokes: readonly Stroke[], chord: string, layout: number): boolean {
  const { all } = keysOf(chord, layout);
  const typed = typesOf(chord);
  return strokes.every((stroke) => ('character' in stroke ? typed.includes(stroke.character) : all.has(stroke.vk)));
}

/** No key goes down more often than the chords have it, in all rounds. */
function isWithinRounds(
  strokes: readonly Stroke[],
  { chords, rounds, isHeld }: Extract<Exit, { kind: 'keys' }>,
  layout: number,
  { downs }: Progress,
): boolean {
  if (isHeld) return true;
  const wished = chords.flatMap((chord) => keysOf(chord, layout).own);
  const next = new Map(downs);
  for (const stroke of strokes)
    if ('vk' in stroke && wished.includes(stroke.vk)) next.set(stroke.vk, (next.get(stroke.vk) ?? 0) + 1);
  for (const [vk, count] of next) if (count > wished.filter((one) => one === vk).length * rounds) return false;
  for (const [vk, count] of next) downs.set(vk, count);
  return true;
}

/** Before a text is typed into an element, what it replaces is selected, or the caret is put at its end. */
const PREPARING = ['ctrl+a', 'ctrl+end', 'delete'];
const PASTES = ['ctrl+v', 'shift+insert'];

function areKeys(exit: Extract<Exit, { kind: 'keys' }>, sent: Sent, { exits }: Permit, progress: Progress): boolean {
  const { chords, text, rounds, from } = exit;
  // What the call itself puts on the clipboard is pasted from there.
  const own = [
    ...(from === 'element' ? PREPARING : []),
    ...(exits.some(({ kind }) => kind === 'clipboard') ? PASTES : []),
  ];
  if (sent.value !== undefined) return isValue(sent.value, text, false);
  if (sent.chords !== undefined)
    return [...chords.map(canonicalChord), ...own].some((chord) => sent.chords!.includes(chord));
  const { strokes, layout = 0 } = sent;
  if (strokes === undefined) return true;
  if (continues(strokes, text, rounds, progress)) return true;
  if (own.some((chord) => isChord(strokes, chord, layout))) return true;
  return chords.some((chord) => isChord(strokes, chord, layout)) && isWithinRounds(strokes, exit, layout, progress);
}

/** What an answer of a kind can consist of, where the screen decides on the letters. */
const ARROWS: ReadonlySet<number> = new Set([m.VK_UP, m.VK_DOWN]);
const LONGEST_ANSWER = 16;

function isAnswer(
  { text, variant }: Extract<Exit, { kind: 'console' }>,
  { strokes }: Sent,
  progress: Progress,
): boolean {
  if (strokes === undefined) return true;
  const typed = asText(strokes);
  const arrowsOrEnter = strokes.every((stroke) =>
    'vk' in stroke ? ARROWS.has(stroke.vk) || stroke.vk === m.VK_RETURN : stroke.character === '\n',
  );
  switch (variant) {
    case 'type':
      return continues(strokes, `${text}\n`, 1, progress);
    case 'enter':
      return typed === '\n';
    case 'escape':
      return strokes.every((stroke) => 'vk' in stroke && stroke.vk === m.VK_ESCAPE);
    case 'select':
      return arrowsOrEnter;
    default:
      return arrowsOrEnter || (typed !== null && typed.length <= LONGEST_ANSWER && /^[\p{L}\p{Nd}]*\n?$/u.test(typed));
  }
}

const sentAs = (value: Exclude<CellInput, null>): string => {
  if (typeof value !== 'object') return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
  return 'formula' in value ? value.formula : '';
};

const isDate = (value: unknown, date: string | number): boolean =>
  value instanceof OleDate && [false, true].some((is1904) => value.days === daysOf(date, is1904));

/** Whether one cell is sent as it was given. */
function isCell(value: unknown, given: CellInput, isFormula: boolean): boolean {
  if (given === null || given === '') return value === undefined || value === '';
  if (typeof given === 'object') {
    if ('formula' in given) return isFormula && value === given.formula;
    if ('date' in given) return !isFormula && isDate(value, given.date);
    return !isFormula && value instanceof ErrorValue && value.scode === errorScode(given.error);
  }
  if (typeof given === 'string') return !isFormula && (value === given || value === `'${given}`);
  return value === given;
}

function areCells({ aim, loses }: Extract<Exit, { kind: 'cells' }>, { cells, value }: Sent): boolean {
  if (value !== undefined)
    return aim.write?.values.some((row) => row.some((one) => one !== null && sentAs(one) === value.whole)) ?? false;
  if (cells === undefined) return true;
  if (aim.sheet !== undefined && aim.sheet !== cells.sheet) return false;
  if (aim.book?.op !== cells.op || loses !== cells.loses) return false;
  if (cells.write === null) return true;
  const [at, from] = [areaOf(cells.range), areaOf(aim.range)];
  if (aim.write === null || at === null || from === null) return false;
  const { values, isFormula } = cells.write;
  return values.every((row, r) =>
    row.every((one, c) => {
      const given = aim.write!.values[at.row - from.row + r]?.[at.column - from.column + c];
      return given !== undefined && isCell(one, given, isFormula);
    }),
  );
}

const isText = (
  { text, replaces }: Extract<Exit, { kind: 'text' }>,
  { strokes, value, number, picked }: Sent,
  progress: Progress,
): boolean => {
  if (text === null) return true;
  if (picked !== undefined) return saysPicked(text, picked);
  if (value !== undefined) return isValue(value, text, replaces);
  if (number !== undefined) return Number(text.trim()) === number;
  return strokes === undefined || continues(strokes, text, 1, progress);
};

/** No more presses than the permitted ones, in all that the running way sends. */
function areWithin(most: number, { presses = 0 }: Sent, progress: Progress): boolean {
  if (progress.presses + presses > most) return false;
  progress.presses += presses;
  return true;
}

const PLACE = ['x', 'y', 'width', 'height'] as const;

/** What the exits of a kind allow. */
const FITS: {
  readonly [K in Exit['kind']]?: (
    exit: Extract<Exit, { kind: K }>,
    sent: Sent,
    permit: Permit,
    progress: Progress,
  ) => boolean;
} = {
  press: ({ button, by, count }, sent, _permit, progress) =>
    (sent.button === undefined || sent.button === button) &&
    (sent.by === undefined || sent.by === by) &&
    areWithin(count, sent, progress),
  point: ({ button, does, count, held }, sent, _permit, progress) =>
    (sent.button === undefined || sent.button === button) &&
    areWithin(does === 'press' ? count : does === 'down' || does === 'drag' ? 1 : 0, sent, progress) &&
    (sent.held ?? []).every((name) =>
      held.some((chord) => parseChord(chord).some(({ modifier }) => modifier === name)),
    ),
  text: (exit, sent, _permit, progress) => isText(exit, sent, progress),
  keys: areKeys,
  choose: ({ item }, _sent, _permit, { isItemCompared }) => item === null || isItemCompared,
  cells: areCells,
  clipboard: ({ text }, { clipboard }) => clipboard === undefined || plainLines(clipboard) === plainLines(text),
  window: ({ operation, place = {} }, { operations, place: sent }) =>
    (operations === undefined || operations.includes(operation)) &&
    (sent === undefined || PLACE.every((part) => place[part] === undefined || place[part] === sent[part])),
  start: ({ runs }, { program }) =>
    program === undefined || runs.some((one) => one.toLowerCase() === program.toLowerCase()),
  console: (exit, sent, _permit, progress) => isAnswer(exit, sent, progress),
};

export const fits = <K extends Exit['kind']>(
  exit: Extract<Exit, { kind: K }>,
  sent: Sent,
  permit: Permit,
  progress: Progress,
): boolean => FITS[exit.kind as K]?.(exit, sent, permit, progress) ?? true;

/** Whether strokes are the keys that are held during a click. */
export const areHeld = ({ strokes, layout = 0 }: Sent, held: readonly string[]): boolean =>
  strokes !== undefined && held.length > 0 && isChord(strokes, held.join('+'), layout);
