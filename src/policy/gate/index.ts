/** The gate's public interface: everything that the host may import from this folder. */
import { assess, passGate } from './gate.ts';
import { shownOnDisplay } from './may-touch.ts';
import { approvePlan } from './plans.ts';

export type { Answer, CardDraft, GatePassed, GateRecord, GateSession, GateSubject, GateWorld } from './gate-types.ts';
/** Binds the host's own cards to their arguments, as the gate binds its cards. */
export { stepDigest } from './digest.ts';

/** The only way to the desktop: only what has passed may run. Every method judges by the state at the time of the call. */
export const gate = { pass: passGate, assess, approvePlan, shownOnDisplay };
export type Gate = typeof gate;
