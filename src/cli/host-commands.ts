// `uiahost start`, `stop-host`, `status`, `stop` and `resume`; `open` and `inspect`, which show its page by a one-time link.
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { showInBrowser } from '../base/browser.ts';
import type { UiaHostClient } from '../client/client.ts';
import { HostNotFoundError } from '../client/errors.ts';
import { HOST_SETTINGS, passedSettings, SETTINGS } from '../contract/process/settings.ts';
import { adding, addRouteCommand, CLI_SESSION, globalsOf, type Answer, type CliContext } from './flags.ts';
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
  const end = async (): Promise<Answer> => {
    let connection: UiaHostClient;
    try {
      connection = await context.connect();
    } catch (error) {
      if (!(error instanceof HostNotFoundError) || error.isPlaceTaken) throw error;
      return { value: { wasRunning: false }, text: `Nothing to end. ${error.message}` };
    }
    await connection.endHost();
    await awaitEnd(connection);
    const text = `The host at ${connection.url.origin} has ended. Start one with: uiahost start`;
    return { value: { wasRunning: true }, text };
  };
  adding(program, context)('stop-host', end)
    .description('end the host that runs in the background; “stop” only blocks input')
    .helpGroup('Host:')
    .addHelpText(
      'after',
      '\nActions under way are cancelled, open cards count as denied, and what is held is released. Where no host runs, nothing is\ndone. An MCP client’s next call starts a host again. A host of the Windows service is ended by: uiahost service stop',
    );
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

interface OpenFlags {
  readonly print?: boolean;
  readonly viewer?: boolean;
}

/** A program that reads a printed link gets a page that can only look, never another one. */
const isPersonThere = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

async function openPage(
  context: CliContext,
  command: Command,
  flags: OpenFlags,
  place: Readonly<Record<string, string>>,
) {
  const connection = await context.connect();
  const isViewer = flags.viewer === true || (flags.print === true && !isPersonThere());
  const { code, expiresAt } = JSON.parse(
    await connection.text('POST', '/v1/page/codes', {
      scope: 'operator',
      body: { scope: isViewer ? 'viewer' : 'operator' },
    }),
  ) as { code: string; expiresAt: string };
  const link = new URL(`/#${new URLSearchParams({ ...place, code }).toString()}`, connection.url).href;
  const { json } = globalsOf(command);
  const isShown = flags.print !== true && (await showInBrowser(link));
  if (!isShown && !isViewer && !isPersonThere())
    throw new FailedError('No browser could be started, and the link is printed for a person at a terminal alone.');
  if (json)
    context.output.out(
      JSON.stringify({ link: isShown ? null : link, scope: isViewer ? 'viewer' : 'operator', expiresAt }),
    );
  else if (isShown) context.output.out('The page is opening in your browser.');
  else {
    if (flags.print !== true)
      context.output.err('No browser could be started. Open this link within a minute; it works once:');
    context.output.out(printable(link));
    if (isViewer && flags.viewer !== true)
      context.output.err('Note: no person is at this terminal, so the page of this link can only look.');
  }
}

export function addPageCommands(program: Command, context: CliContext): void {
  const group = 'A person in control:';
  program
    .command('open')
    .description('open the page on which you watch, stop, inspect and answer')
    .helpGroup(group)
    .option('--print', 'print the one-time link instead of opening a browser')
    .option('--viewer', 'a page that can only look')
    .addHelpText(
      'after',
      '\nThe link works once, within a minute. The page needs no other program and reaches no other computer.',
    )
    .action((flags: OpenFlags, command: Command) => openPage(context, command, flags, {}));
  program
    .command('inspect')
    .description('open the page at its inspector: point at an element, copy the query that finds it')
    .helpGroup(group)
    .option('--hwnd <hwnd>', 'the window to inspect; `list-visible-windows` lists them')
    .option('--print', 'print the one-time link instead of opening a browser')
    .action((flags: OpenFlags & { hwnd?: string }, command: Command) =>
      openPage(context, command, flags, {
        view: 'inspector',
        ...(flags.hwnd === undefined ? {} : { hwnd: flags.hwnd }),
      }),
    );
}
