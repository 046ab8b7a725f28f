/** Calls to the desktop that the host makes on its own behalf, outside any action. */
import { within } from '../../base/time.ts';
import type { Policy } from '../../contract/gate/permissions.ts';
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
export const valueWithin = <T>(promise: Promise<T>, ms: number): Promise<T | undefined> =>
  within(promise, ms, () => new Error(`No answer within ${ms} ms.`)).catch(() => undefined);
