// `uiahost mcp`, `mcp-config` and `skills`: what agents connect by, and what they read.
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { Argument, Option, type Command } from 'commander';
import { readSetting } from '../contract/process/settings.ts';
import { globalsOf, type CliContext } from './flags.ts';
import { ownSession, serveStdio, SESSION } from './mcp-front.ts';
import { CLIENTS, installConfig, withQuery, type BridgeCommand, type Scope } from './mcp-config.ts';
import { FailedError, UsageError } from './output.ts';
import skills from './skills.json' with { type: 'json' };
import { attempt } from '../contract/attempt.ts';

/** mcp, mcp-config. */
export function addMcpCommands(program: Command, context: CliContext): void {
  const group = 'Agents:';

  program
    .command('mcp')
    .description('serve MCP on standard input and output; starts the host if needed')
    .helpGroup(group)
    .option('--caps <names>', 'capabilities in addition to core, separated by commas; all enables every tool')
    .option('--server <name>', 'what the client calls this server: permission_prompt allows tools of that name')
    .action(async ({ caps, server }: { caps?: string; server?: string }, command: Command) => {
      const { session, remote } = globalsOf(command);
      if (session !== undefined && !SESSION.test(session))
        throw new UsageError('--session: expected 1 to 64 letters, digits, _ or -.');
      await serveStdio({
        env: context.env,
        session: session ?? ownSession(),
        caps,
        server,
        remote,
      });
    });

  const names = Object.keys(CLIENTS);
  program
    .command('mcp-config')
    .description('print, or install, an agent’s MCP configuration')
    .helpGroup(group)
    .addArgument(new Argument('<client>', 'which agent').choices(names))
    .option('--install', 'write it to the client’s file and keep a backup of the old file')
    .option(
      '--caps <names>',
      'capabilities to enable in addition to core; all of them where the client lists tools by name',
    )
    .addOption(
      new Option(
        '--scope <scope>',
        'the user’s own file, or the folder’s, which others share: it has no places of this machine',
      )
        .choices(['user', 'project'])
        .default('user'),
    )
    .option(
      '--http <url>',
      'an entry that speaks HTTP to the host at this address, with the token from UIAHOST_AGENT_TOKEN',
    )
    .option('--unattended', 'an entry that lets the client call these tools without asking; the host asks by itself')
    .addHelpText(
      'after',
      `\nClients:\n${names.map((name) => `  ${name.padEnd(15)}${CLIENTS[name]?.meaning ?? ''}`).join('\n')}`,
    )
    .action(
      async (
        name: string,
        flags: { install?: boolean; caps?: string; http?: string; unattended?: boolean; scope: Scope },
        command: Command,
      ) => {
        const client = CLIENTS[name];
        if (client === undefined) throw new UsageError(`Unknown client ${name}.`);
        const file = flags.scope === 'user' ? client.file(context.env) : client.projectFile?.(process.cwd());
        if (file === undefined) throw new UsageError(`${name} has no file for a folder: leave --scope out.`);
        const caps = flags.caps ?? (client.defersTools === true ? 'all' : undefined);
        const { session } = globalsOf(command);
        const own = bridgeCommand(context.env, session, caps);
        const bridge = flags.scope === 'user' ? own : shared(own);
        const options = {
          unattended: flags.unattended === true,
          url:
            flags.http === undefined
              ? undefined
              : withQuery(`${originOf(flags.http)}/mcp`, { caps, session: session ?? client.httpSession }),
        };
        const { merge, addCommand } = client;
        const entry = (client.entry?.(bridge, options) ?? (await merge?.('', bridge, options)) ?? '').trimEnd();
        const add = flags.scope === 'user' ? addCommand?.(bridge, options) : undefined;
        if (flags.install !== true) {
          context.output.out(entry);
          const how = merge === undefined ? 'add it there' : '--install writes it';
          context.output.err(`For ${file} (${how}).${add === undefined ? '' : ` Or: ${add}`}`);
          context.output.err(`To run without a person: ${client.unattended}`);
          return;
        }
        if (merge === undefined) {
          context.output.out(entry);
          throw new FailedError(
            `${file} is TOML, which uiahost does not edit, so it was not changed.`,
            `Add the printed entry there${add === undefined ? '.' : `, or run: ${add}`}`,
          );
        }
        const { backup } = await installConfig(merge, bridge, options, file).catch((error: unknown) => {
          if (error instanceof FailedError) context.output.out(entry);
          throw error;
        });
        context.output.out(`${file} has the entry.${backup === null ? '' : ` Backup of the old file: ${backup}`}`);
        context.output.err(`To run without a person: ${client.unattended}`);
      },
    );
}

