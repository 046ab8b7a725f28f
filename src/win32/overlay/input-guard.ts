/** Tells hardware input from injected input, so that only a person’s press counts on a card. */
import { readMemory } from '../../../native-bindings/library.ts';
import type { RegisteredCallback } from '../../../native-bindings/library.ts';
import {
  HC_ACTION,
  IMO_HARDWARE,
  IMO_INJECTED,
  IMO_SYSTEM,
  LLKHF_INJECTED,
  LLKHF_LOWER_IL_INJECTED,
  LLMHF_INJECTED,
  LLMHF_LOWER_IL_INJECTED,
  SM_CXVIRTUALSCREEN,
  SM_CYVIRTUALSCREEN,
  SM_XVIRTUALSCREEN,
  SM_YVIRTUALSCREEN,
  VK_CONTROL,
  VK_LCONTROL,
  VK_LMENU,
  VK_LSHIFT,
  VK_MENU,
  VK_RCONTROL,
  VK_RMENU,
  VK_RSHIFT,
  VK_SHIFT,
  WH_KEYBOARD_LL,
  WH_MOUSE_LL,
  WM_KEYDOWN,
  WM_KEYUP,
  WM_LBUTTONDOWN,
  WM_LBUTTONUP,
  WM_MOUSEMOVE,
  WM_SYSKEYDOWN,
} from '../../../native-bindings/win32/constants.ts';
import { INPUT_MESSAGE_SOURCE, KBDLLHOOKSTRUCT, MSLLHOOKSTRUCT } from '../../../native-bindings/win32/structs.ts';
import { HookProc, user32 } from '../../../native-bindings/win32/user32.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import type { Point } from '../../contract/geometry.ts';
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
const INJECTED_KEY = LLKHF_INJECTED | LLKHF_LOWER_IL_INJECTED;
/** Source: learn.microsoft.com/windows/win32/api/winuser/ns-winuser-msllhookstruct */
const INJECTED_MOUSE = LLMHF_INJECTED | LLMHF_LOWER_IL_INJECTED;

/** Source: learn.microsoft.com/windows/win32/api/winuser/ne-winuser-input_message_origin_id */
const ORIGINS = { [IMO_HARDWARE]: 'hardware', [IMO_INJECTED]: 'injected', [IMO_SYSTEM]: 'system' } as const;

/** Both of each, and the one that stands for either, by the modifier that they are. */
const MODIFIERS: ReadonlyMap<number, 'ctrl' | 'alt' | 'shift'> = new Map([
  [VK_SHIFT, 'shift'],
  [VK_LSHIFT, 'shift'],
  [VK_RSHIFT, 'shift'],
  [VK_CONTROL, 'ctrl'],
  [VK_LCONTROL, 'ctrl'],
  [VK_RCONTROL, 'ctrl'],
  [VK_MENU, 'alt'],
  [VK_LMENU, 'alt'],
  [VK_RMENU, 'alt'],
]);

/** So long after a program moved the cursor a click may be meant for what was there before. */
const PUSHED_MS = 700;
/** A hook's report stands for a message that comes at most so much later. */
const FRESH_MS = 3000;
/** The hook and the message round a point differently where a monitor is scaled. */
const POINT_SLACK = 2;
const KEPT = 64;

interface Seen extends HookWitness {
  readonly message: 'mouse-down' | 'mouse-up' | 'key-down' | 'key-up';
  readonly key: number;
  readonly point: Point | null;
  /** A device held Ctrl, Alt and Shift. */
  readonly hasChord: boolean;
  readonly at: number;
}

/** Whether this system can tell a person's input from a program's at all. */
export function systemVouching(): Vouching {
  const hindrances: VouchingHindrance[] = [];
  if (!user32.has('GetCurrentInputMessageSource')) hindrances.push('no_input_origin');
  if (windowsVersion().isServer) hindrances.push('server_edition');
  return { canApprove: hindrances.length === 0, hindrances };
}

/**
 * Tells a person's input from a program's by two witnesses: the source that Windows notes for the message being handled,
 * and low-level hooks, whose reports carry a flag for injected input. The hooks live only while a card is shown, since
 * every key and click of the session passes through them. Belongs to the thread that pumps messages.
 */
export class InputGuard implements Disposable {
  readonly #source = INPUT_MESSAGE_SOURCE.alloc();
  readonly #onFault: (error: unknown) => void;
  #seen: Seen[] = [];
  /** Modifiers that a device holds, by virtual-key code. */
  readonly #held = new Set<number>();
  /** Where a device left the cursor, as far as the hooks know; and when a program was last seen to move it. */
  #cursor: Point | null = null;
  #pushedAt = -Infinity;
  #hooks: number[] = [];
  /** Kept as long as the guard: Windows may still be calling one while its hook is taken away. */
  readonly #procedures: ReadonlyArray<readonly [kind: number, procedure: RegisteredCallback]>;

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
    this.#procedures = (
      [
        [WH_MOUSE_LL, this.#onMouse],
        [WH_KEYBOARD_LL, this.#onKey],
      ] as const
    ).map(([kind, look]) => [
      kind,
      HookProc.register((code, wParam, lParam) => {
        try {
          if (code === HC_ACTION) look(wParam, lParam);
        } catch (error) {
          this.#onFault(error);
        }
        return user32.CallNextHookEx(0, code, wParam, lParam);
      }),
    ]);
  }

  /** Sets the hooks anew: Windows takes a hook away without a word when its thread was once too slow. False where it refuses. */
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

  /** Takes the hooks away. */
  rest(): void {
    this.#unhook();
    this.#cursor = null;
    this.#pushedAt = -Infinity;
  }

  /** What devices did up to now vouches for nothing any more: it was meant for what could be seen then. */
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

