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
import { canonicalJson, parseStrictJson } from '../../contract/json/strict-json.ts';

export type Role = 'seat' | 'orchestrator' | 'approver' | 'administrator';
type Kind = 'job' | 'record' | 'presence' | 'policy';

/** What is signed, in addition to its content: a message of one kind, target or id passes for no other. */
interface About {
  readonly kind: Kind;
  readonly target: string;
  readonly id: string;
}

/** Who signed, by a card that the tenant issued. */
interface Card {
  readonly name: string;
  readonly role: Role;
  readonly pools: readonly string[];
  /** The card's own id, by which it is revoked. */
  readonly id: string;
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
}

export interface Opened {
  readonly by: Card;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Who may say what; a seat only about itself and its pools. */
const SAYS: Readonly<Record<Kind, readonly Role[]>> = {
  job: ['orchestrator'],
  record: ['seat', 'orchestrator'],
  presence: ['seat'],
  policy: ['administrator'],
};

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
  // an attacker's cards are refused by their issuer before their keys come here
  publicKeys.set(nkey, key);
  return key;
}

/** The text of a signed message. */
export function seal(about: About, content: Readonly<Record<string, unknown>>, signer: Signer): string {
  const body = { ...content, kind: about.kind, target: about.target, id: about.id };
  const signature = signBytes(null, Buffer.from(canonicalJson(body)), signer.key).toString('base64url');
  return JSON.stringify({ v: 1, card: signer.card, signature, body });
}

/** The id that a message gives itself, for looking it up; nothing of it is trusted. Empty if there is none. */
export function claimedId(text: string): string {
  try {
    const { id } = objectOf(objectOf(parseStrictJson(text, { depth: DEPTH }))['body']);
    return typeof id === 'string' ? id : '';
  } catch {
    return '';
  }
}

/** The message, or why it is not trusted. `now` in ms of the epoch. */
export function open(text: string, about: About, trust: Trust, now: number): Opened | { readonly refused: string } {
  try {
    const envelope = objectOf(parseStrictJson(text, { depth: DEPTH }));
    const { card: jwt, signature } = envelope;
    if (envelope['v'] !== 1 || typeof jwt !== 'string' || typeof signature !== 'string')
      return { refused: 'it is not a signed message' };
    const body = objectOf(envelope['body']);
    const card = cardOf(jwt, trust, now);
    if ('refused' in card) return card;
    if (
      !verifyBytes(null, Buffer.from(canonicalJson(body)), publicKeyOf(card.key), Buffer.from(signature, 'base64url'))
    )
      return { refused: 'its signature is wrong' };
    if (body['kind'] !== about.kind || body['target'] !== about.target || body['id'] !== about.id)
      return { refused: 'it was signed for another place' };
    if (!SAYS[about.kind].includes(card.by.role)) return { refused: `${card.by.role} may not say this` };
    if (card.by.role === 'seat' && about.target !== card.by.name && !card.by.pools.includes(about.target))
      return { refused: 'the seat speaks for another' };
    return { by: card.by, body };
  } catch (error) {
    return { refused: `it cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('not an object');
  return value as Record<string, unknown>;
}

/** Reads a card: header, claims and signature of a NATS JWT (ed25519-nkey over `header.claims`). */
function cardOf(jwt: string, trust: Trust, now: number): { by: Card; key: string } | { refused: string } {
  const [header = '', claimsText = '', signature = ''] = jwt.split('.');
  const claims = objectOf(parseStrictJson(Buffer.from(claimsText, 'base64url').toString(), { depth: DEPTH }));
  if (claims['iss'] !== trust.issuer) return { refused: 'another issuer made its card' };
  const signed = Buffer.from(`${header}.${claimsText}`);
  if (!verifyBytes(null, signed, publicKeyOf(trust.issuer), Buffer.from(signature, 'base64url')))
    return { refused: 'its card is forged' };
  const { exp, jti, sub, name } = claims;
  const nats = objectOf(claims['nats']);
  if (nats['type'] !== 'user' || typeof jti !== 'string' || typeof sub !== 'string' || typeof name !== 'string')
    return { refused: 'its card is not a user’s' };
  if (typeof exp !== 'number' || exp * 1000 <= now) return { refused: 'its card has expired' };
  if (trust.revoked.has(jti)) return { refused: 'its card was revoked' };
  const tags = Array.isArray(nats['tags']) ? nats['tags'].filter((tag): tag is string => typeof tag === 'string') : [];
  const valuesOf = (label: string): string[] =>
    tags.filter((tag) => tag.startsWith(`${label}:`)).map((tag) => tag.slice(label.length + 1));
  const role = valuesOf('role')[0];
  if (role !== 'seat' && role !== 'orchestrator' && role !== 'approver' && role !== 'administrator')
    return { refused: 'its card names no role' };
  return { by: { name, role, pools: valuesOf('pool'), id: jti }, key: sub };
}
