/** Tokens: who may call the host, and with which scope. */
import { timingSafeEqual } from 'node:crypto';
import { badInput, UiaHostError } from '../../contract/errors.ts';
import type { PolicyToken } from '../../contract/gate/machine-host.ts';
import { Level } from '../../contract/gate/permissions.ts';
import type { ChannelToken } from '../../contract/process/service-channel.ts';
import type { Store } from '../../store/client.ts';
import type { TokenRecord } from '../../store/records.ts';
import type { NewToken, Scope, TokenLimits, TokenView } from '../../contract/gate/views.ts';
import { newId } from '../face/caller.ts';
import type { TokenService } from '../face/host.ts';
import { newToken, tokenHash } from '../face/token.ts';

const hashOf = (token: string): Buffer => Buffer.from(tokenHash(token), 'hex');

interface FixedToken {
  readonly tokenId: string;
  readonly scope: Scope;
  readonly hash: Buffer;
}

/** `by`: who asked for it: a token's id, or where it came from. */
type OnTokenChange = (what: 'created' | 'revoked', token: TokenView, by: string) => Promise<void>;

/** A token that is not the store's: by the machine's policy, or by the service's pipe. Only its hash is known. */
export interface GivenToken {
  readonly tokenId: string;
  readonly scope: TokenRecord['scope'];
  /** SHA-256 in lower-case hex. */
  readonly hash: string;
  readonly expiresAt: string | null;
  readonly limits: TokenLimits | null;
  /** The token before it, which counts until then. */
  readonly old?: PolicyToken['old'];
}

type Giver = Exclude<TokenView['from'], 'host'>;

interface KnownToken {
  readonly record: TokenRecord;
  readonly from: TokenView['from'];
}

/** setTimeout takes no longer time. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The signal of a token that never ends while the host runs. */
const NEVER = new AbortController().signal;

/**
 * The two tokens of the data directory, those made here, and the tokens of the machine's policy and of the service. Only hashes
 * are kept in memory and on disk.
 */
