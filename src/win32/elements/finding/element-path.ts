/** Elements by path (src/contract/element/element-path.ts): which one a path means, and which path means an element. */
import { ITEMS } from '../../../contract/element/control-types.ts';
import { isSameName } from '../../../contract/element/element-words.ts';
import { stepsOf, stepText, type ElementStep } from '../../../contract/element/element-path.ts';
import { UiaHostError } from '../../../contract/errors.ts';
import { describeNode, pathTo, walk, type TreeNode } from '../tree/tree.ts';
import { namesOf, rolesOf } from './query.ts';

/** Whether more elements may come to be among its descendants without a change of the window: when it is scrolled or read again. */
const isReadInPart = (node: TreeNode): boolean =>
  node.itemCount !== null || node.isCut || node.capabilities.has('item-container');

const fits = ({ name, automationId }: ElementStep, node: TreeNode): boolean =>
  (automationId === undefined || node.automationId === automationId) &&
  (name === undefined || namesOf(node).some((one) => one !== '' && isSameName(name, one)));

/** All that fit one step, without its number. */
function below(place: TreeNode, step: ElementStep): TreeNode[] {
  const named = walk(place).filter((node) => node !== place && fits(step, node));
  for (const types of rolesOf(step.role)) {
    const found = named.filter(({ controlType }) => types.includes(controlType));
    if (found.length > 0) return found;
  }
  return [];
}

/** What a path leads to: one = found, none = not found, more = ambiguous, also where that is a step on the way. */
export interface Reached {
  readonly found: readonly TreeNode[];
  /** What was not read, where the counting of a step depends on it; else null. */
  readonly unread: string | null;
}

/**
 * Names fit as a whole but for case, never in part: what is not there any more is not found.
 * Errors: invalid_argument for an unknown role, and for a number of a list's item.
 */
export function inPath(root: TreeNode, path: string): Reached {
  let found: readonly TreeNode[] = [root];
  let unread: string | null = null;
  for (const step of stepsOf(path)) {
    const [place] = found;
    if (place === undefined || found.length > 1) break;
    found = below(place, step);
    if (step.nth === null) continue;
    if (found.some(({ controlType }) => ITEMS.has(controlType)))
      throw new UiaHostError(
        'invalid_argument',
        `${step.role}[${step.nth}]: a path does not count items. Nothing was done.`,
        {
          hint: 'Name the item, or use select-element with the list and an index.',
        },
      );
    const parts = walk(place).filter(isReadInPart);
    const part = parts.find((one) => one === place || found.some((node) => pathTo(one, node.identity).length > 0));
    if (part !== undefined) unread = `${describeNode(part)} was read in part`;
    found = found.slice(step.nth - 1, step.nth);
  }
  return { found, unread };
}

/** Longer names change more often than places do. */
const LONGEST_NAME = 100;

/** The steps that name an element, the most lasting first. */
function wordsFor({ controlType: role, automationId, ...node }: TreeNode): ElementStep[] {
  const [name = ''] = [node.name, node.label ?? ''].filter((one) => one.trim() !== '' && one.length <= LONGEST_NAME);
  return [
    ...(automationId === '' ? [] : [{ role, nth: null, automationId }]),
    ...(name === '' ? [] : [{ role, nth: null, name }]),
  ];
}

/**
 * The path that leads to this element alone, from the nearest element above it that has a name or an id of its own; null if
 * none does.
 */
export function pathFor(root: TreeNode, node: TreeNode): string | null {
  const leads = (path: string, to: TreeNode): boolean => {
    const { found, unread } = inPath(root, path);
    return unread === null && found.length === 1 && found[0] === to;
  };
  const from = (place: TreeNode, start: string): string | null => {
    for (const word of [...wordsFor(node), { role: node.controlType, nth: null }]) {
      const at = below(place, word).indexOf(node) + 1;
      const counted = ITEMS.has(node.controlType) ? [] : [{ ...word, nth: at }];
      for (const step of [word, ...counted].map(stepText))
        if (step !== null && at > 0 && leads(`${start}${step}`, node)) return `${start}${step}`;
    }
    return null;
  };
  for (const place of pathTo(root, node.identity).slice(1, -1).toReversed()) {
    for (const word of wordsFor(place)) {
      const step = stepText(word);
      const path = step !== null && leads(step, place) ? from(place, `${step} > `) : null;
      if (path !== null) return path;
    }
  }
  return from(root, '');
}
