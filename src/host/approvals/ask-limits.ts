/**
 * How much an agent may ask of a person: a limited number of cards at a time, and none after a person has denied them
 * all or repeatedly.
 */
import { UiaHostError } from '../../contract/errors.ts';
import type { AskPause } from '../../contract/gate/approval.ts';

/**
 * Number of cards of one session that may wait at a time: a person reads them one by one, and a plan shows many steps
 * on one card.
 */
export const MOST_OPEN_OF_SESSION = 5;
/** The same for all sessions of one token, since clients choose session names. */
export const MOST_OPEN_OF_TOKEN = 20;
/** Sessions of the computer-use protocol end after this many denials; a token is paused, whatever sessions it names. */
const DENIALS_THAT_PAUSE = 3;
const REST_MS = 10 * 60_000;
/** An agent may continue under another session name: after this many sessions its whole token is denied. */
const SESSIONS_THAT_PAUSE_A_TOKEN = 3;
const tokenOf = (owner: string): string => owner.split('/', 1)[0] ?? owner;
const isSession = (owner: string): boolean => owner.includes('/');

/** Open cards, by session and token. */
export class OpenCards {
  readonly #counts = new Map<string, number>();

  /**
   * Reserves a place for one more card; the returned function frees it. `secondsUntilOneEnds`: until the first of the
   * owner’s cards ends without an answer.
   * Errors: rate_limited.
   */
  take(owner: string, secondsUntilOneEnds: () => number): () => void {
    const keys = [owner, tokenOf(owner)];
    const full =
      this.#of(owner) >= MOST_OPEN_OF_SESSION
        ? `${MOST_OPEN_OF_SESSION} cards of this session`
        : this.#of(tokenOf(owner)) >= MOST_OPEN_OF_TOKEN
          ? `${MOST_OPEN_OF_TOKEN} cards of this token`
          : null;
    if (full !== null) {
      const wait = Math.max(1, Math.ceil(secondsUntilOneEnds()));
      throw new UiaHostError(
        'rate_limited',
        `${full} already wait for a person, which is the limit; nothing was asked or done.`,
        {
          hint: `Wait until one of them is answered, at most ${wait} s, or ask for several steps as one plan (batch with approveAsPlan).`,
          retryAfterSeconds: wait,
        },
      );
    }
    for (const key of keys) this.#counts.set(key, this.#of(key) + 1);
    return () => {
      for (const key of keys) {
        const left = this.#of(key) - 1;
        if (left <= 0) this.#counts.delete(key);
        else this.#counts.set(key, left);
      }
    };
  }

  #of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

/**
 * Agents whose requests are refused without asking: a person denied all of them, or three in a row. Kept in memory, so
 * it ends with the host.
 */
export class AskPauses {
  readonly #pauses = new Map<string, { readonly pause: AskPause; readonly until: number }>();
  readonly #denials = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  list(): AskPause[] {
    return [...this.#pauses.keys()].flatMap((owner) => this.#find(owner) ?? []);
  }

  /** Errors: approval_denied. */
  assertMayAsk(owner: string): void {
    const pause = this.#find(owner) ?? this.#find(tokenOf(owner));
    if (pause === null) return;
    throw new UiaHostError(
      'approval_denied',
      pause.reason === 'denied-all'
        ? `A person denied everything that this agent requests (${pause.owner}), so no card was shown; nothing was done.`
        : `The last ${DENIALS_THAT_PAUSE} cards of this agent (${pause.owner}) were denied or not answered, so no card was shown; nothing was done.`,
      {
        hint: `Stop asking and inform the person. The pause lasts ${pause.until === null ? '' : `until ${pause.until}, or `}until a person lifts it (\`uiahost approvals lift ${pause.owner}\`)${isSession(pause.owner) ? ' or the session ends' : ''}.`,
      },
    );
  }

  /** A session, or a token with all its sessions. */
  denyAll(owner: string): AskPause {
    const pause = this.#pause(owner, 'denied-all', null);
    const sessions = this.list().filter(
      (each) => each.reason === 'denied-all' && isSession(each.owner) && tokenOf(each.owner) === tokenOf(owner),
    );
    return sessions.length >= SESSIONS_THAT_PAUSE_A_TOKEN ? this.#pause(tokenOf(owner), 'denied-all', null) : pause;
  }

  /** Counts a person’s answer, or the lack of one by the deadline. Returns the pause of the token that follows from it, or null. */
  count(owner: string, isDenial: boolean): AskPause | null {
    const token = tokenOf(owner);
    // “Deny all” is one answer, whatever number of cards it ends.
    if (this.#find(owner) !== null || this.#find(token) !== null) return null;
    const denials = isDenial ? (this.#denials.get(token) ?? 0) + 1 : 0;
    this.#denials.set(token, denials % DENIALS_THAT_PAUSE);
    return denials < DENIALS_THAT_PAUSE ? null : this.#pause(token, 'denials', this.#now() + REST_MS);
  }

  /** Ends a pause; for a token, also those of all its sessions. False if nothing was paused. */
  lift(owner: string): boolean {
    const lifted = [...this.#pauses.keys()].filter(
      (each) => each === owner || (!isSession(owner) && tokenOf(each) === owner),
    );
    for (const each of lifted) this.forget(each);
    return lifted.length > 0;
  }

  /** The session has ended. */
  forget(owner: string): void {
    this.#pauses.delete(owner);
    this.#denials.delete(owner);
  }

  #pause(owner: string, reason: AskPause['reason'], until: number | null): AskPause {
    const pause: AskPause = {
      owner,
      reason,
      since: new Date(this.#now()).toISOString(),
      until: until === null ? null : new Date(until).toISOString(),
    };
    this.#pauses.set(owner, { pause, until: until ?? Infinity });
    return pause;
  }

  #find(owner: string): AskPause | null {
    const found = this.#pauses.get(owner);
    if (found === undefined) return null;
    if (found.until > this.#now()) return found.pause;
    this.#pauses.delete(owner);
    return null;
  }
}
