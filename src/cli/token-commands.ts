// `uiahost token`, and `token make`, `list`, `revoke`: the tokens of agents and operators.
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { PolicyToken, policyTokenText } from '../contract/gate/machine-host.ts';
import { Level } from '../contract/gate/permissions.ts';
import { dataDirectoryOf, findToken } from '../client/locate.ts';
import type { CredentialFile } from '../fleet/bus/credential.ts';
import type { Scope, TokenView } from '../contract/gate/views.ts';
import { newToken, tokenHash } from '../host/face/token.ts';
import { addRouteCommand, globalsOf, tokenIn, whole, type CliContext } from './flags.ts';
import { FailedError, printable, table, UsageError } from './output.ts';
import { askNative, nativeBundle } from './start.ts';

const DAY_MS = 86_400_000;
const OLD_DAYS = 7;
const POLICY_KEY = 'HKLM\\SOFTWARE\\Policies\\uiahost\\Tokens';

interface MakeFlags {
  readonly operator?: boolean;
  readonly id?: string;
  readonly days?: number;
  readonly expires?: string;
  readonly level?: Level;
  readonly app?: string[];
  readonly out?: string;
  readonly user?: string;
  readonly policy?: boolean;
  readonly old?: string;
  readonly oldDays?: number;
}

/** What an enrolment file holds: its user alone can read it. */
interface Enrolment {
  readonly format: 'uiahost enrolment 1';
  readonly tokenId: string;
  readonly scope: Scope;
  readonly expiresAt: string | null;
  readonly token: string;
}

function expiryOf({ days: count, expires }: MakeFlags): string | undefined {
  if (count !== undefined && expires !== undefined)
    throw new UsageError('--days and --expires are the same: give one.');
  if (count !== undefined) return new Date(Date.now() + count * DAY_MS).toISOString();
  if (expires === undefined) return undefined;
  if (Number.isNaN(Date.parse(expires)))
    throw new UsageError(`--expires ${expires} is not a time such as 2030-01-01T00:00:00Z.`);
  return new Date(expires).toISOString();
}

/**
 * Makes the file, gives its user alone access to it, and only then writes the secret. Errors: FailedError; there is no file
 * then.
 */
export async function writeEnrolment(
  file: string,
  user: string | undefined,
  content: Enrolment | CredentialFile,
): Promise<void> {
  let handle: number;
  try {
    handle = openSync(file, 'wx', 0o600);
  } catch (error) {
    throw new FailedError(
      `${file} cannot be made (${String((error as NodeJS.ErrnoException).code)}).`,
      'An enrolment file is never overwritten; give another name.',
    );
  }
  try {
    const bundle = nativeBundle('inspect');
    if (bundle !== null) await askNative(bundle, ['restrict', resolve(file), user ?? '']);
    else if (user !== undefined)
      throw new UsageError('--user needs Windows, where it sets the access list of the file.');
    writeSync(handle, `${JSON.stringify(content, null, 2)}\n`);
    fsyncSync(handle);
    closeSync(handle);
  } catch (error) {
    closeSync(handle);
    rmSync(file, { force: true });
    throw error;
  }
}

function printToken(context: CliContext, flags: { operator?: boolean; path?: boolean }, isJson: boolean): void {
  const { output, env } = context;
  const scope: Scope = flags.operator === true ? 'operator' : 'agent';
  const { token, place } = findToken(dataDirectoryOf(env), scope, env);
  if (flags.path === true) output.out(isJson ? JSON.stringify({ scope, place }) : place);
  else {
    output.out(isJson ? JSON.stringify({ scope, token, place }) : token);
    output.err(`from ${place}`);
  }
}

/** For the machine's policy: no host is asked, and the policy gets the hash alone. */
async function makeForPolicy(name: string, flags: MakeFlags, context: CliContext, isJson: boolean): Promise<void> {
  if (flags.out === undefined)
    throw new UsageError('--policy needs --out FILE: the token is written there, and the policy gets its hash.');
  const { token, sha256 } = newToken();
  const scope = flags.operator === true ? 'operator' : 'agent';
  const expiresAt = expiryOf(flags);
  const until = new Date(Date.now() + (flags.oldDays ?? OLD_DAYS) * DAY_MS).toISOString();
  const parsed = PolicyToken.safeParse({
    id: flags.id ?? name,
    scope,
    sha256,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(flags.old === undefined ? {} : { old: { sha256: tokenHash(tokenIn(flags.old, '--old')), until } }),
    ...(flags.level === undefined ? {} : { level: flags.level }),
    ...(flags.app === undefined ? {} : { apps: flags.app }),
  });
  if (!parsed.success) throw new UsageError(`The token cannot be named so: ${parsed.error.issues[0]?.message ?? ''}.`);
  const text = policyTokenText(parsed.data);
  await writeEnrolment(flags.out, flags.user, {
    format: 'uiahost enrolment 1',
    tokenId: parsed.data.id,
    scope,
    expiresAt: expiresAt ?? null,
    token,
  });
  if (isJson) return context.output.out(JSON.stringify({ ...parsed.data, value: text, file: flags.out }));
  context.output.out(`Group Policy, “Tokens of agents and operators”: name ${parsed.data.id}, value ${text}`);
  context.output.out(`or here, as administrator: reg add ${POLICY_KEY} /v "${parsed.data.id}" /t REG_SZ /d "${text}"`);
  context.output.err(`The token is in ${flags.out}. To revoke it, remove it from the policy: hosts end it at once.`);
}

