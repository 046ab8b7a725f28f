/** Window classes: of the standard controls, with the UIA control types that they correspond to, and of terminals. No Windows in here. */
import * as m from '../../../native-bindings/win32/constants.ts';
import type { ControlType } from '../../contract/element/control-types.ts';
import { XAML_FRAMES, XAML_ISLANDS } from '../../contract/ways/receivers.ts';
import { win32 as windowsPath } from 'node:path';
import type { BindingRecord } from '../../contract/element/binding.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { CONSOLE_CLASSES, OTHER_TERMINAL_CLASSES, TERMINAL_CLASS } from '../../contract/terminal/terminals.ts';
import { quoted } from '../../contract/json/quoted.ts';

/**
 * Kinds of standard control (`other` is a program's own): the control type, and what its own messages need if they say all
 * that it shows and do all that a person does to it (`memory`: memory in its program). The system's proxies ask the same
 * messages and leave out what the program expects to hear; a control's type, place and program do not matter.
 */
const CONTROLS = {
  button: ['Button', 'alone'],
  static: ['Text', null],
  edit: ['Edit', 'alone'],
  'rich-edit': ['Document', 'alone'],
  'combo-box': ['ComboBox', 'alone'],
  'list-box': ['List', 'alone'],
  'list-view': ['List', 'memory'],
  'tree-view': ['Tree', 'memory'],
  tab: ['Tab', 'memory'],
  'tool-bar': ['ToolBar', 'memory'],
  'status-bar': ['StatusBar', 'memory'],
  'track-bar': ['Slider', 'alone'],
  'progress-bar': ['ProgressBar', 'alone'],
  'up-down': ['Spinner', 'alone'],
  'scroll-bar': ['ScrollBar', 'alone'],
  header: ['Header', 'memory'],
  'date-time': ['Edit', 'memory'],
  calendar: ['Calendar', 'memory'],
  'ip-address': ['Edit', 'alone'],
  'hot-key': ['Edit', 'alone'],
  link: ['Hyperlink', 'memory'],
  rebar: ['Pane', null],
  pager: ['Pane', null],
  tooltip: ['ToolTip', null],
  animation: ['Image', null],
  dialog: ['Pane', null],
  other: [null, null],
} as const satisfies Record<string, readonly [type: ControlType | null, needs: 'memory' | 'alone' | null]>;
export type ControlKind = keyof typeof CONTROLS;

/** Source: learn.microsoft.com/windows/win32/controls/common-control-window-classes and .../winmsg/about-window-classes */
const KINDS: Readonly<Record<string, ControlKind>> = {
  button: 'button',
  static: 'static',
  edit: 'edit',
  combobox: 'combo-box',
  comboboxex32: 'combo-box',
  listbox: 'list-box',
  combolbox: 'list-box',
  scrollbar: 'scroll-bar',
  '#32770': 'dialog',
  syslistview32: 'list-view',
  systreeview32: 'tree-view',
  systabcontrol32: 'tab',
  toolbarwindow32: 'tool-bar',
  msctls_statusbar32: 'status-bar',
  msctls_trackbar32: 'track-bar',
  msctls_progress32: 'progress-bar',
  msctls_updown32: 'up-down',
  sysheader32: 'header',
  sysdatetimepick32: 'date-time',
  sysmonthcal32: 'calendar',
  sysipaddress32: 'ip-address',
  msctls_hotkey32: 'hot-key',
  syslink: 'link',
  rebarwindow32: 'rebar',
  syspager: 'pager',
  tooltips_class32: 'tooltip',
  sysanimate32: 'animation',
  richedit: 'rich-edit',
  richedit20a: 'rich-edit',
  richedit20w: 'rich-edit',
  richedit50w: 'rich-edit',
  richeditd2dpt: 'rich-edit',
};

