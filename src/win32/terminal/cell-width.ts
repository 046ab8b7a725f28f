/** How many cells of a console a character takes. */

/** Characters that consoles draw in two cells, approximately: consoles have their own table, and a wrong guess only finds nothing. */
export const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Cells that a text takes, if each wide character takes two. */
export function cellsOf(text: string): number {
  let cells = 0;
  for (const character of text) cells += WIDE.test(character) ? 2 : 1;
  return cells;
}

/** Index of the character in a row's cell: the same number if no character takes two cells. */
export function indexOfCell(row: string, width: number, cell: number): number {
  if (row.length === width) return cell;
  let at = 0;
  let cells = 0;
  for (const character of row) {
    if (cells >= cell) return at;
    cells += WIDE.test(character) ? 2 : 1;
    at += character.length;
  }
  return at + Math.max(0, cell - cells);
}
