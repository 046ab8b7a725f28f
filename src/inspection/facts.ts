/** What `uiahost doctor` looks at on the machine itself, with or without a running host. It changes nothing. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CopyVerdict, findCopy, verifyCopy } from '../audit/copy.ts';
import { listLogFiles } from '../audit/files.ts';
import type { PolicyFlaws } from '../contract/gate/policy-sources.ts';
import type { AppControl, DoctorFinding } from '../contract/process/doctor.ts';
import type { HostFile } from '../contract/process/host-file.ts';
import { freeBytesIn, SECRET_FILES } from '../host/home/data-directory.ts';
import { diagnose } from '../host/home/doctor.ts';
import type { ServiceStatus } from '../contract/process/service-status.ts';
import { carryOut, type ServiceFiles } from '../service/commands.ts';
import { machineFolder } from '../win32/services/machine-folder.ts';
import { policyFlaws } from './policy.ts';
import { logonCommand } from '../win32/services/service-manager.ts';
import { appControl } from '../win32/system/trust.ts';
import { listenerOf, executableOf, parentProcesses, processCreated, withProcess } from '../win32/system/process.ts';
import { sessionHolder } from '../win32/system/session-lock.ts';
import { type Signature, signatureOf, whyNotAdministratorsFolder, whyUnsafe } from '../win32/system/trust.ts';
import { sessionFacts } from '../win32/windows/session-facts.ts';
import { attempt } from '../contract/attempt.ts';

export interface MachineFacts {
  readonly version: string;
  readonly node: string;
  readonly dataDirectory: string;
  /** What host.json names; null where there is none. */
  readonly host: (Pick<HostFile, 'pid' | 'port' | 'version'> & { readonly isAlive: boolean }) | null;
  /** The process that host.lock names. */
  readonly lock: { readonly pid: number; readonly isAlive: boolean } | null;
  /** Who is the host of this user session, in a sentence; null for none. */
  readonly sessionHolder: string | null;
  /** Who listens on the port that a host would take. */
  readonly port: { readonly port: number; readonly pid: number | null; readonly program: string | null };
  /** Files and folders of the user's data that others can read or change, in sentences. */
  readonly unsafe: readonly string[];
  readonly machineFolder: { readonly path: string; readonly why: string | null } | null;
  readonly policy: PolicyFlaws;
  /** Own files whose signature is not valid; only where uiahost is installed. */
  readonly signatures: ReadonlyArray<{ readonly file: string; readonly signature: Signature }>;
  readonly appControl: AppControl;
  readonly now: string;
  /** Newest time in the data directory. */
  readonly newestFile: string | null;
  readonly freeBytes: number | null;
  readonly audit: CopyVerdict | null;
  readonly service: ServiceStatus | { readonly unreadable: string };
  readonly autostart: { readonly command: string; readonly isThere: boolean } | null;
  /** Names of running programs that control the machine from elsewhere. */
  readonly remoteTools: readonly string[];
}

/** Programs that inject a remote person's input; cards ignore injected input. */
const REMOTE_TOOLS =
  /^(teamviewer(_service|_desktop)?|anydesk|rustdesk|tvnserver|winvnc4?|vncserver|screenconnect\.clientservice|logmein|splashtop.*|srserver|remoting_host|dwagent|radmin|rserver3)\.exe$/i;

function readJson<T>(file: string): Partial<T> | null {
  return attempt(() => JSON.parse(readFileSync(file, 'utf8')) as Partial<T>, null);
}

const programOf = (pid: number): string | null => withProcess(pid, executableOf);

/** Whether a process exists and still has the noted creation time, if one was noted. */
function isAlive(pid: number, created?: string): boolean {
  const now = processCreated(pid);
  return now !== null && (created === undefined || created === '' || created === now);
}

function hostOf(data: string): MachineFacts['host'] {
  const file = readJson<HostFile>(join(data, 'host.json'));
  if (file === null || typeof file.pid !== 'number') return null;
  return { pid: file.pid, port: file.port ?? 0, version: String(file.version ?? ''), isAlive: isAlive(file.pid) };
}

