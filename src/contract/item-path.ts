/** The one reading of a path through a menu or a tree: the gate judges by it, and the delivery goes by it. */

const SEPARATORS = new RegExp('\\s*(?:>|›|→|\\|)\\s*', 'u');

/** `File > Save As…` → its parts. */
export function pathParts(text: string): string[] {
  return text
    .split(SEPARATORS)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
