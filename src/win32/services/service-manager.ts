/**
 * Services as their manager knows them: registered, started, stopped, described. Every change is safe to repeat.
 * Source: learn.microsoft.com/windows/win32/services/service-configuration-programs
 */
import { setTimeout as wait } from 'node:timers/promises';
import { addressOf, readString16 } from '../../../native-bindings/library.ts';
import { advapi32 } from '../../../native-bindings/win32/advapi32.ts';
import * as m from '../../../native-bindings/win32/constants.ts';
import { kernel32 } from '../../../native-bindings/win32/kernel32.ts';
import {
  QUERY_SERVICE_CONFIGW,
  SC_ACTION,
  SERVICE_DESCRIPTIONW,
  SERVICE_FAILURE_ACTIONSW,
  SERVICE_PRESHUTDOWN_INFO,
  SERVICE_STATUS,
  SERVICE_STATUS_PROCESS,
} from '../../../native-bindings/win32/structs.ts';
import type { ServiceFacts, ServiceState } from '../../contract/process/service-status.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { RegistryKey, removeRegistryKey, removeRegistryValue, setRegistryValue } from '../system/registry.ts';
import { withDescriptor } from '../system/given.ts';

export interface ServiceDefinition {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** Program and arguments, each in quotation marks. */
  readonly commandLine: string;
}

/**
 * The system and administrators control the service, signed-in users and services may look at it. No other account can stop it or
 * change what it starts. Source: learn.microsoft.com/windows/win32/services/service-security-and-access-rights
 */
export const SERVICE_SDDL =
  'D:(A;;CCLCSWRPWPDTLOCRRC;;;SY)(A;;CCDCLCSWRPWPDTLOCRSDRCWDWO;;;BA)(A;;CCLCSWLOCRRC;;;IU)(A;;CCLCSWLOCRRC;;;SU)';

/** A service that died is started again after 1, 5 and each time 60 seconds; a day without a failure starts over. */
const RESTART_AFTER_MS = [1000, 5000, 60_000];
const FORGET_AFTER_S = 86_400;
/** Hosts get ten seconds to end in order; Windows waits this long for it when it shuts down. */
const PRESHUTDOWN_MS = 20_000;
const STATE_WITHIN_MS = 30_000;
const POLL_MS = 50;

const STATES: Readonly<Record<number, ServiceState>> = {
  [m.SERVICE_STOPPED]: 'stopped',
  [m.SERVICE_START_PENDING]: 'start_pending',
  [m.SERVICE_STOP_PENDING]: 'stop_pending',
  [m.SERVICE_RUNNING]: 'running',
  [m.SERVICE_PAUSED]: 'paused',
};
const STARTS: Readonly<Record<number, ServiceFacts['start']>> = {
  [m.SERVICE_AUTO_START]: 'auto',
  [m.SERVICE_DEMAND_START]: 'demand',
  [m.SERVICE_DISABLED]: 'disabled',
};

/** A Windows error as ours: what could not be done, the state now, what to try. */
function refused(what: string, error = kernel32.GetLastError()): UiaHostError {
  const unchanged = 'Nothing was changed.';
  switch (error) {
    case m.ERROR_ACCESS_DENIED:
      return new UiaHostError('permission_denied', `Only an administrator can ${what}. ${unchanged}`, {
        hint: 'Run the command in a terminal that was opened with "Run as administrator".',
      });
    case m.ERROR_SERVICE_DOES_NOT_EXIST:
      return new UiaHostError('not_found', `The service is not installed, so it was not possible to ${what}.`, {
        hint: 'Install it with `uiahost service install`.',
      });
    case m.ERROR_SERVICE_MARKED_FOR_DELETE:
      return new UiaHostError('state_conflict', `The service is being removed; Windows did not ${what}. ${unchanged}`, {
        hint: 'Close the Services console and other programs that show the service, then try again.',
      });
    case m.ERROR_SERVICE_DISABLED:
      return new UiaHostError('state_conflict', `The service is disabled; Windows did not ${what}.`, {
        hint: 'Enable it with `sc config uiahost start= auto`.',
      });
    default:
      return new UiaHostError('internal', `Windows did not ${what} (Windows error ${error}).`, {
        hint: `Look the number up: net helpmsg ${error}`,
      });
  }
}

