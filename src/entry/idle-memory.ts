/** Collects garbage while the host is idle, so that a host in the background stays small. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By then a process has started, the host's overlay included, and has served whoever waited for it. */
const QUIET_MS = 3000;
const LOOK_EVERY_MS = 5000;
/** Less than this is not worth a collection. */
const WORTH_BYTES = 512 * 1024;
/** A thread that did more than this part of the time is at work and is left alone. */
const IDLE_BELOW = 0.05;

type Collect = (options: { type: 'major'; execution: 'async'; flavor: 'last-resort' }) => Promise<void>;

const held = (): number => {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
};

/**
 * Gives back what the start of a thread allocated and no longer needs, and later what its work left behind, whenever it
 * is idle. V8 by itself collects when it needs room, so a process that has nothing to do keeps what it once took: 12 MB of
 * young objects from its start, pictures after a capture (docs/measurements.md). Each thread has a heap of its own and
 * calls this once.
 */
export function releaseIdleMemory(): void {
  let collect: Collect | undefined;
  let least = 0;
  let load = performance.eventLoopUtilization();
  const tidy = async (): Promise<void> => {
    await collect?.({ type: 'major', execution: 'async', flavor: 'last-resort' });
    least = held();
  };
  setTimeout(() => {
    // A process that was started without NODE_FLAGS has grown its space for young objects: from now on it no longer does.
    setFlagsFromString('--semi-space-growth-factor=1');
    // The middle compiler takes up every function that all requests pass at the same five-hundredth of them, and keeps their graphs until the
    // last is done: 25 MB, of which 16 stay. What is hot beyond that TurboFan compiles; here, not on the command line, since Node's own
    // beforehand compiled code is for the flags that it starts with.
    setFlagsFromString('--no-maglev');
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
    void tidy();
  }, QUIET_MS).unref();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, load);
    load = now;
    if (collect !== undefined && utilization < IDLE_BELOW && held() - least > WORTH_BYTES) void tidy();
  }, LOOK_EVERY_MS).unref();
}
