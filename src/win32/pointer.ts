/** The pointer topic on Windows: messages to the child under a point of the bound window, or real input where that is asked for. */
import type { BindingRecord } from '../contract/binding.ts';
import { UiaHostError } from '../contract/errors.ts';
import type { Point } from '../contract/geometry.ts';
import { parseChord } from '../contract/keys.ts';
import type { DeliveryRung, Evidence, Outcome } from '../contract/outcome.ts';
import type { CallContext, DeliveryMode, Done, MouseButton, PointerPort } from '../desktop/index.ts';
import { user32 } from '../../native-bindings/win32/user32.ts';
import type { InputOptions } from './keyboard.ts';
import { pressForeground } from './input/keyboard-foreground.ts';
import { assertMayPoint, buttonEvent, moveEvent, sendMouseEvents, wheelEvents } from './input/mouse-foreground.ts';
import { followFocus } from './input/late-foreground.ts';
import { effectsSince, modifierFlags, postButton, postClicks, postDrag, postMove, postWheel } from './input/mouse-posted.ts';
import { look } from './input/chord-effects.ts';
import { findMouseTarget, packPoint, type MouseTarget } from './input/mouse-target.ts';
import { ShownEffects } from './input/shown-effects.ts';
import { kindOfWindow } from './input/text-target.ts';
import { threadOf } from './uia/ask.ts';
import { rootOf } from './uia/window-info.ts';
import type { Win32Services } from './services.ts';
import { Deadline, pause } from './waiting.ts';
import { toMessagePoint } from './windows/dpi.ts';
import { cursorPosition, startWitness, type Witness } from './witness.ts';

const WM_LBUTTONUP = 0x0202;
const HELD_LEFT = 'mouse-left';

