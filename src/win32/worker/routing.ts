/** Which worker serves a program. No processes in here. */

/** The first worker: it serves the first program, and everything that concerns no window. */
export const FIRST = 0;
/** With one processor too, a program that hangs stops only its own agents. */
const LEAST_MOST = 2;
/** The most workers, however many processors there are: each takes memory. */
const MOST_WORKERS = 8;
/** A program that was not used for this long (ms) counts as not in use; a further worker without any ends. */
export const IDLE_MS = 120_000;

/** How many workers there may be on a machine, by its number of processors. */
export const mostWorkers = (processors: number): number => Math.min(MOST_WORKERS, Math.max(LEAST_MOST, processors));

/** A program as the rules see it. */
export interface RoutedProgram {
  readonly key: string;
  /** Place of the worker that serves it. */
  readonly place: number;
  /** When it was first used, in any order-preserving unit. */
  readonly since: number;
  readonly isInUse: boolean;
  /** How long (ms) its calls keep a worker busy, on the average of the latest; 0 while there are none. Others wait behind them. */
  readonly busyMs: number;
}

/** A worker as the rules see it. */
export interface RoutedWorker {
  readonly place: number;
  readonly isReady: boolean;
  /** The program that it was started for, until that has moved to it. */
  readonly startedFor: string | null;
}

export type Choice =
  | { readonly kind: 'stay' }
  | { readonly kind: 'move'; readonly place: number }
  /** A worker must be started, or is starting: until it is ready, the program stays where it is. */
  | { readonly kind: 'start' | 'wait'; readonly place: number };

/** A program is slow for another one if its calls are this long (ms), and this many times as long as the other's. */
const SLOW_MS = 60;
const SLOW_TIMES = 4;
const slowFor = ({ busyMs }: RoutedProgram): number => Math.max(SLOW_MS, SLOW_TIMES * busyMs);

/** More of a single call (ms) does not count. */
const MOST_MS = 250;

/** The average after one more call. It begins at 0: one long call, as the first reading of any window is, makes no program slow. */
export const averageBusy = (beforeMs: number, ms: number): number => beforeMs * 0.8 + Math.min(ms, MOST_MS) * 0.2;

const STAY: Choice = { kind: 'stay' };

/**
 * Where a program that begins an action should be served. The first worker keeps the program that was there first, and
 * all terminals; each further program gets a worker while there may be more, then the one with the fewest programs. Where
 * a slow program is served, the quick ones leave: they move to a worker without one, and spread again afterwards.
 */
export function chooseWorker(
  program: RoutedProgram,
  programs: readonly RoutedProgram[],
  workers: readonly RoutedWorker[],
  most: number,
): Choice {
  if (program.key === TERMINALS) return STAY;
  const load = (place: number): number => programs.filter((each) => each.isInUse && each.place === place).length;
  const isHeldUp = ({ place }: { readonly place: number }): boolean =>
    programs.some((each) => each.place === place && each.isInUse && each.busyMs >= slowFor(program));
  if (isHeldUp(program)) {
    const [quiet] = workers
      .filter((each) => each.place !== program.place && each.isReady && each.startedFor === null && !isHeldUp(each))
      .toSorted((one, other) => load(one.place) - load(other.place));
    if (quiet !== undefined) return { kind: 'move', place: quiet.place };
  }
  if (program.place !== FIRST) {
    const isCrowded = load(program.place) - load(FIRST) > 1 && !isHeldUp({ place: FIRST });
    return isCrowded && workers.some(({ place, isReady }) => place === FIRST && isReady)
      ? { kind: 'move', place: FIRST }
      : STAY;
  }
  const isFirstHere = !programs.some(
    (each) => each.key !== program.key && each.place === FIRST && each.isInUse && each.since < program.since,
  );
  if (isFirstHere) return STAY;
  const further = workers.filter((each) => each.place !== FIRST && !isHeldUp(each));
  const mine = further.find(({ startedFor }) => startedFor === program.key);
  if (mine !== undefined) return { kind: mine.isReady ? 'move' : 'wait', place: mine.place };
  const free = further.find(({ place, isReady, startedFor }) => isReady && startedFor === null && load(place) === 0);
  if (free !== undefined) return { kind: 'move', place: free.place };
  if (workers.length < most) return { kind: 'start', place: freePlace(workers) };
  const [least] = further
    .filter(({ isReady }) => isReady)
    .toSorted((one, other) => load(one.place) - load(other.place));
  return least !== undefined && load(least.place) < load(FIRST) ? { kind: 'move', place: least.place } : STAY;
}

/** Consoles and terminals count as one program, which stays with the first worker. */
export const TERMINALS = 'terminals';

/** The lowest place without a worker. */
export function freePlace(workers: ReadonlyArray<Pick<RoutedWorker, 'place'>>): number {
  let place = FIRST;
  while (workers.some((each) => each.place === place)) place += 1;
  return place;
}