/** Frameworks register the standard classes under other names. */
const COPIES: ReadonlyArray<readonly [RegExp, (match: RegExpExecArray) => string]> = [
  [/^windowsforms\d+\.(.+?)\.app\./, (match) => match[1]!],
  [/^atl:(.+)$/, (match) => match[1]!],
  // wxNotebook
  [/^_wx_systabctl32$/, () => 'systabcontrol32'],
  [
    /^t(edit|button|listbox|combobox|memo|checkbox|radiobutton|listview|treeview|statusbar|toolbar|richedit|tabcontrol|pagecontrol|trackbar|progressbar|updown|datetimepicker|monthcalendar|headercontrol|hotkey|comboboxex|coolbar)$/,
    (match) => VCL[match[1]!] ?? match[1]!,
  ],
  [
    /^thunder(?:rt6)?(textbox|commandbutton|checkbox|optionbutton|listbox|combobox)$/,
    (match) => VISUAL_BASIC[match[1]!] ?? match[1]!,
  ],
];
const VCL: Readonly<Record<string, string>> = {
  memo: 'edit',
  checkbox: 'button',
  radiobutton: 'button',
  listview: 'syslistview32',
  treeview: 'systreeview32',
  statusbar: 'msctls_statusbar32',
  toolbar: 'toolbarwindow32',
  richedit: 'richedit20w',
  tabcontrol: 'systabcontrol32',
  pagecontrol: 'systabcontrol32',
  trackbar: 'msctls_trackbar32',
  progressbar: 'msctls_progress32',
  updown: 'msctls_updown32',
  datetimepicker: 'sysdatetimepick32',
  monthcalendar: 'sysmonthcal32',
  headercontrol: 'sysheader32',
  hotkey: 'msctls_hotkey32',
  comboboxex: 'comboboxex32',
  coolbar: 'rebarwindow32',
};
const VISUAL_BASIC: Readonly<Record<string, string>> = {
  textbox: 'edit',
  commandbutton: 'button',
  checkbox: 'button',
  optionbutton: 'button',
};

/** Windows in which a browser shows a page, as a child of its own or of another program's window. */
const RENDER_CLASS = /^chrome_renderwidgethosthwnd$/i;
export const isRenderWindow = (className: string): boolean => RENDER_CLASS.test(className);

/**
 * Heavyweight windows of Java's own toolkit; what is in them is drawn.
 * Source: docs.oracle.com/en/java/javase/21/access/enabling-and-testing-java-access-bridge.html
 */
export const isJavaClass = (className: string): boolean => className.startsWith('SunAwt');

/** Top-level windows of browsers and of programs made with one. */
const BROWSER_CLASS = /^chrome_widgetwin_\d+$/i;
export const isBrowserWindow = (className: string): boolean => BROWSER_CLASS.test(className);

/** Kinds of which the system's own classes may answer UI Automation themselves, or leave it to the program. */
const ANSWERING: ReadonlySet<ControlKind> = new Set(['rich-edit', 'dialog']);

/** Whether a window of this class shows what the system's control shows, and answers nothing by itself. */
export function isSystemClass(className: string): boolean {
  const name = className.toLowerCase();
  return Object.hasOwn(KINDS, name) && !ANSWERING.has(KINDS[name]!);
}

/** What its own messages need to say everything; null for kinds that UI Automation describes better. */
export const messagesNeed = (kind: ControlKind): 'memory' | 'alone' | null => CONTROLS[kind][1];

/** Null if the name is not known. */
export function kindOfClass(className: string): ControlKind | null {
  const name = className.toLowerCase();
  const known = Object.hasOwn(KINDS, name) ? KINDS[name]! : null;
  if (known !== null) return known;
  for (const [pattern, copyOf] of COPIES) {
    const match = pattern.exec(name);
    if (match === null) continue;
    const original = copyOf(match);
    return Object.hasOwn(KINDS, original) ? KINDS[original]! : null;
  }
  return null;
}

/** Kinds of button. Source: learn.microsoft.com/windows/win32/controls/button-styles */
export type ButtonKind = 'push' | 'check' | 'radio' | 'group' | 'split';

export function buttonKind(style: number): ButtonKind {
  switch (style & m.BS_TYPEMASK) {
    case m.BS_CHECKBOX:
    case m.BS_AUTOCHECKBOX:
    case m.BS_3STATE:
    case m.BS_AUTO3STATE:
      return 'check';
    case m.BS_RADIOBUTTON:
    case m.BS_AUTORADIOBUTTON:
      return 'radio';
    case m.BS_GROUPBOX:
      return 'group';
    case m.BS_SPLITBUTTON:
    case m.BS_DEFSPLITBUTTON:
      return 'split';
    default:
      return 'push';
  }
}

export function isDefaultButtonStyle(style: number): boolean {
  const kind = style & m.BS_TYPEMASK;
  return kind === m.BS_DEFPUSHBUTTON || kind === m.BS_DEFSPLITBUTTON || kind === m.BS_DEFCOMMANDLINK;
}

function staticType(style: number): ControlType {
  switch (style & m.SS_TYPEMASK) {
    case m.SS_ICON:
    case m.SS_BITMAP:
    case m.SS_ENHMETAFILE:
      return 'Image';
    case m.SS_BLACKRECT:
    case m.SS_GRAYRECT:
    case m.SS_WHITERECT:
    case m.SS_BLACKFRAME:
    case m.SS_GRAYFRAME:
    case m.SS_WHITEFRAME:
    case m.SS_ETCHEDHORZ:
    case m.SS_ETCHEDVERT:
    case m.SS_ETCHEDFRAME:
      return 'Separator';
    default:
      return 'Text';
  }
}

