/** What the service and the logon task have in the registry: the event source, and the user's Run key. */
import { HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE } from '../../../native-bindings/win32/constants.ts';
import { RegistryKey, removeRegistryKey, removeRegistryValue, setRegistryValue } from '../system/registry.ts';

/** Source: learn.microsoft.com/windows/win32/eventlog/event-sources */
const EVENT_SOURCES = 'SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application';
/** A program of Windows whose messages 1 to 1000 are the event's own text. */
const MESSAGE_FILE = '%SystemRoot%\\System32\\EventCreate.exe';
const ALL_TYPES = 7;
/** Source: learn.microsoft.com/windows/win32/setupapi/run-and-runonce-registry-keys */
const RUN = 'Software\\Microsoft\\Windows\\CurrentVersion\\Run';

export function registerEventSource(source: string): void {
  setRegistryValue(HKEY_LOCAL_MACHINE, `${EVENT_SOURCES}\\${source}`, 'EventMessageFile', MESSAGE_FILE, true);
  setRegistryValue(HKEY_LOCAL_MACHINE, `${EVENT_SOURCES}\\${source}`, 'TypesSupported', ALL_TYPES);
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
    HKEY_LOCAL_MACHINE,
    `${SERVICES}\\${service}`,
    'Environment',
    NODE_VARIABLES.map((name) => `${name}=`),
  );

export const removeEventSource = (source: string): void =>
  removeRegistryKey(HKEY_LOCAL_MACHINE, `${EVENT_SOURCES}\\${source}`);

/** The command that runs when the user signs in; null if there is none. */
export function logonCommand(name: string): string | null {
  using key = RegistryKey.open(HKEY_CURRENT_USER, RUN);
  return key?.text(name) ?? null;
}

export const setLogonCommand = (name: string, commandLine: string): void =>
  setRegistryValue(HKEY_CURRENT_USER, RUN, name, commandLine);

export const removeLogonCommand = (name: string): void => removeRegistryValue(HKEY_CURRENT_USER, RUN, name);
