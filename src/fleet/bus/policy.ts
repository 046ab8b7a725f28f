/** The tenant's policy on the bus: whose cards are valid no longer. A reader keeps the highest version that it has seen. */
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { POLICY_SUBJECT, STREAM } from './names.ts';
import { readValue, Unanswered, whereUnanswered } from './records.ts';
import { openAs, seal, type Signer, type Trust } from './signed.ts';

/** What earlier versions set there is left out. */
const policySchema = z.object({
  version: z.int().positive(),
  /** Ids of cards that are valid no longer: 88 characters each. */
  revoked: z.array(z.string().max(128)).max(2000),
  /** Since when each of them is, in seconds of the epoch. */
  revokedAt: z.array(z.int()).max(2000).optional(),
  /** From then on (ms of the epoch) no machine takes a job: a server may keep newer policies back. */
  until: z.int().default(Number.MAX_SAFE_INTEGER),
});
export type FleetPolicy = z.input<typeof policySchema>;

const ABOUT = { kind: 'policy', target: 'all', id: 'all' } as const;

export const sealPolicy = (policy: FleetPolicy, signer: Signer): string => seal(ABOUT, policy, signer);

/** What a reader goes by: the highest version that it has seen. */
export class PolicyTrust implements Trust {
  readonly issuer: string;
  revoked: ReadonlySet<string> = new Set();
  revokedAt: ReadonlyMap<string, number> = new Map();
  version = 0;
  /** It has ended where none was seen. */
  until = 0;
  /** Its text: it is read before each job, and has not changed as a rule. */
  #text = '';

  constructor(issuer: string) {
    this.issuer = issuer;
  }

  /** Whether it is newer, and is followed now. */
  learn(text: string, now: number): boolean {
    if (text === this.#text) return false;
    const policy = openAs(policySchema, text, ABOUT, this, now)?.body;
    if (policy === undefined || policy.version <= this.version) return false;
    this.version = policy.version;
    this.until = policy.until;
    this.revoked = new Set(policy.revoked);
    this.revokedAt = new Map(policy.revoked.map((card, index) => [card, (policy.revokedAt?.[index] ?? 0) * 1000]));
    this.#text = text;
    return true;
  }

  /** Learns what the bus has, if it answers: its text where that is newer. */
  follow(nc: NatsConnection): Promise<string | null> {
    return this.read(nc).catch(whereUnanswered(null));
  }

  /** The same. Errors: Unanswered. */
  async read(nc: NatsConnection): Promise<string | null> {
    const kept = await readValue(nc, STREAM.policy, POLICY_SUBJECT);
    // the server has lost its data, and was not told yet who was revoked
    if (kept === null && this.version > 0) throw new Unanswered('The server has no policy of this fleet yet.');
    return kept !== null && this.learn(kept.text, Date.now()) ? kept.text : null;
  }
}
