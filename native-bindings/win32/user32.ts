/** Windows, input, menus, monitors, clipboard, hooks, desktops: user32.dll. Parameters are `'type name'`; see `../library.ts`. */
import { bindLibrary, callback, fn } from '../library.ts';

/** Called for each window; false stops. https://learn.microsoft.com/windows/win32/api/winuser/nc-winuser-wndenumproc */
export const EnumWindowsProc = callback('bool', ['hwnd window', 'intptr data']);
/** Called for each monitor; `rect` points to a RECT. https://learn.microsoft.com/windows/win32/api/winuser/nc-winuser-monitorenumproc */
const MonitorEnumProc = callback('bool', ['handle monitor', 'handle dc', 'ptr rect', 'intptr data']);
/** A window procedure. https://learn.microsoft.com/windows/win32/api/winuser/nc-winuser-wndproc */
export const WndProc = callback('intptr', ['hwnd window', 'uint32 message', 'uintptr wParam', 'intptr lParam']);
/** A hook. https://learn.microsoft.com/windows/win32/api/winuser/nc-winuser-hookproc */
export const HookProc = callback('intptr', ['int32 code', 'uintptr wParam', 'intptr lParam']);
/** Called for accessibility events. https://learn.microsoft.com/windows/win32/api/winuser/nc-winuser-wineventproc */
export const WinEventProc = callback('void', [
  'handle hook',
  'uint32 event',
  'hwnd window',
  'int32 objectId',
  'int32 childId',
  'uint32 thread',
  'uint32 time',
]);
/** A dialog's procedure: not 0 = handled. https://learn.microsoft.com/windows/win32/api/winuser/nc-winuser-dlgproc */
export const DlgProc = callback('intptr', ['hwnd dialog', 'uint32 message', 'uintptr wParam', 'intptr lParam']);
/** Called for WM_TIMER. https://learn.microsoft.com/windows/win32/api/winuser/nc-winuser-timerproc */
const TimerProc = callback('void', ['hwnd window', 'uint32 message', 'uintptr timer', 'uint32 time']);

