/** A click by the control's own message, and what it must change: the control's driver knows both. */
import type { Evidence } from '../../contract/outcome.ts';
import type { Acted, ItemLocator, Sign } from '../drivers/driver.ts';
import { partWithFocus } from '../drivers/combo.ts';
import { driverOf, driverOfItem } from '../drivers/index.ts';
import { delivered, failed, notApplicable, type Way } from '../drivers/ways.ts';
import { requireNoDialog, shownDialog, type ElementTarget } from '../elements/finding/element-target.ts';
import { RemoteBlocks } from '../elements/tree/remote-memory.ts';
import { appearance, appearanceChange, mayTick } from '../evidence/shown-fields.ts';
import { leaveFor, leaveVisited, visit } from '../exits/messages.ts';
import { postClick } from '../input/mouse-posted.ts';
import { Asker } from '../windows/ask.ts';
import { kindOfWindow, readWindowInfo } from '../windows/window-info.ts';

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
export function signOfClick(target: ElementTarget): Sign | null {
  const { node } = target;
  return node.locator.kind === 'item'
    ? signOfItem(target, node.locator)
    : (driverOf(kindOfWindow(node.hwnd))?.sign?.(node.hwnd, node) ?? null);
}

/** What a click on the element may change in addition. */
export const hintOfClick = ({ node }: ElementTarget): Sign | null =>
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
