/** Windows of Java's toolkit, and where the client of the Access Bridge that reads them is. */
import { javaWindow, type JavaAccessible } from '../../../../native-bindings/java/access-bridge.ts';
import { executableOf, withProcess } from '../../system/process.ts';
import { isJavaClass } from '../../windows/classes.ts';
import { classNameOf, windowProcess } from '../../windows/window-info.ts';

const DLL = 'windowsaccessbridge-64.dll';

/**
 * The system's client, which an administrator installed, else the client of the program's own runtime: java.exe is in its
 * `bin`, a packaged program next to its `runtime`. Any client talks to every virtual machine.
 */
function clients(hwnd: number): string[] {
  const program = withProcess(windowProcess(hwnd), executableOf);
  const folder = program?.slice(0, program.lastIndexOf('\\'));
  const own = folder === undefined ? [] : [`${folder}\\${DLL}`, `${folder}\\runtime\\bin\\${DLL}`];
  // without a folder: of the system
  return [DLL, ...own];
}

/** The content of a window by the Access Bridge, which the caller disposes of; null for other windows and without a bridge. */
export const javaContent = (hwnd: number): JavaAccessible | null =>
  isJavaClass(classNameOf(hwnd)) ? javaWindow(hwnd, windowProcess(hwnd), clients(hwnd)) : null;
