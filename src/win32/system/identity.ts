/** Application identities: AppUserModelID of packaged apps, path and FileDescription of programs. */
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import type { AppIdentity } from '../../contract/element/binding.ts';
import { isForeignPath } from './trust.ts';
import { readMemory, readString16 } from '../../../native-bindings/library.ts';
import { version } from '../../../native-bindings/win32/version.ts';
import { enterMta } from '../../../native-bindings/com/apartment.ts';
import { guid } from '../../../native-bindings/com/guid.ts';
import { HRESULT } from '../../../native-bindings/com/hresult.ts';
import { IEnumShellItems, IShellItem } from '../../../native-bindings/uia/shell.generated.ts';
import { SIGDN_NORMALDISPLAY, SIGDN_PARENTRELATIVEPARSING } from '../../../native-bindings/win32/constants.ts';
import { shell32 } from '../../../native-bindings/win32/shell32.ts';

// * Packaged apps, through the folder in which Windows shows them. Source: learn.microsoft.com/windows/win32/shell/knownfolderid (FOLDERID_AppsFolder)

const APPS_FOLDER = 'shell:AppsFolder';
/** BHID_EnumItems. Source: learn.microsoft.com/windows/win32/shell/shell-bhid */
const ENUM_ITEMS = guid('94f60519-2850-4924-aa5a-d15e84868039');

/** `Family_publisherhash!App`: this form tells packaged apps from the programs that the folder lists too. */
const APPLICATION_ID = /^[A-Za-z0-9.-]+_[a-z0-9]{13}![^\\/:*?"<>|]+$/;

export function isApplicationUserModelId(text: string): boolean {
  return APPLICATION_ID.test(text);
}

/** The readable part of a package family name: `Microsoft.WindowsCalculator_8wekyb3d8bbwe!App` → `Microsoft.WindowsCalculator`. */
export function packageFamilyTitle(applicationUserModelId: string): string {
  const family = applicationUserModelId.split('!', 1)[0] ?? applicationUserModelId;
  const cut = family.lastIndexOf('_');
  return cut > 0 ? family.slice(0, cut) : family;
}

function itemOf(name: string): IShellItem | null {
  const item = Buffer.alloc(8);
  if (shell32.SHCreateItemFromParsingName(name, null, IShellItem.iid, item) < 0) return null;
  const pointer = item.readBigUInt64LE(0);
  return pointer === 0n ? null : new IShellItem(pointer);
}

/** Runs `work` in an apartment; null where the shell is not available (a service, a system without packages). */
function withShell<T>(work: () => T | null): T | null {
  try {
    const apartment = enterMta();
    try {
      return work();
    } finally {
      apartment[Symbol.dispose]();
    }
  } catch {
    return null;
  }
}

const displayNames = new Map<string, string | null>();

/** Name of an installed packaged app as the Start menu shows it; null if it is not installed. */
export function packagedAppName(applicationUserModelId: string): string | null {
  let name = displayNames.get(applicationUserModelId);
  if (name === undefined) {
    name = withShell(() => {
      using item = itemOf(`${APPS_FOLDER}\\${applicationUserModelId}`);
      return item?.GetDisplayName(SIGDN_NORMALDISPLAY) || null;
    });
    if (name !== null) displayNames.set(applicationUserModelId, name);
  }
  return name;
}

/** Name of a running packaged app: the readable part of its id if the shell does not know it. */
function packageDisplayName(applicationUserModelId: string): string {
  return packagedAppName(applicationUserModelId) ?? packageFamilyTitle(applicationUserModelId);
}

/** Every packaged app with an entry in the Start menu; none on a system without packages. */
export function packagedApps(): Array<{ id: string; name: string }> {
  return (
    withShell(() => {
      using folder = itemOf(APPS_FOLDER);
      using items = folder?.BindToHandler(null, ENUM_ITEMS, IEnumShellItems) ?? null;
      const found: Array<{ id: string; name: string }> = [];
      const slot = Buffer.alloc(8);
      const count = Buffer.alloc(4);
      if (items === null) return found;
      while (items.Next(1, slot, count) === HRESULT.S_OK) {
        using item = new IShellItem(slot.readBigUInt64LE(0));
        const id = item.GetDisplayName(SIGDN_PARENTRELATIVEPARSING);
        const name = item.GetDisplayName(SIGDN_NORMALDISPLAY);
        if (id !== null && name !== null && name !== '' && isApplicationUserModelId(id)) found.push({ id, name });
      }
      return found;
    }) ?? []
  );
}

/** File name of a Windows path. */
export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('\\'), path.lastIndexOf('/')) + 1);
}

