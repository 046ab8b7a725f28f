/**
 * A terminal of its own on Windows, in which a command runs as a person typed it: `windows-terminal.ts OUTPUT COMMAND`. The command's
 * output goes to the file OUTPUT. On standard input, the line `interrupt` is Ctrl+C, and `close` closes the terminal's window, which
 * ends this process too. Its exit status is the command's.
 */
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { CTRL_C_EVENT, GA_ROOTOWNER, WM_CLOSE } from '../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../native-bindings/win32/kernel32.ts';
import { user32 } from '../../native-bindings/win32/user32.ts';

const ALL_PROCESSES = 0;
const [output = '', command = ''] = process.argv.slice(2);

kernel32.FreeConsole();
if (!kernel32.AllocConsole()) throw new Error(`Windows made no console (error ${kernel32.GetLastError()}).`);
const file = openSync(output, 'a');
const child = spawn(command, { shell: true, stdio: ['ignore', file, file] });
child.on('exit', (status) => process.exit(status ?? 1));

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'interrupt') {
    // Only now: the command would inherit that Ctrl+C is ignored.
    kernel32.SetConsoleCtrlHandler(null, true);
    kernel32.GenerateConsoleCtrlEvent(CTRL_C_EVENT, ALL_PROCESSES);
  } else if (line === 'close')
    // In Windows Terminal the console's own window is hidden, and the terminal's window owns it.
    user32.PostMessageW(user32.GetAncestor(kernel32.GetConsoleWindow(), GA_ROOTOWNER), WM_CLOSE, 0, 0);
});
