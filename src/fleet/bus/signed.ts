/**
 * Signed messages. The bus is a courier: a client chooses the reply subject of its requests, and the server stores there
 * what the client itself may not publish. So each message that is obeyed or trusted is signed, together with its kind and its addressee.
 * A signer's card is a NATS user JWT that the tenant's card key issued; no server accepts it for a connection.
 */
import {
  createPrivateKey,
  createPublicKey,
  sign as signBytes,
  verify as verifyBytes,
  type KeyObject,
} from 'node:crypto';
import { fromPublic, fromSeed } from '@nats-io/nkeys';
import { z } from 'zod';
import { canonicalJson, parseStrictJson } from '../../contract/json/strict-json.ts';
import { isJobId } from './names.ts';

export const ROLES = ['seat', 'orchestrator', 'viewer', 'administrator'] as const;
export type Role = (typeof ROLES)[number];
/** Roles of earlier versions: tenants have members with them, who may do nothing. */
export const ENDED_ROLES = ['approver', 'enrolment'] as const;
type Kind = 'job' | 'record' | 'presence' | 'policy';

/** What is signed, in addition to its content: a message of one kind, target or id passes for no other. */
interface About {
  readonly kind: Kind;
  readonly target: string;
  readonly id: string;
}

/** Who signed, by a card that the tenant issued. */
export interface Card {
  readonly name: string;
  readonly role: Role;
  readonly pools: readonly string[];
  /** The card's own id, by which it is revoked. */
  readonly id: string;
  /** In ms of the epoch. */
  readonly expires: number;
}

export interface Signer {
  readonly card: string;
  readonly key: KeyObject;
}

/** What a reader of the bus goes by. */
export interface Trust {
  /** The tenant's public card key (`A…`). */
  readonly issuer: string;
  /** Ids of cards that are valid no longer. */
  readonly revoked: ReadonlySet<string>;
  /** Since when (ms of the epoch), where it is known: what a card said before stays true. */
  readonly revokedAt?: ReadonlyMap<string, number>;
}

export interface Opened {
  readonly by: Card;
  /** Its content. */
  readonly body: Readonly<Record<string, unknown>>;
}

const envelopeSchema = z.object({
  v: z.literal(1),
  card: z.string(),
  signature: z.string(),
  body: z.record(z.string(), z.unknown()),
});
const claimsSchema = z.object({
  iss: z.string(),
  exp: z.number(),
  /** The card's own id, and the signer's public key. */
  jti: z.string(),
  sub: z.string(),
  name: z.string(),
  nats: z.object({ type: z.literal('user'), tags: z.array(z.string()).default([]) }),
});

/** Who may say what; a seat only about itself and its pools. */
const SAYS: Readonly<Record<Kind, readonly Role[]>> = {
  job: ['orchestrator'],
  record: ['seat', 'orchestrator'],
  presence: ['seat'],
  policy: ['administrator'],
};

/** What a card said before its end stays true; what is to be done counts only while it is valid. */
const STATEMENTS: readonly Kind[] = ['record', 'presence'];

const PRIVATE_DER = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_DER = Buffer.from('302a300506032b6570032100', 'hex');
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const DEPTH = 64;

/** Bytes of an nkey (base32 of RFC 4648 without padding); nkeys itself does not export this. */
function nkeyBytes(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from(
    Array.from({ length: Math.floor(bits.length / 8) }, (_, at) => Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2)),
  );
}

/** A signing key of its seed (`S…`). Node's Ed25519 signs in a twentieth of the time of the library's JavaScript. */
export function signerOf(card: string, seed: string): Signer {
  fromSeed(Buffer.from(seed)); // refuses a seed with a wrong checksum
  const key = Buffer.concat([PRIVATE_DER, nkeyBytes(seed).subarray(2, 34)]);
  return { card, key: createPrivateKey({ key, format: 'der', type: 'pkcs8' }) };
}

const signatureOf = (content: unknown, { key }: Pick<Signer, 'key'>): string =>
  signBytes(null, Buffer.from(canonicalJson(content)), key).toString('base64url');

/** Public keys of members whose card the tenant's key signed. */
const publicKeys = new Map<string, KeyObject>();

