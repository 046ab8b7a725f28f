/**
 * The waits that make evidence or keep a person safe, in one place, for tests pay them in real time. A test build may
 * shorten some (`__PATIENCE__`, a define of the bundle); nothing does in what ships: no variable, setting or file is read.
 */
declare const __PATIENCE__: number | undefined;

const FACTOR = typeof __PATIENCE__ === 'number' ? __PATIENCE__ : 1;

/** Time that the card must be visible, whole and unchanged, before Approve counts: a click meant for what was there before approves nothing. No build shortens it. */
export const CARD_SETTLES_MS = 700;
/** A change must last this long to count: clocks tick once a second, carets and cursors blink twice. No build shortens it. */
export const CHANGE_STAYS_MS = 1100;
/** How long hover effects may take to settle; what takes longer moves by itself. */
export const HOVER_SETTLES_MS = 400 * FACTOR;
/** Longer than a program's pauses between two steps of one reaction; shorter than the tick of a clock. */
export const QUIET_MS = 500 * FACTOR;
/** Programs complete or correct a text some time after it came: it is looked at again that much later. */
export const TEXT_STAYS_MS = 400 * FACTOR;
