/** The seat's host, reached as any client reaches it: the same gate, cards, limits and audit. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionResult, PendingAction } from '../../client/api.generated.ts';
import { isPending } from '../../client/calls.ts';
import { ConnectionError, HostNotFoundError, ProblemError, TimeoutError } from '../../client/errors.ts';
import { UiaHostClient } from '../../client/client.ts';
import { findHost, isProven } from '../../client/locate.ts';
import type { SeatHost, StepRun } from './carry-out.ts';
import type { MemberToken } from './membership.ts';
import type { StepAnswer } from './protocol.ts';

/** What presence says about the host. */
export interface HostState {
  readonly version: string;
  readonly level: string;
  readonly isStopped: boolean;
  /** The doctor's finding that blocks, or limits. */
  readonly finding: string | null;
  readonly isBlocked: boolean;
  /** Its session is locked or disconnected. */
  readonly isAlone: boolean;
}

/** Longer than any action without a person: a host that does not answer is asked again with the same key. */
const ANSWER_MS = 150_000;
const STATUS_MS = 10_000;
const LOOK_EVERY_MS = 250;
const NO_TOKEN = 'orchestrator_not_accepted';

type TokenOf = (by: string) => MemberToken | null;

/**
 * @param locate the address of the host, which has proven that it is this seat's. Errors: HostNotFoundError.
 * @param tokenOf the named token of an orchestrator; null if this machine does not accept it.
 * @param hasGivenTokens the service gives them to the host; else they are the host's own.
 */
export class SeatHosts implements SeatHost {
  readonly #locate: () => Promise<string>;
  readonly #tokenOf: TokenOf;
  readonly #hasGivenTokens: boolean;

  constructor(locate: () => Promise<string>, tokenOf: TokenOf, hasGivenTokens = false) {
    this.#locate = locate;
    this.#tokenOf = tokenOf;
    this.#hasGivenTokens = hasGivenTokens;
  }

  /** Null if no host answers. */
  async state(by: string): Promise<HostState | null> {
    const client = await this.#client(by).catch(() => null);
    const status = await client?.status({ timeoutMs: STATUS_MS }).catch(() => null);
    if (status === undefined || status === null) return null;
    const { version, level, stopped, doctor } = status;
    const finding = doctor.find(({ severity }) => severity === 'blocks') ?? doctor[0];
    const isBlocked = finding?.severity === 'blocks';
    const isAlone = doctor.some(({ code }) => code === 'locked' || code === 'disconnected');
    return { version, level, isStopped: stopped, finding: finding?.code ?? null, isBlocked, isAlone };
  }

  async keeper(by: string): Promise<string | null> {
    const token = this.#tokenOf(by);
    if (token === null) return NO_TOKEN;
    const name = async (client: UiaHostClient): Promise<string> =>
      `${(await client.status({ timeoutMs: STATUS_MS })).storeId} ${token.tokenId}`;
    return this.#ask(this.#client(by), name, null, ({ code }) => `refused ${code}`);
  }

