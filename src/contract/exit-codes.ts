/** Exit status of a host process, shared with the scripts that start it. */
import codes from './exit-codes.json' with { type: 'json' };

/**
 * Status of a host, and of the `npm start` around it, that ended because another one has its data directory: whoever
 * started it waits for that one instead. The number is EX_TEMPFAIL of sysexits.h.
 */
export const PLACE_TAKEN: number = codes.placeTaken;
