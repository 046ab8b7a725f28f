/** Clicks at a point, moves the pointer of a bound window, turns the wheel there, and drags: at once or as two halves. */
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { isCarried } from '../../contract/ways/receivers.ts';
import type { CallContext, DeliveryMode, Done, PointerPort, Pointing } from '../../desktop/index.ts';
import { judgedWindow } from '../input/keyboard-foreground.ts';
import { type KeyEvent, postMouseMessage, sendMouseEvents } from '../exits/input.ts';
import {
  assertLiesAt,
  assertMayPoint,
  buttonEvent,
  moveEvent,
  wheelEvents,
  clickEvents,
} from '../input/mouse-foreground.ts';
import { HeldModifiers } from './pointer-target.ts';
import { postButton, postDrag, postMove, postWheel, postClicks, pointsTo } from '../input/mouse-posted.ts';
import { type MouseTarget, findMouseTarget, mousePoint } from '../input/mouse-target.ts';
import { YIELD_MS, quietMoment } from '../windows/person.ts';
import { assertCarried, toolkitOf } from '../windows/toolkit.ts';
import { Deadline, pause } from '../windows/waiting.ts';
import { cursorPosition, startWitness } from '../windows/witness.ts';
import {
  HELD_LEFT,
  type PointerTools,
  type StateBefore,
  approach,
  assertPressesReal,
  assertSameAt,
  assertSameAtReal,
  effectsOfInput,
  isReal,
  outcomeOf,
  pointerAt,
  readBefore,
  readBeforeReal,
  answerOf,
} from './pointer-target.ts';
import { beginInput } from '../evidence/late-foreground.ts';
import { windowName } from '../elements/tree/labels.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { packPoint } from '../windows/rects.ts';
import { activateDocument } from '../elements/tree/documents.ts';
import type { ControlKind } from '../windows/classes.ts';
import { rootOf } from '../windows/window-info.ts';
import { WM_LBUTTONUP } from '../../../native-bindings/win32/constants.ts';
import { receiverAt } from '../elements/finding/text-target.ts';
import { requireEnabledWindow } from '../elements/finding/element-target.ts';
import { isFormsButton, tellPressed } from '../drivers/button.ts';

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
    await quietMoment(YIELD_MS, new Deadline(call));
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
    await quietMoment(YIELD_MS, deadline);
    const looked = await readBeforeReal(tools, record, at, call);
    assertSameAtReal(tools, record, at, call);
    const moved = await movePointer(tools, record, at, { delivery }, call);
    const seen = looked === null ? [] : await effectsOfInput(tools, looked, deadline);
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
  const begun = beginInput(record, delivery, call);
  const { witness, deadline, followed } = begun;
  const held = new HeldModifiers(modifiers, false);
  if (isReal(record, delivery)) {
    await quietMoment(YIELD_MS, deadline);
    assertMayPoint(judgedWindow(record, call), at);
    const looked = await readBeforeReal(tools, record, at, call);
    await approach(held, at, call);
    assertMayPoint(judgedWindow(record, call), at);
    await held.whileReal((keys) => sendMouseEvents([moveEvent(at), ...wheelEvents(notches)], keys), call);
    return answerOf(tools, begun, looked, 'input', 'real wheel');
  }
  const bound = Number(record.hwnd);
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
  return followed(
    scrolled === null
      ? outcome
      : witness.outcome({ ...scrolled, attempts: [...outcome.attempts, ...scrolled.attempts] }),
  );
}

/** Lists and trees wait for the drag in a loop of their own, and ask where the real pointer is: nothing tells a drop from none. */
const IN_OWN_LOOP: ReadonlySet<ControlKind> = new Set(['list-box', 'list-view', 'tree-view']);

export async function dragPointer(
  tools: PointerTools,
  record: BindingRecord | null,
  { from, to }: { readonly from: Point | null; readonly to: Point },
  { delivery, modifiers = [] }: Pointing,
  call: CallContext,
): Promise<Done<boolean>> {
  const begun = beginInput(record, delivery, call);
  const { deadline } = begun;
  const held = new HeldModifiers(modifiers, true);
  const start = from ?? pointerAt(tools, record, delivery, call);
  if (isReal(record, delivery)) {
    await quietMoment(YIELD_MS, deadline);
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
    return answerOf(tools, begun, looked, 'input', 'real drag');
  }
  const bound = Number(record.hwnd);
  const end = findMouseTarget(bound, to, true);
  const target = findMouseTarget(bound, start);
  assertCarried(target.hwnd, 'drag');
  if (IN_OWN_LOOP.has(target.kind))
    throw new UiaHostError(
      'unsupported',
      `${windowName(target.hwnd)} begins a drag in a loop of its own, which follows the real pointer; nothing was sent.`,
      { hint: 'Use delivery: "foreground".' },
    );
  await held.assertCarried(target, bound, deadline);
  activateDocument(bound, target.hwnd);
  const looked = await readBefore(tools, record, { target, at: start }, call);
  assertSameAt(tools, record, { at: to, hwnd: end.hwnd }, call);
  assertSameAt(tools, record, { at: start, hwnd: target.hwnd }, call, 'start');
  tools.focus.remember(bound, target.hwnd, call.owner, start);
  await held.whilePosted(target, () => postDrag(target, to, held.flags, call), call);
  tools.pointerOf(call.owner).place(record, to);
  const way = held.needsState ? 'attached' : 'posted';
  return answerOf(tools, begun, looked, way, 'down, moves and up to the window under the start');
}

/** If another window has covered the drop point, the dragged item is released where the drag began. */
async function dragReal(from: Point, to: Point, keys: readonly KeyEvent[], call: CallContext): Promise<void> {
  const receiver = rootOf(user32.WindowFromPoint(to));
  let isElsewhere = false;
  sendMouseEvents([moveEvent(from), buttonEvent('left', 'down')], keys);
  try {
    for (const at of pointsTo(from, to, 12)) {
      sendMouseEvents([moveEvent(at)]);
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
  const begun = beginInput(record, delivery, call);
  const { deadline } = begun;
  const keys = new HeldModifiers(modifiers, false);
  const { flags } = keys;
  const point = at ?? pointerAt(tools, record, delivery, call);
  if (isReal(record, delivery)) {
    if (change === 'down') {
      await quietMoment(YIELD_MS, deadline);
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
    return answerOf(tools, begun, looked, 'input', `button ${change}`);
  }
  const bound = Number(record.hwnd);
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
      const target: MouseTarget = { ...receiverAt(hwnd), client };
      looked = await readBefore(tools, record, { target, at: point }, call, { hasPicture: false, isClick: true });
      postMouseMessage(hwnd, WM_LBUTTONUP, flags, packPoint(client.x, client.y));
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
  }
  tools.pointerOf(call.owner).place(record, point);
  return answerOf(tools, begun, looked, 'posted', `button ${change}`);
}

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
