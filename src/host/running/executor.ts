/** The executor: the 42 methods over the runner, and in addition to each bare answer how the call ended. */
import { ACTIONS, METHODS } from '../../actions/index.ts';
import { UiaHostError, toUiaHostError, type Problem } from '../../contract/errors.ts';
import type { ComputerExecutor, ComputerExecutorCapabilities, ExecutorMethod } from '../../contract/executor.ts';
import type { ActionResult, Decision, Outcome } from '../../contract/outcome.ts';
import type { Caller } from '../face/caller.ts';
import type { Runner } from '../face/host.ts';

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
export type CallResult =
  /** It ran: `outcome.effect` says whether its effect was seen (`confirmed`), and `outcome.evidence` how. */
  | (CallFacts & { readonly outcome: Outcome; readonly decision: Decision; readonly problem: null })
  /**
   * It did not run, or not completely: `problem` has the code, what happened, what to try, and whether input was
   * delivered.
   */
  | (CallFacts & { readonly outcome: null; readonly decision: null; readonly problem: Problem });

/** What this package's executor adds to the given interface. Neither is enumerable: the methods are the interface's. */
export interface CallResults {
  /** The result of the call that ended last; null before the first. With parallel calls, use `resultOf`. */
  readonly lastResult: CallResult | null;
  /**
   * How this call ended, whatever others ran meanwhile. Waits for its end; a failure of the call is a result, not a rejection.
   * @param call the promise that a method of this executor returned: `const call = executor.key('ctrl+s'); const result
   * = await executor.resultOf(call);`
   * Errors: TypeError for any other promise.
   */
  resultOf(call: Promise<unknown>): Promise<CallResult>;
}

/** The actions beyond the methods, by their names in camelCase. */
export type ExtraActions = Readonly<Record<string, (input?: object) => Promise<ActionResult>>>;

export interface ExecutorEvents {
  /** Called at the end of each call, before its promise settles. Its exceptions are ignored. */
  readonly onResult?: ((result: CallResult) => void) | undefined;
}

/** A method's answer and the call's result. */
interface Ended {
  readonly result: CallResult;
  /** Returns the method's value, or throws what it rejects with. */
  answer(): unknown;
}

type Definition = (typeof METHODS)[ExecutorMethod];

/** They take their input as the other faces do, and give the whole result: no caller expects a bare answer of them. */
const extraActions = (runner: Runner, caller: Caller): ExtraActions =>
  Object.fromEntries(
    ACTIONS.filter(({ method }) => !Object.hasOwn(METHODS, method)).map(({ method, name }) => [
      method,
      async (input: object = {}) => runner.run(caller, name, input).result,
    ]),
  );

async function runCall(
  definition: Definition,
  runner: Runner,
  caller: Caller,
  args: readonly unknown[],
): Promise<Ended> {
  const begun = performance.now();
  const facts = (actionId: string | null): CallFacts => ({
    method: definition.method,
    actionId,
    durationMs: Math.round(performance.now() - begun),
  });
  try {
    const input = (definition.fromArguments as (...given: unknown[]) => Record<string, unknown>)(...args);
    const { value, outcome, decision, actionId } = await runner.run(caller, definition.name, input).result;
    return {
      result: { ...facts(actionId), outcome, decision, problem: null },
      answer: () => definition.toMethodValue(value),
    };
  } catch (thrown) {
    const error = toUiaHostError(thrown);
    return {
      result: { ...facts(error.actionId ?? null), outcome: null, decision: null, problem: error.toProblem() },
      answer() {
        if (thrown instanceof UiaHostError && thrown.code !== 'internal') {
          if (definition.failure === 'false') return false;
          if (definition.failure === 'null') return null;
        }
        throw thrown;
      },
    };
  }
}

/**
 * The 42 methods, assembled from the definitions: positional arguments become an action's input, its value the method's.
 * Every call goes through the runner, and so through the gate. A failed boolean is false, a failed nullable null,
 * anything else rejects.
 */
export function createExecutor<Extras = ExtraActions>(
  runner: Runner,
  caller: Caller,
  capabilities: ComputerExecutorCapabilities,
  { onResult }: ExecutorEvents = {},
): Required<ComputerExecutor> & CallResults & { readonly extras: Extras } {
  let last: CallResult | null = null;
  const results = new WeakMap<Promise<unknown>, Promise<CallResult>>();
  const report = (result: CallResult): void => {
    last = result;
    try {
      onResult?.(result);
    } catch {
      // A listener's fault is not the call's.
    }
  };
  const methods = Object.fromEntries(
    Object.values(METHODS).map((definition) => [
      definition.method,
      (...args: unknown[]): Promise<unknown> => {
        const ended = runCall(definition, runner, caller, args);
        const call = ended.then(({ result, answer }) => {
          report(result);
          return answer();
        });
        results.set(
          call,
          ended.then(({ result }) => result),
        );
        return call;
      },
    ]),
  ) as { [M in ExecutorMethod]: Required<ComputerExecutor>[M] };
  const executor: Required<ComputerExecutor> = { capabilities, ...methods };
  return Object.defineProperties(executor, {
    extras: { value: extraActions(runner, caller) },
    lastResult: { get: () => last },
    resultOf: {
      async value(call: Promise<unknown>): Promise<CallResult> {
        const result = results.get(call);
        if (result === undefined)
          throw new TypeError(
            'resultOf takes the promise that a method of this executor gave, itself and not one made from it.',
          );
        return result;
      },
    },
  }) as ReturnType<typeof createExecutor<Extras>>;
}
