/** The difference between two texts, and whether typed text arrived where it should. No Windows calls. */

/** Number of characters shown around a difference. */
const AROUND = 40;

const isLow = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** How many units two texts share at the beginning, and of the rest at the end. No surrogate pair is split. */
function common(before: string, after: string): { head: number; tail: number } {
  const least = Math.min(before.length, after.length);
  let head = 0;
  while (head < least && before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  if (head > 0 && (isLow(before, head) || isLow(after, head))) head -= 1;
  let tail = 0;
  while (
    tail < least - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail += 1;
  if (tail > 0 && isLow(before, before.length - tail)) tail -= 1;
  return { head, tail };
}

/** The beginning and the end of a text that is too long to show. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  const [head, tail] = [isLow(text, half) ? half - 1 : half, isLow(text, text.length - half) ? half - 1 : half];
  return `${text.slice(0, head)}…${text.slice(text.length - tail)}`;
}

/** Both texts, with as much of each as shows what happened to it: of long texts, the place where they differ. */
export function shownDifference(
  before: string | null,
  after: string | null,
  most: number,
): { before: string | null; after: string | null } {
  if (before === null || after === null || (before.length <= most && after.length <= most)) {
    return {
      before: before === null ? null : shortened(before, most),
      after: after === null ? null : shortened(after, most),
    };
  }
  const { head, tail } = common(before, after);
  let from = Math.max(0, head - AROUND);
  if (isLow(before, from)) from -= 1;
  const part = (text: string): string => {
    let to = Math.min(text.length, text.length - tail + AROUND);
    if (isLow(text, to)) to += 1;
    return `${from > 0 ? '…' : ''}${shortened(text.slice(from, to), most)}${to < text.length ? '…' : ''}`;
  };
  return { before: part(before), after: part(after) };
}

/** Maximum number of places tried where a text repeats itself. */
const MAX_PLACES = 2000;

/**
 * Whether `after` is `before` with `typed` somewhere in it.
 * @param replaces it replaces an unknown part; then something must differ
 */
export function isInserted(before: string, after: string, typed: string, replaces: boolean): boolean {
  if (replaces ? before === after : after.length !== before.length + typed.length) return false;
  let head = 0;
  while (head < before.length && head < after.length && before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  let tail = 0;
  while (
    tail < before.length &&
    tail < after.length &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail += 1;
  const first = Math.max(0, after.length - typed.length - tail);
  const last = Math.min(head, after.length - typed.length, first + MAX_PLACES);
  for (let at = first; at <= last; at += 1) {
    const rest = after.length - at - typed.length;
    if (at + rest <= before.length && after.startsWith(typed, at)) return true;
  }
  return false;
}

/** A text after its backspaces; null if they extend beyond its beginning. */
export function withoutBackspaces(text: string): string | null {
  if (!text.includes('\b')) return text;
  const kept: string[] = [];
  for (const character of text.replaceAll(/\r\n/g, '\n')) {
    if (character !== '\b') kept.push(character);
    else if (kept.pop() === undefined) return null;
  }
  return kept.join('');
}