function lockOf(data: string): MachineFacts['lock'] {
  const file = readJson<{ pid: number; processCreated: string }>(join(data, 'host.lock'));
  if (file === null || typeof file.pid !== 'number') return null;
  return { pid: file.pid, isAlive: isAlive(file.pid, file.processCreated) };
}

/** Only where Node is part of the installation: elsewhere it is not ours. Reads those files whole. */
function signaturesOf(folder: string): MachineFacts['signatures'] {
  if (dirname(process.execPath).toLowerCase() !== folder.toLowerCase()) return [];
  const natives = join(folder, 'dist', 'node_modules');
  const files = existsSync(natives)
    ? readdirSync(natives, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.node') || name.endsWith('.dll'))
        .map((name) => join(natives, name))
    : [];
  return [process.execPath, ...files].flatMap((file) => {
    const signature = signatureOf(file);
    return signature === null || signature.state === 'valid' ? [] : [{ file, signature }];
  });
}

function newestIn(data: string): string | null {
  const directory = join(data, 'audit');
  const names = listLogFiles(directory).files.map(({ name }) => join(directory, name));
  const times = [join(data, 'host.json'), ...names].flatMap((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? [] : [found.mtimeMs];
  });
  return times.length === 0 ? null : new Date(Math.max(...times)).toISOString();
}

/** The program in a command line. */
const programIn = (commandLine: string): string =>
  /^"([^"]+)"/.exec(commandLine)?.[1] ?? commandLine.split(' ', 1)[0] ?? '';

const UNASKED = { hostScope: () => ({ why: null }), forbidAll: () => undefined };

async function serviceOf(files: ServiceFiles): Promise<MachineFacts['service']> {
  try {
    return (await carryOut('status', [], files, async () => UNASKED)) as ServiceStatus;
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}

export interface Installation {
  readonly version: string;
  /** Folder of the installation. */
  readonly folder: string;
  readonly files: ServiceFiles;
  /** The port that a host would take. */
  readonly port: number;
}

/** Looks at everything; at the audit's records only with `readsAudit`, since they may be a gigabyte. */
export async function machineFacts(
  data: string,
  installation: Installation,
  readsAudit = false,
): Promise<MachineFacts> {
  const folder = machineFolder();
  const copy = readsAudit && existsSync(data) ? findCopy(data) : null;
  const listener = listenerOf(installation.port);
  const command = logonCommand('uiahost');
  return {
    version: installation.version,
    node: process.version,
    dataDirectory: data,
    host: hostOf(data),
    lock: lockOf(data),
    sessionHolder: sessionHolder(),
    port: { port: installation.port, pid: listener, program: listener === null ? null : programOf(listener) },
    unsafe: existsSync(data) ? whyUnsafe(data, SECRET_FILES) : [],
    machineFolder:
      folder === null || !existsSync(folder) ? null : { path: folder, why: whyNotAdministratorsFolder(folder) },
    policy: policyFlaws(join(data, 'policy.json')),
    signatures: signaturesOf(installation.folder),
    appControl: appControl(),
    now: new Date().toISOString(),
    newestFile: newestIn(data),
    freeBytes: freeBytesIn(data),
    audit: copy === null ? null : await verifyCopy(copy).catch(() => null),
    service: await serviceOf(installation.files),
    autostart: command === null ? null : { command, isThere: existsSync(programIn(command)) },
    remoteTools: remoteTools(),
  };
}

function remoteTools(): string[] {
  const names = [...parentProcesses().keys()].flatMap((pid) => programOf(pid)?.split('\\').at(-1) ?? []);
  return [...new Set(names.filter((name) => REMOTE_TOOLS.test(name)))].sort();
}

/** The session of the command itself, judged as a host would judge its own: for where no host runs. */
export const sessionFindings = (): DoctorFinding[] => diagnose({ ...sessionFacts(), target: null });
