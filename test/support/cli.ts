/** Runs the command line: as a process, bundled as it is installed, or in this process where that makes no difference. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { run } from '../../src/cli/program.ts';
import { mcpRoutes, type McpOptions } from '../../src/mcp/route.ts';
import { bundled } from './bundled.ts';
import { AGENT_TOKEN, OPERATOR_TOKEN, serve, type Served } from './http-server.ts';
import { createStandInHost, type StandInHost } from './stand-in-host.ts';

const KEY = 'a-proof-key-of-the-tests';
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The command as one file, as it is installed: loose files would take seconds for each process. */
export const cliBundle = (): string =>
  bundled('src/cli/main.ts', {
    define: { __VERSION__: '"1.2.3"' },
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });

export interface CliResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** The command's file; default: the built bundle. */
  readonly file?: string;
  /** Called with each piece of standard output; returns true to end the process. */
  readonly until?: (stdout: string) => boolean;
  /** Leaves standard input open after `input`. */
  readonly keepInput?: boolean;
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'uiahost-cli-'));
  folders.push(folder);
  return folder;
}

/** They start processes, name their own or last until they are ended. */
const OF_A_PROCESS = new Set('inspect mcp open start demo selftest service'.split(' '));

/** The command: a process of its own where its options or its name ask for one, which costs a quarter of a second. */
export function runCli(
  args: readonly string[],
  dataDirectory: string,
  { env = {}, ...options }: CliOptions = {},
): Promise<CliResult> {
  const all = { PATH: process.env['PATH'] ?? '', HOME: dataDirectory, UIAHOST_DATA_DIR: dataDirectory, ...env };
  return Object.keys(options).length === 0 && !args.some((word) => OF_A_PROCESS.has(word))
    ? runHere(args, all)
    : runProcess(args, all, options);
}

async function runHere(args: readonly string[], env: Record<string, string>): Promise<CliResult> {
  const said = { stdout: '', stderr: '' };
  const write =
    (stream: keyof typeof said) =>
    (text: string): void => {
      said[stream] += text.endsWith('\n') ? text : `${text}\n`;
    };
  const output = { out: write('stdout'), err: write('stderr') };
  return { status: await run(args, { output, env, version: '1.2.3' }), ...said };
}

/** A real process of the command. */
async function runProcess(
  args: readonly string[],
  env: Record<string, string>,
  { input = '', cwd, until, keepInput = false, ...options }: Omit<CliOptions, 'env'> = {},
): Promise<CliResult> {
  const file = options.file ?? cliBundle();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], {
      env,
      stdio: 'pipe',
      ...(cwd === undefined ? {} : { cwd }),
    });
    let stdout = '';
    let stderr = '';
    // A character may arrive in two pieces.
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      if (until?.(stdout) === true) child.kill();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
    if (keepInput) child.stdin.write(input);
    else child.stdin.end(input);
  });
}

export interface CliServed extends Served {
  readonly dataDirectory: string;
  cli(args: readonly string[], options?: CliOptions): Promise<CliResult>;
}

/** A data directory whose host is this server, which has `proofKey`. */
export function folderOf({ url, port }: { readonly url: string; readonly port: number }): string {
  const dataDirectory = temporaryFolder();
  writeFileSync(
    join(dataDirectory, 'host.json'),
    JSON.stringify({ url, port, pid: 1, version: '1', startedAt: 'now' }),
  );
  writeFileSync(join(dataDirectory, 'host.key'), `${KEY}\n`);
  writeFileSync(join(dataDirectory, 'agent.token'), `${AGENT_TOKEN}\n`);
  writeFileSync(join(dataDirectory, 'operator.token'), `${OPERATOR_TOKEN}\n`);
  return dataDirectory;
}

export const proofKey = (): Uint8Array => Buffer.from(KEY);

/** A data directory with a host behind it, as the command finds them. */
export async function serveCli(mcp: McpOptions = {}, host: StandInHost = createStandInHost()): Promise<CliServed> {
  const served = await serve({ mounts: mcpRoutes(host, mcp), proofKey: proofKey() }, host);
  const dataDirectory = folderOf(served.server);
  return { ...served, dataDirectory, cli: (args, options) => runCli(args, dataDirectory, options) };
}
