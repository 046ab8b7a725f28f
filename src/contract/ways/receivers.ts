/**
 * Which programs take which input in the background, by the toolkit that draws the window: some take a part of it from
 * the real cursor, buttons or keys instead of the message, and then the message does something else than it says. One
 * table: ways and deliveries ask it, and docs/receivers.md shows it. Data; no Windows in here.
 */
import { CONSOLE_CLASSES, TERMINAL_CLASS } from '../terminal/terminals.ts';

export const TOOLKITS = [
  'standard',
  'console',
  'awt',
  'tk',
  'scintilla',
  'chromium',
  'mozilla',
  'qt',
  'gtk',
  'fltk',
  'javafx',
  'swt',
  'wx',
  'wpf',
  'winforms',
  'vcl',
  'fmx',
  'sdl',
  'glfw',
  'xaml',
  'custom',
] as const;
export type Toolkit = (typeof TOOLKITS)[number];

/**
 * `characters`: those of a text. `breaks`: line breaks and tabs in it. `keys`: single keys. `chords`: with Ctrl or Shift.
 * `alt`: with Alt. `letters`: in an open menu.
 */
export const INPUTS = [
  'click',
  'drag',
  'wheel',
  'hover',
  'characters',
  'breaks',
  'keys',
  'chords',
  'alt',
  'letters',
] as const;
export type Input = (typeof INPUTS)[number];

/**
 * What carries it. `message`: the message alone. `alone`: a posted key with nothing of the text in the queue, since the
 * toolkit takes the key's character from there. `state`: a message while the thread's key state is set. `front`: the message,
 * while no other program is in front; else it is refused. `console`: the console's input. `element`: patterns of elements.
 * `real`: nothing in the background; it is refused before anything is sent. `lost`: nothing, and it cannot be refused.
 */
export type Carrier = 'message' | 'alone' | 'state' | 'front' | 'console' | 'element' | 'real' | 'lost';

interface Cell {
  readonly by: Carrier;
  readonly why: string;
}

export interface ReceiverRow {
  readonly name: string;
  /** Class names, of the window or of one around it. */
  readonly classes: RegExp | null;
  /** Everything below such a window belongs to it, standard controls too: their messages go through it. */
  readonly ownsControls?: true;
  /** Where it was read or seen. */
  readonly source: string;
  /** What a test of this project or a real program that was driven showed to be so. The rest is read, and not proven. */
  readonly seen: readonly Input[];
  readonly cells: Partial<Readonly<Record<Input, Cell>>>;
  /** After a key that it used it drops characters until the next key. */
  readonly dropsAfterKey?: true;
  /** Characters that it loses or changes when they are typed, by real input too; from the clipboard it takes them. */
  readonly loses?: { readonly characters: RegExp; readonly why: string };
  /**
   * What an answer adds: to a shortcut that was sent while another program is in front, if nothing was seen of it; to a
   * letter by real keys.
   */
  readonly notes?: { readonly shortcut?: string; readonly letter?: string };
}

/** What Windows' documentation gives a message, and what the rows below do not say otherwise. */
export const USUAL: Readonly<Record<Input, Cell>> = {
  click: { by: 'message', why: 'place and button are in the message' },
  drag: { by: 'message', why: 'place and button are in each message' },
  wheel: { by: 'message', why: 'amount and place are in the message' },
  hover: { by: 'message', why: 'the place is in the message' },
  characters: { by: 'message', why: 'WM_CHAR carries the character' },
  breaks: { by: 'message', why: 'WM_KEYDOWN carries the key, and its message loop makes the character' },
  keys: { by: 'message', why: 'WM_KEYDOWN carries the key' },
  chords: { by: 'state', why: 'GetKeyState says which keys are held' },
  alt: { by: 'message', why: 'WM_SYSKEYDOWN carries Alt in its context bit' },
  letters: { by: 'message', why: 'the menu’s loop takes the messages of its thread' },
};

const PEEKS: Cell = {
  by: 'alone',
  why: 'at a key it takes the next characters in its queue as those of the key',
};
/** WM_CHAR brings a character beyond U+FFFF in two halves. */
const HALVES: ReceiverRow['loses'] = {
  characters: /[\u{10000}-\u{10FFFF}]/u,
  why: 'it takes the two halves of a character beyond U+FFFF one by one, and loses both',
};
const GATHERS: Cell = {
  by: 'real',
  why: 'it gathers characters that no key of the keyboard made, and enters those before again with each',
};
/** wxStyledTextCtrl: its window is of the class wxWindow, and since wx 3.3 of Scintilla’s own. */
const AFTER_KEY: Cell = {
  by: 'message',
  why: 'after a key that wx’s own has used it drops characters until the next key, so a key without meaning goes first',
};
const BEHIND: Cell = { by: 'lost', why: 'the letter goes to the text behind the menu: click the entry instead' };
const ALT_STATE: Cell = { by: 'state', why: 'it asks GetKeyState for Alt' };
const alt: Cell = { by: 'real', why: 'it asks GetKeyState for Alt; without it the letter is typed' };
/** Keys for a toolkit that has no place for them while another program is in front. */
const inFront = (why: string): Partial<Record<Input, Cell>> =>
  Object.fromEntries(
    (['characters', 'breaks', 'keys', 'chords', 'letters'] as const).map((input) => [input, { by: 'front', why }]),
  );
