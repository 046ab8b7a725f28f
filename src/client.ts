/** What a TypeScript program imports: `import { UiaHostClient } from 'uiahost/client'`; of a fleet, what an orchestrator loads on first use. */
import type { Fleet, FleetOptions } from './fleet/orchestrator/types.ts';

export * from './client/index.ts';
export { FleetError } from './fleet/orchestrator/error.ts';
export type * from './fleet/orchestrator/types.ts';

/**
 * Connects as an orchestrator or a viewer: `await using open = await fleet({ credential })`. Errors: FleetError for a
 * credential that is none; those of the connection.
 */
export async function fleet(options: FleetOptions): Promise<Fleet> {
  const { openFleet } = await import('./fleet/orchestrator/fleet.ts');
  return openFleet(options);
}
