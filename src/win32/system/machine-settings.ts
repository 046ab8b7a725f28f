/** What the installation was given for the whole machine: values under `HKLM\SOFTWARE\uiahost`, which only administrators can write. */
import { HKEY_LOCAL_MACHINE } from '../../../native-bindings/win32/constants.ts';
import { RegistryKey } from './registry.ts';

/** The MSI writes it and removes it. */
const MACHINE_KEY = 'SOFTWARE\\uiahost';

/** The port that the MSI's property PORT gave; undefined where nothing is installed. */
export function machinePort(): string | undefined {
  using key = RegistryKey.open(HKEY_LOCAL_MACHINE, MACHINE_KEY);
  return key?.text('Port') ?? undefined;
}
