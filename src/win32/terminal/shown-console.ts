/** Which of a terminal window's consoles it shows now, by comparing texts. No Windows in here. */

/** A shorter row must match a whole line: a prompt's sign alone occurs in every text. */
const DISTINCTIVE_LENGTH = 8;
/** Half of a screen is enough: the program may print between the two reads. */
const LEAST_SHARE = 0.5;

const filled = (rows: readonly string[]): string[] => rows.map((row) => row.trimEnd()).filter((row) => row !== '');

/** Share of a console's screen that the window's text contains, 0 to 1. Long rows may be parts of lines: a terminal joins wrapped ones. */
function shareShown(rows: readonly string[], text: string): number {
  const wanted = filled(rows);
  const lines = new Set(filled(text.split('\n')));
  if (wanted.length === 0) return lines.size === 0 ? 1 : 0;
  return (
    wanted.filter((row) => lines.has(row) || (row.length >= DISTINCTIVE_LENGTH && text.includes(row))).length /
    wanted.length
  );
}

/**
 * The index of the console whose screen the window shows. `none`: the active tab is of another kind, or its console cannot
 * be reached. `several`: two consoles look the same.
 */
export function shownConsole(screens: ReadonlyArray<readonly string[]>, text: string): number | 'none' | 'several' {
  const shares = screens.map((rows) => shareShown(rows, text));
  const most = Math.max(0, ...shares);
  if (most < LEAST_SHARE) return 'none';
  return shares.filter((share) => share === most).length === 1 ? shares.indexOf(most) : 'several';
}
