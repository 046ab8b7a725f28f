/** Tries sequences at random, from a seed, and finds the shortest failing sequence. */
import * as fc from 'fast-check';
import { Bench, type Outcome, type PassGate, type Sequence } from './bench.ts';
import { sequence, shown } from './calls.ts';

/** Sequences per host, so that its stored data stays small. */
const OF_ONE_HOST = 500;

export interface Tried {
  /** The shortest sequence that wrongly reached something, call by call, and what it reached; null if none did. */
  readonly failure: string | null;
  readonly sequences: number;
  /** How often a call of each action was carried out. */
  readonly done: ReadonlyMap<string, number>;
  /** How often each kind of planted target was reached after a card about it. */
  readonly answered: ReadonlyMap<string, number>;
  /** How often a call used an approval given for an earlier one. */
  readonly covered: number;
}

/** What must not have happened, in words; null if nothing did. */
export function wrongIn(of: Sequence, { reached }: Outcome): string | null {
  const wrong = reached.filter((each) => each.wrong !== null);
  if (wrong.length === 0) return null;
  return [
    shown(of),
    ...wrong.map(
      ({ kind, what, window, action, wrong: why }) =>
        `  → ${kind}: ${what}${window === '' ? '' : ` (${window})`}, by ${action}: ${why}`,
    ),
  ].join('\n');
}

export async function trySequences({
  seed,
  runs,
  gate,
}: {
  seed: number;
  runs: number;
  gate?: PassGate;
}): Promise<Tried> {
  const done = new Map<string, number>();
  const answered = new Map<string, number>();
  const count = (of: Map<string, number>, key: string): void => void of.set(key, (of.get(key) ?? 0) + 1);
  let covered = 0;
  let used = 0;
  let bench = await Bench.open(gate);
  const run = async (each: Sequence): Promise<Outcome> => {
    used += 1;
    // A run that is silent for too long counts as hanging; more than all: a failure is being shrunk.
    if (used % 1000 === 0) console.log(`sequence ${used} of ${runs}`);
    if (used % OF_ONE_HOST === 0) {
      await bench[Symbol.asyncDispose]();
      bench = await Bench.open(gate);
    }
    return bench.run(each);
  };
  try {
    const result = await fc.check(
      fc.asyncProperty(sequence, async (each) => {
        const outcome = await run(each);
        outcome.answers.forEach((answer, index) => {
          if (answer === 'done') count(done, each.calls[index]?.action ?? '');
        });
        for (const { kind, wrong } of outcome.reached) if (wrong === null) count(answered, kind);
        covered += outcome.covered;
        return wrongIn(each, outcome) === null;
      }),
      { seed, numRuns: runs },
    );
    const found = result.counterexample?.[0] ?? null;
    const failure =
      found === null
        ? null
        : `${wrongIn(found, await run(found)) ?? shown(found)}\n(seed ${seed}, path ${result.counterexamplePath ?? ''}, after ${result.numRuns} sequences, shrunk ${result.numShrinks} times)`;
    return { failure, sequences: result.numRuns, done, answered, covered };
  } finally {
    await bench[Symbol.asyncDispose]();
  }
}
