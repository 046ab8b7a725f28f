// Where each agent keeps its MCP configuration, and how our entry is added to it.
import { copyFile, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify, parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { writeDurably } from '../base/durable-file.ts';
import { FailedError } from './output.ts';

/** How a client starts the bridge: with the Node and the script that run now, so that it needs no PATH or shell. */
export interface BridgeCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface EntryOptions {
  /** Also what lets the client call our tools without asking for each: the host asks by itself. */
  readonly unattended: boolean;
  /** Address of a running host’s MCP endpoint: the client speaks HTTP to it instead of starting the bridge. */
  readonly url?: string | undefined;
}

/** `user`: the user's own configuration. `project`: a file of the folder, which others share and so has no place of this machine. */
export type Scope = 'user' | 'project';

/** Holds the agent's token in a client's environment, so that no configuration has it. */
const TOKEN_VARIABLE = 'UIAHOST_AGENT_TOKEN';

interface Client {
  readonly meaning: string;
  /** It shows its model names of tools only, until it searches: all capabilities cost it nothing. */
  readonly defersTools?: true;
  /** Connects again for each call over HTTP, so that only a name keeps its session. */
  readonly httpSession?: string;
  /** A command of the client that adds the entry by itself; undefined where it has none. */
  readonly addCommand?: (bridge: BridgeCommand) => string;
  /** What the client must allow before it calls our tools without a person, by the entry of `--unattended` or by hand. */
  readonly unattended: string;
  /** The user's configuration file. */
  file(env: NodeJS.ProcessEnv): string;
  /** The folder's, which is shared; absent where the client has none. */
  readonly projectFile?: (folder: string) => string;
  /** The file's whole text with our entry. Errors: FailedError if the current text cannot be changed safely. */
  merge(present: string, bridge: BridgeCommand, options: EntryOptions): string;
}

const NAME = 'uiahost';
const FORMAT = { insertSpaces: true, tabSize: 2, eol: '\n' };

/** Puts our entry under a key of a JSON file, which may have comments and trailing commas; other entries and comments stay. */
function inJson(
  key: string,
  entry: (bridge: BridgeCommand, options: EntryOptions) => Record<string, unknown>,
): Client['merge'] {
  return (present, bridge, options) => {
    const text = present.trim() === '' ? '{}' : present;
    const errors: ParseError[] = [];
    const config: unknown = parse(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first !== undefined)
      throw new FailedError(
        `The current configuration is not valid JSON (${printParseErrorCode(first.error)} at character ${first.offset}), so it was not changed.`,
        'Add the printed entry by hand.',
      );
    const servers = isObject(config) ? config[key] : undefined;
    if (!isObject(config) || (servers !== undefined && !isObject(servers)))
      throw new FailedError(
        isObject(config)
          ? `${key} of the current configuration is not a JSON object, so it was not changed.`
          : 'The current configuration is not a JSON object, so it was not changed.',
        'Add the printed entry by hand.',
      );
    const wanted = entry(bridge, options);
    if (isDeepStrictEqual(servers?.[NAME], wanted)) return present;
    const changed = applyEdits(text, modify(text, [key, NAME], wanted, { formattingOptions: FORMAT }));
    return changed.endsWith('\n') ? changed : `${changed}\n`;
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An address with more in its query. */
export function withQuery(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** An entry for HTTP; `variable` is how the client writes a variable of its environment. */
const overHttp = (
  { url }: EntryOptions,
  variable: string,
  { key = 'url', server, ...more }: { key?: string; server?: string; type?: string } = {},
): Record<string, unknown> => ({
  ...more,
  [key]: server === undefined ? url : withQuery(url!, { server }),
  headers: { Authorization: `Bearer ${variable}` },
});

const plain = ({ command, args, env }: BridgeCommand): Record<string, unknown> => ({
  command,
  args,
  ...(Object.keys(env).length > 0 ? { env } : {}),
});

const tomlText = (text: string): string => JSON.stringify(text);

/** The comment of a line of TOML, outside quoted text; empty without one. */
const commentOf = (line: string): string => /^(?:[^"'#]|"(?:[^"\\]|\\.)*"|'[^']*')*(#.*)$/.exec(line)?.[1] ?? '';

/** Replaces our tables in a TOML file, or adds them at the end; other tables stay byte for byte. */
function inToml(present: string, { command, args, env }: BridgeCommand, { unattended, url }: EntryOptions): string {
  const ours = new RegExp(`^\\[\\s*mcp_servers\\s*\\.\\s*"?${NAME}"?\\s*(\\.[^\\]]*)?\\]`);
  const kept: string[] = [];
  let isOurs = false;
  for (const line of present.split('\n')) {
    if (/^\s*\[/.test(line)) isOurs = ours.test(line.trim());
    if (!isOurs) kept.push(line);
    else {
      // A comment in our table is the person's own.
      const comment = commentOf(line);
      if (comment !== '') kept.push(comment);
    }
  }
  const before = kept.join('\n').trimEnd();
  const table = [
    `[mcp_servers.${NAME}]`,
    ...(url === undefined
      ? [`command = ${tomlText(command)}`, `args = [${args.map(tomlText).join(', ')}]`]
      : [`url = ${tomlText(url)}`, `bearer_token_env_var = ${tomlText(TOKEN_VARIABLE)}`]),
    'startup_timeout_sec = 30',
    'tool_timeout_sec = 120',
    ...(unattended ? ['default_tools_approval_mode = "approve"'] : []),
    ...(url === undefined && Object.keys(env).length > 0
      ? [
          `env = { ${Object.entries(env)
            .map(([name, value]) => `${name} = ${tomlText(value)}`)
            .join(', ')} }`,
        ]
      : []),
  ].join('\n');
  return `${before === '' ? '' : `${before}\n\n`}${table}\n`;
}

const home = (env: NodeJS.ProcessEnv): string => env['HOME'] ?? env['USERPROFILE'] ?? homedir();

/** Where programs with windows keep a user's settings. */
function settingsFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return env['APPDATA'] ?? join(home(env), 'AppData', 'Roaming');
  if (process.platform === 'darwin') return join(home(env), 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] ?? join(home(env), '.config');
}

const shellWord = (word: string): string => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`);
const shellLine = (words: readonly string[]): string => words.map(shellWord).join(' ');

/** An entry of Claude's form, with the address that tells its permission prompt which tools are its own. */
const withServer = ({ args, ...bridge }: BridgeCommand): BridgeCommand => ({
  ...bridge,
  args: [...args, '--server', NAME],
});

/** Replaces our table of a TOML list of tables, or adds it at the end; other tables stay byte for byte. */
function inTomlList(present: string, { command, args, env }: BridgeCommand, { url }: EntryOptions): string {
  const tables = present.split(/^(?=\s*\[)/m).filter((table) => !isOurTable(table));
  const before = tables.join('').trimEnd();
  const table = [
    '[[mcp_servers]]',
    `name = ${tomlText(NAME)}`,
    ...(url === undefined
      ? [
          'transport = "stdio"',
          `command = ${tomlText(command)}`,
          `args = [${args.map(tomlText).join(', ')}]`,
          ...(Object.keys(env).length === 0
            ? []
            : [
                `env = { ${Object.entries(env)
                  .map(([name, value]) => `${name} = ${tomlText(value)}`)
                  .join(', ')} }`,
              ]),
        ]
      : [
          'transport = "streamable-http"',
          `url = ${tomlText(url)}`,
          `api_key_env = ${tomlText(TOKEN_VARIABLE)}`,
          'api_key_header = "Authorization"',
          'api_key_format = "Bearer {token}"',
        ]),
  ].join('\n');
  return `${before === '' ? '' : `${before}\n\n`}${table}\n`;
}

const isOurTable = (table: string): boolean =>
  /^\s*\[\[\s*mcp_servers\s*\]\]/.test(table) && new RegExp(`^name\\s*=\\s*["']${NAME}["']`, 'm').test(table);

/** What Continue's configuration must have. */
const CONTINUE_HEAD = 'name: Local\nversion: 0.0.1\nschema: v1\n';

/**
 * Our item of the list `mcpServers` of Continue's YAML, in one line of JSON, which is YAML too: where it was written before, or with
 * the list at the end. A list of other servers is the person's own to change.
 */
function inContinueYaml(present: string, bridge: BridgeCommand, options: EntryOptions): string {
  const headers = { Authorization: `Bearer \${{ secrets.${TOKEN_VARIABLE} }}` };
  const how =
    options.url === undefined
      ? { type: 'stdio', ...plain(bridge) }
      : { type: 'streamable-http', url: options.url, requestOptions: { headers } };
  const start = `- {"name":"${NAME}",`;
  const item = `${start}${JSON.stringify(how).slice(1)}`;
  const lines = present.split('\n');
  const at = lines.findIndex((line) => line.trimStart().startsWith(start));
  if (at >= 0)
    return lines
      .with(
        at,
        lines[at]!.replace(/\S.*$/, () => item),
      )
      .join('\n');
  if (lines.some((line) => line.startsWith('mcpServers')))
    throw new FailedError(
      'The current configuration has a list mcpServers of its own, so it was not changed.',
      'Add the printed item to that list.',
    );
  const before = present.trim() === '' ? CONTINUE_HEAD : `${present.trimEnd()}\n`;
  return `${before}mcpServers:\n  ${item}\n`;
}

export const CLIENTS: Readonly<Record<string, Client>> = {
  claude: {
    meaning: 'Claude Code: ~/.claude.json, or .mcp.json of this folder',
    unattended:
      'Claude Code asks before each tool, and refuses them in -p runs: start it with --allowedTools mcp__uiahost, or with --permission-prompt-tool mcp__uiahost__permission_prompt.',
    defersTools: true,
    addCommand: (bridge) => {
      const { command, args, env } = withServer(bridge);
      const settings = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
      return shellLine(['claude', 'mcp', 'add', '--scope', 'user', ...settings, NAME, '--', command, ...args]);
    },
    file: (env) => join(env['CLAUDE_CONFIG_DIR'] ?? home(env), '.claude.json'),
    projectFile: (folder) => join(folder, '.mcp.json'),
    merge: inJson('mcpServers', (bridge, options) =>
      options.url === undefined
        ? { type: 'stdio', ...plain(withServer(bridge)) }
        : overHttp(options, `\${${TOKEN_VARIABLE}}`, { type: 'http', server: NAME }),
    ),
  },
  codex: {
    meaning: 'Codex CLI: ~/.codex/config.toml',
    unattended:
      'Codex refuses our tools under approval_policy never without default_tools_approval_mode = "approve", which --unattended writes.',
    file: (env) => join(env['CODEX_HOME'] ?? join(home(env), '.codex'), 'config.toml'),
    merge: inToml,
  },
  gemini: {
    meaning: 'Gemini CLI: ~/.gemini/settings.json',
    unattended:
      'Gemini CLI shows no MCP tool in -p runs without "trust": true, which --unattended writes, or --approval-mode yolo.',
    file: (env) => join(home(env), '.gemini', 'settings.json'),
    // Milliseconds per call: a person may take a while to approve.
    merge: inJson('mcpServers', (bridge, options) => ({
      ...(options.url === undefined ? plain(bridge) : overHttp(options, `$${TOKEN_VARIABLE}`, { key: 'httpUrl' })),
      timeout: 120_000,
      ...(options.unattended ? { trust: true } : {}),
    })),
  },
  vscode: {
    meaning: 'Visual Studio Code: the user’s mcp.json, or .vscode/mcp.json of this folder',
    unattended:
      'Visual Studio Code asks before each tool: allow the server’s tools when it asks, for the workspace or always.',
    addCommand: (bridge) =>
      `code --add-mcp ${JSON.stringify(JSON.stringify({ name: NAME, type: 'stdio', ...plain(bridge) }))}`,
    file: (env) => join(settingsFolder(env), 'Code', 'User', 'mcp.json'),
    projectFile: (folder) => join(folder, '.vscode', 'mcp.json'),
    merge: inJson('servers', (bridge, options) =>
      options.url === undefined
        ? { type: 'stdio', ...plain(bridge) }
        : overHttp(options, `\${env:${TOKEN_VARIABLE}}`, { type: 'http' }),
    ),
  },
  cursor: {
    meaning: 'Cursor: ~/.cursor/mcp.json',
    unattended: 'Cursor asks before each tool: allow the server’s tools in its settings for auto-run.',
    file: (env) => join(home(env), '.cursor', 'mcp.json'),
    merge: inJson('mcpServers', (bridge, options) =>
      options.url === undefined ? plain(bridge) : overHttp(options, `\${env:${TOKEN_VARIABLE}}`),
    ),
  },
  windsurf: {
    meaning: 'Windsurf: ~/.codeium/windsurf/mcp_config.json',
    unattended: 'Windsurf asks before each tool: allow the server’s tools when it asks.',
    file: (env) => join(home(env), '.codeium', 'windsurf', 'mcp_config.json'),
    merge: inJson('mcpServers', (bridge, options) =>
      options.url === undefined ? plain(bridge) : overHttp(options, `\${env:${TOKEN_VARIABLE}}`, { key: 'serverUrl' }),
    ),
  },
  opencode: {
    meaning: 'opencode: ~/.config/opencode/opencode.json',
    unattended: 'opencode asks for nothing, unless its own permissions say otherwise.',
    file: (env) => join(env['XDG_CONFIG_HOME'] ?? join(home(env), '.config'), 'opencode', 'opencode.json'),
    merge: inJson('mcp', ({ command, args, env }, options) =>
      options.url === undefined
        ? {
            type: 'local',
            command: [command, ...args],
            ...(Object.keys(env).length > 0 ? { environment: env } : {}),
            enabled: true,
          }
        : overHttp(options, `{env:${TOKEN_VARIABLE}}`, { type: 'remote' }),
    ),
  },
  qwen: {
    meaning: 'Qwen Code: ~/.qwen/settings.json',
    defersTools: true,
    unattended: 'Qwen Code shows no MCP tool in -p runs without "trust": true, which --unattended writes.',
    file: (env) => join(home(env), '.qwen', 'settings.json'),
    merge: inJson('mcpServers', (bridge, options) => ({
      ...(options.url === undefined ? plain(bridge) : overHttp(options, `$${TOKEN_VARIABLE}`, { key: 'httpUrl' })),
      timeout: 120_000,
      ...(options.unattended ? { trust: true } : {}),
    })),
  },
  copilot: {
    meaning: 'GitHub Copilot CLI: ~/.copilot/mcp-config.json',
    unattended: 'Copilot CLI asks before each tool: start it with --allow-tool uiahost.',
    file: (env) => join(env['XDG_CONFIG_HOME'] ?? join(home(env), '.copilot'), 'mcp-config.json'),
    merge: inJson('mcpServers', (bridge, options) => ({
      ...(options.url === undefined
        ? { type: 'local', ...plain(bridge) }
        : overHttp(options, `\${${TOKEN_VARIABLE}}`, { type: 'http' })),
      tools: ['*'],
    })),
  },
  continue: {
    meaning: 'Continue: ~/.continue/config.yaml',
    unattended:
      'Continue asks before each tool, and names ours without the server: start cn with --auto, or with --allow for each.',
    file: (env) => join(home(env), '.continue', 'config.yaml'),
    merge: inContinueYaml,
  },
  cline: {
    meaning: 'Cline: ~/.cline/data/settings/cline_mcp_settings.json',
    unattended:
      'Cline’s command line approves all tools by itself (--auto-approve true, its default); in an editor, allow the server’s tools in its settings.',
    file: (env) => join(home(env), '.cline', 'data', 'settings', 'cline_mcp_settings.json'),
    merge: inJson('mcpServers', (bridge, options) => {
      if (options.url !== undefined)
        throw new FailedError(
          'Cline’s file takes no token from a variable.',
          'Leave --http out: it starts the bridge.',
        );
      return { ...plain(bridge), disabled: false };
    }),
  },
  kimi: {
    meaning: 'Kimi Code: ~/.kimi-code/mcp.json',
    unattended: 'Kimi Code asks for nothing in -p runs; elsewhere it asks before each tool: start it with --auto.',
    file: (env) => join(env['KIMI_CODE_HOME'] ?? join(home(env), '.kimi-code'), 'mcp.json'),
    merge: inJson('mcpServers', (bridge, { url }) =>
      url === undefined ? plain(bridge) : { url, bearerTokenEnvVar: TOKEN_VARIABLE },
    ),
  },
  vibe: {
    meaning: 'Mistral Vibe: ~/.vibe/config.toml',
    unattended: 'Mistral Vibe asks before each tool: start it with --auto-approve.',
    defersTools: true,
    httpSession: 'vibe',
    file: (env) => join(env['VIBE_HOME'] ?? join(home(env), '.vibe'), 'config.toml'),
    merge: inTomlList,
  },
  'claude-desktop': {
    meaning: 'Claude Desktop: claude_desktop_config.json of the user (or install the bundle uiahost.mcpb)',
    unattended: 'Claude Desktop asks before each tool: allow it always when it asks.',
    file: (env) => join(settingsFolder(env), 'Claude', 'claude_desktop_config.json'),
    merge: inJson('mcpServers', (bridge, options) => {
      if (options.url !== undefined)
        throw new FailedError(
          'Claude Desktop’s file has no servers over HTTP.',
          'Leave --http out: it starts the bridge.',
        );
      return plain(bridge);
    }),
  },
  zed: {
    meaning: 'Zed: settings.json of the user',
    unattended: 'Zed asks before each tool: allow the server’s tools in its agent settings.',
    file: (env) =>
      process.platform === 'win32'
        ? join(settingsFolder(env), 'Zed', 'settings.json')
        : join(env['XDG_CONFIG_HOME'] ?? join(home(env), '.config'), 'zed', 'settings.json'),
    merge: inJson('context_servers', (bridge, options) => {
      if (options.url !== undefined)
        throw new FailedError('Zed’s file takes no token from a variable.', 'Leave --http out: it starts the bridge.');
      return { source: 'custom', ...plain(bridge), ...(Object.keys(bridge.env).length > 0 ? {} : { env: {} }) };
    }),
  },
};

/** Writes the entry to the client's file by rename, and keeps a backup next to it. */
export async function installConfig(
  client: Client,
  bridge: BridgeCommand,
  options: EntryOptions,
  file: string,
): Promise<{ file: string; backup: string | null }> {
  const present = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const wanted = client.merge(present ?? '', bridge, options);
  if (wanted === present) return { file, backup: null };
  let backup: string | null = null;
  if (present !== null) {
    backup = `${file}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}.bak`;
    await copyFile(file, backup);
  }
  await writeDurably(file, wanted);
  return { file, backup };
}
