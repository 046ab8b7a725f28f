/** Whether the person wants light, dark or high-contrast windows, and how large texts. */
import {
  HCF_HIGHCONTRASTON,
  HKEY_CURRENT_USER,
  SPI_GETHIGHCONTRAST,
} from '../../../native-bindings/win32/constants.ts';
import { HIGHCONTRASTW } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { RegistryKey } from '../system/registry.ts';

export type ColourMode = 'light' | 'dark' | 'contrast';

/** The setting for light or dark programs; 1 or no value = light. */
const THEMES = 'Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize';

/** Source: learn.microsoft.com/windows/win32/api/winuser/ns-winuser-highcontrastw */
function isHighContrast(): boolean {
  const memory = HIGHCONTRASTW.alloc({ cbSize: HIGHCONTRASTW.size });
  return (
    user32.SystemParametersInfoW(SPI_GETHIGHCONTRAST, HIGHCONTRASTW.size, memory, 0) &&
    (memory.readUInt32LE(HIGHCONTRASTW.at.dwFlags) & HCF_HIGHCONTRASTON) !== 0
  );
}

/**
 * The person's present setting: high contrast, else dark or light applications; light on a system without it.
 * Source: learn.microsoft.com/windows/apps/desktop/modernize/ui/apply-windows-themes
 */
export function colourMode(): ColourMode {
  if (isHighContrast()) return 'contrast';
  using key = RegistryKey.open(HKEY_CURRENT_USER, THEMES);
  return key?.number('AppsUseLightTheme') === 0 ? 'dark' : 'light';
}

/** Percent: 100 to 225. */
const ACCESSIBILITY = 'Software\\Microsoft\\Accessibility';

/**
 * The person's text size as a factor, 1 to 2.25.
 * Source: learn.microsoft.com/uwp/api/windows.ui.viewmanagement.uisettings.textscalefactor
 */
export function textScale(): number {
  using key = RegistryKey.open(HKEY_CURRENT_USER, ACCESSIBILITY);
  return Math.max(100, Math.min(225, key?.number('TextScaleFactor') ?? 100)) / 100;
}
