/**
 * How a machine runs one job exactly once, as a pure state machine: `next` says what must be done, `learn` what follows
 * from its answer. It reads no clock and calls nothing; `carry-out.ts` does that. The order is what counts: the ledger
 * has the job before the record is claimed, the claim before the queue may forget it, each step before it is sent, the
 * outcome before it is reported. Killed at any line, the same machine continues from its ledger.
 */
import type { Job, JobRecord, Outcome } from '../bus/job.ts';

/** A step as the ledger has it. Without an answer it was perhaps sent. */
interface SentStep {
  /** Idempotency-Key at the host. */
  readonly key: string;
  readonly sentAt: number;
  /** Who keeps the key: the host's store and the token's id. */
  readonly keeper: string;
  /** How often the host said that nothing was delivered, and the step was sent again with a new key. */
  readonly tries: number;
  readonly value?: { readonly of: unknown };
}

/** A job in the ledger. */
export interface Row {
  readonly target: string;
  readonly id: string;
  /** Who issues its fleet's cards: a kept ledger may have been another fleet's. Absent in rows of earlier versions. */
  readonly issuer?: string;
  /** The orchestrator that signed it, and the id of its card. */
  readonly by: { readonly name: string; readonly card: string };
  readonly state: 'accepted' | 'started' | 'ended' | 'reported' | 'dropped';
  readonly nonce: string;
  readonly bodyHash: string;
  /** Null once it was reported: its texts are erased, and of its outcome the values. */
  readonly job: Job | null;
  /** The revision of our record on the bus. */
  readonly revision: number | null;
  /** How often its steps were begun: a job that ends its link five times is not tried again. */
  readonly attempts: number;
  readonly startedAt: number | null;
  readonly steps: readonly SentStep[];
  readonly outcome: Outcome | null;
}

/** What the host answered to a step. */
export type StepAnswer =
  | { readonly status: 'succeeded'; readonly value: unknown }
  | { readonly status: 'failed'; readonly code: string; readonly delivery: Outcome['delivery'] }
  /** No host, or the connection broke: the same key again tells. */
  | { readonly status: 'unreachable' };

/** A record as it was read. `null`: it cannot be read, or its signature is wrong. */
export interface Read {
  readonly revision: number;
  readonly record: JobRecord | null;
}

export type Effect =
  /** Writes the record `running`, where there is none. */
  | { readonly do: 'claim' }
  | { readonly do: 'acknowledge' }
  | { readonly do: 'read' }
  /** Who would keep the keys now. */
  | { readonly do: 'identify' }
  | { readonly do: 'send'; readonly step: number; readonly key: string; readonly until: number }
  /** Writes the record `ended` at this revision; 0 where there is none, null whatever is there. */
  | { readonly do: 'report'; readonly expected: number | null; readonly outcome: Outcome }
  /** Changes the row, and nothing outside. */
  | { readonly do: 'note' }
  | { readonly do: 'rest' };

export type Answer =
  | { readonly of: 'write'; readonly wrote: number | 'taken' | 'unsure' }
  | { readonly of: 'read'; readonly read: Read | null | 'unsure' }
  | { readonly of: 'acknowledge' }
  | { readonly of: 'identify'; readonly keeper: string | null }
  | { readonly of: 'send'; readonly answer: StepAnswer }
  | { readonly of: 'note' };

/** What this process knows in addition to the ledger; a kill forgets it. */
export interface Situation {
  readonly row: Row;
  /** The queue's message is here and not acknowledged. */
  readonly hasMessage: boolean;
  /** The record must be read before the next write. */
  readonly mustRead: boolean;
  /** The record was read since the last step. */
  readonly hasLooked: boolean;
  readonly isCounted: boolean;
  /** The open step was perhaps sent before, by a process or over a connection that is gone. */
  readonly isDoubtful: boolean;
  readonly keeper: string | null;
  /** A bind step that the host has lost and gets again first, with this key. */
  readonly rebinding: { readonly step: number; readonly key: string } | null;
  /** It had been given up; its outcome is marked as late. */
  readonly isLate: boolean;
  /** How often the record was written over between our reading and our report. */
  readonly losses: number;
  /** The last answer was none: pause before the next effect. */
  readonly shouldPause: boolean;
  /** Why no further step is sent: an orchestrator's wish, or its card was revoked. */
  readonly stop: string | null;
}

