/**
 * The rungs of a right click that ask for a context menu: UI Automation, then the control's message. The message has no
 * result: where no menu appears, the next rung is tried, since opening a menu changes nothing lasting.
 */
import { WM_CONTEXTMENU } from '../../../native-bindings/win32/constants.ts';
import { IUIAutomationElement3 } from '../../../native-bindings/uia/automation.generated.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { clickPoint } from '../elements/tree/tree.ts';
import { attemptOf } from '../elements/sources/patterns.ts';
import { delivered, failed, notApplicable, type Rung, type Step } from '../elements/sources/rungs.ts';
import { packPoint } from '../input/mouse-target.ts';
import { toMessageScreen } from '../windows/dpi.ts';
import { STALL_MS, waitForProgram } from '../windows/program-time.ts';
import { ANSWER_RESERVE_MS } from '../windows/waiting.ts';
import { controlMessage } from './control-message.ts';
import { runCall, type PatternTarget } from './pattern-rungs.ts';

/** Time (ms) of the program in which a menu appears: flyouts are animated. */
const MENU_MS = 600;

/** A menu may be a window, or drawn by the program in its own. */
async function menuCame({ watch, deadline, call, node }: PatternTarget): Promise<boolean> {
  const seen = await waitForProgram(() => (watch.isChanged() ? true : null), {
    hwnd: node.hwnd,
    withinMs: MENU_MS,
    atMostMs: deadline.share(STALL_MS, ANSWER_RESERVE_MS),
    everyMs: 20,
    call,
    delivery: 'delivered',
  });
  return seen !== null;
}

const withMenu = async (target: PatternTarget, step: Step): Promise<Step> =>
  step.result !== 'delivered' || step.isUnfinished === true || (await menuCame(target))
    ? step
    : failed(step.rung, `${step.reason}: no menu appeared`);

/** Source: learn.microsoft.com/windows/win32/api/uiautomationclient/nf-uiautomationclient-iuiautomationelement3-showcontextmenu */
export const uiaContextMenu: Rung<PatternTarget> = async (target) => {
  using element = target.element?.query(IUIAutomationElement3) ?? null;
  if (element === null) return notApplicable('uia-context-menu', 'not offered');
  try {
    const started = element.ShowContextMenuAsync();
    return await runCall(target, 'uia-context-menu', 'ShowContextMenu', started);
  } catch (error) {
    return attemptOf('uia-context-menu', error, target.description);
  }
};

/**
 * Posted, since its handler returns when the menu is closed. A right click selects the item that it hits, and the menu
 * is for the selection: an item is selected first, else the menu would be for another one.
 * Source: learn.microsoft.com/windows/win32/menurc/wm-contextmenu
 */
export const contextMenuMessage: Rung<PatternTarget> = async (target) => {
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
  return user32.PostMessageW(hwnd, WM_CONTEXTMENU, hwnd, packPoint(screen.x, screen.y))
    ? withMenu(target, delivered('message', 'WM_CONTEXTMENU'))
    : failed('message', 'Windows did not accept the message');
};
