/**
 * How a machine of an image becomes a seat: it makes its keys, asks with a credential that can do nothing else, and waits for the
 * administrator's answer. Private keys stay on the machine: an answer has only what is made for the public ones.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { connectBus, signerOfCredential, type CredentialFile } from './credential.ts';
import { admissionSubject, isName, nameOf, requestSubject, STREAM } from './names.ts';
import { readNow, type Stored } from './reading.ts';
import { readValue, whereUnanswered, writeValue } from './records.ts';
import { isSignedBy, openAs, seal, signatureOf, signerOf, type Signer, type Trust } from './signed.ts';
import { credsOf, publicKeysOf, type MemberKeys } from './tenant.ts';

const publicKey = z.string().regex(/^U[A-Z2-7]{55}$/);
const requestSchema = z.strictObject({
  seat: z.string().refine(isName),
  /** What the machine calls itself, for the administrator. */
  machine: z.string().max(100),
  user: publicKey,
  signer: publicKey,
  /** The signature of the signing key over the rest: no holder of the enrolment credential can ask for another's key. */
  proof: z.string().max(100),
});
const admissionSchema = z.union([
  z.strictObject({
    name: z.string().refine(isName),
    pools: z.array(z.string()),
    expires: z.int(),
    jwt: z.string(),
    card: z.string(),
  }),
  z.strictObject({ refused: z.string().max(100) }),
]);
export type Admission = z.infer<typeof admissionSchema>;

/** A machine that asks. `enrolment`, `enrolmentCard`: with which credential. */
export interface Asking extends Omit<z.infer<typeof requestSchema>, 'proof'> {
  readonly enrolment: string;
  readonly enrolmentCard: string;
  /** When the server stored it, in ms of the epoch. */
  readonly at: number;
}

function askingOf({ subject, text, at }: Stored, trust: Trust, now: number): Asking | null {
  const [enrolment = '', id = ''] = subject.split('.').slice(-2);
  const opened = openAs(requestSchema, text, { kind: 'request', target: enrolment, id }, trust, now);
  if (opened?.body.signer !== id) return null;
  const { proof, ...asked } = opened.body;
  return isSignedBy(id, { ...asked, enrolment }, proof)
    ? { ...asked, enrolment, enrolmentCard: opened.by.id, at }
    : null;
}

const admissionOf = (text: string, enrolment: string, key: string, trust: Trust): Admission | null =>
  openAs(admissionSchema, text, { kind: 'admission', target: enrolment, id: key }, trust, Date.now())?.body ?? null;

export const sealAdmission = ({ enrolment, signer: id }: Asking, admission: Admission, signer: Signer): string =>
  seal({ kind: 'admission', target: enrolment, id }, admission, signer);

/** Who asks, the first first, each with the answer that it has; and how many texts are no request. Errors: Unanswered. */
export async function readAsking(
  nc: NatsConnection,
  trust: Trust,
): Promise<{
  readonly asking: ReadonlyArray<Asking & { readonly answer: string | null }>;
  readonly unreadable: number;
}> {
  const requests = await readNow(nc, STREAM.requests, requestSubject('*', '*'), 'last');
  const answers = await readNow(nc, STREAM.admissions, admissionSubject('*', '*'), 'last');
  const answered = new Map(answers.values.map(({ subject, text }) => [subject, text]));
  const asking = requests.values.flatMap((stored) => askingOf(stored, trust, Date.now()) ?? []);
  const answerTo = ({ enrolment, signer }: Asking): string | null =>
    answered.get(admissionSubject(enrolment, signer)) ?? null;
  return {
    asking: asking.toSorted((one, other) => one.at - other.at).map((each) => ({ ...each, answer: answerTo(each) })),
    unreadable: requests.values.length - asking.length,
  };
}

/** Why the machine was refused, in an answer that it has; null for none. */
export function refusalIn(answer: string | null, { enrolment, signer }: Asking, trust: Trust): string | null {
  const admission = answer === null ? null : admissionOf(answer, enrolment, signer, trust);
  return admission !== null && 'refused' in admission ? admission.refused : null;
}

/** What an enrolment credential admits. */
export interface Admits {
  /** As names of seats, with `*` for any part. */
  readonly names: string;
  /** How many names, ever. */
  readonly count: number;
}

/** A pattern of seats' names in their own letters. Null for a part that no name has. */
export function namePattern(text: string): string | null {
  const parts = text.split('*').map((part) => (part === '' ? '' : (nameOf('seat', part)?.slice(2) ?? null)));
  return parts.includes(null) ? null : `h_${parts.join('*')}`;
}

