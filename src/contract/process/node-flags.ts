/** Flags for the Node processes of a host: each keeps a process small or its output quiet. */
import flags from './node-flags.json' with { type: 'json' };

/**
 * How each process of the host starts its Node: one thread for V8's background work (it starts as many as it finds useful
 * for itself, and each is a thread's memory), and a small space for young objects. Processes that mostly wait for other
 * programs lose nothing by it (docs/measurements.md).
 */
export const NODE_FLAGS: readonly string[] = flags;

/**
 * The same for the host's helper processes, which use V8's built-in code in node.exe without copying it next to their
 * own code: this saves 2 to 4 MB each. Node then starts a little more slowly, since its precompiled code is for other
 * flags. No caller waits for a helper; every client waits for the host, so the host keeps its copy.
 */
export const HELPER_FLAGS: readonly string[] = [...NODE_FLAGS, '--no-short-builtin-calls'];
