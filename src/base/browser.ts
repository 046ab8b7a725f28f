// Shows an address in the person's browser.
import { spawn } from 'node:child_process';

/** The system's own way to show an address in the person's browser. An argument, never a command line. */
const OPENERS: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
  darwin: ['open'],
  linux: ['xdg-open'],
};

/** Resolves to whether a browser was started. */
export function showInBrowser(link: string): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, link], { detached: true, stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
