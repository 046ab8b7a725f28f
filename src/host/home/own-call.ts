/** Calls to the desktop that the host makes on its own behalf, outside any action. */
import type { Policy } from '../../contract/permissions.ts';
import type { CallContext } from '../../desktop/index.ts';

/** The context of one such call. Nothing but its deadline ends it early. */
export type OwnCall = (owner: string, deadlineMs: number) => CallContext;

export const createOwnCall =
  (policy: () => Policy): OwnCall =>
  (owner, deadlineMs) => ({
    owner,
    deadlineMs,
    signal: new AbortController().signal,
    remoteControlMemory: policy().remoteControlMemory,
  });

/** The promise's value, or undefined when it fails or takes longer than `ms`. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
