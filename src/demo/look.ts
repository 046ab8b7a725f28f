/** The demo's colours: the system's own in light and high contrast; in dark, what the standard controls leave light is painted here. */
import { addressOf, readMemory, text16 } from '../../native-bindings/library.ts';
import {
  BS_TYPEMASK,
  CDDS_PREPAINT,
  CDIS_DISABLED,
  CDIS_FOCUS,
  CDIS_HOT,
  CDIS_SELECTED,
  CDRF_SKIPDEFAULT,
  DT_CALCRECT,
  DT_CENTER,
  DT_END_ELLIPSIS,
  DT_LEFT,
  DT_SINGLELINE,
  DT_VCENTER,
  DWMWA_USE_IMMERSIVE_DARK_MODE,
  GWLP_WNDPROC,
  GWL_STYLE,
  HDI_TEXT,
  HDM_GETITEMCOUNT,
  HDM_GETITEMRECT,
  HDM_GETITEMW,
  LVM_GETHEADER,
  LVM_SETBKCOLOR,
  LVM_SETTEXTBKCOLOR,
  LVM_SETTEXTCOLOR,
  TCIF_TEXT,
  TCM_GETCURSEL,
  TCM_GETITEMCOUNT,
  TCM_GETITEMRECT,
  TCM_GETITEMW,
  TRANSPARENT,
  TVM_SETBKCOLOR,
  TVM_SETTEXTCOLOR,
  WM_CTLCOLORBTN,
  WM_CTLCOLORDLG,
  WM_CTLCOLOREDIT,
  WM_CTLCOLORLISTBOX,
  WM_CTLCOLORSTATIC,
  WM_ERASEBKGND,
  WM_GETFONT,
  WM_PAINT,
  WM_PRINTCLIENT,
} from '../../native-bindings/win32/constants.ts';
import { dwmapi } from '../../native-bindings/win32/dwmapi.ts';
import { gdi32 } from '../../native-bindings/win32/gdi32.ts';
import { HDITEMW, NMCUSTOMDRAW, PAINTSTRUCT, RECT, TCITEMW } from '../../native-bindings/win32/structs.ts';
import { user32, WndProc } from '../../native-bindings/win32/user32.ts';
import { uxtheme } from '../../native-bindings/win32/uxtheme.ts';
import type { ControlKind } from './controls.ts';

/** COLORREFs, 0x00BBGGRR. */
const DARK = {
  ground: 0x262120,
  field: 0x342d2b,
  border: 0x6b5f5a,
  text: 0xf6f4f4,
  secondary: 0xaea29e,
  button: 0x3f3633,
  buttonHot: 0x4d4340,
  buttonDown: 0x5a4f4b,
  accent: 0xffb26c,
} as const;
type Colour = keyof typeof DARK;

const CTLCOLOR: ReadonlyMap<number, 'ground' | 'field'> = new Map([
  [WM_CTLCOLORDLG, 'ground'],
  [WM_CTLCOLORSTATIC, 'ground'],
  [WM_CTLCOLORBTN, 'ground'],
  [WM_CTLCOLOREDIT, 'field'],
  [WM_CTLCOLORLISTBOX, 'field'],
]);
const TEXT_UNITS = 256;

interface Part {
  readonly text: string;
  readonly rect: Buffer;
  readonly isChosen: boolean;
}

/**
 * Makes windows and controls of this thread dark. Visual styles have no dark parts for tabs, headers and status bars, and
 * none at all on older systems, so these are painted; what a control is and answers does not change.
 */
