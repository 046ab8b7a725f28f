/** Tells hardware input from injected input, so that only a person’s press counts on a card. */
import { readMemory, type RegisteredCallback } from '../../../native-bindings/library.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { INPUT_MESSAGE_SOURCE, KBDLLHOOKSTRUCT, MSLLHOOKSTRUCT } from '../../../native-bindings/win32/structs.ts';
import { HookProc, user32 } from '../../../native-bindings/win32/user32.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { rectContains } from '../../contract/element/coordinates.ts';
import type { Point } from '../../contract/element/geometry.ts';
import { virtualDesktop } from '../windows/place.ts';
import { cursorPosition } from '../windows/witness.ts';
import { windowsVersion } from '../system/session.ts';
import {
  isTouchDevice,
  isTouchMark,
  judgeInput,
  type HookWitness,
  type InputOrigin,
  type Judgement,
} from './input-judgement.ts';
import type { Vouching, VouchingHindrance } from './protocol.ts';

/** Source: learn.microsoft.com/windows/win32/api/winuser/ns-winuser-kbdllhookstruct: injected, also from lower integrity. */
const INJECTED_KEY = m.LLKHF_INJECTED | m.LLKHF_LOWER_IL_INJECTED;
/** Source: learn.microsoft.com/windows/win32/api/winuser/ns-winuser-msllhookstruct */
const INJECTED_MOUSE = m.LLMHF_INJECTED | m.LLMHF_LOWER_IL_INJECTED;

/** Source: learn.microsoft.com/windows/win32/api/winuser/ne-winuser-input_message_origin_id */
const ORIGINS = { [m.IMO_HARDWARE]: 'hardware', [m.IMO_INJECTED]: 'injected', [m.IMO_SYSTEM]: 'system' } as const;

/** Virtual-key codes of the modifiers: the neutral, left and right key of each. */
const MODIFIERS: ReadonlyMap<number, 'ctrl' | 'alt' | 'shift'> = new Map([
  [m.VK_SHIFT, 'shift'],
  [m.VK_LSHIFT, 'shift'],
  [m.VK_RSHIFT, 'shift'],
  [m.VK_CONTROL, 'ctrl'],
  [m.VK_LCONTROL, 'ctrl'],
  [m.VK_RCONTROL, 'ctrl'],
  [m.VK_MENU, 'alt'],
  [m.VK_LMENU, 'alt'],
  [m.VK_RMENU, 'alt'],
]);

/** Time after a program moved the cursor in which a click may be meant for its earlier place. */
const PUSHED_MS = 700;
/** A hook's report applies to a message at most this much later. */
const FRESH_MS = 3000;
/** The hook and the message round a point differently on a scaled monitor. */
const POINT_SLACK = 2;
const MAX_REPORTS = 64;

interface SeenInput extends HookWitness {
  readonly message: 'mouse-down' | 'mouse-up' | 'key-down' | 'key-up';
  readonly key: number;
  readonly point: Point | null;
  /** A device held Ctrl, Alt and Shift. */
  readonly hasChord: boolean;
  readonly at: number;
}

/** Whether this system can distinguish a person's input from a program's at all. */
export function systemVouching(): Vouching {
  const hindrances: VouchingHindrance[] = [];
  if (!user32.has('GetCurrentInputMessageSource')) hindrances.push('no_input_origin');
  if (windowsVersion().isServer) hindrances.push('server_edition');
  return { canApprove: hindrances.length === 0, hindrances };
}

/**
 * Distinguishes a person's input from a program's by two witnesses: the source that Windows records for the current message,
 * and low-level hooks, whose reports have a flag for injected input. The hooks are set only while a card is shown, since
 * every key and click of the session passes through them. Belongs to the thread that pumps messages.
 */
