import type { Host } from '../../host/host.ts';
import type { Route } from '../../host/route.ts';
import { actionRoutes } from './actions.ts';
import { statusRoutes } from './status.ts';

export interface TableOptions {
  readonly host: Host;
  readonly proofKey: Uint8Array | null;
  port(): number;
  readonly mounts: readonly Route[];
}

/** Every route of the server, in the order of the document. */
export function routeTable({ host, proofKey, port, mounts }: TableOptions): Route[] {
  return [
    ...statusRoutes(host, proofKey, port),
    ...actionRoutes(host),
    ...mounts,
  ];
}
