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
  readonly addCommand?: (bridge: BridgeCommand, options: EntryOptions) => string | undefined;
  /** What the client must allow before it calls our tools without a person, by the entry of `--unattended` or by hand. */
  readonly unattended: string;
  /** The user's configuration file. */
  file(env: NodeJS.ProcessEnv): string;
  /** The folder's, which is shared; absent where the client has none. */
  readonly projectFile?: (folder: string) => string;
  /** What a person adds to the file; absent where `merge` writes it. */
  readonly entry?: (bridge: BridgeCommand, options: EntryOptions) => string;
  /**
   * The file's whole text with our entry; absent for TOML, which no package edits with its comments kept. Errors: FailedError if the
   * current text cannot be changed safely.
   */
  readonly merge?: (present: string, bridge: BridgeCommand, options: EntryOptions) => string | Promise<string>;
}

const NAME = 'uiahost';
const FORMAT = { insertSpaces: true, tabSize: 2, eol: '\n' };

/** Puts our entry under a key of a JSON file, which may have comments and trailing commas; other entries and comments stay. */
function inJson(
  key: string,
  entry: (bridge: BridgeCommand, options: EntryOptions) => Record<string, unknown>,
): NonNullable<Client['merge']> {
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

const plain = ({ command, args, env }: BridgeCommand): Omit<BridgeCommand, 'env'> & Partial<BridgeCommand> => ({
  command,
  args,
  ...(Object.keys(env).length > 0 ? { env } : {}),
});
/** What a client needs for HTTP: how it writes a variable of its environment, and what else its entry has. */
interface OverHttp {
  readonly variable: string;
  readonly key?: string;
  readonly server?: string;
  readonly type?: string;
}

/** An entry that starts the bridge, with `more` of the client's own, or, for an address, one for HTTP. */
const entryFor =
  ({ variable, key = 'url', server, ...typed }: OverHttp, more: Readonly<Record<string, unknown>> = {}) =>
  (bridge: BridgeCommand, { url }: EntryOptions): Record<string, unknown> =>
    url === undefined
      ? { ...more, ...plain(server === undefined ? bridge : withServer(bridge)) }
      : {
          ...typed,
          [key]: server === undefined ? url : withQuery(url, { server }),
          headers: { Authorization: `Bearer ${variable}` },
        };

/** For clients whose file has no place for HTTP. */
const bridgeOnly =
  (why: string, entry: (bridge: BridgeCommand) => Record<string, unknown>) =>
  (bridge: BridgeCommand, { url }: EntryOptions): Record<string, unknown> => {
    if (url !== undefined) throw new FailedError(why, 'Leave --http out: it starts the bridge.');
    return entry(bridge);
  };

/** A table of TOML with texts, numbers, lists of texts and tables of texts. */
const toml = (
  head: string,
  values: Readonly<Record<string, string | number | readonly string[] | Readonly<Record<string, string>>>>,
): string => [head, ...Object.entries(values).map(([name, value]) => `${name} = ${tomlValue(value)}`)].join('\n');

const tomlValue = (value: string | number | readonly string[] | Readonly<Record<string, string>>): string =>
  typeof value !== 'object'
    ? JSON.stringify(value)
    : Array.isArray(value)
      ? `[${value.map((each) => JSON.stringify(each)).join(', ')}]`
      : `{ ${Object.entries(value)
          .map(([name, text]) => `${name} = ${JSON.stringify(text)}`)
          .join(', ')} }`;

const home = (env: NodeJS.ProcessEnv): string => env['HOME'] ?? env['USERPROFILE'] ?? homedir();

/** Where programs with windows keep a user's settings. */
function settingsFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return env['APPDATA'] ?? join(home(env), 'AppData', 'Roaming');
  if (process.platform === 'darwin') return join(home(env), 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] ?? join(home(env), '.config');
}

