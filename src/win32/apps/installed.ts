/** Installed applications from all the lists of the system, and which of them a caller's name means. */
import type { AppIdentity } from '../../contract/element/binding.ts';
import {
  identifyProgram,
  programName,
  fileName,
  packagedApps,
  isApplicationUserModelId,
  packagedAppName,
} from '../system/identity.ts';
import path from 'node:path';
import { UiaHostError } from '../../contract/errors.ts';
import { quoted } from '../../contract/json/quoted.ts';
import { RegistryKey, expandVariables, type RegistryView } from '../system/registry.ts';
import { systemFolder, windowsFolder, knownFolder } from './folders.ts';
import { existingProgram, isProgramPath } from './programs.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { isForeignPath } from '../system/trust.ts';
import { attempt } from '../../contract/attempt.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { gdi32 } from '../../../native-bindings/win32/gdi32.ts';
import { BITMAP, ICONINFO } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { encodeRgbaPng } from '../imaging/bitmap.ts';
import { readBitmap } from '../imaging/gdi.ts';

/**
 * The target of a `.lnk` file, read from its bytes: without the shell, an apartment or any access to the network.
 * Source: learn.microsoft.com/openspecs/windows_protocols/ms-shllink (sections 2.1 to 2.5)
 */
export interface ShellLink {
  /** Full path or a path with variables (`%windir%\…`); null if the link names a shell item instead of a file. */
  readonly target: string | null;
  readonly arguments: string;
  /** The icon's file, if it is not the target; with variables. */
  readonly iconLocation: string;
  readonly iconIndex: number;
}

const HEADER_BYTES = 0x4c;
/** CLSID 00021401-0000-0000-C000-000000000046. */
const LINK_CLASS = '0114020000000000c000000000000046';

const encodingOf = (isUnicode: boolean): 'utf16le' | 'latin1' => (isUnicode ? 'utf16le' : 'latin1');

const untilNul = (bytes: Buffer, at: number, isUnicode: boolean): string =>
  bytes.toString(encodingOf(isUnicode), at).split('\0', 1)[0]!;

/** The local path of a LinkInfo structure (section 2.3); '' if the target is not on a drive. */
function localPath(bytes: Buffer, at: number): string {
  const isUnicode = bytes.readUInt32LE(at + 4) >= 0x24 && bytes.readUInt32LE(at + 0x1c) !== 0;
  const [base, suffix] = (isUnicode ? [0x1c, 0x20] : [0x10, 0x18]).map((place) => bytes.readUInt32LE(at + place)) as [
    number,
    number,
  ];
  if ((bytes.readUInt32LE(at + 8) & 1) === 0 || base === 0) return '';
  return untilNul(bytes, at + base, isUnicode) + (suffix === 0 ? '' : untilNul(bytes, at + suffix, isUnicode));
}

function environmentTarget(bytes: Buffer, from: number): string {
  for (let at = from; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32LE(at);
    if (size < 8 || at + size > bytes.length) return '';
    // A path that has variables: 260 bytes in the system's code page, then 260 UTF-16 units.
    if (bytes.readUInt32LE(at + 4) === m.EXP_SZ_LINK_SIG && size >= 0x314)
      return untilNul(bytes.subarray(at + 268, at + 788), 0, true);
    at += size;
  }
  return '';
}