const MOST_ATTEMPTS = 5;
const MOST_TRIES = 3;
/** Who writes over a record without end does not keep its machine from reporting. */
const MOST_LOSSES = 5;
/** A host keeps its keys for 24 hours. */
const KEY_MS = 23 * 3_600_000;
const BIND = 'bind-to-window';
/** What a host says after its restart to a key whose action was not delivered, and to an action after it forgot the window. */
const ENDED_HOST: ReadonlySet<string> = new Set(['cancelled', 'state_conflict']);
const NO_WINDOW = 'not_bound';

export const begin = (row: Row, hasMessage: boolean): Situation => ({
  row,
  hasMessage,
  // after a kill the claim or the report may be there already; reading first would only cost the usual case
  mustRead: false,
  hasLooked: false,
  isCounted: false,
  isDoubtful: true,
  keeper: null,
  rebinding: null,
  isLate: false,
  losses: 0,
  shouldPause: false,
  stop: null,
});

/** What must be done now. */
export function next(at: Situation, now: number): Effect {
  const { row } = at;
  switch (row.state) {
    case 'accepted':
      return at.mustRead ? { do: 'read' } : { do: 'claim' };
    case 'reported':
      // the server may have lost it: this machine alone knows the truth
      if (row.outcome !== null && !at.hasLooked) return { do: 'read' };
      return at.hasMessage ? { do: 'acknowledge' } : { do: 'rest' };
    case 'dropped':
      return at.hasMessage ? { do: 'acknowledge' } : { do: 'rest' };
    case 'ended':
      if (at.hasMessage) return { do: 'acknowledge' };
      if (at.mustRead || row.outcome === null) return { do: 'read' };
      return {
        do: 'report',
        expected: at.losses > MOST_LOSSES ? null : (row.revision ?? 0),
        outcome: at.isLate ? { ...row.outcome, late: true } : row.outcome,
      };
    case 'started':
      if (at.hasMessage) return { do: 'acknowledge' };
      return nextOfSteps(at, now);
  }
}

function nextOfSteps(at: Situation, now: number): Effect {
  const { row } = at;
  if (!at.isCounted || verdict(at, now) !== null) return { do: 'note' };
  if (at.keeper === null) return { do: 'identify' };
  const open = openStep(row);
  const sent = row.steps[open];
  const until = (row.startedAt ?? now) + (row.job?.runMs ?? 0);
  if (sent !== undefined && at.rebinding === null) return { do: 'send', step: open, key: sent.key, until };
  // the wish to cancel is in the record: a lost nudge costs one step
  if (!at.hasLooked) return { do: 'read' };
  if (at.rebinding !== null) return { do: 'send', ...at.rebinding, until };
  return { do: 'note' };
}

const openStep = (row: Row): number => {
  const open = row.steps.findIndex((step) => step.value === undefined);
  return open < 0 ? row.steps.length : open;
};

const valuesOf = ({ steps }: Row): unknown[] => steps.flatMap(({ value }) => (value === undefined ? [] : [value.of]));

/** With the nonce: a host that was in another fleet may still keep keys of a job of this name there, and would give its answers. */
const keyOf = ({ target, id, nonce }: Row, step: number): string => `fleet:${target}:${id}:${nonce}:${step}`;

/** How the job ends now, without another step; null if it continues. */
function verdict(at: Situation, now: number): Outcome | null {
  const { row } = at;
  const { job } = row;
  const step = openStep(row);
  const sent = row.steps[step];
  const values = valuesOf(row);
  const ends = (status: Outcome['status'], code: string): Outcome => {
    if (sent !== undefined) return { status: 'unknown', delivery: 'unknown', code, step, values };
    return { status, delivery: 'not_delivered', code, step, values };
  };
  if (job === null) return ends('failed', 'internal');
  if (step >= job.steps.length) return { status: 'succeeded', delivery: 'delivered', values };
  // a step that waits for its window to be bound again was not delivered
  if (at.stop !== null && (sent === undefined || at.rebinding !== null)) return cancelled(row, at.stop);
  if (sent === undefined && isOtherStore(at.keeper, row.steps[step - 1]?.keeper)) return ends('failed', 'other_host');
  if (row.attempts > MOST_ATTEMPTS) return ends('failed', 'poison');
  if (row.steps.length === 0 && now > job.notAfter) return ends('expired', 'expired');
  if (sent !== undefined && now - sent.sentAt > KEY_MS) return ends('unknown', 'key_expired');
  if (sent !== undefined && at.keeper !== null && at.keeper !== sent.keeper) return ends('unknown', 'other_host');
  // a step that was sent is asked for once more with its key, whatever the time
  if (sent === undefined && row.startedAt !== null && now > row.startedAt + job.runMs)
    return ends('failed', 'deadline_exceeded');
  return null;
}

