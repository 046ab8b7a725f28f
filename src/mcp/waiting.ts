// Keeps actions running while an MCP client waits for them in several calls.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApprovalCard } from '../contract/gate/approval.ts';
import { abortReason, toUiaHostError, UiaHostError } from '../contract/errors.ts';
import type { ToolContent } from '../contract/artifact.ts';
import type { ActionResult } from '../contract/outcome.ts';
import type { Caller } from '../host/face/caller.ts';
import { changeReportsOf, type Observe } from '../host/face/changes.ts';
import type { ActionRecord } from '../contract/gate/views.ts';
import type { ActionRun, Host } from '../host/face/host.ts';
import { contentOf, contentToSend, type Tool } from '../host/face/tools.ts';

/** A call answers within this time: several clients give up after 60 s of silence. */
const ANSWER_BEFORE_MS = 50_000;
/** How long a run continues for a client that got `pending` and has not called again. Models think for a while between two calls. */
const LEASE_MS = 60_000;
/** Some clients give up after 5 s of silence. */
export const PROGRESS_MS = 3000;
const POLL_MS = 250;

export interface WaitingTimes {
  readonly answerBeforeMs: number;
  readonly leaseMs: number;
}

/** The tool that started the run: the answer keeps that tool's form, whichever call fetches it. */
export type Shape = Pick<Tool, 'action' | 'toContent'>;

/** What a call runs. `observe` is `delta` by default: a model then needs no second call to see what it did. */
export interface Call {
  readonly input: unknown;
  readonly observe?: Observe | undefined;
  /** The client gets no progress: it hears of a card at once, and waits for the answer in a call of its own. */
  readonly isSilent?: boolean;
}

/** What a person is asked, until when, and how many cards were there before it. */
type OpenCard = Pick<ApprovalCard, 'summary' | 'page' | 'expiresAt'> & { readonly before: number };

/** The state of a run when a call must answer. */
export type Waited =
  | { readonly status: 'done'; readonly result: ActionResult; readonly content: ToolContent[] }
  /** `asked`: the card's summary and, for a browser, its page. */
  | {
      readonly status: 'pending';
      readonly approvalId: string;
      readonly actionId: string;
      readonly asked?: OpenCard;
    }
  | { readonly status: 'running'; readonly actionId: string };

interface Entry {
  readonly caller: Caller;
  readonly run: ActionRun;
  /** Compared with what changed: typed text is not repeated. */
  readonly input: unknown;
  readonly shape: Shape;
  readonly observe: Observe;
  approvalId: string | null;
  lease: NodeJS.Timeout | null;
  waiting: number;
}

/**
 * Runs that outlive the call that started them. Each is kept by the calls that wait for it, then by a lease until the client
 * calls again; a run that no call waits for any longer is cancelled, and its card is withdrawn.
 */
export class WaitingRoom {
  readonly #host: Host;
  readonly #times: WaitingTimes;
  readonly #entries = new Map<string, Entry>();

  constructor(host: Host, times: Partial<WaitingTimes> = {}) {
    this.#host = host;
    this.#times = { answerBeforeMs: ANSWER_BEFORE_MS, leaseMs: LEASE_MS, ...times };
  }

  /** Longest wait of a call, in milliseconds. */
  get answerBeforeMs(): number {
    return this.#times.answerBeforeMs;
  }

  /** Starts a run and waits up to `answerBeforeMs`. Aborting `signal` before the answer cancels the run. */
  async run(caller: Caller, shape: Shape, call: Call, signal: AbortSignal): Promise<Waited> {
    const { input, observe = 'delta', isSilent = false } = call;
    const run = this.#host.runner.run(caller, shape.action, input);
    const fresh: Entry = { caller, run, shape, input, observe, approvalId: null, lease: null, waiting: 0 };
    const entry = this.#entries.get(run.actionId) ?? fresh;
    this.#entries.set(run.actionId, entry);
    void run.pending.then((approvalId) => {
      entry.approvalId = approvalId;
    });
    return this.#wait(entry, signal, isSilent);
  }

  /** Waits for a run again. Errors: approval_not_found, action_not_found; those of the action itself. */
  async resume(
    caller: Caller,
    wanted: { approvalId?: string | undefined; actionId?: string | undefined },
    signal: AbortSignal,
  ): Promise<Waited> {
    const entry = [...this.#entries.values()].find(
      (each) =>
        each.caller.tokenId === caller.tokenId &&
        (each.run.actionId === wanted.actionId || (each.approvalId !== null && each.approvalId === wanted.approvalId)),
    );
    if (entry !== undefined) return this.#wait(entry, signal);
    return this.#follow(caller, wanted, signal);
  }

