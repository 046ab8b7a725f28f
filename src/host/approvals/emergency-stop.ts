/** The emergency stop: on until it is released, also across restarts of the host, and for every host of the user. */
import { UiaHostError } from '../../contract/errors.ts';
import type { Store } from '../../store/client.ts';
import { attempt } from '../../contract/attempt.ts';

/** Where earlier versions kept it: in the database of one data directory. */
const EARLIER_KEY = 'emergency-stop';

/** Keeps the stop for the user, outside any data directory. Each call may throw. */
export interface StopMemory {
  /** Who pressed it; null if it is off. */
  readStop(): string | null;
  /** Returns when it is on the disk. */
  writeStop(by: string | null): void;
  /** Calls `changed` when another host of the user may have changed it. Returns what ends it. */
  watch(changed: () => void): () => void;
}

export class EmergencyStop {
  readonly #memory: StopMemory;
  #by: string | null;
  /** False for a stop that could not be written: what the memory says does not end it. */
  #isKept = true;

  private constructor(memory: StopMemory, by: string | null) {
    this.#memory = memory;
    this.#by = by;
  }

  /** The state that the user's last host left. Errors: those of the memory; no host may start without knowing it. */
  static async open(memory: StopMemory, meta: Store['meta']): Promise<EmergencyStop> {
    const earlier = await meta.get(EARLIER_KEY);
    if (earlier !== null) {
      if (memory.readStop() === null) memory.writeStop(earlier);
      await meta.set(EARLIER_KEY, null);
    }
    return new EmergencyStop(memory, memory.readStop());
  }

  /** Who pressed it; null if it is off. */
  get by(): string | null {
    return this.#by;
  }

  /**
   * On immediately; the first to press it is remembered. Resolves when the next host will find it. Errors: internal if it could
   * not be written; it is on nevertheless.
   */
  async press(by: string): Promise<void> {
    this.#by ??= by;
    this.#isKept = false;
    // The disk may be slow: the caller ends what runs first.
    await Promise.resolve();
    try {
      this.#memory.writeStop(this.#by);
      this.#isKept = true;
    } catch (cause) {
      // A full disk can refuse what the registry has taken already, and gives to the next host.
      this.#isKept = this.#isReadable();
      if (this.#isKept) return;
      throw new UiaHostError(
        'internal',
        'The emergency stop is on, but it could not be written to disk: after a restart of the host it would be off.',
        {
          cause,
          hint: 'Check the disk and the registry of this user, then press the stop again.',
        },
      );
    }
  }

  /** Off once that is on disk. Errors: those of the memory; it then stays on. */
  async release(): Promise<void> {
    this.#memory.writeStop(null);
    this.#by = null;
  }

  /** Follows the user's other hosts, in other sessions: `onPressed` carries their stop out here. Returns what ends it. */
  follow(onPressed: (by: string) => void, onReleased: () => void): () => void {
    return this.#memory.watch(() => {
      const by = this.#now();
      if (by === this.#by || !this.#isKept) return;
      if (by === null) {
        this.#by = null;
        onReleased();
      } else if (this.#by === null) onPressed(by);
    });
  }

  #isReadable(): boolean {
    return attempt(() => this.#memory.readStop() !== null, false);
  }

  /** What cannot be read counts as pressed. */
  #now(): string | null {
    return attempt(() => this.#memory.readStop(), this.#by ?? 'unknown');
  }
}