/** With the same token, another host's store: what the job began is not there. */
function isOtherStore(keeper: string | null, before: string | undefined): boolean {
  const [[store, token], [was, had]] = [(keeper ?? '').split(' '), (before ?? '').split(' ')];
  return token !== undefined && token === had && store !== was;
}

const cancelled = (row: Row, code: string): Outcome => ({
  status: 'cancelled',
  delivery: 'not_delivered',
  code,
  step: openStep(row),
  values: valuesOf(row),
});

const ended = (at: Situation, outcome: Outcome): Situation => ({
  ...at,
  row: { ...at.row, state: 'ended', outcome },
});

/** The situation after the effect that `next` named. The row is written to the ledger before the next effect. */
export function learn(at: Situation, answer: Answer, now: number): Situation {
  const { row } = at;
  const settled = { ...at, shouldPause: false };
  switch (answer.of) {
    case 'write':
      if (typeof answer.wrote !== 'number')
        return { ...settled, mustRead: true, losses: at.losses + Number(answer.wrote === 'taken') };
      return row.state === 'ended' ? reported(settled, answer.wrote) : started(settled, answer.wrote, now, true);
    case 'acknowledge':
      return { ...settled, hasMessage: false };
    case 'identify':
      return { ...settled, keeper: answer.keeper, shouldPause: answer.keeper === null };
    case 'read':
      if (answer.read === 'unsure') return { ...at, shouldPause: true };
      if (row.state === 'accepted') return readToClaim(settled, answer.read, now);
      if (row.state === 'reported') return readAgain(settled, answer.read);
      return row.state === 'ended' ? readToReport(settled, answer.read) : readBetweenSteps(settled, answer.read);
    case 'send':
      return sent(settled, answer.answer, now);
    case 'note':
      return noted(settled, now);
  }
}

/** Its steps begin: that is counted with the claim. `hasLooked`: the record had no wish in it. */
const started = (at: Situation, revision: number, now: number, hasLooked: boolean): Situation => ({
  ...at,
  mustRead: false,
  hasLooked,
  isCounted: true,
  row: { ...at.row, state: 'started', revision, startedAt: now, attempts: 1 },
});

const reported = (at: Situation, revision: number): Situation => ({
  ...at,
  hasLooked: true,
  row: { ...at.row, state: 'reported', revision, job: null, steps: [], outcome: withoutValues(at.row.outcome) },
});

/** What is kept of an outcome: its values are a person's texts. */
const withoutValues = (outcome: Outcome | null): Outcome | null =>
  outcome === null || outcome.values.length === 0 ? outcome : { code: 'values_erased', ...outcome, values: [] };

/** The record of a job that was reported: told again where it is missing, or an orchestrator wrote over it. */
function readAgain(at: Situation, read: Read | null): Situation {
  const { nonce, abandoned } = read?.record ?? { nonce: null };
  const isLate = abandoned === true;
  if (nonce !== null && !(nonce === at.row.nonce && isLate)) return { ...at, hasLooked: true };
  return { ...at, isLate, row: { ...at.row, state: 'ended', revision: read?.revision ?? null } };
}

function readToClaim(at: Situation, read: Read | null, now: number): Situation {
  // The write without an answer did not arrive, or may still: the claim is tried again and only one can succeed.
  if (read === null) return { ...at, mustRead: false, shouldPause: true };
  const { record, revision } = read;
  if (record?.nonce === at.row.nonce && record.state === 'running') return started(at, revision, now, false);
  // Another's claim, a cancelled job or noise: never claimed over. A job that is replayed after noise on its record would run twice.
  return { ...at, mustRead: false, row: { ...at.row, state: 'dropped', job: null } };
}

