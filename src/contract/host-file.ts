/** host.json of a data directory: where its host is. */
export interface HostFile {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: string;
}
