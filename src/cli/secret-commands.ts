// `uiahost secret`: store, list and remove passwords that the host types.
import { InvalidArgumentError, type Command } from 'commander';
import { SECRET_PREFIX, SecretName, type SecretView } from '../contract/gate/secret.ts';
import { askHidden } from './ask-hidden.ts';
import { globalsOf, type CliContext } from './context.ts';
import { FailedError, readable } from './output.ts';

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

const addressOf = (name: string): string => `/v1/secrets/${encodeURIComponent(name)}`;

/** secret set|list|remove. */
export function addSecretCommands(program: Command, context: CliContext): void {
  const { output } = context;
  const secret = program
    .command('secret')
    .description('passwords that the host types for the agent, which never sees them')
    .helpGroup('A person in control:');

  secret
    .command('set')
    .argument('<name>', 'name of the secret', nameOf)
    .description('store a secret for one application; prompts without echo')
    .requiredOption(
      '--app <bundleId>',
      'application whose password fields may receive it: full path or AppUserModelID, as list-running-apps shows it',
    )
    .option('--origin <https://host>', 'required for a browser: the only site whose password fields may receive it')
    .addHelpText('after', SET_HELP)
    .action(async (name: string, { app: forApp, origin }: { app: string; origin?: string }, command: Command) => {
      // Connect first: a person should not type a secret for a host that is not running.
      const connection = await context.connect();
      const terminal = { input: process.stdin, write: (text: string) => void process.stderr.write(text) };
      const typed = await askHidden(
        `Secret ${SECRET_PREFIX}${name} for ${forApp}${origin === undefined ? '' : ` on ${origin}`}: `,
        terminal,
      );
      if (typed === '') throw new FailedError('Nothing was stored: the secret is empty.');
      if ((await askHidden('Repeat: ', terminal)) !== typed)
        throw new FailedError('Nothing was stored: the two entries differ.');
      const text = await connection.text('PUT', addressOf(name), {
        scope: 'operator',
        body: { app: forApp, ...(origin === undefined ? {} : { origin }), secret: typed },
      });
      const { secretRef, app, origin: stored } = JSON.parse(text) as SecretView;
      output.out(
        globalsOf(command).json
          ? text
          : `Stored ${secretRef} for ${app}${stored === undefined ? '' : ` on ${stored}`}.`,
      );
    });

  secret
    .command('list')
    .description('list stored secrets with their applications and origins')
    .action(async (_flags: unknown, command: Command) => {
      const text = await (await context.connect()).text('GET', '/v1/secrets', { scope: 'operator' });
      output.out(globalsOf(command).json ? text : readable((JSON.parse(text) as { secrets: SecretView[] }).secrets));
    });

  secret
    .command('remove')
    .argument('<name>', 'name of the secret', nameOf)
    .description('remove a stored secret')
    .action(async (name: string, _flags: unknown, command: Command) => {
      const text = await (await context.connect()).text('DELETE', addressOf(name), { scope: 'operator' });
      output.out(globalsOf(command).json ? text : `Removed ${(JSON.parse(text) as SecretView).secretRef}.`);
    });
}
