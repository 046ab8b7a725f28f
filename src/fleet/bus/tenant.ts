/**
 * A tenant: a NATS account with a scoped signing key for each role, and a card key that the server does not know, so that
 * no card connects. A connection has another key than messages: a client signs any nonce that a server sends.
 */
import { decode, encodeAccount, encodeOperator, encodeUser, fmtCreds, newScopedSigner } from '@nats-io/jwt';
import { createAccount, createOperator, createUser, fromSeed, type KeyPair } from '@nats-io/nkeys';
import type { CredentialFile } from './credential.ts';
import { POLICY_SUBJECT, STREAM } from './names.ts';
import type { Role } from './signed.ts';

const NAME = '{{name()}}';
const POOL = '{{tag(pool)}}';
const { jobs, pools, records, hosts, policy, events, artifacts } = STREAM;

const directGet = (stream: string, ...subjects: string[]): string[] =>
  subjects.map((subject) => `$JS.API.DIRECT.GET.${stream}.${subject}`);

/** A reader's own consumers, on these subjects of a stream alone. */
const reading = (stream: string, filter: string): string[] => [
  `$JS.API.CONSUMER.CREATE.${stream}.*.${filter}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
  `$JS.API.CONSUMER.INFO.${stream}.*`,
  `$JS.API.CONSUMER.DELETE.${stream}.*`,
  ...directGet(stream, filter),
];
/** Seats of earlier versions told cards there too, which have texts of windows. */
const STEPS = reading(events, 'uia.v1.evt.*.*.step');
const ARTIFACTS = reading(artifacts, 'uia.v1.art.>');
const RECORDS = reading(records, '$KV.uia_jobs.>');
const HOSTS = reading(hosts, '$KV.uia_hosts.>');
/** Whose cards are valid no longer. */
const REVOKED = directGet(policy, POLICY_SUBJECT);
const OWN_REPLIES = `_INBOX.${NAME}.>`;

const may = (publish: string[], receive: string[]) => ({ pub: { allow: publish }, sub: { allow: receive } });

/** A seat without a pool has a role of its own: a template without a tag makes a user invalid. */
function seat(hasPools: boolean) {
  const targets = hasPools ? [NAME, POOL] : [NAME];
  const queue = (target: string): string => (target === NAME ? jobs : pools);
  return may(
    [
      ...targets.flatMap((target) => [
        `$JS.API.CONSUMER.MSG.NEXT.${queue(target)}.${target}`,
        `$JS.ACK.${queue(target)}.${target}.>`,
        `$KV.uia_jobs.${target}.>`,
        ...directGet(records, `$KV.uia_jobs.${target}.>`),
        ...directGet(policy, `$KV.uia_policy.${target}`),
      ]),
      ...REVOKED,
      `$KV.uia_hosts.${NAME}`,
      ...directGet(hosts, `$KV.uia_hosts.${NAME}`),
      ...['evt', 'art'].map((kind) => `uia.v1.${kind}.${NAME}.>`),
    ],
    [OWN_REPLIES, ...targets.map((target) => `uia.v1.ctl.${target}`), POLICY_SUBJECT],
  );
}

const JOBS = ['uia.v1.job.>', 'uia.v1.pool.>', 'uia.v1.ctl.>', '$KV.uia_jobs.>'];

/**
 * What each role may do on the bus: permissions of its scoped signing key, in which the server replaces the templates by the name
 * and the tags of the user. They stop reading and honest mistakes; signatures stop forging (`signed.ts`).
 */
const PERMISSIONS: Readonly<Record<Role | 'lone seat', ReturnType<typeof may>>> = {
  seat: seat(true),
  'lone seat': seat(false),
  orchestrator: may([...JOBS, ...RECORDS, ...HOSTS, ...STEPS, ...ARTIFACTS, ...REVOKED], [OWN_REPLIES]),
  viewer: may([...HOSTS, ...RECORDS, ...STEPS, ...ARTIFACTS, ...REVOKED], [OWN_REPLIES]),
  administrator: may(['$JS.API.>', '$KV.uia_policy.>'], [OWN_REPLIES]),
};

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
  // keys of roles that earlier versions had are not the server's any more: what they issued is refused
  const signers = (Object.keys(PERMISSIONS) as SigningKey[]).map((role) =>
    newScopedSigner(pairOf(keys.roles[role]), role.replace(' ', '-'), {
      ...PERMISSIONS[role],
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
  // one key connects, the other signs
  const [user, signer] = [createUser(), createUser()];
  const tags = pools.map((pool) => `pool:${pool}`);
  const signingKey = pairOf(keys.roles[role === 'seat' && pools.length === 0 ? 'lone seat' : role]);
  const scope = { tags, issuer_account: keys.accountId };
  const jwt = await encodeUser(name, user, signingKey, scope, { scopedUser: true, exp: expires });
  const cardTags = { tags: [`role:${role}`, ...tags] };
  const card = await encodeUser(name, signer.getPublicKey(), pairOf(keys.cards), cardTags, { exp: expires });
  const creds = Buffer.from(fmtCreds(jwt, user)).toString();
  const format = 'uiahost fleet credential 1';
  const base = { tenant: keys.name, servers: [...servers], ca, issuer: issuerOf(keys), role, name, pools: [...pools] };
  const file = { format, ...base, expires, creds, card, seed: seedOf(signer) } as const;
  return { file, userId: user.getPublicKey(), cardId: decode(card).jti };
}
