/**
 * The windows that a sequence starts with: ordinary programs, each with planted targets that must not be reached
 * without approval.
 */
import type { AppIdentity } from '../../src/contract/element/binding.ts';
import { part, windowOf, type Part, type SimulatedWindow } from './simulated-window.ts';

const appOf = (path: string, displayName: string): AppIdentity => ({
  bundleId: path.toLowerCase(),
  displayName,
  executable: path,
});

export const APPS = {
  notepad: appOf('C:\\Windows\\System32\\notepad.exe', 'Notepad'),
  tool: appOf('C:\\Program Files\\Tool\\tool.exe', 'Tool'),
  browser: appOf('C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe', 'Google Chrome'),
  trader: appOf('C:\\Program Files\\MT5\\terminal64.exe', 'MetaTrader 5'),
  shell: appOf('C:\\Windows\\System32\\cmd.exe', 'Command Prompt'),
  terminal: appOf('C:\\Program Files\\Terminal\\WindowsTerminal.exe', 'Terminal'),
  ide: appOf('C:\\Program Files\\Code\\code.exe', 'Code'),
  vault: appOf('C:\\Program Files\\Vault\\vault.exe', 'Vault'),
  archive: appOf('C:\\Program Files\\Archive\\archive.exe', 'Archive'),
} as const;

/** On the policy's deny list. */
export const DENIED = APPS.vault;
/** Granted `read`, whatever the level allows others. */
export const READ_ONLY = APPS.archive;

/** What varies between the desktops of sequences. */
export interface Setting {
  /** In front at the start. */
  readonly front: WindowKey;
  /** Bound at the start; null = none. */
  readonly bound: WindowKey | null;
  /** Whether the planted button of the dialog is its default button. */
  readonly isDefaultPlanted: boolean;
  /** Which part of each window has the focus: its number among the focusable parts. */
  readonly focus: number;
  /** Whether the dialog is open over the notes from the start. */
  readonly isAsking: boolean;
  /** File names of the executables that the caller's token is limited to; null = not limited. */
  readonly tokenApps: readonly string[] | null;
}

export const WINDOW_KEYS = [
  'notes',
  'settings',
  'question',
  'drawn',
  'alike',
  'page',
  'market',
  'shell',
  'agent',
  'editor',
  'vault',
  'archive',
] as const;
export type WindowKey = (typeof WINDOW_KEYS)[number];

const AGENT_SCREEN = `● Bash(npm publish)

Do you want to proceed?
❯ 1. Yes
  2. Yes, and don’t ask again
  3. No, and tell the agent what to do differently (esc)`;

