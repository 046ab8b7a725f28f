/** Schemas of what the doctor finds, and of the facts that it judges. */
import { z } from 'zod';

/** How a card is approved where the overlay can only deny, in one line. */
export const APPROVE_BY_API =
  'Decide with `uiahost approvals approve ID`; for an installed host an administrator allows that once: reg add HKLM\\SOFTWARE\\Policies\\uiahost\\ApprovalSurfaces /v api /t REG_DWORD /d 1';

/** One problem that would prevent actions, reported before one is tried. */
export const DoctorFinding = z.strictObject({
  code: z.string(),
  severity: z.enum(['blocks', 'limits', 'info']),
  message: z.string(),
  cure: z.string(),
});
export type DoctorFinding = z.infer<typeof DoctorFinding>;

/** What Windows does with programs without a signature that it trusts, by all its policies and by Smart App Control. */
export interface AppControl {
  readonly programs: 'off' | 'audited' | 'enforced' | 'unknown';
  readonly smart: 'off' | 'audited' | 'enforced' | 'unknown';
}

/** Facts about the session that the doctor judges; recorded states of these are its tests. */
export const SessionFacts = z.strictObject({
  sessionId: z.int(),
  /** The name of the desktop that has the input: Default, Winlogon, Screen-saver, or null if it cannot be opened. */
  inputDesktop: z.string().nullable(),
  isLocked: z.boolean(),
  isConnected: z.boolean(),
  displays: z.int(),
  ownIntegrity: z.string(),
  hasUiAutomation: z.boolean(),
  hasInputOrigin: z.boolean(),
  isServer: z.boolean(),
  isRemote: z.boolean(),
  target: z.strictObject({ isHung: z.boolean(), integrity: z.string(), title: z.string() }).nullable(),
});
export type SessionFacts = z.infer<typeof SessionFacts>;

/** What the overlay reports: whether a person can answer there. */
export const OverlayFacts = z.strictObject({
  state: z.enum(['starting', 'ready', 'failed']),
  /** Why it cannot distinguish a person's input from a program's, apart from what SessionFacts say. */
  hindrances: z.array(z.enum(['no_input_origin', 'no_input_hook', 'server_edition'])),
  hasStopHotkey: z.boolean(),
  /** A program's input reached an Approve button: remote control tools work this way. */
  sawInjectedInput: z.boolean(),
});
export type OverlayFacts = z.infer<typeof OverlayFacts>;
