/** clickElement: climbs the ways of a click; see docs/behaviour.md#elements. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { type IUIAutomationElement, IUIAutomationElement3 } from '../../../native-bindings/uia/automation.generated.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { isCarried } from '../../contract/ways/receivers.ts';
import type { Verb } from '../../contract/ways/ways.ts';
import type { CallContext, Done, ElementPort, MouseButton } from '../../desktop/index.ts';
import { postChange, leaveFor, leaveVisited, visit } from '../exits/messages.ts';
import { showContextMenu } from '../exits/patterns.ts';
import { shownEffects, type ShownEffects } from '../evidence/shown-effects.ts';
import { isDrawnButton, kindOfWindow, focusOf, parentOf, threadOf, readWindowInfo } from '../windows/window-info.ts';
import { mousePoint } from '../input/mouse-target.ts';
import { pointerLooks, postClick, postClicks } from '../input/mouse-posted.ts';
import {
  waysOfElement,
  elementOf,
  requireEnabled,
  targetOf,
  type ElementTarget,
  type ActionTools,
  requireNoDialog,
  shownDialog,
} from '../elements/finding/element-target.ts';
import { clickPoint } from '../elements/tree/tree.ts';
import { startAftermath } from '../evidence/late-foreground.ts';
import { realClick } from './value-ways.ts';
import {
  climb,
  delivered,
  failed,
  notApplicable,
  type Way,
  type Tried,
  saidBy,
  type Sign,
  type Acted,
  type ItemLocator,
} from '../drivers/driver.ts';
import { PATTERN_WAYS, runCall, signOfPattern, type PatternTarget } from './pattern-ways.ts';
import { requireInView } from './reveal.ts';
import { Watch } from '../evidence/watch.ts';
import { WM_CONTEXTMENU } from '../../../native-bindings/win32/constants.ts';
import { packPoint, toMessageScreen } from '../windows/rects.ts';
import { assertCarried, toolkitOf } from '../windows/toolkit.ts';
import { seenWithin } from '../windows/waiting.ts';
import { receiverAt } from '../elements/finding/text-target.ts';
import type { Evidence } from '../../contract/outcome.ts';
import { partWithFocus } from '../drivers/combo.ts';
import { driverOf, driverOfItem } from '../drivers/index.ts';
import { RemoteBlocks } from '../elements/tree/remote-memory.ts';
import { appearance, appearanceChange, mayTick } from '../evidence/shown-fields.ts';
import { Asker } from '../windows/ask.ts';

const MESSAGE_MS = 2000;

/** Items of the standard controls, all kinds of buttons, and combo boxes. */
export const controlMessage: Way<ElementTarget & { readonly before?: unknown }> = (target) => {
  const { node, deadline, tools, before } = target;
  const { locator } = node;
  const info = readWindowInfo(node.hwnd);
  if (info === null) return failed('message', 'the window is gone');
  if (locator.kind !== 'window' && locator.kind !== 'item') return notApplicable('message', 'not a standard control');
  // A tool bar takes no focus.
  if (locator.kind === 'window' || locator.item !== 'tool-button') leaveFor(info.hwnd);
  // The program may ask about what was typed: a person's click ends there too.
  requireNoDialog(target);
  using remote = new RemoteBlocks(tools.read.remoteControlMemory);
  const control: Acted = { info, node, asker: new Asker(deadline.share(MESSAGE_MS)), remote, before };
  // The message would press a disabled button too: that was checked before.
  if (locator.kind === 'item') visit(partWithFocus(info.hwnd));
  const tried =
    locator.kind === 'item'
      ? driverOfItem(locator.item)?.choose?.(control, locator)
      : driverOf(kindOfWindow(info.hwnd, info.className))?.press?.(control);
  if (tried === undefined)
    return notApplicable(
      'message',
      `${locator.kind === 'item' ? 'this kind of item has' : 'the control has'} no message for a click`,
    );
  if (!('at' in tried)) {
    if (locator.kind === 'item' && shownDialog(target.root) === null) leaveVisited();
    return tried;
  }
  return postClick(info.hwnd, tried.at)
    ? delivered('message', tried.reason)
    : failed('message', 'Windows did not accept the messages');
};

/** What a click on the element must change; null if any change counts. */
function signOfClick(target: ElementTarget): Sign | null {
  const { node } = target;
  return node.locator.kind === 'item'
    ? signOfItem(target, node.locator)
    : (driverOf(kindOfWindow(node.hwnd))?.sign?.(node.hwnd, node) ?? null);
}

/** What a click on the element may change in addition. */
const hintOfClick = ({ node }: ElementTarget): Sign | null =>
  node.locator.kind === 'item' ? (driverOfItem(node.locator.item)?.itemHint?.(node.locator, node) ?? null) : null;

