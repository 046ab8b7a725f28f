/** A fleet of machines on a NATS server: what only an orchestrator loads, on first use. */
import type { Fleet, FleetOptions } from '../fleet/orchestrator/types.ts';

/**
 * Connects as an orchestrator or a viewer: `await using fleet = await client.fleet({ credential })`. Errors: FleetError for a
 * credential that is none; those of the connection.
 */
export async function fleet(options: FleetOptions): Promise<Fleet> {
  const { openFleet } = await import('../fleet/orchestrator/fleet.ts');
  return openFleet(options);
}
