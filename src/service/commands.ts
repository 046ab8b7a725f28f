/** `uiahost service …` and `uiahost autostart …`: what each does, and the JSON that it answers. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { badInput, UiaHostError } from '../contract/errors.ts';
import { LINK_SESSION, SERVICE_NAME } from '../contract/process/service-channel.ts';
import type { ServiceFacts, ServiceStatus } from '../contract/process/service-status.ts';
import { machineFolder, openFleetFolders } from '../win32/services/machine-folder.ts';
import {
  keepNodeAsItIs,
  logonCommand,
  registerEventSource,
  removeEventSource,
  removeLogonCommand,
  setLogonCommand,
  awaitStop,
  installService,
  removeService,
  serviceFacts,
  startService,
  stopService,
} from '../win32/services/service-manager.ts';
import { commandLineOf } from '../win32/services/session-process.ts';
import { whyNotOwnFiles, whyNotOwnProgram } from '../win32/system/trust.ts';
import { readRecord } from './service-record.ts';

/** Files of this installation. */
export interface ServiceFiles {
  /** The program that runs the bundles: uiahost.exe, or a Node. */
  readonly node: string;
  readonly service: string;
  readonly host: string;
  /** The fleet's link. */
  readonly link: string;
  readonly command: string;
}

type MachinePolicy = { hostScope(): { why: string | null }; forbidAll(): void };

const DESCRIPTION =
  'Starts uiahost in the sessions of signed-in users, so that agents can operate the window a person bound. It has no window and no port of its own.';

/** What the service manager starts. */
const serviceCommandLine = ({ node, service }: ServiceFiles): string => commandLineOf([node, service, 'run']);
/** What runs when the user signs in. */
const logonCommandLine = ({ node, command }: ServiceFiles): string => commandLineOf([node, command, 'start']);

/** Errors: invalid_argument for an unknown word; those of the service manager and the registry. */
export async function carryOut(
  word: string,
  rest: readonly string[],
  files: ServiceFiles,
  policy: () => Promise<MachinePolicy>,
): Promise<unknown> {
  switch (word) {
    case 'install':
      return install(files, rest.includes('--allow-writable'));
    case 'uninstall':
      return uninstall();
    case 'start':
      return { outcome: await startService(SERVICE_NAME), ...status(files) };
    case 'stop':
      return { outcome: await stopService(SERVICE_NAME), ...status(files) };
    case 'status':
      return withPolicy(status(files), (await policy()).hostScope().why);
    case 'revoke':
      return revoke(files, await policy());
    case 'fleet':
      return openFleetFolders();
    case 'autostart':
      return autostart(rest[0] ?? 'status', files);
    default:
      throw badInput(`Unknown word ${JSON.stringify(word)}.`, {
        hint: 'See uiahost service --help.',
      });
  }
}

/** Answers once no host and no link runs: they have ten seconds to end. Errors: permission_denied, deadline_exceeded. */
async function revoke(files: ServiceFiles, { forbidAll }: MachinePolicy): Promise<unknown> {
  forbidAll();
  for (const until = Date.now() + 20_000; ; await setTimeout(200)) {
    const now = status(files);
    const left = [...now.sessions, now.link].filter((each) => each !== undefined && each.pid !== null);
    if (left.length === 0) return { outcome: 'revoked', ...now };
    const why = `Agents can do nothing any more, but ${left.length} processes run. \`uiahost service stop\` ends them.`;
    if (Date.now() > until) throw new UiaHostError('deadline_exceeded', why);
  }
}

/** What is next to the program, which loads a DLL from there, and all that the service and its hosts load. */
const neighbours = ({ node, service }: ServiceFiles): string[] => [
  ...readdirSync(dirname(node)).map((name) => join(dirname(node), name)),
  ...readdirSync(dirname(service), { recursive: true, encoding: 'utf8' }).map((name) => join(dirname(service), name)),
];

/** The first file of the installation that an account other than the administrators' and the installing one can replace. */
const whyNotSafe = (files: ServiceFiles): string | null =>
  whyNotOwnProgram(files.node) ??
  whyNotOwnProgram(files.service) ??
  whyNotOwnProgram(files.host) ??
  whyNotOwnProgram(files.link) ??
  whyNotOwnFiles(neighbours(files));

