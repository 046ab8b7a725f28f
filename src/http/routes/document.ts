// /v1/openapi.json.
import { z } from 'zod';
import type { Catalog } from '../../host/face/host.ts';
import { openRoute, type Route } from '../../host/face/route.ts';
import { openApiDocument } from '../openapi.ts';

/** @param routes the whole table, including this route; read at the first request for the document. */
export function documentRoutes(catalog: Catalog, version: string, routes: () => readonly Route[]): Route[] {
  let text: Uint8Array | undefined;
  return [
    openRoute({
      method: 'GET',
      path: '/v1/openapi.json',
      operationId: 'openApi',
      tag: 'host',
      scope: 'none',
      summary: 'This document.',
      replies: { 200: { description: 'OpenAPI 3.1.', schema: z.record(z.string(), z.unknown()) } },
      async handle() {
        text ??= new TextEncoder().encode(JSON.stringify(openApiDocument(routes(), catalog, version)));
        return { kind: 'bytes', bytes: text, mimeType: 'application/json' };
      },
    }),
  ];
}
