/** Which input was a person's, by the system's ticks. No Windows calls. */

/** Ticks between which the host sent input itself: what the system counts in that time is not a person's. */
export interface OwnInput {
  readonly from: number;
  readonly to: number;
}

/** A person's input matters for a second; no worker sends more often than this in that time. */
const KEPT = 64;

const isIn = (tick: number, { from, to }: OwnInput): boolean => tick >= from && tick <= to;

/** The last input of a person, among the inputs that the system reported. */
export class InputTimes {
  readonly #ours: OwnInput[] = [];
  /** Of a person, as far as is known; oldest first, each once. */
  #person: number[] = [];

  /** The system's last input has this tick. */
  seen(tick: number): void {
    if (this.#person.at(-1) !== tick && !this.#ours.some((own) => isIn(tick, own))) keep(this.#person, tick);
  }

  /** This worker sends input. What was seen before was a person's and stays one. */
  ours(own: OwnInput): void {
    keep(this.#ours, own);
  }

  /** Another worker sent input. Its report may come later than the system's. */
  oursElsewhere(own: OwnInput): void {
    keep(this.#ours, own);
    this.#person = this.#person.filter((tick) => !isIn(tick, own));
  }

  /** The tick of the last input that was not ours; null if none is known. */
  lastOfPerson(): number | null {
    return this.#person.at(-1) ?? null;
  }
}

function keep<T>(list: T[], entry: T): void {
  list.push(entry);
  if (list.length > KEPT) list.shift();
}