function readToReport(at: Situation, read: Read | null): Situation {
  const row = { ...at.row, revision: read?.revision ?? null };
  if (read?.record?.nonce === row.nonce && read.record.state === 'ended' && read.record.abandoned === undefined)
    return reported({ ...at, mustRead: false }, read.revision);
  // A wish to cancel, noise, or a job that was given up: this machine alone knows the truth, and writes it there.
  return { ...at, mustRead: false, isLate: at.isLate || read?.record?.abandoned === true, row };
}

function readBetweenSteps(at: Situation, read: Read | null): Situation {
  const looked = { ...at, hasLooked: true, row: { ...at.row, revision: read?.revision ?? null } };
  const record = read?.record ?? null;
  if (record?.nonce !== at.row.nonce) return looked;
  if (record.cancel !== true && record.abandoned !== true) return looked;
  const isLate = record.abandoned === true;
  return ended({ ...looked, isLate }, cancelled(at.row, isLate ? 'abandoned' : 'cancelled'));
}

function noted(at: Situation, now: number): Situation {
  const { row } = at;
  if (!at.isCounted) return { ...at, isCounted: true, row: { ...row, attempts: row.attempts + 1 } };
  const outcome = verdict(at, now);
  if (outcome !== null) return ended(at, outcome);
  const step: SentStep = { key: keyOf(row, row.steps.length), sentAt: now, keeper: at.keeper ?? '', tries: 0 };
  return { ...at, hasLooked: false, isDoubtful: false, row: { ...row, steps: [...row.steps, step] } };
}

function sent(at: Situation, answer: StepAnswer, now: number): Situation {
  if (answer.status === 'unreachable') return { ...at, keeper: null, isDoubtful: true, shouldPause: true };
  const { row } = at;
  const open = openStep(row);
  const step = row.steps[open];
  if (step === undefined) return at;
  if (answer.status === 'succeeded') {
    if (at.rebinding !== null) return { ...at, rebinding: null };
    const steps = [...row.steps.slice(0, open), { ...step, value: { of: answer.value } }];
    // before the next step its host is asked again who it is: its user may have signed out
    const answered = { ...at, keeper: null, row: { ...row, steps } };
    const outcome = verdict(answered, now);
    return outcome === null ? answered : ended(answered, outcome);
  }
  const again =
    at.rebinding === null && answer.delivery === 'not_delivered' ? sentAgain(at, step, answer.code, now) : null;
  if (again !== null) return again;
  // a window that cannot be bound again leaves its step unsent
  const delivery = at.rebinding === null ? answer.delivery : 'not_delivered';
  if (at.stop !== null && delivery === 'not_delivered') return ended(at, cancelled(row, at.stop));
  const status = delivery === 'unknown' ? 'unknown' : 'failed';
  return ended(at, { status, delivery, code: answer.code, step: open, values: valuesOf(row) });
}

/** The host lost the step before its turn, or the window that the job had bound: once more with a new key. */
function sentAgain(at: Situation, step: SentStep, code: string, now: number): Situation | null {
  const { row } = at;
  if (at.stop !== null || step.tries >= MOST_TRIES || now > (row.startedAt ?? now) + (row.job?.runMs ?? 0)) return null;
  const open = openStep(row);
  const tries = step.tries + 1;
  const bound = row.steps.slice(0, open).findLastIndex((_, index) => row.job?.steps[index]?.action === BIND);
  // what a person cancelled is not sent again: without doubt nothing ended but the action
  const isLost = (ENDED_HOST.has(code) && at.isDoubtful) || (code === NO_WINDOW && bound >= 0);
  if (!isLost) return null;
  const steps = [...row.steps.slice(0, open), { ...step, key: `${keyOf(row, open)}:r${tries}`, tries }];
  return {
    ...at,
    hasLooked: false,
    rebinding: bound < 0 ? null : { step: bound, key: `${keyOf(row, bound)}:b${open}-${tries}` },
    row: { ...row, steps },
  };
}
