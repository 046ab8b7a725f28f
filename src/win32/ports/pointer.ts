/**
 * The pointer topic on Windows: messages to the child under a point of the bound window, or real input if requested.
 */
import type { BindingRecord } from '../../contract/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Point } from '../../contract/geometry.ts';
import { parseChord } from '../../contract/keys.ts';
import type { DeliveryRung, Evidence, Outcome } from '../../contract/outcome.ts';
import type { CallContext, DeliveryMode, Done, MouseButton, PointerPort } from '../../desktop/index.ts';
import { WM_LBUTTONUP } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { InputOptions } from './keyboard.ts';
import { judgedWindow } from '../input/judged-window.ts';
import { pressForeground } from '../input/keyboard-foreground.ts';
import {
  assertLiesAt,
  assertMayPoint,
  buttonEvent,
  moveEvent,
  sendMouseEvents,
  wheelEvents,
} from '../input/mouse-foreground.ts';
import { AimedMark } from '../input/aimed-mark.ts';
import { followFocus } from '../evidence/late-foreground.ts';
import {
  effectsSince,
  modifierFlags,
  postButton,
  postClicks,
  postDrag,
  postMove,
  postWheel,
  untilTurned,
} from '../input/mouse-posted.ts';
import { look, type SeenState } from '../evidence/chord-effects.ts';
import { resolveAll } from '../input/chords-background.ts';
import { isInFront, PERSON_QUIET_MS, withKeyState } from '../input/key-state.ts';
import { posting, quietMoment } from '../windows/person.ts';
import { findMouseTarget, packPoint, type MouseTarget } from '../input/mouse-target.ts';
import { ShownEffects } from '../evidence/shown-effects.ts';
import { kindOfWindow } from '../elements/focus/text-target.ts';
import { threadOf } from '../windows/ask.ts';
import { activateDocument } from '../elements/documents.ts';
import type { ControlKind } from '../windows/classes.ts';
import { describeNode } from '../elements/tree.ts';
import { windowDetails } from '../evidence/window-changes.ts';
import { describeWindow } from '../elements/window-name.ts';
import { rootOf } from '../windows/window-info.ts';
import type { Win32Services } from './services.ts';
import { Deadline, pause } from '../windows/waiting.ts';
import { mousePoint } from '../elements/mouse-point.ts';
import { toMessagePoint } from '../windows/dpi.ts';
import { cursorPosition, startWitness, type Witness } from '../windows/witness.ts';

const HELD_LEFT = 'mouse-left';
/** A click into one of these serves to focus it, or to choose in it. */
const SHOWS_BY_FOCUS: ReadonlySet<ControlKind> = new Set([
  'edit',
  'rich-edit',
  'combo-box',
  'list-box',
  'list-view',
  'tree-view',
  'tab',
]);

/** The state before input. */
interface Looked {
  readonly target: MouseTarget;
  readonly shown: ShownEffects | null;
  readonly before: SeenState;
  /** What the system reported as focused; 0 if nothing. */
  readonly focused: number;
  /** To be called once the program has processed the input. */
  readonly onTaken: () => void;
  /** The mark that a click is for; null for other input, and if no mark is under the point. */
  readonly mark: AimedMark | null;
}

