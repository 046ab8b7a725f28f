/** What a control shows and no source tells: how its line marks that, why it is so, and what to do. No Windows calls. */
import type { TreeNode, Unread } from './tree.ts';

const NOTES: Readonly<Record<Unread, string>> = {
  text: 'Text unknown: the program draws it or keeps it to itself, and no source has it. A screenshot shows it; choose it by its index, or click at its point.',
  items:
    'Items unknown: they are read through the memory of the program, which the policy or Windows forbids. A screenshot shows them; choose by keys, or click at a point.',
  value:
    'Value unknown: the program draws it or keeps it to itself, or it is read through the memory of the program, which the policy or Windows forbids. A screenshot shows it.',
  state:
    'State unknown: the program draws this button, which may be a push button, a check box or a radio button. A screenshot shows which, and whether it is on.',
  marks:
    'Marks unknown: the program draws the items of this list, and check marks too where it has any. A screenshot shows them; a click at the point of a mark turns it.',
  place:
    'Place unknown: only the control knows where in its text this link is. A screenshot shows it; click at its point, or focus the text and press Tab and Enter.',
  content:
    'Content unknown: a window of the program’s own class, of which no source shows more. A screenshot shows it; use points and keys.',
};
const ORDER = Object.keys(NOTES) as readonly Unread[];

/** Smaller windows of a program's own class are splitters, grips and spacers. */
const DRAWN_SIZE = 20;

/** A picture of it would show more: no value, nothing inside. A name may be its program's (“panel”, “AuiTabCtrl”). */
const isDrawn = ({ controlType, source, value, children, isCut, rect }: TreeNode): boolean =>
  controlType === 'Custom' &&
  source === 'window' &&
  (value ?? '') === '' &&
  children.length === 0 &&
  !isCut &&
  Math.min(rect.width, rect.height) >= DRAWN_SIZE;

export const unreadOf = (node: TreeNode): Unread | null => node.unread ?? (isDrawn(node) ? 'content' : null);

/** The explanations of what is marked in a snapshot, each once; undefined if nothing is. */
export function unreadNote(marks: ReadonlySet<Unread>): string | undefined {
  if (marks.size === 0) return undefined;
  return `(${ORDER.filter((mark) => marks.has(mark))
    .map((mark) => NOTES[mark])
    .join(' ')})`;
}
