/** Exit status of a host process, shared with the scripts that start it. */
import codes from './exit-codes.json' with { type: 'json' };

/**
 * Status of a host, and of the `npm start` around it, that ended because another host has its data directory: the
 * program that started it waits for the other host instead. The number is EX_TEMPFAIL of sysexits.h.
 */
export const PLACE_TAKEN: number = codes.placeTaken;

/**
 * Status of a host that ended because another host, with another data directory, serves its user session. The program that
 * started it must not wait for the other host; the service tries again later.
 */
export const SESSION_HELD: number = codes.sessionHeld;

/** Status of a host that does not start because a policy is not valid (EX_CONFIG of sysexits.h). */
export const POLICY_REFUSED: number = codes.policyRefused;
