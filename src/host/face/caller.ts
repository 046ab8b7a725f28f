/** Who calls the host, and by which face. */
import type { Level } from '../../contract/permissions.ts';

export type Scope = 'agent' | 'operator';
export type Surface = 'http' | 'mcp' | 'cli' | 'executor' | 'adapter' | 'overlay';

/** What a further agent token may narrow. */
export interface TokenLimits {
  readonly level?: Level | undefined;
  readonly apps?: readonly string[] | undefined;
}

/** Who calls: an authenticated token, the session name it gave, and the face it came by. */
export interface Caller {
  readonly tokenId: string;
  readonly scope: Scope;
  /** `default`, a name of the caller's, or a computerUseSessionId. */
  readonly session: string;
  readonly limits: TokenLimits | null;
  readonly surface: Surface;
}

/** Owner of bindings, refs and held keys: two clients do not share one by accident. */
export function ownerOf(caller: Caller): string {
  return `${caller.tokenId}/${caller.session}`;
}
