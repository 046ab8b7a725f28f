/** Turns the wheel at a point, or scrolls through UI Automation where a program ignores wheel messages. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import type { Point } from '../../contract/element/geometry.ts';
import type { CallContext, DeliveryMode, Done, PointerPort } from '../../desktop/index.ts';
import { judgedWindow } from '../input/judged-window.ts';
import { assertMayPoint, moveEvent, sendMouseEvents, wheelEvents } from '../input/mouse-foreground.ts';
import { followFocus } from '../evidence/late-foreground.ts';
import { postWheel } from '../input/mouse-posted.ts';
import { findMouseTarget } from '../input/mouse-target.ts';
import { windowName } from '../elements/tree/window-name.ts';
import { quietMoment, YIELD_MS } from '../windows/person.ts';
import { Deadline } from '../windows/waiting.ts';
import { startWitness } from '../windows/witness.ts';
import {
  effectsOfInput,
  effectsOfReal,
  isReal,
  outcomeOf,
  readBefore,
  readBeforeReal,
  type PointerTools,
} from './pointer-target.ts';

export async function turnWheel(
  tools: PointerTools,
  record: BindingRecord | null,
  { at, notches }: { readonly at: Point; readonly notches: Parameters<PointerPort['wheel']>[2] },
  delivery: DeliveryMode,
  call: CallContext,
): Promise<Done<boolean>> {
  const witness = startWitness();
  const deadline = new Deadline(call);
  if (isReal(record, delivery)) {
    await quietMoment(YIELD_MS, deadline, call);
    assertMayPoint(judgedWindow(record, call), at);
    const looked = await readBeforeReal(tools, record, at, call);
    assertMayPoint(judgedWindow(record, call), at);
    sendMouseEvents([moveEvent(at), ...wheelEvents(notches)]);
    return {
      value: true,
      outcome: outcomeOf(witness, 'input', await effectsOfReal(tools, looked, deadline), 'real wheel', {
        looked,
      }),
    };
  }
  const bound = Number(record.hwnd);
  const followed = followFocus(record, witness, call, deadline);
  const target = findMouseTarget(bound, at, true);
  const scroller = tools.trees?.scrollerAt(record, at, call) ?? null;
  const positions = scroller?.positions() ?? null;
  const looked = await readBefore(tools, record, { target, at }, call, { isMoved: false });
  if (notches.vertical !== 0) postWheel(target, at, notches.vertical, false);
  if (notches.horizontal !== 0) postWheel(target, at, notches.horizontal, true);
  tools.pointerOf(call.owner).at = at;
  const evidence = await effectsOfInput(tools, looked, deadline);
  const outcome = outcomeOf(
    witness,
    'posted',
    evidence,
    `wheel messages to ${windowName(target.hwnd)} under the point`,
    { looked },
  );
  const scrolled =
    evidence.length > 0 || scroller === null || positions === null ? null : await scroller.scroll(positions, notches);
  return {
    value: true,
    outcome: await followed(
      scrolled === null
        ? outcome
        : witness.outcome({ ...scrolled, attempts: [...outcome.attempts, ...scrolled.attempts] }),
    ),
  };
}
