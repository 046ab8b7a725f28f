/** Real agent CLIs in an environment of their own, without any key: their model is a test's script on loopback. */
import { spawn, type ChildProcess } from 'node:child_process';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensureNpmTools } from '../../scripts/lib/npm-tools.mjs';
import type { TestHost } from './desktop.ts';

const run = promisify(execFile);
const uiahost = fileURLToPath(new URL('../../bin/uiahost.mjs', import.meta.url));

export type AgentCli = 'codex' | 'gemini';
export type Transport = 'stdio' | 'http';

/** The folder of the CLIs; fetched from npm the first time: Codex is 167 MB, Gemini CLI 21 MB. */
export const agentClis = (): Promise<string> => ensureNpmTools('agent-clis');

export interface CliOptions {
  /** Capabilities of the printed configuration. */
  readonly caps?: string;
  /** Whether `uiahost skills install` ran for its home. */
  readonly hasSkills?: boolean;
}

/** What `uiahost mcp-config` prints for a CLI that runs without a person at its own prompts. */
async function printedConfig(
  host: TestHost,
  cli: AgentCli,
  transport: Transport,
  { caps }: CliOptions,
): Promise<string> {
  const { stdout } = await run(
    process.execPath,
    [
      uiahost,
      'mcp-config',
      cli,
      '--unattended',
      ...(transport === 'http' ? ['--http', host.url] : []),
      ...(caps === undefined ? [] : ['--caps', caps]),
    ],
    { env: { PATH: process.env['PATH'], HOME: tmpdir(), UIAHOST_DATA_DIR: host.dataDir } },
  );
  return stdout;
}

export interface CliRun extends AsyncDisposable {
  /** Its exit status and all that it printed. */
  readonly ended: Promise<{ readonly status: number | null; readonly output: string }>;
  /** Kills it, with what it started. */
  kill(): void;
}

/** Starts a CLI with one task. Its home is a new folder with the printed configuration and the address of the model. */
export async function startCli(
  host: TestHost,
  cli: AgentCli,
  transport: Transport,
  modelUrl: string,
  options: CliOptions = {},
): Promise<CliRun> {
  const tools = join(await agentClis(), 'node_modules');
  const home = mkdtempSync(join(tmpdir(), `uiahost-${cli}-`));
  const work = join(home, 'work');
  mkdirSync(work);
  const { args, env } = SETUPS[cli](home, await printedConfig(host, cli, transport, options), modelUrl, tools);
  if (options.hasSkills === true)
    await run(process.execPath, [uiahost, 'skills', 'install', cli], {
      env: { PATH: process.env['PATH'], HOME: home },
    });
  const child = spawn(process.execPath, args, {
    cwd: work,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      ...(transport === 'http' ? { UIAHOST_AGENT_TOKEN: host.agentToken } : {}),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
  const ended = new Promise<{ status: number | null; output: string }>((resolve) => {
    child.once('close', (status) => resolve({ status, output }));
  });
  return {
    ended,
    kill: () => killGroup(child),
    async [Symbol.asyncDispose]() {
      killGroup(child);
      await ended;
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function killGroup(child: ChildProcess): void {
  try {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  } catch {
    // It has ended.
  }
}

type Setup = (
  home: string,
  printed: string,
  modelUrl: string,
  tools: string,
) => { readonly args: string[]; readonly env: Record<string, string> };

const TASK = 'Do what the script says.';

const SETUPS: Readonly<Record<AgentCli, Setup>> = {
  codex(home, printed, modelUrl, tools) {
    mkdirSync(join(home, '.codex'));
    const provider = `[model_providers.scripted]\nname = "scripted"\nbase_url = "${modelUrl}/v1"\nwire_api = "responses"\n`;
    writeFileSync(
      join(home, '.codex/config.toml'),
      `model = "scripted"\nmodel_provider = "scripted"\napproval_policy = "never"\n${provider}\n${printed}`,
    );
    return { args: [join(tools, '@openai/codex/bin/codex.js'), 'exec', '--skip-git-repo-check', TASK], env: {} };
  },
  gemini(home, printed, modelUrl, tools) {
    mkdirSync(join(home, '.gemini'));
    const settings = {
      ...(JSON.parse(printed) as object),
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
    };
    writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
    return {
      args: [join(tools, '@google/gemini-cli/bundle/gemini.js'), '-p', TASK, '-m', 'gemini-2.5-flash'],
      // It starts only with some text for a key; the model on loopback reads none.
      env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    };
  },
};
