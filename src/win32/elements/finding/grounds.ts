/** What a verdict about a dialog rests on: what it asks, and the button that Enter presses. Read for the gate, and again before anything is sent. */
import { DC_HASDEFID, DM_GETDEFID } from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { PermittedPlace } from '../../../contract/gate/exit.ts';
import { quoted } from '../../../contract/json/quoted.ts';
import type { Observed } from '../reading/observe.ts';
import { DRAWN, FIELDS, indexOf } from '../tree/tree-index.ts';
import type { TreeNode } from '../tree/tree.ts';

/**
 * The button that Enter presses while the focus is on `focus`: the focused button itself, else the default button of the
 * dialog. Source: learn.microsoft.com/windows/win32/dlgbox/dlgbox-programming-considerations
 */
export function defaultButton({ root, windows, ask }: Observed, focus: TreeNode | null): TreeNode | null {
  if (focus !== null && (focus.controlType === 'Button' || focus.controlType === 'SplitButton')) return focus;
  const marked = indexOf(root)
    .list('default')
    .find((node) => !node.states.has('disabled') && node.visible !== null);
  if (marked !== undefined) return marked;
  const dialog = windows.entries.get(root.hwnd);
  if (dialog?.kind !== 'dialog') return null;
  const answer = ask(root.hwnd, DM_GETDEFID);
  if (answer === null || answer >>> 16 !== DC_HASDEFID) return null;
  return windows.entries.get(user32.GetDlgItem(root.hwnd, answer & 0xffff))?.node ?? null;
}

/** The focused element; where Windows does not report it, the only text field. */
export function focusedNode(root: TreeNode): TreeNode | null {
  const index = indexOf(root);
  const focused = index.list('focused').at(-1);
  if (focused !== undefined) return focused;
  const fields = index.list('fields');
  return fields.length === 1 ? fields[0]! : null;
}

/** Longer texts are cut. */
const TEXT_LENGTH = 500;

export const cut = (text: string): string => text.slice(0, TEXT_LENGTH);

const MAX_QUESTIONS = 40;
/** A field with more text than this is a document, not a question. */
const LONGEST_QUESTION = 1000;

export const isSecret = (node: TreeNode): boolean => node.states.has('password');
export const valueOf = (node: TreeNode): string => (isSecret(node) ? '' : (node.value ?? ''));

/** What a person reads in an element before deciding; empty if there is nothing to read. */
function questionOf(node: TreeNode, isDialog: boolean): string[] {
  if (node.controlType === 'Text') return [node.name, valueOf(node)];
  if (FIELDS.has(node.controlType)) {
    const value = valueOf(node);
    // A console or an editor changes as it runs; a question in a read-only field does not.
    const isStatic =
      node.states.has('readonly') &&
      value.length <= LONGEST_QUESTION &&
      (node.capabilities.has('value') || !node.capabilities.has('text'));
    const asks = isDialog || value.includes('?') || value.includes('？');
    return [...(isStatic && asks ? [value] : []), ...(node.controlType === 'Document' && isDialog ? [node.name] : [])];
  }
  return node.source === 'msaa' && DRAWN.has(node.controlType) && !node.capabilities.has('default-action')
    ? [node.name, valueOf(node)]
    : [];
}

/** What tells of the window as a whole, such as the name of its page: nothing that is asked. */
export const isInStatusBar = (root: TreeNode, node: TreeNode): boolean =>
  indexOf(root).list('statusBars').length > 0 &&
  indexOf(root)
    .pathTo(node)
    .some(({ controlType }) => controlType === 'StatusBar');

/**
 * What a window asks, wherever its text is: static text, read-only field, document, task dialog, drawn text from MSAA; not its
 * status bar. `isDialog`: it is one of the system's dialogs.
 */
export function questionTexts(root: TreeNode, isDialog: boolean): string[] {
  const texts = new Set<string>();
  for (const node of indexOf(root).list('questions')) {
    if (node === root || isInStatusBar(root, node)) continue;
    for (const text of questionOf(node, isDialog)) {
      const trimmed = text.trim();
      if (trimmed !== '') texts.add(trimmed);
      if (texts.size >= MAX_QUESTIONS) return questions(texts);
    }
  }
  return questions(texts);
}

const questions = (texts: ReadonlySet<string>): string[] => [...texts].map(cut);

/** What differs now from what the judged dialog asked, or Enter presses there; null where nothing does, and outside dialogs. */
export function groundsInstead(observed: Observed, judged: PermittedPlace): string | null {
  const { root, windows } = observed;
  if (windows.entries.get(root.hwnd)?.kind !== 'dialog') return null;
  const { dialogTitle, question = [], defaultButton: then } = judged;
  if (dialogTitle !== undefined && cut(root.name) !== dialogTitle)
    return `the dialog ${quoted(dialogTitle)} is now ${quoted(root.name)}`;
  const asks = questionTexts(root, true);
  const gone = question.find((text) => !asks.includes(text));
  if (gone !== undefined) return `the dialog no longer asks ${quoted(gone)}, but ${quoted(asks.join(' '), 200)}`;
  // A click moves the focus, and with it the button that Enter would press.
  if (judged.keysTo === undefined || then === undefined) return null;
  const now = defaultButton(observed, focusedNode(root))?.name ?? null;
  return now === then ? null : `Enter presses ${quoted(now ?? '')} now`;
}
