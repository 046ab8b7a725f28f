/** The gate's public interface: everything that the host may import from this folder. */
import type { AppIdentity } from '../../contract/element/binding.ts';
import { assess, passGate, type Assessment } from './gate.ts';
import type { GatePassed, GateSubject, GateWorld } from './gate-types.ts';
import { shownOnDisplay } from './may-touch.ts';
import { approvePlan, type PlanSubject } from './plans.ts';

export type { Answer, CardDraft, GatePassed, GateRecord, GateSession, GateSubject, GateWorld } from './gate-types.ts';
/** Binds the host's own cards to their arguments, as the gate binds its cards. */
export { stepDigest } from './digest.ts';

/** The only way to the desktop. Every method judges by the state at the time of the call. */
export interface Gate {
  /** Lets an action through, after a person's answer if one is needed, or throws. Only what has passed may run. */
  pass(subject: GateSubject, world: GateWorld): Promise<GatePassed>;
  /** What `pass` would decide now. Asks no person, counts and records nothing. */
  assess(subject: GateSubject, world: GateWorld): Promise<Assessment>;
  /** Asks once for all steps of a batch; each step still has to `pass`. */
  approvePlan(plan: PlanSubject, world: GateWorld): Promise<{ approvalId: string | null }>;
  /** Which of these applications a picture of a display may show, for a caller that lists some; null: all. */
  shownOnDisplay(
    listed: readonly string[],
    apps: readonly AppIdentity[],
    world: GateWorld,
  ): readonly AppIdentity[] | null;
}

export function createGate(): Gate {
  return { pass: passGate, assess, approvePlan, shownOnDisplay };
}
