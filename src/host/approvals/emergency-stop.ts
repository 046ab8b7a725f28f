/** The emergency stop: on until it is released, also across restarts of the host. */
import { UiaHostError } from '../../contract/errors.ts';
import type { Store } from '../../store/client.ts';

const KEY = 'emergency-stop';

export class EmergencyStop {
  readonly #meta: Store['meta'];
  #by: string | null;

  private constructor(meta: Store['meta'], by: string | null) {
    this.#meta = meta;
    this.#by = by;
  }

  /** The state that the last host of this database left. */
  static async open(meta: Store['meta']): Promise<EmergencyStop> {
    return new EmergencyStop(meta, await meta.get(KEY));
  }

  /** Who pressed it; null if it is off. */
  get by(): string | null {
    return this.#by;
  }

  /**
   * On immediately; the first to press it is remembered. Resolves when that is on disk. Errors: internal if it could
   * not be written; it is on nevertheless.
   */
  async press(by: string): Promise<void> {
    this.#by ??= by;
    try {
      await this.#meta.set(KEY, this.#by);
    } catch (cause) {
      throw new UiaHostError(
        'internal',
        'The emergency stop is on, but it could not be written to disk: after a restart of the host it would be off.',
        {
          cause,
          hint: 'Check the disk of the data directory, then press the stop again.',
        },
      );
    }
  }

  /** Off once that is on disk. Errors: those of the store; it then stays on. */
  async release(): Promise<void> {
    await this.#meta.set(KEY, null);
    this.#by = null;
  }
}
