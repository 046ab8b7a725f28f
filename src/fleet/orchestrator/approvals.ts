/** Cards of a fleet for its approver: which wait, and the answers to them. */
import type { NatsConnection } from '@nats-io/transport-node';
import { digestOf, noteOf, questionOf, sealDecision } from '../bus/approval.ts';
import { hashOf } from '../bus/artifacts.ts';
import { decisionSubject, eventSubject, STREAM } from '../bus/names.ts';
import type { PolicyTrust } from '../bus/policy.ts';
import { eachNow, follow, type Stored } from '../bus/reading.ts';
import type { Signer } from '../bus/signed.ts';
import { FleetError } from './error.ts';
import type { FleetApproval, FleetApprovalChange } from './types.ts';

const CARDS = 'uia.v1.evt.*.*.approval';
/** No card waits longer. */
const LONGEST_MS = 24 * 3_600_000;
/** An answer that was lost on the way is sent again. */
const AGAIN_MS = 2000;

/** One seat has one job at a time. A seat that was stolen fills its own share alone. */
const MOST_CARDS = 200;

/** The cards of all seats, as their events tell: null for a card that has ended. */
class Cards {
  readonly #trust: PolicyTrust;
  readonly #seats = new Map<string, Map<string, FleetApproval | null>>();

  constructor(trust: PolicyTrust) {
    this.#trust = trust;
  }

  /**
   * Null for what its seat did not sign, for a card that this version cannot show whole, and for what was told before: an event that
   * a stranger sends again brings no card back, and a link that was started again asks again.
   */
  take({ text, subject, sequence }: Stored): FleetApprovalChange | null {
    const seat = subject.split('.')[3] ?? '';
    const note = noteOf(text, seat, this.#trust, Date.now());
    if (note === null) return null;
    const { id: approvalId, asked, ended, answered } = note;
    const known = this.#seats.get(seat)?.get(approvalId);
    if (known === null) return null;
    if (ended === true || answered?.refused === null) return this.#learn({ seat, approvalId, approval: null });
    const question = asked === undefined ? null : questionOf(asked.question, approvalId);
    if (asked === undefined || question === null || !isOpen(question)) return null;
    const digest = digestOf(question);
    if (known?.digest === digest) return null;
    return this.#learn({ seat, approvalId, approval: { seat, job: asked.job, digest, question, sequence } });
  }

  #learn(change: FleetApprovalChange): FleetApprovalChange {
    const { seat, approvalId, approval } = change;
    const cards = this.#seats.get(seat) ?? new Map<string, FleetApproval | null>();
    this.#seats.set(seat, cards.set(approvalId, approval));
    const [oldest] = cards.keys();
    if (cards.size > MOST_CARDS && oldest !== undefined) cards.delete(oldest);
    return change;
  }

  waiting(): FleetApproval[] {
    return [...this.#seats.values()].flatMap((cards) =>
      [...cards.values()].filter((card): card is FleetApproval => card !== null && isOpen(card.question)),
    );
  }
}

const isOpen = ({ card }: FleetApproval['question']): boolean => Date.parse(card.expiresAt) > Date.now();

/** The cards that wait, and where to read on. Errors: Unanswered. */
async function readCards(nc: NatsConnection, trust: PolicyTrust) {
  await trust.follow(nc);
  const cards = new Cards(trust);
  let from: number | Date = new Date(Date.now() - LONGEST_MS);
  await eachNow(nc, { stream: STREAM.events, filter: CARDS, from }, (stored) => {
    from = stored.sequence;
    cards.take(stored);
  });
  return { cards, from };
}

/** Errors: Unanswered. */
export const waitingApprovals = async (nc: NatsConnection, trust: PolicyTrust): Promise<FleetApproval[]> =>
  (await readCards(nc, trust)).cards.waiting();

/** Cards that wait, each that comes, and the end of each, until the signal. */
export async function* followApprovals(
  nc: NatsConnection,
  trust: PolicyTrust,
  signal: AbortSignal,
): AsyncGenerator<FleetApprovalChange, void, undefined> {
  const { cards, from } = await readCards(nc, trust);
  for (const approval of cards.waiting())
    yield { seat: approval.seat, approvalId: approval.question.card.approvalId, approval };
  for await (const stored of follow(nc, STREAM.events, CARDS, { from, signal })) {
    await trust.follow(nc);
    const change = cards.take(stored);
    if (change !== null) yield change;
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
    const text = sealDecision(seat, question, { ...given, now: Date.now() }, given.signer);
    sent.add(hashOf(Buffer.from(text)));
    if (!nc.isClosed()) nc.publish(decisionSubject(seat), text);
  };
  const over = AbortSignal.timeout(Math.max(0, Date.parse(expiresAt) - Date.now()) + AGAIN_MS);
  const signal = AbortSignal.any([given.signal, over]);
  const again = setInterval(send, AGAIN_MS);
  try {
    send();
    const subject = eventSubject(seat, approvalId, 'approval');
    for await (const { text } of follow(nc, STREAM.events, subject, { from: sequence, signal })) {
      const answered = noteOf(text, seat, trust, Date.now())?.answered;
      if (answered === undefined || !sent.has(answered.of)) continue;
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
