// The route table of the server.
import type { Host } from '../../host/face/host.ts';
import type { Route } from '../../host/face/route.ts';
import { actionRoutes } from './actions.ts';
import { approvalRoutes } from './approvals.ts';
import { artifactRoutes } from './artifacts.ts';
import { auditRoutes } from './audit.ts';
import { documentRoutes } from './document.ts';
import { policyRoutes } from './policy.ts';
import { secretRoutes } from './secrets.ts';
import { sessionRoutes } from './sessions.ts';
import { statusRoutes } from './status.ts';
import { tokenRoutes } from './tokens.ts';
import { toolRoutes } from './tools.ts';

export interface TableOptions {
  readonly host: Host;
  /** See statusRoutes. */
  readonly proofKey: Uint8Array | null;
  port(): number;
  /** Routes of other edges. */
  readonly mounts: readonly Route[];
}

/** Every route of the server, in the order of the OpenAPI document. */
export function routeTable({ host, proofKey, port, mounts }: TableOptions): Route[] {
  const routes: Route[] = [
    ...statusRoutes(host, proofKey, port),
    ...actionRoutes(host),
    ...toolRoutes(host),
    ...sessionRoutes(host),
    ...approvalRoutes(host),
    ...policyRoutes(host),
    ...tokenRoutes(host),
    ...secretRoutes(host),
    ...artifactRoutes(host),
    ...auditRoutes(host),
    ...documentRoutes(host.catalog, host.version, () => routes),
    ...mounts,
  ];
  return routes;
}
