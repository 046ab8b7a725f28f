/** Refs (`e12`) and the observations that issued them. No Windows calls. */
import type { ElementQuery } from '../../../contract/element/element.ts';
import { ITEMS } from '../../../contract/element/control-types.ts';
import type { ObservationGeometry } from '../../../contract/element/geometry.ts';
import type { SnapshotView } from '../tree/snapshot-nodes.ts';
import type { Line, Sent } from '../tree/snapshot-text.ts';
import type { Locator, TreeNode } from '../tree/tree.ts';

/** What a ref stands for. */
export interface RefEntry {
  readonly ref: string;
  /** The observed window. */
  readonly root: number;
  readonly identity: string;
  /** The name of an item whose provider gives its place as its identity: another item may take it. */
  readonly named: string | null;
  /** Where it was last seen; the identity decides whether what is found there is still the same element. */
  locator: Locator;
  /** How it looked when it was last seen, for messages. */
  description: string;
  /** Counts what its book has seen: the higher, the later. */
  seen: number;
}

/** What one snapshot reported. */
export interface Observation {
  readonly observationId: string;
  readonly geometry: ObservationGeometry;
  /** All its elements, untruncated: the baseline for `since`. */
  readonly elements: readonly Line[];
  /** What was to be sent, untruncated: the elements or the differences. A cursor continues here. */
  readonly sent: readonly Sent[];
  readonly partial: boolean;
  /** What it shows of the tree: differences from it show the same. */
  readonly view: SnapshotView;
  /** The element that it shows alone, with what is in it; absent: the window with its popups. */
  readonly within?: ElementQuery;
  /** Text below the elements: the host's words, not the window's. */
  readonly note?: string;
  /** What the marks of unknown things in it mean. */
  readonly marks?: string;
}

const OBSERVATIONS_KEPT = 8;
/** Limits the memory of a host that runs for weeks; an element not seen while this many others were gets a new ref. */
const REFS_KEPT = 200_000;
/** With more, this share of them, those not seen for longest, is forgotten at a time. */
const FORGOTTEN_SHARE = 0.1;

/** Workers that number refs at the same time: each takes its own blocks of numbers. */
const PLACES = 8;
/** Numbers in a block: with one worker, the refs of a window follow each other. */
const BLOCK = 1000;

/**
 * Numbers the refs of all owners. No number is reused in a host's life: it starts at the host's value, and a new worker
 * continues after the highest number of the previous one. Workers that run at the same time differ in their place, from 0
 * to 7: every eighth block of numbers belongs to it.
 */
export class RefCounter {
  readonly #place: number;
  #next: number;

  constructor(base: number, place = 0) {
    this.#place = place;
    this.#next = this.#own(Math.max(1, Math.floor(base)));
  }

  take(): number {
    const taken = this.#next;
    this.#next = this.#own(taken + 1);
    return taken;
  }

  /** The number itself, or the first one after it that belongs to this place. */
  #own(number: number): number {
    const block = Math.floor(number / BLOCK);
    const ahead = (this.#place - (block % PLACES) + PLACES) % PLACES;
    return ahead === 0 ? number : (block + ahead) * BLOCK;
  }

  /** The next number. */
  get next(): number {
    return this.#next;
  }
}

type Named = Pick<TreeNode, 'identity' | 'locator' | 'controlType' | 'name' | 'children'>;

/**
 * What identifies an item besides its RuntimeId, which in many providers is its place: after rows are sorted, inserted
 * or deleted another item has it. Null for everything else.
 */
export function placedName({ controlType, locator, name, children }: Named): string | null {
  if (!ITEMS.has(controlType) || locator.kind !== 'uia') return null;
  return name === '' ? (children.find((child) => child.name !== '')?.name ?? '') : name;
}

/** The refs of one owner. An element keeps its ref while its identity keeps being seen. */
export class RefBook {
  readonly #counter: RefCounter;
  readonly #byRef = new Map<string, RefEntry>();
  /** By window and identity. */
  readonly #byIdentity = new Map<number, Map<string, RefEntry>>();
  #clock = 0;
  readonly #observations = new Map<number, Map<string, Observation>>();

  constructor(counter: RefCounter) {
    this.#counter = counter;
  }

  /** The element's ref; a new one if it was not seen before. */
  refFor(root: number, node: Named, description: string): string {
    const entry = this.see(root, node);
    entry.description = description;
    return entry.ref;
  }

  /** What the element's ref stands for; a new one has no description yet. */
  see(root: number, node: Named): RefEntry {
    const { identity, locator } = node;
    const named = placedName(node);
    const known = this.#byIdentity.get(root)?.get(identity);
    if (known !== undefined && known.named === named) {
      known.locator = locator;
      known.seen = this.#clock += 1;
      return known;
    }
    const ref = `e${this.#counter.take()}`;
    const entry: RefEntry = { ref, root, identity, named, locator, description: '', seen: (this.#clock += 1) };
    this.#add(entry);
    if (this.#byRef.size > REFS_KEPT) {
      const bySight = [...this.#byRef.values()].sort((one, other) => one.seen - other.seen);
      for (const oldest of bySight.slice(0, Math.ceil(REFS_KEPT * FORGOTTEN_SHARE))) this.#remove(oldest);
    }
    return entry;
  }

  #add(entry: RefEntry): void {
    this.#byRef.set(entry.ref, entry);
    let ofWindow = this.#byIdentity.get(entry.root);
    if (ofWindow === undefined) this.#byIdentity.set(entry.root, (ofWindow = new Map()));
    ofWindow.set(entry.identity, entry);
  }

  #remove({ ref, root, identity }: RefEntry): void {
    this.#byRef.delete(ref);
    const ofWindow = this.#byIdentity.get(root);
    if (ofWindow?.get(identity)?.ref === ref) ofWindow.delete(identity);
    if (ofWindow?.size === 0) this.#byIdentity.delete(root);
  }

  entry(ref: string): RefEntry | undefined {
    return this.#byRef.get(ref);
  }

  /** Keeps it as the latest of this window and drops the ninth oldest. */
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
