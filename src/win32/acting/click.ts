/** clickElement: climbs the rungs of a click; see docs/behaviour.md#elements. */
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { IUIAutomationElement } from '../../../native-bindings/uia/automation.generated.ts';
import type { BindingRecord } from '../../contract/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { CallContext, DeliveryMode, Done } from '../../desktop/index.ts';
import { ShownEffects } from '../evidence/shown-effects.ts';
import { kindOfWindow } from '../windows/window-kind.ts';
import { postClick, postMove } from '../elements/posted.ts';
import { clickPoint, type TreeNode } from '../elements/tree.ts';
import { focusOf, parentOf } from '../windows/window-info.ts';
import { threadOf } from '../windows/handle.ts';
import { startAftermath } from '../evidence/aftermath.ts';
import { controlMessage, hintOfClick, signOfClick } from './control-message.ts';
import { realClick } from './real-input.ts';
import { climb, delivered, failed, notApplicable, type Rung } from '../elements/rungs.ts';
import {
  legacyAction,
  msaaAction,
  msaaSelect,
  signOfPattern,
  uiaExpandCollapse,
  uiaInvoke,
  uiaSelect,
  uiaToggle,
  type PatternTarget,
} from './pattern-rungs.ts';
import { requireInView } from './reveal.ts';
import {
  elementOf,
  requireEnabled,
  targetOf,
  type ElementTarget,
  type ActionTools,
} from '../elements/element-target.ts';
import { Watch, type Sign } from '../evidence/watch.ts';

/** To the window that a real click would reach; static texts and group boxes let it through to their parent. */
export const postedClick: Rung<ElementTarget> = ({ node }) => {
  const at = clickPoint(node);
  if (at === null) return notApplicable('posted', 'no part of it is in view');
  const hwnd = node.letsClicksThrough ? parentOf(node.hwnd) : node.hwnd;
  return postClick(hwnd, at)
    ? delivered('posted', 'mouse messages to the window at its centre')
    : failed('posted', 'Windows did not accept the messages');
};

/** The ladder, without rungs that do not exist for this kind of element. */
function ladder(
  { locator, capabilities }: TreeNode,
  element: IUIAutomationElement | null,
): ReadonlyArray<Rung<PatternTarget>> {
  if (locator.kind === 'msaa') return [capabilities.has('selection-item') ? msaaSelect : msaaAction, postedClick];
  return element === null
    ? [controlMessage, postedClick]
    : [uiaInvoke, uiaToggle, uiaSelect, uiaExpandCollapse, legacyAction, controlMessage, postedClick];
}

/** A click focuses fields and shows no other effect. */
function signOf(target: ElementTarget, element: IUIAutomationElement | null): Sign | null {
  const { controlType, hwnd, locator } = target.node;
  if (locator.kind === 'window' && (controlType === 'Edit' || controlType === 'Document')) {
    return { kind: 'focus', read: () => focusOf(threadOf(hwnd).thread) === hwnd };
  }
  if (element !== null || locator.kind === 'msaa') return signOfPattern(target, element);
  // An element known only to UI Automation has no control messages; its window would answer for a different one.
  return locator.kind === 'uia' ? null : signOfClick(target);
}

/**
 * A window that draws itself and has no accessibility interface only gets a posted click: its picture is the only
 * evidence.
 */
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
  const kind = kindOfWindow(node.hwnd);
  if (kind !== 'other') return null;
  postMove(node.hwnd, at);
  return ShownEffects.before(
    null,
    record,
    { hwnd: node.hwnd, thread: threadOf(node.hwnd).thread, kind, foundBy: 'window itself' },
    at,
    call,
  );
}

/**
 * Errors: target_disabled, target_offscreen, element_stale, window_gone, state_conflict, unsupported if no rung
 * applies.
 */
export async function clickElement(
  tools: ActionTools,
  record: BindingRecord,
  ref: string,
  options: { delivery: DeliveryMode },
  call: CallContext,
): Promise<Done<boolean>> {
  const aftermath = startAftermath(record, call);
  const first = await targetOf(tools, record, ref, call);
  requireEnabled(first);
  tools.pending.require(first.root, first.description);
  const target = await requireInView(first);
  const unfocus = tools.focused(target.root, target.node.hwnd);
  using element = elementOf(target);
  const sign = signOf(target, element);
  const watch = new Watch(target, sign, sign === null ? hintOfClick(target) : null);
  const picture = options.delivery === 'foreground' ? null : await pictureOf(target, sign);
  const climbed =
    options.delivery === 'foreground'
      ? await climb([realClick], target)
      : await climb(ladder(target.node, element), { ...target, element, watch });
  if (climbed.delivered === null) {
    unfocus();
    throw new UiaHostError(
      user32.IsWindow(target.node.hwnd) ? 'unsupported' : 'element_stale',
      `No way of clicking ${target.description} worked: ${climbed.attempts.map(({ rung, reason }) => `${rung}: ${reason}`).join('; ')}.`,
    );
  }
  const seen = await watch.settle(picture);
  return {
    value: true,
    outcome: await aftermath.of(target.node, {
      effect: seen.effect,
      delivery: climbed.delivered.rung,
      evidence: seen.evidence,
      attempts: climbed.attempts,
      ...(seen.details === undefined ? {} : { details: seen.details }),
    }),
  };
}
