/** Finds the kind of an application by its identity or file name, and whether a line in its window is a command. */
import { fileNameOf } from '../../../contract/gate/app-match.ts';
import type { AppIdentity, BindingRecord } from '../../../contract/element/binding.ts';
import { isTerminalClass } from '../../../contract/terminal/terminals.ts';
import type { ElementContext } from '../../../contract/element/element.ts';
import knownApps from './known-apps.json' with { type: 'json' };

/** Kinds of application that the gate treats specially. */
export type AppKind = 'browser' | 'trading' | 'terminal' | 'ide' | 'messaging' | 'spreadsheet' | 'other';

/**
 * Executables (lower case; `*` stands for any characters) and AppUserModelIDs by kind.
 * A listing can only narrow what an unlisted application would get, so a false match costs one question.
 */
const KNOWN_APPS: Readonly<Record<Exclude<AppKind, 'other'>, (typeof knownApps)['browser']>> = knownApps;

const asPattern = (text: string): RegExp =>
  new RegExp(`^${text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);

type Column = 'executables' | 'identities';
const namesOf = (column: Column): Array<readonly [name: string, kind: AppKind]> =>
  (Object.entries(KNOWN_APPS) as Array<[AppKind, (typeof knownApps)['browser']]>).flatMap(([kind, names]) =>
    names[column].map((name) => [name, kind] as const),
  );
const tableOf = (column: Column): ((name: string) => AppKind | undefined) => {
  const exact = new Map(namesOf(column));
  const patterns = namesOf(column)
    .filter(([name]) => name.includes('*'))
    .map(([name, kind]) => [asPattern(name), kind] as const);
  return (name) => exact.get(name) ?? patterns.find(([pattern]) => pattern.test(name))?.[1];
};
const OF_EXECUTABLE = tableOf('executables');
const OF_IDENTITY = tableOf('identities');

/** The kind of an application by its identity or file name. */
export function kindOf(app: AppIdentity | null): AppKind {
  if (app === null) return 'other';
  const path = app.executable ?? (/[\\/]/.test(app.bundleId) ? app.bundleId : null);
  return (
    OF_IDENTITY(app.bundleId.toLowerCase()) ?? (path === null ? undefined : OF_EXECUTABLE(fileNameOf(path))) ?? 'other'
  );
}

/** Whether a window of this application shows pages: it is a known browser, or it shows the address of a page. */
export const showsPage = (app: AppIdentity | null, context: ElementContext | null): boolean =>
  kindOf(app) === 'browser' || (context?.address ?? null) !== null;

/** In a page from the network: what it names it may download, and only the browser's own controls start it. */
export const isOfPage = (kind: AppKind, context: ElementContext | null): boolean =>
  kind === 'browser' &&
  context !== null &&
  context.document.kind !== 'none' &&
  /^https?:/i.test(context.document.address ?? context.address ?? '');

/** The application of a file, by its name. */
export const programOf = (app: AppIdentity | null): string =>
  app === null ? '' : fileNameOf(app.executable ?? app.bundleId).toLowerCase();
/** Programs that show files, and start what is typed into their dialogs (Run) or fields (a folder window's address bar). */
const SHELLS: ReadonlySet<string> = new Set(['explorer.exe', 'taskmgr.exe']);
/** Other programs that show files, with a line for commands of their own. */
const MANAGERS =
  /^(?:totalcmd(?:64)?|doublecmd|7zfm|winrar|freecommander|xyplorer(?:free)?|dopus|explorer\+\+|files|onecommander|multicommander|q-dir(?:_x64)?|salamand|everything(?:64)?|winscp|unrealcommander\d*)\.exe$/;
/** Where a person starts programs by typing. */
const LAUNCHERS: ReadonlySet<string> = new Set([
  'searchhost.exe',
  'searchapp.exe',
  'searchui.exe',
  'startmenuexperiencehost.exe',
  'powertoys.powerlauncher.exe',
  'microsoft.cmdpal.ui.exe',
  'flow.launcher.exe',
  'keypirinha-x64.exe',
  'listary.exe',
]);
/** Programs that have others started: now, at a time, or in their place. */
const STARTERS =
  /^(?:mmc|regedit|regedt32|msconfig|control|openwith|rundll32|autoruns(?:64)?|procexp(?:64)?|processhacker|systeminformer|nssm)\.exe$/;
/** Whether a plain yes in this window may start what is entered in it. */
export const startsEntered = (app: AppIdentity | null, binding: BindingRecord | null): boolean =>
  STARTERS.test(programOf(app)) || (isShell(app) && binding?.className === DIALOG_CLASS);
const isShell = (app: AppIdentity | null): boolean => SHELLS.has(programOf(app));
/** Whether an item in its windows may be a file. */
export const showsFiles = (app: AppIdentity | null): boolean => isShell(app) || MANAGERS.test(programOf(app));
/** The taskbar and the Start menu as well: what is pressed there is started. */
export const isLauncher = (app: AppIdentity | null, binding: BindingRecord | null): boolean =>
  LAUNCHERS.has(programOf(app)) || /^Shell_(?:Secondary)?TrayWnd$/.test(binding?.className ?? '');
/** Programs that start what is typed in them. */
export const startsTyped = (app: AppIdentity | null): boolean => showsFiles(app) || LAUNCHERS.has(programOf(app));

/** The editor of macros in Office. */
const MACRO_EDITOR = /^wndclass_desked_gsk$/i;
/** A browser's tools for developers, in a window of their own or in the page's. */
const DEVTOOLS = /^(?:devtools:|(?:DevTools|Developer Tools)\b|Console prompt$)/i;
/** Whether code is written and run in this window. */
export const isDevelopment = (
  app: AppIdentity | null,
  binding: BindingRecord | null,
  context: ElementContext | null = null,
): boolean =>
  kindOf(app) === 'ide' ||
  MACRO_EDITOR.test(binding?.className ?? '') ||
  (kindOf(app) === 'browser' &&
    [binding?.title, context?.dialogTitle, context?.address, context?.document.address, context?.element?.name].some(
      (text) => DEVTOOLS.test(text ?? ''),
    ));

/** System dialogs, including a terminal's. */
export const DIALOG_CLASS = '#32770';

/** What a control's own messages show, and no element of a screen is. */
const BY_MESSAGES: ReadonlySet<string> = new Set(['window', 'message']);
/** Surfaces that a program draws itself, which may be anything: what keys and text do there is not known. */
export const DRAWN: ReadonlySet<string> = new Set(['Window', 'Pane', 'Custom', 'Group']);

/** The configuration dialog of a terminal, of whatever class: a standard control, a default button and no screen. */
const isOwnDialog = ({ element, defaultButtonName, console }: ElementContext): boolean =>
  element !== null &&
  BY_MESSAGES.has(element.source) &&
  !DRAWN.has(element.controlType) &&
  element.controlType !== 'Document' &&
  defaultButtonName !== null &&
  (console ?? null) === null;

/** A console can show any program, so the window counts, not only its application. `context`: what the input is for. */
export function isTerminal(
  app: AppIdentity | null,
  binding: BindingRecord | null,
  context: ElementContext | null = null,
): boolean {
  if (binding !== null && isTerminalClass(binding.className)) return true;
  if (kindOf(app) !== 'terminal' || binding?.className === DIALOG_CLASS) return false;
  return context === null || !isOwnDialog(context);
}

export function hasTerminal(app: AppIdentity | null, binding: BindingRecord | null): boolean {
  return isTerminal(app, binding) || isDevelopment(app, binding);
}

/** Where text may leave, or become a formula or a command, as it is typed. */
export interface TypingSurface {
  /** `a page or an address bar` */
  readonly what: string;
  /** The page, book or conversation that it shows. */
  readonly shows: string;
  /** What comes there is on its way to another machine or person, by whatever gesture. */
  readonly sends: boolean;
}

/** Null for fields that only hold their text, and for consoles and development environments, which have rules of their own. */
export function typingSurface(
  app: AppIdentity | null,
  binding: BindingRecord | null,
  context: ElementContext | null,
): TypingSurface | null {
  if (hasTerminal(app, binding)) return null;
  const title = context?.dialogTitle || (binding?.title ?? '');
  const kind = kindOf(app);
  if (showsPage(app, context))
    return { what: 'a page or an address bar', shows: context?.address?.replace(/#.*$/s, '') ?? title, sends: true };
  if (kind === 'messaging') return { what: 'a chat or mail', shows: title, sends: true };
  const local = { shows: title, sends: false };
  if (kind === 'spreadsheet') return { what: 'a sheet', ...local };
  if (isLauncher(app, binding) || startsTyped(app)) return { what: 'a launcher or a folder window', ...local };
  const element = context?.element ?? null;
  return element === null || DRAWN.has(element.controlType)
    ? { what: 'a surface that the program draws itself', ...local }
    : null;
}
