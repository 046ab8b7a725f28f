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
  /** How long it waits in all: longer than `timeoutMs` where a surface allows it. */
  readonly waitMs: number;
  readonly createdAt: number;
  readonly signal: AbortSignal;
  readonly stopListening: () => void;
}

interface Clock {
  readonly waiting: WaitingCard;
  /** The end of its time on surfaces that show one card at a time. */
  deadline: number;
  timer: NodeJS.Timeout;
  isSeen: boolean;
  /** Its time there is over; it waits on the others. */
  isTakenDown: boolean;
}

const endOf = ({ deadline, waiting: { createdAt, waitMs } }: Clock): number => Math.max(deadline, createdAt + waitMs);

/** A card that waits behind others ends after this time at the latest, whether seen or not. */
const MAX_UNSEEN_MS = 30 * 60_000;

export class WaitingCards {
  readonly #clocks = new Map<string, Clock>();
  readonly #onExpired: (approvalId: string) => void;
  readonly #onTakenDown: (approvalId: string) => void;

  /** `onTakenDown`: the card's time on surfaces that show one card at a time is over, and it continues to wait. */
  constructor(onExpired: (approvalId: string) => void, onTakenDown: (approvalId: string) => void) {
    this.#onExpired = onExpired;
    this.#onTakenDown = onTakenDown;
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
      isTakenDown: false,
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
   * known. `until`: the end of its time there.
   */
  see(approvalId: string): { readonly waiting: WaitingCard; readonly until: string } | undefined {
    const clock = this.#clocks.get(approvalId);
    if (clock === undefined || clock.isSeen || clock.isTakenDown) return undefined;
    clock.isSeen = true;
    this.#setDeadline(clock, Date.now() + clock.waiting.timeoutMs);
    this.#outliveSeen();
    return { waiting: clock.waiting, until: new Date(clock.deadline).toISOString() };
  }

  /** Until the first of a token's cards ends without an answer. */
  secondsUntilOneEnds(tokenId: string | undefined): number {
    const ends = [...this.#clocks.values()].filter(({ waiting }) => waiting.tokenId === tokenId).map(endOf);
    return (Math.min(...ends, Date.now() + MAX_UNSEEN_MS) - Date.now()) / 1000;
  }

  #timer(approvalId: string, ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#timeIsOver(approvalId), Math.max(0, ms));
  }

  #timeIsOver(approvalId: string): void {
    const clock = this.#clocks.get(approvalId);
    if (clock === undefined) return;
    const left = endOf(clock) - Date.now();
    if (clock.isTakenDown || left <= 0) return this.#onExpired(approvalId);
    clock.isTakenDown = true;
    clock.timer = this.#timer(approvalId, left);
    this.#onTakenDown(approvalId);
  }

  #setDeadline(clock: Clock, deadline: number): void {
    const { waiting } = clock;
    clearTimeout(clock.timer);
    clock.deadline = deadline;
    clock.timer = this.#timer(waiting.card.approvalId, deadline - Date.now());
    waiting.card = { ...waiting.card, expiresAt: new Date(endOf(clock)).toISOString() };
  }

  /** The time of a card that is not visible yet comes after that of the visible one. */
  #outliveSeen(): void {
    const clocks = [...this.#clocks.values()].filter(({ isTakenDown }) => !isTakenDown);
    const until = Math.max(...clocks.filter(({ isSeen }) => isSeen).map(({ deadline }) => deadline));
    if (!Number.isFinite(until)) return;
    for (const clock of clocks) {
      const { timeoutMs, createdAt } = clock.waiting;
      const deadline = Math.min(until + timeoutMs, createdAt + Math.max(MAX_UNSEEN_MS, timeoutMs));
      if (!clock.isSeen && deadline > clock.deadline) this.#setDeadline(clock, deadline);
    }
  }
}
