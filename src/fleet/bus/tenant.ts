/**
 * A tenant: a NATS account with a scoped signing key for each role, and a card key that the server does not know, so that
 * no card connects. A connection has another key than messages: a client signs any nonce that a server sends.
 */
import { decode, encodeAccount, encodeOperator, encodeUser, fmtCreds, newScopedSigner, parseCreds } from '@nats-io/jwt';
import { createAccount, createOperator, createUser, fromSeed, type KeyPair } from '@nats-io/nkeys';
import type { CredentialFile } from './credential.ts';
import { PERMISSIONS } from './roles.ts';
import type { Role } from './signed.ts';

type SigningKey = keyof typeof PERMISSIONS;

/** Seeds (`S…`), which stay with the administrator. */
export interface TenantKeys {
  readonly name: string;
  readonly account: string;
  /** The account's public key, which is not a secret. */
  readonly accountId: string;
  readonly cards: string;
  readonly roles: Readonly<Record<SigningKey, string>>;
}

/** The server's keys: who may say which tenants there are, and tell it so while it runs. */
export interface ServerKeys {
  readonly operator: string;
  readonly system: string;
}

const UNLIMITED = { subs: -1, conn: -1, leaf: -1, imports: -1, exports: -1, data: -1, payload: -1, wildcards: true };
const STORAGE = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
/** Subscriptions of a seat: its inbox, its control, a pull on each queue. */
const SEAT_SUBS = 50;

const seedOf = (pair: KeyPair): string => Buffer.from(pair.getSeed()).toString();
const pairOf = (seed: string): KeyPair => fromSeed(Buffer.from(seed));

export function createTenantKeys(name: string): TenantKeys {
  const account = createAccount();
  const roles = Object.keys(PERMISSIONS).map((role) => [role, seedOf(createAccount())]);
  return {
    name,
    account: seedOf(account),
    accountId: account.getPublicKey(),
    cards: seedOf(createAccount()),
    roles: Object.fromEntries(roles) as Record<SigningKey, string>,
  };
}

/** The public key that cards of the tenant are judged by. */
export const issuerOf = (keys: TenantKeys): string => pairOf(keys.cards).getPublicKey();

export const createServerKeys = (): ServerKeys => ({
  operator: seedOf(createOperator()),
  system: seedOf(createAccount()),
});

/** By the user's public key: credentials issued until then (seconds of the epoch) connect no longer. */
export type RevokedUsers = Readonly<Record<string, number>>;

/** A tenant as its server knows it. */
export function accountJwt(server: ServerKeys, keys: TenantKeys, revoked: RevokedUsers = {}): Promise<string> {
  const signers = Object.entries(keys.roles).map(([role, seed]) =>
    newScopedSigner(pairOf(seed), role.replace(' ', '-'), {
      ...PERMISSIONS[role as SigningKey],
      subs: role.endsWith('seat') ? SEAT_SUBS : -1,
      payload: -1,
      data: -1,
    }),
  );
  const limits = { ...UNLIMITED, ...STORAGE };
  return encodeAccount(
    keys.name,
    pairOf(keys.account),
    { limits, signing_keys: signers, revocations: revoked },
    { signer: pairOf(server.operator) },
  );
}

/** The part of a server's configuration that knows these tenants. `folder`: where it keeps them, so that they can change while it runs. */
export async function serverConfiguration(
  server: ServerKeys,
  tenants: readonly { readonly keys: TenantKeys; readonly revoked?: RevokedUsers }[],
  folder: string,
): Promise<string> {
  const [operator, system] = [pairOf(server.operator), pairOf(server.system)];
  const operatorJwt = await encodeOperator('uiahost', operator, { system_account: system.getPublicKey() });
  const systemJwt = await encodeAccount('SYS', system, { limits: UNLIMITED }, { signer: operator });
  const accounts = await Promise.all(
    tenants.map(async ({ keys, revoked }) => `  ${keys.accountId}: ${await accountJwt(server, keys, revoked)}`),
  );
  return [
    `operator: ${operatorJwt}`,
    `system_account: ${system.getPublicKey()}`,
    `resolver: { type: full, dir: ${JSON.stringify(folder)}, allow_delete: false, interval: "2m" }`,
    'resolver_preload: {',
    ...accounts,
    `  ${system.getPublicKey()}: ${systemJwt}`,
    '}',
  ].join('\n');
}

/** NATS credentials by which the administrator tells the server of changed tenants. */
export async function systemCredentials({ system }: ServerKeys, expires: number): Promise<string> {
  const user = createUser();
  const permissions = { pub: { allow: ['$SYS.REQ.CLAIMS.UPDATE'] }, sub: { allow: ['_INBOX.administrator.>'] } };
  return Buffer.from(
    fmtCreds(await encodeUser('administrator', user, pairOf(system), permissions, { exp: expires }), user),
  ).toString();
}

/**
 * A new credential as its file has it, and what revokes its connection (the user) and what it signed (the card). `expires`: seconds
 * of the epoch, for both.
 */
export async function credentialFile(
  { keys, servers, ca }: { readonly keys: TenantKeys; readonly servers: readonly string[]; readonly ca: string | null },
  role: Role,
  { name, pools = [], expires }: { name: string; pools?: readonly string[]; expires: number },
): Promise<{ file: CredentialFile; userId: string; cardId: string }> {
  const own = createMemberKeys();
  const { userId, jwt, card, cardId } = await issue(keys, role, name, { ...publicKeysOf(own), pools, expires });
  const format = 'uiahost fleet credential 1';
  const base = { tenant: keys.name, servers: [...servers], ca, issuer: issuerOf(keys), role, name, pools: [...pools] };
  const file = { format, ...base, expires, creds: credsOf(jwt, own), card, seed: own.signer } as const;
  return { userId, cardId, file };
}

/** Seeds (`S…`) of a member: one key connects, the other signs. */
export interface MemberKeys {
  readonly user: string;
  readonly signer: string;
}

export const createMemberKeys = (): MemberKeys => ({ user: seedOf(createUser()), signer: seedOf(createUser()) });

export const publicKeysOf = ({ user, signer }: MemberKeys): MemberKeys => ({
  user: pairOf(user).getPublicKey(),
  signer: pairOf(signer).getPublicKey(),
});

/** The keys in a seat's credential. */
export const keysOf = async ({ creds, seed }: Pick<CredentialFile, 'creds' | 'seed'>): Promise<MemberKeys> => ({
  user: (await parseCreds(Buffer.from(creds))).key,
  signer: seed ?? '',
});

export const credsOf = (jwt: string, { user }: MemberKeys): string =>
  Buffer.from(fmtCreds(jwt, pairOf(user))).toString();

/** What makes a member of these public keys (`U…`); nothing of it is secret. */
export async function issue(
  keys: TenantKeys,
  role: Role,
  name: string,
  { user, signer, pools, expires }: MemberKeys & { readonly pools: readonly string[]; readonly expires: number },
): Promise<{ readonly userId: string; readonly jwt: string; readonly card: string; readonly cardId: string }> {
  const tags = pools.map((pool) => `pool:${pool}`);
  const signingKey = pairOf(keys.roles[role === 'seat' && pools.length === 0 ? 'lone seat' : role]);
  const scope = { tags, issuer_account: keys.accountId };
  const jwt = await encodeUser(name, user, signingKey, scope, { scopedUser: true, exp: expires });
  const card = await encodeUser(
    name,
    signer,
    pairOf(keys.cards),
    { tags: [`role:${role}`, ...tags] },
    { exp: expires },
  );
  return { userId: user, jwt, card, cardId: decode(card).jti };
}
