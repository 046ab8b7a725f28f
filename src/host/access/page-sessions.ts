/**
 * Who may use the page: one-time codes, and the sessions that they open. A session needs two halves: a cookie, which no
 * script can read, and a key, which only this origin's own page sends. A cookie alone would do for any program that
 * listens on another port of this machine, since browsers keep cookies by host and not by port.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { UiaHostError } from '../../contract/errors.ts';
import type { PageScope, PageService } from '../face/host.ts';
import type { Tokens } from './token-service.ts';

/** A code is for the browser that is being opened. */
const CODE_MS = 60_000;
/** A page that was not used for this long has to be opened again. */
const IDLE_MS = 12 * 3_600_000;
const MOST_CODES = 16;
const MOST_SESSIONS = 32;

const secret = (): string => randomBytes(32).toString('base64url');
const hashOf = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

interface Code {
  readonly hash: Buffer;
  readonly tokenId: string;
  readonly scope: PageScope;
  readonly until: number;
}

interface PageSession {
  readonly cookie: Buffer;
  readonly key: Buffer;
  readonly tokenId: string;
  readonly scope: PageScope;
  usedAt: number;
  /** Streams of events that its page has open. */
  watching: number;
}

/** In memory only: a restarted host asks for a new link. */
export class PageSessions implements PageService {
  readonly #tokens: Pick<Tokens, 'endOf'>;
  readonly #now: () => number;
  #codes: Code[] = [];
  #sessions: PageSession[] = [];

  constructor(tokens: Pick<Tokens, 'endOf'>, now: () => number = Date.now) {
    this.#tokens = tokens;
    this.#now = now;
  }

  /** A code that opens the page once, within a minute. */
  code(tokenId: string, scope: PageScope): { code: string; expiresAt: string } {
    const code = secret();
    const until = this.#now() + CODE_MS;
    this.#codes = [
      ...this.#codes.filter((each) => each.until > this.#now()),
      { hash: hashOf(code), tokenId, scope, until },
    ];
    this.#codes = this.#codes.slice(-MOST_CODES);
    return { code, expiresAt: new Date(until).toISOString() };
  }

  /** Errors: unauthenticated for a code that is unknown, used or older than a minute. */
  open(code: string): { cookie: string; key: string; scope: PageScope } {
    const hash = hashOf(code);
    const found = this.#codes.find((each) => timingSafeEqual(each.hash, hash));
    this.#codes = this.#codes.filter((each) => each !== found);
    if (found === undefined || found.until <= this.#now() || this.#tokens.endOf(found.tokenId).aborted)
      throw new UiaHostError('unauthenticated', 'This link was used before, or is older than a minute.', {
        hint: 'Run `uiahost open` again.',
      });
    const [cookie, key] = [secret(), secret()];
    const { tokenId, scope } = found;
    const session = { cookie: hashOf(cookie), key: hashOf(key), tokenId, scope, usedAt: this.#now(), watching: 0 };
    this.#sessions = [...this.#alive(), session].slice(-MOST_SESSIONS);
    return { cookie, key, scope };
  }

  authenticate(cookie: string, key: string): { tokenId: string; scope: PageScope } | null {
    const session = this.#find(cookie, key);
    if (session === undefined) return null;
    session.usedAt = this.#now();
    return { tokenId: session.tokenId, scope: session.scope };
  }

  end(cookie: string, key: string): void {
    const ended = this.#find(cookie, key);
    this.#sessions = this.#sessions.filter((each) => each !== ended);
  }

  /** Counts a page that follows the events, until the returned function is called. */
  watch(cookie: string, key: string): () => void {
    const session = this.#find(cookie, key);
    if (session === undefined) return () => {};
    session.watching += 1;
    return () => {
      session.watching -= 1;
    };
  }

  isOperatorWatching(): boolean {
    return this.#alive().some(({ scope, watching }) => scope === 'operator' && watching > 0);
  }

  #alive(): PageSession[] {
    const from = this.#now() - IDLE_MS;
    this.#sessions = this.#sessions.filter(
      ({ usedAt, tokenId, watching }) => (usedAt > from || watching > 0) && !this.#tokens.endOf(tokenId).aborted,
    );
    return this.#sessions;
  }

  #find(cookie: string, key: string): PageSession | undefined {
    const [one, other] = [hashOf(cookie), hashOf(key)];
    return this.#alive().find((each) => timingSafeEqual(each.cookie, one) && timingSafeEqual(each.key, other));
  }
}