async function install(files: ServiceFiles, isWritableAllowed: boolean): Promise<unknown> {
  // The service runs with the system's rights: a user who can replace its files would get them.
  const why = whyNotSafe(files);
  if (why !== null && !isWritableAllowed)
    throw new UiaHostError(
      'permission_denied',
      `The service was not installed: it would run with the system’s rights, and its files are not protected. ${why}.`,
      {
        hint: `Put uiahost in a folder that only administrators can change, such as Program Files (the MSI does), or accept the risk with --allow-writable. The folder is ${dirname(files.service)}.`,
      },
    );
  const outcome = installService({
    name: SERVICE_NAME,
    displayName: 'uiahost',
    description: DESCRIPTION,
    commandLine: serviceCommandLine(files),
  });
  registerEventSource(SERVICE_NAME);
  keepNodeAsItIs(SERVICE_NAME);
  // It is started next, by the installer or by the administrator, and a service that is stopping cannot be started.
  await awaitServiceStop();
  return { outcome, ...status(files) };
}

/** Waits until the service has stopped, if it is stopping. Errors: deadline_exceeded. */
export const awaitServiceStop = (): Promise<void> => awaitStop(SERVICE_NAME);

async function uninstall(): Promise<unknown> {
  const outcome = await removeService(SERVICE_NAME);
  removeEventSource(SERVICE_NAME);
  return { outcome };
}

function status(files: ServiceFiles): ServiceStatus {
  const facts = serviceFacts(SERVICE_NAME);
  const folder = machineFolder();
  const record = folder === null ? null : readRecord(join(folder, 'service'));
  // The record of a service that was killed names hosts that may have ended since.
  const isCurrent = facts.pid !== null && record?.pid === facts.pid;
  const link = isCurrent ? record.sessions.find(({ session }) => session === LINK_SESSION) : undefined;
  return {
    ...facts,
    sessions: isCurrent ? record.sessions.filter(({ session }) => session !== LINK_SESSION) : [],
    ...(link === undefined ? {} : { link }),
    events: record?.events ?? [],
    problems: facts.state === 'not_installed' ? [] : problemsOf(facts, files),
  };
}

/** A policy that is not valid is a problem of the service: it starts no host. */
const withPolicy = (answer: ServiceStatus, why: string | null): ServiceStatus =>
  why === null
    ? answer
    : { ...answer, problems: [...answer.problems, `The machine's policy is not valid, so no host is started: ${why}`] };

function problemsOf({ program, account, start }: ServiceFacts, files: ServiceFiles): string[] {
  const expected = serviceCommandLine(files);
  return [
    ...(program !== null && !program.startsWith('"')
      ? [
          'The path of the program is not in quotation marks: Windows may start another one. Run: uiahost service install',
        ]
      : []),
    ...(program !== null && program.startsWith('"') && program.toLowerCase() !== expected.toLowerCase()
      ? [`The service starts another installation: ${program}`]
      : []),
    ...(account !== null && account.toLowerCase() !== 'localsystem'
      ? [`The service runs as ${account}; only LocalSystem may start hosts in users' sessions.`]
      : []),
    ...(start === 'disabled' ? ['The service is disabled. Enable it: sc config uiahost start= auto'] : []),
  ];
}

function autostart(word: string, files: ServiceFiles): unknown {
  const hasService = serviceFacts(SERVICE_NAME).state !== 'not_installed';
  switch (word) {
    case 'on':
      if (hasService)
        throw new UiaHostError(
          'state_conflict',
          'The service uiahost is installed and starts the host when a user signs in. Nothing was changed.',
          { hint: '`uiahost service status` shows the host of each session.' },
        );
      setLogonCommand(SERVICE_NAME, logonCommandLine(files));
      break;
    case 'off':
      removeLogonCommand(SERVICE_NAME);
      break;
    case 'status':
      break;
    default:
      throw badInput(`Unknown word ${JSON.stringify(word)}; it must be on, off or status.`);
  }
  const command = logonCommand(SERVICE_NAME);
  return { autostart: command !== null, command, service: hasService };
}