/** The service manager or a service, open; closed when it goes out of scope. Errors: as `refused`, for a handle of 0. */
class Opened implements Disposable {
  readonly handle: number;

  constructor(handle: number, what: string) {
    if (handle === 0) throw refused(what);
    this.handle = handle;
  }

  static manager(access: number, what: string): Opened {
    return new Opened(advapi32.OpenSCManagerW(null, null, access), what);
  }

  /** Null if it is not installed. */
  static service(manager: Opened, name: string, access: number, what: string): Opened | null {
    const service = advapi32.OpenServiceW(manager.handle, name, access);
    const isMissing = service === 0 && kernel32.GetLastError() === m.ERROR_SERVICE_DOES_NOT_EXIST;
    return isMissing ? null : new Opened(service, what);
  }

  [Symbol.dispose](): void {
    advapi32.CloseServiceHandle(this.handle);
  }
}

/** Runs `work` with the service's handle; null if it is not installed. Errors: permission_denied. */
function withService<T>(name: string, access: number, what: string, work: (service: number) => T): T | null {
  using manager = Opened.manager(m.SC_MANAGER_CONNECT, what);
  using service = Opened.service(manager, name, access, what);
  return service === null ? null : work(service.handle);
}

function statusOf(service: number): { state: ServiceState; pid: number; failure: number } {
  const memory = SERVICE_STATUS_PROCESS.alloc();
  if (!advapi32.QueryServiceStatusEx(service, m.SC_STATUS_PROCESS_INFO, memory, memory.length, Buffer.alloc(4)))
    throw refused('read the state of the service');
  const { dwCurrentState, dwProcessId, dwWin32ExitCode } = SERVICE_STATUS_PROCESS.read(memory);
  return { state: STATES[dwCurrentState] ?? 'stopped', pid: dwProcessId, failure: dwWin32ExitCode };
}

function configurationOf(service: number): Pick<ServiceFacts, 'program' | 'account' | 'start'> {
  const memory = Buffer.alloc(8192);
  if (!advapi32.QueryServiceConfigW(service, memory, memory.length, Buffer.alloc(4)))
    return { program: null, account: null, start: null };
  const { dwStartType, lpBinaryPathName, lpServiceStartName } = QUERY_SERVICE_CONFIGW.read(memory);
  const text = (address: bigint): string | null => (address === 0n ? null : readString16(address));
  return {
    program: text(lpBinaryPathName),
    account: text(lpServiceStartName),
    start: STARTS[dwStartType] ?? 'other',
  };
}

/** Any user may ask. */
export function serviceFacts(name: string): ServiceFacts {
  const found = withService(name, m.SERVICE_QUERY_STATUS | m.SERVICE_QUERY_CONFIG, 'look at the service', (service) => {
    const { state, pid } = statusOf(service);
    return { state, pid: pid === 0 ? null : pid, ...configurationOf(service) };
  });
  return found ?? { state: 'not_installed', pid: null, program: null, account: null, start: null };
}

/** Sets what CreateServiceW does not: description, restart on failure, time to stop at shutdown, who may control it. */
function configure(service: number, { description }: ServiceDefinition): void {
  const text = Buffer.from(`${description}\0`, 'utf16le');
  const actions = Buffer.concat(RESTART_AFTER_MS.map((Delay) => SC_ACTION.alloc({ Type: m.SC_ACTION_RESTART, Delay })));
  const settings: Array<[level: number, info: Buffer]> = [
    [m.SERVICE_CONFIG_DESCRIPTION, SERVICE_DESCRIPTIONW.alloc({ lpDescription: addressOf(text) })],
    [
      m.SERVICE_CONFIG_FAILURE_ACTIONS,
      SERVICE_FAILURE_ACTIONSW.alloc({
        dwResetPeriod: FORGET_AFTER_S,
        cActions: RESTART_AFTER_MS.length,
        lpsaActions: addressOf(actions),
      }),
    ],
    [m.SERVICE_CONFIG_PRESHUTDOWN_INFO, SERVICE_PRESHUTDOWN_INFO.alloc({ dwPreshutdownTimeout: PRESHUTDOWN_MS })],
  ];
  for (const [level, info] of settings)
    if (!advapi32.ChangeServiceConfig2W(service, level, info)) throw refused('configure the service');
  // Read here so that neither is collected before the calls return.
  if (text.length + actions.length === 0) return;
  const failed = (): UiaHostError => refused('restrict the service to administrators');
  withDescriptor(SERVICE_SDDL, failed, (descriptor) => {
    if (!advapi32.SetServiceObjectSecurity(service, m.DACL_SECURITY_INFORMATION, descriptor)) throw failed();
  });
}

