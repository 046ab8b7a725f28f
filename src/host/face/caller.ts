/** Who calls the host, through which interface, and the ids that the host makes. */
import { randomBytes } from 'node:crypto';
import type { Scope, TokenLimits } from '../../contract/gate/views.ts';

/** Unguessable id with a readable prefix: `act_…`, `apr_…`, `obs_…`, `cus_…`. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('base64url').replaceAll('-', 'A').replaceAll('_', 'B')}`;
}

type Surface = 'http' | 'mcp' | 'cli' | 'executor' | 'adapter' | 'overlay' | 'page';

/** Who calls: an authenticated token, its session name, and its interface. */
export interface Caller {
  readonly tokenId: string;
  readonly scope: Scope;
  /** `default`, a name that the caller chose, or a computerUseSessionId. */
  readonly session: string;
  readonly limits: TokenLimits | null;
  readonly surface: Surface;
  /** The caller's span, for traces (w3.org/TR/trace-context). */
  readonly traceparent?: string | undefined;
  /** Tells the programs apart that share a session: an MCP client’s own session or name, an HTTP client’s User-Agent. Absent where nothing tells. */
  readonly client?: string | undefined;
  /** It names no session of its own, and nothing tells whether another program is in this one. */
  readonly isShared?: boolean | undefined;
  /** Id of the binding whose window the action is for. */
  readonly window?: string | undefined;
}

/** The caller of an action that names a window in its input. */
export function inWindow(caller: Caller, input: unknown): Caller {
  const { window } = (typeof input === 'object' && input !== null ? input : {}) as { window?: unknown };
  return typeof window === 'string' ? { ...caller, window } : caller;
}

/** Whether its session is made by the host, for a client that named none. */
export const isUnnamed = ({ client, session, isShared }: Caller): boolean =>
  isShared === true || client === `mcp ${session}`;

/** Owner of bindings, refs and held keys: two clients do not share one by accident. */
export function ownerOf(caller: Caller): string {
  return `${caller.tokenId}/${caller.session}`;
}