const ownSign = ({ node }: ElementTarget, locator: ItemLocator): Sign | null =>
  driverOfItem(locator.item)?.itemSign?.(locator, node) ?? null;

/** The value that shows that the item is selected: it, and no other. */
export function signOfItem(target: ElementTarget, locator: ItemLocator): Sign | null {
  const sign = ownSign(target, locator);
  if (sign === null) return null;
  const { isMeant = (): boolean => true } = sign;
  // The items of another tree have other handles.
  const at = (hwnd: number): Sign | null =>
    locator.item === 'tree-item' && hwnd !== locator.hwnd ? null : ownSign(target, { ...locator, hwnd });
  const isFollowed = locator.item === 'tab-item' ? pageFollows(target.root) : () => true;
  return { ...sign, isMeant: (value) => isMeant(value) && isFollowed(), at };
}

/** Whether the item is the selected one now. */
export function isItemSelected(target: ElementTarget, locator: ItemLocator): boolean {
  const sign = ownSign(target, locator);
  return sign?.isMeant?.(sign.read()) === true;
}

/**
 * A tab control may hold a tab that its program refused to leave (TCN_SELCHANGING): the program's windows show whether it
 * went along.
 */
function pageFollows(root: number): () => boolean {
  const before = appearance(root);
  return () => isLasting(appearanceChange(before, appearance(root)));
}

const isLasting = (seen: Evidence | null): boolean => seen !== null && !mayTick(seen);

interface Clicks {
  readonly button: MouseButton;
  readonly count: 1 | 2 | 3;
}

/** The same with another button or count; a double click is Windows' own message where the class takes it. */
const postedClicks =
  (button: MouseButton, count: number): Way<ElementTarget> =>
  ({ node }) => {
    const at = clickPoint(node);
    const hwnd = node.letsClicksThrough ? parentOf(node.hwnd) : node.hwnd;
    const client = at === null ? null : mousePoint(hwnd, at);
    if (at === null || client === null) return notApplicable('posted', 'no part of it is in view');
    postClicks({ ...receiverAt(hwnd), client }, button, count, 0);
    return delivered('posted', `mouse messages (${button} × ${count}) to the window at its centre`);
  };

/** To the window that a real click would reach; static texts and group boxes let it through to their parent. */
export const postedClick: Way<ElementTarget> = ({ node }) => {
  const at = clickPoint(node);
  if (at === null) return notApplicable('posted', 'no part of it is in view');
  const hwnd = node.letsClicksThrough ? parentOf(node.hwnd) : node.hwnd;
  return postClick(hwnd, at)
    ? delivered('posted', 'mouse messages to the window at its centre')
    : failed('posted', 'Windows did not accept the messages');
};

/** The ways of clicks by the ids of the table of ways (`contract/ways`). */
const waysOf = ({ button, count }: Clicks): Readonly<Record<string, Way<PatternTarget>>> => ({
  'real-click': (at) => realClick(at, button, count),
  ...PATTERN_WAYS,
  message: controlMessage,
  'posted-click': postedClick,
  'posted-clicks': postedClicks(button, count),
  'uia-context-menu': uiaContextMenu,
  'context-menu-message': contextMenuMessage,
});

function verbOf({ button, count }: Clicks): Verb {
  if (button === 'left' && count <= 2) return count === 1 ? 'click' : 'double';
  return button === 'right' && count === 1 ? 'context' : 'presses';
}

/** A click focuses fields and shows no other effect. For other clicks, any visible change counts. */
function signOf(target: ElementTarget, element: IUIAutomationElement | null, { button, count }: Clicks): Sign | null {
  if (button !== 'left' || count !== 1) return null;
  const { controlType, hwnd, locator } = target.node;
  if (locator.kind === 'window' && (controlType === 'Edit' || controlType === 'Document')) {
    return { kind: 'focus', read: () => focusOf(threadOf(hwnd).thread) === hwnd };
  }
  if (element !== null || locator.kind === 'msaa') return signOfPattern(target, element);
  // An element known only to UI Automation has no control messages; its window would answer for a different one.
  return locator.kind === 'uia' ? null : signOfClick(target);
}

/** Whether only its picture shows what a click did: a program's own window, or a button that its program draws. */
const drawsItself = (hwnd: number): boolean => kindOfWindow(hwnd) === 'other' || isDrawnButton(hwnd);

/** For a window of which neither an accessibility interface nor a message tells what a click did. */
async function pictureOf({ node, record, call }: ElementTarget, sign: Sign | null): Promise<ShownEffects | null> {
  const at = clickPoint(node);
  if (
    sign !== null ||
    at === null ||
    node.locator.kind !== 'window' ||
    node.letsClicksThrough ||
    node.children.length > 0
  )
    return null;
  if (!drawsItself(node.hwnd) || !isCarried(toolkitOf(node.hwnd), 'click')) return null;
  const client = mousePoint(node.hwnd, at);
  return shownEffects(
    null,
    record,
    {
      ...receiverAt(node.hwnd),
      kind: 'other',
      ...(client === null ? {} : pointerLooks({ hwnd: node.hwnd, client })),
      // the mark of a check box is at its side
      shows: isDrawnButton(node.hwnd) ? node.visible : null,
    },
    at,
    call,
  );
}

