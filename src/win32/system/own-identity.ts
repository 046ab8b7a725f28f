/** The identity of the host's own program. */
import { processFacts } from './process.ts';

/** Identity of the program that the host runs as: AppUserModelID if it is packaged, else the lower-case path (docs/behaviour.md#identities). */
export function hostBundleId(): string {
  return processFacts(process.pid).app.bundleId;
}
