import { processFacts } from './process.ts';

/** Identity of the program that the host runs as: AppUserModelID where it is packaged, else the lower-cased path (docs/behaviour.md#identities). */
export function hostBundleId(): string {
  return processFacts(process.pid).app.bundleId;
}
