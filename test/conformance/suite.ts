/** Runs the official MCP conformance suite against the real transport, guards, token and gate, with the suite's fixtures. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHttpServer } from '../../src/http/server.ts';
import { type McpOptions, mcpRoutes } from '../../src/mcp/route.ts';
import { ensureNpmTools } from '../../scripts/lib/npm-tools.mjs';
import { startTestHost } from '../pure/host/running-host.ts';

const AGENT = 'agent-token-agent-token';
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
export const EXPECTED_FAILURES = here('expected-failures.yml');

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

export interface SuiteRun {
  readonly status: number | null;
  readonly output: string;
  /** The checks of each scenario that ran. */
  readonly scenarios: ReadonlyMap<string, readonly Check[]>;
}

/** The suite's folder in the tools' cache; fetched from npm the first time. */
export async function suiteFolder(): Promise<string> {
  return join(await ensureNpmTools('conformance'), 'node_modules/@modelcontextprotocol/conformance');
}

/** Server scenarios that the suite itself requires for a revision of the protocol. */
export async function requiredScenarios(revision: string): Promise<string[]> {
  const text = readFileSync(join(await suiteFolder(), 'requirements', `${revision}.yaml`), 'utf8');
  const list = /^server:\n((?: +- .+\n)+)/m.exec(text)?.[1] ?? '';
  return [...list.matchAll(/^ +- (\S+)$/gm)].map(([, name]) => name as string);
}

/** `createServer`: the product's own when left out. */
export interface SuiteOptions {
  readonly expectedFailures?: string;
  readonly createServer?: McpOptions['createServer'];
}

/** Runs the suite's `server` command with these arguments, such as `--requirements 2026-07-28`. */
export async function runSuite(
  given: readonly string[],
  { expectedFailures = EXPECTED_FAILURES, createServer }: SuiteOptions = {},
): Promise<SuiteRun> {
  const suite = await suiteFolder();
  const results = mkdtempSync(join(tmpdir(), 'uiahost-conformance-'));
  await using host = await startTestHost();
  const server = await createHttpServer({
    host: host.host,
    address: '127.0.0.1',
    port: 0,
    mounts: mcpRoutes(host.host, createServer === undefined ? {} : { createServer }),
  });
  try {
    const child = spawn(
      process.execPath,
      [
        '--import',
        new URL('authorize.mjs', import.meta.url).href,
        join(suite, 'dist/index.js'),
        'server',
        '--url',
        `${server.url}/mcp`,
        ...given,
        '--expected-failures',
        expectedFailures,
        '--output-dir',
        results,
      ],
      {
        cwd: results,
        env: {
          PATH: process.env['PATH'],
          NO_COLOR: '1',
          UIAHOST_CONFORMANCE_ORIGIN: server.url,
          UIAHOST_CONFORMANCE_TOKEN: AGENT,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
    const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { status, output, scenarios: checksIn(results) };
  } finally {
    await server.close();
    rmSync(results, { recursive: true, force: true });
  }
}

/** The suite writes a folder `server-SCENARIO-TIME` with the checks of each scenario. */
function checksIn(folder: string): Map<string, Check[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('checks.json'),
  );
  return new Map(
    files.map((file) => [
      /server-(.+?)-\d{4}-\d\d-\d\dT/.exec(file)?.[1] ?? file,
      JSON.parse(readFileSync(join(folder, file), 'utf8')) as Check[],
    ]),
  );
}
