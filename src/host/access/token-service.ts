/** Tokens: who may call the host, and with which scope. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { UiaHostError } from '../../contract/errors.ts';
import type { Store } from '../../store/client.ts';
import type { TokenRecord } from '../../store/records.ts';
import { type Scope, type TokenLimits, newId } from '../face/caller.ts';
import type { TokenService, TokenView } from '../face/host.ts';

const hashOf = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest();

interface FixedToken {
  readonly tokenId: string;
  readonly scope: Scope;
  readonly hash: Buffer;
}

type OnTokenChange = (what: 'created' | 'revoked', token: TokenView, by: string) => Promise<void>;

/** setTimeout takes no longer time. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The signal of a token that never ends while the host runs. */
const NEVER = new AbortController().signal;

/** The two tokens of the data directory and further agent tokens of the store. Only hashes are kept in memory and on disk. */
export class Tokens implements TokenService {
  readonly #store: Store;
  readonly #fixed: readonly FixedToken[];
  readonly #made = new Map<string, TokenRecord>();
  readonly #ends = new Map<string, AbortController>();
  #afterEnd: (tokenId: string, error: UiaHostError) => Promise<void> = async () => {};
  readonly #onChange: OnTokenChange;

  private constructor(store: Store, fixed: readonly FixedToken[], onChange: OnTokenChange) {
    this.#store = store;
    this.#fixed = fixed;
    this.#onChange = onChange;
  }

  static async open(
    store: Store,
    secrets: { agent: string; operator: string },
    onChange: OnTokenChange,
  ): Promise<Tokens> {
    if (secrets.agent === secrets.operator)
      throw new UiaHostError('invalid_argument', 'The agent token and the operator token must differ.');
    const tokens = new Tokens(
      store,
      [
        { tokenId: 'agent', scope: 'agent', hash: hashOf(secrets.agent) },
        { tokenId: 'operator', scope: 'operator', hash: hashOf(secrets.operator) },
      ],
      onChange,
    );
    for (const record of await store.tokens.list()) tokens.#keep(record);
    return tokens;
  }

  authenticate(token: string): { tokenId: string; scope: Scope; limits: TokenLimits | null } | null {
    const hash = hashOf(token);
    // Hashes are compared, each in constant time: the time reveals nothing about the token.
    for (const fixed of this.#fixed)
      if (timingSafeEqual(fixed.hash, hash)) return { tokenId: fixed.tokenId, scope: fixed.scope, limits: null };
    const made = this.#made.get(hash.toString('hex'));
    if (made === undefined || made.revokedAt !== null) return null;
    if (made.expiresAt !== null && Date.parse(made.expiresAt) <= Date.now()) return null;
    return { tokenId: made.tokenId, scope: made.scope, limits: limitsOf(made) };
  }

  async list(): Promise<TokenView[]> {
    return (await this.#store.tokens.list()).map(viewOf);
  }

  async create(request: {
    name: string;
    expiresAt?: string | undefined;
    limits?: TokenLimits | undefined;
  }): Promise<TokenView & { token: string }> {
    if (request.expiresAt !== undefined && !(Date.parse(request.expiresAt) > Date.now())) {
      throw new UiaHostError('invalid_argument', '`expiresAt` must be a time in the future.');
    }
    const token = `uia_${randomBytes(32).toString('base64url')}`;
    const record = await this.#store.tokens.add({
      tokenId: newId('tok'),
      name: request.name,
      scope: 'agent',
      hash: hashOf(token).toString('hex'),
      limits: { apps: request.limits?.apps ?? null, level: request.limits?.level ?? null },
      createdAt: new Date().toISOString(),
      expiresAt: request.expiresAt ?? null,
      revokedAt: null,
    });
    this.#keep(record);
    await this.#onChange('created', viewOf(record), 'operator');
    return { ...viewOf(record), token };
  }

  async revoke(tokenId: string): Promise<TokenView> {
    const record = await this.#store.tokens.revoke(tokenId, new Date().toISOString());
    this.#made.set(record.hash, record);
    await this.#end(record, 'was revoked');
    await this.#onChange('revoked', viewOf(record), 'operator');
    return viewOf(record);
  }

  endOf(tokenId: string): AbortSignal {
    return this.#ends.get(tokenId)?.signal ?? NEVER;
  }

  /** Called when a token has ended and its signal is aborted, for what that signal does not reach. */
  onEnd(afterEnd: (tokenId: string, error: UiaHostError) => Promise<void>): void {
    this.#afterEnd = afterEnd;
  }

  #keep(record: TokenRecord): void {
    this.#made.set(record.hash, record);
    this.#ends.set(record.tokenId, new AbortController());
    if (record.revokedAt !== null) void this.#end(record, 'was revoked');
    else if (record.expiresAt !== null) this.#endAt(record, Date.parse(record.expiresAt));
  }

  #endAt(record: TokenRecord, time: number): void {
    const left = time - Date.now();
    if (left <= 0) void this.#end(record, 'has expired');
    else setTimeout(() => this.#endAt(record, time), Math.min(left, LONGEST_TIMER_MS)).unref();
  }

  /** The first end counts. Resolves when nothing of the token is under way any longer. Never rejects. */
  async #end({ tokenId }: TokenRecord, how: string): Promise<void> {
    const controller = this.#ends.get(tokenId);
    if (controller === undefined || controller.signal.aborted) return;
    const error = new UiaHostError('unauthenticated', `The token ${how}; what was under way with it was ended.`, {
      delivery: 'unknown',
    });
    controller.abort(error);
    await this.#afterEnd(tokenId, error);
  }
}

function limitsOf(record: TokenRecord): TokenLimits | null {
  const { apps, level } = record.limits;
  return apps === null && level === null
    ? null
    : { ...(level === null ? {} : { level }), ...(apps === null ? {} : { apps }) };
}

function viewOf(record: TokenRecord): TokenView {
  return {
    tokenId: record.tokenId,
    name: record.name,
    scope: record.scope,
    createdAt: record.createdAt,
    expiresAt: record.expiresAt,
    limits: limitsOf(record),
    revokedAt: record.revokedAt,
  };
}