const BUTTON_TYPES: Readonly<Record<ButtonKind, ControlType>> = {
  push: 'Button',
  check: 'CheckBox',
  radio: 'RadioButton',
  group: 'Group',
  split: 'SplitButton',
};

/** The control type of a child window. `hasChildren` tells a program's own containers (Pane) from its leaves (Custom). */
export function controlTypeOf(kind: ControlKind, style: number, hasChildren: boolean): ControlType {
  if (kind === 'button') return BUTTON_TYPES[buttonKind(style)];
  if (kind === 'static') return staticType(style);
  return CONTROLS[kind][0] ?? (hasChildren ? 'Pane' : 'Custom');
}

// Which windows take keys from the system's input queue alone: those of XAML, WinUI and UWP (contract/ways/receivers.ts).
// Posted keys are lost there. No Windows in here.

/** Top-level windows that have nothing but such content. */
const FRAMES: ReadonlySet<string> = new Set(XAML_FRAMES);
/** Child windows that hold such content, also in a program of classic controls. */
const ISLANDS: ReadonlySet<string> = new Set(XAML_ISLANDS);

export const isIsland = (className: string): boolean => ISLANDS.has(className);

/**
 * Whether keys posted to a window are lost.
 * @param target class of the part that keys would go to; null if it is the top-level window, or unknown
 * @param hasChild whether a visible child window has a class that is meant; asked only if nothing else decides
 */
export function losesPostedKeys(
  top: string,
  target: string | null,
  hasChild: (isMeant: (className: string) => boolean) => boolean,
): boolean {
  if (target !== null) return ISLANDS.has(target);
  return FRAMES.has(top) || hasChild(isIsland);
}

/** The hidden window that a console program in Windows Terminal sees as its own. */
export const PSEUDO_CONSOLE_CLASS = 'PseudoConsoleWindow';

const WINDOWS_CLASS = 'ConsoleWindowClass';
/** Terminals that draw themselves, by program: some share their class with other programs. */
const OTHER_PROGRAMS = new Set([
  'windowsterminal.exe',
  'mintty.exe',
  'putty.exe',
  'kitty.exe',
  'conemu.exe',
  'conemu64.exe',
  'wezterm-gui.exe',
  'alacritty.exe',
  'tabby.exe',
  'hyper.exe',
  'warp.exe',
  'ghostty.exe',
  'rio.exe',
  'securecrt.exe',
  'xshell.exe',
  'ttermpro.exe',
  'mobaxterm.exe',
]);

/**
 * `console`: drawn by the console host, read and written by the console functions. `other`: draws itself; the console
 * behind it is used if there is one, else UI Automation's text and posted keys.
 */
export type TerminalKind = 'console' | 'other';

/** Whether the console host draws the window. */
export const isClassicConsole = (record: BindingRecord): boolean => CONSOLE_CLASSES.has(record.className);

/** Whether a console with this window turns a Ctrl+C written into its input into a signal: Windows' own does not. */
export const makesSignalsOfInput = (consoleClass: string): boolean =>
  consoleClass !== WINDOWS_CLASS && consoleClass !== PSEUDO_CONSOLE_CLASS;

/** Windows Terminal reads keys only from the system's input queue: posted ones never arrive. */
export const ignoresPostedKeys = (record: BindingRecord): boolean => record.className === TERMINAL_CLASS;

/** Whether keys and text go into the console behind the window, never to the window: messages carry neither all characters nor the held keys. */
export const takesConsoleInput = (record: BindingRecord): boolean =>
  isClassicConsole(record) || ignoresPostedKeys(record);

/** How to use a bound terminal. Errors: unsupported if the window is not a terminal. */
export function terminalKind(record: BindingRecord): TerminalKind {
  if (isClassicConsole(record)) return 'console';
  const program = record.app.executable === null ? '' : windowsPath.basename(record.app.executable).toLowerCase();
  if (OTHER_TERMINAL_CLASSES.has(record.className) || OTHER_PROGRAMS.has(program)) return 'other';
  throw new UiaHostError(
    'unsupported',
    `The bound window ${quoted(record.title)} (class ${quoted(record.className)}) is not a terminal; nothing was read or typed.`,
    {
      hint: 'Bind a console or terminal window; for other windows use type, key, or element actions.',
    },
  );
}
