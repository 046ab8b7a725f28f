// Routines as tools: each that is kept and agreed to in the data directory, with its inputs as the schema.
import type { Caller } from '../host/face/caller.ts';
import type { Host } from '../host/face/host.ts';
import { endOf, inputSchemaOf, stepsOf, valuesOf, type RoutineFile } from '../routines/file.ts';
import { runSteps } from '../routines/run.ts';

const HINTS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };

export const routineTool = ({ routine }: RoutineFile) => ({
  name: `run_${routine.name.replaceAll('-', '_')}`,
  title: `Run ${routine.name}`,
  description: routine.description,
  inputSchema: inputSchemaOf(routine),
  annotations: HINTS,
});

/**
 * Runs it as its caller would run each step. A file of this machine is not read for an agent.
 * Errors: invalid_argument for inputs that it does not take, before anything is sent.
 */
export async function runRoutine(
  { host, caller }: { readonly host: Host; readonly caller: Caller },
  { routine }: RoutineFile,
  given: unknown,
  signal: AbortSignal,
  report: ((message: string) => void) | null,
): Promise<Record<string, unknown>> {
  const values = valuesOf(routine, given as Readonly<Record<string, unknown>>);
  const { verdict, why, steps } = await runSteps(
    stepsOf(routine, values, host.catalog),
    endOf(routine, values),
    {
      run: (action, input) => host.runner.run(caller, action, input, { signal }).result,
      readFile: () => null,
      onStep: (at, sentence) => report?.(`${at} ${sentence}`),
    },
    { pictures: false, from: undefined },
  );
  const told = steps.map(({ at, sentence, status, expected, seen }) => ({ at, sentence, status, expected, seen }));
  return { verdict, ...(why === '' ? {} : { why }), steps: told, untrusted: true };
}
