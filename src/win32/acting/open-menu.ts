/**
 * Finds a menu entry by its path through UI Automation: each menu on the path is expanded if its entries do not exist
 * yet.
 */
import { type PathPart, pathText } from '../../contract/element/element-words.ts';
import { ComError } from '../../../native-bindings/com/hresult.ts';
import type { ChosenItem } from '../../contract/element/element.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { pause } from '../windows/waiting.ts';
import { describeNode, refOf } from '../elements/finding/locate.ts';
import { readWindow, type Observed } from '../elements/reading/observe.ts';
import { collapse, expand } from '../exits/patterns.ts';
import { attempt } from '../elements/sources/patterns.ts';
import { readAutomation } from '../elements/sources/automation.ts';
import { Asker } from '../windows/ask.ts';
import { walk, type TreeNode } from '../elements/tree/tree.ts';
import { classNameOf, MENU_CLASS, topWindowsOf } from '../windows/window-info.ts';
import { stepAmong } from '../elements/finding/query.ts';
import { chosenOf } from './choose-item.ts';
import { elementOf, type ElementTarget } from '../elements/finding/element-target.ts';

/** Menus open with an animation. */
const OPEN_MS = 1000;
/** How often (ms) the tree is read for the entries of an opening menu. */
const MENU_POLL_MS = 50;

/** Entries of a menu, wherever UI Automation attaches it in the tree. */
function entriesOf(root: TreeNode): TreeNode[] {
  return walk(root).filter((node) => node !== root && node.controlType === 'MenuItem');
}

/** Entries directly in a menu bar, or in the bound window if that is a menu. */
export function barEntries(root: TreeNode): TreeNode[] {
  if (root.controlType === 'Menu') return root.children.filter((child) => child.controlType === 'MenuItem');
  return walk(root)
    .filter((node) => node.controlType === 'MenuBar')
    .flatMap((bar) => bar.children.filter((child) => child.controlType === 'MenuItem'));
}

/** Entries directly below an entry, as far as they exist. */
export const entriesInside = (entry: TreeNode): TreeNode[] =>
  entry.children.flatMap((child) =>
    child.controlType === 'MenuItem' ? [child] : child.children.filter((below) => below.controlType === 'MenuItem'),
  );

/** Open menus that are separate windows. */
function openMenus(target: ElementTarget): TreeNode[] {
  const { automation } = target.tools.read;
  if (automation === null) return [];
  const asker = new Asker(target.deadline.share(OPEN_MS));
  return topWindowsOf(target.record.pid)
    .filter((hwnd) => classNameOf(hwnd) === MENU_CLASS)
    .map((hwnd) => readAutomation(automation, hwnd, asker))
    .filter((tree) => tree !== null);
}

const withNode = (target: ElementTarget, observed: Observed, node: TreeNode): ElementTarget => ({
  ...target,
  node,
  located: { node, observed },
  ref: refOf(target.tools.refs, target.root, node),
  description: describeNode(node),
});

/** False if the program refused to open it. Errors: target_disabled, element_stale, window_hung. */
async function expandEntry(target: ElementTarget): Promise<boolean> {
  using element = elementOf(target);
  if (element === null) return true;
  const { result } = await attempt('uia-expand-collapse', 'Expand', () => expand(element), target.description);
  return result === 'delivered' || result === 'not_applicable';
}

/** Closes what was opened when the path turns out wrong. A failure to close changes nothing about that. */
async function closeEntry(target: ElementTarget | null): Promise<void> {
  if (target === null) return;
  try {
    using element = elementOf(target);
    if (element !== null) await collapse(element);
  } catch (error) {
    if (!(error instanceof ComError || error instanceof UiaHostError)) throw error;
  }
}

/** The entries below an expanded one: its own children, else those of the menu that appeared. */
async function entriesBelow(target: ElementTarget): Promise<{ observed: Observed; entries: TreeNode[] }> {
  const until = performance.now() + target.deadline.share(OPEN_MS);
  for (;;) {
    const observed = readWindow(target.record, target.tools.read);
    const own = walk(observed.root).find((node) => node.identity === target.node.identity);
    const entries = own === undefined ? [] : entriesInside(own);
    if (entries.length > 0) return { observed, entries };
    const popped = openMenus(target).flatMap(entriesOf);
    if (popped.length > 0 || performance.now() >= until) return { observed, entries: popped };
    await pause(MENU_POLL_MS, target.call, 'unknown');
  }
}

/**
 * The last entry of the path as a target; null if UI Automation exposes no menu bar here, or a menu that it cannot
 * open.
 * @param check inspects the entries on the path once all are known; if it throws, the menu is closed again
 * Errors: target_not_found, target_ambiguous, target_disabled.
 */
export async function openMenuPath(
  target: ElementTarget,
  path: readonly PathPart[],
  check: (way: readonly ChosenItem[]) => void,
): Promise<ElementTarget | null> {
  let observed = readWindow(target.record, target.tools.read);
  let entries = barEntries(observed.root).filter((entry) => entry.source === 'uia');
  if (entries.length === 0 || target.tools.read.automation?.abilities.patterns !== true) return null;
  let opened: ElementTarget | null = null;
  const way: ChosenItem[] = [];
  for (let depth = 0; depth < path.length;) {
    const { parts, found } = stepAmong(entries, (one) => one.name, path, depth, true);
    const name = pathText(path.slice(depth, depth + parts));
    const [entry] = found;
    if (entry === undefined || found.length > 1 || entry.states.has('disabled')) {
      await closeEntry(opened);
      throw noEntry(name, entry, found.length, entries);
    }
    const here = withNode(target, observed, entry);
    way.push(chosenOf(entry));
    depth += parts;
    if (depth === path.length) {
      try {
        check(way);
      } catch (error) {
        await closeEntry(opened);
        throw error;
      }
      return here;
    }
    if (!(await expandEntry(here))) {
      await closeEntry(opened);
      return null;
    }
    opened ??= here;
    ({ observed, entries } = await entriesBelow(here));
  }
  return null;
}

function noEntry(name: string, entry: TreeNode | undefined, count: number, entries: readonly TreeNode[]): UiaHostError {
  if (entry === undefined)
    return new UiaHostError('target_not_found', `The menu has no entry ${quoted(name)}. Nothing was chosen.`, {
      suggestions: entries.slice(0, 20).map((one) => one.name),
    });
  if (count > 1)
    return new UiaHostError('target_ambiguous', `The menu has ${count} entries ${quoted(name)}. Nothing was chosen.`);
  return new UiaHostError('target_disabled', `The menu entry ${quoted(name)} is disabled. Nothing was chosen.`);
}
