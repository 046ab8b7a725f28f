/** The executor: the 42 methods over whatever runs an action by its name, and how each call ended. */
import type { ComputerExecutor, ComputerExecutorCapabilities, ExecutorMethod } from './executor.ts';
import { EXECUTOR_CALLS, inputOf, methodValue } from './executor-calls.ts';

export interface CallFacts {
  readonly method: ExecutorMethod;
  /** Identifies the call in the audit and on the event stream; null if it ended before it got one. */
  readonly actionId: string | null;
  /** Wall clock, waiting for a person included. */
  readonly durationMs: number;
}

/**
 * How one call of an executor's method ended. A method returns the bare types of the given interface: `false` or `null`
 * may have any cause, and `true` may mean an effect that was seen or only assumed. This result says which.
 */
export type CallResultOf<Outcome, Decision, Problem> =
  /** It ran: `outcome.effect` says whether its effect was seen (`confirmed`), and `outcome.evidence` how. */
  | (CallFacts & { readonly outcome: Outcome; readonly decision: Decision; readonly problem: null })
  /**
   * It did not run, or not completely: `problem` has the code, what happened, what to try, and whether input was
   * delivered.
   */
  | (CallFacts & { readonly outcome: null; readonly decision: null; readonly problem: Problem });

/** What an executor adds to the given interface. Neither is enumerable: the methods are the interface's. */
export interface CallResultsOf<Result> {
  /** The result of the call that ended last; null before the first. With parallel calls, use `resultOf`. */
  readonly lastResult: Result | null;
  /**
   * How this call ended, whatever others ran meanwhile. Waits for its end; a failure of the call is a result, not a rejection.
   * @param call the promise that a method of this executor returned: `const call = executor.key('ctrl+s'); const result
   * = await executor.resultOf(call);`
   * Errors: TypeError for any other promise.
   */
  resultOf(call: Promise<unknown>): Promise<Result>;
}

/** What runs the actions. */
export interface ExecutorBackend<Outcome, Decision, Problem> {
  run(
    action: string,
    input: Record<string, unknown>,
  ): Promise<{ value: unknown; outcome: Outcome; decision: Decision; actionId: string }>;
  /** `isAnswer`: the method answers its false or null for it; otherwise it rejects. */
  failure(thrown: unknown): { problem: Problem; actionId: string | null; isAnswer: boolean };
  readonly capabilities: ComputerExecutorCapabilities;
  /** Called at the end of each call, before its promise settles. Its exceptions are ignored. */
  readonly onResult?: ((result: CallResultOf<Outcome, Decision, Problem>) => void) | undefined;
}

const actionOf = (method: string): string => method.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * The methods, assembled from the table: positional arguments become an action's input, its value the method's.
 * A failed boolean is false, a failed nullable null, anything else rejects.
 */
export function assembleExecutor<Outcome, Decision, Problem>({
  run,
  failure,
  capabilities,
  onResult,
}: ExecutorBackend<Outcome, Decision, Problem>): Required<ComputerExecutor> &
  CallResultsOf<CallResultOf<Outcome, Decision, Problem>> {
  type Result = CallResultOf<Outcome, Decision, Problem>;
  let last: Result | null = null;
  const results = new WeakMap<Promise<unknown>, Promise<Result>>();
  const report = (result: Result): void => {
    last = result;
    try {
      onResult?.(result);
    } catch {
      // A listener's fault is not the call's.
    }
  };

  const call = async (
    method: ExecutorMethod,
    args: readonly unknown[],
  ): Promise<{ result: Result; answer(): unknown }> => {
    const begun = performance.now();
    const facts = (actionId: string | null): CallFacts => ({
      method,
      actionId,
      durationMs: Math.round(performance.now() - begun),
    });
    try {
      const { value, outcome, decision, actionId } = await run(actionOf(method), inputOf(method, args));
      return {
        result: { ...facts(actionId), outcome, decision, problem: null },
        answer: () => methodValue(method, value),
      };
    } catch (thrown) {
      const { problem, actionId, isAnswer } = failure(thrown);
      const { failed } = EXECUTOR_CALLS[method];
      return {
        result: { ...facts(actionId), outcome: null, decision: null, problem },
        answer() {
          if (failed === undefined || !isAnswer) throw thrown;
          return failed;
        },
      };
    }
  };

  const methods = Object.fromEntries(
    (Object.keys(EXECUTOR_CALLS) as ExecutorMethod[]).map((method) => [
      method,
      (...args: unknown[]): Promise<unknown> => {
        const ended = call(method, args);
        const answered = ended.then(({ result, answer }) => {
          report(result);
          return answer();
        });
        results.set(
          answered,
          ended.then(({ result }) => result),
        );
        return answered;
      },
    ]),
  ) as { [M in ExecutorMethod]: Required<ComputerExecutor>[M] };
  const executor: Required<ComputerExecutor> = { capabilities, ...methods };
  return Object.defineProperties(executor, {
    lastResult: { get: () => last },
    resultOf: {
      async value(given: Promise<unknown>): Promise<Result> {
        const result = results.get(given);
        if (result === undefined)
          throw new TypeError(
            'resultOf takes the promise that a method of this executor gave, itself and not one made from it.',
          );
        return result;
      },
    },
  }) as Required<ComputerExecutor> & CallResultsOf<Result>;
}
