// What the commands of `uiahost fleet` have in common: how they speak to the server.
import { Option } from 'commander';
import type { Fleet } from '../fleet/orchestrator/types.ts';
import { textIn } from './flags.ts';
import { FailedError, UsageError } from './output.ts';

/** Runs work that speaks to the server; its errors become the command's. */
export async function speaking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FailedError || error instanceof UsageError) throw error;
    const { name, message, hint, code } = error as Error & { hint?: string; code?: string };
    if (error instanceof RangeError) throw new UsageError(message);
    if (name === 'FleetError') throw new FailedError(`${code}: ${message}`, hint);
    if (/authorization|authentication|expired/i.test(`${name} ${message}`))
      throw new FailedError(
        `The server refused this credential (${message}).`,
        'Enrol it again, or see whether it was revoked.',
      );
    throw new FailedError(
      `The fleet’s server could not be asked: ${message}.`,
      'Start it with the configuration of `uiahost fleet init` (nats-server -c server.conf), and check its address.',
    );
  }
}

export interface CredentialFlags {
  readonly credential: string;
}

export const credentialFlag = (): Option =>
  new Option('--credential <file>', 'the credential of an orchestrator').makeOptionMandatory();

/** Works with the fleet, and closes it. */
export function withFleet<T>(flags: CredentialFlags, work: (fleet: Fleet) => Promise<T>): Promise<T> {
  const credential = textIn(flags.credential, '--credential: ');
  return speaking(async () => {
    const { openFleet } = await import('../fleet/orchestrator/fleet.ts');
    await using fleet = await openFleet({ credential });
    return await work(fleet);
  });
}
