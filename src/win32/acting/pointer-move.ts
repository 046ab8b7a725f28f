/** Moves the real cursor or the virtual pointer of a bound window, and turns the wheel there. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { isCarried } from '../../contract/ways/receivers.ts';
import type { CallContext, DeliveryMode, Done, PointerPort, Pointing } from '../../desktop/index.ts';
import { judgedWindow } from '../input/judged-window.ts';
import { sendMouseEvents } from '../exits/input.ts';
import { assertMayPoint, moveEvent, wheelEvents } from '../input/mouse-foreground.ts';
import { HeldModifiers } from '../input/held-modifiers.ts';
import { postMove, postWheel } from '../input/mouse-posted.ts';
import { findMouseTarget, type MouseTarget } from '../input/mouse-target.ts';
import { quietMoment, YIELD_MS } from '../windows/person.ts';
import { assertCarried, toolkitOf } from '../windows/toolkit.ts';
import { Deadline, pause } from '../windows/waiting.ts';
import { cursorPosition, startWitness } from '../windows/witness.ts';
import {
  approach,
  assertSameAt,
  assertSameAtReal,
  effectsOfInput,
  effectsOfReal,
  isReal,
  outcomeOf,
  readBefore,
  readBeforeReal,
  type PointerTools,
} from './pointer-target.ts';
import { followFocus } from '../evidence/late-foreground.ts';
import { windowName } from '../elements/tree/text.ts';

const isNear = (at: Point | null, to: Point): boolean =>
  at !== null && Math.abs(at.x - to.x) <= 1 && Math.abs(at.y - to.y) <= 1;

export async function movePointer(
  tools: PointerTools,
  record: BindingRecord | null,
  to: Point,
  { delivery, modifiers = [] }: Pointing,
  call: CallContext,
): Promise<Done<boolean>> {
  const witness = startWitness();
  const held = new HeldModifiers(modifiers, false);
  if (isReal(record, delivery)) {
    await quietMoment(YIELD_MS, new Deadline(call), call);
    assertMayPoint(judgedWindow(record, call), to);
    await held.whileReal((keys) => sendMouseEvents([moveEvent(to)], keys), call);
    await pause(5, call, 'delivered');
    const at = cursorPosition();
    const isThere = isNear(at, to);
    return {
      value: isThere,
      outcome: outcomeOf(
        witness,
        'input',
        isThere ? [{ kind: 'cursor', before: witness.cursorBefore, after: at }] : [],
        'cursor moved',
        isThere && isNear(witness.cursorBefore, to) ? { effect: 'none' } : {},
      ),
    };
  }
  const before = tools.pointerOf(call.owner).at;
  const evidence = [{ kind: 'virtual-pointer', before, after: to }];
  const target = targetOfMove(Number(record.hwnd), to);
  tools.pointerOf(call.owner).place(record, to);
  if (target === null || !isCarried(toolkitOf(target.hwnd), 'hover'))
    return {
      value: true,
      outcome: outcomeOf(
        witness,
        'none',
        evidence,
        target === null
          ? 'the virtual pointer is there; frames, scroll bars and disabled controls get no move messages'
          : 'the virtual pointer is there; the program follows the real one alone, so no message was sent',
        { effect: 'unverified' },
      ),
    };
  postMove(target, held.flags);
  return { value: true, outcome: outcomeOf(witness, 'posted', evidence, 'move message', { effect: 'unverified' }) };
}

/** The window that a pointer moved there passes over; null if it takes no move messages. */
function targetOfMove(bound: number, to: Point): MouseTarget | null {
  try {
    return findMouseTarget(bound, to);
  } catch (error) {
    if (error instanceof UiaHostError && error.code !== 'window_gone' && error.code !== 'window_hung') return null;
    throw error;
  }
}

/**
 * The same, and what the window shows under the pointer afterwards. A program that follows the real cursor instead of
 * its messages takes the highlight back: then nothing is confirmed.
 * Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-trackmouseevent
 */
export async function hoverPointer(
  tools: PointerTools,
  record: BindingRecord,
  at: Point,
  delivery: DeliveryMode,
  call: CallContext,
): Promise<Done<boolean>> {
  if (isReal(record, delivery)) {
    const deadline = new Deadline(call);
    await quietMoment(YIELD_MS, deadline, call);
    const looked = await readBeforeReal(tools, record, at, call);
    assertSameAtReal(tools, record, at, call);
    const moved = await movePointer(tools, record, at, { delivery }, call);
    const seen = await effectsOfReal(tools, looked, deadline);
    return { ...moved, outcome: { ...moved.outcome, evidence: [...moved.outcome.evidence, ...seen] } };
  }
  const deadline = new Deadline(call);
  const bound = Number(record.hwnd);
  const target = targetOfMove(bound, at);
  if (target !== null) assertCarried(target.hwnd, 'hover');
  const looked = target === null ? null : await readBefore(tools, record, { target, at }, call, { pointer: 'moves' });
  if (target !== null) assertSameAt(tools, record, { at, hwnd: target.hwnd }, call);
  const { value, outcome } = await movePointer(tools, record, at, { delivery }, call);
  const seen = looked === null ? [] : await effectsOfInput(tools, looked, deadline);
  const isSeen = seen.length > 0;
  return {
    value,
    outcome: { ...outcome, effect: isSeen ? 'confirmed' : outcome.effect, evidence: [...outcome.evidence, ...seen] },
  };
}

/** Turns the wheel at a point, or scrolls through UI Automation where a program ignores wheel messages. */
export async function turnWheel(
  tools: PointerTools,
  record: BindingRecord | null,
  { at, notches }: { readonly at: Point; readonly notches: Parameters<PointerPort['wheel']>[2] },
  { delivery, modifiers = [] }: Pointing,
  call: CallContext,
): Promise<Done<boolean>> {
  const witness = startWitness();
  const deadline = new Deadline(call);
  const held = new HeldModifiers(modifiers, false);
  if (isReal(record, delivery)) {
    await quietMoment(YIELD_MS, deadline, call);
    assertMayPoint(judgedWindow(record, call), at);
    const looked = await readBeforeReal(tools, record, at, call);
    await approach(held, at, call);
    assertMayPoint(judgedWindow(record, call), at);
    await held.whileReal((keys) => sendMouseEvents([moveEvent(at), ...wheelEvents(notches)], keys), call);
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
  // A pattern scrolls without keys.
  const scroller = held.isNone ? (tools.trees?.scrollerAt(record, at, call) ?? null) : null;
  if (scroller === null) assertCarried(target.hwnd, 'wheel');
  const isTaken = isCarried(toolkitOf(target.hwnd), 'wheel');
  const positions = scroller?.positions() ?? null;
  const looked = await readBefore(tools, record, { target, at }, call, { pointer: 'stays' });
  if (isTaken) postWheel(target, at, notches, held.flags);
  tools.pointerOf(call.owner).place(record, at);
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
