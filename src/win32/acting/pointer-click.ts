/** Clicks at a point, with modifiers. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Point } from '../../contract/element/geometry.ts';
import type { CallContext, Done, PointerPort } from '../../desktop/index.ts';
import { judgedWindow } from '../input/judged-window.ts';
import { sendMouseEvents } from '../exits/input.ts';
import { requireEnabledWindow } from '../elements/finding/element-target.ts';
import { isFormsButton, tellPressed } from '../drivers/button.ts';
import { assertMayPoint, moveEvent, clickEvents } from '../input/mouse-foreground.ts';
import { beginInput } from '../evidence/late-foreground.ts';
import { HeldModifiers } from '../input/held-modifiers.ts';
import { postClicks } from '../input/mouse-posted.ts';
import { quietMoment, YIELD_MS } from '../windows/person.ts';
import { findMouseTarget } from '../input/mouse-target.ts';
import { activateDocument } from '../elements/tree/documents.ts';
import { windowName } from '../elements/tree/text.ts';
import { assertCarried } from '../windows/toolkit.ts';
import {
  approach,
  assertSameAt,
  assertPressesReal,
  isReal,
  readBefore,
  readBeforeReal,
  type PointerTools,
  answerOf,
} from './pointer-target.ts';

export async function clickPoint(
  tools: PointerTools,
  record: BindingRecord | null,
  at: Point,
  options: Parameters<PointerPort['click']>[2],
  call: CallContext,
): Promise<Done<boolean>> {
  const begun = beginInput(record, options.delivery, call);
  const { deadline } = begun;
  const held = new HeldModifiers(options.modifiers ?? [], true);
  const bound = Number(record?.hwnd ?? 0);
  if (isReal(record, options.delivery)) {
    await quietMoment(YIELD_MS, deadline);
    assertMayPoint(judgedWindow(record, call), at);
    const looked = await readBeforeReal(tools, record, at, call, true);
    await approach(held, at, call);
    assertPressesReal(tools, record, at, call);
    assertMayPoint(judgedWindow(record, call), at);
    if (bound !== 0) tools.focus.remember(bound, looked?.target.hwnd ?? bound, call.owner, at);
    await held.whileReal(
      (keys) => sendMouseEvents([moveEvent(at), ...clickEvents(options.button, options.count)], keys),
      call,
    );
    return answerOf(tools, begun, looked, 'input', `${options.button} × ${options.count}`);
  }
  const target = findMouseTarget(bound, at);
  assertCarried(target.hwnd, 'click');
  await held.assertCarried(target, bound, deadline);
  activateDocument(bound, target.hwnd);
  const looked = await readBefore(tools, record, { target, at }, call, { isClick: true });
  requireEnabledWindow(bound);
  assertSameAt(tools, record, { at, hwnd: target.hwnd }, call);
  tools.focus.remember(bound, target.hwnd, call.owner, at);
  const isPlain = options.button === 'left' && options.count === 1 && held.flags === 0;
  const told = isPlain && isFormsButton(target.hwnd) ? tellPressed(target.hwnd) : null;
  if (told === null)
    await held.whilePosted(target, () => postClicks(target, options.button, options.count, held.flags), call);
  tools.pointerOf(call.owner).place(record, at);
  const how = `${told ?? `${options.button} × ${options.count}`} to ${windowName(target.hwnd)} under the point`;
  const delivery = told !== null ? 'message' : held.needsState ? 'attached' : 'posted';
  return answerOf(tools, begun, looked, delivery, how);
}
