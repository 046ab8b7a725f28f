/** The tenant's policy on the bus: whose cards are valid no longer. A reader keeps the highest version that it has seen. */
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { POLICY_SUBJECT, STREAM } from './names.ts';
import { readValue, Unanswered, whereUnanswered } from './records.ts';
import { openAs, seal, type Signer, type Trust } from './signed.ts';

const policySchema = z.strictObject({
  version: z.int().positive(),
  /** Ids of cards that are valid no longer: 88 characters each. */
  revoked: z.array(z.string().max(128)).max(2000),
  /** What earlier versions set: machines that have one still follow them, the others report them. */
  wantVersion: z.unknown().optional(),
  layers: z.unknown().optional(),
});
export type FleetPolicy = z.infer<typeof policySchema>;

const UNUSED = ['wantVersion', 'layers'] as const;
/** What an earlier version set. */
export type UnusedPolicy = Pick<FleetPolicy, (typeof UNUSED)[number]>;

export function unusedOf(policy: UnusedPolicy): UnusedPolicy {
  // an earlier version wrote layers where there were none
  const set = UNUSED.filter((name) => Object.keys(policy[name] ?? {}).length > 0);
  return Object.fromEntries(set.map((name) => [name, policy[name]]));
}

const ABOUT = { kind: 'policy', target: 'all', id: 'all' } as const;

export const sealPolicy = (policy: FleetPolicy, signer: Signer): string => seal(ABOUT, policy, signer);

/** What a reader goes by: the highest version that it has seen. */
export class PolicyTrust implements Trust {
  readonly issuer: string;
  revoked: ReadonlySet<string> = new Set();
  version = 0;
  unused: UnusedPolicy = {};
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
    this.revoked = new Set(policy.revoked);
    this.unused = unusedOf(policy);
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
