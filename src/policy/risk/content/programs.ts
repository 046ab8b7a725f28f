/** Names that start programs: suffixes of files, folders whose files are started, words of menus and buttons; and commands that destroy something. */
import verbs from '../words/languages/starting.json' with { type: 'json' };
import { foldText, hasCjk, withoutAccessKeys } from '../words/text.ts';
import commands from './destructive-commands.json' with { type: 'json' };

const SUFFIXES =
  'docm|dotm|xlsm|xlsb|xltm|pptm|potm|ppam|ppsm|sldm|accd[be]|mjs|cjs|bat|cmd|ps1|psm1|psd1|ps1xml|vbs|vbe|vb|js|jse|wsf|wsh|wsc|sct|hta|chm|hlp|msi|msp|mst|msu|msix|msixbundle|appx|appxbundle|appinstaller|reg|scr|pif|lnk|scf|url|website|cpl|msc|dll|ocx|xll|xlam|xla|wll|jar|jnlp|py|pyw|pyc|pyz|ahk|au3|sh|job|gadget|diagcab|settingcontent-ms|library-ms|search-ms|searchconnector-ms|theme|themepack|deskthemepack|iso|img|vhdx?|rdp|application|appref-ms|inf|exe|com';
/** Windows drops dots and blanks at the end of a name, and what follows a colon is a stream of the same file. */
const END = '[. ]*(?::(?!\\d)[^\\\\/]*)?"?\\s*$';
/** Files that run when they are opened. */
export const RUNNABLE = new RegExp(`\\.(?:${SUFFIXES})${END}`, 'i');
/** A path opened as an application is the script itself. */
export const SCRIPT = new RegExp(
  `\\.(?:${SUFFIXES.replace(/\|(?:msix|appx|application|appref-ms|exe|com)\b/g, '')})"?\\s*$`,
  'i',
);
/** A program followed by arguments. */
export const WITH_ARGUMENTS =
  /\.(?:exe|com|bat|cmd)"?\s+\S|^\s*(?:cmd|powershell|pwsh|wt|wsl|bash|explorer|rundll32|mshta|wscript|cscript|start)\s+\S/i;
/** The same of a system's own interpreters alone: what a dialog keeps as a command. */
const COMMAND =
  /^\s*"?(?:[^"]*\\)?(?:cmd|powershell|pwsh|wsl|rundll32|regsvr32|mshta|wscript|cscript)(?:\.exe)?"?\s+[-/\S]/i;
/** Folders whose files Windows starts when the user signs in. */
const STARTUP =
  /[\\/](?:start menu|startm~\d)[\\/]+programs[\\/]+startup\b|\bshell:(?:common )?startup\b|[\\/]xlstart\b|[\\/]word[\\/]+startup\b/i;
/** Files from which other programs take what they run: whose name or folder begins with a dot, and those of builds and editors. */
const RUN_BY_OTHERS = new RegExp(
  [
    '(?:^|[\\\\/"])\\.[a-z]',
    '(?:^|[\\\\/"])(?:(?:package|composer|tasks|launch|mcp|[\\w.-]*config)\\.json|(?:make|docker|jenkins|rake|gem|just)file|pom\\.xml|cargo\\.toml|pyproject\\.toml|cmakelists\\.txt|build\\.rs)\\b',
    `\\.(?:gradle|kts|(?:cs|vb|fs|vcx)proj|sln|props|targets|service|desktop)${END}`,
  ].join('|'),
  'i',
);
export const isStartup = (text: string): boolean => STARTUP.test(text);

/** The same anywhere in a text, where `.com` is a domain's. */
const IN_TEXT = new RegExp(
  `[^\\s.\\\\/]\\.(?:${SUFFIXES.replace(/\|com$/, '')})(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`,
  'iu',
);
/** Whether a name shows a file that runs when it is opened: `Open invoice.js, 2 KB`. */
export const namesProgram = (text: string): boolean => IN_TEXT.test(text);

/** Whether a text is the name of a file that runs when it is opened or that another program runs, or a command. */
export const isExecutablePath = (text: string): boolean =>
  (RUNNABLE.test(text) || RUN_BY_OTHERS.test(text) || COMMAND.test(text)) && !/[\r\n]/.test(text.trim());

/** Without what follows in a menu: `Run…`, `Run\tF5`, `Open (O)`. */
const plain = (name: string): string =>
  foldText(withoutAccessKeys(name.split('\t')[0] ?? ''))
    .replace(/\s*\(\p{L}\)\s*$/u, '')
    .replace(/[.\u2026:]+\s*$/u, '')
    .trim();

