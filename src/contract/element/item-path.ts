/** The only parser of paths through menus and trees, so that gate and delivery read a path in the same way. */

const SEPARATORS = new RegExp('\\s*(?:>|›|→|\\|)\\s*', 'u');

/** `File > Save As…` → its parts. */
export function pathParts(text: string): string[] {
  return text
    .split(SEPARATORS)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
