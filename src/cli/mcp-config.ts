// Where each agent keeps its MCP configuration, and how our entry is added to it.
import { copyFile, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { writeDurably } from '../base/durable-file.ts';
import { FailedError } from './output.ts';

/** How a client starts the bridge: with the Node and the script that run now, so that it needs no PATH or shell. */
export interface BridgeCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Client {
  readonly meaning: string;
  /** The user's configuration file, or the folder's if the client has no other. */
  file(env: NodeJS.ProcessEnv, folder: string): string;
  /** The file's whole text with our entry. Errors: FailedError if the current text cannot be changed safely. */
  merge(present: string, bridge: BridgeCommand): string;
}

const NAME = 'uiahost';

/** Puts our entry under a key of a JSON file and leaves everything else unchanged. */
function inJson(key: string, entry: (bridge: BridgeCommand) => Record<string, unknown>): Client['merge'] {
  return (present, bridge) => {
    let config: unknown;
    try {
      config = present.trim() === '' ? {} : JSON.parse(present);
    } catch (error) {
      throw new FailedError(
        `The current configuration is not plain JSON (${error instanceof Error ? error.message : String(error)}), so it was not changed.`,
        'Add the printed entry by hand.',
      );
    }
    if (typeof config !== 'object' || config === null || Array.isArray(config))
      throw new FailedError(
        'The current configuration is not a JSON object, so it was not changed.',
        'Add the printed entry by hand.',
      );
    const fields = config as Record<string, unknown>;
    const servers =
      typeof fields[key] === 'object' && fields[key] !== null ? (fields[key] as Record<string, unknown>) : {};
    return `${JSON.stringify({ ...fields, [key]: { ...servers, [NAME]: entry(bridge) } }, null, 2)}\n`;
  };
}

const plain = ({ command, args, env }: BridgeCommand): Record<string, unknown> => ({
  command,
  args,
  ...(Object.keys(env).length > 0 ? { env } : {}),
});

const tomlText = (text: string): string => JSON.stringify(text);

/** Replaces our tables in a TOML file, or adds them at the end; other tables stay byte for byte. */
function inToml(present: string, { command, args, env }: BridgeCommand): string {
  const ours = new RegExp(`^\\[\\s*mcp_servers\\s*\\.\\s*"?${NAME}"?\\s*(\\.[^\\]]*)?\\]`);
  const kept: string[] = [];
  let isOurs = false;
  for (const line of present.split('\n')) {
    if (/^\s*\[/.test(line)) isOurs = ours.test(line.trim());
    if (!isOurs) kept.push(line);
  }
  const before = kept.join('\n').trimEnd();
  const table = [
    `[mcp_servers.${NAME}]`,
    `command = ${tomlText(command)}`,
    `args = [${args.map(tomlText).join(', ')}]`,
    'startup_timeout_sec = 30',
    'tool_timeout_sec = 120',
    ...(Object.keys(env).length > 0
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

export const CLIENTS: Readonly<Record<string, Client>> = {
  claude: {
    meaning: 'Claude Code: .mcp.json of this folder',
    file: (_env, folder) => join(folder, '.mcp.json'),
    merge: inJson('mcpServers', (bridge) => ({ type: 'stdio', ...plain(bridge) })),
  },
  codex: {
    meaning: 'Codex CLI: ~/.codex/config.toml',
    file: (env) => join(env['CODEX_HOME'] ?? join(home(env), '.codex'), 'config.toml'),
    merge: inToml,
  },
  gemini: {
    meaning: 'Gemini CLI: ~/.gemini/settings.json',
    file: (env) => join(home(env), '.gemini', 'settings.json'),
    // Milliseconds per call: a person may take a while to approve.
    merge: inJson('mcpServers', (bridge) => ({ ...plain(bridge), timeout: 120_000 })),
  },
  vscode: {
    meaning: 'Visual Studio Code: .vscode/mcp.json of this folder',
    file: (_env, folder) => join(folder, '.vscode', 'mcp.json'),
    merge: inJson('servers', (bridge) => ({ type: 'stdio', ...plain(bridge) })),
  },
  cursor: {
    meaning: 'Cursor: ~/.cursor/mcp.json',
    file: (env) => join(home(env), '.cursor', 'mcp.json'),
    merge: inJson('mcpServers', plain),
  },
  windsurf: {
    meaning: 'Windsurf: ~/.codeium/windsurf/mcp_config.json',
    file: (env) => join(home(env), '.codeium', 'windsurf', 'mcp_config.json'),
    merge: inJson('mcpServers', plain),
  },
};

/** Writes the entry to the client's file by rename, and keeps a backup next to it. */
export async function installConfig(
  client: Client,
  bridge: BridgeCommand,
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<{ file: string; backup: string | null }> {
  const file = client.file(env, folder);
  const present = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const wanted = client.merge(present ?? '', bridge);
  if (wanted === present) return { file, backup: null };
  let backup: string | null = null;
  if (present !== null) {
    backup = `${file}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}.bak`;
    await copyFile(file, backup);
  }
  await writeDurably(file, wanted);
  return { file, backup };
}
