/**
 * Reads one element of a window with what is in it, at the cost of that part where its source allows it, and a window whose
 * page may not be built yet: wakes it, and reads again within the budget.
 */
import { rectCentre, rectContains } from '../../../contract/element/coordinates.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import { Asker } from '../../windows/ask.ts';
import { readElement } from '../sources/automation.ts';
import { labelFields } from '../tree/labels.ts';
import { type TreeNode, clipToAncestors, describeNode, markCovered, pathTo } from '../tree/tree.ts';
import { type Observed, type ReadOptions, noteText, readPatiently, readWindow, scaleOf } from './observe.ts';
import type { BindingRecord } from '../../../contract/element/binding.ts';
import type { CallContext } from '../../../desktop/call.ts';
import { pause } from '../../windows/waiting.ts';
import { WAKE_PAUSES, hasBuiltPage, hasPage, isUnseen, pokePages } from '../sources/waking.ts';

/** An element and the reading that it was found in. */
interface Located {
  readonly node: TreeNode;
  readonly observed: Observed;
}

/** It can be looked up by its RuntimeId. */
const isFindable = ({ locator }: TreeNode): boolean =>
  locator.kind === 'uia' && locator.runtimeId.length > 0 && locator.isShared !== true;

/** What UI Automation shows of an element, with its child windows read like windows. */
function readByAutomation({ node, observed: { record } }: Located, options: ReadOptions): Observed | null {
  const { automation } = options;
  if (automation === null || !isFindable(node)) return null;
  const asker = new Asker(options.budgetMs);
  const root = readElement(automation, node, Number(record.hwnd), asker);
  if (root === null) return null;
  let isPartial = asker.isPartial;
  const withWindows = (each: TreeNode): void => {
    each.children = each.children.map((child) => {
      if (child.locator.kind !== 'window') {
        withWindows(child);
        return child;
      }
      const { root: window, partial } = readWindow(record, { ...options, budgetMs: asker.left, below: child.hwnd });
      isPartial ||= partial;
      return window;
    });
  };
  withWindows(root);
  labelFields(root, scaleOf(root.hwnd), noteText);
  return {
    record,
    root,
    windows: { root, entries: new Map(), order: [] },
    partial: isPartial,
    ask: (hwnd, message, wParam) => asker.ask(hwnd, message, wParam),
    answers: (hwnd) => asker.answers(hwnd),
  };
}

/** What the frame of a Win32 group box surrounds: its siblings, by their places; null for all else. */
function readFramed({ node, observed: { record } }: Located, options: ReadOptions): Observed | null {
  if (!isGroupBox(node)) return null;
  const whole = readPatiently(record, options);
  const [parent, box] = pathTo(whole.root, node.identity).slice(-2);
  if (parent === undefined || box === undefined) return null;
  const children = parent.children.filter((each) => each !== box && rectContains(box.rect, rectCentre(each.rect)));
  return { ...whole, root: { ...box, children } };
}

const isGroupBox = ({ controlType, className }: TreeNode): boolean => controlType === 'Group' && className === 'Button';

/** Its control or window with all below it, else the whole window; null where it is in neither. */
function readByWindow({ node, observed: { record } }: Located, options: ReadOptions): Observed | null {
  const own = readPatiently(record, { ...options, below: node.hwnd });
  const root = pathTo(own.root, node.identity).at(-1);
  if (root !== undefined) return { ...own, root };
  const whole = readPatiently(record, options);
  const found = pathTo(whole.root, node.identity).at(-1);
  return found === undefined ? null : { ...whole, root: found };
}

/**
 * The part of a window below an element, which is its root. Names and places that follow from what is around it are those of
 * the reading in which it was found. Errors: element_stale, window_gone.
 */
export function readPart(located: Located, options: ReadOptions): Observed {
  const { node } = located;
  const { popups: _popups, only: _only, ...plain } = options;
  const part = readFramed(located, plain) ?? readByAutomation(located, plain) ?? readByWindow(located, plain);
  if (part === null) throw new UiaHostError('element_stale', `${describeNode(node)} is gone. Nothing was read.`);
  const { root } = part;
  const view = plain.views.view(part.record);
  // What names it may be around it, so outside the part.
  const known = (view === null ? undefined : pathTo(view.root, root.identity).at(-1)) ?? node;
  if (root.name === '') root.name = known.name;
  root.label ??= known.label;
  root.beside ??= known.beside;
  root.place ??= known.place;
  clipToAncestors(root, node.visible);
  markCovered(root);
  return part;
}

/** Time (ms) for what a screen reader sends: a browser answers in a few. */
const POKE_MS = 500;

/** `missing`: it should be there and is not built. `unseen`: only pages out of view are not built. */
export type PageState = 'missing' | 'unseen' | null;

/**
 * The same as `readPatiently`, with the page where there is one. What is still missing is marked, and the reading is
 * partial, unless another page is there and the missing one is out of view. Errors: window_gone, cancelled.
 */
export async function readAwake(
  record: BindingRecord,
  options: ReadOptions,
  call: CallContext,
): Promise<Observed & { readonly page: PageState }> {
  const end = performance.now() + options.budgetMs;
  const pages = options.automation?.pages;
  let observed = readPatiently(record, options);
  if (pages === undefined) return { ...observed, page: null };
  const isTextControl = (hwnd: number): boolean => {
    const entry = observed.windows.entries.get(hwnd);
    if (entry?.kind === 'edit' || entry?.kind === 'rich-edit') return true;
    // a text control of a program's own, which may be empty
    return entry?.node.controlType === 'Document' && entry.node.value !== null;
  };
  let { missing, awaited } = pages.of(observed.root, isTextControl);
  if (awaited.length > 0)
    pokePages(
      awaited.map(({ hwnd }) => hwnd),
      new Asker(Math.min(POKE_MS, options.budgetMs)),
    );
  for (const [again, milliseconds] of WAKE_PAUSES.entries()) {
    // A page that is built takes the place of another one: in between there is none.
    const isThere = awaited.length === 0 && (again === 0 || hasPage(observed.root));
    if (isThere || performance.now() + milliseconds >= end) break;
    await pause(milliseconds, call);
    observed = readPatiently(record, { ...options, budgetMs: Math.max(1, end - performance.now()) });
    if (again === WAKE_PAUSES.length - 1)
      pages.noteInVain(pages.of(observed.root, isTextControl).awaited.map(({ identity }) => identity));
    ({ missing, awaited } = pages.of(observed.root, isTextControl));
  }
  // Without patterns, content looks the same as none.
  if (options.automation?.abilities.patterns !== true) missing = [];
  for (const part of missing) part.isCut = true;
  const page = missing.length === 0 ? null : missing.every(isUnseen) ? 'unseen' : 'missing';
  const isCut = page === 'missing' || (page === 'unseen' && !hasBuiltPage(observed.root));
  return { ...observed, partial: observed.partial || isCut, page };
}
