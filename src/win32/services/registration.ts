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
