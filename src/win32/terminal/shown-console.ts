/** Which of the consoles behind a terminal window it shows now: the one of the tab in front, by its text. No Windows in here. */

/** A row of fewer characters is looked for as a whole line: a prompt's sign alone is in every text. */
const TELLING_LENGTH = 8;
/** Half of a screen is enough: it may go on printing between the two looks. */
const LEAST_SHARE = 0.5;

const filled = (rows: readonly string[]): string[] => rows.map((row) => row.trimEnd()).filter((row) => row !== '');

/** How much of a console's screen the window's text has: 0 to 1. Long rows may be parts of lines: a terminal joins what it wrapped. */
function shareShown(rows: readonly string[], text: string): number {
  const wanted = filled(rows);
  const lines = new Set(filled(text.split('\n')));
  if (wanted.length === 0) return lines.size === 0 ? 1 : 0;
  return (
    wanted.filter((row) => lines.has(row) || (row.length >= TELLING_LENGTH && text.includes(row))).length /
    wanted.length
  );
}

/**
 * The index of the console whose screen the window shows. `none`: another kind of tab is in front, or one whose console
 * cannot be reached. `several`: two of them look the same.
 */
export function shownConsole(screens: ReadonlyArray<readonly string[]>, text: string): number | 'none' | 'several' {
  const shares = screens.map((rows) => shareShown(rows, text));
  const most = Math.max(0, ...shares);
  if (most < LEAST_SHARE) return 'none';
  return shares.filter((share) => share === most).length === 1 ? shares.indexOf(most) : 'several';
}
