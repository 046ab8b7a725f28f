/** The cards that wait for a decision, and which one is shown next. */
import type { ApprovalCard } from '../../contract/gate/approval.ts';
import type { CardPixels } from './protocol.ts';

/** A card that waits for a decision. */
export interface CardEntry {
  card: ApprovalCard;
  pixels: CardPixels | null;
  /** Its whole waiting time, once known. */
  totalMs: number | null;
}

/** The host’s own cards take turns like an agent’s. */
const HOST = '';
const ownerOf = ({ card }: CardEntry): string => card.owner ?? HOST;
const tokenOf = (entry: CardEntry): string => ownerOf(entry).split('/', 1)[0] ?? HOST;

/**
 * The shown card stays until it is decided or expires. Next is the token that was shown least recently, then its session that
 * was shown least recently (a token may have any number), then that session's oldest card. So an agent with many cards
 * delays another by one card at most.
 */
export class CardQueue {
  readonly #entries: CardEntry[] = [];
  readonly #turns = new Map<string, number>();
  #turn = 0;
  #current: CardEntry | null = null;

  get current(): CardEntry | null {
    return this.#current;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** `1/3`; empty for a single card. */
  get position(): string {
    return this.#entries.length > 1 ? `1/${this.#entries.length}` : '';
  }

  add(card: ApprovalCard): void {
    if (this.find(card.approvalId) !== null) return;
    this.#entries.push({ card, pixels: null, totalMs: null });
    this.#choose();
  }

  find(approvalId: string): CardEntry | null {
    return this.#entries.find(({ card }) => card.approvalId === approvalId) ?? null;
  }

  /** False if it was not in the queue. */
  remove(approvalId: string): boolean {
    return this.#take(({ card }) => card.approvalId === approvalId);
  }

  /** Removes all cards of an agent, which a person has denied together. */
  removeOwner(owner: string): boolean {
    return this.#take(({ card }) => card.owner === owner);
  }

  #take(which: (entry: CardEntry) => boolean): boolean {
    const before = this.#entries.length;
    this.#entries.splice(0, before, ...this.#entries.filter((entry) => !which(entry)));
    if (this.#current !== null && which(this.#current)) this.#current = null;
    this.#choose();
    return this.#entries.length < before;
  }

  #choose(): void {
    if (this.#entries.length === 0) this.#turns.clear();
    if (this.#current !== null || this.#entries.length === 0) return;
    const last = (key: string): number => this.#turns.get(key) ?? 0;
    // The sort is stable: the order of arrival decides among equals.
    const [next] = this.#entries.toSorted(
      (one, other) =>
        last(tokenOf(one)) - last(tokenOf(other)) || last(`owner ${ownerOf(one)}`) - last(`owner ${ownerOf(other)}`),
    );
    if (next === undefined) return;
    this.#current = next;
    this.#turn += 1;
    this.#turns.set(tokenOf(next), this.#turn);
    this.#turns.set(`owner ${ownerOf(next)}`, this.#turn);
  }
}
