import { Option, type Command } from 'commander';
import type { Scope } from '../host/caller.ts';
import { dataDirectoryOf, findHost, HostNotFoundError, readToken, tokenFileOf } from '../host/locate.ts';
import { globalsOf, type CliContext } from './context.ts';
import { printable } from './output.ts';
import { startHost } from './start.ts';

interface Status {
  readonly binding: { readonly bound: boolean; readonly hwnd?: string; readonly title?: string; readonly pid?: number };
  readonly level: string;
  readonly stopped?: boolean;
  readonly doctor: ReadonlyArray<{ readonly code: string; readonly message: string; readonly cure: string }>;
  readonly worker: { readonly state: string; readonly restarts: number };
  readonly version: string;
}

function describeFindings(findings: Status['doctor']): string {
  return findings.map(({ code, message, cure }) => `${code}: ${message}\n  cure: ${cure}`).join('\n');
}

function describeStatus(status: Status, url: string): string {
  const { binding } = status;
  return printable([
    `uiahost ${status.version} at ${url}`,
    `level    ${status.level}${status.stopped === true ? ', STOPPED (uiahost resume)' : ''}`,
    `window   ${binding.bound ? `${binding.title ?? ''} (hwnd ${binding.hwnd ?? '?'}, process ${binding.pid ?? '?'})` : 'none bound'}`,
    `worker   ${status.worker.state}${status.worker.restarts > 0 ? `, restarted ${status.worker.restarts} times` : ''}`,
    ...(status.doctor.length > 0 ? [describeFindings(status.doctor)] : []),
  ].join('\n'));
}

/** start, status, doctor, stop, resume, token. */
export function addHostCommands(program: Command, context: CliContext): void {
  const { output, env } = context;
  const group = 'Host:';

  program.command('start').description('start the host in the background, if none runs').helpGroup(group)
    .action(async () => {
      const { host, wasRunning } = await startHost(env, 'typed');
      output.out(`uiahost ${host.version} ${wasRunning ? 'already runs' : 'runs'} at ${host.url} (process ${host.pid})`);
    });

  program.command('status').description('level, bound window, worker, and what stands in the way').helpGroup(group)
    .action(async (_flags: unknown, command: Command) => {
      const connection = await context.connect();
      const { json, session } = globalsOf(command);
      const text = await connection.text('GET', '/v1/status', { session });
      output.out(json ? text : describeStatus(JSON.parse(text) as Status, connection.host.url));
    });

  program.command('doctor').description('what stands in the way of acting on the desktop, and its cure').helpGroup(group)
    .action(async (_flags: unknown, command: Command) => {
      const connection = await context.connect();
      const { json, session } = globalsOf(command);
      const { doctor } = await connection.json<Status>('GET', '/v1/status', { session });
      if (json) output.out(JSON.stringify({ doctor }));
      else output.out(doctor.length === 0 ? 'Nothing stands in the way.' : printable(describeFindings(doctor)));
    });

  for (const [name, meaning] of [['stop', 'emergency stop: no further input, everything held is released, sessions end'], ['resume', 'release the emergency stop']] as const) {
    program.command(name).description(meaning).helpGroup(group)
      .action(async (_flags: unknown, command: Command) => {
        const text = await (await context.connect()).text('POST', `/v1/${name}`, { scope: 'operator' });
        const { stopped, sessionsAborted } = JSON.parse(text) as { stopped: boolean; sessionsAborted?: number };
        const said = stopped ? `Stopped; ${sessionsAborted ?? 0} sessions were aborted. Release it with: uiahost resume` : 'Running again.';
        output.out(globalsOf(command).json ? text : said);
      });
  }

  program.command('token').description('where the token of this data directory lies').helpGroup(group)
    .option('--operator', 'the operator token instead of the agent token')
    .addOption(new Option('--print', 'print the token itself, after the host has proven that it is ours'))
    .action(async (flags: { operator?: boolean; print?: boolean }, command: Command) => {
      const scope: Scope = flags.operator === true ? 'operator' : 'agent';
      const directory = dataDirectoryOf(env);
      const variable = `UIAHOST_${scope.toUpperCase()}_TOKEN`;
      const isFromEnvironment = (env[variable] ?? '').trim() !== '';
      if (flags.print === true) {
        await findHost(directory);
        output.out(readToken(directory, scope, env));
        return;
      }
      const file = tokenFileOf(directory, scope);
      if (!isFromEnvironment) readToken(directory, scope, env);
      if (globalsOf(command).json) output.out(JSON.stringify(isFromEnvironment ? { scope, variable } : { scope, file }));
      else output.out(isFromEnvironment ? `the variable ${variable}` : file);
    });
}

/** Whether a host answers at all: used where its absence is no error. */
export async function isRunning(env: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    await findHost(dataDirectoryOf(env));
    return true;
  } catch (error) {
    if (error instanceof HostNotFoundError) return false;
    throw error;
  }
}
