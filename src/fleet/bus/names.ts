/** Names of a fleet on the bus: seats, pools, jobs, and the subjects made of them. Pure. */
import { createHash } from 'node:crypto';

/** A seat (one user session with its host) or a pool of seats. */
export type Place = 'seat' | 'pool';

const PREFIX = { seat: 'h_', pool: 'p_' } as const;
const NAME = /^[hp]_(?:[a-z0-9-]|=[0-9a-f]{2}){1,58}$/;
/** With its prefix: folders, tags and consumers carry it whole. */
const LONGEST = 60;
const JOB_ID = /^[A-Za-z0-9_-]{1,60}$/;

/**
 * One subject token for a text: NFC, lower case, each byte other than `a-z 0-9 -` as `=hh`. Texts that differ only in
 * case have one name, since tags in NATS JWTs and folders on Windows do not keep it. Null if it is empty, too long or
 * not well-formed Unicode.
 */
export function nameOf(place: Place, text: string): string | null {
  if (!text.isWellFormed()) return null;
  const plain = text.normalize('NFC').toLowerCase().normalize('NFC');
  const token = plain.replaceAll(/[^a-z0-9-]/gu, (letter) =>
    Buffer.from(letter).toString('hex').replaceAll(/../g, '=$&'),
  );
  const name = PREFIX[place] + token;
  return isName(name) ? name : null;
}

export const isName = (name: string): boolean => name.length <= LONGEST && NAME.test(name);

/** What a job is known by on the bus: the caller's key if it has the form, else its hash. The job keeps the original. */
export const jobIdOf = (key: string): string =>
  JOB_ID.test(key) ? key : `k_${createHash('sha256').update(key).digest('hex').slice(0, 40)}`;

export const isJobId = (id: string): boolean => JOB_ID.test(id);

export const STREAM = {
  jobs: 'UIA_JOBS',
  pools: 'UIA_POOLS',
  records: 'KV_uia_jobs',
  hosts: 'KV_uia_hosts',
  policy: 'KV_uia_policy',
  events: 'UIA_EVENTS',
  artifacts: 'UIA_ART',
} as const;

/** The queue of a seat or a pool. */
export const queueOf = (target: string): { stream: string; subject: string } =>
  target.startsWith(PREFIX.seat)
    ? { stream: STREAM.jobs, subject: `uia.v1.job.${target}` }
    : { stream: STREAM.pools, subject: `uia.v1.pool.${target}` };

/** Where the record of a job is kept: its claim and its result. */
export const recordSubject = (target: string, id: string): string => `$KV.uia_jobs.${target}.${id}`;

export const presenceSubject = (seat: string): string => `$KV.uia_hosts.${seat}`;
export const stepSubject = (seat: string, id: string): string => `uia.v1.evt.${seat}.${id}.step`;
/** What a record names. `part`: `INDEX.COUNT` of a chunk. */
export const artifactSubject = (seat: string, hash: string, part: string): string =>
  `uia.v1.art.${seat}.${hash}.${part}`;
/** A nudge to look at a job's record; it may be lost. */
export const controlSubject = (target: string): string => `uia.v1.ctl.${target}`;
/** The policy of the whole tenant. */
export const POLICY_SUBJECT = '$KV.uia_policy.all';

/** The same submission again is the same message. */
export const messageId = (target: string, id: string): string => `${target}.${id}`;
