/** selectElement: selects an item of a control by name or index, the element itself, or a menu entry by its path. */
import { ComError } from '../../../native-bindings/com/hresult.ts';
import { isSameName, type PathPart, pathParts } from '../../contract/element/element-words.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { WM_COMMAND } from '../../../native-bindings/win32/constants.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { CallContext, Done, ItemChoice } from '../../desktop/index.ts';
import { waysOfElement } from '../elements/finding/element-target.ts';
import { describeNode, refOf } from '../elements/finding/locate.ts';
import { leaveVisited, notify } from '../exits/messages.ts';
import { readPatiently } from '../elements/reading/observe.ts';
import { collapse, expand } from '../exits/patterns.ts';
import { attempt, expandState } from '../elements/sources/patterns.ts';
import { pathTo, type TreeNode } from '../elements/tree/tree.ts';
import { chooseItem, chosenOf, literallyNamed } from './choose-item.ts';
import { chooseUnread, isMessageTree, isReadInPart, type FoundItem } from './choose-unread.ts';
import { clickElement, postedClick, controlMessage, isItemSelected, signOfItem } from './click.ts';
import { isMenuPath, menuCommand, menuPath } from '../elements/finding/menu-path.ts';
import { chosenEntry, closedPath, isUnopened, requireJudgedItem } from './intended-item.ts';
import { openMenuPath, openTreePath } from './open-menu.ts';
import { PATTERN_WAYS, signOfPattern, type PatternTarget } from './pattern-ways.ts';
import { startAftermath, type Aftermath } from '../evidence/late-foreground.ts';
import { climb, delivered, type Way, saidBy } from '../drivers/driver.ts';
import {
  elementOf,
  requireEnabled,
  targetOf,
  type ElementTarget,
  type ActionTools,
} from '../elements/finding/element-target.ts';
import { Watch } from '../evidence/watch.ts';
import { assertCarried } from '../windows/toolkit.ts';

/** By the ids of the table of ways (`contract/ways`). */
const WAYS: Readonly<Record<string, Way<PatternTarget>>> = {
  ...PATTERN_WAYS,
  message: controlMessage,
  'posted-click': postedClick,
};

const isSelectable = (node: TreeNode): boolean =>
  node.locator.kind === 'item' || node.capabilities.has('selection-item');

/** Selects an item by its control's method and reads the selection back. Sends nothing if it is already selected. */
async function selectItem(target: ElementTarget, aftermath: Aftermath): Promise<Done<boolean>> {
  const { locator } = target.node;
  using element = elementOf(target);
  const sign = locator.kind === 'item' ? signOfItem(target, locator) : signOfPattern(target, element);
  const isSelected = (): boolean =>
    locator.kind === 'item' ? isItemSelected(target, locator) : sign?.kind === 'selection' && sign.read() === true;
  const unfocus = target.tools.focused(target.root, target.node.hwnd);
  if (isSelected()) {
    return aftermath.untouched({ evidence: [{ kind: 'selection', before: true, after: true }] });
  }
  const watch = new Watch(target, sign);
  const ways = waysOfElement('select', target.node, false, WAYS);
  const climbed = await climb(ways, { ...target, element, watch });
  if (climbed.delivered === null) {
    unfocus();
    if (ways.length === 0) assertCarried(target.node.hwnd, 'click');
    const reasons = saidBy(climbed.attempts);
    if (!user32.IsWindow(target.node.hwnd)) throw new UiaHostError('element_stale', `${target.description} is gone.`);
    // A click would be refused too.
    if (locator.kind === 'item' && climbed.attempts.some(({ result }) => result === 'failed'))
      throw new UiaHostError(
        'state_conflict',
        `${target.description} was not selected: its control or program refused it (${reasons}).`,
        { delivery: 'unknown', hint: 'Look at the window for what its program wants first.' },
      );
    throw new UiaHostError('unsupported', `No way of selecting ${target.description} worked: ${reasons}.`, {
      hint: 'Click it with click-element, or at its point in a screenshot.',
    });
  }
  const seen = await watch.settle();
  const { delivered: way, attempts } = climbed;
  return aftermath.of(target.node, { ...seen, delivery: way.rung, attempts });
}

/**
 * Through the window's menu handle where the path is there, which sends the command alone: the system's proxies open
 * menus by keys. Else through UI Automation.
 */
async function selectMenu(...choice: Parameters<typeof sendMenuCommand>): Promise<Done<boolean>> {
  const [target, path, item, aftermath] = choice;
  leaveVisited();
  if (closedPath(target.root, path) !== null) return sendMenuCommand(...choice);
  const shown = await openMenuPath(target, path, (way) => {
    requireJudgedItem(target.description, item, way);
  });
  return shown === null ? sendMenuCommand(...choice) : selectItem(shown, aftermath);
}

