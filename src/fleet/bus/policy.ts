/** The tenant's policy on the bus: it only takes away. A reader keeps the highest version that it has seen. */
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { POLICY_SUBJECT, STREAM } from './names.ts';
import { readValue, Unanswered, whereUnanswered } from './records.ts';
import { openAs, seal, type Signer, type Trust } from './signed.ts';

const policySchema = z.strictObject({
  version: z.int().positive(),
  /** Ids of cards that are valid no longer: 88 characters each. */
  revoked: z.array(z.string().max(128)).max(2000),
  /** A hint: machines show it, and update nothing. */
  wantVersion: z.string().max(64).optional(),
  /** For hosts: what is taken away from all, a pool or a seat. Each host judges it as it judges its other policies. */
  layers: z.record(z.string().max(60), z.record(z.string(), z.unknown())).optional(),
});
export type FleetPolicy = z.infer<typeof policySchema>;

const ABOUT = { kind: 'policy', target: 'all', id: 'all' } as const;

export const sealPolicy = (policy: FleetPolicy, signer: Signer): string => seal(ABOUT, policy, signer);

/** What a reader goes by: the highest version that it has seen. */
export class PolicyTrust implements Trust {
  readonly issuer: string;
  revoked: ReadonlySet<string> = new Set();
  version = 0;
  wantVersion: string | null = null;
  layers: NonNullable<FleetPolicy['layers']> = {};
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
    this.wantVersion = policy.wantVersion ?? null;
    this.revoked = new Set(policy.revoked);
    this.layers = policy.layers ?? {};
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
