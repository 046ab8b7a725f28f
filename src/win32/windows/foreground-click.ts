import { INPUT } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { Point } from '../../contract/geometry.ts';
import type { Attempt } from '../../contract/outcome.ts';
import { noteInjected } from '../input/person.ts';
import { virtualDesktop } from './place.ts';

const GA_ROOT = 2;
const INPUT_MOUSE = 0;
const MOUSEEVENTF_MOVE = 0x0001;
const MOUSEEVENTF_LEFTDOWN = 0x0002;
const MOUSEEVENTF_LEFTUP = 0x0004;
const MOUSEEVENTF_VIRTUALDESK = 0x4000;
const MOUSEEVENTF_ABSOLUTE = 0x8000;
const SM_SWAPBUTTON = 23;
const MOUSEEVENTF_RIGHTDOWN = 0x0008;
const MOUSEEVENTF_RIGHTUP = 0x0010;

/**
 * A screen point as SendInput wants it: 0…65535 across the virtual desktop, so that Windows' own division lands on the
 * very pixel. Source: learn.microsoft.com/windows/win32/api/winuser/ns-winuser-mouseinput (remarks)
 */
export function toAbsolute(point: Point, desktop: { x: number; y: number; width: number; height: number }): Point {
  const scale = (at: number, size: number): number => Math.min(65_535, Math.ceil((at * 65_536) / size));
  return { x: scale(point.x - desktop.x, desktop.width), y: scale(point.y - desktop.y, desktop.height) };
}

function mouseInput(events: ReadonlyArray<{ flags: number; x?: number; y?: number }>): Buffer {
  const memory = INPUT.alloc({}, events.length);
  events.forEach(({ flags, x = 0, y = 0 }, index) => {
    INPUT.write(memory, { type: INPUT_MOUSE, mi: { dx: x, dy: y, dwFlags: flags } }, index * INPUT.size);
  });
  return memory;
}

/** A real left click at a screen point, only if nothing lies between it and the window. In one call, so that nothing comes in between. */
export function clickForeground(hwnd: number, at: Point): Attempt {
  const hit = user32.GetAncestor(user32.WindowFromPoint(at), GA_ROOT);
  if (hit !== hwnd) return { rung: 'input', result: 'refused', reason: 'another window lies over the point; nothing was clicked' };
  const target = toAbsolute(at, virtualDesktop());
  const isSwapped = user32.GetSystemMetrics(SM_SWAPBUTTON) !== 0;
  const input = mouseInput([
    { flags: MOUSEEVENTF_MOVE | MOUSEEVENTF_ABSOLUTE | MOUSEEVENTF_VIRTUALDESK, ...target },
    { flags: isSwapped ? MOUSEEVENTF_RIGHTDOWN : MOUSEEVENTF_LEFTDOWN },
    { flags: isSwapped ? MOUSEEVENTF_RIGHTUP : MOUSEEVENTF_LEFTUP },
  ]);
  const sent = user32.SendInput(3, input, INPUT.size);
  noteInjected();
  return sent === 3
    ? { rung: 'input', result: 'delivered', reason: 'SendInput' }
    : { rung: 'input', result: 'failed', reason: `Windows took ${sent} of 3 input events` };
}
