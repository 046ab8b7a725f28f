/** Drags from one point to another, at once or as two halves: the left button pressed, then released. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Point } from '../../contract/element/geometry.ts';
import type { CallContext, Done, Pointing } from '../../desktop/index.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { judgedWindow } from '../input/judged-window.ts';
import { type KeyEvent, postMouseMessage, sendMouseEvents } from '../exits/input.ts';
import { assertMayPoint, buttonEvent, moveEvent, assertLiesAt } from '../input/mouse-foreground.ts';
import { followFocus } from '../evidence/late-foreground.ts';
import { HeldModifiers } from '../input/held-modifiers.ts';
import { postDrag, postButton, postMove } from '../input/mouse-posted.ts';
import { findMouseTarget, type MouseTarget, mousePoint } from '../input/mouse-target.ts';
import { packPoint } from '../windows/rects.ts';
import { activateDocument } from '../elements/tree/documents.ts';
import { rootOf, kindOfWindow, threadOf } from '../windows/window-info.ts';
import { quietMoment, YIELD_MS } from '../windows/person.ts';
import { assertCarried } from '../windows/toolkit.ts';
import { Deadline, pause } from '../windows/waiting.ts';
import { startWitness } from '../windows/witness.ts';
import {
  approach,
  assertSameAt,
  assertPressesReal,
  assertSameAtReal,
  effectsOfInput,
  effectsOfReal,
  isReal,
  outcomeOf,
  pointerAt,
  readBefore,
  readBeforeReal,
  type PointerTools,
  HELD_LEFT,
  type StateBefore,
} from './pointer-target.ts';
import type { Evidence } from '../../contract/outcome.ts';
import { WM_LBUTTONUP } from '../../../native-bindings/win32/constants.ts';

export async function dragPointer(
  tools: PointerTools,
  record: BindingRecord | null,
  { from, to }: { readonly from: Point | null; readonly to: Point },
  { delivery, modifiers = [] }: Pointing,
  call: CallContext,
): Promise<Done<boolean>> {
  const witness = startWitness();
  const deadline = new Deadline(call);
  const held = new HeldModifiers(modifiers, true);
  const start = from ?? pointerAt(tools, record, delivery, call);
  if (isReal(record, delivery)) {
    await quietMoment(YIELD_MS, deadline, call);
    // Both ends were judged in this window.
    assertMayPoint(judgedWindow(record, call, 'start'), start);
    assertMayPoint(judgedWindow(record, call), to);
    const looked = await readBeforeReal(tools, record, start, call);
    await approach(held, start, call);
    assertPressesReal(tools, record, to, call);
    assertPressesReal(tools, record, start, call, 'start');
    assertMayPoint(judgedWindow(record, call), to);
    assertMayPoint(judgedWindow(record, call, 'start'), start);
    await held.whileReal((keys) => dragReal(start, to, keys, call), call);
    return {
      value: true,
      outcome: outcomeOf(witness, 'input', await effectsOfReal(tools, looked, deadline), 'real drag', { looked }),
    };
  }
  const bound = Number(record.hwnd);
  const end = findMouseTarget(bound, to, true);
  const followed = followFocus(record, witness, call, deadline);
  const target = findMouseTarget(bound, start);
  assertCarried(target.hwnd, 'drag');
  await held.assertCarried(target, bound, deadline, call);
  activateDocument(bound, target.hwnd);
  const looked = await readBefore(tools, record, { target, at: start }, call);
  assertSameAt(tools, record, { at: to, hwnd: end.hwnd }, call);
  assertSameAt(tools, record, { at: start, hwnd: target.hwnd }, call, 'start');
  tools.focus.remember(bound, target.hwnd, call.owner, start);
  await held.whilePosted(target, () => postDrag(target, to, held.flags, call), call);
  tools.pointerOf(call.owner).place(record, to);
  return {
    value: true,
    outcome: await followed(
      outcomeOf(
        witness,
        held.needsState ? 'attached' : 'posted',
        await effectsOfInput(tools, looked, deadline),
        'down, moves and up to the window under the start',
        { looked },
      ),
    ),
  };
}

/** If another window has covered the drop point, the dragged item is released where the drag began. */
async function dragReal(from: Point, to: Point, keys: readonly KeyEvent[], call: CallContext): Promise<void> {
  const receiver = rootOf(user32.WindowFromPoint(to));
  let isElsewhere = false;
  sendMouseEvents([moveEvent(from), buttonEvent('left', 'down')], keys);
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

/** Presses or releases the left button. */
export async function changeButton(
  tools: PointerTools,
  record: BindingRecord | null,
  { change, at }: { readonly change: 'down' | 'up'; readonly at: Point | null },
  { delivery, modifiers = [] }: Pointing,
  call: CallContext,
): Promise<Done<boolean>> {
  const witness = startWitness();
  const deadline = new Deadline(call);
  const keys = new HeldModifiers(modifiers, false);
  const { flags } = keys;
  const point = at ?? pointerAt(tools, record, delivery, call);
  if (isReal(record, delivery)) {
    if (change === 'down') {
      await quietMoment(YIELD_MS, deadline, call);
      assertMayPoint(judgedWindow(record, call), point);
    }
    const looked = await readBeforeReal(tools, record, point, call, true);
    if (change === 'down' && at !== null) await approach(keys, at, call);
    (change === 'down' ? assertPressesReal : assertSameAtReal)(tools, record, point, call);
    if (change === 'down') assertMayPoint(judgedWindow(record, call), point);
    else assertLiesAt(judgedWindow(record, call), point);
    await keys.whileReal(
      (held) => sendMouseEvents([...(at === null ? [] : [moveEvent(at)]), buttonEvent('left', change)], held),
      call,
    );
    const info = { owner: call.owner, input: HELD_LEFT, hwnd: null };
    if (change === 'down') tools.held.add(info, () => sendMouseEvents([buttonEvent('left', 'up')]));
    else tools.held.remove(info.owner, null, HELD_LEFT);
    return {
      value: true,
      outcome: outcomeOf(witness, 'input', await effectsOfReal(tools, looked, deadline), `button ${change}`, {
        looked,
      }),
    };
  }
  const bound = Number(record.hwnd);
  const followed = followFocus(record, witness, call, deadline);
  let evidence: Evidence[] = [];
  let looked: StateBefore | null = null;
  // Mouse capture: the window that received the button down receives the button up, wherever the pointer is by
  // then.
  const holder = tools.held.of(call.owner).find((each) => each.input === HELD_LEFT && each.hwnd !== null);
  if (change === 'up' && holder !== undefined) {
    const hwnd = Number(holder.hwnd);
    const client = mousePoint(hwnd, point);
    assertSameAt(tools, record, { at: point, hwnd }, call);
    tools.held.remove(call.owner, holder.hwnd, HELD_LEFT);
    if (client !== null) {
      const target: MouseTarget = {
        hwnd,
        thread: threadOf(hwnd).thread,
        kind: kindOfWindow(hwnd),
        foundBy: 'window itself',
        client,
      };
      looked = await readBefore(tools, record, { target, at: point }, call, { hasPicture: false, isClick: true });
      postMouseMessage(hwnd, WM_LBUTTONUP, flags, packPoint(client.x, client.y));
      evidence = await effectsOfInput(tools, looked, deadline);
    }
  } else {
    const target = findMouseTarget(bound, point);
    assertCarried(target.hwnd, 'click');
    if (change === 'down') activateDocument(bound, target.hwnd);
    looked = await readBefore(tools, record, { target, at: point }, call, { hasPicture: false, isClick: true });
    assertSameAt(tools, record, { at: point, hwnd: target.hwnd }, call);
    if (change === 'down') tools.focus.remember(bound, target.hwnd, call.owner, point);
    postMove(target, flags);
    postButton(target, 'left', change, flags);
    if (change === 'down') {
      tools.held.add({ owner: call.owner, input: HELD_LEFT, hwnd: String(target.hwnd) }, () => {
        postMouseMessage(target.hwnd, WM_LBUTTONUP, 0, packPoint(target.client.x, target.client.y));
      });
    }
    evidence = await effectsOfInput(tools, looked, deadline);
  }
  tools.pointerOf(call.owner).place(record, point);
  return {
    value: true,
    outcome: await followed(outcomeOf(witness, 'posted', evidence, `button ${change}`, { looked })),
  };
}