export const user32 = bindLibrary('user32.dll', {
  // Windows: finding and reading
  /** Calls `each` for every top-level window, front to back; false from it stops. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-enumwindows */
  EnumWindows: fn('bool', [EnumWindowsProc, 'intptr data']),
  /** Calls `each` for every descendant of a window. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-enumchildwindows */
  EnumChildWindows: fn('bool', ['hwnd parent', EnumWindowsProc, 'intptr data']),
  /** The desktop window. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getdesktopwindow */
  GetDesktopWindow: fn('hwnd', []),
  /** The shell's desktop window, 0 without a shell. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getshellwindow */
  GetShellWindow: fn('hwnd', []),
  /** The window that has the keyboard; 0 while it changes or on another desktop. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getforegroundwindow */
  GetForegroundWindow: fn('hwnd', []),
  /** Asks for the foreground; Windows often refuses, so look again afterwards. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setforegroundwindow */
  SetForegroundWindow: fn('bool', ['hwnd window']),
  /** Lets another process take the foreground. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-allowsetforegroundwindow */
  AllowSetForegroundWindow: fn('bool', ['uint32 process']),
  /** Locks or unlocks changes of the foreground. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-locksetforegroundwindow */
  LockSetForegroundWindow: fn('bool', ['uint32 lock']),
  /** Moves a window to the top of the Z order. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-bringwindowtotop */
  BringWindowToTop: fn('bool', ['hwnd window']),
  /** Switches as Alt+Tab does. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-switchtothiswindow */
  SwitchToThisWindow: fn('void', ['hwnd window', 'bool altTab']),
  /** Activates a window of this thread's queue; the previous one or 0. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setactivewindow */
  SetActiveWindow: fn('hwnd', ['hwnd window']),
  /** Gives the keyboard to a window of this thread's queue; the previous one or 0. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setfocus */
  SetFocus: fn('hwnd', ['hwnd window']),
  /** The focused window of this thread's queue. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getfocus */
  GetFocus: fn('hwnd', []),
  /** Parent, root or root owner. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getancestor */
  GetAncestor: fn('hwnd', ['hwnd window', 'uint32 which']),
  /** Parent or owner. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getparent */
  GetParent: fn('hwnd', ['hwnd window']),
  /** Changes the parent; the previous one or 0. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setparent */
  SetParent: fn('hwnd', ['hwnd window', 'hwnd parent']),
  /** Owner, first child, next, previous and so on. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindow */
  GetWindow: fn('hwnd', ['hwnd window', 'uint32 relation']),
  /** A top-level window by class and title. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-findwindoww */
  FindWindowW: fn('hwnd', ['str16 className', 'str16 title']),
  /** A child window by class and title. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-findwindowexw */
  FindWindowExW: fn('hwnd', ['hwnd parent', 'hwnd after', 'str16 className', 'str16 title']),
  /** Whether the handle names a living window. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-iswindow */
  IsWindow: fn('bool', ['hwnd window']),
  /** Whether it and its parents have the visible style. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-iswindowvisible */
  IsWindowVisible: fn('bool', ['hwnd window']),
  /** Whether it takes input. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-iswindowenabled */
  IsWindowEnabled: fn('bool', ['hwnd window']),
  /** Enables or disables; true if it was disabled before. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-enablewindow */
  EnableWindow: fn('bool', ['hwnd window', 'bool enable']),
  /** Whether it is minimised. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-isiconic */
  IsIconic: fn('bool', ['hwnd window']),
  /** Whether it is maximised. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-iszoomed */
  IsZoomed: fn('bool', ['hwnd window']),
  /** Whether `window` is a descendant of `parent`. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-ischild */
  IsChild: fn('bool', ['hwnd parent', 'hwnd window']),
  /** Whether Windows considers it hung (no message taken for five seconds). https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-ishungappwindow */
  IsHungAppWindow: fn('bool', ['hwnd window']),
  /** RECT in screen coordinates, invisible borders included. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindowrect */
  GetWindowRect: fn('bool', ['hwnd window', 'ptr rect']),
  /** RECT of the client area; left and top are 0. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getclientrect */
  GetClientRect: fn('bool', ['hwnd window', 'ptr rect']),
  /** Converts a POINT in place. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-clienttoscreen */
  ClientToScreen: fn('bool', ['hwnd window', 'ptr point']),
  /** Converts a POINT in place. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-screentoclient */
  ScreenToClient: fn('bool', ['hwnd window', 'ptr point']),
  /** The window under a screen point; disabled and hidden ones are passed over. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-windowfrompoint */
  WindowFromPoint: fn('hwnd', ['point at']),
  /** Sets show state and normal, minimised and maximised places. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwindowplacement */
  SetWindowPlacement: fn('bool', ['hwnd window', 'ptr placement']),
  /** WINDOWINFO (set `cbSize` first). https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindowinfo */
  GetWindowInfo: fn('bool', ['hwnd window', 'ptr info']),
  /** Title; sends WM_GETTEXT to windows of this process. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindowtextw */
  GetWindowTextW: fn('int32', ['hwnd window', 'ptr text', 'int32 capacity']),
  /** Title as the window manager stores it; never blocks. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-internalgetwindowtext */
  InternalGetWindowText: fn('int32', ['hwnd window', 'ptr text', 'int32 capacity']),
  /** Length of the title in UTF-16 units. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindowtextlengthw */
  GetWindowTextLengthW: fn('int32', ['hwnd window']),
  /** Sets the title. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwindowtextw */
  SetWindowTextW: fn('bool', ['hwnd window', 'str16 text']),
  /** Class name. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getclassnamew */
  GetClassNameW: fn('int32', ['hwnd window', 'ptr text', 'int32 capacity']),
  /** Class that the window was derived from (superclassed controls). https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-realgetwindowclassw */
  RealGetWindowClassW: fn('uint32', ['hwnd window', 'ptr text', 'uint32 capacity']),
  /** A value of its class. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getclasslongptrw */
  GetClassLongPtrW: fn('uintptr', ['hwnd window', 'int32 index']),
  /** A value of the window, pointer wide. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindowlongptrw */
  GetWindowLongPtrW: fn('intptr', ['hwnd window', 'int32 index']),
  /** Sets a value of the window; the previous one. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwindowlongptrw */
  SetWindowLongPtrW: fn('intptr', ['hwnd window', 'int32 index', 'intptr value']),
  /** A value of the window, 32 bits (styles, id). https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindowlongw */
  GetWindowLongW: fn('int32', ['hwnd window', 'int32 index']),
  /** Sets a 32-bit value of the window; the previous one. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwindowlongw */
  SetWindowLongW: fn('int32', ['hwnd window', 'int32 index', 'int32 value']),
  /** Thread id; the process id goes to a uint32, or pass null. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindowthreadprocessid */
  GetWindowThreadProcessId: fn('uint32', ['hwnd window', 'ptr process']),
  /** Child by control id. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getdlgitem */
  GetDlgItem: fn('hwnd', ['hwnd dialog', 'int32 id']),
  /** Control id. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getdlgctrlid */
  GetDlgCtrlID: fn('int32', ['hwnd window']),
  /** COMBOBOXINFO (set `cbSize` first). https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getcomboboxinfo */
  GetComboBoxInfo: fn('bool', ['hwnd combo', 'ptr info']),
  /** SCROLLINFO (set `cbSize` and `fMask` first). https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getscrollinfo */
  GetScrollInfo: fn('bool', ['hwnd window', 'int32 bar', 'ptr info']),

  // Windows: changing
  /** Shows, hides, minimises …; true if it was visible before. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-showwindow */
  ShowWindow: fn('bool', ['hwnd window', 'int32 command']),
  /** The same without waiting for the window's thread. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-showwindowasync */
  ShowWindowAsync: fn('bool', ['hwnd window', 'int32 command']),
  /** Moves and sizes. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-movewindow */
  MoveWindow: fn('bool', ['hwnd window', 'int32 x', 'int32 y', 'int32 width', 'int32 height', 'bool repaint']),
  /** Moves, sizes, orders; SWP_ASYNCWINDOWPOS does not wait for a hung owner. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwindowpos */
  SetWindowPos: fn('bool', [
    'hwnd window',
    'hwnd after',
    'int32 x',
    'int32 y',
    'int32 width',
    'int32 height',
    'uint32 flags',
  ]),
  /** Destroys a window of this thread. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-destroywindow */
  DestroyWindow: fn('bool', ['hwnd window']),
  /** Opacity and colour key of a layered window. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setlayeredwindowattributes */
  SetLayeredWindowAttributes: fn('bool', ['hwnd window', 'uint32 colourKey', 'uint8 alpha', 'uint32 flags']),
  /** Reads them back (uint32, uint8, uint32). https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getlayeredwindowattributes */
  GetLayeredWindowAttributes: fn('bool', ['hwnd window', 'ptr colourKey', 'ptr alpha', 'ptr flags']),
  /** Draws a layered window with alpha for each pixel. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-updatelayeredwindow */
  UpdateLayeredWindow: fn('bool', [
    'hwnd window',
    'handle screenDc',
    'ptr position',
    'ptr size',
    'handle sourceDc',
    'ptr source',
    'uint32 colourKey',
    'ptr blend',
    'uint32 flags',
  ]),
  /** Leaves a window of this process out of captures. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwindowdisplayaffinity */
  SetWindowDisplayAffinity: fn('bool', ['hwnd window', 'uint32 affinity']),
  /** uint32: whether captures show it. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindowdisplayaffinity */
  GetWindowDisplayAffinity: fn('bool', ['hwnd window', 'ptr affinity']),
  /** Gives a window a shape; the system owns the region afterwards. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwindowrgn */
  SetWindowRgn: fn('int32', ['hwnd window', 'handle region', 'bool redraw']),
  /** RECT around its shape. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindowrgnbox */
  GetWindowRgnBox: fn('int32', ['hwnd window', 'ptr rect']),

  // Menus
  /** An empty menu bar. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-createmenu */
  CreateMenu: fn('handle', []),
  /** An empty drop-down or context menu. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-createpopupmenu */
  CreatePopupMenu: fn('handle', []),
  /** Adds an item; with MF_POPUP the id is a menu. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-appendmenuw */
  AppendMenuW: fn('bool', ['handle menu', 'uint32 flags', 'uintptr id', 'str16 text']),
  /** Gives a window its menu bar. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setmenu */
  SetMenu: fn('bool', ['hwnd window', 'handle menu']),
  /** Frees a menu that no window has. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-destroymenu */
  DestroyMenu: fn('bool', ['handle menu']),
  /** Ticks an item or not; the previous state. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-checkmenuitem */
  CheckMenuItem: fn('uint32', ['handle menu', 'uint32 id', 'uint32 check']),
  /** Shows a context menu and waits for its end; the command comes as WM_COMMAND, or is the answer with TPM_RETURNCMD. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-trackpopupmenu */
  TrackPopupMenu: fn('int32', [
    'handle menu',
    'uint32 flags',
    'int32 x',
    'int32 y',
    'int32 reserved',
    'hwnd owner',
    'ptr rect',
  ]),
  /** Accelerators of a module's resources, by the name that EnumResourceNamesW gives; 0 = none. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-loadacceleratorsw */
  LoadAcceleratorsW: fn('handle', ['handle module', 'ptr name']),
  /** ACCEL entries of a table; without memory their number. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-copyacceleratortablew */
  CopyAcceleratorTableW: fn('int32', ['handle accelerators', 'ptr entries', 'int32 count']),
  /** Accelerators from an array of ACCEL. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-createacceleratortablew */
  CreateAcceleratorTableW: fn('handle', ['ptr accelerators', 'int32 count']),
  /** Frees them. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-destroyacceleratortable */
  DestroyAcceleratorTable: fn('bool', ['handle accelerators']),
  /** Turns a key message into a command; 0 = not an accelerator. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-translateacceleratorw */
  TranslateAcceleratorW: fn('int32', ['hwnd window', 'handle accelerators', 'ptr message']),
  /** Its menu bar, 0 if none. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getmenu */
  GetMenu: fn('handle', ['hwnd window']),
  /** The menu that an item opens. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getsubmenu */
  GetSubMenu: fn('handle', ['handle menu', 'int32 position']),
  /** Number of items, -1 on failure. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getmenuitemcount */
  GetMenuItemCount: fn('int32', ['handle menu']),
  /** Command id, 0xFFFFFFFF for a submenu. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getmenuitemid */
  GetMenuItemID: fn('uint32', ['handle menu', 'int32 position']),
  /** Text of an item. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getmenustringw */
  GetMenuStringW: fn('int32', ['handle menu', 'uint32 item', 'ptr text', 'int32 capacity', 'uint32 flags']),
  /** State of an item. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getmenustate */
  GetMenuState: fn('uint32', ['handle menu', 'uint32 item', 'uint32 flags']),
  /** Closes this thread's menu. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-endmenu */
  EndMenu: fn('bool', []),

  // DPI, metrics, monitors
  /** DPI of the window as it sees itself; 0 for a bad handle. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getdpiforwindow */
  GetDpiForWindow: fn('uint32', ['hwnd window']),
  /** System DPI. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getdpiforsystem */
  GetDpiForSystem: fn('uint32', []),
  /** Awareness of this process, before the first window (-4 = per monitor v2). https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setprocessdpiawarenesscontext */
  SetProcessDpiAwarenessContext: fn('bool', ['handle context']),
  /** Awareness of this thread; the previous one. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setthreaddpiawarenesscontext */
  SetThreadDpiAwarenessContext: fn('handle', ['handle context']),
  /** Awareness of this thread. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getthreaddpiawarenesscontext */
  GetThreadDpiAwarenessContext: fn('handle', []),
  /** Awareness of a window. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindowdpiawarenesscontext */
  GetWindowDpiAwarenessContext: fn('handle', ['hwnd window']),
  /** 0 unaware, 1 system, 2 per monitor. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getawarenessfromdpiawarenesscontext */
  GetAwarenessFromDpiAwarenessContext: fn('int32', ['handle context']),
  /** Converts a physical POINT in place. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-physicaltologicalpointforpermonitordpi */
  PhysicalToLogicalPointForPerMonitorDPI: fn('bool', ['hwnd window', 'ptr point']),
  /** Window RECT around a client RECT, in place. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-adjustwindowrectexfordpi */
  AdjustWindowRectExForDpi: fn('bool', ['ptr rect', 'uint32 style', 'bool menu', 'uint32 extendedStyle', 'uint32 dpi']),
  /** A measure of the system in this thread's DPI. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getsystemmetrics */
  GetSystemMetrics: fn('int32', ['int32 index']),
  /** Reads or sets a system-wide setting. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-systemparametersinfow */
  SystemParametersInfoW: fn('bool', ['uint32 action', 'uint32 param', 'ptr value', 'uint32 flags']),
  /** Calls `each` for every monitor; its RECT is a pointer. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-enumdisplaymonitors */
  EnumDisplayMonitors: fn('bool', ['handle dc', 'ptr clip', MonitorEnumProc, 'intptr data']),
  /** MONITORINFOEXW (set `cbSize` first). https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getmonitorinfow */
  GetMonitorInfoW: fn('bool', ['handle monitor', 'ptr info']),
  /** The monitor with most of the window. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-monitorfromwindow */
  MonitorFromWindow: fn('handle', ['hwnd window', 'uint32 otherwise']),
  /** The monitor with a point. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-monitorfrompoint */
  MonitorFromPoint: fn('handle', ['point at', 'uint32 otherwise']),
  /** DISPLAY_DEVICEW (set `cb` first). https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-enumdisplaydevicesw */
  EnumDisplayDevicesW: fn('bool', ['str16 device', 'uint32 index', 'ptr info', 'uint32 flags']),
  /** Counts for QueryDisplayConfig. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getdisplayconfigbuffersizes */
  GetDisplayConfigBufferSizes: fn('int32', ['uint32 flags', 'ptr paths', 'ptr modes']),
  /** Display paths and modes. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-querydisplayconfig */
  QueryDisplayConfig: fn('int32', [
    'uint32 flags',
    'ptr pathCount',
    'ptr paths',
    'ptr modeCount',
    'ptr modes',
    'ptr topology',
  ]),
  /** Names of a display (the packet's header says which). https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-displayconfiggetdeviceinfo */
  DisplayConfigGetDeviceInfo: fn('int32', ['ptr packet']),

  // Messages
  /** Sends and waits without limit; prefer SendMessageTimeoutW. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-sendmessagew */
  SendMessageW: fn('intptr', ['hwnd window', 'uint32 message', 'uintptr wParam', 'lparam lParam']),
  /** Sends and waits up to the time limit; 0 = failed (error 1460: time-out). The answer goes to a uint64. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-sendmessagetimeoutw */
  SendMessageTimeoutW: fn('intptr', [
    'hwnd window',
    'uint32 message',
    'uintptr wParam',
    'lparam lParam',
    'uint32 flags',
    'uint32 milliseconds',
    'ptr result',
  ]),
  /** Sends without waiting to another thread. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-sendnotifymessagew */
  SendNotifyMessageW: fn('bool', ['hwnd window', 'uint32 message', 'uintptr wParam', 'intptr lParam']),
  /** Whether the message being handled was sent, not posted: ISMEX_… bits, 0 = posted. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-insendmessageex */
  InSendMessageEx: fn('uint32', ['ptr reserved']),
  /** Puts a message in the window's queue. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-postmessagew */
  PostMessageW: fn('bool', ['hwnd window', 'uint32 message', 'uintptr wParam', 'intptr lParam']),
  /** Puts a message in a thread's queue. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-postthreadmessagew */
  PostThreadMessageW: fn('bool', ['uint32 thread', 'uint32 message', 'uintptr wParam', 'intptr lParam']),
  /** The system-wide number of a named message. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-registerwindowmessagew */
  RegisterWindowMessageW: fn('uint32', ['str16 name']),
  /** Takes a MSG if there is one. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-peekmessagew */
  PeekMessageW: fn('bool', ['ptr message', 'hwnd window', 'uint32 first', 'uint32 last', 'uint32 remove']),
  /** Waits for a MSG; 0 = WM_QUIT, -1 = error. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getmessagew */
  GetMessageW: fn('int32', ['ptr message', 'hwnd window', 'uint32 first', 'uint32 last']),
  /** Makes WM_CHAR from WM_KEYDOWN. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-translatemessage */
  TranslateMessage: fn('bool', ['ptr message']),
  /** Calls the window procedure. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-dispatchmessagew */
  DispatchMessageW: fn('intptr', ['ptr message']),
  /** Ends this thread's message loop. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-postquitmessage */
  PostQuitMessage: fn('void', ['int32 code']),
  /** Waits for a handle or a message. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-msgwaitformultipleobjectsex */
  MsgWaitForMultipleObjectsEx: fn('uint32', [
    'uint32 count',
    'ptr handles',
    'uint32 milliseconds',
    'uint32 wakeMask',
    'uint32 flags',
  ]),
  /** Extra information of the last message. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getmessageextrainfo */
  GetMessageExtraInfo: fn('intptr', []),
  /** Cursor position of the last message, packed. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getmessagepos */
  GetMessagePos: fn('uint32', []),
  /** Waits until a new process has made its first window and waits for input. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-waitforinputidle */
  WaitForInputIdle: fn('uint32', ['handle process', 'uint32 milliseconds']),
  /** A modal dialog from a DLGTEMPLATE in memory; returns with EndDialog's value, -1 = refused. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-dialogboxindirectparamw */
  DialogBoxIndirectParamW: fn('intptr', ['handle module', 'ptr template', 'hwnd owner', DlgProc, 'intptr data']),
  /** Ends a modal dialog. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-enddialog */
  EndDialog: fn('bool', ['hwnd dialog', 'intptr result']),
  /** Gives a MSG to a dialog's keyboard handling. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-isdialogmessagew */
  IsDialogMessageW: fn('bool', ['hwnd dialog', 'ptr message']),

  // Keyboard
  /** Virtual key, scan code or character of a key. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-mapvirtualkeyw */
  MapVirtualKeyW: fn('uint32', ['uint32 code', 'uint32 kind']),
  /** The same in a given layout. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-mapvirtualkeyexw */
  MapVirtualKeyExW: fn('uint32', ['uint32 code', 'uint32 kind', 'handle layout']),
  /** Virtual key (low byte) and shift state of a character, -1 if none. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-vkkeyscanw */
  VkKeyScanW: fn('int16', ['uint16 character']),
  /** The same in a given layout. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-vkkeyscanexw */
  VkKeyScanExW: fn('int16', ['uint16 character', 'handle layout']),
  /** Layout of a thread. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getkeyboardlayout */
  GetKeyboardLayout: fn('handle', ['uint32 thread']),
  /** Characters that a key makes; flag 4 leaves the dead-key state alone. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-tounicodeex */
  ToUnicodeEx: fn('int32', [
    'uint32 key',
    'uint32 scanCode',
    'ptr keyState',
    'ptr text',
    'int32 capacity',
    'uint32 flags',
    'handle layout',
  ]),
  /** State of a key as this thread's queue saw it; negative = down. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getkeystate */
  GetKeyState: fn('int16', ['int32 key']),
  /** State of a key now; negative = down. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getasynckeystate */
  GetAsyncKeyState: fn('int16', ['int32 key']),
  /** 256 key states of this thread's queue. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getkeyboardstate */
  GetKeyboardState: fn('bool', ['ptr states']),
  /** Sets the 256 key states of this thread's queue. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setkeyboardstate */
  SetKeyboardState: fn('bool', ['ptr states']),
  /** Couples or uncouples two input queues. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-attachthreadinput */
  AttachThreadInput: fn('bool', ['uint32 thread', 'uint32 to', 'bool attach']),
  /** GUITHREADINFO (set `cbSize` first); thread 0 = the foreground's. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getguithreadinfo */
  GetGUIThreadInfo: fn('bool', ['uint32 thread', 'ptr info']),
  /** LASTINPUTINFO (set `cbSize` first): when a person last did something. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getlastinputinfo */
  GetLastInputInfo: fn('bool', ['ptr info']),
  /** Puts INPUTs (40 bytes each) in the system's input stream; how many went in. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-sendinput */
  SendInput: fn('uint32', ['uint32 count', 'ptr inputs', 'int32 size']),
  /** A system-wide hot key, as WM_HOTKEY. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-registerhotkey */
  RegisterHotKey: fn('bool', ['hwnd window', 'int32 id', 'uint32 modifiers', 'uint32 key']),
  /** Removes it. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-unregisterhotkey */
  UnregisterHotKey: fn('bool', ['hwnd window', 'int32 id']),

  // Pointer, cursor, touch, pen
  /** POINT in screen coordinates. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getcursorpos */
  GetCursorPos: fn('bool', ['ptr point']),
  /** Moves the cursor. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setcursorpos */
  SetCursorPos: fn('bool', ['int32 x', 'int32 y']),
  /** CURSORINFO (set `cbSize` first). https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getcursorinfo */
  GetCursorInfo: fn('bool', ['ptr info']),
  /** A predefined cursor (module 0). https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-loadcursorw */
  LoadCursorW: fn('handle', ['handle module', 'handle id']),
  /** A cursor of two masks, one bit a pixel. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-createcursor */
  CreateCursor: fn('handle', [
    'handle module',
    'int32 hotX',
    'int32 hotY',
    'int32 width',
    'int32 height',
    'ptr through',
    'ptr white',
  ]),
  /** Milliseconds between the two clicks of a double click. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getdoubleclicktime */
  GetDoubleClickTime: fn('uint32', []),
  /** INPUT_MESSAGE_SOURCE: device and origin (1 hardware, 2 injected) of the message being handled. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getcurrentinputmessagesource */
  GetCurrentInputMessageSource: fn('bool', ['ptr source']),

  // Clipboard
  /** Opens it; false while another program has it. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-openclipboard */
  OpenClipboard: fn('bool', ['hwnd owner']),
  /** Closes it. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-closeclipboard */
  CloseClipboard: fn('bool', []),
  /** Empties it and makes the opener its owner. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-emptyclipboard */
  EmptyClipboard: fn('bool', []),
  /** Its memory in a format; belongs to the clipboard. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getclipboarddata */
  GetClipboardData: fn('handle', ['uint32 format']),
  /** Gives memory (GMEM_MOVEABLE) to the clipboard; 0 = delayed. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setclipboarddata */
  SetClipboardData: fn('handle', ['uint32 format', 'handle data']),
  /** Grows with each change. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getclipboardsequencenumber */
  GetClipboardSequenceNumber: fn('uint32', []),
  /** Whether a format is there. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-isclipboardformatavailable */
  IsClipboardFormatAvailable: fn('bool', ['uint32 format']),
  /** Next format, 0 at the end. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-enumclipboardformats */
  EnumClipboardFormats: fn('uint32', ['uint32 after']),
  /** Number of a named format. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-registerclipboardformatw */
  RegisterClipboardFormatW: fn('uint32', ['str16 name']),
  /** Name of a registered format. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getclipboardformatnamew */
  GetClipboardFormatNameW: fn('int32', ['uint32 format', 'ptr text', 'int32 capacity']),
  /** Who has it open now. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getopenclipboardwindow */
  GetOpenClipboardWindow: fn('hwnd', []),

  // Own windows and painting
  /** Registers a WNDCLASSEXW; its atom or 0. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-registerclassexw */
  RegisterClassExW: fn('uint16', ['ptr windowClass']),
  /** Takes a class away. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-unregisterclassw */
  UnregisterClassW: fn('bool', ['str16 name', 'handle module']),
  /** Makes a window of this thread; 0 = failed. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-createwindowexw */
  CreateWindowExW: fn('hwnd', [
    'uint32 extendedStyle',
    'str16 className',
    'str16 title',
    'uint32 style',
    'int32 x',
    'int32 y',
    'int32 width',
    'int32 height',
    'hwnd parent',
    'handle menu',
    'handle module',
    'ptr param',
  ]),
  /** What Windows does with a message. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-defwindowprocw */
  DefWindowProcW: fn('intptr', ['hwnd window', 'uint32 message', 'uintptr wParam', 'intptr lParam']),
  /** PAINTSTRUCT and a device context for WM_PAINT. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-beginpaint */
  BeginPaint: fn('handle', ['hwnd window', 'ptr paint']),
  /** Ends it. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-endpaint */
  EndPaint: fn('bool', ['hwnd window', 'ptr paint']),
  /** Asks for WM_PAINT. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-invalidaterect */
  InvalidateRect: fn('bool', ['hwnd window', 'ptr rect', 'bool erase']),
  /** Whether a part of it is still to be painted. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getupdaterect */
  GetUpdateRect: fn('bool', ['hwnd window', 'ptr rect', 'bool erase']),
  /** Takes the wish back. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-validaterect */
  ValidateRect: fn('bool', ['hwnd window', 'ptr rect']),
  /** Paints at once. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-updatewindow */
  UpdateWindow: fn('bool', ['hwnd window']),
  /** Fills a RECT. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-fillrect */
  FillRect: fn('int32', ['handle dc', 'ptr rect', 'handle brush']),
  /** Draws or measures text; -1 = up to the NUL. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-drawtextw */
  DrawTextW: fn('int32', ['handle dc', 'str16 text', 'int32 length', 'ptr rect', 'uint32 format']),
  /** WM_TIMER each so often. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-settimer */
  SetTimer: fn('uintptr', ['hwnd window', 'uintptr id', 'uint32 milliseconds', TimerProc]),
  /** No more. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-killtimer */
  KillTimer: fn('bool', ['hwnd window', 'uintptr id']),
  /** A system colour, 0x00BBGGRR. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getsyscolor */
  GetSysColor: fn('uint32', ['int32 index']),
  /** Its brush; not to be deleted. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getsyscolorbrush */
  GetSysColorBrush: fn('handle', ['int32 index']),
  /** Gives an icon back. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-destroyicon */
  DestroyIcon: fn('bool', ['handle icon']),
  /** An icon from a mask (one bit a pixel) and colours. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-createicon */
  CreateIcon: fn('handle', [
    'handle instance',
    'int32 width',
    'int32 height',
    'uint8 planes',
    'uint8 bits',
    'ptr mask',
    'ptr colours',
  ]),
  /** ICONINFO; its two bitmaps are the caller's to delete. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-geticoninfo */
  GetIconInfo: fn('bool', ['handle icon', 'ptr info']),
  /** Icons of a file in a given size. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-privateextracticonsw */
  PrivateExtractIconsW: fn('uint32', [
    'str16 file',
    'int32 index',
    'int32 width',
    'int32 height',
    'ptr icons',
    'ptr ids',
    'uint32 count',
    'uint32 flags',
  ]),
  /** Device context of a client area (0 = the screen). https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getdc */
  GetDC: fn('handle', ['hwnd window']),
  /** Device context of a whole window. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getwindowdc */
  GetWindowDC: fn('handle', ['hwnd window']),
  /** Releases it. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-releasedc */
  ReleaseDC: fn('int32', ['hwnd window', 'handle dc']),
  /** Lets a window draw itself; 2 = full content. Waits for its thread. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-printwindow */
  PrintWindow: fn('bool', ['hwnd window', 'handle dc', 'uint32 flags']),

  // Hooks
  /** Sets a hook; low-level ones are called on this thread, which must pump messages. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwindowshookexw */
  SetWindowsHookExW: fn('handle', ['int32 kind', HookProc, 'handle module', 'uint32 thread']),
  /** Takes it away. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-unhookwindowshookex */
  UnhookWindowsHookEx: fn('bool', ['handle hook']),
  /** Hands on. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-callnexthookex */
  CallNextHookEx: fn('intptr', ['handle hook', 'int32 code', 'uintptr wParam', 'intptr lParam']),
  /** Calls `proc` for events, on this thread while it pumps messages. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-setwineventhook */
  SetWinEventHook: fn('handle', [
    'uint32 first',
    'uint32 last',
    'handle module',
    WinEventProc,
    'uint32 process',
    'uint32 thread',
    'uint32 flags',
  ]),
  /** Takes it away. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-unhookwinevent */
  UnhookWinEvent: fn('bool', ['handle hook']),
  /** Announces an event of a window. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-notifywinevent */
  NotifyWinEvent: fn('void', ['uint32 event', 'hwnd window', 'int32 objectId', 'int32 childId']),

  // Desktops and window stations
  /** The desktop that has the input; fails on the secure one. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-openinputdesktop */
  OpenInputDesktop: fn('handle', ['uint32 flags', 'bool inherit', 'uint32 access']),
  /** Closes it. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-closedesktop */
  CloseDesktop: fn('bool', ['handle desktop']),
  /** Desktop of a thread; not to be closed. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getthreaddesktop */
  GetThreadDesktop: fn('handle', ['uint32 thread']),
  /** Window station of this process; not to be closed. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getprocesswindowstation */
  GetProcessWindowStation: fn('handle', []),
  /** Name, flags … of a desktop or station. https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-getuserobjectinformationw */
  GetUserObjectInformationW: fn('bool', ['handle object', 'int32 kind', 'ptr info', 'uint32 size', 'ptr needed']),
});
