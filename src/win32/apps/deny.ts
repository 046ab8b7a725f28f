import type { AppIdentity } from '../../contract/binding.ts';
import { fileName } from './identity.ts';

/** Whether an application is on the policy's deny list: entries are identities, full paths, or file names with or without `.exe`, in any case. */
export function isDenied(app: AppIdentity, deny: readonly string[]): boolean {
  if (deny.length === 0) return false;
  const executable = app.executable?.toLowerCase() ?? '';
  const name = fileName(executable);
  const names = new Set([executable, name, name.endsWith('.exe') ? name.slice(0, -'.exe'.length) : '', app.bundleId.toLowerCase()]);
  names.delete('');
  return deny.some((entry) => names.has(entry.trim().replaceAll('/', '\\').toLowerCase()));
}
