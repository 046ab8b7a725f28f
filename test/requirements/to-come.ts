/**
 * Requirements that no test shows yet. A requirement that a test cites must leave this list, or `npm run check` fails.
 */
export const toCome: readonly string[] = ['http.dashboard'];
