/** What a process with the system's rights loads, whatever the folder and the environment that it was started with. */
import { LOAD_LIBRARY_SEARCH_SYSTEM32 } from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';

/**
 * DLLs that are named without a folder come from System32 alone, not from the program's folder, the working directory or the
 * PATH. Source: learn.microsoft.com/windows/win32/dlls/dynamic-link-library-security
 */
export function restrictDllSearch(): void {
  if (kernel32.has('SetDefaultDllDirectories')) kernel32.SetDefaultDllDirectories(LOAD_LIBRARY_SEARCH_SYSTEM32);
}