/** Registers the service, or brings a registered one to this definition. Errors: permission_denied, state_conflict. */
export function installService(definition: ServiceDefinition): 'installed' | 'updated' | 'unchanged' {
  const { name, displayName, commandLine } = definition;
  const what = 'install the service';
  using manager = Opened.manager(m.SC_MANAGER_CONNECT | m.SC_MANAGER_CREATE_SERVICE, what);
  using present = Opened.service(manager, name, m.SERVICE_ALL_ACCESS, what);
  if (present !== null) {
    const { program, start } = configurationOf(present.handle);
    const isChanged = program !== commandLine || start !== 'auto';
    if (
      isChanged &&
      !advapi32.ChangeServiceConfigW(
        present.handle,
        m.SERVICE_WIN32_OWN_PROCESS,
        m.SERVICE_AUTO_START,
        m.SERVICE_ERROR_NORMAL,
        commandLine,
        null,
        null,
        null,
        'LocalSystem',
        '',
        displayName,
      )
    )
      throw refused(what);
    configure(present.handle, definition);
    return isChanged ? 'updated' : 'unchanged';
  }
  const made = advapi32.CreateServiceW(
    manager.handle,
    name,
    displayName,
    m.SERVICE_ALL_ACCESS,
    m.SERVICE_WIN32_OWN_PROCESS,
    m.SERVICE_AUTO_START,
    m.SERVICE_ERROR_NORMAL,
    commandLine,
    null,
    null,
    null,
    null,
    null,
  );
  using service = new Opened(made, what);
  try {
    configure(service.handle, definition);
  } catch (failure) {
    advapi32.DeleteService(service.handle);
    throw failure;
  }
  return 'installed';
}

/** Waits until the service has this state. Errors: state_conflict when it ends up in another. */
async function reach(name: string, wanted: ServiceState, passing: ServiceState): Promise<ServiceFacts> {
  for (const until = Date.now() + STATE_WITHIN_MS; ; await wait(POLL_MS)) {
    const facts = serviceFacts(name);
    if (facts.state === wanted) return facts;
    if (facts.state !== passing && facts.state !== (wanted === 'stopped' ? 'running' : 'start_pending'))
      throw new UiaHostError('state_conflict', `The service did not become ${wanted}; it is ${facts.state} now.`, {
        hint: 'See its last events: uiahost service status, or the Windows event log (Application, source uiahost).',
      });
    if (Date.now() > until)
      throw new UiaHostError(
        'deadline_exceeded',
        `The service is still ${facts.state} after ${STATE_WITHIN_MS / 1000} seconds.`,
        { hint: '`uiahost service status` shows whether it continues.' },
      );
  }
}

/** Starts it and waits until it runs. Errors: not_found, permission_denied, state_conflict, deadline_exceeded. */
export async function startService(name: string): Promise<'started' | 'unchanged'> {
  const what = 'start the service';
  const result = withService(name, m.SERVICE_START | m.SERVICE_QUERY_STATUS, what, (service) => {
    if (advapi32.StartServiceW(service, 0, null)) return 'started' as const;
    const error = kernel32.GetLastError();
    if (error === m.ERROR_SERVICE_ALREADY_RUNNING) return 'unchanged' as const;
    throw refused(what, error);
  });
  if (result === null) throw refused(what, m.ERROR_SERVICE_DOES_NOT_EXIST);
  await reach(name, 'running', 'start_pending');
  return result;
}

