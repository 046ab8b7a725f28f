/** Splitting command lines as Windows does. */
import { readMemory, readString16 } from '../../../native-bindings/library.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import { shell32 } from '../../../native-bindings/win32/shell32.ts';
import { UiaHostError } from '../../contract/errors.ts';

/**
 * Splits a command line as Windows does; the first word follows the rules for a program's name.
 * Errors: invalid_argument for an empty one. Source: learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-commandlinetoargvw
 */
export function splitCommandLine(text: string): string[] {
  const line = text.trim();
  // For an empty line Windows returns this program's path.
  if (line === '') throw new UiaHostError('invalid_argument', 'The command is empty; nothing was started.');
  if (line.includes('\0'))
    throw new UiaHostError('invalid_argument', 'The command contains a NUL character; nothing was started.');
  const count = Buffer.alloc(4);
  const list = shell32.CommandLineToArgvW(line, count);
  if (list === 0n)
    throw new UiaHostError('invalid_argument', 'Windows cannot split the command into arguments; nothing was started.');
  try {
    const pointers = readMemory(list, count.readInt32LE(0) * 8);
    return Array.from({ length: count.readInt32LE(0) }, (_, index) =>
      readString16(pointers.readBigUInt64LE(index * 8)),
    );
  } finally {
    kernel32.LocalFree(list);
  }
}

/** Splits the arguments after a program's name. */
export function splitArguments(text: string): string[] {
  return text.trim() === '' ? [] : splitCommandLine(`x ${text}`).slice(1);
}
