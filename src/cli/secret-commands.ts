// `uiahost secret`: store, list and remove passwords that the host types.
import { InvalidArgumentError, type Command } from 'commander';
import { SECRET_PREFIX, SecretName } from '../contract/gate/secret.ts';
import { adding, addRouteCommand, type Answer, type CliContext } from './flags.ts';
import { FailedError, readable, UsageError } from './output.ts';
import type { ReadStream } from 'node:tty';

// Asks for a secret on the terminal, without echo.

/** The terminal that a person types on. */
interface Terminal {
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

const SET_HELP = `
The secret is asked on the terminal and not shown while it is typed. It is never taken from an argument, a variable or a
pipe: those are seen by other programs and kept in histories. It goes to the host over loopback with the operator's token
and lies in the Windows Credential Manager as uiahost:NAME. The host types it (type-into-element --secret-ref uiahost:NAME)
into password fields of that one application alone, in a browser on pages of that one origin alone, each time after an approval that names secret and field.`;

function nameOf(text: string): string {
  const name = SecretName.safeParse(text.startsWith(SECRET_PREFIX) ? text.slice(SECRET_PREFIX.length) : text);
  if (!name.success) throw new InvalidArgumentError(`Expected ${name.error.issues[0]?.message ?? 'a name'}.`);
  return name.data;
}

/** secret set|list|remove. */
export function addSecretCommands(program: Command, context: CliContext): void {
  const secret = program
    .command('secret')
    .description('passwords that the host types for the agent, which never sees them')
    .helpGroup('A person in control:');

  interface SetFlags {
    readonly app: string;
    readonly origin?: string;
  }
  const set = async (name: string, { app: forApp, origin }: SetFlags): Promise<Answer> => {
    // Connect first: a person should not type a secret for a host that is not running.
    const connection = await context.connect();
    const terminal = { input: process.stdin, write: (text: string) => void process.stderr.write(text) };
    const place = origin === undefined ? '' : ` on ${origin}`;
    const typed = await askHidden(`Secret ${SECRET_PREFIX}${name} for ${forApp}${place}: `, terminal);
    if (typed === '') throw new FailedError('Nothing was stored: the secret is empty.');
    if ((await askHidden('Repeat: ', terminal)) !== typed)
      throw new FailedError('Nothing was stored: the two entries differ.');
    const stored = await connection.setSecret(name, { app: forApp, origin, secret: typed });
    const on = stored.origin === undefined ? '' : ` on ${stored.origin}`;
    return { value: stored, text: `Stored ${stored.secretRef} for ${stored.app}${on}.` };
  };
  adding(secret, context)('set', set)
    .argument('<name>', 'name of the secret', nameOf)
    .description('store a secret for one application; prompts without echo')
    .requiredOption(
      '--app <bundleId>',
      'application whose password fields may receive it: full path or AppUserModelID, as list-running-apps shows it',
    )
    .option('--origin <https://host>', 'required for a browser: the only site whose password fields may receive it')
    .addHelpText('after', SET_HELP);

  addRouteCommand(secret, context, {
    usage: 'list',
    about: 'list stored secrets with their applications and origins',
    ask: ({ host }) => host.listSecrets(),
    show: ({ secrets }) => readable(secrets),
  });

  addRouteCommand(secret, context, {
    usage: 'remove',
    about: 'remove a stored secret',
    ask: ({ host, words: [name] }) => host.removeSecret(name),
    show: ({ secretRef }) => `Removed ${secretRef}.`,
  }).argument('<name>', 'name of the secret', nameOf);
}
