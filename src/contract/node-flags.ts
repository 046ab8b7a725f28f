import flags from './node-flags.json' with { type: 'json' };

/**
 * How each process of the host starts its Node: one thread for what V8 does beside (it starts as many as it finds useful
 * for itself, and each is a thread's memory), a space for young objects that stays small, and V8's own code used where it
 * lies in node.exe, without a copy of it near to ours (2 MB a process). Processes that wait most of their time for other
 * programs lose nothing by it (docs/measurements.md).
 */
export const NODE_FLAGS: readonly string[] = flags;
