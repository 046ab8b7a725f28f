import type { ApprovalCard } from '../../contract/approval.ts';
import type { CardPixels } from './protocol.ts';

/** A card that waits for its person. */
export interface CardEntry {
  readonly card: ApprovalCard;
  pixels: CardPixels | null;
}

/** Cards in the order in which they came; the first is shown. */
export class CardQueue {
  readonly #entries: CardEntry[] = [];

  get current(): CardEntry | null {
    return this.#entries[0] ?? null;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** `1 of 3`; nothing for a single card. */
  get position(): string {
    return this.#entries.length > 1 ? `1 of ${this.#entries.length}` : '';
  }

  add(card: ApprovalCard): void {
    if (this.find(card.approvalId) === null) this.#entries.push({ card, pixels: null });
  }

  find(approvalId: string): CardEntry | null {
    return this.#entries.find(({ card }) => card.approvalId === approvalId) ?? null;
  }

  /** Whether it was there. */
  remove(approvalId: string): boolean {
    const index = this.#entries.findIndex(({ card }) => card.approvalId === approvalId);
    if (index < 0) return false;
    this.#entries.splice(index, 1);
    return true;
  }
}
