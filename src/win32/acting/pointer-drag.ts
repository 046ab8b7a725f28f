/** Drags from one point to another. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Point } from '../../contract/element/geometry.ts';
import type { CallContext, DeliveryMode, Done } from '../../desktop/index.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { judgedWindow } from '../input/judged-window.ts';
import { assertMayPoint, buttonEvent, moveEvent, sendMouseEvents } from '../input/mouse-foreground.ts';
import { followFocus } from '../evidence/late-foreground.ts';
import { postDrag } from '../input/mouse-posted.ts';
import { findMouseTarget } from '../input/mouse-target.ts';
import { activateDocument } from '../elements/tree/documents.ts';
import { rootOf } from '../windows/window-info.ts';
import { quietMoment, YIELD_MS } from '../windows/person.ts';
import { Deadline, pause } from '../windows/waiting.ts';
import { startWitness } from '../windows/witness.ts';
import {
  assertSameAt,
  assertSameAtReal,
  effectsOfInput,
  effectsOfReal,
  isReal,
  outcomeOf,
  pointerAt,
  readBefore,
  readBeforeReal,
  type PointerTools,
} from './pointer-target.ts';

export async function dragPointer(
  tools: PointerTools,
  record: BindingRecord | null,
  { from, to }: { readonly from: Point | null; readonly to: Point },
  delivery: DeliveryMode,
  call: CallContext,
): Promise<Done<boolean>> {
  const witness = startWitness();
  const deadline = new Deadline(call);
  const start = from ?? pointerAt(tools, record, delivery, call);
  if (isReal(record, delivery)) {
    await quietMoment(YIELD_MS, deadline, call);
    // Both ends were judged in this window.
    assertMayPoint(judgedWindow(record, call, 'start'), start);
    assertMayPoint(judgedWindow(record, call), to);
    const looked = await readBeforeReal(tools, record, start, call);
    assertSameAtReal(tools, record, to, call);
    assertSameAtReal(tools, record, start, call, 'start');
    assertMayPoint(judgedWindow(record, call), to);
    assertMayPoint(judgedWindow(record, call, 'start'), start);
    await dragReal(start, to, call);
    return {
      value: true,
      outcome: outcomeOf(witness, 'input', await effectsOfReal(tools, looked, deadline), 'real drag', { looked }),
    };
  }
  const bound = Number(record.hwnd);
  const end = findMouseTarget(bound, to, true);
  const followed = followFocus(record, witness, call, deadline);
  const target = findMouseTarget(bound, start);
  activateDocument(bound, target.hwnd);
  const looked = await readBefore(tools, record, { target, at: start }, call);
  assertSameAt(tools, record, { at: to, hwnd: end.hwnd }, call);
  assertSameAt(tools, record, { at: start, hwnd: target.hwnd }, call, 'start');
  tools.focus.remember(bound, target.hwnd, start);
  await postDrag(target, to, call);
  tools.pointerOf(call.owner).at = to;
  return {
    value: true,
    outcome: await followed(
      outcomeOf(
        witness,
        'posted',
        await effectsOfInput(tools, looked, deadline),
        'down, moves and up to the window under the start',
        { looked },
      ),
    ),
  };
}

/** If another window has covered the drop point, the dragged item is released where the drag began. */
async function dragReal(from: Point, to: Point, call: CallContext): Promise<void> {
  const receiver = rootOf(user32.WindowFromPoint(to));
  let isElsewhere = false;
  sendMouseEvents([moveEvent(from), buttonEvent('left', 'down')]);
  try {
    const steps = 12;
    for (let step = 1; step <= steps; step += 1) {
      sendMouseEvents([
        moveEvent({
          x: Math.round(from.x + ((to.x - from.x) * step) / steps),
          y: Math.round(from.y + ((to.y - from.y) * step) / steps),
        }),
      ]);
      await pause(10, call, 'delivered');
    }
    isElsewhere = rootOf(user32.WindowFromPoint(to)) !== receiver;
  } finally {
    sendMouseEvents([...(isElsewhere ? [moveEvent(from)] : []), buttonEvent('left', 'up')]);
  }
  if (isElsewhere) {
    throw new UiaHostError(
      'state_conflict',
      'Another window covered the drop point; the dragged item was released where the drag began.',
      { delivery: 'delivered', hint: 'Look again before the next drag.' },
    );
  }
}
