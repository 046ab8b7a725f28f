/** The observations that points in image space refer to. */
import type { ObservationBook } from '../../actions/index.ts';
import { UiaHostError } from '../../contract/errors.ts';
import type { ObservationGeometry } from '../../contract/element/geometry.ts';
import { newId } from '../face/ids.ts';

/** docs/behaviour.md#snapshots: the last eight observations of a binding stay valid. */
const KEPT = 8;

/** Observations of one owner, oldest first. Emptied when the binding changes. */
export class Observations implements ObservationBook {
  readonly #kept = new Map<string, ObservationGeometry>();

  newId(): string {
    return newId('obs');
  }

  add(observationId: string, geometry: ObservationGeometry): void {
    this.#kept.delete(observationId);
    this.#kept.set(observationId, geometry);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
    }
  }

  get(observationId: string | undefined): ObservationGeometry {
    if (observationId === undefined) {
      const latest = this.latest();
      if (latest === null) {
        throw new UiaHostError(
          'state_conflict',
          'The coordinates are in image space, but there is no picture yet that they could refer to. Nothing was sent.',
          {
            hint: 'Take a screenshot or snapshot first and use its pixels, or say space: client or screen.',
          },
        );
      }
      return latest.geometry;
    }
    const geometry = this.#kept.get(observationId);
    if (geometry === undefined) {
      throw new UiaHostError(
        'invalid_argument',
        `The observation ${observationId} is unknown or older than the last ${KEPT}.`,
        {
          hint: 'Take a new screenshot or snapshot and use its observationId.',
        },
      );
    }
    return geometry;
  }

  latest(): { readonly observationId: string; readonly geometry: ObservationGeometry } | null {
    const [observationId, geometry] = [...this.#kept].at(-1) ?? [];
    return observationId === undefined || geometry === undefined ? null : { observationId, geometry };
  }

  /** The same observations, with the current latest one fixed as the latest. */
  asOfNow(): ObservationBook {
    const latest = this.latest();
    return {
      newId: () => this.newId(),
      add: (observationId, geometry) => this.add(observationId, geometry),
      get: (observationId) =>
        observationId === undefined && latest !== null ? latest.geometry : this.get(observationId),
      latest: () => latest ?? this.latest(),
    };
  }

  has(observationId: string): boolean {
    return this.#kept.has(observationId);
  }

  get isEmpty(): boolean {
    return this.#kept.size === 0;
  }

  clear(): void {
    this.#kept.clear();
  }
}
