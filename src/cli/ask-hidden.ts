// Asks for a secret on the terminal, without echo.
import type { ReadStream } from 'node:tty';
// Asks for a secret on the terminal, without echo.
import { FailedError, UsageError } from './output.ts';

/** The terminal that a person types on. */
export interface Terminal {
  readonly input: ReadStream;
  readonly write: (text: string) => void;
}

const isShown = (character: string): boolean => character >= ' ' && character !== '\u007f';

/**
 * Reads a line from the terminal without echo. Only from a terminal: what comes through a pipe has already been in a
 * program's memory, a file or a command line.
 * Errors: UsageError if standard input is not a terminal; FailedError if the person cancels (Ctrl+C, Ctrl+D).
 */
export async function askHidden(question: string, { input, write }: Terminal): Promise<string> {
  if (!input.isTTY)
    throw new UsageError(
      'A secret must be typed on a terminal, and standard input is not one. Arguments, variables and pipes are not accepted.',
    );
  const wasRaw = input.isRaw;
  // Before the prompt is printed: an immediate answer must not be echoed.
  input.setRawMode(true);
  write(question);
  input.setEncoding('utf8');
  input.resume();
  try {
    return await readLine(input);
  } finally {
    input.setRawMode(wasRaw);
    input.pause();
    write('\n');
  }
}

function readLine(input: ReadStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed: string[] = [];
    const stop = (end: () => void): void => {
      input.off('data', onData);
      input.off('end', onEnd);
      end();
    };
    const onEnd = (): void => stop(() => reject(new FailedError('Nothing was stored: the terminal was closed.')));
    const onData = (chunk: string | Buffer): void => {
      // An arrow or function key arrives as an escape sequence; no part of it belongs in a secret.
      if (String(chunk).startsWith('\u001b')) return;
      const characters = [...String(chunk)];
      for (const [index, character] of characters.entries()) {
        if (character === '\r' || character === '\n') {
          const rest = characters.slice(index + 1).join('');
          return stop(() => {
            // Further pasted lines answer the prompts that follow.
            if (rest !== '') input.unshift(rest);
            resolve(typed.join(''));
          });
        }
        if (character === '\u0003' || character === '\u0004')
          return stop(() => reject(new FailedError('Nothing was stored: cancelled.')));
        if (character === '\u0015') typed = [];
        else if (character === '\u0008' || character === '\u007f') typed.pop();
        else if (isShown(character)) typed.push(character);
      }
    };
    input.on('data', onData);
    input.once('end', onEnd);
  });
}
