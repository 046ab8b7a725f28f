/** The accessibility text: one line per element, budgets, continuation and differences. No Windows calls. */
import { ELEMENT_STATES, type ElementState } from '../../../contract/element/control-types.ts';
import type { ShownElement, Unread } from '../../../contract/element/element.ts';
import type { Rect } from '../../../contract/element/geometry.ts';
import { jsonText } from '../../../contract/json/quoted.ts';
import type { SnapshotForm } from '../../../desktop/element.ts';

/** One element as a line shows it; `rect` is in the image space of the observation. */
export interface LineElement {
  readonly ref: string;
  readonly depth: number;
  readonly controlType: ShownElement['role'];
  readonly name: string;
  readonly rect: Rect;
  readonly value: string | null;
  /** The value says how many of these items are shown. Null or absent: it is the element's own. */
  readonly items?: number | null;
  readonly automationId: string;
  readonly states: ReadonlySet<ElementState>;
  /** Its descendants could not all be read. */
  readonly isCut?: boolean;
  /** Items that are counted instead of listed; 0 or absent = none. */
  readonly counted?: number;
  /** Elements below it that are counted instead of listed; 0 or absent = none. */
  readonly deeper?: number;
  /** What it shows and no source tells. */
  readonly unread?: Unread | null;
  /** How its text looks, in words; '' or absent: nothing tells it, or it was not asked. */
  readonly text?: string;
}

/** A rendered line and the element it belongs to. */
export interface Line {
  readonly ref: string;
  readonly element: LineElement;
  readonly text: string;
  /** A row's line without its place and ref. Consecutive rows with the same one differ in nothing else. */
  readonly alike?: string | undefined;
  /** Place of a row whose line has one. */
  readonly place?: Rect | undefined;
}

/** Names tell elements apart; a longer one is a document in the wrong place. */
const NAME_BYTES = 1000;
/** Enough to tell elements apart in a brief line: a longer name is an explanation, and the ref finds its element. */
const BRIEF_NAME_BYTES = 80;

/**
 * Another program's text as a JSON string on one line; what `quoted` makes visible in our sentences is a JSON escape
 * here.
 */
export const quote = (text: string): string => jsonText(text);

/** Whether a text may be longer than this many bytes of UTF-8. */
const mayBeCut = (text: string, bytes: number): boolean => text.length * 3 > bytes;

/** The longest prefix of `text` within `bytes` bytes of UTF-8 that splits no code point; `…` marks the cut. */
export function cutToBytes(text: string, bytes: number): string {
  if (!mayBeCut(text, bytes) || Buffer.byteLength(text) <= bytes) return text;
  let used = 3; // the ellipsis
  let end = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
}

const rectText = (rect: Rect): string => `(${rect.x},${rect.y} ${rect.width}x${rect.height})`;

/** Value, id, states, and what is left out. */
function tailOf(element: LineElement, valueBytes: number, isBrief: boolean): string {
  const parts: string[] = [];
  const { value, automationId, states, counted = 0, deeper = 0 } = element;
  if (value !== null && value !== '' && !states.has('password'))
    parts.push(`value=${quote(cutToBytes(value, valueBytes))}`);
  if (automationId !== '' && !(isBrief && element.name !== ''))
    parts.push(`id=${quote(cutToBytes(automationId, NAME_BYTES))}`);
  if (states.size > 0) for (const state of ELEMENT_STATES) if (states.has(state)) parts.push(state);
  if (element.unread) parts.push(`${element.unread} unknown`);
  if (element.text) parts.push(`text(${element.text})`);
  if (counted > 0) parts.push(`… ${counted} ${counted === 1 ? 'item' : 'items'}`);
  if (deeper > 0) parts.push(`… ${deeper} ${deeper === 1 ? 'element' : 'elements'}`);
  if (element.isCut === true) parts.push('…');
  return parts.map((part) => ` ${part}`).join('');
}

