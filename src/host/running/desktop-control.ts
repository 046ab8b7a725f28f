/** The desktop worker's process as the host controls it. */
import type { ErrorCode } from '../../contract/errors.ts';
import type { HostStatus } from '../face/host.ts';

export interface DesktopControl {
  status(): HostStatus['worker'];
  /** Replaces the process, including everything it is doing. */
  restart(code: ErrorCode, reason: string): void;
  /** Canonical names of the keys that an owner holds down. */
  heldKeys(owner: string): readonly string[];
}
