/** A clock that all processes of a machine share and that is never set: for deadlines that pass from one to another. */

/** Milliseconds since some moment before the machine's processes began. */
export const machineMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;
