/** The session of the command itself, judged as a host would judge its own: for where no host runs. */
import type { DoctorFinding } from '../contract/doctor.ts';
import { diagnose } from '../host/home/doctor.ts';
import { ownIntegrity } from '../win32/system/integrity.ts';
import { hasUiAutomation } from '../win32/system/automation-facts.ts';
import { hasInputOrigin } from '../win32/system/automation-facts.ts';
import { inputDesktop, isConnected, isLocked, isRemote, ownSession, windowsVersion } from '../win32/system/session.ts';
import { listMonitors } from '../win32/windows/monitors.ts';

export function sessionFindings(): DoctorFinding[] {
  const session = ownSession();
  return diagnose({
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
    target: null,
  });
}
