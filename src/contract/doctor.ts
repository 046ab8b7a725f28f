import { z } from 'zod';

/** One thing that stands in the way, said before anyone acts. */
export const DoctorFinding = z.strictObject({
  code: z.string(),
  severity: z.enum(['blocks', 'limits', 'info']),
  message: z.string(),
  cure: z.string(),
});
export type DoctorFinding = z.infer<typeof DoctorFinding>;

/** Facts about the session that the doctor judges; recorded states of these are its tests. */
export const SessionFacts = z.strictObject({
  sessionId: z.int(),
  /** The name of the desktop that has the input: Default, Winlogon, Screen-saver, or null where it may not be opened. */
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
