/** Application identities: AppUserModelID of packaged apps, path and FileDescription of programs. */
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import type { AppIdentity } from '../../contract/element/binding.ts';
import { isForeignPath } from './foreign-path.ts';
import { packageDisplayName } from './packages.ts';
import { readMemory, readString16 } from '../../../native-bindings/library.ts';
import { version } from '../../../native-bindings/win32/version.ts';

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
