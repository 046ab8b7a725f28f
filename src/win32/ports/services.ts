/** Shared by the ports: one view of the windows, and what is kept per owner. */
import { becomePerMonitorAware } from '../windows/dpi.ts';
import { createKnownWindows, type KnownWindows } from '../windows/describe.ts';
import { createOwnerStates, type OwnerStates } from '../windows/owner-states.ts';

/** One per worker process, created before any other native call. */
export interface Win32Services extends KnownWindows, OwnerStates {}

/**
 * Creates the services of this process, and makes the process aware of every monitor's DPI, which Windows allows only
 * before the first window or device context.
 */
export function createWin32Services(options: Parameters<typeof createKnownWindows>[0] = {}): Win32Services {
  becomePerMonitorAware();
  return { ...createKnownWindows(options), ...createOwnerStates() };
}
