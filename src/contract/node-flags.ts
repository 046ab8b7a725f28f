/** Flags for the Node processes of a host: each keeps a process small or its output quiet. */
import flags from './node-flags.json' with { type: 'json' };

/**
 * How each process of the host starts its Node: one thread for V8's background work (it starts as many as it finds useful
 * for itself, and each is a thread's memory), and a space for young objects that stays small. Processes that wait most of
 * their time for other programs lose nothing by it (docs/measurements.md).
 */
export const NODE_FLAGS: readonly string[] = flags;

/**
 * The same for the host's helper processes, which use V8's own code where it is in node.exe, without
 * a copy of it near to theirs: 2 to 4 MB each. Node then takes a little longer to start, since what it has compiled
 * beforehand is for other flags; the host answers meanwhile, and so does not do it itself.
 */
export const HELPER_FLAGS: readonly string[] = [...NODE_FLAGS, '--no-short-builtin-calls'];
