// `uiahost start`, `stop-host`, `status`, `stop` and `resume`.
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import type { UiaHostClient } from '../client/client.ts';
import { HostNotFoundError } from '../client/errors.ts';
import { HOST_SETTINGS, passedSettings, SETTINGS } from '../contract/process/settings.ts';
import { addRouteCommand, CLI_SESSION, globalsOf, type CliContext } from './flags.ts';
import { describeFindings } from './doctor.ts';
import { FailedError, printable } from './output.ts';
import { settingNotes, startHost } from './start.ts';

type Status = Awaited<ReturnType<UiaHostClient['status']>>;
type OpenSessions = Awaited<ReturnType<UiaHostClient['listOpenSessions']>>['sessions'];

/** Who works here: the session, its client's name, its window, and the cards that wait. */
const describeSessions = (sessions: OpenSessions): string[] =>
  sessions.map(({ session, client, window, waiting, isPaused }, at) =>
    [
      `${at === 0 ? 'sessions' : '        '} ${session}`,
      ...(client === null ? [] : [client]),
      window === null ? 'no window' : `${window.title} (hwnd ${window.hwnd}, process ${window.pid})`,
      ...(waiting.length === 0 ? [] : [`waits for ${waiting.join(', ')}`]),
      ...(isPaused ? ['paused'] : []),
    ].join('; '),
  );

/** None where the operator's token cannot be read: an agent's sees no other agents. */
const sessionsOf = (connection: UiaHostClient): Promise<OpenSessions> =>
  connection.listOpenSessions().then(
    ({ sessions }) => sessions,
    () => [],
  );

function describeStatus(status: Status, url: string, sessions: OpenSessions): string {
  const { binding, worker } = status;
  const further = worker.further ?? [];
  const restarts = [worker, ...further].reduce((sum, each) => sum + each.restarts, 0);
  return printable(
    [
      `uiahost ${status.version} at ${url}`,
      `level    ${status.level}${status.stopped === true ? ', STOPPED (uiahost resume)' : ''}`,
      `window   ${binding.bound ? `${binding.title ?? ''} (hwnd ${binding.hwnd ?? '?'}, process ${binding.pid ?? '?'})` : 'none bound'}`,
      `worker   ${worker.state}${further.length > 0 ? `, ${further.length} further for other programs` : ''}${restarts > 0 ? `, restarted ${restarts} times` : ''}`,
      ...describeSessions(sessions),
      ...(status.doctor.length > 0 ? [describeFindings(status.doctor)] : []),
    ].join('\n'),
  );
}

/** How long a host may take to end: it cancels what runs and closes its audit. */
const ENDS_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 100;

const answers = (connection: UiaHostClient): Promise<boolean> =>
  connection.request('GET', '/healthz', { scope: 'none', timeoutMs: 2000 }).then(
    () => true,
    () => false,
  );

/** Errors: FailedError where it still answers after its time. */
async function awaitEnd(connection: UiaHostClient): Promise<void> {
  for (const until = Date.now() + ENDS_WITHIN_MS; Date.now() < until; await setTimeout(LOOK_EVERY_MS))
    if (!(await answers(connection))) return;
  throw new FailedError(
    `The host at ${connection.url.origin} was asked to end and still answers after ${ENDS_WITHIN_MS / 1000} seconds.`,
    'Look into its log (logs/host.log in its data directory), or end its process.',
  );
}

/** Ends the host. Where none runs, it reports that, and nothing is wrong. */
function addStopHost(program: Command, context: CliContext): void {
  program
    .command('stop-host')
    .description('end the host that runs in the background; “stop” only blocks input')
    .helpGroup('Host:')
    .addHelpText(
      'after',
      '\nActions under way are cancelled, open cards count as denied, and what is held is released. Where no host runs, nothing is\ndone. An MCP client’s next call starts a host again. A host of the Windows service is ended by: uiahost service stop',
    )
    .action(async (_flags: unknown, command: Command) => {
      const { json } = globalsOf(command);
      let connection: UiaHostClient;
      try {
        connection = await context.connect();
      } catch (error) {
        if (!(error instanceof HostNotFoundError) || error.isPlaceTaken) throw error;
        context.output.out(json ? JSON.stringify({ wasRunning: false }) : `Nothing to end. ${error.message}`);
        return;
      }
      await connection.endHost();
      await awaitEnd(connection);
      context.output.out(
        json
          ? JSON.stringify({ wasRunning: true })
          : `The host at ${connection.url.origin} has ended. Start one with: uiahost start`,
      );
    });
}

/** start, stop-host, status, stop, resume. */
export function addHostCommands(program: Command, context: CliContext): void {
  const { output, env } = context;
  const group = 'Host:';

  program
    .command('start')
    .description('start the host in the background unless it is running')
    .helpGroup(group)
    .addHelpText(
      'after',
      `\nEnvironment variables passed to the host:\n${HOST_SETTINGS.filter((name) =>
        passedSettings('typed').includes(name),
      )
        .map((name) => `  ${name.padEnd(23)} ${SETTINGS[name].help.replaceAll('`', '')}`)
        .join('\n')}`,
    )
    .action(async () => {
      const { host, wasRunning } = await startHost(env, 'typed');
      for (const note of settingNotes(env, 'typed', wasRunning)) output.err(`Note: ${note}`);
      output.out(
        `uiahost ${host.version} ${wasRunning ? 'is already running' : 'is running'} at ${host.url} (process ${host.pid})`,
      );
    });

  addStopHost(program, context);

  addRouteCommand(program, context, {
    usage: 'status',
    about: 'show level, bound window, worker, who works here, and problems',
    ask: ({ host, session = CLI_SESSION }) => host.status({ session }),
    show: async (status, { host }) => describeStatus(status, host.url.origin, await sessionsOf(host)),
  }).helpGroup(group);
  addRouteCommand(program, context, {
    usage: 'stop',
    about: 'emergency stop: block input, release held keys and buttons, end sessions',
    ask: ({ host }) => host.stop(),
    show: ({ sessionsAborted }) =>
      `Stopped; ${sessionsAborted ?? 0} sessions were aborted. Resume with: uiahost resume`,
  }).helpGroup(group);
  addRouteCommand(program, context, {
    usage: 'resume',
    about: 'release the emergency stop',
    ask: ({ host }) => host.resume(),
    show: () => 'Running again.',
  }).helpGroup(group);
}
