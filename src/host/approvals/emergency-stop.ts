/**
 * The emergency stop: on until a person's answer releases it, also across restarts of the host, and for every host of the
 * user. It is kept in two places, for the user and with the host: either one stops, and what is gone from one is put back.
 */
import { UiaHostError } from '../../contract/errors.ts';
import type { Store } from '../../store/client.ts';
import { attempt } from '../../contract/attempt.ts';

/** The host's own place: its database. */
const OWN_KEY = 'emergency-stop';
/** What a release leaves for the user: absence is none, since any program can remove a value. */
const RELEASED = '';

/** Keeps the stop for the user, outside any data directory. Each call may throw. */
export interface StopMemory {
  /** Who pressed it; empty once a host released it, null if nothing is kept. */
  readStop(): string | null;
  /** Returns when it is on the disk. */
  writeStop(by: string): void;
  /** Calls `changed` when another program of the user may have changed it. Returns what ends it. */
  watch(changed: () => void): () => void;
}

export class EmergencyStop {
  readonly #memory: StopMemory;
  readonly #own: Pick<Store['meta'], 'get' | 'set'>;
  #by: string | null;
  /** The user's place as it was looked at last, so that one difference is reported once. */
  #seen: string | null | undefined;

  private constructor(memory: StopMemory, own: Pick<Store['meta'], 'get' | 'set'>, by: string | null) {
    this.#memory = memory;
    this.#own = own;
    this.#by = by;
  }

  /** The stricter of both places. Errors: theirs; no host may start without knowing it. */
  static async open(memory: StopMemory, own: Pick<Store['meta'], 'get' | 'set'>): Promise<EmergencyStop> {
    const [kept, users] = [await own.get(OWN_KEY), memory.readStop()];
    const by = users === RELEASED ? kept : (users ?? kept);
    if (kept === null && by !== null) await own.set(OWN_KEY, by);
    return new EmergencyStop(memory, own, by);
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
    const first = (this.#by ??= by);
    // The user's place decides for the next host, whatever becomes of this one.
    const kept = this.#own.set(OWN_KEY, first).catch(() => {});
    // The disk may be slow: the caller ends what runs first.
    await Promise.resolve();
    try {
      this.#memory.writeStop(first);
    } catch (cause) {
      // A full disk can refuse what the registry has taken already, and gives to the next host.
      if (!attempt(() => Boolean(this.#memory.readStop()), false))
        throw new UiaHostError(
          'internal',
          'The emergency stop is on, but it could not be written to disk: after a restart of the host it would be off.',
          {
            cause,
            hint: 'Check the disk and the registry of this user, then press the stop again.',
          },
        );
    }
    await kept;
  }

  /** Call it for a person's answer alone. Off once that is on disk. Errors: those of both places; it then stays on. */
  async release(): Promise<void> {
    const by = this.#by;
    this.#by = null;
    try {
      this.#memory.writeStop(RELEASED);
      await this.#own.set(OWN_KEY, null);
    } catch (error) {
      await this.press(by ?? 'unknown').catch(() => {});
      throw error;
    }
  }

  /**
   * Follows the user's place, from now on: `onPressed` carries out the stop of another host. Nothing there releases this
   * host; what was removed is put back, and `onDiffers` is called. Returns what ends it.
   */
  follow(onPressed: (by: string) => void, onDiffers: (how: 'removed' | 'released') => void): () => void {
    const look = (): void => {
      // What cannot be read counts as pressed.
      const users = attempt(() => this.#memory.readStop(), this.#by ?? 'unknown');
      const isNews = users !== this.#seen;
      this.#seen = users;
      if (this.#by === null) {
        if (users !== null && users !== RELEASED) onPressed(users);
      } else if (isNews && (users === null || users === RELEASED)) {
        const by = this.#by;
        // A release that another host wrote stays: two hosts that put it back would stop each other without end.
        if (users === null) this.#seen = attempt(() => (this.#memory.writeStop(by), by), null);
        onDiffers(users === null ? 'removed' : 'released');
      }
    };
    look();
    return this.#memory.watch(look);
  }
}