/** Reads a link; null for bytes that are not a link or end too early. */
export function readShellLink(bytes: Buffer): ShellLink | null {
  try {
    if (
      bytes.length < HEADER_BYTES ||
      bytes.readUInt32LE(0) !== HEADER_BYTES ||
      bytes.toString('hex', 4, 20) !== LINK_CLASS
    )
      return null;
    const flags = bytes.readUInt32LE(0x14);
    let at = HEADER_BYTES;
    if ((flags & m.SLDF_HAS_ID_LIST) !== 0) at += 2 + bytes.readUInt16LE(at);
    let target = '';
    if ((flags & m.SLDF_HAS_LINK_INFO) !== 0) {
      target = localPath(bytes, at);
      at += bytes.readUInt32LE(at);
    }
    const isUnicode = (flags & m.SLDF_UNICODE) !== 0;
    /** A counted string of section 2.4. */
    const next = (flag: number): string => {
      if ((flags & flag) === 0) return '';
      const begin = at + 2;
      at = begin + bytes.readUInt16LE(at) * (isUnicode ? 2 : 1);
      if (at > bytes.length) throw new RangeError('the link ends inside a string');
      return bytes.toString(encodingOf(isUnicode), begin, at);
    };
    for (const flag of [m.SLDF_HAS_NAME, m.SLDF_HAS_RELPATH, m.SLDF_HAS_WORKINGDIR]) next(flag);
    const [args, iconLocation] = [next(m.SLDF_HAS_ARGS), next(m.SLDF_HAS_ICONLOCATION)];
    const variable = environmentTarget(bytes, at);
    return { target: variable || target || null, arguments: args, iconLocation, iconIndex: bytes.readInt32LE(0x38) };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A program that one of the lists has as installed. */
export interface ListedProgram {
  readonly executable: string;
  readonly name: string;
  readonly source: 'start-menu' | 'uninstall';
  /** The entry starts the program with arguments: the name is the entry's, not the program's. */
  readonly hasArguments: boolean;
}

const UNINSTALL = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall';
const PLACES: ReadonlyArray<{ root: number; view: RegistryView }> = [
  { root: m.HKEY_LOCAL_MACHINE, view: 64 },
  { root: m.HKEY_LOCAL_MACHINE, view: 32 },
  { root: m.HKEY_CURRENT_USER, view: 64 },
  { root: m.HKEY_CURRENT_USER, view: 32 },
];

/** `"C:\App\app.exe",0` → `C:\App\app.exe`: the icon of an uninstall entry is usually the program's. */
export function iconFile(displayIcon: string): string {
  return displayIcon
    .trim()
    .replace(/,\s*-?\d+$/, '')
    .replaceAll('"', '')
    .trim();
}

/** Programs that install or remove others are not listed as applications. */
export function isUninstaller(executable: string): boolean {
  return /^(unins\d*|uninst(all(er)?)?|setup|msiexec|rundll32|update)\.(exe|com)$/i.test(
    path.win32.basename(executable),
  );
}

/**
 * Entries of “installed apps”, in both views and both hives, that name their program.
 * Source: learn.microsoft.com/windows/win32/msi/uninstall-registry-key
 */
function uninstallEntries(): ListedProgram[] {
  const found: ListedProgram[] = [];
  for (const { root, view } of PLACES) {
    using list = RegistryKey.open(root, UNINSTALL, view);
    for (const name of list?.names() ?? []) {
      using entry = list?.child(name) ?? null;
      const displayName = entry?.text('DisplayName')?.trim() ?? '';
      if (
        entry === null ||
        displayName === '' ||
        entry.number('SystemComponent') === 1 ||
        entry.text('ParentKeyName') !== null
      )
        continue;
      const executable = existingProgram(iconFile(entry.text('DisplayIcon') ?? ''));
      if (executable !== null && !isUninstaller(executable))
        found.push({ executable, name: displayName, source: 'uninstall', hasArguments: false });
    }
  }
  return found;
}

/** Start menus are shallow; the limit also ends a loop of junctions. */
const MAX_DEPTH = 6;

function linksIn(folder: string, depth = 0): string[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true }), []).flatMap((entry) => {
    const full = path.win32.join(folder, entry.name);
    if (entry.isDirectory()) return depth < MAX_DEPTH ? linksIn(full, depth + 1) : [];
    return /\.lnk$/i.test(entry.name) ? [full] : [];
  });
}

/** The program that a link file starts; null if there is none. */
function linkedProgram(
  file: string,
): { executable: string; hasArguments: boolean; iconLocation: string; iconIndex: number } | null {
  if (isForeignPath(file)) return null;
  const bytes = attempt(() => readFileSync(file), null);
  const link = bytes === null ? null : readShellLink(bytes);
  const executable = link?.target === null || link === null ? null : existingProgram(expandVariables(link.target));
  if (link === null || executable === null) return null;
  return {
    executable,
    hasArguments: link.arguments.trim() !== '',
    iconLocation: expandVariables(link.iconLocation),
    iconIndex: link.iconIndex,
  };
}

/** Links of the Start menus of this user and of all users. */
function startMenuEntries(): ListedProgram[] {
  const found: ListedProgram[] = [];
  for (const folder of [knownFolder('programs'), knownFolder('commonPrograms')]) {
    if (folder === null) continue;
    for (const file of linksIn(folder)) {
      const program = linkedProgram(file);
      if (program === null || isUninstaller(program.executable)) continue;
      found.push({
        executable: program.executable,
        name: path.win32.basename(file).replace(/\.lnk$/i, ''),
        source: 'start-menu',
        hasArguments: program.hasArguments,
      });
    }
  }
  return found;
}

/** An installed application under its listed name. */
export interface InstalledEntry {
  readonly app: AppIdentity;
  /** Executable of a program; `shell:AppsFolder\…` of a packaged app. */
  readonly path: string;
}