const fits = (name: string, words: readonly string[]): boolean => words.some((word) => name === word);
const begins = (name: string, words: readonly string[]): boolean =>
  words.some((word) => name === word || name.startsWith(`${word} `) || (hasCjk(word) && name.startsWith(word)));

const folded = (words: readonly string[]): readonly string[] => words.map((word) => foldText(word));
const ADMINISTRATOR = folded(verbs.administrator);
const RUN = folded(verbs.run);
const INSTALL = folded(verbs.install);
const OPEN = folded(verbs.open);
const KEEP = folded(verbs.keep);
const SHOWS = folded(verbs.shows);
const BIN = folded(verbs.bin);
const FOLDER = folded(verbs.folder);
const DOCUMENT = folded(verbs.document);
/** Files that a program shows and none runs: as the type names them, `PDF File`, or the product, `Microsoft Word Document`. */
const DOCUMENT_TYPE = new RegExp(
  [
    '^(?:txt|log|csv|md|rtf|pdf|png|jpe?g|gif|bmp|tiff?|webp|heic|svg|mp[34]|m4a|wav|flac|avi|mkv|mov|webm|docx?|xlsx?|pptx?|od[tsp]|eml|msg|ics|vcf|json|xml|zip|7z)(?=$|[ -])',
    '^(?:microsoft|libreoffice|openoffice|adobe|foxit|sumatra)\\b(?!.*\\b(?:common console|script|application|installer|package|command)\\b).*\\b(?:pdf|acrobat|word|excel|powerpoint|document|worksheet|presentation|dokument|arbeitsblatt|präsentation|feuille|présentation|hoja|presentación|planilha|documento)\\b',
  ].join('|'),
  'iu',
);

/** What a file is by the text of its type; null where that names neither a folder nor a document that is known. */
export function kindOfFile(type: string | null): 'folder' | 'document' | null {
  if (type === null) return null;
  const text = plain(type);
  if (fits(text, FOLDER)) return 'folder';
  return fits(text, DOCUMENT) || DOCUMENT_TYPE.test(text) ? 'document' : null;
}

type StartVerb = 'administrator' | 'run' | 'install' | 'open' | 'keep';

/** Whether one of the words is anywhere in it: some languages have the verb at the end. */
const has = (name: string, words: readonly string[]): boolean =>
  words.some((word) => (hasCjk(word) ? name.includes(word) : ` ${name} `.includes(` ${word} `)));

/**
 * What an entry of a menu or a button starts, by its words; null if it starts nothing that is known. `isAmongFiles`: in the menu
 * of a file, what opens it in any way.
 */
export function startVerb(name: string, isAmongFiles = false): StartVerb | null {
  const text = plain(name);
  if (begins(text, ADMINISTRATOR)) return 'administrator';
  if (fits(text, RUN)) return 'run';
  if (isAmongFiles ? begins(text, INSTALL) : fits(text, INSTALL)) return 'install';
  if (fits(text, SHOWS)) return null;
  if (fits(text, KEEP)) return 'keep';
  return (isAmongFiles ? has(text, OPEN) : fits(text, OPEN)) ? 'open' : null;
}

/** Whether something dropped there is thrown away. */
export const isBin = (name: string): boolean => fits(plain(name), BIN);

/**
 * Destructive terminal commands. Each row: what the command does, and how it is written in the shells of Windows and Unix, in
 * any case or exactly. A command not listed there is still input, at least `high`.
 */
const DESTRUCTIVE_COMMANDS = commands.map(({ what, patterns, exact }) => ({
  what,
  patterns: [...patterns.map((one) => new RegExp(one, 'i')), ...exact.map((one) => new RegExp(one))],
}));

/** Longer lines are checked in overlapping pieces, so that no pattern runs on unbounded text. */
const PIECE = 4000;
const OVERLAP = 200;

function* piecesOf(text: string): Generator<string> {
  for (const line of text.split(/[\r\n]+/)) {
    for (let from = 0; from === 0 || from < line.length - OVERLAP; from += PIECE - OVERLAP)
      yield line.slice(from, from + PIECE);
  }
}

/** What a destructive command in the text does; null if it contains none that is known. */
export function findDestructiveCommand(text: string): string | null {
  for (const piece of piecesOf(text)) {
    for (const { what, patterns } of DESTRUCTIVE_COMMANDS)
      if (patterns.some((pattern) => pattern.test(piece))) return what;
  }
  return null;
}