  async #wait(entry: Entry, signal: AbortSignal, isSilent = false): Promise<Waited> {
    const { run } = entry;
    entry.waiting += 1;
    if (entry.lease !== null) clearTimeout(entry.lease);
    entry.lease = null;
    const answered = new AbortController();
    let isOver = true;
    let isLeft = false;
    // The same call again waits for the same run.
    const left = (): void => {
      isLeft = true;
      entry.waiting -= 1;
      if (entry.waiting === 0) run.cancel(abortReason(signal).message);
    };
    if (signal.aborted) left();
    signal.addEventListener('abort', left, { once: true });
    try {
      const isAsked = run.pending.then((id) => (id === null ? run.result : timeUp(PROGRESS_MS, answered.signal)));
      const ends = [run.result, timeUp(this.#times.answerBeforeMs, answered.signal), ...(isSilent ? [isAsked] : [])];
      const done = await Promise.race(ends);
      if (done !== null) {
        const result = await changeReportsOf(this.#host).withChanges(entry.caller, done, entry.observe, entry.input);
        return { status: 'done', result, content: await contentToSend(this.#host, entry.shape, entry.caller, result) };
      }
      isOver = false;
      return entry.approvalId === null
        ? { status: 'running', actionId: run.actionId }
        : {
            status: 'pending',
            approvalId: entry.approvalId,
            actionId: run.actionId,
            asked: await this.#asked(entry.approvalId),
          };
    } finally {
      answered.abort();
      signal.removeEventListener('abort', left);
      if (!isLeft) entry.waiting -= 1;
      if (isOver) this.#entries.delete(run.actionId);
      else if (entry.waiting === 0) this.#lease(entry);
    }
  }

  #lease(entry: Entry): void {
    entry.lease = setTimeout(() => {
      this.#entries.delete(entry.run.actionId);
      entry.run.cancel('The client stopped waiting for it.');
    }, this.#times.leaseMs);
    entry.lease.unref();
  }

  /** Follows, by its record, a run that another interface started or that has ended. */
  async #follow(
    caller: Caller,
    wanted: { approvalId?: string | undefined; actionId?: string | undefined },
    signal: AbortSignal,
  ): Promise<Waited> {
    const actionId = wanted.actionId ?? (await this.#actionOf(wanted.approvalId ?? ''));
    const until = Date.now() + this.#times.answerBeforeMs;
    let record = await this.#record(caller, actionId, wanted.approvalId);
    while ((record.status === 'pending' || record.status === 'running') && Date.now() < until && !signal.aborted) {
      await timeUp(POLL_MS, signal);
      record = await this.#record(caller, actionId, wanted.approvalId);
    }
    if (record.result !== undefined) {
      const shape = { action: record.result.action, toContent: contentOf };
      const content = await contentToSend(this.#host, shape, caller, record.result);
      return { status: 'done', result: record.result, content };
    }
    if (record.error !== undefined) throw UiaHostError.fromProblem(record.error, { actionId });
    return record.status === 'pending' && wanted.approvalId !== undefined
      ? { status: 'pending', approvalId: wanted.approvalId, actionId, asked: await this.#asked(wanted.approvalId) }
      : { status: 'running', actionId };
  }

  async #asked(approvalId: string): Promise<OpenCard> {
    const { approvals } = this.#host;
    const [{ summary, page, expiresAt, createdAt }, { approvals: cards }] = await Promise.all([
      approvals.get(approvalId),
      approvals.list({ status: 'pending' }),
    ]);
    return { summary, page, expiresAt, before: cards.filter((card) => card.createdAt < createdAt).length };
  }

  async #actionOf(approvalId: string): Promise<string> {
    return (await this.#host.approvals.get(approvalId)).actionId;
  }

  /** Another token's approval is treated as unknown. */
  async #record(caller: Caller, actionId: string, approvalId: string | undefined): Promise<ActionRecord> {
    try {
      return await this.#host.runner.record(caller, actionId);
    } catch (thrown) {
      const error = toUiaHostError(thrown);
      if (error.code !== 'action_not_found' || approvalId === undefined) throw error;
      throw new UiaHostError('approval_not_found', `This token has no approval ${approvalId}.`);
    }
  }
}

/** Resolves with null after the time, or when `signal` is aborted. */
const timeUp = (ms: number, signal: AbortSignal): Promise<null> => sleep(ms, null, { signal }).catch(() => null);
