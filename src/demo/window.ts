/** The demo's window: its class, menus, message loop and end. */
import * as m from '../../native-bindings/win32/constants.ts';
import { addressOf, copyIn, readMemory } from '../../native-bindings/library.ts';
import { gdi32 } from '../../native-bindings/win32/gdi32.ts';
import { kernel32 } from '../../native-bindings/win32/kernel32.ts';
import { ACCEL, MINMAXINFO, MSG, POINT, RECT, WNDCLASSEXW } from '../../native-bindings/win32/structs.ts';
import { user32, WndProc } from '../../native-bindings/win32/user32.ts';
import { uxtheme } from '../../native-bindings/win32/uxtheme.ts';
import { Behaviour } from './behaviour.ts';
import {
  COMMAND,
  CONTEXT_MENU,
  CONTROL,
  DEMO_CLASS,
  DEMO_TITLE,
  MENU_BAR,
  type ControlName,
  type MenuItem,
} from './content.ts';
import { CLIENT } from './controls.ts';
import { askInDialog } from './dialog.ts';
import { fillControls, makeControls, placeControls, setFont, type MadeControl } from './make-controls.ts';

/** Without WS_CLIPCHILDREN: group boxes leave their inside to this window. */
const STYLE = m.WS_OVERLAPPEDWINDOW;
const VK_N = 'N'.charCodeAt(0);

/**
 * Shows the demo's window and returns when it was closed. It needs the thread: its message loop waits in native code.
 * @param onShown called once the window is on the screen
 */
export function runDemo(onShown: (hwnd: number) => void): void {
  using window = new DemoWindow();
  window.show();
  onShown(window.hwnd);
  window.run();
}

