// /v1/tokens: create, list and revoke tokens.
import { z } from 'zod';
import { PolicyToken } from '../../contract/gate/machine-host.ts';
import { Level } from '../../contract/gate/permissions.ts';
import type { Host } from '../../host/face/host.ts';
import { ID_PATTERN, json, tokenRoute, type PathParameter, type Route } from '../../host/face/route.ts';

const id: PathParameter = { pattern: ID_PATTERN, meaning: 'tokenId.', unknown: 'not_found' };
const Limits = z.strictObject({
  level: Level.optional(),
  apps: z.array(z.string().min(1).max(1024)).max(100).optional(),
});
const View = z.object({
  tokenId: z.string(),
  name: z.string(),
  scope: z.enum(['agent', 'operator', 'viewer']),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  limits: Limits.nullable(),
  revokedAt: z.string().nullable(),
  from: z
    .enum(['host', 'policy', 'service'])
    .describe('This host made it, the machine’s policy names it, or the service brought it.'),
});

export function tokenRoutes(host: Host): Route[] {
  return [
    tokenRoute({
      method: 'GET',
      path: '/v1/tokens',
      operationId: 'listTokens',
      tag: 'tokens',
      scope: 'operator',
      summary: 'List tokens with their limits; never the tokens themselves.',
      replies: { 200: { description: 'The tokens.', schema: z.object({ tokens: z.array(View) }) } },
      async handle() {
        return json({ tokens: await host.tokens.list() });
      },
    }),
    tokenRoute({
      method: 'POST',
      path: '/v1/tokens',
      operationId: 'createToken',
      tag: 'tokens',
      scope: 'operator',
      summary: 'Create a named token. It is shown only once.',
      body: {
        schema: z.strictObject({
          name: z.string().min(1).max(100),
          scope: z
            .enum(['agent', 'operator', 'viewer'])
            .optional()
            .describe('Default agent. A viewer sees what sessions do, and can do nothing.'),
          tokenId: PolicyToken.shape.id
            .optional()
            .describe('An id that stays when the token is replaced, such as `fleet-orders`; default: a new one.'),
          expiresAt: z.iso
            .datetime()
            .optional()
            .describe('UTC, such as 2030-01-01T00:00:00Z; without it the token never expires.'),
          limits: Limits.optional(),
        }),
      },
      replies: {
        201: {
          description: 'Created.',
          schema: View.extend({ token: z.string() }),
          headers: { Location: 'URL of the token’s record.' },
        },
      },
      async handle({ body }, caller) {
        const made = await host.tokens.create(body, caller.tokenId);
        return json(made, 201, { Location: `/v1/tokens/${made.tokenId}` });
      },
    }),
    tokenRoute({
      method: 'DELETE',
      path: '/v1/tokens/{id}',
      operationId: 'revokeToken',
      tag: 'tokens',
      scope: 'operator',
      summary: 'Revoke a token: further requests are refused, and what is under way with it ends before this answers.',
      pathParameters: { id },
      replies: { 200: { description: 'The record.', schema: View } },
      async handle({ path }, caller) {
        return json(await host.tokens.revoke(path['id'] ?? '', caller.tokenId));
      },
    }),
  ];
}
