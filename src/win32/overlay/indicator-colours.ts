/** Colours of the status strip: light, dark and high contrast. */
import { COLOR_HIGHLIGHT, COLOR_WINDOW, COLOR_WINDOWTEXT } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { colourMode } from './colour-mode.ts';

/** Colours in GDI's order: 0x00BBGGRR. */
export interface StripColours {
  readonly background: number;
  readonly text: number;
  readonly mark: number;
}

const rgb = (red: number, green: number, blue: number): number => red | (green << 8) | (blue << 16);
const DARK: StripColours = { background: rgb(32, 36, 44), text: rgb(255, 255, 255), mark: rgb(76, 194, 255) };
const LIGHT: StripColours = { background: rgb(238, 243, 250), text: rgb(26, 26, 26), mark: rgb(0, 95, 184) };

/** The strip's colours by the person's settings: high contrast, dark or light. */
export function stripColours(): StripColours {
  const mode = colourMode();
  if (mode === 'contrast')
    return {
      background: user32.GetSysColor(COLOR_WINDOW),
      text: user32.GetSysColor(COLOR_WINDOWTEXT),
      mark: user32.GetSysColor(COLOR_HIGHLIGHT),
    };
  return mode === 'dark' ? DARK : LIGHT;
}
