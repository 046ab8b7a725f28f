import { METHODS } from '../actions/index.ts';
import type { ComputerExecutor, ComputerExecutorCapabilities, ExecutorMethod } from '../contract/executor.ts';
import { UiaHostError } from '../contract/errors.ts';
import type { Caller } from './caller.ts';
import type { Runner } from './host.ts';

/**
 * The 42 methods, assembled from the definitions: positional arguments become an action's input, its value the method's.
 * Every call goes through the runner and so through the gate. A failed boolean is false, a failed nullable null, anything else rejects.
 */
export function createExecutor(runner: Runner, caller: Caller, capabilities: ComputerExecutorCapabilities): Required<ComputerExecutor> {
  const methods = Object.fromEntries(Object.values(METHODS).map((definition) => [
    definition.method,
    async (...args: unknown[]): Promise<unknown> => {
      try {
        const input = (definition.fromArguments as (...given: unknown[]) => Record<string, unknown>)(...args);
        const result = await runner.run(caller, definition.name, input).result;
        return definition.toMethodValue(result.value as never);
      } catch (error) {
        if (error instanceof UiaHostError && error.code !== 'internal') {
          if (definition.failure === 'false') return false;
          if (definition.failure === 'null') return null;
        }
        throw error;
      }
    },
  ])) as { [M in ExecutorMethod]: Required<ComputerExecutor>[M] };
  return { capabilities, ...methods };
}