const shellWord = (word: string): string => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`);
const shellLine = (words: readonly string[]): string => words.map(shellWord).join(' ');
const settingsIn = (env: BridgeCommand['env']): string[] =>
  Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);

/** An entry of Claude's form, with the address that tells its permission prompt which tools are its own. */
const withServer = ({ args, ...bridge }: BridgeCommand): BridgeCommand => ({
  ...bridge,
  args: [...args, '--server', NAME],
});

/** What Continue's configuration must have. */
const CONTINUE_HEAD = 'name: Local\nversion: 0.0.1\nschema: v1\n';

/** Puts our item into the list `mcpServers` of Continue's YAML; all else stays, comments too. */
async function inContinueYaml(present: string, bridge: BridgeCommand, options: EntryOptions): Promise<string> {
  // a bundle has of a CommonJS package that is loaded on first use the default export alone
  const { default: yaml } = await import('yaml');
  const { isMap, isSeq, parseDocument } = yaml;
  const headers = { Authorization: `Bearer \${{ secrets.${TOKEN_VARIABLE} }}` };
  const wanted = {
    name: NAME,
    ...(options.url === undefined
      ? { type: 'stdio', ...plain(bridge) }
      : { type: 'streamable-http', url: options.url, requestOptions: { headers } }),
  };
  const document = parseDocument(present.trim() === '' ? CONTINUE_HEAD : present);
  const [error] = document.errors;
  const root: unknown = document.contents;
  const servers = isMap(root) ? root.get('mcpServers') : undefined;
  if (error !== undefined || !isMap(root) || !(servers === undefined || servers === null || isSeq(servers)))
    throw new FailedError(
      `The current configuration ${error === undefined ? 'is not a YAML map whose mcpServers is a list' : `is not valid YAML (${error.code})`}, so it was not changed.`,
      'Add the printed entry by hand.',
    );
  const item = document.createNode(wanted);
  if (!isSeq(servers)) document.set('mcpServers', document.createNode([item]));
  else {
    const at = servers.items.findIndex((each) => isMap(each) && each.get('name') === NAME);
    const old = servers.items[at];
    if (isMap(old) && isDeepStrictEqual(old.toJS(document), wanted)) return present;
    servers.set(at < 0 ? servers.items.length : at, item);
  }
  return document.toString({ lineWidth: 0 });
}

/** Gemini CLI, and what was made from it. Milliseconds per call: a person may take a while to approve. */
const inGemini = inJson('mcpServers', (bridge, options) => ({
  ...entryFor({ variable: `$${TOKEN_VARIABLE}`, key: 'httpUrl' })(bridge, options),
  timeout: 120_000,
  ...(options.unattended ? { trust: true } : {}),
}));

export const CLIENTS: Readonly<Record<string, Client>> = {
  claude: {
    meaning: 'Claude Code: ~/.claude.json, or .mcp.json of this folder',
    unattended:
      'Claude Code asks before each tool, and refuses them in -p runs: start it with --allowedTools mcp__uiahost, or with --permission-prompt-tool mcp__uiahost__permission_prompt.',
    defersTools: true,
    addCommand: (bridge, { url }) => {
      const { command, args, env } = withServer(bridge);
      return url === undefined
        ? shellLine(['claude', 'mcp', 'add', '--scope', 'user', ...settingsIn(env), NAME, '--', command, ...args])
        : undefined;
    },
    file: (env) => join(env['CLAUDE_CONFIG_DIR'] ?? home(env), '.claude.json'),
    projectFile: (folder) => join(folder, '.mcp.json'),
    merge: inJson(
      'mcpServers',
      entryFor({ variable: `\${${TOKEN_VARIABLE}}`, type: 'http', server: NAME }, { type: 'stdio' }),
    ),
  },
  codex: {
    meaning: 'Codex CLI: ~/.codex/config.toml',
    unattended:
      'Codex refuses our tools under approval_policy never without default_tools_approval_mode = "approve", which --unattended writes.',
    file: (env) => join(env['CODEX_HOME'] ?? join(home(env), '.codex'), 'config.toml'),
    addCommand: ({ command, args, env }, { url }) => {
      const how =
        url === undefined
          ? [...settingsIn(env), '--', command, ...args]
          : ['--url', url, '--bearer-token-env-var', TOKEN_VARIABLE];
      return shellLine(['codex', 'mcp', 'add', NAME, ...how]);
    },
    entry: (bridge, { unattended, url }) => {
      const { env, ...start } = plain(bridge);
      return toml(`[mcp_servers.${NAME}]`, {
        ...(url === undefined ? start : { url, bearer_token_env_var: TOKEN_VARIABLE }),
        startup_timeout_sec: 30,
        tool_timeout_sec: 120,
        ...(unattended ? { default_tools_approval_mode: 'approve' } : {}),
        ...(url === undefined && env !== undefined ? { env } : {}),
      });
    },
  },
  gemini: {
    meaning: 'Gemini CLI: ~/.gemini/settings.json',
    unattended:
      'Gemini CLI shows no MCP tool in -p runs without "trust": true, which --unattended writes, or --approval-mode yolo.',
    file: (env) => join(home(env), '.gemini', 'settings.json'),
    merge: inGemini,
  },
  vscode: {
    meaning: 'Visual Studio Code: the user’s mcp.json, or .vscode/mcp.json of this folder',
    unattended:
      'Visual Studio Code asks before each tool: allow the server’s tools when it asks, for the workspace or always.',
    addCommand: (bridge, { url }) =>
      url === undefined
        ? `code --add-mcp ${JSON.stringify(JSON.stringify({ name: NAME, type: 'stdio', ...plain(bridge) }))}`
        : undefined,
    file: (env) => join(settingsFolder(env), 'Code', 'User', 'mcp.json'),
    projectFile: (folder) => join(folder, '.vscode', 'mcp.json'),
    merge: inJson('servers', entryFor({ variable: `\${env:${TOKEN_VARIABLE}}`, type: 'http' }, { type: 'stdio' })),
  },
  cursor: {
    meaning: 'Cursor: ~/.cursor/mcp.json',
    unattended: 'Cursor asks before each tool: allow the server’s tools in its settings for auto-run.',
    file: (env) => join(home(env), '.cursor', 'mcp.json'),
    merge: inJson('mcpServers', entryFor({ variable: `\${env:${TOKEN_VARIABLE}}` })),
  },
  windsurf: {
    meaning: 'Windsurf: ~/.codeium/windsurf/mcp_config.json',
    unattended: 'Windsurf asks before each tool: allow the server’s tools when it asks.',
    file: (env) => join(home(env), '.codeium', 'windsurf', 'mcp_config.json'),
    merge: inJson('mcpServers', entryFor({ variable: `\${env:${TOKEN_VARIABLE}}`, key: 'serverUrl' })),
  },
  opencode: {
    meaning: 'opencode: ~/.config/opencode/opencode.json',
    unattended: 'opencode asks for nothing, unless its own permissions say otherwise.',
    file: (env) => join(env['XDG_CONFIG_HOME'] ?? join(home(env), '.config'), 'opencode', 'opencode.json'),
    merge: inJson('mcp', (bridge, options) => {
      const { command, args, env } = bridge;
      const environment = Object.keys(env).length > 0 ? { environment: env } : {};
      return options.url === undefined
        ? { type: 'local', command: [command, ...args], ...environment, enabled: true }
        : entryFor({ variable: `{env:${TOKEN_VARIABLE}}`, type: 'remote' })(bridge, options);
    }),
  },
  qwen: {
    meaning: 'Qwen Code: ~/.qwen/settings.json',
    defersTools: true,
    unattended: 'Qwen Code shows no MCP tool in -p runs without "trust": true, which --unattended writes.',
    file: (env) => join(home(env), '.qwen', 'settings.json'),
    merge: inGemini,
  },
  copilot: {
    meaning: 'GitHub Copilot CLI: ~/.copilot/mcp-config.json',
    unattended: 'Copilot CLI asks before each tool: start it with --allow-tool uiahost.',
    file: (env) => join(env['XDG_CONFIG_HOME'] ?? join(home(env), '.copilot'), 'mcp-config.json'),
    merge: inJson('mcpServers', (bridge, options) => ({
      ...entryFor({ variable: `\${${TOKEN_VARIABLE}}`, type: 'http' }, { type: 'local' })(bridge, options),
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
    merge: inJson(
      'mcpServers',
      bridgeOnly('Cline’s file takes no token from a variable.', (bridge) => ({ ...plain(bridge), disabled: false })),
    ),
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
    entry: (bridge, { url }) =>
      toml('[[mcp_servers]]', {
        name: NAME,
        ...(url === undefined
          ? { transport: 'stdio', ...plain(bridge) }
          : {
              transport: 'streamable-http',
              url,
              api_key_env: TOKEN_VARIABLE,
              api_key_header: 'Authorization',
              api_key_format: 'Bearer {token}',
            }),
      }),
  },
  'claude-desktop': {
    meaning: 'Claude Desktop: claude_desktop_config.json of the user (or install the bundle uiahost.mcpb)',
    unattended: 'Claude Desktop asks before each tool: allow it always when it asks.',
    file: (env) => join(settingsFolder(env), 'Claude', 'claude_desktop_config.json'),
    merge: inJson('mcpServers', bridgeOnly('Claude Desktop’s file has no servers over HTTP.', plain)),
  },
  zed: {
    meaning: 'Zed: settings.json of the user',
    unattended: 'Zed asks before each tool: allow the server’s tools in its agent settings.',
    file: (env) =>
      process.platform === 'win32'
        ? join(settingsFolder(env), 'Zed', 'settings.json')
        : join(env['XDG_CONFIG_HOME'] ?? join(home(env), '.config'), 'zed', 'settings.json'),
    merge: inJson(
      'context_servers',
      bridgeOnly('Zed’s file takes no token from a variable.', ({ command, args, env }) => ({
        source: 'custom',
        command,
        args,
        env,
      })),
    ),
  },
};

/** Writes the entry to the client's file by rename, and keeps a backup next to it. */
export async function installConfig(
  merge: NonNullable<Client['merge']>,
  bridge: BridgeCommand,
  options: EntryOptions,
  file: string,
): Promise<{ file: string; backup: string | null }> {
  const present = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const wanted = await merge(present ?? '', bridge, options);
  if (wanted === present) return { file, backup: null };
  let backup: string | null = null;
  if (present !== null) {
    backup = `${file}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}.bak`;
    await copyFile(file, backup);
  }
  await writeDurably(file, wanted);
  return { file, backup };
}