/** To whom a credential was issued. */
export interface Member {
  readonly name: string;
  readonly userId: string;
  readonly cardId: string | null;
  /** Seconds of the epoch. */
  readonly expires: number;
  readonly revoked: number | null;
  readonly admits?: Admits | undefined;
  /** An admitted seat's: the card of its enrolment credential, and its signing key. */
  readonly admittedBy?: string;
  readonly signer?: string;
  /** Its request that was answered, in ms of the epoch. */
  readonly asked?: number;
}

/** An admitted machine that asks in the last month gets a new credential. */
const RENEW_S = 30 * 86_400;

/** What the administrator's folder says to a machine that asks. `now` in seconds. A name that was ever another's is taken over by `isReplaced` alone. */
export function verdictOn(
  { enrolmentCard, seat, user, signer, at }: Asking,
  issued: readonly Member[],
  { now, isReplaced }: { readonly now: number; readonly isReplaced: boolean },
): 'admit' | 'admitted' | 'enrolment_ended' | 'name_outside' | 'name_taken' | 'key_known' | 'count_reached' {
  const enrolment = issued.find(({ cardId }) => cardId === enrolmentCard);
  if (enrolment?.admits === undefined || enrolment.revoked !== null || enrolment.expires <= now)
    return 'enrolment_ended';
  const isOwn = (each: Member): boolean => each.userId === user || each.signer === signer;
  const own = issued.filter(isOwn);
  const isSame = (each: Member): boolean =>
    each.name === seat && each.userId === user && each.signer === signer && each.revoked === null;
  if (!own.every(isSame)) return 'key_known';
  const isAnswered = ({ admittedBy, expires, asked = 0 }: Member): boolean =>
    admittedBy === enrolmentCard && (expires > now + RENEW_S || asked >= at);
  if (own.some(isAnswered)) return 'admitted';
  const { names, count } = enrolment.admits;
  if (!new RegExp(`^${names.replaceAll('*', '.*')}$`).test(seat)) return 'name_outside';
  // a machine that took a name over keeps it
  if (!isReplaced && own.length === 0 && issued.some((each) => each.name === seat)) return 'name_taken';
  const admitted = new Set(issued.flatMap(({ admittedBy, name }) => (admittedBy === enrolmentCard ? [name] : [])));
  return admitted.has(seat) || admitted.size < count ? 'admit' : 'count_reached';
}

const LOOK_MS = 2000;
/** A flood can push a request out. */
const LOOKS = 30;

/**
 * Asks until the administrator admits this machine; its credential then, which ends later than `expires`. `told` hears why it is
 * refused so far. Errors: those of the signal, and of a server that refuses the enrolment credential.
 */
export async function askToJoin(
  enrolment: CredentialFile,
  keys: MemberKeys,
  about: { readonly seat: string; readonly machine: string },
  {
    signal,
    told,
    expires = 0,
  }: { readonly signal: AbortSignal; readonly told: (refused: string) => void; readonly expires?: number | undefined },
): Promise<CredentialFile> {
  const { user, signer: key } = publicKeysOf(keys);
  const asked = { ...about, user, signer: key };
  const proof = signatureOf({ ...asked, enrolment: enrolment.name }, signerOf('', keys.signer));
  const where = { kind: 'request', target: enrolment.name, id: key } as const;
  const request = seal(where, { ...asked, proof }, signerOfCredential(enrolment));
  const trust: Trust = { issuer: enrolment.issuer, revoked: new Set() };
  const nc = await connectBus(enrolment, { patience: signal });
  try {
    for (let look = 0; ; look += 1) {
      if (look % LOOKS === 0)
        await writeValue(nc, requestSubject(enrolment.name, key), request, null).catch(whereUnanswered(null));
      await sleep(LOOK_MS, undefined, { signal });
      const place = admissionSubject(enrolment.name, key);
      const kept = await readValue(nc, STREAM.admissions, place).catch(whereUnanswered(null));
      const answer = kept === null ? null : admissionOf(kept.text, enrolment.name, key, trust);
      if (answer !== null && 'refused' in answer) told(answer.refused);
      if (answer === null || 'refused' in answer || answer.expires <= expires) continue;
      const { jwt, card, ...admitted } = answer;
      return { ...enrolment, ...admitted, role: 'seat', creds: credsOf(jwt, keys), card, seed: keys.signer };
    }
  } finally {
    await nc.close();
  }
}
