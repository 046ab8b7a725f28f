/** Controls with a position. Source: learn.microsoft.com/windows/win32/controls/trackbar-control-reference and its neighbours */
import type { ControlReader } from './control-reader.ts';

export const TBM_GETPOS = 0x0400;
export const TBM_GETRANGEMIN = 0x0401;
export const TBM_GETRANGEMAX = 0x0402;
export const TBM_SETPOS = 0x0405;
const PBM_GETPOS = 0x0408;
export const UDM_SETPOS32 = 0x0471;
export const UDM_GETPOS32 = 0x0472;
const UDM_GETBUDDY = 0x046a;
export const SBM_GETPOS = 0x00e1;

const position =
  (message: number): ControlReader =>
  ({ info, node }, { asker }) => {
    const value = asker.ask(info.hwnd, message);
    // Positions are 32-bit and signed, whatever the upper half of the answer holds.
    if (value !== null) node.value = String(value | 0);
  };

export const readTrackBar = position(TBM_GETPOS);
export const readProgressBar = position(PBM_GETPOS);
/** Its field is its label: the two are one to a person. */
export const readUpDown: ControlReader = (entry, context) => {
  position(UDM_GETPOS32)(entry, context);
  entry.node.buddy = context.asker.ask(entry.info.hwnd, UDM_GETBUDDY) ?? 0;
};
export const readScrollBar = position(SBM_GETPOS);
