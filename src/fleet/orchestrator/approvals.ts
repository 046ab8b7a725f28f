/** Cards of a fleet for its approver: which wait, and the answers to them. */
import type { NatsConnection } from '@nats-io/transport-node';
import { digestOf, noteOf, questionOf, sealDecision } from '../bus/approval.ts';
import { decisionSubject, eventSubject, STREAM } from '../bus/names.ts';
import type { PolicyTrust } from '../bus/policy.ts';
import { follow, readNow, type Stored } from '../bus/reading.ts';
import type { Signer } from '../bus/signed.ts';
import { FleetError } from './error.ts';
import type { FleetApproval, FleetApprovalChange } from './types.ts';

const CARDS = 'uia.v1.evt.*.*.approval';
/** No card waits longer. */
const LONGEST_MS = 24 * 3_600_000;
/** An answer that was lost on the way is sent again. */
const AGAIN_MS = 2000;

const since = (): Date => new Date(Date.now() - LONGEST_MS);

/** What an event of cards changes; null for what its seat did not sign, and for a card that this version cannot show whole. */
function changeOf({ text, subject, sequence }: Stored, trust: PolicyTrust): FleetApprovalChange | null {
  const seat = subject.split('.')[3] ?? '';
  const note = noteOf(text, seat, trust, Date.now());
  if (note === null) return null;
  const { id: approvalId, asked, ended, answered } = note;
  if (ended === true || answered?.refused === null) return { seat, approvalId, approval: null };
  const question = asked === undefined ? null : questionOf(asked.question, approvalId);
  if (asked === undefined || question === null) return null;
  return { seat, approvalId, approval: { seat, job: asked.job, digest: digestOf(question), question, sequence } };
}

/** The cards that wait, and where to read on. Errors: Unanswered. */
export async function waitingApprovals(nc: NatsConnection, trust: PolicyTrust) {
  await trust.follow(nc);
  const { values } = await readNow(nc, STREAM.events, CARDS, since());
  const changes = values.map((value) => changeOf(value, trust)).filter((change) => change !== null);
  const cardOf = ({ seat, approvalId }: FleetApprovalChange): string => `${seat}.${approvalId}`;
  // an event that a stranger sends again brings no card back
  const ended = new Set(changes.filter(({ approval }) => approval === null).map(cardOf));
  const waiting = changes.flatMap((change) =>
    change.approval === null || ended.has(cardOf(change)) ? [] : [change.approval],
  );
  const isOpen = ({ question }: FleetApproval): boolean => Date.parse(question.card.expiresAt) > Date.now();
  // a link that was started again asks again
  const each = new Map(waiting.filter(isOpen).map((approval) => [`${approval.seat} ${approval.digest}`, approval]));
  return { waiting: [...each.values()], from: values.at(-1)?.sequence ?? since() };
}

/** Cards that wait, each that comes, and the end of each, until the signal. */
export async function* followApprovals(
  nc: NatsConnection,
  trust: PolicyTrust,
  signal: AbortSignal,
): AsyncGenerator<FleetApprovalChange, void, undefined> {
  const { waiting, from } = await waitingApprovals(nc, trust);
  for (const approval of waiting)
    yield { seat: approval.seat, approvalId: approval.question.card.approvalId, approval };
  const told = new Set(waiting.map(({ digest }) => digest));
  for await (const stored of follow(nc, STREAM.events, CARDS, { from, signal })) {
    await trust.follow(nc);
    const change = changeOf(stored, trust);
    if (change === null) continue;
    const what = change.approval?.digest ?? `${change.seat}.${change.approvalId}`;
    if (!told.has(what)) yield change;
    told.add(what);
  }
}

/** Until the host has taken the answer. Errors: FleetError `answer_refused`, `unanswered`; the signal's reason. */
export async function decide(
  nc: NatsConnection,
  trust: PolicyTrust,
  { seat, question, sequence }: FleetApproval,
  given: {
    readonly decision: 'approve' | 'deny';
    readonly by: string;
    readonly signer: Signer;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { approvalId, expiresAt } = question.card;
  const sent = new Set<string>();
  const send = (): void => {
    const now = Date.now();
    sent.add(new Date(now).toISOString());
    if (!nc.isClosed())
      nc.publish(decisionSubject(seat), sealDecision(seat, question, { ...given, now }, given.signer));
  };
  const over = AbortSignal.timeout(Math.max(0, Date.parse(expiresAt) - Date.now()) + AGAIN_MS);
  const signal = AbortSignal.any([given.signal, over]);
  const again = setInterval(send, AGAIN_MS);
  try {
    send();
    const subject = eventSubject(seat, approvalId, 'approval');
    for await (const { text } of follow(nc, STREAM.events, subject, { from: sequence, signal })) {
      const answered = noteOf(text, seat, trust, Date.now())?.answered;
      if (answered === undefined || !sent.has(answered.at)) continue;
      if (answered.refused === null) return;
      throw new FleetError(
        'answer_refused',
        `The host did not count the answer to ${approvalId}: ${answered.refused}.`,
        'Look at the cards that wait now. Name and key in the policy of its machine must be this approver’s.',
      );
    }
  } finally {
    clearInterval(again);
  }
  given.signal.throwIfAborted();
  throw new FleetError(
    'unanswered',
    `No answer came from ${seat} until the end of ${approvalId}: whether the decision counted is not known.`,
    'See the outcome of its job, or the audit of its machine.',
  );
}
