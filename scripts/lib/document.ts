// The OpenAPI document of the sources, for the generators that follow from it.
import { adapterRoutes } from '../../src/adapters/index.ts';
import type { JsonSchema } from '../../src/contract/json/json-schema.ts';
import { buildCatalog } from '../../src/host/face/catalog.ts';
import type { Host } from '../../src/host/face/host.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import { routeTable } from '../../src/http/server.ts';
import { mcpRoutes } from '../../src/mcp/route.ts';

/** @param version of the product */
export function documentOf(version: string): JsonSchema {
  const catalog = buildCatalog();
  // The table is only described here: no handler is called, so only the host's catalogue and version are read.
  const describing = { catalog, version } as unknown as Host;
  const routes = routeTable({
    host: describing,
    proofKey: null,
    port: () => 0,
    mounts: [...mcpRoutes(describing), ...adapterRoutes(describing)],
  });
  return openApiDocument(routes, catalog, version);
}
