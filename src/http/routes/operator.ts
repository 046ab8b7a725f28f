/** Names the operator of a decision: cards, the audit and the policy's record show it. */
import type { Caller } from '../../host/face/caller.ts';
import type { Host } from '../../host/face/host.ts';

/** `api:operator` for the data directory's own token; `api:Anna (tok_…)` for a token with a name. */
export function operatorOf({ tokens }: Host, { tokenId, surface }: Caller): string {
  const door = surface === 'page' ? 'page' : 'api';
  const name = tokens.nameOf(tokenId);
  return name === tokenId ? `${door}:${tokenId}` : `${door}:${name} (${tokenId})`;
}