/**
 * The line of an element: `[ControlType] "name" (x,y WxH) ref=eN`, then value, id and states where present, `… N items`
 * for items that are counted, `…` where its descendants could not all be read, and what is unknown of it. Brief, it begins
 * with `ControlType eN "name"`, and the id appears only in place of a missing name. A row can be joined with others that
 * are alike.
 */
export function lineOf(element: LineElement, valueBytes: number, form: SnapshotForm, isRow = false): Line {
  const isBrief = form === 'brief';
  const indent = '  '.repeat(element.depth);
  const name = quote(cutToBytes(element.name, isBrief ? BRIEF_NAME_BYTES : NAME_BYTES));
  const tail = tailOf(element, valueBytes, isBrief);
  const text = isBrief
    ? `${indent}${element.controlType} ${element.ref}${element.name === '' ? '' : ` ${name}`}${tail}`
    : `${indent}[${element.controlType}] ${name} ${rectText(element.rect)} ref=${element.ref}${tail}`;
  const isJoined = isRow && element.isCut !== true;
  return {
    ref: element.ref,
    element,
    text,
    ...(isJoined ? { alike: `${indent}${element.controlType} ${quote(element.name)}${tail}` } : {}),
    ...(isJoined && !isBrief ? { place: element.rect } : {}),
  };
}

/** A longer value is a document, too much for an answer. */
const DATA_BYTES = 64 * 1024;

/** The element for a program: what its line shows, with the whole value. `parent`: the nearest element above it that is shown. */
export function dataOf(element: LineElement, parent?: string): ShownElement {
  const { ref, controlType, name, states, rect, automationId, counted = 0, items = null, unread } = element;
  const value = items === null && !states.has('password') ? element.value : null;
  const count = items ?? counted;
  return {
    ref,
    role: controlType,
    name,
    ...(value === null ? {} : { value: cutToBytes(value, DATA_BYTES) }),
    states: [...states],
    rect,
    ...(automationId === '' ? {} : { id: automationId }),
    ...(parent === undefined ? {} : { parent }),
    ...(count > 0 ? { count } : {}),
    ...(unread ? { unread } : {}),
  };
}

/** `e5-e9, e12`: refs in their order, runs of consecutive numbers as ranges. */
function rangesOf(refs: readonly string[]): string {
  const runs: Array<{ first: number; last: number }> = [];
  for (const number of refs.map((ref) => Number(ref.slice(1)))) {
    const run = runs.at(-1);
    if (run !== undefined && number === run.last + 1) run.last = number;
    else runs.push({ first: number, last: number });
  }
  return runs.map(({ first, last }) => (first === last ? `e${first}` : `e${first}-e${last}`)).join(', ');
}

/** From one row to the next, and whether both are of one size; null where their lines do not say where they are. */
function stepOf(one: Line, next: Line): string | null {
  if (one.place === undefined || next.place === undefined) return null;
  const [from, to] = [one.place, next.place];
  return `${to.x - from.x},${to.y - from.y} ${to.width - from.width}x${to.height - from.height}`;
}

/** How many lines from `at` on are rows that are alike, of one size and evenly spaced: all their places follow from two. */
function alikeFrom(lines: readonly Line[], at: number): number {
  const first = lines[at]!;
  const second = lines[at + 1];
  if (first.alike === undefined || second?.alike !== first.alike) return 1;
  const step = stepOf(first, second);
  if (step !== null && !step.endsWith(' 0x0')) return 1;
  let count = 2;
  for (; at + count < lines.length; count += 1) {
    const next = lines[at + count]!;
    if (next.alike !== first.alike || stepOf(lines[at + count - 1]!, next) !== step) break;
  }
  return count;
}

/** How many rows follow that are alike, their refs and the last one's place. */
function moreAlike(others: readonly Line[]): string {
  const last = others.at(-1)?.place;
  const refs = rangesOf(others.map(({ ref }) => ref));
  const place = last === undefined ? '' : ` to ${rectText(last)}`;
  return ` … ${others.length} more alike: ${refs}${place}`;
}

/** A line of an answer, and the elements that it stands for: several rows that are alike, none where it tells what is gone. */
export interface Sent {
  readonly text: string;
  readonly elements: readonly LineElement[];
}