export class DarkLook implements Disposable {
  readonly #brushes = new Map<Colour, number>();
  readonly #replaced = new Map<number, number>();
  readonly #light = new Set<number>();
  readonly #painters = new Map<number, (hwnd: number, dc: number) => void>();
  readonly #procedure = WndProc.register((hwnd, message, wParam, lParam) =>
    this.#answer(hwnd, message, wParam, lParam),
  );

  /** A top-level window: its title bar. Windows before 10 2004 refuse this, and keep theirs. */
  frame(hwnd: number): void {
    const isDark = Buffer.alloc(4);
    isDark.writeUInt32LE(1, 0);
    dwmapi.DwmSetWindowAttribute(hwnd, DWMWA_USE_IMMERSIVE_DARK_MODE, isDark, 4);
  }

  /** A control, after its creation. */
  control(hwnd: number, kind: ControlKind): void {
    switch (kind) {
      case 'group':
        this.#paintBy(hwnd, (group, dc) => this.#frame(group, dc));
        break;
      case 'check':
      case 'radio':
        // The visual style's text is black whatever WM_CTLCOLORSTATIC says.
        uxtheme.SetWindowTheme(hwnd, '', '');
        break;
      case 'list': {
        uxtheme.SetWindowTheme(hwnd, 'DarkMode_Explorer', null);
        user32.SendMessageW(hwnd, LVM_SETBKCOLOR, 0, DARK.field);
        user32.SendMessageW(hwnd, LVM_SETTEXTBKCOLOR, 0, DARK.field);
        user32.SendMessageW(hwnd, LVM_SETTEXTCOLOR, 0, DARK.text);
        this.#paintBy(user32.SendMessageW(hwnd, LVM_GETHEADER, 0, 0), (header, dc) =>
          this.#strip(header, dc, headerParts(header)),
        );
        break;
      }
      case 'tree':
        uxtheme.SetWindowTheme(hwnd, 'DarkMode_Explorer', null);
        user32.SendMessageW(hwnd, TVM_SETBKCOLOR, 0, DARK.field);
        user32.SendMessageW(hwnd, TVM_SETTEXTCOLOR, 0, DARK.text);
        break;
      case 'tabs':
        this.#paintBy(hwnd, (tabs, dc) => this.#strip(tabs, dc, tabParts(tabs)));
        break;
      case 'status':
        this.#paintBy(hwnd, (bar, dc) => this.#strip(bar, dc, [wholeText(bar)]));
        break;
      case 'combo':
      case 'edit':
      case 'password':
      case 'read-only':
      case 'multi-line':
        uxtheme.SetWindowTheme(hwnd, 'DarkMode_CFD', null);
        break;
      case 'date':
        // No visual style has a dark one. A light one shows at least which part of the date is edited.
        this.#light.add(hwnd);
        break;
      case 'button':
      case 'label':
        break;
    }
  }

  /** The answer to a WM_CTLCOLOR… message: a brush; undefined for other messages, and for controls that stay light. */
  colour(message: number, dc: number, control: number): number | undefined {
    const ground = CTLCOLOR.get(message);
    if (ground === undefined || this.#light.has(control)) return undefined;
    gdi32.SetTextColor(dc, DARK.text);
    gdi32.SetBkColor(dc, DARK[ground]);
    return this.brush(ground);
  }

  brush(colour: Colour): number {
    let brush = this.#brushes.get(colour);
    if (brush === undefined) {
      brush = gdi32.CreateSolidBrush(DARK[colour]);
      this.#brushes.set(colour, brush);
    }
    return brush;
  }

  /** The answer to NM_CUSTOMDRAW of a push button; undefined for other controls and stages. */
  customDraw(hwnd: number, structure: number): number | undefined {
    const memory = readMemory(structure, NMCUSTOMDRAW.size);
    if (memory.readUInt32LE(NMCUSTOMDRAW.at.dwDrawStage) !== CDDS_PREPAINT || !isPushButton(hwnd)) return undefined;
    const dc = Number(memory.readBigInt64LE(NMCUSTOMDRAW.at.hdc));
    const state = memory.readUInt32LE(NMCUSTOMDRAW.at.uItemState);
    const rect = Buffer.from(memory.subarray(NMCUSTOMDRAW.at.rc, NMCUSTOMDRAW.at.rc + RECT.size));
    const ground = (state & CDIS_SELECTED) !== 0 ? 'buttonDown' : (state & CDIS_HOT) !== 0 ? 'buttonHot' : 'button';
    user32.FillRect(dc, rect, this.brush(ground));
    user32.FrameRect(dc, rect, this.brush((state & CDIS_FOCUS) !== 0 ? 'accent' : 'border'));
    gdi32.SetBkMode(dc, TRANSPARENT);
    gdi32.SetTextColor(dc, (state & CDIS_DISABLED) !== 0 ? DARK.secondary : DARK.text);
    user32.DrawTextW(dc, windowText(hwnd), -1, rect, DT_CENTER | DT_VCENTER | DT_SINGLELINE);
    return CDRF_SKIPDEFAULT;
  }

  [Symbol.dispose](): void {
    for (const [hwnd, procedure] of this.#replaced)
      if (user32.IsWindow(hwnd)) user32.SetWindowLongPtrW(hwnd, GWLP_WNDPROC, procedure);
    this.#procedure[Symbol.dispose]();
    for (const brush of this.#brushes.values()) gdi32.DeleteObject(brush);
  }

  #paintBy(hwnd: number, paint: (hwnd: number, dc: number) => void): void {
    this.#painters.set(hwnd, paint);
    this.#replaced.set(hwnd, user32.SetWindowLongPtrW(hwnd, GWLP_WNDPROC, this.#procedure.address));
  }

  #answer(hwnd: number, message: number, wParam: number, lParam: number): number {
    const paint = this.#painters.get(hwnd);
    if (message === WM_PAINT && paint !== undefined) {
      const memory = PAINTSTRUCT.alloc();
      paint(hwnd, user32.BeginPaint(hwnd, memory));
      user32.EndPaint(hwnd, memory);
      return 0;
    }
    if (message === WM_PRINTCLIENT && paint !== undefined) {
      paint(hwnd, wParam);
      return 0;
    }
    // The whole area is painted, so erasing it before would flicker.
    if (message === WM_ERASEBKGND) return 1;
    return user32.CallWindowProcW(this.#replaced.get(hwnd) ?? 0, hwnd, message, wParam, lParam);
  }

  /** A group box: its frame and its name. */
  #frame(hwnd: number, dc: number): void {
    const area = RECT.alloc();
    user32.GetClientRect(hwnd, area);
    const { right, bottom } = RECT.read(area);
    const text = windowText(hwnd);
    const name = RECT.alloc();
    const previous = gdi32.SelectObject(dc, fontOf(hwnd));
    user32.DrawTextW(dc, text, -1, name, DT_SINGLELINE | DT_CALCRECT);
    const size = RECT.read(name);
    user32.FrameRect(
      dc,
      RECT.alloc({ left: 0, top: Math.trunc(size.bottom / 2), right, bottom }),
      this.brush('border'),
    );
    gdi32.SetTextColor(dc, DARK.text);
    gdi32.SetBkColor(dc, DARK.ground);
    const at = RECT.alloc({ left: 8, top: 0, right: 8 + size.right, bottom: size.bottom });
    user32.DrawTextW(dc, text, -1, at, DT_SINGLELINE);
    gdi32.SelectObject(dc, previous);
  }

  /** A row of texts, the chosen one underlined. */
  #strip(hwnd: number, dc: number, parts: readonly Part[]): void {
    const area = RECT.alloc();
    user32.GetClientRect(hwnd, area);
    user32.FillRect(dc, area, this.brush('ground'));
    user32.FrameRect(dc, area, this.brush('border'));
    const previous = gdi32.SelectObject(dc, fontOf(hwnd));
    gdi32.SetBkMode(dc, TRANSPARENT);
    gdi32.SetTextColor(dc, DARK.text);
    for (const { text, rect, isChosen } of parts) {
      user32.FrameRect(dc, rect, this.brush('border'));
      const { left, top, right, bottom } = RECT.read(rect);
      if (isChosen)
        user32.FillRect(
          dc,
          RECT.alloc({ left: left + 1, top: bottom - 3, right: right - 1, bottom }),
          this.brush('accent'),
        );
      const inner = RECT.alloc({ left: left + 6, top, right: right - 4, bottom });
      user32.DrawTextW(dc, text, -1, inner, DT_LEFT | DT_VCENTER | DT_SINGLELINE | DT_END_ELLIPSIS);
    }
    gdi32.SelectObject(dc, previous);
  }
}

