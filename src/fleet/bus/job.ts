/** A job and its record, as they are on the bus. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../contract/json/strict-json.ts';
import { isJobId, isName } from './names.ts';
import type { Value } from './records.ts';
import { openAs, type Trust } from './signed.ts';

const DAY_MS = 24 * 3_600_000;

/** What a job and its record are known by. */
export interface JobRef {
  readonly target: string;
  readonly id: string;
}

/** At most 256 KiB as text. Times in ms of the epoch. */
const jobSchema = z.strictObject({
  v: z.literal(1),
  target: z.string().refine(isName),
  id: z.string().refine(isJobId),
  /** The caller's key, where its form is not that of an id. */
  key: z.string().max(1000).optional(),
  at: z.int().nonnegative(),
  /** Latest start. */
  notAfter: z.int().nonnegative(),
  /** From its start; it ends the job. */
  runMs: z.int().min(1).max(DAY_MS),
  /** Jobs that share a bound window. */
  session: z.string().refine(isJobId).optional(),
  steps: z
    .array(z.strictObject({ action: z.string().regex(/^[a-z0-9-]{1,64}$/), input: z.record(z.string(), z.unknown()) }))
    .min(1)
    .max(1000),
  /** A header of the host's API. */
  traceparent: z
    .string()
    .regex(/^[!-~]{0,64}$/)
    .optional(),
});
export type Job = z.infer<typeof jobSchema>;

export const MAX_JOB_BYTES = 256 * 1024;

/** `delivery`: of the step that ended it, or `delivered` if all succeeded. */
const outcomeSchema = z.strictObject({
  status: z.enum(['succeeded', 'failed', 'unknown', 'cancelled', 'expired']),
  delivery: z.enum(['delivered', 'not_delivered', 'unknown']),
  code: z.string().max(100).optional(),
  /** The step that ended it, from 0; steps before it succeeded, steps after it were not sent. */
  step: z.int().nonnegative().optional(),
  /** One for each step that succeeded. */
  values: z.array(z.unknown()),
  /** The truth of a job that had been given up. */
  late: z.literal(true).optional(),
});
export type Outcome = z.infer<typeof outcomeSchema>;

const recordSchema = z.strictObject({
  state: z.enum(['running', 'ended']),
  /** The claim's own; null if an orchestrator took it, so that no machine runs the job. */
  nonce: z.string().max(64).nullable(),
  seat: z.string().max(60).nullable(),
  /** Random id of the machine's ledger. */
  ledger: z.string().max(64).nullable(),
  bodyHash: z.string().length(64),
  at: z.int().nonnegative(),
  /** An orchestrator wishes its end. */
  cancel: z.literal(true).optional(),
  /** An orchestrator declared its machine lost. */
  abandoned: z.literal(true).optional(),
  outcome: outcomeSchema.optional(),
});
export type JobRecord = z.infer<typeof recordSchema>;

/** Null if it is not one. */
export function jobOf(value: Readonly<Record<string, unknown>>): Job | null {
  const job = jobSchema.safeParse(value).data;
  return job !== undefined && job.notAfter - job.at <= DAY_MS ? job : null;
}

/** What an orchestrator may say: it wishes a job's end, gives up its machine, or ends it before a machine has begun it. */
function isOrchestrators({ state, seat, cancel, abandoned, outcome }: JobRecord): boolean {
  if (state === 'running') return cancel === true && outcome === undefined;
  if (outcome === undefined || outcome.values.length > 0) return false;
  const { status, delivery } = outcome;
  if (abandoned === true) return status === 'unknown' && delivery === 'unknown';
  return seat === null && delivery === 'not_delivered' && (status === 'cancelled' || status === 'expired');
}

/** The record in a value of the bus, and who signed it; null if it is none, or its signer might not say it when it was stored. */
export function recordOf(
  { text, at }: Pick<Value, 'text' | 'at'>,
  { target, id }: JobRef,
  trust: Trust,
): { readonly record: JobRecord; readonly by: string } | null {
  const opened = openAs(recordSchema, text, { kind: 'record', target, id }, trust, at);
  if (opened === null) return null;
  const { by, body: record } = opened;
  const isWish = record.cancel === true || record.abandoned === true;
  const maySay = by.role === 'orchestrator' ? isOrchestrators(record) : by.name === record.seat && !isWish;
  return maySay ? { record, by: by.name } : null;
}

/** Recognises the same job in another message: what it does, not when it was submitted. */
export const bodyHashOf = ({ target, id, key, session, steps, runMs }: Job): string =>
  createHash('sha256')
    .update(canonicalJson({ target, id, key: key ?? null, session: session ?? null, steps, runMs }))
    .digest('hex');