class DemoWindow implements Disposable {
  readonly hwnd: number;
  readonly #module = kernel32.GetModuleHandleW(null);
  readonly #procedure = WndProc.register((hwnd, message, wParam, lParam) => {
    try {
      const answer = this.#answer(message, wParam, lParam);
      if (answer !== undefined) return answer;
    } catch (error) {
      // Nothing could catch it in native code.
      process.stderr.write(`${String(error)}\n`);
    }
    return user32.DefWindowProcW(hwnd, message, wParam, lParam);
  });
  readonly #menu = menuBar();
  readonly #contextMenu = popup(CONTEXT_MENU);
  readonly #accelerators = accelerators();
  #made: MadeControl[] = [];
  #behaviour: Behaviour | undefined;
  #font = 0;
  #scale = 1;
  /** What has the focus again when the window becomes active. */
  #lastFocus = 0;

  constructor() {
    this.#registerClass();
    this.hwnd = user32.CreateWindowExW(
      m.WS_EX_CONTROLPARENT,
      DEMO_CLASS,
      DEMO_TITLE,
      STYLE,
      m.CW_USEDEFAULT,
      m.CW_USEDEFAULT,
      CLIENT.width,
      CLIENT.height,
      0,
      this.#menu,
      this.#module,
      null,
    );
    if (this.hwnd === 0) throw new Error(`Windows refused the window of the demo (error ${kernel32.GetLastError()}).`);
    this.#made = makeControls(this.hwnd);
    const treeItems = fillControls(this.#of);
    this.#rescale(user32.GetDpiForWindow(this.hwnd) / 96);
    this.#resizeToFit();
    this.#behaviour = new Behaviour({
      window: this.hwnd,
      menu: this.#menu,
      made: this.#made,
      treeItems,
      of: this.#of,
      ask: (asked) => askInDialog({ ...asked, owner: this.hwnd, font: this.#font, scale: this.#scale }),
    });
  }

  /** Twice: the first ShowWindow of a process obeys its starter, which may have asked for a hidden window. */
  show(): void {
    user32.ShowWindow(this.hwnd, m.SW_SHOWNORMAL);
    user32.ShowWindow(this.hwnd, user32.IsWindowVisible(this.hwnd) ? m.SW_SHOWNOACTIVATE : m.SW_SHOWNORMAL);
    user32.UpdateWindow(this.hwnd);
    user32.SetFocus(this.#of('customer'));
  }

  run(): void {
    const message = MSG.alloc();
    while (user32.GetMessageW(message, 0, 0, 0) > 0) {
      if (user32.TranslateAcceleratorW(this.hwnd, this.#accelerators, message) !== 0) continue;
      if (user32.IsDialogMessageW(this.hwnd, message)) continue;
      user32.TranslateMessage(message);
      user32.DispatchMessageW(message);
    }
  }

  [Symbol.dispose](): void {
    if (user32.IsWindow(this.hwnd)) user32.DestroyWindow(this.hwnd);
    user32.DestroyMenu(this.#contextMenu);
    user32.DestroyAcceleratorTable(this.#accelerators);
    gdi32.DeleteObject(this.#font);
    user32.UnregisterClassW(DEMO_CLASS, this.#module);
    this.#procedure[Symbol.dispose]();
  }

  readonly #of = (name: ControlName): number => user32.GetDlgItem(this.hwnd, CONTROL[name]);

  #registerClass(): void {
    const name = Buffer.from(`${DEMO_CLASS}\0`, 'utf16le');
    const atom = user32.RegisterClassExW(
      WNDCLASSEXW.alloc({
        cbSize: WNDCLASSEXW.size,
        lpfnWndProc: this.#procedure.address,
        hInstance: this.#module,
        hCursor: user32.LoadCursorW(0, m.IDC_ARROW),
        // A system colour as a brush is its index plus 1.
        hbrBackground: m.COLOR_BTNFACE + 1,
        lpszClassName: addressOf(name),
      }),
    );
    name.fill(0);
    if (atom === 0) throw new Error(`Windows refused the window class of the demo (error ${kernel32.GetLastError()}).`);
  }

  #answer(message: number, wParam: number, lParam: number): number | undefined {
    switch (message) {
      case m.WM_COMMAND:
        // Enter in a field presses the default button, IDOK.
        if ((wParam & 0xffff) === m.IDOK) return this.#pressDefault();
        this.#behaviour?.command(wParam & 0xffff, wParam >>> 16);
        return 0;
      case m.WM_NOTIFY:
        this.#behaviour?.notify(lParam);
        return undefined;
      case m.WM_TIMER:
        this.#behaviour?.timer(wParam);
        return 0;
      case m.WM_CONTEXTMENU:
        return this.#showContextMenu(wParam, lParam);
      case m.WM_SIZE:
        if (wParam !== m.SIZE_MINIMIZED)
          placeControls(this.#made, { width: lParam & 0xffff, height: (lParam >>> 16) & 0xffff }, this.#scale);
        return 0;
      case m.WM_DPICHANGED: {
        const { left, top, right, bottom } = RECT.read(readMemory(lParam, RECT.size));
        this.#rescale((wParam & 0xffff) / 96);
        user32.SetWindowPos(this.hwnd, 0, left, top, right - left, bottom - top, m.SWP_NOZORDER | m.SWP_NOACTIVATE);
        return 0;
      }
      case m.WM_GETMINMAXINFO:
        copyIn(BigInt(lParam) + BigInt(MINMAXINFO.at.ptMinTrackSize), this.#smallest());
        return 0;
      case m.WM_ACTIVATE:
        if ((wParam & 0xffff) === 0) this.#lastFocus = user32.GetFocus();
        return undefined;
      case m.WM_SETFOCUS:
        user32.SetFocus(user32.IsWindow(this.#lastFocus) ? this.#lastFocus : this.#of('customer'));
        return 0;
      case m.WM_DESTROY:
        user32.PostQuitMessage(0);
        return 0;
      default:
        return this.#labelOnPage(message, wParam, lParam);
    }
  }

  /** A visual style's tab page has the colour of windows, not of dialogs. */
  #labelOnPage(message: number, dc: number, label: number): number | undefined {
    if (message !== m.WM_CTLCOLORSTATIC || !uxtheme.IsAppThemed()) return undefined;
    if (!this.#made.some(({ spec, hwnd }) => hwnd === label && spec.page !== undefined)) return undefined;
    gdi32.SetBkColor(dc, user32.GetSysColor(m.COLOR_WINDOW));
    return user32.GetSysColorBrush(m.COLOR_WINDOW);
  }

  #pressDefault(): number {
    if (user32.IsWindowEnabled(this.#of('placeOrder'))) this.#behaviour?.command(CONTROL.placeOrder, 0);
    return 0;
  }

  /** At the pointer; from the keyboard (both coordinates -1) at the list's top left. */
  #showContextMenu(from: number, at: number): number | undefined {
    const list = this.#of('orders');
    if (from !== list) return undefined;
    let [x, y] = [(at << 16) >> 16, at >> 16];
    if (x === -1 && y === -1) {
      const corner = POINT.alloc({ x: Math.round(24 * this.#scale), y: Math.round(36 * this.#scale) });
      user32.ClientToScreen(list, corner);
      ({ x, y } = POINT.read(corner));
    }
    user32.TrackPopupMenu(this.#contextMenu, m.TPM_RIGHTBUTTON, x, y, 0, this.hwnd, null);
    return 0;
  }

  #rescale(scale: number): void {
    this.#scale = scale;
    const previous = this.#font;
    this.#font = gdi32.CreateFontW(
      -Math.round(12 * scale),
      0,
      0,
      0,
      400,
      0,
      0,
      0,
      m.DEFAULT_CHARSET,
      0,
      0,
      m.CLEARTYPE_QUALITY,
      m.FF_SWISS,
      'Segoe UI',
    );
    setFont(this.#made, this.#font, scale);
    if (previous !== 0) gdi32.DeleteObject(previous);
  }

  #resizeToFit(): void {
    const { x, y } = POINT.read(this.#smallest());
    user32.SetWindowPos(this.hwnd, 0, 0, 0, x, y, m.SWP_NOMOVE | m.SWP_NOZORDER | m.SWP_NOACTIVATE);
  }

  /** The outer size at which every control has its room, as a POINT. */
  #smallest(): Buffer {
    const px = (size: number): number => Math.round(size * this.#scale);
    const outer = RECT.alloc({ left: 0, top: 0, right: px(CLIENT.width), bottom: px(CLIENT.height) });
    user32.AdjustWindowRectExForDpi(outer, STYLE >>> 0, true, m.WS_EX_CONTROLPARENT, Math.round(this.#scale * 96));
    const { left, top, right, bottom } = RECT.read(outer);
    return POINT.alloc({ x: right - left, y: bottom - top });
  }
}

function addItems(menu: number, items: readonly MenuItem[]): number {
  for (const { id, text } of items)
    user32.AppendMenuW(menu, id === null ? m.MF_SEPARATOR : m.MF_STRING, id ?? 0, id === null ? null : text);
  return menu;
}

const popup = (items: readonly MenuItem[]): number => addItems(user32.CreatePopupMenu(), items);

function menuBar(): number {
  const bar = user32.CreateMenu();
  for (const { text, items } of MENU_BAR) user32.AppendMenuW(bar, m.MF_POPUP, popup(items), text);
  return bar;
}

function accelerators(): number {
  const keys = [
    ACCEL.alloc({ fVirt: m.FVIRTKEY | m.FCONTROL, key: VK_N, cmd: COMMAND.newOrder }),
    ACCEL.alloc({ fVirt: m.FVIRTKEY, key: m.VK_F5, cmd: COMMAND.reloadOrders }),
  ];
  return user32.CreateAcceleratorTableW(Buffer.concat(keys), keys.length);
}