export function createPointerPort(services: Win32Services, { held, focus, trees }: InputOptions): PointerPort {
  /**
   * Each owner's pointer position on its bound window, screen pixels: nothing moves the real cursor in the background.
   */
  const virtual = services.ownerState<{ at: Point | null }>(() => ({ at: null }));

  const isReal = (record: BindingRecord | null, delivery: DeliveryMode): record is null =>
    delivery === 'foreground' || record === null;
  const here = (record: BindingRecord | null, delivery: DeliveryMode, call: CallContext): Point => {
    const at = isReal(record, delivery) ? cursorPosition() : virtual.get(call.owner).at;
    if (at === null)
      throw new UiaHostError('state_conflict', 'The virtual pointer has no position yet; nothing was sent.', {
        hint: 'Move it first (move-mouse or virtual-mouse), or give a point.',
      });
    return at;
  };
  /**
   * Records the state before input to a point; a custom window gets a move first, so that its hover effect is part of
   * that state.
   */
  const lookAt = async (
    record: BindingRecord,
    target: MouseTarget,
    at: Point,
    call: CallContext,
    { isMoved = true, isClick = false } = {},
  ): Promise<Looked> => {
    if (isMoved && target.kind === 'other') postMove(target);
    const shown = await ShownEffects.before(trees ?? null, record, target, at, call);
    const mark = isClick ? AimedMark.under(target, call) : null;
    return {
      target,
      shown,
      mark,
      before: look(target, Number(record.hwnd)),
      focused: focus.told(Number(record.hwnd)),
      onTaken: posting(),
    };
  };
  /**
   * The effect of the input. A field or list that received the focus was reached; for a button that does not count as
   * pressed.
   */
  const effectsSeen = async (
    { target, shown, before, focused, onTaken, mark }: Looked,
    call: CallContext,
    deadline: Deadline,
  ): Promise<Evidence[]> => {
    const evidence = await effectsSince(before, target, call, deadline, shown, onTaken);
    if (mark !== null) {
      await untilTurned(mark, target, call, deadline);
      return mark.with(evidence);
    }
    const now = focus.told(before.bound);
    if (evidence.length > 0 || !SHOWS_BY_FOCUS.has(target.kind) || now !== target.hwnd || now === focused)
      return evidence;
    return [{ kind: 'focus', before: focused === 0 ? null : describeWindow(focused), after: describeWindow(now) }];
  };
  const tell = (
    witness: Witness,
    delivery: DeliveryRung,
    evidence: readonly Evidence[],
    reason: string,
    more: { effect?: Outcome['effect']; looked?: Looked | null } = {},
  ): Outcome => {
    const { looked = null } = more;
    const details = looked === null ? {} : windowDetails(evidence, looked.before.bound, looked.before.owner);
    return witness.outcome({
      effect: more.effect ?? ((looked?.mark?.confirms(evidence) ?? evidence.length > 0) ? 'confirmed' : 'unverified'),
      delivery,
      evidence,
      attempts: [{ rung: delivery, result: 'delivered', reason }],
      ...(Object.keys(details).length === 0 ? {} : { details }),
    });
  };
  /**
   * Points are bound to what was judged there, as refs are to their elements. Errors: state_conflict; nothing was
   * pressed.
   */
  const assertSame = (
    record: BindingRecord | null,
    at: Point,
    hwnd: number,
    call: CallContext,
    end: 'target' | 'start' = 'target',
  ): void => {
    const judged = call.judged?.[end];
    const window = judged?.window ?? record;
    if (judged === undefined || judged === null || window === null || trees === undefined) return;
    const now = trees.changedAt(window, at, hwnd, judged.element, call);
    if (now === null) return;
    throw new UiaHostError(
      'state_conflict',
      `At ${at.x},${at.y} there is now ${now}, not what was judged there (${judged.element === null ? 'no identifiable element' : describeNode(judged.element)}); nothing was pressed.`,
      {
        hint: 'Take a new snapshot or screenshot, then aim at what is there now.',
      },
    );
  };
  const assertSameReally = (
    record: BindingRecord | null,
    at: Point,
    call: CallContext,
    end: 'target' | 'start' = 'target',
  ): void => assertSame(record, at, user32.WindowFromPoint(at), call, end);
  /** Real input is verified like posted input; if no window is bound, none is read. */
  const lookReally = async (
    record: BindingRecord | null,
    at: Point,
    call: CallContext,
    isClick = false,
  ): Promise<Looked | null> => {
    const hwnd = record === null ? 0 : user32.WindowFromPoint(at);
    if (record === null || hwnd === 0) return null;
    const client = toMessagePoint(hwnd, at) ?? { x: 0, y: 0 };
    return lookAt(
      record,
      { hwnd, thread: threadOf(hwnd).thread, kind: kindOfWindow(hwnd), foundBy: 'window itself', client },
      at,
      call,
      { isMoved: false, isClick },
    );
  };
  const seenReally = async (looked: Looked | null, call: CallContext, deadline: Deadline): Promise<Evidence[]> =>
    looked === null ? [] : effectsSeen(looked, call, deadline);

  return {
    async cursor() {
      const at = cursorPosition();
      if (at === null)
        throw new UiaHostError(
          'desktop_unavailable',
          'Another desktop has the input (secure desktop or lock screen), so the cursor position cannot be read.',
        );
      return at;
    },

    position: async (record, delivery, call) =>
      isReal(record, delivery) ? cursorPosition() : virtual.get(call.owner).at,

    async move(record, to, delivery, call): Promise<Done<boolean>> {
      const witness = startWitness();
      if (isReal(record, delivery)) {
        assertMayPoint(judgedWindow(record, call), to);
        sendMouseEvents([moveEvent(to)]);
        await pause(5, call, 'delivered');
        const at = cursorPosition();
        const isThere = at !== null && Math.abs(at.x - to.x) <= 1 && Math.abs(at.y - to.y) <= 1;
        return {
          value: isThere,
          outcome: tell(
            witness,
            'input',
            isThere ? [{ kind: 'cursor', before: witness.cursorBefore, after: at }] : [],
            'cursor moved',
          ),
        };
      }
      const before = virtual.get(call.owner).at;
      const evidence = [{ kind: 'virtual-pointer', before, after: to }];
      const target = targetOfMove(Number(record.hwnd), to);
      virtual.get(call.owner).at = to;
      if (target === null)
        return {
          value: true,
          outcome: tell(
            witness,
            'none',
            evidence,
            'the virtual pointer is there; frames, scroll bars and disabled controls get no move messages',
            { effect: 'unverified' },
          ),
        };
      postMove(target);
      return { value: true, outcome: tell(witness, 'posted', evidence, 'move message', { effect: 'unverified' }) };
    },

    async click(record, at, options, call): Promise<Done<boolean>> {
      const witness = startWitness();
      const deadline = new Deadline(call);
      const modifiers = options.modifiers.map((name) => parseChord(name)[0]!);
      if (modifiers.some((key) => key.modifier === null))
        throw new UiaHostError(
          'invalid_argument',
          '`modifiers` accepts only ctrl, shift, alt and win; nothing was sent.',
        );
      const bound = Number(record?.hwnd ?? 0);
      if (isReal(record, options.delivery)) {
        assertMayPoint(judgedWindow(record, call), at);
        const looked = await lookReally(record, at, call, true);
        assertSameReally(record, at, call);
        assertMayPoint(judgedWindow(record, call), at);
        if (bound !== 0) focus.remember(bound, looked?.target.hwnd ?? bound, at);
        if (modifiers.length > 0) pressForeground(null, modifiers, 'down');
        try {
          sendMouseEvents([moveEvent(at), ...clicks(options.button, options.count)]);
        } finally {
          if (modifiers.length > 0) pressForeground(null, modifiers, 'up');
        }
        return {
          value: true,
          outcome: tell(
            witness,
            'input',
            await seenReally(looked, call, deadline),
            `${options.button} × ${options.count}`,
            { looked },
          ),
        };
      }
      const target = findMouseTarget(bound, at);
      const names = modifiers.map((key) => key.modifier ?? '');
      const flags = modifierFlags(names);
      requireCarried(names, target, bound);
      const followed = followFocus(record, witness, call, deadline);
      const hasAlt = names.includes('alt');
      if (hasAlt) await quietMoment(PERSON_QUIET_MS, deadline, call);
      requireCarried(names, target, bound);
      activateDocument(bound, target.hwnd);
      const looked = await lookAt(record, target, at, call, { isClick: true });
      assertSame(record, at, target.hwnd, call);
      focus.remember(bound, target.hwnd, at);
      const post = (): void => postClicks(target, options.button, options.count, flags);
      if (hasAlt) await withKeyState(target, resolveAll(modifiers, target), [post], call);
      else post();
      virtual.get(call.owner).at = at;
      const how = `${options.button} × ${options.count} to ${describeWindow(target.hwnd)} under the point`;
      return {
        value: true,
        outcome: await followed(
          tell(witness, hasAlt ? 'attached' : 'posted', await effectsSeen(looked, call, deadline), how, { looked }),
        ),
      };
    },

    async button(record, change, at, delivery, call): Promise<Done<boolean>> {
      const witness = startWitness();
      const deadline = new Deadline(call);
      const point = at ?? here(record, delivery, call);
      if (isReal(record, delivery)) {
        if (change === 'down') assertMayPoint(judgedWindow(record, call), point);
        const looked = await lookReally(record, point, call, true);
        assertSameReally(record, point, call);
        if (change === 'down') assertMayPoint(judgedWindow(record, call), point);
        else assertLiesAt(judgedWindow(record, call), point);
        sendMouseEvents([...(at === null ? [] : [moveEvent(at)]), buttonEvent('left', change)]);
        const info = { owner: call.owner, input: HELD_LEFT, hwnd: null };
        if (change === 'down') held.add(info, () => sendMouseEvents([buttonEvent('left', 'up')]));
        else held.remove(info.owner, null, HELD_LEFT);
        return {
          value: true,
          outcome: tell(witness, 'input', await seenReally(looked, call, deadline), `button ${change}`, { looked }),
        };
      }
      const bound = Number(record.hwnd);
      const followed = followFocus(record, witness, call, deadline);
      let evidence: Evidence[] = [];
      let looked: Looked | null = null;
      // Mouse capture: the window that received the button down receives the button up, wherever the pointer is by
      // then.
      const holder = held.of(call.owner).find((each) => each.input === HELD_LEFT && each.hwnd !== null);
      if (change === 'up' && holder !== undefined) {
        const hwnd = Number(holder.hwnd);
        const client = mousePoint(hwnd, point);
        assertSame(record, point, hwnd, call);
        held.remove(call.owner, holder.hwnd, HELD_LEFT);
        if (client !== null) {
          const target: MouseTarget = {
            hwnd,
            thread: threadOf(hwnd).thread,
            kind: kindOfWindow(hwnd),
            foundBy: 'window itself',
            client,
          };
          looked = await lookAt(record, target, point, call, { isMoved: false, isClick: true });
          user32.PostMessageW(hwnd, WM_LBUTTONUP, 0, packPoint(client.x, client.y));
          evidence = await effectsSeen(looked, call, deadline);
        }
      } else {
        const target = findMouseTarget(bound, point);
        if (change === 'down') activateDocument(bound, target.hwnd);
        looked = await lookAt(record, target, point, call, { isClick: true });
        assertSame(record, point, target.hwnd, call);
        if (change === 'down') focus.remember(bound, target.hwnd, point);
        postMove(target);
        postButton(target, 'left', change);
        if (change === 'down') {
          held.add({ owner: call.owner, input: HELD_LEFT, hwnd: String(target.hwnd) }, () => {
            user32.PostMessageW(target.hwnd, WM_LBUTTONUP, 0, packPoint(target.client.x, target.client.y));
          });
        }
        evidence = await effectsSeen(looked, call, deadline);
      }
      virtual.get(call.owner).at = point;
      return {
        value: true,
        outcome: await followed(tell(witness, 'posted', evidence, `button ${change}`, { looked })),
      };
    },

    async drag(record, from, to, delivery, call): Promise<Done<boolean>> {
      const witness = startWitness();
      const deadline = new Deadline(call);
      const start = from ?? here(record, delivery, call);
      if (isReal(record, delivery)) {
        // Both ends were judged in this window.
        assertMayPoint(judgedWindow(record, call, 'start'), start);
        assertMayPoint(judgedWindow(record, call), to);
        const looked = await lookReally(record, start, call);
        assertSameReally(record, to, call);
        assertSameReally(record, start, call, 'start');
        assertMayPoint(judgedWindow(record, call), to);
        assertMayPoint(judgedWindow(record, call, 'start'), start);
        await dragReal(start, to, call);
        return {
          value: true,
          outcome: tell(witness, 'input', await seenReally(looked, call, deadline), 'real drag', { looked }),
        };
      }
      const bound = Number(record.hwnd);
      const end = findMouseTarget(bound, to, true);
      const followed = followFocus(record, witness, call, deadline);
      const target = findMouseTarget(bound, start);
      activateDocument(bound, target.hwnd);
      const looked = await lookAt(record, target, start, call);
      assertSame(record, to, end.hwnd, call);
      assertSame(record, start, target.hwnd, call, 'start');
      focus.remember(bound, target.hwnd, start);
      await postDrag(target, to, call);
      virtual.get(call.owner).at = to;
      return {
        value: true,
        outcome: await followed(
          tell(
            witness,
            'posted',
            await effectsSeen(looked, call, deadline),
            'down, moves and up to the window under the start',
            { looked },
          ),
        ),
      };
    },

    async wheel(record, at, notches, delivery, call): Promise<Done<boolean>> {
      const witness = startWitness();
      const deadline = new Deadline(call);
      if (isReal(record, delivery)) {
        assertMayPoint(judgedWindow(record, call), at);
        const looked = await lookReally(record, at, call);
        assertMayPoint(judgedWindow(record, call), at);
        sendMouseEvents([moveEvent(at), ...wheelEvents(notches)]);
        return {
          value: true,
          outcome: tell(witness, 'input', await seenReally(looked, call, deadline), 'real wheel', { looked }),
        };
      }
      const bound = Number(record.hwnd);
      const followed = followFocus(record, witness, call, deadline);
      const target = findMouseTarget(bound, at, true);
      const scroller = trees?.scrollerAt(record, at, call) ?? null;
      const positions = scroller?.positions() ?? null;
      const looked = await lookAt(record, target, at, call, { isMoved: false });
      if (notches.vertical !== 0) postWheel(target, at, notches.vertical, false);
      if (notches.horizontal !== 0) postWheel(target, at, notches.horizontal, true);
      virtual.get(call.owner).at = at;
      const evidence = await effectsSeen(looked, call, deadline);
      const outcome = tell(
        witness,
        'posted',
        evidence,
        `wheel messages to ${describeWindow(target.hwnd)} under the point`,
        { looked },
      );
      const scrolled =
        evidence.length > 0 || scroller === null || positions === null
          ? null
          : await scroller.scroll(positions, notches);
      return {
        value: true,
        outcome: await followed(
          scrolled === null
            ? outcome
            : witness.outcome({ ...scrolled, attempts: [...outcome.attempts, ...scrolled.attempts] }),
        ),
      };
    },
  };
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

/** Errors: unsupported for modifiers that cannot be carried to a window in the background. */
function requireCarried(modifiers: readonly string[], target: MouseTarget, bound: number): void {
  if (modifiers.includes('win')) {
    throw new UiaHostError(
      'unsupported',
      'The Windows key belongs to the system: neither mouse messages nor the key state carry it to a program in the background. Nothing was sent.',
      { hint: 'Leave it out, or use delivery: "foreground".' },
    );
  }
  if (modifiers.includes('alt') && isInFront(target, bound)) {
    throw new UiaHostError(
      'unsupported',
      'Alt with a click is carried by the key state, which belongs to the person while the program is in front; nothing was sent.',
      { hint: 'Use delivery: "foreground", which clicks and presses for real.' },
    );
  }
}

function clicks(button: MouseButton, count: number) {
  return Array.from({ length: count }, () => [buttonEvent(button, 'down'), buttonEvent(button, 'up')]).flat();
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
