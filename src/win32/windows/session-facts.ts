/** What the session doctor judges of the session that this process runs in; the bound window is the caller's. */
import type { SessionFacts } from '../../contract/process/doctor.ts';
import { listMonitors } from './monitors.ts';
import { ownIntegrity } from '../system/process.ts';
import { inputDesktop, isConnected, isLocked, isRemote, ownSession, windowsVersion } from '../system/session.ts';
import { HKEY_CLASSES_ROOT } from '../../../native-bindings/win32/constants.ts';
import { user32 } from '../../../native-bindings/win32/user32.ts';
import { RegistryKey } from '../system/registry.ts';

export function sessionFacts(): Omit<SessionFacts, 'target'> {
  const session = ownSession();
  return {
    sessionId: session,
    inputDesktop: inputDesktop(),
    isLocked: isLocked(session),
    isConnected: isConnected(session),
    displays: listMonitors().length,
    ownIntegrity: ownIntegrity().level,
    hasUiAutomation: hasUiAutomation(),
    hasInputOrigin: hasInputOrigin(),
    isServer: windowsVersion().isServer,
    isRemote: isRemote(),
  };
}

// Which abilities of Windows the doctor asks for: UI Automation, and the origin of input.

/** The CUIAutomation class. Source: learn.microsoft.com/windows/win32/winauto/uiauto-creatingcuiautomation */
const CUIAUTOMATION = 'CLSID\\{ff48dba4-60ef-4201-aa87-54103eef594e}\\InprocServer32';

export function hasUiAutomation(): boolean {
  using key = RegistryKey.open(HKEY_CLASSES_ROOT, CUIAUTOMATION);
  return key !== null;
}

export const hasInputOrigin = (): boolean => user32.has('GetCurrentInputMessageSource');
