/**
 * Controls with a position. Source: learn.microsoft.com/windows/win32/controls/trackbar-control-reference and related
 * pages
 */
import {
  PBM_GETPOS,
  SBM_GETPOS,
  TBM_GETPOS,
  UDM_GETBUDDY,
  UDM_GETPOS32,
} from '../../../../../native-bindings/win32/constants.ts';
import type { ControlReader } from './control-reader.ts';

const position =
  (message: number): ControlReader =>
  ({ info, node }, { asker }) => {
    const value = asker.ask(info.hwnd, message);
    // Positions are signed 32-bit values, whatever the upper half of the result contains.
    if (value !== null) node.value = String(value | 0);
  };

export const readTrackBar = position(TBM_GETPOS);
export const readProgressBar = position(PBM_GETPOS);
/** It shares its field's label: the two are one control to a person. */
export const readUpDown: ControlReader = (entry, context) => {
  position(UDM_GETPOS32)(entry, context);
  entry.node.buddy = context.asker.ask(entry.info.hwnd, UDM_GETBUDDY) ?? 0;
};
export const readScrollBar = position(SBM_GETPOS);
