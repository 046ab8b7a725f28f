/** Refs (`e12`) and the observations that gave them out. No Windows in here. */
import type { ObservationGeometry } from '../../contract/geometry.ts';
import type { Line } from './snapshot-text.ts';
import type { Locator } from './tree.ts';

/** What a ref stands for. */
export interface RefEntry {
  readonly ref: string;
  /** The window that the observation was of. */
  readonly root: number;
  readonly identity: string;
  /** Where it was last seen; the identity decides whether what is found there is still the same. */
  locator: Locator;
  /** What it looked like when it was last seen, for messages. */
  description: string;
}

/** What one snapshot said. */
export interface Observation {
  readonly observationId: string;
  readonly geometry: ObservationGeometry;
  /** Every element of it, uncut: what `since` compares with. */
  readonly elements: readonly Line[];
  /** What was sent, uncut: the elements, or the differences. A cursor goes on in here. */
  readonly sent: readonly string[];
  readonly partial: boolean;
  /** What is said below the text: the host's own words, not the window's. */
  readonly note?: string;
}

const OBSERVATIONS_KEPT = 8;
/** Bounds the memory of a host that runs for weeks; an element that was not seen for so many others is new when it is seen again. */
const REFS_KEPT = 200_000;

/**
 * Numbers refs for every owner. None is used twice in a host's life: it starts where the host says, and a new worker
 * starts past everything that the one before it gave out.
 */
export class RefCounter {
  #next: number;

  /** @param base the first number to give out, at least 1 */
  constructor(base: number) {
    this.#next = Math.max(1, Math.floor(base));
  }

  take(): number {
    return this.#next++;
  }

  /** The number that comes next. */
  get next(): number {
    return this.#next;
  }
}

/** The refs of one owner. An element keeps its ref as long as its identity is seen. */
export class RefBook {
  readonly #counter: RefCounter;
  readonly #byRef = new Map<string, RefEntry>();
  readonly #byIdentity = new Map<string, RefEntry>();
  readonly #observations = new Map<number, Map<string, Observation>>();

  constructor(counter: RefCounter) {
    this.#counter = counter;
  }

  /** The element's ref, a new one when it was not seen before. */
  refFor(root: number, identity: string, locator: Locator, description: string): string {
    const key = `${root} ${identity}`;
    const known = this.#byIdentity.get(key);
    if (known !== undefined) {
      known.locator = locator;
      known.description = description;
      this.#byIdentity.delete(key); // to the end: the map's order is the order of last sight
      this.#byIdentity.set(key, known);
      return known.ref;
    }
    const entry: RefEntry = { ref: `e${this.#counter.take()}`, root, identity, locator, description };
    this.#byRef.set(entry.ref, entry);
    this.#byIdentity.set(key, entry);
    if (this.#byIdentity.size > REFS_KEPT) {
      const oldest = this.#byIdentity.entries().next().value!;
      this.#byIdentity.delete(oldest[0]);
      this.#byRef.delete(oldest[1].ref);
    }
    return entry.ref;
  }

  entry(ref: string): RefEntry | undefined {
    return this.#byRef.get(ref);
  }

  /** Keeps it as the latest of this window; the ninth oldest goes. */
  keep(root: number, observation: Observation): void {
    let kept = this.#observations.get(root);
    if (kept === undefined) this.#observations.set(root, (kept = new Map()));
    kept.delete(observation.observationId);
    kept.set(observation.observationId, observation);
    while (kept.size > OBSERVATIONS_KEPT) kept.delete(kept.keys().next().value!);
  }

  observation(root: number, observationId: string): Observation | undefined {
    return this.#observations.get(root)?.get(observationId);
  }
}
