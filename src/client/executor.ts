/** The given interface `ComputerExecutor` over a running host: on this machine, as a service, or elsewhere. */
import type { ComputerExecutor, ComputerExecutorCapabilities } from '../contract/executor.ts';
import { assembleExecutor, type CallResultOf, type CallResultsOf } from '../contract/executor-face.ts';
import type { ActionResult, Problem } from './api.generated.ts';
import { ClientError, ProblemError } from './errors.ts';

/** Where a call got no answer from the host, the problem has the fields that every error of the client has. */
export type ExecutorProblem = Problem | Pick<ClientError, 'code' | 'retryable' | 'delivery' | 'hint'>;
export type ExecutorResult = CallResultOf<ActionResult['outcome'], ActionResult['decision'], ExecutorProblem>;

/** What the executor needs of a client. */
interface RunsActions {
  run(name: string, input: unknown, options: { readonly session?: string | undefined }): Promise<unknown>;
  status(): Promise<{ readonly capabilities: Readonly<Record<string, unknown>> }>;
}

export interface ExecutorOptions {
  /** Whose bound window; default: the client's session. */
  readonly session?: string | undefined;
  /** Called at the end of each call, before its promise settles. Its exceptions are ignored. */
  readonly onResult?: ((result: ExecutorResult) => void) | undefined;
}

export type ClientExecutor = Required<ComputerExecutor> &
  CallResultsOf<ExecutorResult> & {
    /** Reads `capabilities.hostBundleId` from the host; until then, and before the first call, it is empty. Not enumerable. */
    ready(): Promise<void>;
  };

/** Statuses until the desktop's abilities are left as unknown: a busy desktop is given four seconds. */
const TRIES = 10;

/**
 * A call waits for a person where one must decide. A refusal is false or null where the method's type has it, and
 * rejects otherwise; a host that does not answer always rejects.
 */
export function createExecutor(host: RunsActions, { session, onResult }: ExecutorOptions = {}): ClientExecutor {
  const capabilities: ComputerExecutorCapabilities = {
    screenshotFiltering: 'none',
    platform: 'win32',
    hostBundleId: '',
  };
  let asked: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    // A status leaves out what a desktop that is just starting has not told within 400 ms.
    for (let tries = 0; tries < TRIES && capabilities.hostBundleId === ''; tries++) {
      const told = (await host.status()).capabilities;
      capabilities.hostBundleId = String(told['hostBundleId'] ?? '');
      if (told['screenshotFiltering'] === 'native') capabilities.screenshotFiltering = 'native';
    }
  };
  const ready = (): Promise<void> =>
    (asked ??= ask().catch((error: unknown) => {
      asked = undefined;
      throw error;
    }));
  const executor = assembleExecutor<ActionResult['outcome'], ActionResult['decision'], ExecutorProblem>({
    async run(action, input) {
      // The call itself says why the host does not answer.
      const known = ready().catch(() => {});
      const result = (await host.run(action, input, { session })) as ActionResult;
      await known;
      return result;
    },
    failure(thrown) {
      if (thrown instanceof ProblemError)
        return { problem: thrown.problem, actionId: thrown.actionId ?? null, isAnswer: thrown.code !== 'internal' };
      if (!(thrown instanceof ClientError)) throw thrown;
      const { code, retryable, delivery, hint } = thrown;
      return { problem: { code, retryable, delivery, hint }, actionId: null, isAnswer: false };
    },
    capabilities,
    onResult,
  });
  return Object.defineProperty(executor, 'ready', { value: ready }) as ClientExecutor;
}
