/** host.json of a data directory: where its host is. */
export interface HostFile {
  /** For programs of this machine: loopback. */
  readonly url: string;
  /** Where HTTPS is served, if it is. */
  readonly servedUrl?: string | undefined;
  readonly port: number;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: string;
  /** The scopes whose token the host got from its environment: the `.token` file of such a scope is not this host's. */
  readonly givenTokens?: readonly ('agent' | 'operator')[] | undefined;
}
