/** The port of displays and their geometry. */
import type { DisplayGeometry } from '../contract/element/geometry.ts';
import type { CallContext } from './call.ts';

export interface DisplayPort {
  /** Every monitor in physical pixels; exactly one is primary. */
  list(call: CallContext): Promise<DisplayGeometry[]>;
  /** For each application identity, the displays its top-level windows are on. */
  ofApplications(
    bundleIds: readonly string[],
    call: CallContext,
  ): Promise<Array<{ bundleId: string; displayIds: number[] }>>;
  /** How many top-level windows of these applications are on each display that has any. */
  countWindows(bundleIds: readonly string[], call: CallContext): Promise<Array<{ displayId: number; windows: number }>>;
}
