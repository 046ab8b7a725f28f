/** Reads one element of a window with what is in it, at the cost of that part where its source allows it. */
import { UiaHostError } from '../../../contract/errors.ts';
import { Asker } from '../../windows/ask.ts';
import { readElement } from '../sources/automation.ts';
import { labelFields } from '../tree/labels.ts';
import { clipToAncestors, describeNode, markCovered, pathTo, type TreeNode } from '../tree/tree.ts';
import { noteText, readPatiently, readWindow, scaleOf, type Observed, type ReadOptions } from './observe.ts';

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
  const part = readByAutomation(located, plain) ?? readByWindow(located, plain);
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
