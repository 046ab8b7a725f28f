/** The rights that people grant to sessions, and how a stricter policy revokes them. */
import type { FileTrust } from '../../contract/gate/app-match.ts';
import type { Policy } from '../../contract/gate/permissions.ts';
import { Allowances } from '../../policy/rights/allowances.ts';
import { SessionGrants } from '../../policy/rights/grants.ts';
import { Revocations } from '../../policy/rights/revocations.ts';

export class SessionRights {
  readonly #policy: () => Policy;
  readonly #isProtected: FileTrust | undefined;
  readonly #revocations = new Revocations();
  #before: Policy;

  constructor(policy: () => Policy, isProtected: FileTrust | undefined) {
    this.#policy = policy;
    this.#isProtected = isProtected;
    this.#before = policy();
  }

  /** The rights of an owner without any grant. */
  create(): { readonly grants: SessionGrants; readonly allowances: Allowances } {
    const revocations = this.#revocations;
    return {
      grants: new SessionGrants(this.#policy, { revocations, isProtected: this.#isProtected }),
      allowances: new Allowances(undefined, revocations),
    };
  }

  /** Revokes from every session what the policy no longer allows. */
  policyChanged(): void {
    const now = this.#policy();
    this.#revocations.follow(this.#before, now);
    this.#before = now;
  }
}
