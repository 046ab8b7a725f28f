/** Keyboard, mouse, hooks. Reference: https://learn.microsoft.com/windows/win32/api/winuser/ns-winuser-input */
import { at, bytes, layout } from '../../layout.ts';
import { POINT, RECT } from './geometry.ts';

export const MOUSEINPUT = layout('MOUSEINPUT', {
  dx: 'int32',
  dy: 'int32',
  mouseData: 'uint32',
  dwFlags: 'uint32',
  time: 'uint32',
  dwExtraInfo: 'uintptr',
});
export const KEYBDINPUT = layout('KEYBDINPUT', {
  wVk: 'uint16',
  wScan: 'uint16',
  dwFlags: 'uint32',
  time: 'uint32',
  dwExtraInfo: 'uintptr',
});
/** 40 bytes; `type` 0 = mouse (`mi`), 1 = keyboard (`ki`). */
export const INPUT = layout('INPUT', { type: 'uint32', mi: at(8, MOUSEINPUT), ki: at(8, KEYBDINPUT) });
export const GUITHREADINFO = layout('GUITHREADINFO', {
  cbSize: 'uint32',
  flags: 'uint32',
  hwndActive: 'hwnd',
  hwndFocus: 'hwnd',
  hwndCapture: 'hwnd',
  hwndMenuOwner: 'hwnd',
  hwndMoveSize: 'hwnd',
  hwndCaret: 'hwnd',
  rcCaret: RECT,
});
export const LASTINPUTINFO = layout('LASTINPUTINFO', { cbSize: 'uint32', dwTime: 'uint32' });
export const CURSORINFO = layout('CURSORINFO', {
  cbSize: 'uint32',
  flags: 'uint32',
  hCursor: 'handle',
  ptScreenPos: POINT,
});
export const TRACKMOUSEEVENT = layout('TRACKMOUSEEVENT', {
  cbSize: 'uint32',
  dwFlags: 'uint32',
  hwndTrack: 'hwnd',
  dwHoverTime: 'uint32',
});
/** `originId` 1 = hardware, 2 = injected, 4 = system; 0 = posted or sent. */
export const INPUT_MESSAGE_SOURCE = layout('INPUT_MESSAGE_SOURCE', { deviceType: 'int32', originId: 'int32' });
/** `flags` bit 4 = injected. */
export const KBDLLHOOKSTRUCT = layout('KBDLLHOOKSTRUCT', {
  vkCode: 'uint32',
  scanCode: 'uint32',
  flags: 'uint32',
  time: 'uint32',
  dwExtraInfo: 'uintptr',
});
/** `flags` bit 0 = injected. */
export const MSLLHOOKSTRUCT = layout('MSLLHOOKSTRUCT', {
  pt: POINT,
  mouseData: 'uint32',
  flags: 'uint32',
  time: 'uint32',
  dwExtraInfo: 'uintptr',
});
export const RAWINPUTDEVICELIST = layout('RAWINPUTDEVICELIST', { hDevice: 'handle', dwType: 'uint32' });
export const RAWINPUTDEVICE = layout('RAWINPUTDEVICE', {
  usUsagePage: 'uint16',
  usUsage: 'uint16',
  dwFlags: 'uint32',
  hwndTarget: 'hwnd',
});
export const RAWINPUTHEADER = layout('RAWINPUTHEADER', {
  dwType: 'uint32',
  dwSize: 'uint32',
  hDevice: 'handle',
  wParam: 'uintptr',
});
/** RAWMOUSE and RAWKEYBOARD both follow the header. */
export const RAWINPUT = layout('RAWINPUT', { header: RAWINPUTHEADER, data: bytes(24, 8) });
