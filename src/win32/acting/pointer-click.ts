/** Clicks at a point, with modifiers. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Point } from '../../contract/element/geometry.ts';
import type { CallContext, Done, MouseButton, PointerPort } from '../../desktop/index.ts';
import { judgedWindow } from '../input/judged-window.ts';
import { sendMouseEvents } from '../exits/input.ts';
import { isFormsButton, tellPressed } from '../drivers/button.ts';
import { assertMayPoint, buttonEvent, moveEvent } from '../input/mouse-foreground.ts';
import { followFocus } from '../evidence/late-foreground.ts';
import { HeldModifiers } from '../input/held-modifiers.ts';
import { postClicks } from '../input/mouse-posted.ts';
import { quietMoment, YIELD_MS } from '../windows/person.ts';
import { findMouseTarget } from '../input/mouse-target.ts';
import { activateDocument } from '../elements/tree/documents.ts';
import { windowName } from '../elements/tree/text.ts';
import { assertCarried } from '../windows/toolkit.ts';
import { Deadline } from '../windows/waiting.ts';
import { startWitness } from '../windows/witness.ts';
import {
  approach,
  assertSameAt,
  assertPressesReal,
  effectsOfInput,
  effectsOfReal,
  isReal,
  outcomeOf,
  readBefore,
  readBeforeReal,
  type PointerTools,
} from './pointer-target.ts';

export async function clickPoint(
  tools: PointerTools,
  record: BindingRecord | null,
  at: Point,
  options: Parameters<PointerPort['click']>[2],
  call: CallContext,
): Promise<Done<boolean>> {
  const witness = startWitness();
  const deadline = new Deadline(call);
  const held = new HeldModifiers(options.modifiers ?? [], true);
  const bound = Number(record?.hwnd ?? 0);
  if (isReal(record, options.delivery)) {
    await quietMoment(YIELD_MS, deadline, call);
    assertMayPoint(judgedWindow(record, call), at);
    const looked = await readBeforeReal(tools, record, at, call, true);
    await approach(held, at, call);
    assertPressesReal(tools, record, at, call);
    assertMayPoint(judgedWindow(record, call), at);
    if (bound !== 0) tools.focus.remember(bound, looked?.target.hwnd ?? bound, call.owner, at);
    await held.whileReal(
      (keys) => sendMouseEvents([moveEvent(at), ...clicks(options.button, options.count)], keys),
      call,
    );
    return {
      value: true,
      outcome: outcomeOf(
        witness,
        'input',
        await effectsOfReal(tools, looked, deadline),
        `${options.button} × ${options.count}`,
        { looked },
      ),
    };
  }
  const target = findMouseTarget(bound, at);
  assertCarried(target.hwnd, 'click');
  const followed = followFocus(record, witness, call, deadline);
  await held.assertCarried(target, bound, deadline, call);
  activateDocument(bound, target.hwnd);
  const looked = await readBefore(tools, record, { target, at }, call, { isClick: true });
  assertSameAt(tools, record, { at, hwnd: target.hwnd }, call);
  tools.focus.remember(bound, target.hwnd, call.owner, at);
  const isPlain = options.button === 'left' && options.count === 1 && held.flags === 0;
  const told = isPlain && isFormsButton(target.hwnd) ? tellPressed(target.hwnd) : null;
  if (told === null)
    await held.whilePosted(target, () => postClicks(target, options.button, options.count, held.flags), call);
  tools.pointerOf(call.owner).place(record, at);
  const how = `${told ?? `${options.button} × ${options.count}`} to ${windowName(target.hwnd)} under the point`;
  const delivery = told !== null ? 'message' : held.needsState ? 'attached' : 'posted';
  return {
    value: true,
    outcome: await followed(
      outcomeOf(witness, delivery, await effectsOfInput(tools, looked, deadline), how, { looked }),
    ),
  };
}

function clicks(button: MouseButton, count: number) {
  return Array.from({ length: count }, () => [buttonEvent(button, 'down'), buttonEvent(button, 'up')]).flat();
}