export class InputGuard implements Disposable {
  readonly #source = INPUT_MESSAGE_SOURCE.alloc();
  readonly #onFault: (error: unknown) => void;
  /** Called for each button and key that a device presses, wherever, while the hooks are set. */
  onPress: () => void = () => {};
  #seen: SeenInput[] = [];
  /** Modifiers that a device holds, by virtual-key code. */
  readonly #held = new Set<number>();
  /** Where a device left the cursor, as far as the hooks know, and when a program last moved it. */
  #cursor: Point | null = null;
  #pushedAt = -Infinity;
  #hooks: number[] = [];
  /** Live as long as the guard: Windows may still be calling one while its hook is removed. */
  readonly #procedures: ReadonlyArray<readonly [kind: number, procedure: RegisteredCallback]>;

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
    this.#procedures = (
      [
        [m.WH_MOUSE_LL, this.#onMouse],
        [m.WH_KEYBOARD_LL, this.#onKey],
      ] as const
    ).map(([kind, look]) => [
      kind,
      HookProc.register((code, wParam, lParam) => {
        try {
          if (code === m.HC_ACTION) look(wParam, lParam);
        } catch (error) {
          this.#onFault(error);
        }
        return user32.CallNextHookEx(0, code, wParam, lParam);
      }),
    ]);
  }

  /** Sets the hooks, again if need be: Windows silently removes a hook whose thread was too slow. False if Windows refuses. */
  watch(): boolean {
    this.#unhook();
    this.#cursor ??= cursorPosition();
    const module = kernel32.GetModuleHandleW(null);
    for (const [kind, procedure] of this.#procedures) {
      const handle = user32.SetWindowsHookExW(kind, procedure.address, module, 0);
      if (handle === 0) {
        this.rest();
        return false;
      }
      this.#hooks.push(handle);
    }
    return true;
  }

  /** Removes the hooks. */
  rest(): void {
    this.#unhook();
    this.#cursor = null;
    this.#pushedAt = -Infinity;
  }

  /** Drops earlier reports: that input was meant for what was visible then. */
  forget(): void {
    this.#seen = [];
  }

  get isWatching(): boolean {
    return this.#hooks.length > 0;
  }

  /** Whether a program moved the cursor a moment ago: a click may still be meant for where it was. */
  get wasCursorPushed(): boolean {
    return performance.now() - this.#pushedAt < PUSHED_MS;
  }

  /** Judges the current button message; `point` in screen pixels. Each report of the hook counts for one message. */
  judgeMouse(message: 'mouse-down' | 'mouse-up', point: Point): Judgement {
    return this.#judge(message, (seen) => seen.point !== null && isNear(seen.point, point));
  }

  /** Judges the current key message. */
  judgeKey(message: 'key-down' | 'key-up', key: number): Judgement {
    return this.#judge(message, (seen) => seen.key === key);
  }

