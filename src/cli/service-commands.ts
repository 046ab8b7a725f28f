// `uiahost service …` and `uiahost autostart …`: native work is done by the service's own bundle, which answers in JSON.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { globalsOf, type CliContext } from './flags.ts';
import { FailedError, printable, table } from './output.ts';
import { askNative, packageFolder } from './start.ts';

interface SessionRow {
  readonly session: number;
  readonly user: string | null;
  readonly state: string;
  readonly pid: number | null;
  readonly url: string | null;
  readonly since: string | null;
  readonly restarts: number;
  readonly why: string | null;
}

interface ServiceStatus {
  readonly outcome?: string;
  readonly state: string;
  readonly pid: number | null;
  readonly start: string | null;
  readonly program: string | null;
  readonly sessions: readonly SessionRow[];
  /** The fleet's link. */
  readonly link?: SessionRow;
  readonly events: ReadonlyArray<{ readonly time: string; readonly level: string; readonly text: string }>;
  readonly problems: readonly string[];
}

interface Autostart {
  readonly autostart: boolean;
  readonly command: string | null;
  readonly service: boolean;
}

/** The service's bundle. Errors: FailedError on systems without services, and without the bundle. */
function serviceFile(): { folder: string; file: string } {
  if (process.platform !== 'win32')
    throw new FailedError(
      'The service uiahost is a Windows service, and this is not Windows.',
      'Start a host yourself with `uiahost start`.',
    );
  const folder = packageFolder();
  const file = join(folder, 'dist', 'service.mjs');
  if (!existsSync(file))
    throw new FailedError(`This installation is not complete: ${file} is missing.`, 'Install uiahost again.');
  return { folder, file };
}

const ask = <T>(words: readonly string[]): Promise<T> => askNative<T>(serviceFile(), words);

const STATES: Readonly<Record<string, string>> = {
  not_installed: 'not installed',
  stopped: 'stopped',
  start_pending: 'starting',
  running: 'running',
  stop_pending: 'stopping',
  paused: 'paused',
};

function describeStatus({ state, pid, start, program, sessions, link, events, problems }: ServiceStatus): string {
  const lines = [
    `service  ${STATES[state] ?? state}${pid === null ? '' : ` (process ${pid})`}${start === null ? '' : `, start: ${start}`}`,
    ...(program === null ? [] : [`program  ${program}`]),
    ...(link === undefined
      ? []
      : [
          `fleet    link ${link.state}${link.pid === null ? '' : ` (process ${link.pid})`}${link.why === null ? '' : `: ${link.why}`}`,
        ]),
    ...problems.map((problem) => `problem  ${problem}`),
    ...(sessions.length === 0 ? [] : ['', table(sessions.map(({ why: _why, ...session }) => ({ ...session })))]),
    ...sessions.flatMap(({ session, why }) =>
      why === null || why === undefined ? [] : [`session ${session}  ${why}`],
    ),
    ...(events.length === 0
      ? []
      : ['', 'last events', ...events.map(({ time, level, text }) => `  ${time}  ${level}  ${text}`)]),
  ];
  return printable(lines.join('\n'));
}

function describeAutostart({ autostart, command, service }: Autostart): string {
  if (service) return 'The Windows service uiahost is installed and starts the host when a user signs in.';
  return autostart ? `On: ${command ?? ''} runs when you sign in.` : 'Off: no host starts when you sign in.';
}

const DONE: Readonly<Record<string, string>> = {
  installed: 'The service uiahost is installed. Start it: uiahost service start',
  updated: 'The service uiahost was installed already; it now starts this installation.',
  unchanged: 'Nothing to do.',
  removed: 'The service uiahost was stopped and removed. The data of users was kept.',
  started: 'The service uiahost is running.',
  stopped: 'The service uiahost has stopped.',
};

/** service install, uninstall, start, stop, status, run; autostart. */
export function addServiceCommands(program: Command, context: CliContext): void {
  const { output } = context;
  const service = program
    .command('service')
    .description('the Windows service that starts a host for each signed-in user')
    .helpGroup('Host:')
    .addHelpText('after', '\ninstall, uninstall, start and stop need a terminal opened with "Run as administrator".');

  const change = (name: string, description: string): Command =>
    service
      .command(name)
      .description(description)
      .action(async (flags: { allowWritable?: boolean }, command: Command) => {
        const words = [name, ...(flags.allowWritable === true ? ['--allow-writable'] : [])];
        const answer = await ask<ServiceStatus>(words);
        if (globalsOf(command).json) output.out(JSON.stringify(answer));
        else {
          output.out(DONE[answer.outcome ?? ''] ?? 'Done.');
          for (const problem of answer.problems ?? []) output.err(`Note: ${problem}`);
        }
      });
  change('install', 'register the service: automatic start, restart on failure').option(
    '--allow-writable',
    'even if users who are not administrators can replace its files',
  );
  change('uninstall', 'stop and remove the service');
  change('start', 'start the service, and wait until it runs');
  change('stop', 'end every host in order, and stop the service');

  service
    .command('status')
    .description('show the service, the host of each session, and the last events')
    .action(async (_flags: unknown, command: Command) => {
      const answer = await ask<ServiceStatus>(['status']);
      output.out(globalsOf(command).json ? JSON.stringify(answer) : describeStatus(answer));
    });

  service
    .command('run')
    .description('what the service manager starts; not for people')
    .action(async () => {
      const { file } = serviceFile();
      process.argv.splice(1, process.argv.length - 1, file, 'run');
      await import(pathToFileURL(file).href);
    });

  const autostart = program
    .command('autostart')
    .description('start a host when you sign in, where the service is not installed')
    .helpGroup('Host:');
  for (const [name, description] of [
    ['on', 'start a host when you sign in'],
    ['off', 'do not'],
    ['status', 'show which'],
  ] as const) {
    autostart
      .command(name)
      .description(description)
      .action(async (_flags: unknown, command: Command) => {
        const answer = await ask<Autostart>(['autostart', name]);
        output.out(globalsOf(command).json ? JSON.stringify(answer) : printable(describeAutostart(answer)));
      });
  }
}