  /** Judges the button message being handled; `point` in screen pixels. Each report of the hook vouches for one message. */
  judgeMouse(message: 'mouse-down' | 'mouse-up', point: Point): Judgement {
    return this.#judge(message, (seen) => seen.point !== null && isNear(seen.point, point));
  }

  /** Judges the key message being handled. */
  judgeKey(message: 'key-down' | 'key-up', key: number): Judgement {
    return this.#judge(message, (seen) => seen.key === key);
  }

  /**
   * Whether a device pressed this key a moment ago, with Ctrl, Alt and Shift where that is asked: what is left to tell of
   * a hotkey, whose key message never comes, while anyone may post that the hotkey was pressed.
   */
  didDevicePress(key: number, withChord = false): boolean {
    const now = performance.now();
    const last = this.#seen.findLast(
      (seen) => seen.message === 'key-down' && seen.key === key && now - seen.at < FRESH_MS,
    );
    return last !== undefined && !last.isInjected && (last.hasChord || !withChord);
  }

  /** What Windows notes as the source of the message being handled. */
  origin(): InputOrigin {
    if (!user32.has('GetCurrentInputMessageSource')) return 'untold';
    // Input comes through the queue. What is sent may be handled while the source of real input is still noted.
    if (user32.InSendMessageEx(null) !== 0) return 'none';
    if (!user32.GetCurrentInputMessageSource(this.#source)) return 'none';
    return ORIGINS[this.#source.readInt32LE(INPUT_MESSAGE_SOURCE.at.originId) as keyof typeof ORIGINS] ?? 'none';
  }

  [Symbol.dispose](): void {
    this.rest();
    for (const [, procedure] of this.#procedures) procedure[Symbol.dispose]();
  }

  #judge(message: Seen['message'], fits: (seen: Seen) => boolean): Judgement {
    const origin = this.origin();
    const now = performance.now();
    const index = this.#seen.findLastIndex(
      (seen) => seen.message === message && now - seen.at < FRESH_MS && fits(seen),
    );
    const witness = this.#seen[index];
    // What came before it has had its message, or never will.
    if (witness !== undefined) this.#seen.splice(0, index + 1);
    return judgeInput({ origin, isTouch: this.#isTouch(origin) }, witness);
  }

  /** Whether the message being handled was made of touch or pen. `origin` was asked for just before. */
  #isTouch(origin: InputOrigin): boolean {
    const isToldBySource =
      origin !== 'none' &&
      origin !== 'untold' &&
      isTouchDevice(this.#source.readInt32LE(INPUT_MESSAGE_SOURCE.at.deviceType));
    return isToldBySource || isTouchMark(user32.GetMessageExtraInfo());
  }

  #unhook(): void {
    for (const handle of this.#hooks) user32.UnhookWindowsHookEx(handle);
    this.#hooks = [];
    this.#seen = [];
    this.#held.clear();
  }

  readonly #onMouse = (wParam: number, lParam: number): void => {
    if (wParam !== WM_MOUSEMOVE && wParam !== WM_LBUTTONDOWN && wParam !== WM_LBUTTONUP) return;
    const { pt, flags, dwExtraInfo } = MSLLHOOKSTRUCT.read(readMemory(lParam, MSLLHOOKSTRUCT.size));
    const isInjected = (flags & INJECTED_MOUSE) !== 0;
    if (wParam === WM_MOUSEMOVE) {
      // The hook comes before the cursor moves: where it stands now, a device or a program has left it.
      this.#notePush(cursorPosition());
      if (isInjected) this.#pushedAt = performance.now();
      this.#cursor = pt;
      return;
    }
    this.#notePush(pt);
    this.#note({
      message: wParam === WM_LBUTTONDOWN ? 'mouse-down' : 'mouse-up',
      key: 0,
      point: pt,
      isInjected,
      isTouch: isTouchMark(dwExtraInfo),
      isPushed: this.wasCursorPushed,
      hasChord: false,
      at: performance.now(),
    });
  };

  /** Compares where the cursor is with where a device left it. */
  #notePush(now: Point | null): void {
    if (now !== null && this.#cursor !== null && !isNear(now, this.#cursor) && isOnDesktop(this.#cursor))
      this.#pushedAt = performance.now();
    this.#cursor = now ?? this.#cursor;
  }

  readonly #onKey = (wParam: number, lParam: number): void => {
    const { vkCode, flags } = KBDLLHOOKSTRUCT.read(readMemory(lParam, KBDLLHOOKSTRUCT.size));
    const isInjected = (flags & INJECTED_KEY) !== 0;
    const isDown = wParam === WM_KEYDOWN || wParam === WM_SYSKEYDOWN;
    if (!isDown && wParam !== WM_KEYUP && wParam !== WM_KEYUP + 4) return;
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

  #note(seen: Seen): void {
    this.#seen.push(seen);
    if (this.#seen.length > KEPT) this.#seen.splice(0, this.#seen.length - KEPT);
  }
}

function isNear(one: Point, other: Point): boolean {
  return Math.abs(one.x - other.x) <= POINT_SLACK && Math.abs(one.y - other.y) <= POINT_SLACK;
}

/** A hook is told of points past the edge, at which the cursor then does not stand. */
function isOnDesktop({ x, y }: Point): boolean {
  const left = user32.GetSystemMetrics(SM_XVIRTUALSCREEN);
  const top = user32.GetSystemMetrics(SM_YVIRTUALSCREEN);
  return (
    x >= left &&
    y >= top &&
    x < left + user32.GetSystemMetrics(SM_CXVIRTUALSCREEN) &&
    y < top + user32.GetSystemMetrics(SM_CYVIRTUALSCREEN)
  );
}