  /**
   * Whether a device pressed this key a moment ago, with Ctrl, Alt and Shift if required. This is how a hotkey is judged: its
   * key message never arrives, and any program can post WM_HOTKEY.
   */
  didDevicePress(key: number, withChord = false): boolean {
    const now = performance.now();
    const last = this.#seen.findLast(
      (seen) => seen.message === 'key-down' && seen.key === key && now - seen.at < FRESH_MS,
    );
    return last !== undefined && !last.isInjected && (last.hasChord || !withChord);
  }

  /** The source that Windows records for the current message. */
  origin(): InputOrigin {
    if (!user32.has('GetCurrentInputMessageSource')) return 'unknown';
    // Input comes through the queue. A sent message may be handled while the source of real input is still recorded.
    if (user32.InSendMessageEx(null) !== 0) return 'none';
    if (!user32.GetCurrentInputMessageSource(this.#source)) return 'none';
    return ORIGINS[this.#source.readInt32LE(INPUT_MESSAGE_SOURCE.at.originId) as keyof typeof ORIGINS] ?? 'none';
  }

  [Symbol.dispose](): void {
    this.rest();
    for (const [, procedure] of this.#procedures) procedure[Symbol.dispose]();
  }

  #judge(message: SeenInput['message'], fits: (seen: SeenInput) => boolean): Judgement {
    const origin = this.origin();
    const now = performance.now();
    const index = this.#seen.findLastIndex(
      (seen) => seen.message === message && now - seen.at < FRESH_MS && fits(seen),
    );
    const witness = this.#seen[index];
    // Earlier reports have had their messages, or never will.
    if (witness !== undefined) this.#seen.splice(0, index + 1);
    return judgeInput({ origin, isTouch: this.#isTouch(origin) }, witness);
  }

  /** Whether the current message comes from touch or pen. `origin` was read just before. */
  #isTouch(origin: InputOrigin): boolean {
    const isTouchSource =
      origin !== 'none' &&
      origin !== 'unknown' &&
      isTouchDevice(this.#source.readInt32LE(INPUT_MESSAGE_SOURCE.at.deviceType));
    return isTouchSource || isTouchMark(user32.GetMessageExtraInfo());
  }

  #unhook(): void {
    for (const handle of this.#hooks) user32.UnhookWindowsHookEx(handle);
    this.#hooks = [];
    this.#seen = [];
    this.#held.clear();
  }

  readonly #onMouse = (wParam: number, lParam: number): void => {
    const { pt, flags, dwExtraInfo } = MSLLHOOKSTRUCT.read(readMemory(lParam, MSLLHOOKSTRUCT.size));
    const isInjected = (flags & INJECTED_MOUSE) !== 0;
    if (!isInjected && (wParam === m.WM_RBUTTONDOWN || wParam === m.WM_MBUTTONDOWN)) this.onPress();
    if (wParam === m.WM_MOUSEMOVE) {
      // The hook runs before the cursor moves: its present place is where a device or a program left it.
      this.#notePush(cursorPosition());
      if (isInjected) this.#pushedAt = performance.now();
      this.#cursor = pt;
      return;
    }
    if (wParam !== m.WM_LBUTTONDOWN && wParam !== m.WM_LBUTTONUP) return;
    this.#notePush(pt);
    this.#note({
      message: wParam === m.WM_LBUTTONDOWN ? 'mouse-down' : 'mouse-up',
      key: 0,
      point: pt,
      isInjected,
      isTouch: isTouchMark(dwExtraInfo),
      isPushed: this.wasCursorPushed,
      hasChord: false,
      at: performance.now(),
    });
  };

  /** Compares the cursor's place with where a device left it: the hook also reports points beyond the edge, which it never reaches. */
  #notePush(now: Point | null): void {
    if (
      now !== null &&
      this.#cursor !== null &&
      !isNear(now, this.#cursor) &&
      rectContains(virtualDesktop(), this.#cursor)
    )
      this.#pushedAt = performance.now();
    this.#cursor = now ?? this.#cursor;
  }

  readonly #onKey = (wParam: number, lParam: number): void => {
    const { vkCode, flags } = KBDLLHOOKSTRUCT.read(readMemory(lParam, KBDLLHOOKSTRUCT.size));
    const isInjected = (flags & INJECTED_KEY) !== 0;
    const isDown = wParam === m.WM_KEYDOWN || wParam === m.WM_SYSKEYDOWN;
    if (!isDown && wParam !== m.WM_KEYUP && wParam !== m.WM_KEYUP + 4) return;
    if (MODIFIERS.has(vkCode)) {
      if (!isDown) this.#held.delete(vkCode);
      else if (!isInjected) this.#held.add(vkCode);
    }
    const hasChord = new Set([...this.#held].map((key) => MODIFIERS.get(key))).size === 3;
    this.#note({
      message: isDown ? 'key-down' : 'key-up',
      key: vkCode,
      point: null,
      isInjected,
      isTouch: false,
      isPushed: false,
      hasChord,
      at: performance.now(),
    });
  };

  #note(seen: SeenInput): void {
    if (!seen.isInjected && seen.message.endsWith('-down')) this.onPress();
    this.#seen.push(seen);
    if (this.#seen.length > MAX_REPORTS) this.#seen.splice(0, this.#seen.length - MAX_REPORTS);
  }
}

function isNear(one: Point, other: Point): boolean {
  return Math.abs(one.x - other.x) <= POINT_SLACK && Math.abs(one.y - other.y) <= POINT_SLACK;
}
