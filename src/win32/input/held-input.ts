/** Keys and buttons that are held down. */
export interface HeldInput {
  readonly owner: string;
  /** Canonical key name or `mouse-left`. */
  readonly input: string;
  /** Window that received the message; null for real input. */
  readonly hwnd: string | null;
}

/**
 * What is held, for whom, and how to release it. The worker reports it to the host, so that the next worker can release
 * a killed worker's keys.
 */
export class HeldInputs {
  readonly #held = new Map<string, { readonly info: HeldInput; readonly release: () => void }>();
  readonly #onChange: () => void;

  /** `onChange` is called immediately: a process that outlives this one must know what is down. */
  constructor(onChange: () => void = () => {}) {
    this.#onChange = onChange;
  }

  add(info: HeldInput, release: () => void): void {
    this.#held.set(`${info.owner} ${info.hwnd ?? ''} ${info.input}`, { info, release });
    this.#onChange();
  }

  /** Forgets what was released by other means; true if it was held. */
  remove(owner: string, hwnd: string | null, input: string): boolean {
    const wasHeld = this.#held.delete(`${owner} ${hwnd ?? ''} ${input}`);
    if (wasHeld) this.#onChange();
    return wasHeld;
  }

  /** Releases everything, or everything of one owner, last pressed first. */
  releaseAll(owner?: string): number {
    const chosen = [...this.#held].filter(([, held]) => owner === undefined || held.info.owner === owner).reverse();
    for (const [key, held] of chosen) {
      this.#held.delete(key);
      held.release();
    }
    if (chosen.length > 0) this.#onChange();
    return chosen.length;
  }

  /** Releases one; 1 if it was held, else 0. */
  release(info: HeldInput): number {
    const key = `${info.owner} ${info.hwnd ?? ''} ${info.input}`;
    const held = this.#held.get(key);
    if (held === undefined) return 0;
    this.#held.delete(key);
    held.release();
    this.#onChange();
    return 1;
  }

  list(): HeldInput[] {
    return [...this.#held.values()].map((held) => held.info);
  }

  of(owner: string): HeldInput[] {
    return this.list().filter((held) => held.owner === owner);
  }
}
