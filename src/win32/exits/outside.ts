/** What leaves without a window: programs that are started, the clipboard, cells of a workbook. */
import { writeFileSync } from 'node:fs';
import type { Dispatch, DispatchInput, DispatchValue } from '../../../native-bindings/com/dispatch.ts';
import type { GridValue } from '../../../native-bindings/com/variant-grid.ts';
import { copyIn } from '../../../native-bindings/library.ts';
import type { IApplicationActivationManager } from '../../../native-bindings/uia/shell.generated.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { PROCESS_INFORMATION, STARTUPINFOW } from '../../../native-bindings/win32/structs.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import type { SentCells } from './fits.ts';
import { leave } from './leaving.ts';

/** How a process is started. */
export interface ProcessStart {
  /** Full path of the program. */
  readonly executable: string;
  /** The whole command line, program first, quoted by the Windows rules. */
  readonly commandLine: string;
  /** Full path of its working directory. */
  readonly directory: string;
  /** Shows its window without activating it. */
  readonly isQuiet?: boolean;
}

/**
 * Starts a program in a new console if it needs one. A Windows error as `failed`; the caller closes the handle.
 * Source: learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessw
 */
export function createProcess(
  { executable, commandLine, directory, isQuiet = false }: ProcessStart,
  environment: Parameters<typeof kernel32.CreateProcessW>[6],
): { readonly pid: number; readonly handle: number } | { readonly failed: number } {
  leave(['start'], { program: executable });
  const startup = STARTUPINFOW.alloc({
    cb: STARTUPINFOW.size,
    ...(isQuiet ? { dwFlags: m.STARTF_USESHOWWINDOW, wShowWindow: m.SW_SHOWNOACTIVATE } : {}),
  });
  const information = PROCESS_INFORMATION.alloc();
  const flags =
    m.CREATE_NEW_CONSOLE | m.CREATE_NEW_PROCESS_GROUP | m.CREATE_UNICODE_ENVIRONMENT | m.CREATE_DEFAULT_ERROR_MODE;
  const isStarted = kernel32.CreateProcessW(
    executable,
    Buffer.from(`${commandLine}\0`, 'utf16le'),
    null,
    null,
    false,
    flags,
    environment,
    directory,
    startup,
    information,
  );
  if (!isStarted) return { failed: kernel32.GetLastError() };
  const { hProcess, hThread, dwProcessId } = PROCESS_INFORMATION.read(information);
  kernel32.CloseHandle(hThread);
  return { pid: dwProcessId, handle: hProcess };
}

/** Starts a packaged app; its process. Source: learn.microsoft.com/windows/win32/api/shobjidl_core/nf-shobjidl_core-iapplicationactivationmanager-activateapplication */
export function activatePackage(
  manager: IApplicationActivationManager,
  applicationUserModelId: string,
): Promise<number> {
  leave(['start'], { program: applicationUserModelId });
  return manager.ActivateApplicationAsync(applicationUserModelId, null, m.AO_NONE);
}

/** One format of a clipboard's content. */
export interface ClipboardFormat {
  readonly format: number;
  readonly bytes: Uint8Array;
}

const textOf = (content: ClipboardFormat | undefined): string =>
  content === undefined ? '' : Buffer.from(content.bytes).toString('utf16le').replace(/\0$/, '');

/**
 * Replaces the content of the clipboard, which is open: by a text first, or, with `isBack`, by what it held before. False
 * if the first format was refused.
 */
export function fillClipboard(contents: readonly ClipboardFormat[], isBack = false): boolean {
  leave(['clipboard'], isBack ? {} : { clipboard: textOf(contents[0]) });
  user32.EmptyClipboard();
  const accepted = contents.map(({ format, bytes }) => setBytes(format, bytes));
  return accepted[0] !== false;
}

/** Passes memory to the clipboard, which then owns it. False = refused, and the memory is freed. */
function setBytes(format: number, bytes: Uint8Array): boolean {
  const handle = kernel32.GlobalAlloc(m.GMEM_MOVEABLE, Math.max(1, bytes.byteLength));
  if (handle === 0) return false;
  const address = kernel32.GlobalLock(handle);
  if (address !== 0n) copyIn(address, bytes);
  kernel32.GlobalUnlock(handle);
  if (address !== 0n && user32.SetClipboardData(format, handle) !== 0) return true;
  kernel32.GlobalFree(handle);
  return false;
}

/** Sets a property of a range; `isOnce`: an error where the program is busy now. */
export function putCells(
  range: Dispatch,
  place: Pick<SentCells, 'sheet' | 'range'>,
  {
    property,
    values,
  }: { readonly property: 'Value' | 'Value2' | 'Formula' | 'Formula2'; readonly values: GridValue[][] },
  isOnce = false,
): Promise<void> {
  leave(['cells'], { cells: { ...place, write: { values, isFormula: property.startsWith('Formula') } } });
  const only = values.length === 1 && values[0]!.length === 1;
  return range.put(property, only ? values[0]![0] : values, isOnce);
}

/** A property set, or a method called, for an operation on a workbook (`op`) or to select cells. `isOnce`: an error where the program is busy now. */
export function changeBook(
  object: Dispatch,
  place: Pick<SentCells, 'sheet' | 'op' | 'loses'> & { readonly range?: string },
  what:
    | { readonly put: string; readonly value: DispatchInput }
    | { readonly call: string; readonly args: readonly DispatchInput[] },
  isOnce = false,
): Promise<DispatchValue | void> {
  leave(['cells'], { cells: { range: '', write: null, ...place } });
  return 'put' in what ? object.put(what.put, what.value, isOnce) : object.call(what.call, what.args, isOnce);
}

/** Writes a file that is not there yet. Errors: EEXIST. */
export function writeTable(path: string, content: string): void {
  leave(['path']);
  writeFileSync(path, content, { flag: 'wx' });
}

/** Scrolls the sheet of a workbook's window. */
export function scrollSheet(window: Dispatch, property: 'ScrollRow' | 'ScrollColumn', value: number): Promise<void> {
  leave(['cells', 'along']);
  return window.put(property, value);
}
