import type { ReadStream } from 'node:tty';
import { FailedError, UsageError } from './output.ts';

/** Where a person types. */
export interface Terminal {
  readonly input: ReadStream;
  readonly write: (text: string) => void;
}

const isShown = (character: string): boolean => character >= ' ' && character !== '\u007f';

/**
 * Asks a person on the terminal for a line that is not shown while it is typed, and nowhere else: what comes through a pipe
 * has been in a program's memory, a file or a command line before.
 * Errors: UsageError where standard input is no terminal; FailedError when the person takes it back (Ctrl+C, Ctrl+D).
 */
export async function askHidden(question: string, { input, write }: Terminal): Promise<string> {
  if (!input.isTTY)
    throw new UsageError(
      'A secret is asked on a terminal alone: standard input is none. It is never taken from an argument, a variable or a pipe.',
    );
  const wasRaw = input.isRaw;
  // Before the question stands there: who answers at once must not see the answer.
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
      // An arrow or function key comes as a sequence of its own; none of it belongs to a secret.
      if (String(chunk).startsWith('\u001b')) return;
      const characters = [...String(chunk)];
      for (const [index, character] of characters.entries()) {
        if (character === '\r' || character === '\n') {
          const rest = characters.slice(index + 1).join('');
          return stop(() => {
            // Lines that were pasted together are the answers to the questions that follow.
            if (rest !== '') input.unshift(rest);
            resolve(typed.join(''));
          });
        }
        if (character === '\u0003' || character === '\u0004')
          return stop(() => reject(new FailedError('Nothing was stored: it was taken back.')));
        if (character === '\u0015') typed = [];
        else if (character === '\u0008' || character === '\u007f') typed.pop();
        else if (isShown(character)) typed.push(character);
      }
    };
    input.on('data', onData);
    input.once('end', onEnd);
  });
}
