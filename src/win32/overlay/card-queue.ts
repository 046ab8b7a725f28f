/** The cards that wait for their person, and whose turn it is to be shown. */
import type { ApprovalCard } from '../../contract/approval.ts';
import type { CardPixels } from './protocol.ts';

/** A card that waits for its person. */
export interface CardEntry {
  card: ApprovalCard;
  pixels: CardPixels | null;
  /** How long it waits in all, once that is known. */
  totalMs: number | null;
}

/** The host’s own cards have turns like an agent’s. */
const HOST = '';
const ownerOf = ({ card }: CardEntry): string => card.owner ?? HOST;
const tokenOf = (entry: CardEntry): string => ownerOf(entry).split('/', 1)[0] ?? HOST;

/**
 * The card that is shown stays until it is over. Then it is the turn of whoever was shown longest ago: of the tokens first, whose
 * sessions are theirs to name, then of its sessions, then of their oldest card. So one that asks much keeps nobody else waiting
 * longer than one card.
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

  /** `1 of 3`; nothing for a single card. */
  get position(): string {
    return this.#entries.length > 1 ? `1 of ${this.#entries.length}` : '';
  }

  add(card: ApprovalCard): void {
    if (this.find(card.approvalId) !== null) return;
    this.#entries.push({ card, pixels: null, totalMs: null });
    this.#choose();
  }

  find(approvalId: string): CardEntry | null {
    return this.#entries.find(({ card }) => card.approvalId === approvalId) ?? null;
  }

  /** Whether it was there. */
  remove(approvalId: string): boolean {
    return this.#take(({ card }) => card.approvalId === approvalId);
  }

  /** All cards of an agent: a person has denied everything of it. */
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
    // Sorting keeps the order of arrival among equals.
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