/** Uninstall list, Start menus and packages, merged by executable (docs/behaviour.md#applications). By name. */
export function installedApplications(): InstalledEntry[] {
  const programs = mergePrograms([...startMenuEntries(), ...uninstallEntries()], (executable) =>
    programName(executable),
  ).map(({ executable, name }): InstalledEntry => ({
    app: { ...identifyProgram(executable), displayName: name },
    path: executable,
  }));
  const packaged = packagedApps().map(({ id, name }): InstalledEntry => ({
    app: { bundleId: id, displayName: name, executable: null },
    path: `shell:AppsFolder\\${id}`,
  }));
  return [...programs, ...packaged].sort((one, other) => one.app.displayName.localeCompare(other.app.displayName));
}

// One entry per program from several lists.

export interface MergedProgram {
  readonly executable: string;
  readonly name: string;
}

/** How well an entry's name fits the program: the Start menu's plain link first, then the uninstall list. */
function weight(entry: ListedProgram): number {
  if (entry.hasArguments) return 2;
  return entry.source === 'start-menu' ? 0 : 1;
}

/**
 * One row per program, by name: entries with the same executable are merged. If a program is listed only by links with
 * arguments (a tool kit's prompt that is really cmd.exe), `nameOf` returns its name.
 */
export function mergePrograms(
  entries: readonly ListedProgram[],
  nameOf: (executable: string) => string,
): MergedProgram[] {
  const best = new Map<string, ListedProgram>();
  for (const entry of entries) {
    const key = entry.executable.toLowerCase();
    const known = best.get(key);
    if (known === undefined || weight(entry) < weight(known)) best.set(key, entry);
  }
  return [...best.values()]
    .map((entry) => ({
      executable: entry.executable,
      name: entry.hasArguments ? nameOf(entry.executable) : entry.name,
    }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

// Which application a caller's name means.

const APP_PATHS = 'SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\App Paths';

/** Program registered under a bare file name. Source: learn.microsoft.com/windows/win32/shell/app-registration */
function registeredProgram(name: string): string | null {
  for (const root of [m.HKEY_CURRENT_USER, m.HKEY_LOCAL_MACHINE]) {
    using key = RegistryKey.open(root, `${APP_PATHS}\\${name}`);
    const program = existingProgram((key?.text('') ?? '').replaceAll('"', ''));
    if (program !== null) return program;
  }
  return null;
}

/** A program of Windows by its bare file name. The search path is not used: any user may write to some of its folders. */
function systemProgram(name: string): string | null {
  for (const folder of [systemFolder(), windowsFolder()]) {
    const program = existingProgram(path.win32.join(folder, name));
    if (program !== null) return program;
  }
  return null;
}

/** The one entry of best rank: exact name first, then ignoring case. Errors: target_ambiguous. */
function byDisplayName(name: string): AppIdentity | null {
  const entries = installedApplications();
  const exact = entries.filter(({ app }) => app.displayName === name);
  const matches =
    exact.length > 0 ? exact : entries.filter(({ app }) => app.displayName.toLowerCase() === name.toLowerCase());
  if (matches.length > 1) {
    throw new UiaHostError(
      'target_ambiguous',
      `${matches.length} installed applications have the name ${quoted(name)}.`,
      {
        hint: 'Use the bundleId of one of the candidates.',
        candidates: matches.map(({ app }) => ({ name: app.displayName, automationId: app.bundleId })),
      },
    );
  }
  return matches[0]?.app ?? null;
}

function byFileName(name: string): AppIdentity | null {
  const file = isProgramPath(name) ? name : `${name}.exe`;
  const listed = installedApplications().filter(
    ({ app }) => app.executable !== null && fileName(app.executable).toLowerCase() === file.toLowerCase(),
  );
  const program = listed.length === 1 ? (listed[0]?.path ?? null) : (registeredProgram(file) ?? systemProgram(file));
  return program === null ? null : identifyProgram(program);
}

/**
 * The application that a caller's name means: AppUserModelID, full path of a program or a link to one, exact display
 * name of the installed list, or the bare file name of an installed, registered or Windows program. Null if unknown.
 * Errors: target_ambiguous if a display name is not unique.
 */
export function resolveApplication(name: string): AppIdentity | null {
  const wanted = name.trim();
  if (wanted === '') return null;
  const packagedId = wanted.replace(/^shell:appsfolder\\/i, '');
  if (isApplicationUserModelId(packagedId)) {
    const displayName = packagedAppName(packagedId);
    return displayName === null ? null : { bundleId: packagedId, displayName, executable: null };
  }
  const place = wanted.replaceAll('/', '\\');
  if (path.win32.isAbsolute(place) && /^([A-Za-z]:|\\\\)/.test(place)) {
    const program = /\.lnk$/i.test(place) ? (linkedProgram(place)?.executable ?? null) : existingProgram(place);
    return program === null ? null : identifyProgram(program);
  }
  const listed = byDisplayName(wanted);
  if (listed !== null) return listed;
  return /[\\/:*?"<>|]/.test(wanted) ? null : byFileName(wanted);
}

/** Edge of an icon in pixels: enough for lists of applications at usual scales. */
const ICON_EDGE = 48;
const NO_FILE = 0xffff_ffff;

function bitmapSize(bitmap: number): { width: number; height: number } | null {
  const info = BITMAP.alloc();
  if (gdi32.GetObjectW(bitmap, BITMAP.size, info) === 0) return null;
  const { bmWidth, bmHeight } = BITMAP.read(info);
  return { width: bmWidth, height: bmHeight };
}

function pixelsOf(bitmap: number, size: { width: number; height: number }): Int32Array | null {
  const screen = user32.GetDC(0);
  if (screen === 0) return null;
  try {
    return readBitmap(screen, bitmap, size)?.pixels ?? null;
  } finally {
    user32.ReleaseDC(0, screen);
  }
}

/** Pixels of an icon handle. Source: learn.microsoft.com/windows/win32/api/winuser/ns-winuser-iconinfo */
function readIcon(icon: number): { width: number; height: number; rgba: Buffer } | null {
  const memory = ICONINFO.alloc();
  if (!user32.GetIconInfo(icon, memory)) return null;
  const { hbmMask, hbmColor } = ICONINFO.read(memory);
  try {
    const size = hbmColor === 0 ? null : bitmapSize(hbmColor);
    if (size === null) return null;
    const colours = pixelsOf(hbmColor, size);
    const mask = hbmMask === 0 ? null : pixelsOf(hbmMask, size);
    return colours === null ? null : { ...size, rgba: iconToRgba(colours, mask) };
  } finally {
    for (const bitmap of [hbmMask, hbmColor]) if (bitmap !== 0) gdi32.DeleteObject(bitmap);
  }
}

/** An icon of a file in 48 pixels; null if it has none. Source: learn.microsoft.com/windows/win32/api/winuser/nf-winuser-privateextracticonsw */
function extractIcon(file: string, index: number): { width: number; height: number; rgba: Buffer } | null {
  const icon = Buffer.alloc(8);
  const id = Buffer.alloc(4);
  const count = user32.PrivateExtractIconsW(file, index, ICON_EDGE, ICON_EDGE, icon, id, 1, 0);
  const handle = Number(icon.readBigUInt64LE(0));
  if (count === 0 || count === NO_FILE || handle === 0) return null;
  try {
    return readIcon(handle);
  } finally {
    user32.DestroyIcon(handle);
  }
}

/** Icon of a program, or of the program that a link starts, as a PNG data URL with transparency; undefined if there is none. */
export async function iconDataUrl(file: string): Promise<string | undefined> {
  const link = /\.lnk$/i.test(file) ? linkedProgram(file) : null;
  const places =
    link === null
      ? [{ file, index: 0 }]
      : [
          ...(link.iconLocation === '' ? [] : [{ file: link.iconLocation, index: link.iconIndex }]),
          { file: link.executable, index: 0 },
        ];
  for (const place of places) {
    if (isForeignPath(place.file)) continue;
    const icon = extractIcon(place.file, place.index);
    if (icon !== null)
      return `data:image/png;base64,${(await encodeRgbaPng(icon.width, icon.height, icon.rgba)).toString('base64')}`;
  }
  return undefined;
}

// Pixels of an icon as RGBA.

/**
 * Colour pixels of an icon (0xAARRGGBB) and its mask → RGBA bytes. Icons older than Windows XP have no alpha: a white
 * pixel of their mask is transparent. Source: learn.microsoft.com/windows/win32/menurc/icons
 */
export function iconToRgba(colours: Int32Array, mask: Int32Array | null): Buffer {
  const hasAlpha = colours.some((pixel) => pixel >>> 24 !== 0);
  const rgba = Buffer.alloc(colours.length * 4);
  colours.forEach((pixel, index) => {
    const isMasked = mask !== null && ((mask[index] ?? 0) & 0x00ff_ffff) !== 0;
    rgba[index * 4] = pixel >>> 16;
    rgba[index * 4 + 1] = pixel >>> 8;
    rgba[index * 4 + 2] = pixel;
    rgba[index * 4 + 3] = hasAlpha ? pixel >>> 24 : isMasked ? 0 : 255;
  });
  return rgba;
}