function publicKeyOf(nkey: string): KeyObject {
  const known = publicKeys.get(nkey);
  if (known !== undefined) return known;
  fromPublic(nkey); // refuses a wrong checksum
  const key = createPublicKey({
    key: Buffer.concat([PUBLIC_DER, nkeyBytes(nkey).subarray(1, 33)]),
    format: 'der',
    type: 'spki',
  });
  publicKeys.set(nkey, key);
  return key;
}

/** The text of a signed message. */
export function seal(about: About, content: Readonly<Record<string, unknown>>, signer: Signer): string {
  const body = { ...content, kind: about.kind, target: about.target, id: about.id };
  return JSON.stringify({ v: 1, card: signer.card, signature: signatureOf(body, signer), body });
}

/** The id that a message gives itself, for looking it up; nothing of it is trusted. Empty if there is none, or no job can have it. */
export function claimedId(text: string): string {
  try {
    const { id } = (parseStrictJson(text, { depth: DEPTH }) as { body: { id: unknown } }).body;
    return typeof id === 'string' && isJobId(id) ? id : '';
  } catch {
    return '';
  }
}

/** The message, or why it is not trusted. `now` in ms of the epoch: for records and presence, when the server stored it. */
export function open(text: string, about: About, trust: Trust, now: number): Opened | { readonly refused: string } {
  try {
    const envelope = envelopeSchema.safeParse(parseStrictJson(text, { depth: DEPTH }));
    if (!envelope.success) return { refused: 'it is not a signed message' };
    const { card, signature, body: signed } = envelope.data;
    const { by, key } = cardOf(card, STATEMENTS.includes(about.kind), trust, now);
    if (!isSignedText(key, canonicalJson(signed), signature)) return { refused: 'its signature is wrong' };
    const { kind, target, id, ...body } = signed;
    if (kind !== about.kind || target !== about.target || id !== about.id)
      return { refused: 'it was signed for another place' };
    if (!SAYS[about.kind].includes(by.role)) return { refused: `${by.role} may not say this` };
    const isOfPool = about.kind === 'record' && by.pools.includes(about.target);
    if (by.role === 'seat' && about.target !== by.name && !isOfPool) return { refused: 'the seat speaks for another' };
    return { by, body };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

/** The same, of a kind whose content has this form; null for any other. */
export function openAs<T>(
  schema: z.ZodType<T>,
  ...given: Parameters<typeof open>
): { readonly by: Card; readonly body: T } | null {
  const opened = open(...given);
  const parsed = 'refused' in opened ? null : schema.safeParse(opened.body);
  return 'refused' in opened || parsed?.data === undefined ? null : { by: opened.by, body: parsed.data };
}

/** Whether a card that was valid when it spoke is valid no longer. */
export const isOver = ({ id, expires }: Card, { revoked }: Trust, now: number): boolean =>
  revoked.has(id) || expires <= now;

const isSignedText = (nkey: string, text: string, signature: string): boolean =>
  verifyBytes(null, Buffer.from(text), publicKeyOf(nkey), Buffer.from(signature, 'base64url'));

/** Reads a card: header, claims and signature of a NATS JWT (ed25519-nkey over `header.claims`). Errors: Error for a card that is not valid. */
function cardOf(
  jwt: string,
  isStatement: boolean,
  { issuer, revoked, revokedAt }: Trust,
  now: number,
): { by: Card; key: string } {
  const [header = '', claimsText = '', signature = ''] = jwt.split('.');
  const claims = claimsSchema.safeParse(
    parseStrictJson(Buffer.from(claimsText, 'base64url').toString(), { depth: DEPTH }),
  ).data;
  if (claims === undefined) throw new Error('its card is not a user’s');
  const { iss, exp, jti, sub, name, nats } = claims;
  if (iss !== issuer) throw new Error('another issuer made its card');
  if (!isSignedText(issuer, `${header}.${claimsText}`, signature)) throw new Error('its card is forged');
  if (exp * 1000 <= now) throw new Error('its card has expired');
  if (revoked.has(jti) && !(isStatement && now < (revokedAt?.get(jti) ?? 0))) throw new Error('its card was revoked');
  const role = ROLES.find((each) => nats.tags.includes(`role:${each}`));
  if (role === undefined) throw new Error('its card names no role');
  const pools = nats.tags.filter((tag) => tag.startsWith('pool:')).map((tag) => tag.slice('pool:'.length));
  return { by: { name, role, pools, id: jti, expires: exp * 1000 }, key: sub };
}