/** The texts of lines; of rows that are alike the first, with how many follow it, their refs and the last one's place. */
export function textsOf(lines: readonly Line[]): Sent[] {
  const sent: Sent[] = [];
  for (let at = 0; at < lines.length;) {
    const count = alikeFrom(lines, at);
    const joined = lines.slice(at, at + count);
    const text = lines[at]!.text + (count === 1 ? '' : moreAlike(joined.slice(1)));
    sent.push({ text, elements: joined.map(({ element }) => element) });
    at += count;
  }
  return sent;
}

/** A value may use half of the budget, so that one document does not crowd out everything else. */
export function valueBudget(maxTokens: number): number {
  return Math.max(200, (maxTokens * BYTES_A_TOKEN) / 2);
}

export const BYTES_A_TOKEN = 4;

export interface Page {
  readonly text: string;
  /** Index of the first line that is not on this page; null when all are. */
  readonly next: number | null;
  readonly count: number;
  readonly elements: readonly LineElement[];
}

/**
 * The lines from `from` on that fit, in order. A last line `… N more` counts the rest.
 * A page has at least one line, or continuation would never end.
 */
export function pageOf(lines: readonly Sent[], from: number, budget: { maxTokens: number; maxElements: number }): Page {
  const limit = budget.maxTokens * BYTES_A_TOKEN;
  const more = (count: number): string => `… ${count} more`;
  const sizes = lines.slice(from).map(({ text }) => Buffer.byteLength(text) + 1);
  const whole = sizes.reduce((sum, size) => sum + size, 0) - 1;
  let count = sizes.length;
  if (whole > limit || count > budget.maxElements) {
    const room = limit - Buffer.byteLength(more(sizes.length));
    let used = 0;
    count = 0;
    while (count < Math.min(sizes.length, budget.maxElements) && used + sizes[count]! <= room) used += sizes[count++]!;
    count = Math.max(count, Math.min(1, sizes.length));
  }
  const shown = lines.slice(from, from + count);
  const left = sizes.length - count;
  const texts = [...shown.map(({ text }) => text), ...(left > 0 ? [more(left)] : [])];
  const elements = shown.flatMap((line) => line.elements);
  return { text: texts.join('\n'), next: left > 0 ? from + count : null, count, elements };
}

/**
 * Differences: `- ` for lines whose element is gone, then `~ ` (changed) and `+ ` (new) in tree order. No differences,
 * no lines.
 */
export function diffLines(before: readonly Line[], after: readonly Line[]): Sent[] {
  const isSameOrder = before.length === after.length && before.every(({ ref }, at) => ref === after[at]!.ref);
  if (isSameOrder && before.every((line, at) => line === after[at] || line.text === after[at]!.text)) return [];
  const old = new Map(before.map((line) => [line.ref, line.text]));
  const now = new Set(after.map((line) => line.ref));
  const marked = (mark: string, { ref, element, text, alike, place }: Line): Line => ({
    ref,
    element,
    place,
    text: `${mark} ${text}`,
    alike: alike === undefined ? undefined : `${mark} ${alike}`,
  });
  const gone = before.filter((line) => !now.has(line.ref)).map((line) => marked('-', line));
  const changed = after.flatMap((line) => {
    const was = old.get(line.ref);
    if (was === undefined) return [marked('+', line)];
    return was === line.text ? [] : [marked('~', line)];
  });
  return [...textsOf(gone).map((sent) => ({ ...sent, elements: [] })), ...textsOf(changed)];
}

/** A cursor names the observation and the next line. */
export function makeCursor(observationId: string, next: number): string {
  return `${observationId}:${next}`;
}

/** Null for anything that `makeCursor` cannot have produced. */
export function readCursor(cursor: string): { observationId: string; next: number } | null {
  const match = /^(.+):([1-9][0-9]{0,8})$/.exec(cursor);
  return match === null ? null : { observationId: match[1]!, next: Number(match[2]) };
}
