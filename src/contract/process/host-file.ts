/** Where a host is: host.json of its data directory, and which addresses are the machine's own. */

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

/** Addresses that only programs of this machine can reach. */
export const isLoopback = (address: string): boolean =>
  address === '::1' || address === 'localhost' || /^127(\.\d{1,3}){3}$/.test(address);
