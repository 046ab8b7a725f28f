/** Collects garbage while the host is idle, so that a host in the background stays small. */
import type { EventLoopUtilization } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By then a process has started, the host's overlay included, and has answered the first calls. */
const QUIET_MS = 3000;
const CHECK_EVERY_MS = 5000;
/** Smaller growth is not worth a collection. */
const WORTH_BYTES = 512 * 1024;
/** Utilisation below which a thread counts as idle. */
const IDLE_BELOW = 0.05;
/**
 * A host is idle even while an agent works, since it waits for its worker, and a collection of 100 ms delays whatever is
 * asked meanwhile. So it also waits for a pause: this long (ms) with hardly any work.
 */
const PAUSE_MS = 1000;
const PAUSED_BELOW = 0.01;

type Collect = (options: { type: 'major'; execution: 'async'; flavor: 'last-resort' }) => Promise<void>;

const held = (): number => {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
};

/**
 * Frees what a thread allocated at its start and no longer needs, and later what its work left behind, whenever it is
 * idle. V8 collects only when it needs room, so an idle process would keep its memory: 12 MB of young objects from its
 * start, pictures after a capture (docs/measurements.md). Each thread has its own heap and calls this once.
 */
export function releaseIdleMemory(): void {
  let collect: Collect | undefined;
  let least = 0;
  let load = performance.eventLoopUtilization();
  const utilizationSince = (then: EventLoopUtilization): number =>
    performance.eventLoopUtilization(performance.eventLoopUtilization(), then).utilization;
  const tidy = async (): Promise<void> => {
    await collect?.({ type: 'major', execution: 'async', flavor: 'last-resort' });
    least = held();
  };
  setTimeout(() => {
    // A process started without NODE_FLAGS has enlarged its space for young objects; this stops it from growing further.
    setFlagsFromString('--semi-space-growth-factor=1');
    // Maglev queues every hot function at its 500th call and keeps all their graphs until the last is compiled: 25 MB, 16 MB of it
    // permanently. TurboFan compiles what stays hot. Set here, not on the command line, because Node's snapshot of compiled code
    // requires the flags that it was built with.
    setFlagsFromString('--no-maglev');
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
    void tidy();
  }, QUIET_MS).unref();
  const tidyInPause = (): void => {
    const then = performance.eventLoopUtilization();
    setTimeout(() => {
      if (utilizationSince(then) < PAUSED_BELOW) void tidy();
    }, PAUSE_MS).unref();
  };
  setInterval(() => {
    const isIdle = utilizationSince(load) < IDLE_BELOW;
    load = performance.eventLoopUtilization();
    if (collect !== undefined && isIdle && held() - least > WORTH_BYTES) tidyInPause();
  }, CHECK_EVERY_MS).unref();
}
