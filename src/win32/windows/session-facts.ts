/** What the session doctor judges of the session that this process runs in; the bound window is the caller's. */
import type { SessionFacts } from '../../contract/process/doctor.ts';
import { listMonitors } from './monitors.ts';
import { hasInputOrigin, hasUiAutomation } from '../system/automation-facts.ts';
import { ownIntegrity } from '../system/integrity.ts';
import { inputDesktop, isConnected, isLocked, isRemote, ownSession, windowsVersion } from '../system/session.ts';

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