/** For a file that is shared: the command on the PATH, as the installer and npm put it there, and no place of this machine. */
const shared = ({ args }: BridgeCommand): BridgeCommand => ({ command: 'uiahost', args: args.slice(1), env: {} });

/** Errors: UsageError for what is not an address of HTTP. */
function originOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError('--http: expected the address of a host, such as http://127.0.0.1:7423.');
  return url.origin;
}

/** The Node that runs npm, if npm started us with one from node_modules, which disappears on the next install. */
function lastingNode(env: NodeJS.ProcessEnv): string {
  const ofNpm = env['npm_node_execpath'];
  const isOfPackages = process.execPath.includes(`${sep}node_modules${sep}`);
  return isOfPackages && ofNpm !== undefined && existsSync(ofNpm) ? ofNpm : process.execPath;
}

/** None for uiahost.exe, which has it inside. npx starts us through a link in its cache, which it clears. */
function lastingScript(): string[] {
  const script = process.argv[1];
  if (/[\\/]uiahost\.exe$/i.test(process.execPath)) return [];
  return [script === undefined ? 'uiahost' : realpathSync(script)];
}

function bridgeCommand(env: NodeJS.ProcessEnv, session: string | undefined, caps: string | undefined): BridgeCommand {
  const directory = readSetting(env, 'UIAHOST_DATA_DIR');
  return {
    command: lastingNode(env),
    args: [
      ...lastingScript(),
      'mcp',
      ...(session === undefined ? [] : ['--session', session]),
      ...(caps === undefined ? [] : ['--caps', caps]),
    ],
    env: directory === undefined ? {} : { UIAHOST_DATA_DIR: directory },
  };
}

/** Where each CLI looks for a person's skills, below the home folder. */
const FOLDERS = {
  claude: '.claude/skills',
  codex: '.codex/skills',
  gemini: '.gemini/skills',
  copilot: '.copilot/skills',
} as const;
type Client = keyof typeof FOLDERS;

interface Skill {
  /** By this a CLI decides whether a task needs it. */
  readonly description: string;
  readonly lines: readonly string[];
}

/** The file of a skill, as these CLIs read it. */
const fileOf = (name: string, { description, lines }: Skill): string =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n${lines.join('\n')}\n`;

function present(file: string): string | null {
  return attempt(() => readFileSync(file, 'utf8'), null);
}

/** skills install, skills list. */
export function addSkillCommands(program: Command, context: CliContext): void {
  const command = program
    .command('skills')
    .description('texts for agent CLIs on how to use uiahost')
    .helpGroup('Agents:');
  command
    .command('list')
    .description('list the skills')
    .action(() => {
      for (const [name, { description }] of Object.entries(skills as Readonly<Record<string, Skill>>))
        context.output.out(`${name}: ${description}`);
    });
  command
    .command('install')
    .description('write the skills to the CLI’s folder in your home; a skill that you changed is kept')
    .addArgument(new Argument('<client>', 'which agent').choices(Object.keys(FOLDERS)))
    .option('--replace', 'replace skills that differ')
    .action((client: Client, { replace = false }: { replace?: boolean }) => {
      const home = context.env['HOME'] ?? context.env['USERPROFILE'] ?? homedir();
      for (const [name, skill] of Object.entries(skills as Readonly<Record<string, Skill>>)) {
        const folder = join(home, FOLDERS[client], name);
        const file = join(folder, 'SKILL.md');
        const text = fileOf(name, skill);
        const found = present(file);
        const isKept = found !== null && found !== text && !replace;
        if (!isKept) {
          mkdirSync(folder, { recursive: true });
          writeFileSync(file, text);
        }
        context.output.out(`${isKept ? 'kept (it differs; --replace overwrites it)' : 'written'}: ${file}`);
      }
    });
}