export function createPointerPort(services: Win32Services, { held, focus, trees }: InputOptions): PointerPort {
  /** Where each owner's pointer is on its bound window, screen pixels: nothing moves the cursor in the background. */
  const virtual = services.ownerState<{ at: Point | null }>(() => ({ at: null }));

  const isReal = (record: BindingRecord | null, delivery: DeliveryMode): record is null => delivery === 'foreground' || record === null;
  const here = (record: BindingRecord | null, delivery: DeliveryMode, call: CallContext): Point => {
    const at = isReal(record, delivery) ? cursorPosition() : virtual.get(call.owner).at;
    if (at === null) throw new UiaHostError('state_conflict', 'The virtual pointer has no position yet; nothing was sent.', { hint: 'Move it first (move-mouse or virtual-mouse), or give a point.' });
    return at;
  };
  /** What is there before input to a point; a window of the program's own gets the pointer first, so that what that shows is part of it. */
  const lookAt = async (record: BindingRecord, target: MouseTarget, at: Point, call: CallContext, isMoved = true) => {
    if (isMoved && target.kind === 'other') postMove(target);
    const shown = await ShownEffects.before(trees ?? null, record, target, at, call);
    return { before: look(target, Number(record.hwnd)), shown };
  };
  const tell = (witness: Witness, delivery: DeliveryRung, evidence: Evidence[], reason: string, effect?: Outcome['effect']): Outcome => witness.outcome({
    effect: effect ?? (evidence.length > 0 ? 'confirmed' : 'unverified'), delivery, evidence, attempts: [{ rung: delivery, result: 'delivered', reason }],
  });

  return {
    async cursor() {
      const at = cursorPosition();
      if (at === null) throw new UiaHostError('desktop_unavailable', 'Another desktop has the input (secure desktop or lock screen), so the cursor cannot be asked for.');
      return at;
    },

    position: async (record, delivery, call) => (isReal(record, delivery) ? cursorPosition() : virtual.get(call.owner).at),

    async move(record, to, delivery, call): Promise<Done<boolean>> {
      const witness = startWitness();
      if (isReal(record, delivery)) {
        assertMayPoint(record, to);
        sendMouseEvents([moveEvent(to)]);
        await pause(5, call, 'delivered');
        const at = cursorPosition();
        const isThere = at !== null && Math.abs(at.x - to.x) <= 1 && Math.abs(at.y - to.y) <= 1;
        return { value: isThere, outcome: tell(witness, 'input', isThere ? [{ kind: 'cursor', before: witness.cursorBefore, after: at }] : [], 'cursor moved') };
      }
      postMove(findMouseTarget(Number(record.hwnd), to));
      const before = virtual.get(call.owner).at;
      virtual.get(call.owner).at = to;
      return { value: true, outcome: tell(witness, 'posted', [{ kind: 'virtual-pointer', before, after: to }], 'move message', 'unverified') };
    },

    async click(record, at, options, call): Promise<Done<boolean>> {
      const witness = startWitness();
      const deadline = new Deadline(call);
      const modifiers = options.modifiers.map((name) => parseChord(name)[0]!);
      if (modifiers.some((key) => key.modifier === null)) throw new UiaHostError('invalid_argument', 'modifiers takes ctrl, shift, alt and win alone; nothing was sent.');
      if (isReal(record, options.delivery)) {
        assertMayPoint(record, at);
        if (modifiers.length > 0) pressForeground(null, modifiers, 'down');
        try {
          sendMouseEvents([moveEvent(at), ...clicks(options.button, options.count)]);
        } finally {
          if (modifiers.length > 0) pressForeground(null, modifiers, 'up');
        }
        return { value: true, outcome: tell(witness, 'input', [], `${options.button} × ${options.count}`) };
      }
      const bound = Number(record.hwnd);
      const target = findMouseTarget(bound, at);
      const flags = modifierFlags(modifiers.map((key) => key.modifier ?? ''));
      const followed = followFocus(record, witness, call, deadline);
      const { before, shown } = await lookAt(record, target, at, call);
      postClicks(target, options.button, options.count, flags);
      virtual.get(call.owner).at = at;
      focus.remember(call.owner, bound, target.hwnd, at);
      const evidence = await effectsSince(before, target, bound, call, deadline, shown);
      return { value: true, outcome: await followed(tell(witness, 'posted', evidence, `${options.button} × ${options.count} to the child under the point`)) };
    },

    async button(record, change, at, delivery, call): Promise<Done<boolean>> {
      const witness = startWitness();
      const deadline = new Deadline(call);
      const point = at ?? here(record, delivery, call);
      if (isReal(record, delivery)) {
        if (change === 'down') assertMayPoint(record, point);
        sendMouseEvents([...(at === null ? [] : [moveEvent(at)]), buttonEvent('left', change)]);
        const info = { owner: call.owner, input: HELD_LEFT, hwnd: null };
        if (change === 'down') held.add(info, () => sendMouseEvents([buttonEvent('left', 'up')]));
        else held.remove(info.owner, null, HELD_LEFT);
        return { value: true, outcome: tell(witness, 'input', [], `button ${change}`) };
      }
      const bound = Number(record.hwnd);
      const followed = followFocus(record, witness, call, deadline);
      let evidence: Evidence[] = [];
      // Capture: the window that got the button down gets the button up, wherever the pointer is by then.
      const holder = held.of(call.owner).find((each) => each.input === HELD_LEFT && each.hwnd !== null);
      if (change === 'up' && holder !== undefined) {
        const hwnd = Number(holder.hwnd);
        const client = toMessagePoint(hwnd, point);
        held.remove(call.owner, holder.hwnd, HELD_LEFT);
        if (client !== null) {
          const target: MouseTarget = { hwnd, thread: threadOf(hwnd).thread, kind: kindOfWindow(hwnd), foundBy: 'window itself', client };
          const { before, shown } = await lookAt(record, target, point, call, false);
          user32.PostMessageW(hwnd, WM_LBUTTONUP, 0, packPoint(client.x, client.y));
          evidence = await effectsSince(before, target, bound, call, deadline, shown);
        }
      } else {
        const target = findMouseTarget(bound, point);
        const { before, shown } = await lookAt(record, target, point, call);
        postMove(target);
        postButton(target, 'left', change);
        if (change === 'down') {
          held.add({ owner: call.owner, input: HELD_LEFT, hwnd: String(target.hwnd) }, () => {
            user32.PostMessageW(target.hwnd, WM_LBUTTONUP, 0, packPoint(target.client.x, target.client.y));
          });
          focus.remember(call.owner, bound, target.hwnd, point);
        }
        evidence = await effectsSince(before, target, bound, call, deadline, shown);
      }
      virtual.get(call.owner).at = point;
      return { value: true, outcome: await followed(tell(witness, 'posted', evidence, `button ${change}`)) };
    },

    async drag(record, from, to, delivery, call): Promise<Done<boolean>> {
      const witness = startWitness();
      const deadline = new Deadline(call);
      const start = from ?? here(record, delivery, call);
      if (isReal(record, delivery)) {
        // Both ends were judged in this window.
        assertMayPoint(record, start);
        assertMayPoint(record, to);
        await dragReal(start, to, call);
        return { value: true, outcome: tell(witness, 'input', [], 'real drag') };
      }
      const bound = Number(record.hwnd);
      findMouseTarget(bound, to, true);
      const followed = followFocus(record, witness, call, deadline);
      const target = findMouseTarget(bound, start);
      const { before, shown } = await lookAt(record, target, start, call);
      await postDrag(target, to, call, () => focus.remember(call.owner, bound, target.hwnd, start));
      virtual.get(call.owner).at = to;
      const evidence = await effectsSince(before, target, bound, call, deadline, shown);
      return { value: true, outcome: await followed(tell(witness, 'posted', evidence, 'down, moves and up to the window under the start')) };
    },

    async wheel(record, at, notches, delivery, call): Promise<Done<boolean>> {
      const witness = startWitness();
      const deadline = new Deadline(call);
      if (isReal(record, delivery)) {
        assertMayPoint(record, at);
        sendMouseEvents([moveEvent(at), ...wheelEvents(notches)]);
        return { value: true, outcome: tell(witness, 'input', [], 'real wheel') };
      }
      const bound = Number(record.hwnd);
      const followed = followFocus(record, witness, call, deadline);
      const target = findMouseTarget(bound, at, true);
      const { before, shown } = await lookAt(record, target, at, call, false);
      if (notches.vertical !== 0) postWheel(target, at, notches.vertical, false);
      if (notches.horizontal !== 0) postWheel(target, at, notches.horizontal, true);
      virtual.get(call.owner).at = at;
      const evidence = await effectsSince(before, target, bound, call, deadline, shown);
      return { value: true, outcome: await followed(tell(witness, 'posted', evidence, 'wheel messages to the child under the point')) };
    },
  };
}

