/** What administrators set for the whole machine, in keys of HKEY_LOCAL_MACHINE that only they can write. */
import { HKEY_LOCAL_MACHINE } from '../../../native-bindings/win32/constants.ts';
import { SETTINGS, type SettingName } from '../../contract/process/settings.ts';
import { RegistryKey } from './registry.ts';

/** The MSI writes it and removes it. */
const MACHINE_KEY = 'SOFTWARE\\uiahost';

/** The port that the MSI's property PORT gave; undefined where nothing is installed. */
export function machinePort(): string | undefined {
  using key = RegistryKey.open(HKEY_LOCAL_MACHINE, MACHINE_KEY);
  return key?.text('Port') ?? undefined;
}

/** Source: learn.microsoft.com/windows/win32/procthread/environment-variables */
const ENVIRONMENT_KEY = 'SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment';

/** Our variables in the machine's environment, whatever the environment of this process says. */
export function machineEnvironment(): Partial<Record<SettingName, string>> {
  using key = RegistryKey.open(HKEY_LOCAL_MACHINE, ENVIRONMENT_KEY);
  const names = Object.keys(SETTINGS) as SettingName[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = key?.text(name) ?? null;
      return value === null ? [] : [[name, value]];
    }),
  );
}
