/** Colours of a card by their use: light, dark and high contrast, and which of them the person wants. */
import type { RiskLevel } from '../../contract/gate/permissions.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { HIGHCONTRASTW } from '../../../native-bindings/win32/structs.ts';
import { RegistryKey } from '../system/registry.ts';

/** The setting for light or dark programs; 1 or no value = light. */
const THEMES = 'Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize';

/** Source: learn.microsoft.com/windows/win32/api/winuser/ns-winuser-highcontrastw */
function isHighContrast(): boolean {
  const memory = HIGHCONTRASTW.alloc({ cbSize: HIGHCONTRASTW.size });
  return (
    user32.SystemParametersInfoW(m.SPI_GETHIGHCONTRAST, HIGHCONTRASTW.size, memory, 0) &&
    (memory.readUInt32LE(HIGHCONTRASTW.at.dwFlags) & m.HCF_HIGHCONTRASTON) !== 0
  );
}

/** Percent: 100 to 225. */
const ACCESSIBILITY = 'Software\\Microsoft\\Accessibility';

/**
 * The person's text size as a factor, 1 to 2.25.
 * Source: learn.microsoft.com/uwp/api/windows.ui.viewmanagement.uisettings.textscalefactor
 */
export function textScale(): number {
  using key = RegistryKey.open(m.HKEY_CURRENT_USER, ACCESSIBILITY);
  return Math.max(100, Math.min(225, key?.number('TextScaleFactor') ?? 100)) / 100;
}

/** Colours by use, 0xRRGGBB. */
export interface Theme {
  readonly isContrast: boolean;
  readonly background: number;
  /** Behind code, quotes and pictures. */
  readonly panel: number;
  readonly border: number;
  readonly text: number;
  readonly secondary: number;
  readonly denyFill: number;
  readonly denyText: number;
  readonly approveFill: number;
  readonly approveText: number;
  /** A button that is not active yet. */
  readonly idleFill: number;
  readonly idleText: number;
  readonly stop: number;
  readonly focus: number;
  readonly chosenFill: number;
  readonly chosenText: number;
  readonly outline: number;
  readonly risk: Readonly<Record<RiskLevel, number>>;
  readonly riskText: number;
}

export const LIGHT: Theme = {
  isContrast: false,
  background: 0xffffff,
  panel: 0xf3f4f6,
  border: 0xd0d3d9,
  text: 0x1a1b1f,
  secondary: 0x585c66,
  denyFill: 0x2b2d33,
  denyText: 0xffffff,
  approveFill: 0x1b7a3d,
  approveText: 0xffffff,
  idleFill: 0xe3e5e9,
  idleText: 0x5d626c,
  stop: 0xb3261e,
  focus: 0x0a5fd6,
  chosenFill: 0xdce9fd,
  chosenText: 0x0b3f8f,
  outline: 0xe0341f,
  risk: { low: 0x2f6f4f, medium: 0x8a6100, high: 0xb34700, critical: 0xb3261e },
  riskText: 0xffffff,
};

export const DARK: Theme = {
  isContrast: false,
  background: 0x202126,
  panel: 0x2b2d34,
  border: 0x484b55,
  text: 0xf4f4f6,
  secondary: 0xb6bac4,
  denyFill: 0xe9eaee,
  denyText: 0x1a1b1f,
  approveFill: 0x278147,
  approveText: 0xffffff,
  idleFill: 0x34363e,
  idleText: 0x9ea2ae,
  stop: 0xff7b72,
  focus: 0x6cb2ff,
  chosenFill: 0x24405f,
  chosenText: 0xd6e8ff,
  outline: 0xff5c42,
  risk: { low: 0x2f7d56, medium: 0x946a00, high: 0xbf5310, critical: 0xc93a32 },
  riskText: 0xffffff,
};

/** Only the colours that the person has chosen; `of`: a system colour by its index, 0xRRGGBB. */
export function contrastTheme(of = (index: number): number => swapped(user32.GetSysColor(index))): Theme {
  const [background, text, highlight, highlightText] = [
    of(m.COLOR_WINDOW),
    of(m.COLOR_WINDOWTEXT),
    of(m.COLOR_HIGHLIGHT),
    of(m.COLOR_HIGHLIGHTTEXT),
  ];
  const [face, faceText, grey] = [of(m.COLOR_BTNFACE), of(m.COLOR_BTNTEXT), of(m.COLOR_GRAYTEXT)];
  return {
    isContrast: true,
    background,
    panel: background,
    border: text,
    text,
    secondary: text,
    denyFill: face,
    denyText: faceText,
    approveFill: face,
    approveText: faceText,
    idleFill: background,
    idleText: grey,
    stop: text,
    focus: highlight,
    chosenFill: highlight,
    chosenText: highlightText,
    outline: highlight,
    risk: { low: background, medium: background, high: background, critical: background },
    riskText: text,
  };
}

/** 0xRRGGBB ↔ COLORREF 0x00BBGGRR. */
export const swapped = (colour: number): number =>
  ((colour & 0xff) << 16) | (colour & 0xff00) | ((colour >> 16) & 0xff);

/**
 * By the person's present setting: high contrast, else dark or light applications; light on a system without it.
 * Source: learn.microsoft.com/windows/apps/desktop/modernize/ui/apply-windows-themes
 */
export function currentTheme(): Theme {
  if (isHighContrast()) return contrastTheme();
  using key = RegistryKey.open(m.HKEY_CURRENT_USER, THEMES);
  return key?.number('AppsUseLightTheme') === 0 ? DARK : LIGHT;
}