async function makeInHost(name: string, flags: MakeFlags, context: CliContext, isJson: boolean): Promise<void> {
  const { level, app, id } = flags;
  const limits = level === undefined && app === undefined ? undefined : { level, apps: app };
  const host = await context.connect();
  const made = await host.createToken({
    name,
    scope: flags.operator === true ? 'operator' : 'agent',
    tokenId: id,
    expiresAt: expiryOf(flags),
    limits,
  });
  const { token, ...view } = made;
  const { tokenId, scope, expiresAt } = view;
  if (flags.out !== undefined) {
    try {
      await writeEnrolment(flags.out, flags.user, { format: 'uiahost enrolment 1', tokenId, scope, expiresAt, token });
    } catch (error) {
      // The token was given to no user: it must not stay valid.
      await host.revokeToken(tokenId);
      throw error;
    }
  }
  const shown = flags.out === undefined ? made : { ...view, file: flags.out };
  if (isJson) return context.output.out(JSON.stringify(shown));
  if (flags.out === undefined) context.output.out(token);
  context.output.err(
    `${scope} token ${tokenId} (${printable(name)})${expiresAt === null ? '' : `, until ${expiresAt}`}${flags.out === undefined ? '; it is not shown again' : `, written to ${flags.out}`}`,
  );
}

const stateOf = ({ revokedAt, expiresAt }: TokenView): string =>
  revokedAt !== null ? 'revoked' : expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid';

const rowOf = (view: TokenView): Record<string, string> => ({
  id: view.tokenId,
  name: printable(view.name),
  scope: view.scope,
  state: stateOf(view),
  expires: view.expiresAt ?? '-',
  level: view.limits?.level ?? '-',
  apps: view.limits?.apps?.join(', ') ?? '-',
  from: view.from,
});

/** token, token make, token list, token revoke. */
export function addTokenCommands(program: Command, context: CliContext): void {
  const token = program
    .command('token')
    .description('print the agent token, and its location on standard error')
    .helpGroup('Host:')
    .option('--operator', 'the operator token instead')
    .option('--path', 'print only the location')
    .action((flags: { operator?: boolean; path?: boolean }, command: Command) =>
      printToken(context, flags, globalsOf(command).json),
    );

  token
    .command('make <name>')
    .description('make a named token for an agent or an operator, with an expiry and rights')
    .option('--operator', 'for an operator, who approves and changes policies; default: for an agent')
    .option('--id <id>', 'an id that stays when the token is replaced')
    .addOption(new Option('--days <number>', 'days until it expires').argParser(whole(1, 3650)))
    .option('--expires <time>', 'when it expires, such as 2030-01-01T00:00:00Z')
    .addOption(new Option('--level <level>', 'the most that it may do').choices(Level.options))
    .option('--app <app...>', 'the only applications that it may operate')
    .option('--out <file>', 'write it to a new enrolment file that one user alone can read, and do not print it')
    .option('--user <account>', 'the user of that file, DOMAIN\\name; default: you (Windows)')
    .option('--policy', 'for all machines with a policy: asks no host, prints what the policy gets')
    .option('--old <file>', 'with --policy: the file of the token that it replaces, which counts for some days more')
    .addOption(new Option('--old-days <number>', `days that it counts; default: ${OLD_DAYS}`).argParser(whole(1, 3650)))
    .action(async (name: string, _flags: MakeFlags, command: Command) => {
      const flags = command.optsWithGlobals<MakeFlags>();
      const isJson = globalsOf(command).json;
      if (flags.user !== undefined && flags.out === undefined) throw new UsageError('--user needs --out FILE.');
      if (flags.old !== undefined && flags.policy !== true) throw new UsageError('--old needs --policy.');
      await (flags.policy === true ? makeForPolicy : makeInHost)(name, flags, context, isJson);
    });

  addRouteCommand(token, context, {
    usage: 'list',
    about: 'show the tokens that this host accepts, and those that have ended; never a token itself',
    ask: ({ host }) => host.listTokens(),
    show: ({ tokens }) =>
      tokens.length === 0 ? 'No tokens but those of the data directory.' : table(tokens.map(rowOf)),
  });

  addRouteCommand(token, context, {
    usage: 'revoke <id>',
    about: 'revoke a token, and end what is under way with it',
    ask: ({ host, words: [id] }) => host.revokeToken(id),
    show: (_view, { words: [id] }) => `Revoked ${id}; nothing is under way with it.`,
  });
}
