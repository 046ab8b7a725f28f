/** The executor of a host: the 42 methods and every further action over its runner, and so through the gate. */
import { ACTIONS, METHODS } from '../../actions/index.ts';
import { UiaHostError, toUiaHostError, type Problem } from '../../contract/errors.ts';
import type { ComputerExecutor, ComputerExecutorCapabilities } from '../../contract/executor.ts';
import { assembleExecutor, type CallResultOf, type CallResultsOf } from '../../contract/executor-face.ts';
import type { ActionResult, Decision, Outcome } from '../../contract/outcome.ts';
import type { Caller } from '../face/caller.ts';
import type { Runner } from '../face/host.ts';

export type CallResult = CallResultOf<Outcome, Decision, Problem>;
export type CallResults = CallResultsOf<CallResult>;

/** The actions beyond the methods, by their names in camelCase. */
export type ExtraActions = Readonly<Record<string, (input?: object) => Promise<ActionResult>>>;

export interface ExecutorEvents {
  /** Called at the end of each call, before its promise settles. Its exceptions are ignored. */
  readonly onResult?: ((result: CallResult) => void) | undefined;
}

/** They take their input as the other faces do, and give the whole result: no caller expects a bare answer of them. */
const extraActions = (runner: Runner, caller: Caller): ExtraActions =>
  Object.fromEntries(
    ACTIONS.filter(({ method }) => !Object.hasOwn(METHODS, method)).map(({ method, name }) => [
      method,
      async (input: object = {}) => runner.run(caller, name, input).result,
    ]),
  );

export function createExecutor<Extras = ExtraActions>(
  runner: Runner,
  caller: Caller,
  capabilities: ComputerExecutorCapabilities,
  { onResult }: ExecutorEvents = {},
): Required<ComputerExecutor> & CallResults & { readonly extras: Extras } {
  const executor = assembleExecutor<Outcome, Decision, Problem>({
    run: async (action, input) => runner.run(caller, action, input).result,
    failure(thrown) {
      const error = toUiaHostError(thrown);
      return {
        problem: error.toProblem(),
        actionId: error.actionId ?? null,
        isAnswer: thrown instanceof UiaHostError && thrown.code !== 'internal',
      };
    },
    capabilities,
    onResult,
  });
  return Object.defineProperties(executor, {
    extras: { value: extraActions(runner, caller) },
  }) as ReturnType<typeof createExecutor<Extras>>;
}
