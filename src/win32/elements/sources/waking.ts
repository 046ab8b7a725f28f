/**
 * Pages that a browser builds only when something asks for them: recognised, woken as screen readers do, and waited for
 * once for each page. Sources: github.com/electron/electron/issues/7208 (Chromium builds its tree for a client that
 * asks for the object that it announces), learn.microsoft.com/windows/win32/winauto/wm-getobject
 */
import { CHILDID_SELF, WM_GETOBJECT } from '../../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import type { Asker } from '../../windows/ask.ts';
import { isBrowserWindow, isRenderWindow } from '../../windows/classes.ts';
import { rootOf, threadOf } from '../../windows/window-info.ts';
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

/** Pages, without those in a page: it is built with them, and may have them empty. */
const pagesIn = (node: TreeNode): TreeNode[] => (isPage(node) ? [node] : node.children.flatMap(pagesIn));

export const hasPage = (root: TreeNode): boolean => pagesIn(root).length > 0;

const builtPages = (root: TreeNode): TreeNode[] => pagesIn(root).filter(({ children }) => children.length > 0);

export const hasBuiltPage = (root: TreeNode): boolean => builtPages(root).length > 0;

/** Elements whose page is not built yet: documents without content, and a browser's windows without a document. */
export function wakingParts(root: TreeNode, isTextControl: (hwnd: number) => boolean): TreeNode[] {
  const documents = pagesIn(root);
  if (documents.length > 0) return documents.filter((node) => isBlank(node) && !isEditor(node, isTextControl));
  const windows = walk(root).filter((node) => isRenderWindow(node.className) && node.visible !== null);
  return windows.length === 0 && isBrowserWindow(root.className) ? [root] : windows;
}

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

/** In a window that is minimised, or out of view in another one, as a page behind another tab is. */
export const isUnseen = ({ hwnd, visible }: TreeNode): boolean => visible === null || user32.IsIconic(rootOf(hwnd));

/** A browser has windows without a page: of those the first of its process that shows one speaks for all. */
function keyOf({ className, identity, hwnd }: TreeNode): string {
  if (!isBrowserWindow(className)) return identity;
  const { process } = threadOf(hwnd);
  return `process ${process} ${processCreated(process)}`;
}

/** Which pages were shown, and for which was waited in vain: neither is waited for again. */
export class KnownPages {
  readonly #shown = new Set<string>();
  readonly #inVain = new Set<string>();

  /** What to wait for in a tree; `missing` is what was never shown, waited for or not. No page is built out of view. */
  of(root: TreeNode, isTextControl: (hwnd: number) => boolean): { missing: TreeNode[]; awaited: TreeNode[] } {
    const built = builtPages(root);
    for (const node of built.length === 0 ? [] : [root, ...built]) this.#shown.add(keyOf(node));
    const missing = wakingParts(root, isTextControl).filter((node) => !this.#shown.has(keyOf(node)));
    const awaited = missing.filter((node) => !isUnseen(node) && this.isAwaited(node.identity));
    return { missing, awaited };
  }

  /** The full time was waited for these. */
  noteInVain(pages: readonly string[]): void {
    for (const page of pages) this.#inVain.add(page);
  }

  isAwaited(page: string): boolean {
    return !this.#shown.has(page) && !this.#inVain.has(page);
  }
}
