/**
 * Pages that a browser builds only when something asks for them: recognised, woken as screen readers do, and waited for
 * once for each program. Sources: github.com/electron/electron/issues/7208 (Chromium builds its tree for a client that
 * asks for the object that it announces), learn.microsoft.com/windows/win32/winauto/wm-getobject
 */
import { CHILDID_SELF, WM_GETOBJECT } from '../../../../native-bindings/win32/constants.ts';
import type { Asker } from '../../windows/ask.ts';
import { isBrowserWindow, isRenderWindow } from '../../windows/classes.ts';
import { threadOf } from '../../windows/window-info.ts';
import { processCreated } from '../../system/process.ts';
import { accessibleOf, nameOf, roleOf } from './accessible.ts';
import { walk, type TreeNode } from '../tree/tree.ts';

/**
 * Pauses (ms) before a page that is not built yet is read again. They grow, since each reading costs the program time
 * that it needs for building.
 */
export const WAKE_PAUSES = [100, 200, 400, 600, 800] as const;

/** The object that Chromium announces, to find out whether a screen reader runs. */
const ANNOUNCED_OBJECT = 1;

/** A value that only says where the page comes from. */
export const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\S*$/i.test(text.trim());

/** A text that shows that there is content. An address is not content: a page has it before it is built. */
const isContent = (text: string | null): boolean => text !== null && text.trim() !== '' && !isAddress(text);

/** Without content, as far as its value was read. */
const isBlank = ({ children, value, capabilities }: TreeNode): boolean =>
  children.length === 0 && !isContent(value) && !(value === null && capabilities.has('value'));

/** An editor that is empty, not a page: it takes text, or it is a text control of Windows. */
const isEditor = ({ capabilities, states, locator }: TreeNode, isTextControl: (hwnd: number) => boolean): boolean =>
  (capabilities.has('value') && !states.has('readonly')) || (locator.kind === 'window' && isTextControl(locator.hwnd));

const isPage = (node: TreeNode): boolean => node.controlType === 'Document' && node.source === 'uia';

/** Elements whose page is not built yet: documents without content, and a browser's windows without a document. */
export function wakingParts(root: TreeNode, isTextControl: (hwnd: number) => boolean): TreeNode[] {
  const all = walk(root);
  const documents = all.filter(isPage);
  const blank = documents.filter((node) => isBlank(node) && !isEditor(node, isTextControl));
  if (documents.length > 0) return blank;
  const windows = all.filter((node) => isRenderWindow(node.className) && node.visible !== null);
  return windows.length === 0 && isBrowserWindow(root.className) ? [root] : windows;
}

/** Whether the tree shows a page that is built; a document with text alone is a viewer or an editor. */
const showsPage = (root: TreeNode): boolean => walk(root).some((node) => isPage(node) && node.children.length > 0);

/** Sends what a screen reader sends to these windows; a program that does not answer is not waited for. */
export function pokePages(windows: Iterable<number>, asker: Asker): void {
  for (const hwnd of new Set(windows)) {
    if (asker.ask(hwnd, WM_GETOBJECT, 0, ANNOUNCED_OBJECT) === null) continue;
    using object = accessibleOf(hwnd);
    if (object === null) continue;
    const element = { object, child: CHILDID_SELF };
    roleOf(element);
    nameOf(element);
  }
}

/** Which programs have answered with a page, and for what was waited in vain: neither is waited for again. */
export class KnownPages {
  readonly #answered = new Map<number, string>();
  readonly #inVain = new Set<string>();

  /** The process of a window has shown a page since it started. */
  hasAnswered(hwnd: number): boolean {
    const { process } = threadOf(hwnd);
    const since = this.#answered.get(process);
    return since !== undefined && since === processCreated(process);
  }

  noteAnswered(hwnd: number): void {
    const { process } = threadOf(hwnd);
    const created = processCreated(process);
    if (created !== null) this.#answered.set(process, created);
  }

  /** What to wait for in a tree; `missing` is what has not answered, waited for or not. */
  of(root: TreeNode, isTextControl: (hwnd: number) => boolean): { missing: TreeNode[]; awaited: TreeNode[] } {
    if (showsPage(root)) this.noteAnswered(root.hwnd);
    const missing = wakingParts(root, isTextControl).filter((node) => !this.hasAnswered(node.hwnd));
    return { missing, awaited: missing.filter((node) => !this.isInVain(node.identity)) };
  }

  /** The full time was waited for these. */
  noteInVain(keys: readonly string[]): void {
    for (const key of keys) this.#inVain.add(key);
  }

  isInVain(key: string): boolean {
    return this.#inVain.has(key);
  }
}