async function sendMenuCommand(
  target: ElementTarget,
  path: readonly PathPart[],
  item: ItemChoice,
  aftermath: Aftermath,
): Promise<Done<boolean>> {
  const { command, way } = menuCommand(target.root, path);
  requireJudgedItem(target.description, item, way.map(chosenEntry));
  const watch = new Watch(target, null);
  if (!notify(target.root, WM_COMMAND, command & 0xffff, 0)) {
    throw new UiaHostError('window_gone', `The window ${quoted(target.record.title)} did not accept the command.`);
  }
  const seen = await watch.settle();
  const attempts = [delivered('message', 'WM_COMMAND of the menu entry')];
  return aftermath.of(target.node, { ...seen, delivery: 'message', attempts });
}

/**
 * The items of a closed drop-down list are often created only when it opens. A list that cannot be opened may have them
 * anyway. Null if nothing was to be opened; else whether it was closed before.
 */
async function openContainer(target: ElementTarget): Promise<{ readonly wasClosed: boolean } | null> {
  using element = elementOf(target);
  if (element === null || !isUnopened(target.node)) return null;
  const wasClosed = expandState(element) === 'collapsed';
  await attempt('uia-expand-collapse', 'Expand', () => expand(element), target.description);
  return { wasClosed };
}

/** Errors: target_not_found, target_ambiguous, target_disabled, element_stale, state_conflict, unsupported. */
export async function selectElement(
  tools: ActionTools,
  record: BindingRecord,
  ref: string,
  item: ItemChoice | null,
  call: CallContext,
): Promise<Done<boolean>> {
  const aftermath = startAftermath(record, call);
  const read = item === null ? tools.read : { ...tools.read, omitsRows: true };
  const target = await targetOf({ ...tools, read }, record, ref, call);
  requireEnabled(target);
  tools.pending.require(target.root, target.description);
  if (item === null)
    return isSelectable(target.node)
      ? selectItem(target, aftermath)
      : clickElement(tools, record, ref, { delivery: 'background' }, call);
  const path = item.name === undefined ? [] : pathParts(item.name);
  if (isMenuPath(target.node, path)) return selectMenu(target, menuPath(target.node, path), item, aftermath);
  const opened = await openContainer(target);
  try {
    const { node, observed } = await choose(target, item, path, opened !== null);
    requireJudgedItem(target.description, item, [chosenOf(node)]);
    const chosen: ElementTarget = {
      ...target,
      node,
      located: { node, observed },
      ref: refOf(tools.refs, target.root, node),
      description: describeNode(node),
    };
    requireEnabled(chosen);
    return namingItem(item, node, await selectItem(chosen, aftermath));
  } finally {
    if (opened?.wasClosed === true) await closeContainer(target);
  }
}

/** Where the given name is only a part of the item's, the outcome names the item. */
function namingItem({ name }: ItemChoice, item: TreeNode, done: Done<boolean>): Done<boolean> {
  if (name === undefined || isSameName(name, item.name) || isSameName(pathParts(name).at(-1)?.name ?? '', item.name))
    return done;
  return { ...done, outcome: { ...done.outcome, details: { ...done.outcome.details, item: item.name.slice(0, 200) } } };
}

/** What was opened for a choice is closed after it, also where nothing was chosen. */
async function closeContainer(target: ElementTarget): Promise<void> {
  if (!user32.IsWindow(target.node.hwnd)) return;
  try {
    using element = elementOf(target);
    if (element !== null && expandState(element) === 'expanded')
      await attempt('uia-expand-collapse', 'Collapse', () => collapse(element), target.description);
  } catch (error) {
    // Choosing an entry may have closed the whole window.
    if (!(error instanceof ComError || (error instanceof UiaHostError && error.code === 'element_stale'))) throw error;
  }
}

/** Errors: target_not_found, target_ambiguous, deadline_exceeded if not all items could be read, element_stale. */
async function choose(
  target: ElementTarget,
  item: ItemChoice,
  path: readonly PathPart[],
  isOpened: boolean,
): Promise<FoundItem> {
  const observed = isOpened
    ? readPatiently(target.record, { ...target.tools.read, only: target.node.hwnd })
    : target.located.observed;
  const container = pathTo(observed.root, target.node.identity).at(-1);
  if (container === undefined) throw new UiaHostError('element_stale', `${target.description} is gone.`);
  if (container.controlType === 'Tree' && path.length > 1) {
    const literal = literallyNamed(container, item.name ?? '');
    if (literal.length === 1) return { node: literal[0]!, observed };
    const opened = await openTreePath(target, container, observed, path);
    if (opened !== null) return opened;
  }
  const isInPart = isReadInPart(container, observed);
  const searched =
    isInPart || isMessageTree(container, observed) ? await chooseUnread(target, container, observed, item) : null;
  if (searched !== null) return searched;
  const node = chooseItem(container, item, target.description, isInPart);
  return { node, observed };
}
