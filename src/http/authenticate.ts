// Identifies the caller of an HTTP request by its bearer token.
import type { IncomingMessage } from 'node:http';
import { UiaHostError } from '../contract/errors.ts';
import type { Caller, Scope } from '../host/face/caller.ts';
import type { TokenService } from '../host/face/host.ts';

const SESSION_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The session name in a request. Errors: invalid_argument. */
function sessionName(given: string | undefined): string {
  if (given === undefined) return 'default';
  if (SESSION_NAME.test(given)) return given;
  throw new UiaHostError(
    'invalid_argument',
    'Uiahost-Session: expected 1 to 64 letters, digits, _ or -, or a computerUseSessionId.',
  );
}

/**
 * Identifies the caller by the bearer token alone.
 * Errors: unauthenticated; invalid_argument for a malformed session name.
 */
export function authenticate(request: IncomingMessage, tokens: TokenService, session: string | undefined): Caller {
  const given = request.headersDistinct['authorization'] ?? [];
  const token = given.length === 1 ? /^Bearer +([\x21-\x7e]{1,512}) *$/i.exec(given[0] ?? '')?.[1] : undefined;
  if (token === undefined) {
    throw new UiaHostError(
      'unauthenticated',
      given.length === 0
        ? 'The request has no Authorization header.'
        : 'The Authorization header is not `Bearer TOKEN`.',
    );
  }
  const known = tokens.authenticate(token);
  if (known === null) throw new UiaHostError('unauthenticated', 'The token is unknown, expired or revoked.');
  return {
    tokenId: known.tokenId,
    scope: known.scope,
    limits: known.limits,
    session: sessionName(session),
    surface: 'http',
  };
}

/** Errors: permission_denied. An operator may do what an agent may. */
export function assertScope(caller: Caller, needed: Scope): void {
  if (needed === 'agent' || caller.scope === 'operator') return;
  throw new UiaHostError('permission_denied', 'This needs the operator token; the request has an agent token.', {
    hint: 'A person at the machine can do this; `uiahost token --operator` prints the operator token.',
  });
}