const fontOf = (hwnd: number): number => user32.SendMessageW(hwnd, WM_GETFONT, 0, 0);

function windowText(hwnd: number): string {
  const text = Buffer.alloc(TEXT_UNITS * 2);
  return text.toString('utf16le', 0, user32.GetWindowTextW(hwnd, text, TEXT_UNITS) * 2);
}

function isPushButton(hwnd: number): boolean {
  // BS_PUSHBUTTON is 0 and BS_DEFPUSHBUTTON 1.
  return windowClassOf(hwnd) === 'Button' && (user32.GetWindowLongW(hwnd, GWL_STYLE) & BS_TYPEMASK) <= 1;
}

function windowClassOf(hwnd: number): string {
  const name = Buffer.alloc(TEXT_UNITS * 2);
  return name.toString('utf16le', 0, user32.GetClassNameW(hwnd, name, TEXT_UNITS) * 2);
}

function wholeText(hwnd: number): Part {
  const rect = RECT.alloc();
  user32.GetClientRect(hwnd, rect);
  return { text: windowText(hwnd), rect, isChosen: false };
}

function tabParts(hwnd: number): Part[] {
  const chosen = user32.SendMessageW(hwnd, TCM_GETCURSEL, 0, 0);
  return Array.from({ length: user32.SendMessageW(hwnd, TCM_GETITEMCOUNT, 0, 0) }, (_, index) => {
    const rect = RECT.alloc();
    user32.SendMessageW(hwnd, TCM_GETITEMRECT, index, rect);
    const text = Buffer.alloc(TEXT_UNITS * 2);
    user32.SendMessageW(
      hwnd,
      TCM_GETITEMW,
      index,
      TCITEMW.alloc({ mask: TCIF_TEXT, pszText: addressOf(text), cchTextMax: TEXT_UNITS }),
    );
    return { text: text16(text), rect, isChosen: index === chosen };
  });
}

function headerParts(hwnd: number): Part[] {
  return Array.from({ length: user32.SendMessageW(hwnd, HDM_GETITEMCOUNT, 0, 0) }, (_, index) => {
    const rect = RECT.alloc();
    user32.SendMessageW(hwnd, HDM_GETITEMRECT, index, rect);
    const text = Buffer.alloc(TEXT_UNITS * 2);
    user32.SendMessageW(
      hwnd,
      HDM_GETITEMW,
      index,
      HDITEMW.alloc({ mask: HDI_TEXT, pszText: addressOf(text), cchTextMax: TEXT_UNITS }),
    );
    return { text: text16(text), rect, isChosen: false };
  });
}