export class Tokens implements TokenService {
  readonly #store: Store;
  readonly #fixed: readonly FixedToken[];
  /** By hash. */
  readonly #made = new Map<string, KnownToken>();
  /** By the hash of a replaced token: the one in its place. */
  readonly #old = new Map<string, { readonly hash: string; readonly until: string }>();
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
    if (secrets.agent === secrets.operator) throw badInput('The agent token and the operator token must differ.');
    const tokens = new Tokens(
      store,
      [
        { tokenId: 'agent', scope: 'agent', hash: hashOf(secrets.agent) },
        { tokenId: 'operator', scope: 'operator', hash: hashOf(secrets.operator) },
      ],
      onChange,
    );
    for (const record of await store.tokens.list()) tokens.#keep({ record, from: 'host' });
    return tokens;
  }

  authenticate(token: string): { tokenId: string; scope: Scope; limits: TokenLimits | null } | null {
    const hash = hashOf(token);
    // Hashes are compared, each in constant time: the time reveals nothing about the token.
    for (const fixed of this.#fixed)
      if (timingSafeEqual(fixed.hash, hash)) return { tokenId: fixed.tokenId, scope: fixed.scope, limits: null };
    const old = this.#old.get(hash.toString('hex'));
    const counted = old !== undefined && isAhead(old.until) ? old.hash : '';
    const made = (this.#made.get(hash.toString('hex')) ?? this.#made.get(counted))?.record;
    if (made === undefined || !isValid(made)) return null;
    return { tokenId: made.tokenId, scope: made.scope, limits: limitsOf(made) };
  }

  async list(): Promise<TokenView[]> {
    return [...this.#made.values()]
      .map(viewOf)
      .sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.tokenId.localeCompare(b.tokenId));
  }

  /** The name of a token for people. */
  nameOf(tokenId: string): string {
    return this.#byId(tokenId)?.record.name ?? tokenId;
  }

  async create(request: NewToken, by: string): Promise<TokenView & { token: string }> {
    if (request.expiresAt !== undefined && !(Date.parse(request.expiresAt) > Date.now())) {
      throw badInput('`expiresAt` must be a time in the future.');
    }
    if (request.scope === 'operator' && request.limits !== undefined)
      throw badInput('Limits are for agent tokens; an operator token has none.');
    const { token, sha256 } = newToken();
    const given: TokenRecord = {
      tokenId: request.tokenId ?? newId('tok'),
      name: request.name,
      scope: request.scope ?? 'agent',
      hash: sha256,
      limits: storedLimits(request.limits),
      createdAt: new Date().toISOString(),
      expiresAt: request.expiresAt ?? null,
      revokedAt: null,
    };
    const isTaken = [...this.#made.values()].some(
      ({ record, from }) =>
        from !== 'host' && (record.tokenId === given.tokenId || record.name === given.name) && isValid(record),
    );
    if (isTaken)
      throw new UiaHostError('state_conflict', 'A token with this id or name comes from the machine’s policy.', {
        hint: 'Choose another name.',
      });
    const record = await this.#store.tokens.add(given);
    for (const [hash, { record: old }] of this.#made)
      if (old.tokenId === record.tokenId || old.name === record.name) this.#made.delete(hash);
    this.#keep({ record, from: 'host' });
    const view = viewOf({ record, from: 'host' });
    await this.#onChange('created', view, by);
    return { ...view, token };
  }

  async revoke(tokenId: string, by: string): Promise<TokenView> {
    const known = this.#byId(tokenId);
    if (known !== undefined && known.from !== 'host')
      throw new UiaHostError(
        'state_conflict',
        `This token comes from the ${GIVERS[known.from]}; nothing was changed.`,
        {
          hint: 'Remove it there: hosts end it at once.',
        },
      );
    const record = await this.#store.tokens.revoke(tokenId, new Date().toISOString());
    this.#made.set(record.hash, { record, from: 'host' });
    await this.#end(record, 'was revoked');
    const view = viewOf({ record, from: 'host' });
    await this.#onChange('revoked', view, by);
    return view;
  }

  /** Revokes what was made here before a time that the machine's policy sets. */
  async revokeOlder(than: string): Promise<void> {
    for (const { tokenId, createdAt, revokedAt } of await this.list())
      if (revokedAt === null && Date.parse(createdAt) < Date.parse(than)) await this.revoke(tokenId, 'policy');
  }

  /**
   * The tokens of a giver, from now on: others that it gave before end, and what is under way with them. A token with the same
   * id and another hash is a new one, unless it names the one before as old and has the same rights: then nothing ends.
   */
  async give(from: Giver, tokens: readonly GivenToken[]): Promise<void> {
    const alike = ({ record }: KnownToken, given: GivenToken): boolean =>
      record.tokenId === given.tokenId &&
      record.scope === given.scope &&
      JSON.stringify(record.limits) === JSON.stringify(storedLimits(given.limits));
    const same = (kept: KnownToken, given: GivenToken): boolean =>
      alike(kept, given) && kept.record.hash === given.hash && kept.record.expiresAt === given.expiresAt;
    if (from === 'policy') this.#old.clear();
    for (const { hash, old } of tokens) if (old !== undefined) this.#old.set(old.sha256, { hash, until: old.until });
    for (const given of tokens) {
      const { hash, expiresAt, old } = given;
      const kept = old !== undefined && isAhead(old.until) ? this.#made.get(old.sha256) : undefined;
      if (kept?.from !== from || !isValid(kept.record) || !alike(kept, given) || this.#made.has(hash)) continue;
      this.#made.delete(kept.record.hash);
      const next = { from, record: { ...kept.record, hash, expiresAt, createdAt: new Date().toISOString() } };
      this.#keep(next, this.#ends.get(given.tokenId));
      await this.#onChange('created', viewOf(next), from);
    }
    const before = [...this.#made.values()].filter((kept) => kept.from === from && kept.record.revokedAt === null);
    for (const kept of before.filter((each) => !tokens.some((given) => same(each, given)))) {
      this.#made.delete(kept.record.hash);
      await this.#end(kept.record, `was removed from the ${GIVERS[from]}`);
      await this.#onChange(
        'revoked',
        viewOf({ ...kept, record: { ...kept.record, revokedAt: new Date().toISOString() } }),
        from,
      );
    }
    for (const given of tokens.filter((each) => !before.some((kept) => same(kept, each)))) {
      const { tokenId, scope, hash, expiresAt } = given;
      // A token that was made here, or that another gives, stays what it is.
      if (
        this.#made.has(hash) ||
        [...this.#made.values()].some(({ record }) => record.tokenId === tokenId && isValid(record))
      )
        continue;
      const createdAt = new Date().toISOString();
      const limits = storedLimits(given.limits);
      const kept: KnownToken = {
        record: { tokenId, name: tokenId, scope, hash, limits, createdAt, expiresAt, revokedAt: null },
        from,
      };
      this.#keep(kept);
      await this.#onChange('created', viewOf(kept), from);
    }
  }

  #byId(tokenId: string): KnownToken | undefined {
    return [...this.#made.values()].find(({ record }) => record.tokenId === tokenId);
  }

  endOf(tokenId: string): AbortSignal {
    return this.#ends.get(tokenId)?.signal ?? NEVER;
  }

  /** Called when a token has ended and its signal is aborted, for what that signal does not reach. */
  onEnd(afterEnd: (tokenId: string, error: UiaHostError) => Promise<void>): void {
    this.#afterEnd = afterEnd;
  }

  #keep(kept: KnownToken, end = new AbortController()): void {
    const { record } = kept;
    this.#made.set(record.hash, kept);
    this.#ends.set(record.tokenId, end);
    if (record.revokedAt !== null) void this.#end(record, 'was revoked');
    else if (record.expiresAt !== null) this.#endAt(record, Date.parse(record.expiresAt));
  }

  #endAt(record: TokenRecord, time: number): void {
    // Another token has its id now.
    if (this.#made.get(record.hash)?.record !== record) return;
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

const storedLimits = (limits: TokenLimits | null | undefined): TokenRecord['limits'] => ({
  apps: limits?.apps ?? null,
  level: limits?.level ?? null,
});

const isAhead = (time: string): boolean => Date.parse(time) > Date.now();

const isValid = ({ revokedAt, expiresAt }: TokenRecord): boolean =>
  revokedAt === null && (expiresAt === null || isAhead(expiresAt));

const GIVERS: Readonly<Record<Giver, string>> = { policy: 'machine’s policy', service: 'service' };

function viewOf({ record, from }: KnownToken): TokenView {
  return {
    tokenId: record.tokenId,
    name: record.name,
    scope: record.scope,
    createdAt: record.createdAt,
    expiresAt: record.expiresAt,
    limits: limitsOf(record),
    revokedAt: record.revokedAt,
    from,
  };
}

const givenLimits = (scope: string, { level, apps }: TokenLimits): TokenLimits | null =>
  scope === 'operator' || (level === undefined && apps === undefined) ? null : { level, apps };

export const policyTokens = (tokens: readonly PolicyToken[]): GivenToken[] =>
  tokens.map(({ id, scope, sha256, expiresAt, old, level, apps }) => ({
    tokenId: id,
    scope,
    hash: sha256,
    old,
    expiresAt: expiresAt ?? null,
    limits: givenLimits(scope, { level, apps }),
  }));

/** A level that this version does not know permits nothing. */
export const channelTokens = (tokens: readonly ChannelToken[]): GivenToken[] =>
  tokens.map(({ level, apps, ...token }) => {
    const known = level === null ? undefined : (Level.safeParse(level).data ?? 'disabled');
    return {
      ...token,
      limits: givenLimits(token.scope, { level: known, apps: apps === null ? undefined : [...apps] }),
    };
  });
