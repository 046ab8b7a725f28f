/** Whether Windows runs programs without a signature that it trusts: App Control for Business (WDAC) and Smart App Control. */
import { HKEY_LOCAL_MACHINE } from '../../../native-bindings/win32/constants.ts';
import { ntdll } from '../../../native-bindings/win32/ntdll.ts';
import type { AppControl } from '../../contract/process/doctor.ts';
import { RegistryKey } from './registry.ts';

/** SystemCodeIntegrityInformation: two numbers of 32 bits, the length and the options. Source: the page of NtQuerySystemInformation. */
const CODE_INTEGRITY = 103;
const BYTES = 8;
/** CODEINTEGRITY_OPTION_UMCI_ENABLED and CODEINTEGRITY_OPTION_UMCI_AUDITMODE_ENABLED: for programs, not for drivers. */
const [ENFORCED, AUDITED] = [0x04, 0x08];
/** Its VerifiedAndReputablePolicyState by number. Source: learn.microsoft.com/windows/apps/develop/smart-app-control/test-your-app-with-smart-app-control */
const POLICY = String.raw`SYSTEM\CurrentControlSet\Control\CI\Policy`;
const SMART = ['off', 'enforced', 'audited'] as const;

function programs(): AppControl['programs'] {
  const info = Buffer.alloc(BYTES);
  info.writeUInt32LE(BYTES, 0);
  if (ntdll.NtQuerySystemInformation(CODE_INTEGRITY, info, BYTES, null) !== 0) return 'unknown';
  const options = info.readUInt32LE(4);
  if ((options & AUDITED) !== 0) return 'audited';
  return (options & ENFORCED) === 0 ? 'off' : 'enforced';
}

export function appControl(): AppControl {
  using policy = RegistryKey.open(HKEY_LOCAL_MACHINE, POLICY);
  const state = policy?.number('VerifiedAndReputablePolicyState') ?? null;
  return { programs: programs(), smart: state === null ? 'unknown' : (SMART[state] ?? 'unknown') };
}
