// The pictures that resources/list shows: those of a session's latest answers.
import type { Caller } from '../host/face/caller.ts';

export interface ListedPicture {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

const KEPT_PICTURES = 20;
const KEPT_SESSIONS = 100;

/**
 * For each token's session, the latest pictures that a tool answered with, newest first. Forgotten when the host ends.
 */
export class RecentPictures {
  readonly #bySession = new Map<string, ListedPicture[]>();

  add(caller: Pick<Caller, 'tokenId' | 'session'>, pictures: readonly ListedPicture[]): void {
    if (pictures.length === 0) return;
    const key = keyOf(caller);
    const others = (this.#bySession.get(key) ?? []).filter(({ uri }) => pictures.every((each) => each.uri !== uri));
    // Put last: the first of the map is the session that was used longest ago.
    this.#bySession.delete(key);
    this.#bySession.set(key, [...pictures.toReversed(), ...others].slice(0, KEPT_PICTURES));
    const [oldest] = this.#bySession.keys();
    if (this.#bySession.size > KEPT_SESSIONS && oldest !== undefined) this.#bySession.delete(oldest);
  }

  of(caller: Pick<Caller, 'tokenId' | 'session'>): readonly ListedPicture[] {
    return this.#bySession.get(keyOf(caller)) ?? [];
  }
}

const keyOf = ({ tokenId, session }: Pick<Caller, 'tokenId' | 'session'>): string => JSON.stringify([tokenId, session]);
