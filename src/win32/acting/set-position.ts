/** Sliders, spinners, scroll bars and IP addresses: sets a number, with the notification that setting it by hand sends. */
import {
  IPM_SETADDRESS,
  SBM_GETPOS,
  SBM_SETPOS,
  SBS_VERT,
  SB_ENDSCROLL,
  SB_THUMBPOSITION,
  SB_THUMBTRACK,
  TBM_GETPOS,
  TBM_GETRANGEMAX,
  TBM_GETRANGEMIN,
  TBM_SETPOS,
  TBS_VERT,
  TB_ENDTRACK,
  TB_THUMBPOSITION,
  TB_THUMBTRACK,
  UDM_GETPOS32,
  UDM_SETPOS32,
  UDS_HORZ,
  WM_HSCROLL,
  WM_VSCROLL,
} from '../../../native-bindings/win32/constants.ts';
import type { Attempt } from '../../contract/outcome.ts';
import { change, notify } from '../exits/messages.ts';
import { Asker } from '../windows/ask.ts';
import type { ControlKind } from '../windows/classes.ts';
import { kindOfWindow, parentOf, readWindowInfo } from '../windows/window-info.ts';
import { delivered, failed, notApplicable, refused } from '../elements/sources/rungs.ts';
import type { ElementTarget } from '../elements/finding/element-target.ts';

const POSITION_MS = 2000;

/** The message that returns a control's position; null for controls without one. */
export function positionMessage(kind: ControlKind): number | null {
  return kind === 'track-bar'
    ? TBM_GETPOS
    : kind === 'up-down'
      ? UDM_GETPOS32
      : kind === 'scroll-bar'
        ? SBM_GETPOS
        : null;
}

/** As a decimal number; null if it was not answered. */
export function readPosition(hwnd: number, message: number): string | null {
  const position = new Asker(POSITION_MS).ask(hwnd, message);
  return position === null ? null : String(position | 0);
}

/** An IPv4 address as the control's message has it; null if the text is none. */
function addressNumber(text: string): number | null {
  const fields = text.trim().split('.');
  const isWhole = fields.length === 4 && fields.every((field) => /^\d{1,3}$/.test(field) && Number(field) <= 255);
  return isWhole ? fields.reduce((whole, field) => whole * 256 + Number(field), 0) : null;
}

/** Its fields notify. Source: learn.microsoft.com/windows/win32/controls/ipm-setaddress */
function setAddress(asker: Asker, hwnd: number, text: string): Attempt {
  const address = addressNumber(text);
  if (address === null) return refused('message', 'it takes an IPv4 address such as 192.0.2.7');
  return change(asker, hwnd, IPM_SETADDRESS, 0, address) === null
    ? failed('message', 'the control did not answer')
    : delivered('message', 'IPM_SETADDRESS, whose fields notify by themselves');
}

/** Source: learn.microsoft.com/windows/win32/controls/tbm-setpos, .../udm-setpos32, .../sbm-setpos: none of them notifies by itself. */
export function setPosition(target: ElementTarget, text: string): Attempt {
  if (target.node.locator.kind !== 'window') return notApplicable('message', 'not a control with a position');
  const info = readWindowInfo(target.node.hwnd);
  if (info === null) return failed('message', 'the control is gone');
  const kind = kindOfWindow(info.hwnd, info.className);
  if (kind === 'ip-address') return setAddress(new Asker(target.deadline.share(POSITION_MS)), info.hwnd, text);
  if (kind !== 'track-bar' && kind !== 'up-down' && kind !== 'scroll-bar')
    return notApplicable('message', 'not a control with a position');
  const position = Number(text.trim());
  if (!/^[+-]?\d+$/.test(text.trim())) return refused('message', 'it takes a whole number');
  const asker = new Asker(target.deadline.share(POSITION_MS));
  const scroll = (isVertical: boolean, code: number, withPosition: boolean): void => {
    notify(
      parentOf(info.hwnd),
      isVertical ? WM_VSCROLL : WM_HSCROLL,
      (withPosition ? ((position & 0xffff) << 16) | code : code) >>> 0,
      info.hwnd,
    );
  };
  if (kind === 'track-bar') {
    const least = asker.ask(info.hwnd, TBM_GETRANGEMIN);
    const most = asker.ask(info.hwnd, TBM_GETRANGEMAX);
    if (least === null || most === null) return failed('message', 'the slider did not answer');
    if (position < least || position > most) return refused('message', `its range is ${least} to ${most}`);
    change(asker, info.hwnd, TBM_SETPOS, 1, position);
    scroll((info.style & TBS_VERT) !== 0, TB_THUMBTRACK, true);
    scroll((info.style & TBS_VERT) !== 0, TB_THUMBPOSITION, true);
    scroll((info.style & TBS_VERT) !== 0, TB_ENDTRACK, false);
    return asker.ask(info.hwnd, TBM_GETPOS) === position
      ? delivered('message', 'TBM_SETPOS and WM_HSCROLL')
      : failed('message', 'the slider did not accept the position');
  }
  if (kind === 'up-down') {
    change(asker, info.hwnd, UDM_SETPOS32, 0, position);
    if (asker.ask(info.hwnd, UDM_GETPOS32) !== position) return refused('message', 'the number is outside its range');
    scroll((info.style & UDS_HORZ) === 0, SB_THUMBPOSITION, true);
    scroll((info.style & UDS_HORZ) === 0, SB_ENDSCROLL, false);
    return delivered('message', 'UDM_SETPOS32 and WM_VSCROLL');
  }
  change(asker, info.hwnd, SBM_SETPOS, position, 1);
  if (asker.ask(info.hwnd, SBM_GETPOS) !== position) return refused('message', 'the number is outside its range');
  // A person’s thumb is tracked before it is let go: many programs follow that alone.
  scroll((info.style & SBS_VERT) !== 0, SB_THUMBTRACK, true);
  scroll((info.style & SBS_VERT) !== 0, SB_THUMBPOSITION, true);
  scroll((info.style & SBS_VERT) !== 0, SB_ENDSCROLL, false);
  return delivered('message', 'SBM_SETPOS and WM_HSCROLL');
}
