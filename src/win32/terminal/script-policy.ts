/**
 * Whether Windows PowerShell's execution policy allows unsigned scripts.
 * Source: learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_execution_policies
 */
import { HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE } from '../../../native-bindings/win32/constants.ts';
import { RegistryKey } from '../system/registry.ts';

const BY_POLICY = String.raw`SOFTWARE\Policies\Microsoft\Windows\PowerShell`;
const BY_PREFERENCE = String.raw`SOFTWARE\Microsoft\PowerShell\1\ShellIds\Microsoft.PowerShell`;
/** In order of precedence. */
const PLACES: ReadonlyArray<readonly [root: number, path: string]> = [
  [HKEY_LOCAL_MACHINE, BY_POLICY],
  [HKEY_CURRENT_USER, BY_POLICY],
  [HKEY_CURRENT_USER, BY_PREFERENCE],
  [HKEY_LOCAL_MACHINE, BY_PREFERENCE],
];
const RUNNING = new Set(['remotesigned', 'unrestricted', 'bypass']);

/** One place's setting: `EnableScripts` 0 is a group policy that forbids all scripts. */
export interface ScriptSetting {
  readonly isEnabled: boolean | null;
  readonly policy: string | null;
}

/** Without any setting: Restricted on Windows 10 and 11. Servers then allow signed and local scripts, but programs work there as well. */
export function allowsScripts(settings: readonly ScriptSetting[]): boolean {
  const first = settings.find(
    ({ isEnabled, policy }) => isEnabled === false || (policy !== null && policy.toLowerCase() !== 'undefined'),
  );
  return first !== undefined && first.isEnabled !== false && RUNNING.has(first.policy?.toLowerCase() ?? '');
}

export function runsScripts(): boolean {
  return allowsScripts(
    PLACES.map(([root, path]) => {
      using key = RegistryKey.open(root, path);
      const enabled = key?.number('EnableScripts') ?? null;
      return { isEnabled: enabled === null ? null : enabled !== 0, policy: key?.text('ExecutionPolicy') ?? null };
    }),
  );
}
