/** Controls with a position: sliders, spinners, scroll bars and progress bars. */
import * as m from '../../../native-bindings/win32/constants.ts';
import { setting } from '../exits/messages.ts';
import type { ControlKind } from '../windows/classes.ts';
import type { ControlReader, Driver } from './driver.ts';

// Controls with a position. Source: learn.microsoft.com/windows/win32/controls/trackbar-control-reference and
// related pages

const MESSAGES: Partial<Record<ControlKind, number>> = {
  'track-bar': m.TBM_GETPOS,
  'up-down': m.UDM_GETPOS32,
  'scroll-bar': m.SBM_GETPOS,
};
/** The message that returns a control's position; null for controls without one. */
export const positionMessage = (kind: ControlKind): number | null => MESSAGES[kind] ?? null;

const position =
  (message: number): ControlReader =>
  ({ info, node }, { asker }) => {
    const value = asker.ask(info.hwnd, message);
    // Positions are signed 32-bit values, whatever the upper half of the result contains.
    if (value !== null) node.value = String(value | 0);
  };

const readTrackBar = position(m.TBM_GETPOS);
/** A marquee moves without a value. */
const readProgressBar: ControlReader = (entry, context) => {
  if ((entry.info.style & m.PBS_MARQUEE) === 0) position(m.PBM_GETPOS)(entry, context);
};
/** It shares its field's label: the two are one control to a person. */
const readUpDown: ControlReader = (entry, context) => {
  position(m.UDM_GETPOS32)(entry, context);
  entry.node.buddy = context.asker.ask(entry.info.hwnd, m.UDM_GETBUDDY) ?? 0;
};
const readScrollBar = position(m.SBM_GETPOS);

const asksOf = (
  kind: ControlKind,
  asks: readonly number[],
  read: ControlReader,
  more: Partial<Driver> = {},
): Driver => ({ kinds: [kind], asks, read, ...more });

export const positions: readonly Driver[] = [
  asksOf('track-bar', [m.TBM_GETPOS, m.TBM_GETRANGEMAX, m.TBM_GETRANGEMIN], readTrackBar, {
    changes: setting(m.TBM_SETPOS, 1),
    questions: [['position', m.TBM_GETPOS]],
  }),
  asksOf('up-down', [m.UDM_GETBUDDY, m.UDM_GETPOS32, m.UDM_GETRANGE32], readUpDown, {
    changes: setting(m.UDM_SETPOS32, 1),
    questions: [['position', m.UDM_GETPOS32]],
  }),
  asksOf('scroll-bar', [m.SBM_GETPOS, m.SBM_GETRANGE], readScrollBar, { changes: setting(m.SBM_SETPOS, 0) }),
  asksOf('progress-bar', [m.PBM_GETPOS], readProgressBar),
];
