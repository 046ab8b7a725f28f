/** What persons give to sessions, and how a narrower policy takes it back. */
import type { FileTrust } from '../../contract/app-match.ts';
import type { Policy } from '../../contract/permissions.ts';
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

  /** The rights of an owner who was not given anything yet. */
  create(): { readonly grants: SessionGrants; readonly allowances: Allowances } {
    const revocations = this.#revocations;
    return {
      grants: new SessionGrants(this.#policy, { revocations, isProtected: this.#isProtected }),
      allowances: new Allowances(undefined, revocations),
    };
  }

  /** Takes from every session what the policy no longer allows. */
  policyChanged(): void {
    const now = this.#policy();
    this.#revocations.follow(this.#before, now);
    this.#before = now;
  }
}
