/** Streams and consumers of a tenant: made by the administrator, read back, and never changed by a seat. */
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { POLICY_SUBJECT, queueOf, STREAM } from './names.ts';

type Stream = Partial<StreamConfig> & Pick<StreamConfig, 'name'>;

const nanos = (ms: number): number => ms * 1_000_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GIB = 1024 ** 3;

const queue = (name: string, subject: string, waiting: number): Stream => ({
  name,
  subjects: [subject],
  retention: RetentionPolicy.Workqueue,
  discard: DiscardPolicy.New,
  discard_new_per_subject: true,
  max_msgs_per_subject: waiting,
  max_age: nanos(DAY_MS),
  max_bytes: GIB,
  // servers from 2.15 on have a limit of their own
  max_consumers: 20_000,
  duplicate_window: nanos(120_000),
});

/** The last value of each subject, which no client may empty before its time. */
const bucket = (name: string, ageMs: number, subjects = `$KV.${name}.>`): Stream => ({
  name: `KV_${name}`,
  subjects: [subjects],
  max_msgs_per_subject: 1,
  discard: DiscardPolicy.New,
  allow_direct: true,
  max_age: nanos(ageMs),
  deny_delete: true,
  deny_purge: true,
});

/** All limits together are less than the server's store (`tenant-folder.ts`): no flood of one stream stops another. */
const STREAMS: readonly Stream[] = [
  queue(STREAM.jobs, 'uia.v1.job.>', 1000),
  queue(STREAM.pools, 'uia.v1.pool.>', 100_000),
  { ...bucket('uia_jobs', 7 * DAY_MS), max_bytes: 4 * GIB },
  { ...bucket('uia_hosts', 30 * DAY_MS), max_bytes: GIB / 4 },
  // 2,000 revoked cards, with the signature; no other subject, so that no client fills what a revocation needs
  { ...bucket('uia_policy', 0, POLICY_SUBJECT), max_msg_size: 256 * 1024 },
  {
    name: STREAM.events,
    subjects: ['uia.v1.evt.>'],
    discard: DiscardPolicy.Old,
    max_age: nanos(7 * DAY_MS),
    max_bytes: 2 * GIB,
    duplicate_window: nanos(120_000),
  },
  {
    name: STREAM.artifacts,
    subjects: ['uia.v1.art.>'],
    discard: DiscardPolicy.Old,
    max_age: nanos(DAY_MS),
    max_bytes: 4 * GIB,
    duplicate_window: nanos(600_000),
    deny_delete: true,
    deny_purge: true,
  },
];

const managerOf = (nc: NatsConnection): Promise<JetStreamManager> => jetstreamManager(nc, { checkAPI: false });

/** Makes or changes the streams of the tenant. `replicas`: 1 on one server, 3 in a cluster. */
export async function provision(nc: NatsConnection, replicas = 1): Promise<void> {
  const manager = await managerOf(nc);
  const names = new Set<string>();
  for await (const name of manager.streams.names()) names.add(name);
  for (const stream of STREAMS) {
    const config = { storage: StorageType.File, ...stream, num_replicas: replicas, allow_rollup_hdrs: false };
    if (names.has(stream.name)) await manager.streams.update(stream.name, config);
    else await manager.streams.add(config);
  }
}

/** What makes the streams unsafe as they are on the server; empty if nothing does. */
export async function provisioningProblems(nc: NatsConnection): Promise<string[]> {
  const manager = await managerOf(nc);
  const problems: string[] = [];
  for (const wanted of STREAMS) {
    const info = await manager.streams.info(wanted.name).catch(() => null);
    if (info === null) {
      problems.push(`${wanted.name}: there is no such stream`);
      continue;
    }
    const { config } = info;
    // one header of one writer would remove every other seat's messages
    if (config.allow_rollup_hdrs) problems.push(`${wanted.name}: roll-up is on`);
    if (Number(config.subject_delete_marker_ttl ?? 0) > 0) problems.push(`${wanted.name}: delete markers are on`);
    for (const flag of ['deny_delete', 'deny_purge', 'discard_new_per_subject'] as const)
      if (wanted[flag] === true && config[flag] !== true) problems.push(`${wanted.name}: ${flag} is off`);
    // a record that its writer lets expire would let a job run again
    if (config.allow_msg_ttl === true) problems.push(`${wanted.name}: messages may have a time of their own`);
    for (const limit of ['max_age', 'max_bytes', 'max_msgs_per_subject', 'retention', 'discard'] as const)
      if (wanted[limit] !== undefined && config[limit] !== wanted[limit])
        problems.push(`${wanted.name}: ${limit} is ${config[limit]}, not ${wanted[limit]}`);
  }
  return problems;
}

/** The server's code for a consumer that is not there. */
const NO_CONSUMER = 10_014;

/**
 * Ends what a revoked member left at the server: requests that wait at its queues, and consumers of readers. As long as they
 * are there, the server answers them on each subject that they named. Readers that continue make new ones.
 */
export async function endRequests(nc: NatsConnection, targets: readonly string[]): Promise<void> {
  const manager = await managerOf(nc);
  const consumers = targets.map((target) => [queueOf(target).stream, target] as const);
  for (const stream of [STREAM.records, STREAM.hosts, STREAM.events, STREAM.artifacts])
    for await (const { name } of manager.consumers.list(stream)) consumers.push([stream, name]);
  for (const [stream, name] of consumers)
    await manager.consumers.delete(stream, name).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError && error.code === NO_CONSUMER)) throw error;
    });
}

/**
 * The consumer of a seat or a pool, named as its target. It is made again where it has other settings, or where the server has
 * messages that it would never deliver: a server that was killed can have forgotten that they were acknowledged. Links know the
 * jobs, and acknowledge them again.
 */
export async function addQueue(
  nc: NatsConnection,
  target: string,
  { ackWaitMs = 30_000 }: { readonly ackWaitMs?: number } = {},
): Promise<void> {
  const { stream, subject } = queueOf(target);
  const manager = await managerOf(nc);
  const config = {
    durable_name: target,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ackWaitMs),
    max_deliver: -1,
    // one message that a crash left does not block a seat's queue
    max_ack_pending: stream === STREAM.jobs ? 8 : 2000,
    // each member of a pool waits with one request at a time; it cannot be changed later
    max_waiting: 20_000,
  };
  const made = await manager.consumers.add(stream, config).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && [10_013, 10_148].includes(error.code)) return null;
    throw error;
  });
  // the library's type has no `next_by_subj`, the server has it since 2.9
  const oldest = { seq: 1, next_by_subj: subject };
  const first = made && (await manager.streams.getMessage(stream, oldest));
  if (made !== null && (first === null || first.seq > made.ack_floor.stream_seq)) return;
  await manager.consumers.delete(stream, target);
  await manager.consumers.add(stream, config);
}