/**
 * AppUserModelID of a packaged app's process; null for ordinary programs, which answer APPMODEL_ERROR_NO_APPLICATION.
 * Source: learn.microsoft.com/windows/win32/api/appmodel/nf-appmodel-getapplicationusermodelid
 */
function applicationUserModelId(process: number): string | null {
  if (!kernel32.has('GetApplicationUserModelId')) return null;
  const id = Buffer.alloc(520);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(id.length / 2, 0);
  if (kernel32.GetApplicationUserModelId(process, length, id) !== 0) return null;
  return id.toString('utf16le', 0, Math.max(0, length.readUInt32LE(0) - 1) * 2) || null;
}

const described = new Map<string, string>();

/** Runtimes that describe themselves in every program made of them: a copy with another file name is that program. */
const RUNTIMES: ReadonlyMap<string, string> = new Map([
  ['Node.js JavaScript Runtime', 'node.exe'],
  ['Electron', 'electron.exe'],
]);

/** A program's name from its description and its file name. */
export function nameOfProgram(description: string | null, file: string): string {
  const runtime = description === null ? undefined : RUNTIMES.get(description);
  if (description === null) return file;
  return runtime === undefined || runtime === file.toLowerCase() ? description : file.replace(/\.exe$/i, '');
}

/** A program's display name: its FileDescription, else its file name; of a runtime's copy its file name. Each file is read once; one on another machine only while it runs. */
export function programName(executable: string, isRunning = false): string {
  const key = executable.toLowerCase();
  let name = described.get(key);
  if (name === undefined && !isRunning && isForeignPath(executable)) return fileName(executable);
  if (name === undefined) described.set(key, (name = nameOfProgram(fileDescription(executable), fileName(executable))));
  return name;
}

/** Identity of a program file: its lower-case path and its name (docs/behaviour.md#identities). */
export function identifyProgram(executable: string, isRunning = false): AppIdentity {
  return { bundleId: executable.toLowerCase(), displayName: programName(executable, isRunning), executable };
}

/**
 * Identity of a process by its handle: AppUserModelID of a packaged app, else its program. Without an `executable` (a
 * process that may not be queried) the identity is empty, and nothing is granted to it.
 */
export function identify(process: number, executable: string | null): AppIdentity {
  const packaged = applicationUserModelId(process);
  if (packaged !== null) return { bundleId: packaged, displayName: packageDisplayName(packaged), executable };
  return executable === null ? { bundleId: '', displayName: '', executable } : identifyProgram(executable, true);
}

// Names of programs from their version resources.

const hex4 = (value: number): string => value.toString(16).padStart(4, '0');

/** Language and code page pairs to try if the file lists none: US English in Unicode and Windows-1252, neutral. */
const USUAL = ['040904b0', '040904e4', '000004b0'];

/**
 * `FileDescription` of a program: the name that Windows itself shows for it. Null where the file has no version resource.
 * Source: learn.microsoft.com/windows/win32/api/winver/nf-winver-verqueryvaluew
 */
function fileDescription(path: string): string | null {
  const unused = Buffer.alloc(4);
  const size = version.GetFileVersionInfoSizeW(path, unused);
  if (size === 0) return null;
  const data = Buffer.alloc(size);
  if (!version.GetFileVersionInfoW(path, 0, size, data)) return null;
  const address = Buffer.alloc(8);
  const length = Buffer.alloc(4);
  const query = (name: string): { at: bigint; length: number } | null =>
    version.VerQueryValueW(data, name, address, length) && length.readUInt32LE(0) > 0
      ? { at: address.readBigUInt64LE(0), length: length.readUInt32LE(0) }
      : null;
  const listed: string[] = [];
  const translation = query('\\VarFileInfo\\Translation');
  if (translation !== null) {
    const pairs = readMemory(translation.at, translation.length);
    for (let at = 0; at + 4 <= pairs.length; at += 4)
      listed.push(hex4(pairs.readUInt16LE(at)) + hex4(pairs.readUInt16LE(at + 2)));
  }
  for (const language of [...listed, ...USUAL]) {
    const value = query(`\\StringFileInfo\\${language}\\FileDescription`);
    const text = value === null ? '' : readString16(value.at).trim();
    if (text !== '') return text;
  }
  return null;
}