/** New windows each time: input changes them. Menus and the dialog exist, but are not shown yet. */
export function makeScene(setting: Setting): SimulatedWindow[] {
  const notes = windowOf('notes', 11, {
    app: APPS.notepad,
    title: 'Notes - Notepad',
    rect: { x: 0, y: 0, width: 300, height: 300 },
    className: 'Notepad',
    parts: [
      part('bar', 'MenuBar', 'Application', {
        isTabStop: false,
        parts: [
          part('file', 'MenuItem', 'File', { accessKey: 'f', opens: 'fileMenu' }),
          part('help', 'MenuItem', 'Help', { accessKey: 'h', opens: 'helpMenu' }),
        ],
      }),
      part('text', 'Document', 'Text editor'),
      part('ready', 'StatusBar', 'Ready', { isTabStop: false }),
      part('wrap', 'CheckBox', 'Word wrap', { accessKey: 'w' }),
      part('empty', 'Button', 'Empty the folder', { opens: 'question', accessKey: 'e' }),
    ],
  });
  const menuOfNotes = (key: string, handle: number, y: number, height: number, parts: Part[]) =>
    windowOf(key, handle, {
      app: APPS.notepad,
      title: '',
      rect: { x: 310, y, width: 120, height },
      owner: notes,
      isMenu: true,
      isVisible: false,
      parts,
    });
  const fileMenu = menuOfNotes('fileMenu', 12, 0, 140, [
    part('open', 'MenuItem', 'Open…', { accessKey: 'o' }),
    part('save', 'MenuItem', 'Save', { accessKey: 's' }),
    part('deleteFile', 'MenuItem', 'Delete file', { accessKey: 'd', harm: 'destructive' }),
  ]);
  const helpMenu = menuOfNotes('helpMenu', 13, 150, 90, [part('about', 'MenuItem', 'About', { accessKey: 'a' })]);
  const contextMenu = menuOfNotes('contextMenu', 14, 250, 120, [
    part('copy', 'MenuItem', 'Copy', { accessKey: 'c' }),
    part('deleteAll', 'MenuItem', 'Delete all notes', { accessKey: 'd', harm: 'destructive' }),
  ]);
  const question = windowOf('question', 15, {
    app: APPS.notepad,
    title: 'Delete everything?',
    rect: { x: 60, y: 60, width: 200, height: 150 },
    owner: notes,
    isDialog: true,
    isVisible: setting.isAsking,
    parts: [
      part('warning', 'Text', 'All files of the folder are deleted for good.', { isTabStop: false }),
      part('keep', 'Button', 'Keep', {
        accessKey: 'k',
        isCancel: true,
        closes: true,
        isDefault: !setting.isDefaultPlanted,
      }),
      part('details', 'Button', 'Details', { accessKey: 't' }),
      part('delete', 'Button', 'Delete', {
        accessKey: 'd',
        closes: true,
        harm: 'destructive',
        isDefault: setting.isDefaultPlanted,
      }),
    ],
  });
  const items = (prefix: string, names: readonly string[]): Part[] =>
    names.map((name, index) =>
      part(`${prefix}${index}`, prefix === 'combo' || prefix === 'list' ? 'ListItem' : 'TabItem', name, {
        isTabStop: false,
        harm: /delete|erase/i.test(name) ? 'destructive' : null,
      }),
    );
  const settings = windowOf('settings', 21, {
    app: APPS.tool,
    title: 'Settings',
    rect: { x: 450, y: 0, width: 260, height: 520 },
    parts: [
      part('name', 'Edit', 'Name'),
      part('secret', 'Edit', 'Password', { isPassword: true }),
      part('refresh', 'Button', 'Refresh', { accessKey: 'r' }),
      part('deleteAccount', 'Button', 'Delete account', { accessKey: 'd', harm: 'destructive' }),
      part('mode', 'ComboBox', 'Mode', {
        at: 0,
        parts: items('combo', ['Keep', 'Compress', 'Delete all files', 'Export']),
      }),
      part('list', 'List', 'Actions', { at: 0, parts: items('list', ['Show', 'Erase the disk', 'Print']) }),
      part('hints', 'CheckBox', 'Show hints', { accessKey: 'h' }),
    ],
  });
  const drawn = windowOf('drawn', 31, {
    app: APPS.tool,
    title: 'Delete account?',
    rect: { x: 450, y: 530, width: 260, height: 160 },
    parts: [
      part('surface', 'Pane', '', { rect: { x: 450, y: 530, width: 260, height: 160 } }),
      part('drawnDelete', 'Custom', 'Delete', {
        isDrawn: true,
        isTabStop: false,
        harm: 'destructive',
        isDefault: true,
        rect: { x: 480, y: 640, width: 90, height: 30 },
      }),
      part('drawnKeep', 'Custom', 'Keep', {
        isDrawn: true,
        isTabStop: false,
        rect: { x: 590, y: 640, width: 90, height: 30 },
      }),
    ],
  });
  const alike = windowOf('alike', 32, {
    app: APPS.tool,
    title: 'Maintenance',
    rect: { x: 310, y: 380, width: 130, height: 130 },
    parts: [
      part('look', 'Button', 'Look'),
      part('cyrillic', 'Button', 'D\u0435l\u0435t\u0435 the disk', { harm: 'destructive' }),
      part('spaced', 'Button', 'D e l e t e', { harm: 'destructive' }),
    ],
  });
  const page = windowOf('page', 41, {
    app: APPS.browser,
    title: 'Account - Google Chrome',
    className: 'Chrome_WidgetWin_1',
    address: 'https://shop.example/news',
    rect: { x: 0, y: 310, width: 300, height: 260 },
    parts: [
      part('news', 'Hyperlink', 'News'),
      part('search', 'Button', 'Search'),
      part('close', 'Button', 'Delete account', { harm: 'destructive' }),
      part('login', 'Edit', 'Password', { isPassword: true }),
    ],
  });
  const market = windowOf('market', 51, {
    app: APPS.trader,
    title: 'EURUSD',
    rect: { x: 720, y: 0, width: 200, height: 200 },
    parts: [part('chart', 'Button', 'Chart'), part('buy', 'Button', 'Buy', { harm: 'financial', accessKey: 'b' })],
  });
  const shell = windowOf('shell', 61, {
    app: APPS.shell,
    title: 'Command Prompt',
    className: 'ConsoleWindowClass',
    rect: { x: 720, y: 210, width: 200, height: 120 },
    parts: [],
    console: { screen: 'C:\\work>', line: '', asksFor: 'shell' },
  });
  const agent = windowOf('agent', 62, {
    app: APPS.terminal,
    title: 'agent',
    className: 'CASCADIA_HOSTING_WINDOW_CLASS',
    rect: { x: 720, y: 340, width: 200, height: 120 },
    parts: [],
    console: { screen: AGENT_SCREEN, line: '', asksFor: 'agent' },
  });
  const editor = windowOf('editor', 71, {
    app: APPS.ide,
    title: 'main.ts - Code',
    className: 'Chrome_WidgetWin_1',
    rect: { x: 720, y: 470, width: 200, height: 140 },
    parts: [
      part('code', 'Document', 'main.ts'),
      part('inner', 'Edit', 'Terminal 1'),
      part('run', 'Button', 'Explorer'),
    ],
  });
  const plain = (
    key: string,
    handle: number,
    app: AppIdentity,
    y: number,
    harm: 'denied' | 'readOnly',
  ): SimulatedWindow =>
    windowOf(key, handle, {
      app,
      title: app.displayName,
      harm,
      rect: { x: 930, y, width: 200, height: 130 },
      parts: [part(`${key}Next`, 'Button', 'Next'), part(`${key}Field`, 'Edit', 'Note')],
    });
  const vault = plain('vault', 81, DENIED, 0, 'denied');
  const archive = plain('archive', 91, READ_ONLY, 140, 'readOnly');
  const windows = [
    notes,
    fileMenu,
    helpMenu,
    contextMenu,
    question,
    settings,
    drawn,
    alike,
    page,
    market,
    shell,
    agent,
    editor,
    vault,
    archive,
  ];
  for (const each of windows) {
    const stops = each.parts.filter(({ isTabStop }) => isTabStop);
    each.focus = each.isMenu ? null : (stops[setting.focus % Math.max(1, stops.length)] ?? null);
  }
  return windows;
}

export const CONTEXT_MENU = 'contextMenu';