const drawn = (by: Carrier, why: string): Partial<Record<Input, Cell>> => ({
  click: { by, why },
  drag: { by, why },
  wheel: { by, why },
  hover: { by, why },
});

/** XAML: top-level windows that have nothing but such content, and child windows that hold it in any program. */
export const XAML_FRAMES = [
  'ApplicationFrameWindow',
  'WinUIDesktopWin32WindowClass',
  'Windows.UI.Core.CoreWindow',
  'Xaml_WindowedPopupClass',
] as const;
export const XAML_ISLANDS = [
  'Windows.UI.Core.CoreWindow',
  'Windows.UI.Input.InputSite.WindowClass',
  'Windows.UI.Composition.DesktopWindowContentBridge',
  'Microsoft.UI.Content.DesktopChildSiteBridge',
  'Microsoft.UI.Content.PopupWindowSiteBridge',
  'Xaml_WindowedPopupClass',
] as const;

const anyOf = (names: Iterable<string>): RegExp =>
  new RegExp(`^(?:${[...new Set(names)].map((name) => name.replaceAll('.', String.raw`\.`)).join('|')})$`);

/** In the order in which a class is compared. */
export const RECEIVERS: Readonly<Record<Toolkit, ReceiverRow>> = {
  console: {
    name: 'Consoles and Windows Terminal',
    classes: anyOf([...CONSOLE_CLASSES, TERMINAL_CLASS]),
    source:
      'learn.microsoft.com/windows/console/writeconsoleinput; microsoft/terminal windowio.cpp (HandleMouseEvent asks CONSOLE_HAS_FOCUS); driven in tests, where Wine’s console takes the mouse in the background too',
    seen: INPUTS,
    cells: {
      ...drawn('real', 'it drops mouse messages while it does not have the focus; its keys and text need no click'),
      ...Object.fromEntries(
        (['characters', 'breaks', 'keys', 'chords', 'alt', 'letters'] as const).map((input) => [
          input,
          { by: 'console', why: 'key events of the console carry every character and the held keys' },
        ]),
      ),
    },
  },
  awt: {
    name: 'Java AWT and Swing',
    classes: /^SunAwt/,
    ownsControls: true,
    source: 'openjdk/jdk awt_Component.cpp (WmMouseDown, GetJavaModifiers); HyperSQL’s manager driven',
    seen: INPUTS,
    cells: {
      ...drawn('real', 'it takes the place from GetMessagePos, which is the person’s cursor'),
      ...inFront('while another program is in front none of its components has the focus, and it drops keys'),
      letters: {
        by: 'front',
        why: 'behind another program it drops keys; in front a menu of Swing takes the letter, and the field behind it gets it too: Alt with the letter, or arrow keys and Enter, choose alone',
      },
      alt,
    },
    notes: {
      letter:
        'where a menu was open, a field behind it has the letter too: Alt with the letter (alt+f alt+s), or arrow keys and enter, choose the entry alone',
    },
  },
  tk: {
    name: 'Tk (Tkinter, IDLE)',
    classes: /^Tk(?:TopLevel|Child)$/,
    ownsControls: true,
    source: 'tcltk/tk tkWinX.c (TkWinGetModifierState, GetTranslatedKey), tkWinPointer.c; IDLE driven',
    seen: INPUTS,
    loses: {
      characters: /[\u{20000}-\u{10FFFF}]/u,
      why: 'it puts the halves of a character beyond U+1FFFF together to another one',
    },
    cells: {
      ...drawn('real', 'it takes the buttons from GetKeyState: a message moves its pointer and presses nothing'),
      ...inFront('while another program is in front none of its widgets has the focus, and it drops keys'),
      alt,
    },
  },
  scintilla: {
    name: 'Scintilla (Notepad++, SciTE, wx)',
    classes: /^Scintilla$/,
    source:
      'Scintilla ScintillaWin.cxx (WM_CHAR, lastKeyDownConsumed); its control and RIDE’s, which is that of wx 3.3, driven',
    seen: INPUTS,
    cells: { characters: AFTER_KEY },
    dropsAfterKey: true,
  },
  chromium: {
    name: 'Chromium, Electron, CEF',
    classes: /^(?:Chrome_WidgetWin_\d+|Chrome_RenderWidgetHostHWND|CefBrowserWindow)$/,
    source:
      'chromium input_method_win_base.cc (DispatchKeyEvent takes the queued characters); a page in CEF 66 driven, with its context menu',
    seen: INPUTS,
    cells: { breaks: PEEKS, alt: ALT_STATE },
  },
  mozilla: {
    name: 'Firefox, Thunderbird',
    classes: /^Mozilla(?:Window|Dialog|DropShadowWindow|Hidden)Class$/,
    source: 'mozilla KeyboardLayout.cpp (NativeKey, GetFollowingCharMessage); not driven',
    seen: [],
    cells: { breaks: PEEKS },
  },
  qt: {
    name: 'Qt, with QtWebEngine',
    classes: /^Qt\d/,
    source: 'qtbase qwindowskeymapper.cpp (translateKeyEvent peeks WM_CHAR); Designer driven',
    seen: INPUTS,
    loses: HALVES,
    cells: {
      breaks: PEEKS,
      hover: { by: 'real', why: 'it takes a move as entering, and leaves at once where the real pointer is elsewhere' },
      chords: { by: 'state', why: 'the widget with the focus gets them; shortcuts of menus need the window in front' },
      alt: { by: 'real', why: 'menu letters work while its window is in front; else the letter is typed' },
      letters: BEHIND,
    },
    notes: {
      shortcut:
        'nothing was seen of it, and shortcuts of menus work only while the window is in front: bring it there with manage-window (focus), then repeat the call with delivery: "foreground"',
    },
  },
  gtk: {
    name: 'GTK',
    classes: /^gdk(?:Window|Surface)/,
    source:
      'gtk gdkevents-win32.c (inner_hwnd_procedure, gdk_event_translate), gdkkeys-win32.c; a form of GTK 4.20 driven',
    seen: INPUTS,
    cells: {
      ...drawn(
        'real',
        'it drops a move while GetMessagePos, which is the person’s cursor, stays the same, and a press goes where the last move was',
      ),
      ...Object.fromEntries(
        (['characters', 'breaks'] as const).map((input) => [
          input,
          { by: 'real', why: 'it takes a character only behind its key in the queue, and drops one that comes alone' },
        ]),
      ),
      alt: ALT_STATE,
    },
  },
  fltk: {
    name: 'FLTK',
    classes: /^(?:FLTK|fltk)/,
    source: 'fltk Fl_win32.cxx (WndProc peeks WM_CHAR); the editor of 1.3 and one of 1.4 driven',
    seen: INPUTS,
    cells: { breaks: PEEKS, alt: { by: 'state', why: 'it asks GetKeyState for Alt since 1.4' } },
    dropsAfterKey: true,
  },
  javafx: {
    name: 'JavaFX',
    classes: /^GlassWndClass/,
    source: 'openjdk/jfx ViewContainer.cpp (HandleViewKeyEvent, HandleViewTypedEvent); a form driven',
    seen: INPUTS,
    cells: {
      alt: ALT_STATE,
      letters: BEHIND,
    },
  },
  swt: {
    name: 'SWT’s own controls',
    classes: /^SWT_/,
    source: 'eclipse-platform Widget.java (WM_KEYDOWN waits for WM_CHAR), Control.java (WM_MOUSEMOVE); a form driven',
    seen: INPUTS,
    cells: {
      breaks: { by: 'alone', why: 'it takes a key when the next character comes, whichever that is' },
      ...Object.fromEntries(
        (['drag', 'hover'] as const).map((input) => [
          input,
          { by: 'real', why: 'it drops a move while GetMessagePos, which is the person’s cursor, stays the same' },
        ]),
      ),
    },
  },
  wx: {
    name: 'wxWidgets’ own controls',
    classes: /^wx(?:Window|Dialog|Frame|MDI|GLCanvas)/,
    source: 'wxWidgets src/msw/window.cpp, src/stc/stc.cpp (m_lastKeyDownConsumed); RIDE driven',
    seen: INPUTS,
    loses: HALVES,
    cells: { characters: AFTER_KEY },
    dropsAfterKey: true,
  },
  wpf: {
    name: 'WPF',
    classes: /^HwndWrapper\[/,
    source:
      'dotnet/wpf HwndKeyboardInputProvider.cs, Win32MouseDevice.cs (GetCursorPos); a window of .NET Core 3.1 driven',
    seen: INPUTS,
    cells: {
      ...drawn('real', 'it asks GetCursorPos what is under the pointer: a message for another place does nothing'),
      ...inFront('while another program is in front nothing in it has the focus: it drops keys'),
      ...Object.fromEntries(
        (['characters', 'breaks', 'letters'] as const).map((input) => [
          input,
          { by: 'real', why: 'characters that are sent count as access keys, which press what they name' },
        ]),
      ),
      alt,
    },
  },
  winforms: {
    name: 'Windows Forms’ own controls',
    classes: /^WindowsForms\d/,
    source: 'dotnet/winforms Control.cs, ButtonBase.cs (WndProc); a form of .NET Core 3.1 driven',
    seen: INPUTS,
    cells: {
      click: {
        by: 'message',
        why: 'a button that it draws is pressed by BM_CLICK; mouse messages count only where no window covers the point',
      },
      drag: { by: 'real', why: 'at each move it asks GetKeyState which buttons are held' },
      alt: ALT_STATE,
    },
  },
  vcl: {
    name: 'VCL’s own controls',
    classes: /^T[A-Z]\w*$/,
    source: 'class names of Delphi and C++Builder; a form and a memo of Delphi driven',
    seen: INPUTS,
    cells: {},
  },
  fmx: {
    name: 'FireMonkey (Delphi’s FMX)',
    classes: /^FMT[A-Z]\w*$/,
    source: 'a form of Delphi driven: of “pq” by WM_CHAR “ppq” arrived',
    seen: ['click', 'drag', 'wheel', 'hover', 'characters', 'breaks', 'keys', 'chords', 'alt'],
    cells: {
      hover: { by: 'real', why: 'it drops a move while no button is down in it' },
      characters: GATHERS,
      breaks: GATHERS,
      alt: { by: 'real', why: 'its form gets the key, and opens no menu' },
      letters: BEHIND,
    },
  },
  sdl: {
    name: 'SDL (pygame, games)',
    classes: /^(?:SDL_app|pygame)$/,
    source: 'SDL SDL_windowsevents.c (WIN_WindowProc), SDL_keyboard.c (its own list of held keys); pygame 2.6 driven',
    seen: INPUTS,
    cells: {
      chords: {
        by: 'real',
        why: 'it knows Ctrl and Shift by their own key messages; without them the letter alone arrives',
      },
    },
  },
  glfw: {
    name: 'GLFW (Dear ImGui)',
    classes: /^GLFW\d*$/,
    source: 'glfw win32_window.c (getKeyMods asks GetKeyState); a window of GLFW 3.4 driven',
    seen: INPUTS,
    cells: { alt: ALT_STATE },
  },
  xaml: {
    name: 'XAML, WinUI, UWP',
    classes: anyOf([...XAML_FRAMES, ...XAML_ISLANDS]),
    source: 'microsoft/microsoft-ui-xaml issues on PostMessage; trycua/cua 1597, 1607; not driven',
    seen: [],
    cells: Object.fromEntries(
      (['characters', 'breaks', 'keys', 'chords', 'alt', 'letters'] as const).map((input) => [
        input,
        { by: 'element', why: 'it takes keys from the system’s input queue alone' },
      ]),
    ),
  },
  standard: {
    name: 'Standard controls',
    classes: null,
    source: 'learn.microsoft.com/windows/win32/controls; driven in tests',
    seen: INPUTS,
    cells: { breaks: { by: 'message', why: 'an edit control takes them as characters' } },
  },
  custom: {
    name: 'Unknown programs that draw themselves',
    classes: null,
    source:
      'the documentation of the messages; a form of Lazarus driven, whose class the table does not know; what a program shows afterwards is the only proof',
    seen: INPUTS,
    cells: {},
  },
};

/** The toolkit that registers such a window class; null if none of the table does. */
export function toolkitOfClass(className: string): Toolkit | null {
  for (const [toolkit, { classes }] of Object.entries(RECEIVERS))
    if (classes?.test(className) === true) return toolkit as Toolkit;
  return null;
}

export const cellOf = (toolkit: Toolkit, input: Input): Cell => RECEIVERS[toolkit].cells[input] ?? USUAL[input];

/** Whether a key without meaning has to come before its characters. */
export const takesLetterAfterKey = (toolkit: Toolkit): boolean => RECEIVERS[toolkit].dropsAfterKey === true;

/** The first character of a text that it loses, and why; null if it takes all of them. */
export function lostCharacter(
  toolkit: Toolkit,
  text: string,
): { readonly character: string; readonly why: string } | null {
  const { loses } = RECEIVERS[toolkit];
  const character = loses?.characters.exec(text)?.[0];
  return loses === undefined || character === undefined ? null : { character, why: loses.why };
}

/** Whether keys reach it only while no other program is in front. */
export const needsFront = (toolkit: Toolkit): boolean => cellOf(toolkit, 'keys').by === 'front';

/** Whether such input may be sent to it in the background. */
export const isCarried = (toolkit: Toolkit, input: Input): boolean => cellOf(toolkit, input).by !== 'real';
