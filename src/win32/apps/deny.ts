import type { AppIdentity } from '../../contract/binding.ts';
import { fileName } from './identity.ts';

/** Whether an application is on the policy's deny list: entries are full paths, file names or identities, in any case. */
export function isDenied(app: AppIdentity, deny: readonly string[]): boolean {
  if (deny.length === 0) return false;
  const executable = app.executable?.toLowerCase() ?? '';
  const names = new Set([executable, fileName(executable), app.bundleId.toLowerCase()]);
  names.delete('');
  return deny.some((entry) => names.has(entry.toLowerCase()));
}
