/** What a link counts, in Prometheus' text format: a file that a collector of text files reads, since a link has no port. */

/** Since the link started. */
export interface LinkCounts {
  /** By how they ended. */
  readonly jobs: Record<string, number>;
  /** Jobs of a pool that another machine had begun. */
  claimsLost: number;
  redelivered: number;
  reconnects: number;
  /** Jobs that were begun, and how long they waited in their queues together, by the clocks of both ends. */
  begun: number;
  waitedMs: number;
}

export const noCounts = (): LinkCounts => ({
  jobs: {},
  claimsLost: 0,
  redelivered: 0,
  reconnects: 0,
  begun: 0,
  waitedMs: 0,
});

export interface Counted {
  readonly isConnected: boolean;
  /** Why it takes no job; null if it does. */
  readonly takesNoJob: string | null;
  /** Jobs without a reported outcome. */
  readonly openJobs: number;
  /** Messages that were not trusted, since the link started. */
  readonly refused: number;
  readonly counts: LinkCounts;
}

/** @param seat a name of letters, digits, `-`, `_` and `=`, which needs no escaping. */
export function metricsOf(seat: string, { isConnected, takesNoJob, openJobs, refused, counts }: Counted): string {
  const rows: ReadonlyArray<readonly [name: string, kind: 'gauge' | 'counter', values: Record<string, number>]> = [
    ['connected', 'gauge', { '': Number(isConnected) }],
    ['takes_jobs', 'gauge', { '': Number(takesNoJob === null) }],
    ['ledger_open', 'gauge', { '': openJobs }],
    ['jobs_total', 'counter', counts.jobs],
    ['jobs_begun_total', 'counter', { '': counts.begun }],
    ['queue_wait_seconds_total', 'counter', { '': counts.waitedMs / 1000 }],
    ['messages_refused_total', 'counter', { '': refused }],
    ['claims_lost_total', 'counter', { '': counts.claimsLost }],
    ['redelivered_total', 'counter', { '': counts.redelivered }],
    ['reconnects_total', 'counter', { '': counts.reconnects }],
  ];
  const lines = rows.flatMap(([name, kind, values]) => [
    `# TYPE uiahost_fleet_${name} ${kind}`,
    ...Object.entries(values).map(
      ([outcome, value]) =>
        `uiahost_fleet_${name}{seat="${seat}"${outcome === '' ? '' : `,outcome="${outcome}"`}} ${value}`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}
