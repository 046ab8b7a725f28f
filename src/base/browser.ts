// Shows an address in the person's browser.
import { spawn } from 'node:child_process';

/** The system's own way to show an address in the person's browser. An argument, never a command line. */
const OPENERS: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
  darwin: ['open'],
  linux: ['xdg-open'],
};

/** An opener that ran this long has one (milliseconds). */
const FAILS_WITHIN_MS = 2000;

/** Resolves to whether a browser was started: an opener without a display ends at once, with a status. */
export function showInBrowser(link: string): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, link], { detached: true, stdio: 'ignore' });
    const timer = setTimeout(() => resolve(true), FAILS_WITHIN_MS);
    const settle = (isShown: boolean): void => {
      clearTimeout(timer);
      resolve(isShown);
    };
    child.once('error', () => settle(false));
    child.once('exit', (status) => settle(status === 0));
    child.unref();
  });
}