  async run(job: Parameters<SeatHost['run']>[0], step: number, key: string, how: StepRun): Promise<StepAnswer> {
    const { action = '', input } = job.steps[step] ?? {};
    const session = job.session === undefined ? `job_${job.id}` : `s_${job.session}`;
    if (this.#tokenOf(how.by) === null) return { status: 'failed', code: NO_TOKEN, delivery: 'not_delivered' };
    // A step outlives its link, which asks again with the same key.
    const path = `/v1/actions/${encodeURIComponent(action)}?wait=0`;
    const { traceparent } = job;
    const headers = { 'idempotency-key': key, ...(traceparent === undefined ? {} : { traceparent }) };
    const send = async (client: UiaHostClient): Promise<StepAnswer> => {
      const sent = { body: input ?? {}, session, headers, timeoutMs: ANSWER_MS };
      const asked = client.json<ActionResult | PendingAction>('POST', path, sent);
      const answer = await stoppable(asked, client, `key:${key}`, how);
      if (!isPending(answer)) return { status: 'succeeded', value: answer };
      how.onCard?.(answer.approvalId);
      return this.#decided(client, answer.actionId, how);
    };
    const unreachable = { status: 'unreachable' } as const;
    return this.#ask(this.#client(how.by), send, unreachable, ({ code, delivery }) => failed(code, delivery));
  }

  /** Waits for the person; the end of the job withdraws the card. */
  async #decided(client: UiaHostClient, actionId: string, { until, shouldStop, onCard }: StepRun): Promise<StepAnswer> {
    // a batch that has delivered a part runs while it waits: its card is decided at the latest with its end
    let card: 'asked' | 'seen' | 'decided' = 'asked';
    for (let isCancelled = false; ; await sleep(LOOK_EVERY_MS)) {
      const { status, result, error } = await client.getAction(actionId, { timeoutMs: STATUS_MS });
      if (status === 'pending') card = 'seen';
      else if (card === 'seen' || (card === 'asked' && status !== 'running')) {
        card = 'decided';
        onCard?.(null);
      }
      if (result !== undefined) return { status: 'succeeded', value: result };
      if (error !== undefined) return failed(error.code, error.delivery);
      if (isCancelled || !(shouldStop() || Date.now() > until)) continue;
      await client.cancelAction(actionId, { timeoutMs: STATUS_MS });
      isCancelled = true;
    }
  }

  /** What the host answers; `away` where none does, and what `refused` makes of its refusal. */
  async #ask<Answer, Away, Refused>(
    client: Promise<UiaHostClient>,
    ask: (client: UiaHostClient) => Promise<Answer>,
    away: Away,
    refused: (problem: ProblemError) => Refused,
  ): Promise<Answer | Away | Refused> {
    try {
      return await ask(await client);
    } catch (error) {
      if (this.#isAway(error)) return away;
      if (error instanceof ProblemError) return refused(error);
      throw error;
    }
  }

  /** No host answers; or not yet: the service gives it its tokens a moment after it listens. */
  #isAway(error: unknown): boolean {
    if (error instanceof ProblemError) return this.#hasGivenTokens && error.status === 401;
    return error instanceof ConnectionError || error instanceof TimeoutError || error instanceof HostNotFoundError;
  }

  /** No token is sent before the host has proven itself. */
  async #client(by: string): Promise<UiaHostClient> {
    return new UiaHostClient({ url: await this.#locate(), token: this.#tokenOf(by)?.token ?? '' });
  }
}

/** The host of this user's data directory. */
export const hostOfUser = (dataDirectory: string) => async (): Promise<string> => (await findHost(dataDirectory)).url;

/** The host that the service names, by the key that it told the service over its own pipe. */
export function hostOfChannel(named: () => { readonly url: string; readonly key: string } | null) {
  return async (): Promise<string> => {
    const host = named();
    if (host === null) throw new HostNotFoundError('No host runs in the session of this seat.', 'Sign in there.');
    const { protocol, port } = new URL(host.url);
    const known = Number(port) || (protocol === 'https:' ? 443 : 80);
    const isOurs = await isProven(host.url, known, Buffer.from(host.key, 'utf8')).catch(() => false);
    if (isOurs) return host.url;
    throw new HostNotFoundError(`The host at ${host.url} does not answer, or is another.`, 'Wait for its service.');
  };
}

/** What is under way ends when the job must; its answer says how. */
async function stoppable<T>(asked: Promise<T>, client: UiaHostClient, action: string, how: StepRun): Promise<T> {
  const looking = setInterval(() => {
    if (how.shouldStop()) client.cancelAction(action, { timeoutMs: STATUS_MS }).catch(() => {});
  }, LOOK_EVERY_MS);
  return asked.finally(() => clearInterval(looking));
}

const failed = (code: string, delivery: string): StepAnswer => ({
  status: 'failed',
  code,
  delivery: delivery === 'delivered' || delivery === 'not_delivered' ? delivery : 'unknown',
});
