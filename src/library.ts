/** The package as a library: an executor, and with it a whole host, in the caller’s process. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImageArtifactStore } from './artifacts/types.ts';
import type { ApprovalCard } from './contract/gate/approval.ts';
import { UiaHostError } from './contract/errors.ts';
import type { Action, Actions, ActionWithDefaults, ResultOf } from './client/api.generated.ts';
import type { ComputerExecutor, ExecutorMethod } from './contract/executor.ts';
import type { Policy } from './contract/gate/permissions.ts';
import type { Surface } from './host/approvals/surface.ts';
import { createExecutor, type CallResult, type CallResults } from './host/running/executor.ts';
import { assertDataDirectory } from './host/home/config.ts';
import { toPolicy, type SecurityPolicy } from './policy/file/builder.ts';
import { processFiles } from './entry/process-files.ts';

declare const __VERSION__: string;
const VERSION = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0';

export interface ExecutorOptions {
  /**
   * Where the host keeps its store, audit and pictures: an absolute path. Default: `%LOCALAPPDATA%\uiahost`. One host at a
   * time uses it. The emergency stop holds in every directory of the user.
   */
  readonly dataDirectory?: string;
  /**
   * What applies where the policy file says nothing, such as
   * `securityPolicy().withComputerPermission('control').build()`. Without it a directory that was not used before allows
   * looking only, until a person agrees to more.
   */
  readonly policy?: Policy | SecurityPolicy;
  /** Keeps the pictures instead of the host's own store. */
  readonly imageStore?: ImageArtifactStore;
  /** Session name; bindings belong to it. Default `default`. */
  readonly session?: string;
  /**
   * The embedding program asks its own user. Without it the overlay asks.
   */
  readonly onApproval?: (card: ApprovalCard, signal: AbortSignal) => Promise<'approve' | 'deny'>;
  /**
   * Receives how each call ended, before its promise settles: the outcome with its evidence, or the problem behind a
   * `false`, a `null` or a rejection. What it throws is ignored. See also `lastResult` and `resultOf` of the executor.
   */
  readonly onResult?: (result: CallResult) => void;
}

/**
 * The 42 methods in the calling program, with a host that ends with it. They accept what callers of the given interface
 * pass: an empty string, null or undefined counts as absent, and a field that does not belong to the kind of call is
 * dropped; wheel amounts of 100 and more are in WHEEL_DELTA, 120 per notch. What is still not valid fails, and
 * `lastResult` or `resultOf` has the problem.
 */
export type OwnedExecutor = Required<ComputerExecutor> &
  CallResults & {
    /** The actions beyond the 42 methods: `executor.extras.readRange({ range: 'A1:C4' })`. Not enumerable. */
    readonly extras: ExecutorExtras;
  } & AsyncDisposable;

type Extra<Called> =
  Called extends ActionWithDefaults<infer Input, infer Value>
    ? (input?: Input) => Promise<ResultOf<Value>>
    : Called extends Action<infer Input, infer Value>
      ? (input: Input) => Promise<ResultOf<Value>>
      : never;

/**
 * Every other action, with its input as HTTP takes it: unknown fields are refused. Each resolves to the result with value, outcome
 * and decision; a failure rejects with a `UiaHostError`. They pass the gate like the methods.
 */
export type ExecutorExtras = { readonly [Name in Exclude<keyof Actions, ExecutorMethod>]: Extra<Actions[Name]> };

/** The oldest Node in which a host runs; the rest of the package needs what package.json says. */
const EXECUTOR_NODE = 24;

/**
 * Starts a host without an HTTP server in this process and gives its executor. Every method goes through the gate, as
 * in every other interface. Errors: unsupported on a system other than Windows, and in a Node before 24; lock_held if another host uses the data
 * directory or the user session; invalid_argument for a policy that is not valid.
 */
export async function createComputerExecutor(options: ExecutorOptions = {}): Promise<OwnedExecutor> {
  if (Number.parseInt(process.versions.node, 10) < EXECUTOR_NODE)
    throw new UiaHostError(
      'unsupported',
      `An executor needs Node ${EXECUTOR_NODE} or newer; this is Node ${process.versions.node}.`,
      { hint: 'Everything else of the package runs in Node 20: drive a running host with uiahost/client.' },
    );
  if (process.platform !== 'win32')
    throw new UiaHostError('unsupported', `An executor needs Windows; this is ${process.platform}.`, {
      hint: 'On Linux: clone the repository and run node scripts/start.mjs in it, and call that host over HTTP or MCP.',
    });
  // Machine code is loaded with the first executor: on a system without it the library's other parts still work.
  const [{ composeHost }, { hostBundleId }] = await Promise.all([
    import('./main.ts'),
    import('./win32/system/process.ts'),
  ]);
  let decide: (approvalId: string, decision: 'approve' | 'deny') => Promise<void> = async () => {};
  const { host, close, startOverlay } = await composeHost({
    config: {
      dataDirectory: assertDataDirectory(
        options.dataDirectory ?? join(process.env['LOCALAPPDATA'] ?? tmpdir(), 'uiahost'),
      ),
      level: undefined,
      agentToken: undefined,
      operatorToken: undefined,
      demoApps: [],
    },
    files: processFiles(),
    version: VERSION,
    surfaces:
      options.onApproval === undefined
        ? ['overlay']
        : [callbackSurface(options.onApproval, (approvalId, decision) => decide(approvalId, decision))],
    ...(options.policy === undefined
      ? {}
      : { policy: 'computer' in options.policy ? toPolicy(options.policy) : options.policy, startedBy: 'program' }),
    ...(options.imageStore === undefined ? {} : { imageStore: options.imageStore }),
  });
  startOverlay();
  decide = async (approvalId, decision) => {
    await host.approvals.decide(approvalId, { decision }, 'embedding program', 'api');
  };
  const executor = createExecutor<ExecutorExtras>(
    host.runner,
    { tokenId: 'executor', scope: 'agent', session: options.session ?? 'default', limits: null, surface: 'executor' },
    { screenshotFiltering: 'native', platform: 'win32', hostBundleId: hostBundleId() },
    { onResult: options.onResult },
  );
  return Object.assign(executor, {
    [Symbol.asyncDispose]: close,
  });
}

/** Cards go to a function; if it throws, or does not answer before the card is withdrawn, that is a denial. */
function callbackSurface(
  ask: (card: ApprovalCard, signal: AbortSignal) => Promise<'approve' | 'deny'>,
  decide: (approvalId: string, decision: 'approve' | 'deny') => Promise<void>,
): Surface {
  const open = new Map<string, AbortController>();
  return {
    name: 'api',
    isAvailable: () => true,
    show(card) {
      const controller = new AbortController();
      open.set(card.approvalId, controller);
      void ask(card, controller.signal)
        .catch(() => 'deny' as const)
        .then((decision) =>
          open.has(card.approvalId) ? decide(card.approvalId, decision === 'approve' ? 'approve' : 'deny') : undefined,
        )
        .catch(() => {});
    },
    takeAway(approvalId) {
      open.get(approvalId)?.abort();
      open.delete(approvalId);
    },
  };
}
