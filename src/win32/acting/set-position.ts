/** Sliders, spinners and scroll bars: sets a number as their position, with the notification that moving them sends. */
import {
  SBM_GETRANGE,
  SBM_SETPOS,
  SBS_VERT,
  SB_ENDSCROLL,
  SB_THUMBPOSITION,
  SB_THUMBTRACK,
  TBM_GETRANGEMAX,
  TBM_GETRANGEMIN,
  TBM_SETPOS,
  TBS_VERT,
  TB_ENDTRACK,
  TB_THUMBPOSITION,
  TB_THUMBTRACK,
  UDM_GETRANGE32,
  UDM_SETPOS32,
  UDS_HORZ,
  WM_HSCROLL,
  WM_VSCROLL,
} from '../../../native-bindings/win32/constants.ts';
import { addressOf } from '../../../native-bindings/library.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { Attempt } from '../../contract/outcome.ts';
import { change, notify, setNumber } from '../exits/messages.ts';
import { Asker } from '../windows/ask.ts';
import { kindOfWindow, parentOf, readWindowInfo } from '../windows/window-info.ts';
import { delivered, failed, notApplicable } from '../drivers/ways.ts';
import { RemoteBlocks } from '../elements/tree/remote-memory.ts';
import type { ElementTarget } from '../elements/finding/element-target.ts';

const POSITION_MS = 2000;

/** As a decimal number; null if it was not answered. */
export function readPosition(hwnd: number, message: number): string | null {
  const position = new Asker(POSITION_MS).ask(hwnd, message);
  return position === null ? null : String(position | 0);
}

interface Range {
  readonly least: number;
  readonly most: number;
}

export const unfit = ({ description }: ElementTarget, form: string): UiaHostError =>
  new UiaHostError('invalid_argument', `${description} takes ${form}. It was left unchanged.`);

/** Errors: invalid_argument for a number outside the range; nothing was sent. */
export function requireWithin(target: ElementTarget, position: number, range: Range | null): void {
  if (range !== null && (position < range.least || position > range.most))
    throw unfit(target, `a number from ${range.least} to ${range.most}`);
}

/** Errors: invalid_argument if it took another number. */
function requireSet({ description }: ElementTarget, taken: ReturnType<typeof setNumber>): void {
  if (taken === 'set') return;
  const isBack = taken === 'back';
  throw new UiaHostError(
    'invalid_argument',
    `${description} does not take this number, which is outside its range. ${isBack ? 'It was set back to the number it had.' : 'It may have another number now.'}`,
    { delivery: isBack ? 'not_delivered' : 'delivered' },
  );
}

/** Null where it is not known before a number is set. */
function upDownRange(target: ElementTarget, asker: Asker, hwnd: number): Range | null {
  using blocks = new RemoteBlocks(target.tools.read.remoteControlMemory);
  const memory = blocks.for(hwnd);
  if (memory === null) return null;
  memory.write(0, Buffer.alloc(8));
  if (asker.ask(hwnd, UDM_GETRANGE32, memory.address, memory.address + 4n) === null) {
    memory.abandon();
    return null;
  }
  return rangeOf(memory.read(0, 8));
}

/** A range may be given from its end, as for a spinner that counts down. */
function rangeOf(back: Buffer | null): Range | null {
  if (back === null) return null;
  const [one, other] = [back.readInt32LE(0), back.readInt32LE(4)];
  return { least: Math.min(one, other), most: Math.max(one, other) };
}

function scrollRange(asker: Asker, hwnd: number): Range | null {
  const out = Buffer.alloc(8);
  return asker.ask(hwnd, SBM_GETRANGE, addressOf(out), addressOf(out) + 4n) === null ? null : rangeOf(out);
}

/** Source: learn.microsoft.com/windows/win32/controls/tbm-setpos, .../udm-setpos32, .../sbm-setpos: none of them notifies by itself. */
export function setPosition(target: ElementTarget, text: string): Attempt {
  if (target.node.locator.kind !== 'window') return notApplicable('message', 'not a control with a position');
  const info = readWindowInfo(target.node.hwnd);
  if (info === null) return failed('message', 'the control is gone');
  const kind = kindOfWindow(info.hwnd, info.className);
  if (kind !== 'track-bar' && kind !== 'up-down' && kind !== 'scroll-bar')
    return notApplicable('message', 'not a control with a position');
  const position = Number(text.trim());
  if (!/^[+-]?\d+$/.test(text.trim())) throw unfit(target, 'a whole number');
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
    requireWithin(target, position, { least: least | 0, most: most | 0 });
    change(asker, info.hwnd, TBM_SETPOS, 1, position);
    scroll((info.style & TBS_VERT) !== 0, TB_THUMBTRACK, true);
    scroll((info.style & TBS_VERT) !== 0, TB_THUMBPOSITION, true);
    scroll((info.style & TBS_VERT) !== 0, TB_ENDTRACK, false);
    return delivered('message', 'TBM_SETPOS and WM_HSCROLL');
  }
  if (kind === 'up-down') {
    requireWithin(target, position, upDownRange(target, asker, info.hwnd));
    requireSet(target, setNumber(asker, info.hwnd, UDM_SETPOS32, position));
    scroll((info.style & UDS_HORZ) === 0, SB_THUMBPOSITION, true);
    scroll((info.style & UDS_HORZ) === 0, SB_ENDSCROLL, false);
    return delivered('message', 'UDM_SETPOS32 and WM_VSCROLL');
  }
  requireWithin(target, position, scrollRange(asker, info.hwnd));
  requireSet(target, setNumber(asker, info.hwnd, SBM_SETPOS, position));
  // A person’s thumb is tracked before it is let go: many programs follow that alone.
  scroll((info.style & SBS_VERT) !== 0, SB_THUMBTRACK, true);
  scroll((info.style & SBS_VERT) !== 0, SB_THUMBPOSITION, true);
  scroll((info.style & SBS_VERT) !== 0, SB_ENDSCROLL, false);
  return delivered('message', 'SBM_SETPOS and WM_HSCROLL');
}
