/** Text to type into a console, as keystrokes. No Windows in here. */
import { UiaHostError } from '../../contract/errors.ts';

export type KeyName = 'enter' | 'escape' | 'tab' | 'up' | 'down';

/** A named key, or one UTF-16 unit of a text. */
export type Stroke = { readonly key: KeyName } | { readonly unit: number };

/** Strokes that are written before the next check for an abort. */
const CHUNK = 100;

/** A text as strokes: line ends are Enter, tabs are Tab. Errors: invalid_argument for other control characters, which act as commands. */
export function strokesOf(text: string): Stroke[] {
  const strokes: Stroke[] = [];
  const lines = text.replaceAll(/\r\n|\n/g, '\r');
  for (let at = 0; at < lines.length; at += 1) {
    const unit = lines.charCodeAt(at);
    if (unit === 13) strokes.push({ key: 'enter' });
    else if (unit === 9) strokes.push({ key: 'tab' });
    else if (unit < 32 || (unit >= 0x7f && unit < 0xa0)) {
      throw new UiaHostError(
        'invalid_argument',
        `The text contains the control character U+${unit.toString(16).padStart(4, '0').toUpperCase()}, which terminals treat as a command; nothing was typed.`,
      );
    } else strokes.push({ unit });
  }
  return strokes;
}

/** Parts of at most `CHUNK` strokes; surrogate pairs stay whole. */
export function* chunksOf(strokes: readonly Stroke[]): Generator<readonly Stroke[]> {
  for (let from = 0; from < strokes.length;) {
    let to = Math.min(strokes.length, from + CHUNK);
    const last = strokes[to - 1];
    if (to < strokes.length && last !== undefined && 'unit' in last && last.unit >= 0xd800 && last.unit < 0xdc00)
      to += 1;
    yield strokes.slice(from, to);
    from = to;
  }
}
