/** focusElement: gives an element the keyboard focus of its program, and reads it back. */
import { PropertyId } from '../../../native-bindings/uia/identifiers.generated.ts';
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import { WM_NEXTDLGCTL } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext, Done } from '../../desktop/index.ts';
import {
  elementOf,
  requireEnabled,
  targetOf,
  type ActionTools,
  type ElementTarget,
} from '../elements/finding/element-target.ts';
import { plain } from '../elements/sources/patterns.ts';
import { pathTo, type TreeNode } from '../elements/tree/tree.ts';
import { climb, delivered, failed, notApplicable, type Way, saidBy, type Sign } from '../drivers/driver.ts';
import { startAftermath } from '../evidence/late-foreground.ts';
import { Watch } from '../evidence/watch.ts';
import { PERSON_QUIET_MS } from '../input/temporary-focus.ts';
import { changeWithin } from '../exits/messages.ts';
import { focusAccessible, focusByProvider } from '../exits/patterns.ts';
import { inQueueOf, setFocus } from '../exits/windows.ts';
import { answers } from '../windows/ask.ts';
import { threadOf, focusOf, parentOf, rootOf, kindOfWindow } from '../windows/window-info.ts';
import { noteInjected, quietMoment } from '../windows/person.ts';
import { CHOICES } from './choose-item.ts';
import { msaaWay, quiet, runCall, type PatternTarget } from './pattern-ways.ts';

const MESSAGE_MS = 1000;
const ANSWER_MS = 500;

/** Source: learn.microsoft.com/windows/win32/api/uiautomationclient/nf-uiautomationclient-iuiautomationelement-setfocus */
const uiaFocus: Way<PatternTarget> = (target) =>
  runCall(target, 'uia-focus', 'SetFocus', () =>
    // For a whole window UI Automation may bring it to the front; its own messages do not.
    target.element === null || target.node.locator.kind !== 'uia' ? null : focusByProvider(target.element),
  );

/** Source: learn.microsoft.com/windows/win32/api/oleacc/nf-oleacc-iaccessible-accselect */
const msaaFocus = msaaWay<PatternTarget>('accSelect (focus)', focusAccessible);

/** A dialog moves its focus by itself. Source: learn.microsoft.com/windows/win32/dlgbox/wm-nextdlgctl */
const dialogFocus: Way<PatternTarget> = ({ node, deadline }) => {
  const dialog = parentOf(node.hwnd);
  if (rootOf(node.hwnd) === node.hwnd || kindOfWindow(dialog) !== 'dialog')
    return notApplicable('message', 'not a control of a dialog');
  return changeWithin(dialog, WM_NEXTDLGCTL, node.hwnd, 1, deadline.share(MESSAGE_MS)) === null
    ? failed('message', 'the dialog did not answer')
    : delivered('message', 'WM_NEXTDLGCTL to its dialog');
};

/**
 * Joins the input queue of the program for a moment, as the focus of a thread can be set only from there. Never within
 * a second of a person's input. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setfocus
 */
const attachedFocus: Way<PatternTarget> = async ({ node, deadline }) => {
  const { thread } = threadOf(node.hwnd);
  await quietMoment(PERSON_QUIET_MS, deadline);
  if (!(await answers(node.hwnd, deadline.share(ANSWER_MS)))) return failed('attached', 'the program did not answer');
  const isFocused = await inQueueOf(thread, () => {
    setFocus(node.hwnd);
    return focusOf(thread) === node.hwnd;
  }).finally(noteInjected);
  if (isFocused === null) return failed('attached', 'Windows did not join the input queues');
  return isFocused
    ? delivered('attached', 'SetFocus from its own input queue')
    : failed('attached', 'the program kept its focus elsewhere');
};

/** Whether an element of a provider shares its window with the element around it. */
function isDrawnPart({ locator, identity, hwnd }: TreeNode, root: TreeNode): boolean {
  return (locator.kind === 'uia' || locator.kind === 'msaa') && pathTo(root, identity).at(-2)?.hwnd === hwnd;
}

/** Also of an element that offers no patterns: any can be given the focus. */
function focusable(target: ElementTarget): IUIAutomationElement | null {
  const { node, root, tools } = target;
  const element = elementOf(target);
  if (element !== null || node.locator.kind !== 'uia' || node.locator.isShared === true) return element;
  return tools.read.automation?.elementOf(node, root) ?? null;
}

/** Its control's focus would prove nothing: keys go to the item that is selected. */
const sharedFocus = ({ node, description }: ElementTarget): UiaHostError =>
  new UiaHostError(
    'unsupported',
    `${description} has no keyboard focus of its own: only its control has. Nothing was sent.`,
    { hint: CHOICES.has(node.controlType) ? 'Select it (select-element); keys go to it next.' : 'Use click-element.' },
  );

/** The window that has the focus; for a part of a window the program's own word, if it has one. */
function signOf({ node, located, element }: Pick<PatternTarget, 'node' | 'located' | 'element'>): Sign {
  if (element === null || node.locator.kind !== 'uia') {
    const isDrawn = isDrawnPart(node, located.observed.root);
    return {
      kind: 'focus',
      read: () => (isDrawn ? undefined : focusOf(threadOf(node.hwnd).thread) === node.hwnd),
    };
  }
  return {
    kind: 'focus',
    read: () => quiet(() => plain(element.GetCurrentPropertyValueEx(PropertyId.HasKeyboardFocus, true)) === true),
  };
}

/**
 * Errors: target_disabled, element_stale, window_gone, user_active, unsupported if no way applies. Posted keys go to it
 * afterwards, whatever the system reports.
 */
export async function focusElement(
  tools: ActionTools,
  record: BindingRecord,
  ref: string,
  call: CallContext,
): Promise<Done<boolean>> {
  const aftermath = startAftermath(record, call);
  const target = await targetOf(tools, record, ref, call);
  requireEnabled(target);
  if (target.node.locator.kind === 'item') throw sharedFocus(target);
  tools.pending.require(target.root, target.description);
  using element = focusable(target);
  const sign = signOf({ ...target, element });
  const hadFocus = sign.read() === true;
  const unfocus = tools.focused(target.root, target.node.hwnd);
  const watch = new Watch(target, sign);
  // The focus of the window says nothing about a part that its program draws.
  const ofWindow = isDrawnPart(target.node, target.located.observed.root) ? [] : [dialogFocus, attachedFocus];
  const ways = [uiaFocus, msaaFocus, ...ofWindow];
  const climbed = hadFocus ? null : await climb(ways, { ...target, element, watch });
  if (climbed === null) return aftermath.untouched({ details: { focused: true } });
  if (climbed.delivered === null) {
    unfocus();
    throw new UiaHostError(
      user32.IsWindow(target.node.hwnd) ? 'unsupported' : 'element_stale',
      `${target.description} could not be given the focus: ${saidBy(climbed.attempts)}.`,
      { hint: 'Click it instead (click-element), which gives it the focus.' },
    );
  }
  const seen = await watch.settle();
  const { delivered: way, attempts } = climbed;
  return aftermath.of(target.node, { ...seen, delivery: way.rung, attempts });
}
