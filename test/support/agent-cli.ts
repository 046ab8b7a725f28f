/** Real agent CLIs in an environment of their own, without any key: their model is a test's script on loopback. */
import { spawn, type ChildProcess } from 'node:child_process';
import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensureNpmTools } from '../../scripts/lib/npm-tools.mjs';
import { ensureVibe } from '../../scripts/lib/python-tools.mjs';
import type { TestHost } from './desktop.ts';
import { killAllWith } from './proc.ts';

const run = promisify(execFile);
const uiahost = fileURLToPath(new URL('../../bin/uiahost.mjs', import.meta.url));

/** `npm run test:all` runs the first ones, `npm run clients` all. */
export const CLIS = ['codex', 'gemini'] as const;
export const MORE_CLIS = ['claude', 'opencode', 'qwen', 'copilot', 'continue', 'cline', 'kimi', 'vibe'] as const;
export type AgentCli = (typeof CLIS)[number] | (typeof MORE_CLIS)[number];
export type Transport = 'stdio' | 'http';

const isOneOf = <T extends string>(names: readonly T[], name: string): name is T =>
  (names as readonly string[]).includes(name);

/** The folder of a CLI; fetched from npm the first time: 188 MB, and 1.5 GB for the others; Vibe from PyPI. */
export const agentCli = (cli: AgentCli): Promise<string> =>
  cli === 'vibe' ? ensureVibe() : ensureNpmTools(isOneOf(CLIS, cli) ? 'agent-clis' : 'more-agent-clis');

export interface CliOptions {
  /** Capabilities of the printed configuration. */
  readonly caps?: string;
  /** Whether `uiahost skills install` ran for its home. */
  readonly hasSkills?: boolean;
}

/** Adds our entry to a CLI's own configuration (to TOML as a person does), for runs without a person at its prompts. */
async function install(
  host: TestHost,
  cli: AgentCli,
  transport: Transport,
  { caps }: CliOptions,
  home: string,
): Promise<void> {
  const http = transport === 'http' ? ['--http', host.url] : [];
  const enabled = caps === undefined ? [] : ['--caps', caps];
  const toml = cli === 'codex' || cli === 'vibe' ? join(home, `.${cli}`, 'config.toml') : null;
  const flags = ['--unattended', ...(toml === null ? ['--install'] : []), ...http, ...enabled];
  const env = { PATH: process.env['PATH'], HOME: home, UIAHOST_DATA_DIR: host.dataDir };
  const { stdout } = await run(process.execPath, [uiahost, 'mcp-config', cli, ...flags], { env });
  if (toml !== null) appendFileSync(toml, `\n${stdout}`);
}

export interface CliRun extends AsyncDisposable {
  /** Its exit status and all that it printed. */
  readonly ended: Promise<{ readonly status: number | null; readonly output: string }>;
  /** Kills it, with what it started. */
  kill(): void;
}

