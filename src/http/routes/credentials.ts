// /v1/tokens and /v1/secrets: create, list and revoke tokens; store, list and remove secrets.
import { z } from 'zod';
import { MAX_SECRET_UNITS, SecretView } from '../../contract/gate/secret.ts';
import { NewToken, TokenView } from '../../contract/gate/views.ts';
import type { Host } from '../../host/face/host.ts';
import { ID_PATTERN, json, type PathParameter, type Route, tokenRoute } from '../../host/face/route.ts';

const SECRETS = { tag: 'secrets', scope: 'operator' } as const;
const OPERATOR = { tag: 'tokens', scope: 'operator' } as const;
const id: PathParameter = { pattern: ID_PATTERN, meaning: 'tokenId.', unknown: 'not_found' };
export function tokenRoutes(host: Host): Route[] {
  return [
    tokenRoute('GET /v1/tokens', 'listTokens', {
      ...OPERATOR,
      summary: 'List tokens with their limits; never the tokens themselves.',
      replies: { 200: { description: 'The tokens.', schema: z.object({ tokens: z.array(TokenView) }) } },
      handle: async () => json({ tokens: await host.tokens.list() }),
    }),
    tokenRoute('POST /v1/tokens', 'createToken', {
      ...OPERATOR,
      summary: 'Create a named token. It is shown only once.',
      body: { schema: NewToken },
      replies: {
        201: {
          description: 'Created.',
          schema: TokenView.extend({ token: z.string() }),
          headers: { Location: 'URL of the token’s record.' },
        },
      },
      async handle({ body }, caller) {
        const made = await host.tokens.create(body, caller.tokenId);
        return json(made, 201, { Location: `/v1/tokens/${made.tokenId}` });
      },
    }),
    tokenRoute('DELETE /v1/tokens/{id}', 'revokeToken', {
      ...OPERATOR,
      summary: 'Revoke a token: further requests are refused, and what is under way with it ends before this answers.',
      pathParameters: { id },
      replies: { 200: { description: 'The record.', schema: TokenView } },
      handle: async ({ path }, caller) => json(await host.tokens.revoke(path['id'] ?? '', caller.tokenId)),
    }),
  ];
}

const name: PathParameter = {
  pattern: /^[A-Za-z0-9._-]{1,100}$/,
  meaning: 'Name of the secret, without `uiahost:`.',
  unknown: 'not_found',
};
/** A name that cannot be used is bad input where it would be made, not an entry that is missing. */
const newName: PathParameter = {
  ...name,
  unknown: 'invalid_argument',
  expected: '1 to 100 letters, digits, `.`, `_` or `-`',
};

/** Stored secrets, for the operator. Secrets can be stored but never read back. */
export function secretRoutes(host: Host): Route[] {
  return [
    tokenRoute('GET /v1/secrets', 'listSecrets', {
      ...SECRETS,
      summary: 'List stored secrets with their applications; never the secrets themselves.',
      replies: { 200: { description: 'The entries.', schema: z.object({ secrets: z.array(SecretView) }) } },
      handle: async () => json({ secrets: await host.secrets.list() }),
    }),
    tokenRoute('PUT /v1/secrets/{name}', 'setSecret', {
      ...SECRETS,
      summary:
        'Store or replace a secret for one application. After a person’s approval, the host types it into password fields of that application only (in a browser, on pages of one origin only). No answer ever contains it.',
      pathParameters: { name: newName },
      body: {
        schema: z.strictObject({
          app: z.string().min(1).max(1024).describe('bundleId of the application: its full path or AppUserModelID.'),
          origin: z
            .string()
            .min(1)
            .max(300)
            .optional()
            .describe(
              'Required for a browser: the only origin on whose pages the secret is typed, `https://host` with an optional port.',
            ),
          secret: z.string().min(1).max(MAX_SECRET_UNITS),
        }),
      },
      replies: { 200: { description: 'The entry, without the secret.', schema: SecretView } },
      handle: async ({ path, body }, caller) => json(await host.secrets.set(path['name'] ?? '', body, caller.tokenId)),
    }),
    tokenRoute('DELETE /v1/secrets/{name}', 'removeSecret', {
      ...SECRETS,
      summary: 'Remove a stored secret.',
      pathParameters: { name },
      replies: { 200: { description: 'The removed entry, without the secret.', schema: SecretView } },
      handle: async ({ path }, caller) => json(await host.secrets.remove(path['name'] ?? '', caller.tokenId)),
    }),
  ];
}
