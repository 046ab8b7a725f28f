// `uiahost service …` and `uiahost autostart …`: native work is done by the service's own bundle, which answers in JSON.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import type { Autostart, ServiceState, ServiceStatus } from '../contract/process/service-status.ts';
import { adding, type Answer, type CliContext } from './flags.ts';
import { FailedError, printable, table } from './output.ts';
import { askNative, packageFolder } from './start.ts';

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

const STATES: Readonly<Record<ServiceState, string>> = {
  not_installed: 'not installed',
  stopped: 'stopped',
  start_pending: 'starting',
  running: 'running',
  stop_pending: 'stopping',
  paused: 'paused',
};

function describeStatus({ state, pid, start, program, sessions, link, events, problems }: ServiceStatus): string {
  const lines = [
    `service  ${STATES[state]}${pid === null ? '' : ` (process ${pid})`}${start === null ? '' : `, start: ${start}`}`,
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
  revoked: `No agent can act on this machine: its policy has Level disabled, Fleet 0 and no tokens, and no host runs.
Keep the data directories of its users. The tokens made so far have ended; once you delete the value Level, hosts make new ones.`,
};

/** service install, uninstall, start, stop, revoke, status, run; autostart. */
export function addServiceCommands(program: Command, context: CliContext): void {
  const service = program
    .command('service')
    .description('the Windows service that starts a host for each signed-in user')
    .helpGroup('Host:')
    .addHelpText(
      'after',
      '\ninstall, uninstall, start, stop and revoke need a terminal opened with "Run as administrator".',
    );

  const add = adding(service, context);
  const change = (name: string, description: string): Command =>
    add(name, async (flags: { allowWritable?: boolean }): Promise<Answer> => {
      const words = [name, ...(flags.allowWritable === true ? ['--allow-writable'] : [])];
      const answer = await ask<ServiceStatus & { readonly outcome?: string }>(words);
      const notes = (answer.problems ?? []).map((problem) => `Note: ${problem}`).join('\n');
      return { value: answer, text: DONE[answer.outcome ?? ''] ?? 'Done.', note: notes === '' ? undefined : notes };
    }).description(description);
  change('install', 'register the service: automatic start, restart on failure').option(
    '--allow-writable',
    'even if users who are not administrators can replace its files',
  );
  change('uninstall', 'stop and remove the service');
  change('start', 'start the service, and wait until it runs');
  change('stop', 'end every host in order, and stop the service');
  change(
    'revoke',
    'let no agent act on this machine: level disabled, no host, no job of a fleet, no token of the policy',
  );

  add('status', async (): Promise<Answer> => {
    const answer = await ask<ServiceStatus>(['status']);
    return { value: answer, text: describeStatus(answer) };
  }).description('show the service, the host of each session, and the last events');

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
  ] as const)
    adding(autostart, context)(name, async (): Promise<Answer> => {
      const answer = await ask<Autostart>(['autostart', name]);
      return { value: answer, text: printable(describeAutostart(answer)) };
    }).description(description);
}
