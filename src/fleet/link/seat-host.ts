/** The seat's host, reached as any client reaches it: the same gate, cards, limits and audit. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionResult, PendingAction } from '../../client/api.generated.ts';
import { isPending } from '../../client/calls.ts';
import { ConnectionError, HostNotFoundError, ProblemError, TimeoutError } from '../../client/errors.ts';
import { UiaHostClient } from '../../client/client.ts';
import { findHost } from '../../client/locate.ts';
import type { SeatHost, StepRun } from './carry-out.ts';
import type { OrchestratorToken } from './membership.ts';
import type { StepAnswer } from './protocol.ts';

/** What presence says about the host. */
export interface HostState {
  readonly version: string;
  readonly level: string;
  readonly isStopped: boolean;
  /** The doctor's finding that blocks, or limits. */
  readonly finding: string | null;
  readonly isBlocked: boolean;
}

/** Longer than any action without a person: a host that does not answer is asked again with the same key. */
const ANSWER_MS = 150_000;
const STATUS_MS = 10_000;
const LOOK_EVERY_MS = 250;
const NO_TOKEN = 'orchestrator_not_accepted';

/** @param tokenOf the named token of an orchestrator; null if this machine does not accept it. */
export class SeatHosts implements SeatHost {
  readonly #dataDirectory: string;
  readonly #tokenOf: (by: string) => OrchestratorToken | null;
  /** Proven once; found again when it does not answer. */
  #url: string | null = null;

  constructor(dataDirectory: string, tokenOf: (by: string) => OrchestratorToken | null) {
    this.#dataDirectory = dataDirectory;
    this.#tokenOf = tokenOf;
  }

  /** Null if no host answers. */
  async state(by: string): Promise<HostState | null> {
    const status = await this.#status(by).catch(() => null);
    if (status === null) return null;
    const { version, level, stopped, doctor } = status;
    const finding = doctor.find(({ severity }) => severity === 'blocks') ?? doctor[0];
    const isBlocked = finding?.severity === 'blocks';
    return { version, level, isStopped: stopped, finding: finding?.code ?? null, isBlocked };
  }

  async keeper(by: string): Promise<string | null> {
    const token = this.#tokenOf(by);
    if (token === null) return NO_TOKEN;
    try {
      return `${(await this.#status(by)).storeId} ${token.tokenId}`;
    } catch (error) {
      if (error instanceof ProblemError) return `refused ${error.code}`;
      return isBroken(error) ? null : thrown(error);
    }
  }

  async run(job: Parameters<SeatHost['run']>[0], step: number, key: string, how: StepRun): Promise<StepAnswer> {
    const { action = '', input } = job.steps[step] ?? {};
    const session = job.session === undefined ? `job_${job.id}` : `s_${job.session}`;
    if (this.#tokenOf(how.by) === null) return { status: 'failed', code: NO_TOKEN, delivery: 'not_delivered' };
    try {
      const client = await this.#client(how.by);
      // A step outlives its link, which asks again with the same key.
      const path = `/v1/actions/${encodeURIComponent(action)}?wait=0`;
      const { traceparent } = job;
      const headers = { 'idempotency-key': key, ...(traceparent === undefined ? {} : { traceparent }) };
      const sent = { body: input ?? {}, session, headers, timeoutMs: ANSWER_MS };
      const asked = client.json<ActionResult | PendingAction>('POST', path, sent);
      const answer = await stoppable(asked, client, `key:${key}`, how);
      return isPending(answer)
        ? await this.#decided(client, answer.actionId, how)
        : { status: 'succeeded', value: answer };
    } catch (error) {
      if (error instanceof ProblemError) return failed(error.code, error.delivery);
      if (!isBroken(error)) throw error;
      this.#url = null;
      return { status: 'unreachable' };
    }
  }

  /** Waits for the person; the end of the job withdraws the card. */
  async #decided(client: UiaHostClient, actionId: string, { until, shouldStop }: StepRun): Promise<StepAnswer> {
    for (let isCancelled = false; ; await sleep(LOOK_EVERY_MS)) {
      const { result, error } = await client.getAction(actionId, { timeoutMs: STATUS_MS });
      if (result !== undefined) return { status: 'succeeded', value: result };
      if (error !== undefined) return failed(error.code, error.delivery);
      if (isCancelled || !(shouldStop() || Date.now() > until)) continue;
      await client.cancelAction(actionId, { timeoutMs: STATUS_MS });
      isCancelled = true;
    }
  }

  async #status(by: string): Promise<Awaited<ReturnType<UiaHostClient['status']>>> {
    try {
      return await (await this.#client(by)).status({ timeoutMs: STATUS_MS });
    } catch (error) {
      this.#url = null;
      throw error;
    }
  }

  /** No token is sent before the host has proven that it owns the data directory. */
  async #client(by: string): Promise<UiaHostClient> {
    this.#url ??= (await findHost(this.#dataDirectory)).url;
    return new UiaHostClient({ url: this.#url, token: this.#tokenOf(by)?.token ?? '' });
  }
}

/** What is under way ends when the job must; its answer says how. */
async function stoppable<T>(asked: Promise<T>, client: UiaHostClient, action: string, how: StepRun): Promise<T> {
  const looking = setInterval(() => {
    if (how.shouldStop()) client.cancelAction(action, { timeoutMs: STATUS_MS }).catch(() => {});
  }, LOOK_EVERY_MS);
  return asked.finally(() => clearInterval(looking));
}

const isBroken = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof TimeoutError || error instanceof HostNotFoundError;

const thrown = (error: unknown): never => {
  throw error;
};

const failed = (code: string, delivery: string): StepAnswer => ({
  status: 'failed',
  code,
  delivery: delivery === 'delivered' || delivery === 'not_delivered' ? delivery : 'unknown',
});
