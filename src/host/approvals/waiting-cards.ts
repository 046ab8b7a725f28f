/** The cards that wait for an answer, and their clocks. */
import type { ApprovalCard } from '../../contract/gate/approval.ts';
import type { UiaHostError } from '../../contract/errors.ts';
import type { Answer } from '../../policy/gate/index.ts';

export interface WaitingCard {
  card: ApprovalCard;
  /** The fields that are recorded in a different form from the one shown. */
  readonly written: Partial<ApprovalCard>;
  readonly tokenId: string;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: UiaHostError) => void;
  readonly timeoutMs: number;
  readonly createdAt: number;
  readonly signal: AbortSignal;
  readonly stopListening: () => void;
}

interface Clock {
  readonly waiting: WaitingCard;
  deadline: number;
  timer: NodeJS.Timeout;
  isSeen: boolean;
}

/** A card that waits behind others ends after this time at the latest, whether seen or not. */
const MAX_UNSEEN_MS = 30 * 60_000;

export class WaitingCards {
  readonly #clocks = new Map<string, Clock>();
  readonly #onExpired: (approvalId: string) => void;

  constructor(onExpired: (approvalId: string) => void) {
    this.#onExpired = onExpired;
  }

  get(approvalId: string): WaitingCard | undefined {
    return this.#clocks.get(approvalId)?.waiting;
  }

  all(): WaitingCard[] {
    return [...this.#clocks.values()].map(({ waiting }) => waiting);
  }

  /** `showsInTurn`: a surface shows one card at a time, so this card's time begins after the cards before it. */
  add(waiting: WaitingCard, showsInTurn: boolean): void {
    const { card, createdAt, timeoutMs } = waiting;
    this.#clocks.set(card.approvalId, {
      waiting,
      deadline: createdAt + timeoutMs,
      timer: this.#timer(card.approvalId, timeoutMs),
      isSeen: false,
    });
    if (showsInTurn) this.#outliveSeen();
  }

  /** Removes the card and stops its clock. Undefined if it has been answered already. */
  take(approvalId: string): WaitingCard | undefined {
    const clock = this.#clocks.get(approvalId);
    if (clock === undefined) return undefined;
    this.#clocks.delete(approvalId);
    clearTimeout(clock.timer);
    clock.waiting.stopListening();
    return clock.waiting;
  }

  /**
   * The card is visible now: its time begins, and those behind it get theirs after it. Undefined if that was already
   * known.
   */
  see(approvalId: string): WaitingCard | undefined {
    const clock = this.#clocks.get(approvalId);
    if (clock === undefined || clock.isSeen) return undefined;
    clock.isSeen = true;
    this.#setDeadline(clock, Date.now() + clock.waiting.timeoutMs);
    this.#outliveSeen();
    return clock.waiting;
  }

  /** Until the first of a token's cards ends without an answer. */
  secondsUntilOneEnds(tokenId: string | undefined): number {
    const ends = [...this.#clocks.values()]
      .filter(({ waiting }) => waiting.tokenId === tokenId)
      .map(({ deadline }) => deadline);
    return (Math.min(...ends, Date.now() + MAX_UNSEEN_MS) - Date.now()) / 1000;
  }

  #timer(approvalId: string, ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#onExpired(approvalId), Math.max(0, ms));
  }

  #setDeadline(clock: Clock, deadline: number): void {
    const { waiting } = clock;
    clearTimeout(clock.timer);
    clock.deadline = deadline;
    clock.timer = this.#timer(waiting.card.approvalId, deadline - Date.now());
    waiting.card = { ...waiting.card, expiresAt: new Date(deadline).toISOString() };
  }

  /** The time of a card that is not visible yet comes after that of the visible one. */
  #outliveSeen(): void {
    const clocks = [...this.#clocks.values()];
    const until = Math.max(...clocks.filter(({ isSeen }) => isSeen).map(({ deadline }) => deadline));
    if (!Number.isFinite(until)) return;
    for (const clock of clocks) {
      const { timeoutMs, createdAt } = clock.waiting;
      const deadline = Math.min(until + timeoutMs, createdAt + Math.max(MAX_UNSEEN_MS, timeoutMs));
      if (!clock.isSeen && deadline > clock.deadline) this.#setDeadline(clock, deadline);
    }
  }
}