/** Starts a CLI with one task. Its home is a new folder with the address of the model and, by `--install`, our entry. */
export async function startCli(
  host: TestHost,
  cli: AgentCli,
  transport: Transport,
  modelUrl: string,
  options: CliOptions = {},
): Promise<CliRun> {
  const folder = await agentCli(cli);
  const tools = cli === 'vibe' ? join(folder, 'bin') : join(folder, 'node_modules');
  const home = mkdtempSync(join(tmpdir(), `uiahost-${cli}-`));
  const work = join(home, 'work');
  mkdirSync(work);
  const { program = process.execPath, file, text, args, env = {} } = SETUPS[cli](modelUrl, tools);
  if (file !== undefined) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), typeof text === 'string' ? text : JSON.stringify(text));
  }
  await install(host, cli, transport, options, home);
  if (options.hasSkills === true)
    await run(process.execPath, [uiahost, 'skills', 'install', cli], {
      env: { PATH: process.env['PATH'], HOME: home },
    });
  const child = spawn(program, args, {
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
      // Cline leaves a daemon in a group of its own
      killAllWith(`HOME=${home}`);
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

/** Its settings, where it has some, and how it does a task by itself. */
interface Setup {
  readonly program?: string;
  readonly file?: string;
  readonly text?: string | object;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const TASK = 'Do what the script says.';
/** Where a CLI starts only with some text for a key; the model on loopback reads none. */
const NO_KEY = 'none';

const SETUPS: Readonly<Record<AgentCli, (modelUrl: string, tools: string) => Setup>> = {
  codex: (modelUrl, tools) => ({
    file: '.codex/config.toml',
    text: `model = "scripted"
model_provider = "scripted"
approval_policy = "never"
[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"`,
    args: [join(tools, '@openai/codex/bin/codex.js'), 'exec', '--skip-git-repo-check', TASK],
  }),
  gemini: (modelUrl, tools) => ({
    file: '.gemini/settings.json',
    text: {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
    },
    args: [join(tools, '@google/gemini-cli/bundle/gemini.js'), '-p', TASK, '-m', 'gemini-2.5-flash'],
    env: { GEMINI_API_KEY: NO_KEY, GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  }),
  claude: (modelUrl, tools) => ({
    program: join(tools, '@anthropic-ai/claude-code-linux-x64/claude'),
    args: ['-p', TASK, '--allowedTools', 'mcp__uiahost'],
    env: { ANTHROPIC_BASE_URL: modelUrl, ANTHROPIC_API_KEY: NO_KEY, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
  }),
  opencode: (modelUrl, tools) => ({
    file: '.config/opencode/opencode.json',
    text: {
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${modelUrl}/v1`, apiKey: NO_KEY },
          models: { scripted: { name: 'scripted' } },
        },
      },
      model: 'scripted/scripted',
      autoupdate: false,
      share: 'disabled',
    },
    program: join(tools, 'opencode-linux-x64/bin/opencode'),
    args: ['run', TASK],
  }),
  qwen: (modelUrl, tools) => ({
    file: '.qwen/settings.json',
    text: {
      security: { auth: { selectedType: 'openai' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    },
    args: [join(tools, '@qwen-code/qwen-code/cli-entry.js'), '-p', TASK, '-m', 'scripted'],
    env: { OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_API_KEY: NO_KEY },
  }),
  copilot: (modelUrl, tools) => ({
    program: join(tools, '@github/copilot-linux-x64/copilot'),
    args: ['-p', TASK, '--allow-tool', 'uiahost', '--model', 'scripted'],
    env: { COPILOT_OFFLINE: 'true', COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`, COPILOT_PROVIDER_API_KEY: NO_KEY },
  }),
  continue: (modelUrl, tools) => ({
    file: '.continue/config.yaml',
    text: `name: Local
version: 0.0.1
schema: v1
models:
  - name: scripted
    provider: openai
    model: scripted
    apiBase: ${modelUrl}/v1
    apiKey: ${NO_KEY}
    capabilities: [tool_use]`,
    args: [join(tools, '@continuedev/cli/dist/cn.js'), '-p', '--auto', TASK],
    env: { CONTINUE_TELEMETRY_ENABLED: '0' },
  }),
  cline: (modelUrl, tools) => ({
    file: '.cline/data/settings/providers.json',
    text: {
      version: 1,
      lastUsedProvider: 'openai-compatible',
      modes: {},
      providers: {
        'openai-compatible': {
          settings: { provider: 'openai-compatible', apiKey: NO_KEY, model: 'scripted', baseUrl: `${modelUrl}/v1` },
          updatedAt: '2026-01-01T00:00:00.000Z',
          tokenSource: 'manual',
        },
      },
    },
    program: join(tools, '@cline/cli-linux-x64/bin/cline'),
    args: ['-P', 'openai-compatible', TASK],
  }),
  kimi: (modelUrl, tools) => ({
    file: '.kimi-code/config.toml',
    text: `default_model = "scripted"
[providers.scripted]
type = "openai"
base_url = "${modelUrl}/v1"
api_key = "${NO_KEY}"
[models.scripted]
provider = "scripted"
model = "scripted"
max_context_size = 200000`,
    args: [join(tools, '@moonshot-ai/kimi-code/dist/main.mjs'), '-p', TASK],
  }),
  vibe: (modelUrl, tools) => ({
    file: '.vibe/config.toml',
    text: `active_model = "scripted"
enable_telemetry = false
enable_update_checks = false
[[providers]]
name = "scripted"
api_base = "${modelUrl}/v1"
[[models]]
name = "scripted"
alias = "scripted"
provider = "scripted"`,
    program: join(tools, 'vibe'),
    args: ['-p', TASK, '--auto-approve', '--trust'],
  }),
};
