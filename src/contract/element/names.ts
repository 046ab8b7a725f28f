/** How names of elements are read and compared. */

/**
 * A window text without accelerator marks: `&Save` → `Save`, `Fish && chips` → `Fish & chips`, `保存(&S)` → `保存`.
 * The shortcut behind a tab (`Open…\tCtrl+O`) is removed too.
 */
export function withoutAccelerator(text: string): string {
  const tab = text.indexOf('\t');
  const words = tab < 0 ? text : text.slice(0, tab);
  if (!words.includes('&')) return words;
  return words.replace(/\s?\(&[^&\s]\)(?=\s*(?:\u2026|\.\.\.|:)?\s*$)/u, '').replaceAll(/&(&?)/g, '$1');
}

/** For comparing names: no accelerator marks, no trailing `…`, `...` or `:`, blanks collapsed. */
export function comparable(text: string): string {
  return withoutAccelerator(text)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/(?:\s*(?:\u2026|\.{3}|:|\uff1a))+$/u, '');
}

const folded = (name: string): string => (comparable(name) || name.trim()).toLowerCase();

/** Whether a name is the wanted one except for case; a part does not count. */
export const isSameName = (wanted: string, name: string): boolean =>
  folded(name) !== '' && folded(name) === folded(wanted);
