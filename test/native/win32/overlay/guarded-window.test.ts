/** The overlay’s windows and messages that others send to them: sign-out, touch and pen. */
import { win32 } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MSG } from '../../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../../native-bindings/win32/user32.ts';
import { coveredBy, GuardedWindow } from '../../../../src/win32/overlay/guarded-window.ts';
import { IndicatorWindow } from '../../../../src/win32/overlay/indicator.ts';
import { LIGHT } from '../../../../src/win32/overlay/theme.ts';
import { OwnWindow, WINDOW_KINDS, type WindowKind } from '../../../../src/win32/overlay/own-window.ts';
import type { OverlayStage } from '../../../../src/win32/overlay/message-pump.ts';

const WM_PAINT = 0x000f;
const WM_QUERYENDSESSION = 0x0011;
const WM_ENDSESSION = 0x0016;
const ENDSESSION_LOGOFF = 0x8000_0000;

const faults: unknown[] = [];
const incidents: string[] = [];
const reached: number[] = [];
const later: Array<() => void> = [];
const stage = {
  pump: {
    later: (work: () => void) => {
      later.push(work);
    },
  },
  fault: (error: unknown) => {
    faults.push(error);
  },
} as unknown as OverlayStage;

const AT = { x: 300, y: 200, width: 200, height: 100 };
let card: GuardedWindow;
beforeAll(() => {
  card = new GuardedWindow({
    stage,
    rect: { x: 300, y: 200, width: 200, height: 100 },
    onMessage: (message) => {
      if (message === WM_PAINT) user32.ValidateRect(card.hwnd, null);
      else reached.push(message);
      return undefined;
    },
    onTampered: (what) => {
      incidents.push(what);
    },
    onLost: (what) => {
      incidents.push(what);
    },
  });
  card.show({ x: 300, y: 200, width: 200, height: 100 });
});
beforeEach(() => {
  reached.length = 0;
});
afterAll(() => card[Symbol.dispose]());

const message = MSG.alloc();
/** Lets in what waits, and has the window look at itself as it does by the clock. */
function settle(): void {
  while (user32.PeekMessageW(message, 0, 0, 0, 1)) user32.DispatchMessageW(message);
  for (const work of later.splice(0)) work();
  card.check();
}

/** The window is where and as it was made, without repair. */
function isUntouched(): void {
  settle();
  expect(user32.IsWindow(card.hwnd)).toBe(true);
  expect(card.problem()).toBeNull();
  expect(incidents).toEqual([]);
  expect(faults).toEqual([]);
}

describe('a person who signs out, restarts or updates', () => {
  it('[overlay.robust] is not held up by a card, which stays unchanged until the session has ended', () => {
    for (const why of [0, 1, ENDSESSION_LOGOFF]) {
      expect(user32.SendMessageW(card.hwnd, WM_QUERYENDSESSION, 0, why)).toBe(1);
      expect(user32.SendMessageW(card.hwnd, WM_ENDSESSION, 0, why)).toBe(0);
    }
    // A program may claim this although nothing ends.
    user32.SendMessageW(card.hwnd, WM_ENDSESSION, 1, 0);
    isUntouched();
  });

  it('nor by the strip on a bound window', () => {
    using strip = new IndicatorWindow({ message: 'uiahost', text: 'uiahost', dpi: 96, colours: LIGHT }, (error) => {
      faults.push(error);
    });
    expect(user32.SendMessageW(strip.hwnd, WM_QUERYENDSESSION, 0, 0)).toBe(1);
    user32.SendMessageW(strip.hwnd, WM_ENDSESSION, 1, 0);
    expect(user32.IsWindow(strip.hwnd)).toBe(true);
    expect(faults).toEqual([]);
  });
});

describe('the host’s own windows', () => {
  const MAKE: Readonly<Record<WindowKind, () => Disposable & { readonly hwnd: number }>> = {
    card: () => new GuardedWindow({ stage, rect: AT, onMessage: () => undefined, onTampered() {}, onLost() {} }),
    strip: () =>
      new IndicatorWindow({ message: 'LOW RISK', text: 'LOW RISK', dpi: 96, colours: LIGHT }, (error) => {
        faults.push(error);
      }),
    icon: () =>
      new OwnWindow({
        name: 'icon',
        title: 'uiahost',
        style: 0x8000_0000,
        extendedStyle: 0x80,
        rect: { x: 0, y: 0, width: 0, height: 0 },
        onMessage: () => undefined,
        onFault: (error) => faults.push(error),
      }),
  };

  it.each(WINDOW_KINDS)('[overlay.own-windows] a %s over a card is a cover, wherever it overlaps', (kind) => {
    expect(coveredBy(card.hwnd, card.rect)).toBeNull();
    using other = MAKE[kind]();
    const { x, y, width, height } = card.rect;
    for (const [left, top, isCover] of [
      [x, y, true],
      [x + width - 1, y + height - 1, true],
      [x - 49, y - 29, true],
      [x + width, y, false],
      [x, y - 30, false],
    ] as const) {
      if ('show' in other) (other as GuardedWindow).show({ x: left, y: top, width: 50, height: 30 });
      else user32.SetWindowPos(other.hwnd, -1, left, top, 50, 30, 0x50); // topmost, shown, inactive
      expect(coveredBy(card.hwnd, card.rect), `${kind} at ${left}, ${top}`).toBe(
        // named by its program, so that a person can close it
        isCover ? win32.basename(process.execPath) : null,
      );
    }
  });
});

describe('touch and pen', () => {
  /** WM_GESTURE, WM_GESTURENOTIFY, WM_TOUCH; WM_POINTERUPDATE to WM_POINTERHWHEEL without WM_POINTERACTIVATE. */
  const KINDS = [0x0119, 0x011a, 0x0240, 0x0245, 0x0246, 0x0247, 0x0249, 0x024a, 0x024c, 0x024d, 0x024e, 0x024f];
  const WM_POINTERACTIVATE = 0x024b;
  const PA_NOACTIVATE = 3;
  const IN_CONTACT = 0x1_2016;

  it('[overlay.hardware] is left to Windows, which makes mouse messages of it: those are judged', () => {
    using left = vi.spyOn(user32, 'DefWindowProcW');
    for (const kind of KINDS) user32.SendMessageW(card.hwnd, kind, 1, 0);
    expect(left.mock.calls.map(([, kind]) => kind).filter((kind) => KINDS.includes(kind))).toEqual(KINDS);
    expect(user32.SendMessageW(card.hwnd, WM_POINTERACTIVATE, 1, 0)).toBe(PA_NOACTIVATE);
    isUntouched();
  });

  it('[overlay.robust] ignores forged messages', () => {
    const foreground = user32.GetForegroundWindow();
    for (const kind of [...KINDS, WM_POINTERACTIVATE]) {
      for (const wParam of [0, 1, 7, IN_CONTACT, 0xffff_ffff]) {
        for (const lParam of [0, 1, (250 << 16) | 400, 0x7fff_ffff]) {
          user32.SendMessageW(card.hwnd, kind, wParam, lParam);
          user32.PostMessageW(card.hwnd, kind, wParam, lParam);
        }
      }
    }
    isUntouched();
    // No press, no release, no key, no command has come to the card.
    expect(reached).toEqual([]);
    expect(user32.GetForegroundWindow()).toBe(foreground);
  });
});