/** Stops it and waits until it has stopped. Errors: not_found, permission_denied, state_conflict, deadline_exceeded. */
export async function stopService(name: string): Promise<'stopped' | 'unchanged'> {
  const what = 'stop the service';
  const result = withService(name, m.SERVICE_STOP | m.SERVICE_QUERY_STATUS, what, (service) => {
    const { state } = statusOf(service);
    if (state === 'stopped') return 'unchanged' as const;
    if (state === 'stop_pending' || advapi32.ControlService(service, m.SERVICE_CONTROL_STOP, SERVICE_STATUS.alloc()))
      return 'stopped' as const;
    const error = kernel32.GetLastError();
    if (error === m.ERROR_SERVICE_NOT_ACTIVE) return 'unchanged' as const;
    throw refused(what, error);
  });
  if (result === null) throw refused(what, m.ERROR_SERVICE_DOES_NOT_EXIST);
  await reach(name, 'stopped', 'stop_pending');
  return result;
}

/** Waits until a service that is stopping has stopped; leaves any other alone. Errors: deadline_exceeded. */
export async function awaitStop(name: string): Promise<void> {
  if (serviceFacts(name).state === 'stop_pending') await reach(name, 'stopped', 'stop_pending');
}

/** Stops and removes it. Errors: permission_denied, state_conflict, deadline_exceeded. */
export async function removeService(name: string): Promise<'removed' | 'unchanged'> {
  const what = 'remove the service';
  // Opened with every right first: without them nothing is stopped either.
  if (withService(name, m.SERVICE_ALL_ACCESS, what, () => true) === null) return 'unchanged';
  await stopService(name);
  const isRemoved = withService(name, m.SERVICE_ALL_ACCESS, what, (service) => {
    if (advapi32.DeleteService(service)) return true;
    const error = kernel32.GetLastError();
    if (error === m.ERROR_SERVICE_MARKED_FOR_DELETE) return true;
    throw refused(what, error);
  });
  return isRemoved === null ? 'unchanged' : 'removed';
}

// What the service and the logon task have in the registry: the event source, and the user's Run key.

/** Source: learn.microsoft.com/windows/win32/eventlog/event-sources */
const EVENT_SOURCES = 'SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application';
/** A program of Windows whose messages 1 to 1000 are the event's own text. */
const MESSAGE_FILE = '%SystemRoot%\\System32\\EventCreate.exe';
const ALL_TYPES = 7;
/** Source: learn.microsoft.com/windows/win32/setupapi/run-and-runonce-registry-keys */
const RUN = 'Software\\Microsoft\\Windows\\CurrentVersion\\Run';

export function registerEventSource(source: string): void {
  setRegistryValue(m.HKEY_LOCAL_MACHINE, `${EVENT_SOURCES}\\${source}`, 'EventMessageFile', MESSAGE_FILE, true);
  setRegistryValue(m.HKEY_LOCAL_MACHINE, `${EVENT_SOURCES}\\${source}`, 'TypesSupported', ALL_TYPES);
}

/** Services and what each starts with. Source: learn.microsoft.com/windows-hardware/drivers/install/hklm-system-currentcontrolset-services-registry-tree */
const SERVICES = 'SYSTEM\\CurrentControlSet\\Services';
/** Variables by which Node loads code, or writes files, before the service's own code runs. */
const NODE_VARIABLES = [
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_V8_COVERAGE',
  'OPENSSL_CONF',
];

/**
 * Empties these variables for one service, whatever the machine's environment says: a developer's NODE_OPTIONS would run with
 * the system's rights. Windows merges a service's value `Environment` into its environment.
 */
export const keepNodeAsItIs = (service: string): void =>
  setRegistryValue(
    m.HKEY_LOCAL_MACHINE,
    `${SERVICES}\\${service}`,
    'Environment',
    NODE_VARIABLES.map((name) => `${name}=`),
  );

export const removeEventSource = (source: string): void =>
  removeRegistryKey(m.HKEY_LOCAL_MACHINE, `${EVENT_SOURCES}\\${source}`);

/** The command that runs when the user signs in; null if there is none. */
export function logonCommand(name: string): string | null {
  using key = RegistryKey.open(m.HKEY_CURRENT_USER, RUN);
  return key?.text(name) ?? null;
}

export const setLogonCommand = (name: string, commandLine: string): void =>
  setRegistryValue(m.HKEY_CURRENT_USER, RUN, name, commandLine);

export const removeLogonCommand = (name: string): void => removeRegistryValue(m.HKEY_CURRENT_USER, RUN, name);
