/** Colours of the status strip: light, dark and high contrast. */
import {
  COLOR_HIGHLIGHT,
  COLOR_WINDOW,
  COLOR_WINDOWTEXT,
  HCF_HIGHCONTRASTON,
  HKEY_CURRENT_USER,
  SPI_GETHIGHCONTRAST,
} from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { RegistryKey } from '../system/registry.ts';

/** Colours in GDI's order: 0x00BBGGRR. */
export interface StripColours {
  readonly background: number;
  readonly text: number;
  readonly mark: number;
}

/** The setting for light or dark programs; 1 or no value = light. */
const THEMES = 'Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize';
/** HIGHCONTRASTW. Source: learn.microsoft.com/windows/win32/api/winuser/ns-winuser-highcontrastw */
const HIGH_CONTRAST_BYTES = 16;

const rgb = (red: number, green: number, blue: number): number => red | (green << 8) | (blue << 16);
const DARK: StripColours = { background: rgb(32, 36, 44), text: rgb(255, 255, 255), mark: rgb(76, 194, 255) };
const LIGHT: StripColours = { background: rgb(238, 243, 250), text: rgb(26, 26, 26), mark: rgb(0, 95, 184) };

function isHighContrast(): boolean {
  const memory = Buffer.alloc(HIGH_CONTRAST_BYTES);
  memory.writeUInt32LE(HIGH_CONTRAST_BYTES, 0);
  return (
    user32.SystemParametersInfoW(SPI_GETHIGHCONTRAST, HIGH_CONTRAST_BYTES, memory, 0) &&
    (memory.readUInt32LE(4) & HCF_HIGHCONTRASTON) !== 0
  );
}

/** The strip's colours by the person's settings: high contrast, dark or light. */
export function stripColours(): StripColours {
  if (isHighContrast())
    return {
      background: user32.GetSysColor(COLOR_WINDOW),
      text: user32.GetSysColor(COLOR_WINDOWTEXT),
      mark: user32.GetSysColor(COLOR_HIGHLIGHT),
    };
  using key = RegistryKey.open(HKEY_CURRENT_USER, THEMES);
  return key?.number('AppsUseLightTheme') === 0 ? DARK : LIGHT;
}