function clicks(button: MouseButton, count: number) {
  return Array.from({ length: count }, () => [buttonEvent(button, 'down'), buttonEvent(button, 'up')]).flat();
}

/** What is picked up is let go where it lay if another window has come to the place where it was to be dropped. */
async function dragReal(from: Point, to: Point, call: CallContext): Promise<void> {
  const receiver = rootOf(user32.WindowFromPoint(to));
  let isElsewhere = false;
  sendMouseEvents([moveEvent(from), buttonEvent('left', 'down')]);
  try {
    const steps = 12;
    for (let step = 1; step <= steps; step += 1) {
      sendMouseEvents([moveEvent({ x: Math.round(from.x + ((to.x - from.x) * step) / steps), y: Math.round(from.y + ((to.y - from.y) * step) / steps) })]);
      await pause(10, call, 'delivered');
    }
    isElsewhere = rootOf(user32.WindowFromPoint(to)) !== receiver;
  } finally {
    sendMouseEvents([...(isElsewhere ? [moveEvent(from)] : []), buttonEvent('left', 'up')]);
  }
  if (isElsewhere) {
    throw new UiaHostError('state_conflict', 'Another window came to the place of the drop; what was picked up was let go where it lay.', { delivery: 'delivered', hint: 'Look again before the next drag.' });
  }
}