/**
 * Errors: target_disabled, target_offscreen, element_stale, window_gone, state_conflict, unsupported if no way
 * applies.
 */
export async function clickElement(
  tools: ActionTools,
  record: BindingRecord,
  ref: string,
  options: Parameters<ElementPort['click']>[2],
  call: CallContext,
): Promise<Done<boolean>> {
  const clicks: Clicks = { button: options.button ?? 'left', count: options.count ?? 1 };
  const isPlain = clicks.button === 'left' && clicks.count === 1;
  const aftermath = startAftermath(record, call);
  const first = await targetOf(tools, record, ref, call);
  requireEnabled(first);
  tools.pending.require(first.root, first.description);
  const target = await requireInView(first);
  const unfocus = tools.focused(target.root, target.node.hwnd);
  using element = elementOf(target);
  const sign = signOf(target, element, clicks);
  const watch = new Watch(target, sign, sign === null && isPlain ? hintOfClick(target) : null);
  const picture = options.delivery === 'foreground' ? null : await pictureOf(target, sign);
  const ways = waysOfElement(verbOf(clicks), target.node, options.delivery === 'foreground', waysOf(clicks));
  const climbed = await climb(ways, {
    ...target,
    element,
    watch,
    // Nothing is tried before the control's own message then.
    ...(element === null ? { before: watch.before } : {}),
  });
  if (climbed.delivered === null) {
    unfocus();
    if (climbed.attempts.every(({ result }) => result === 'not_applicable')) assertCarried(target.node.hwnd, 'click');
    throw new UiaHostError(
      user32.IsWindow(target.node.hwnd) ? 'unsupported' : 'element_stale',
      `No way of clicking ${target.description} worked: ${saidBy(climbed.attempts)}.`,
      isCarried(toolkitOf(target.node.hwnd), 'click')
        ? {}
        : { hint: 'Use delivery: "foreground", which moves the real cursor there, or keys (virtual-keyboard).' },
    );
  }
  const seen = await watch.settle(picture);
  const { delivered: way, attempts } = climbed;
  return aftermath.of(target.node, { ...seen, delivery: way.rung, attempts });
}

// The ways of a right click that ask for a context menu: UI Automation, then the control's message. The message
// has no result: where no menu appears, the next way is tried, since opening a menu changes nothing lasting.

/** Time (ms) of the program in which a menu appears: flyouts are animated. */
const MENU_MS = 600;

/** A menu may be a window, or drawn by the program in its own. */
const menuCame = async ({ watch, deadline, node }: PatternTarget): Promise<boolean> =>
  (await seenWithin(node.hwnd, MENU_MS, () => (watch.isChanged() ? true : null), deadline)) !== null;

const withMenu = async (target: PatternTarget, step: Tried): Promise<Tried> =>
  step.result !== 'delivered' || step.isUnfinished === true || (await menuCame(target))
    ? step
    : failed(step.rung, `${step.reason}: no menu appeared`);

/** Source: learn.microsoft.com/windows/win32/api/uiautomationclient/nf-uiautomationclient-iuiautomationelement3-showcontextmenu */
const uiaContextMenu: Way<PatternTarget> = async (target) => {
  using element = target.element?.query(IUIAutomationElement3) ?? null;
  return await runCall(target, 'uia-context-menu', 'ShowContextMenu', () =>
    element === null ? null : showContextMenu(element),
  );
};

/**
 * Posted, since its handler returns when the menu is closed. A right click selects the item that it hits, and the menu
 * is for the selection: an item is selected first, else the menu would be for another one.
 * Source: learn.microsoft.com/windows/win32/menurc/wm-contextmenu
 */
const contextMenuMessage: Way<PatternTarget> = async (target) => {
  const { locator, hwnd } = target.node;
  const at = clickPoint(target.node);
  if (at === null) return notApplicable('message', 'no part of it is in view');
  if (locator.kind !== 'window' && locator.kind !== 'item')
    return notApplicable('message', 'its window would answer for another element');
  if (locator.kind === 'item') {
    const { isUnfinished, ...selected } = await controlMessage(target);
    if (selected.result !== 'delivered' || isUnfinished === true)
      return notApplicable('message', `the item could not be selected first: ${selected.reason}`);
  }
  const screen = toMessageScreen(hwnd, at);
  return postChange(hwnd, WM_CONTEXTMENU, hwnd, packPoint(screen.x, screen.y))
    ? withMenu(target, delivered('message', 'WM_CONTEXTMENU'))
    : failed('message', 'Windows did not accept the message');
};
