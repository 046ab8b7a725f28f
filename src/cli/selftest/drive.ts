// Drives the demo through the running host, step by step, and collects what was delivered, confirmed and seen.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Policy } from '../../contract/gate/permissions.ts';
import type { SystemFacts } from '../../contract/process/demo.ts';
import type { UiaHostClient } from '../../client/client.ts';
import { openDemo } from '../demo.ts';
import { FailedError } from '../output.ts';
import { eventually, STEPS, type SelftestStep, type StepTools, Witness } from './steps.ts';

/** Shown by `uiahost selftest`, and written to its file. */
export interface SelftestReport {
  readonly uiahost: string;
  readonly date: string;
  /** Null where the demo, whose second process tells it, did not open. */
  readonly system: SystemFacts | null;
  readonly steps: readonly StepResult[];
  /** Why it ended before the last step; null if it did not. */
  readonly ended: string | null;
  readonly ms: number;
  /** Every step was done and seen by the witness. */
  readonly ok: boolean;
}

export interface StepResult {
  readonly area: string;
  readonly step: string;
  readonly ok: boolean;
  /** The way that delivered the last action, and what the host reports about its effect. */
  readonly delivery: string | null;
  readonly effect: string | null;
  /** Each way that was tried for the last action, with its result: which of them this system offers. */
  readonly tried: readonly string[];
  /** What a second process saw; null for a step that only reads. */
  readonly seen: boolean | null;
  readonly ms: number;
  readonly error: string | null;
}

interface Outcome {
  readonly delivery?: string;
  readonly effect?: string;
  readonly attempts?: ReadonlyArray<{ readonly rung: string; readonly result: string }>;
}
interface Ended {
  readonly status: string;
  readonly result?: { readonly value: unknown; readonly outcome: Outcome };
  readonly error?: { readonly code: string; readonly detail: string };
}

/** A card is needed and the action waits, or it has ended. */
type BegunAction = Partial<Ended & NonNullable<Ended['result']>> & {
  readonly actionId: string;
  readonly approvalId?: string;
};

const SESSION = 'selftest';
const POLL_MS = 50;
const SHORT_CARD_MS = 2000;
const CLOSES_WITHIN_MS = 5000;

/** Actions of the selftest's session; their cards are approved. */
export class Run {
  readonly #connection: UiaHostClient;
  readonly #signal: AbortSignal;
  last: Outcome = {};

  constructor(connection: UiaHostClient, signal: AbortSignal) {
    this.#connection = connection;
    this.#signal = signal;
  }

  operator<T>(method: string, path: string, body?: unknown): Promise<T> {
    return this.#connection.json<T>(method, path, { scope: 'operator', ...(body === undefined ? {} : { body }) });
  }

  /** Asks for an action without waiting for its end; its record's id, and the card that it needs. */
  async ask(action: string, input: object): Promise<BegunAction> {
    this.#signal.throwIfAborted();
    return this.#connection.json('POST', `/v1/actions/${action}?wait=0`, {
      body: input,
      session: SESSION,
      signal: this.#signal,
    });
  }

  /** The action's end, once it has one. */
  async end(actionId: string): Promise<Ended> {
    for (;;) {
      const ended = await this.#connection.json<Ended>('GET', `/v1/actions/${actionId}`, { signal: this.#signal });
      if (ended.status !== 'pending' && ended.status !== 'running') return ended;
      await sleep(POLL_MS, undefined, { signal: this.#signal });
    }
  }

  readonly act = async (action: string, input: object): Promise<unknown> => {
    this.last = {};
    const asked = await this.ask(action, input);
    if (asked.approvalId === undefined || asked.status !== 'pending') {
      this.#note(asked.value, asked.outcome);
      return asked.value;
    }
    await this.operator('POST', `/v1/approvals/${asked.approvalId}`, { decision: 'approve' });
    const { result, error } = await this.end(asked.actionId);
    if (result === undefined)
      throw new Error(error === undefined ? 'The action has no result.' : `${error.code}: ${error.detail}`);
    this.#note(result.value, result.outcome);
    return result.value;
  };

  /** The way in which a picture was taken counts as its delivery. */
  #note(value: unknown, outcome: Outcome = {}): void {
    const { method } = (value ?? {}) as { method?: unknown };
    this.last = typeof method === 'string' ? { ...outcome, delivery: method } : outcome;
  }
}

/** A card without an answer expires, and its action is not carried out. */
async function cardExpires(run: Run, { witness }: StepTools): Promise<void> {
  const { timeoutMs: before } = (await run.operator<Policy>('GET', '/v1/policy')).approvals;
  await run.operator('PATCH', '/v1/policy', { approvals: { timeoutMs: SHORT_CARD_MS } });
  try {
    const { actionId } = await run.ask('click-element', { name: 'Delete all orders…' });
    const { error } = await run.end(actionId);
    if (error?.code !== 'approval_expired')
      throw new Error(`Expected approval_expired, got ${error?.code ?? 'success'}.`);
    if ((await witness.dialog('Delete all orders?')) !== null) throw new Error('The action was carried out.');
  } finally {
    await run.operator('PATCH', '/v1/policy', { approvals: { timeoutMs: before } });
  }
}

/** While stopped nothing is carried out; afterwards it is again. */
async function stopAndResume(run: Run, { act, bind, demo }: StepTools): Promise<void> {
  await run.operator('POST', '/v1/stop');
  let refused: unknown = null;
  try {
    await act('click-element', { name: 'Receipt by e-mail' });
  } catch (error) {
    refused = error;
  } finally {
    await run.operator('POST', '/v1/resume');
  }
  if (refused === null) throw new Error('An action was carried out while stopped.');
  await bind(demo);
  await act('click-element', { name: 'Receipt by e-mail' });
}

/** A card that expires, and stop and resume: through the operator's side of the host too. */
const operatorSteps = (run: Run): SelftestStep[] => [
  { area: 'approval', name: 'card denied by its time-out', run: (tools) => cardExpires(run, tools) },
  {
    area: 'control',
    name: 'stop and resume',
    run: (tools) => stopAndResume(run, tools),
    sees: async (witness) => (await witness.ask('receipt', 0xf0)) === 1,
  },
];

/**
 * Runs every step in a demo of its own, which is closed at the end, after a failure and after `signal` too. Where it ends
 * early, the report says why and has the steps until then. Errors: FailedError at a level at which nothing can be driven.
 */
export async function selftest(
  connection: UiaHostClient,
  env: NodeJS.ProcessEnv,
  version: string,
  signal: AbortSignal,
  onStep: (result: StepResult) => void,
): Promise<SelftestReport> {
  const { level } = await connection.json<{ level: string }>('GET', '/v1/status');
  if (level !== 'control' && level !== 'full')
    throw new FailedError(`At level ${level} nothing can be driven.`, 'Run `uiahost policy level control`.');
  const began = Date.now();
  const found: StepResults = { system: null, steps: [] };
  let ended: string | null = null;
  try {
    await drive(connection, env, signal, found, onStep);
  } catch (error) {
    ended = error instanceof Error ? error.message : String(error);
  }
  const ok = ended === null && found.steps.every((step) => step.ok);
  return { uiahost: version, date: new Date(began).toISOString(), ...found, ended, ms: Date.now() - began, ok };
}

/** What a selftest has found so far. */
interface StepResults {
  system: SystemFacts | null;
  readonly steps: StepResult[];
}

async function drive(
  connection: UiaHostClient,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  found: StepResults,
  onStep: (result: StepResult) => void,
): Promise<void> {
  const { report: demo, child } = await openDemo(env, { another: true });
  await using witness = new Witness(env, demo.hwnd);
  const run = new Run(connection, signal);
  const bind = async (hwnd: string): Promise<void> => void (await run.act('bind-to-window', { hwnd }));
  const tools: StepTools = { witness, act: run.act, bind, demo: demo.hwnd };
  try {
    found.system = await unlessAborted(signal, witness.system());
    await bind(demo.hwnd);
    for (const step of [...STEPS, ...operatorSteps(run)]) {
      const result = await unlessAborted(signal, runStep(step, tools, run));
      found.steps.push(result);
      onStep(result);
    }
  } finally {
    const isClosed = await within(CLOSES_WITHIN_MS, closeDemo(witness));
    if (!isClosed) await within(CLOSES_WITHIN_MS, closeByHost(connection, demo.hwnd));
    await within(CLOSES_WITHIN_MS, unbind(connection));
    if (!isClosed) child.kill();
  }
}

/** The work's result; throws the signal's reason if that comes first. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let abort = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => (abort = () => reject(signal.reason as Error)));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => {});
  }
}

/** Whether the work was done within this time (ms). */
async function within(milliseconds: number, work: Promise<void>): Promise<boolean> {
  const late = new AbortController();
  const isDone = work.then(
    () => true,
    () => false,
  );
  const result = await Promise.race([isDone, sleep(milliseconds, false, { signal: late.signal }).catch(() => false)]);
  late.abort();
  return result;
}

async function runStep(step: SelftestStep, tools: StepTools, run: Run): Promise<StepResult> {
  const began = performance.now();
  run.last = {};
  let error: string | null = null;
  let seen: boolean | null = null;
  try {
    await step.run(tools);
  } catch (failure) {
    error = failure instanceof Error ? failure.message : String(failure);
  }
  if (error === null && step.sees !== undefined) {
    const { sees } = step;
    seen = await eventually(() => sees(tools.witness)).catch(() => false);
    if (!seen) error = 'The second witness did not see the effect.';
  }
  const { delivery = null, effect = null, attempts = [] } = run.last;
  return {
    area: step.area,
    step: step.name,
    ok: error === null,
    delivery,
    effect,
    tried: attempts.map(({ rung, result }) => `${rung}: ${result}`),
    seen,
    ms: Math.round(performance.now() - began),
    error,
  };
}

const unbind = (connection: UiaHostClient): Promise<void> =>
  connection.json('POST', '/v1/actions/unbind-from-window', { body: {}, session: SESSION });

/** Where the witness does not answer. */
async function closeByHost(connection: UiaHostClient, hwnd: string): Promise<void> {
  const { act } = new Run(connection, AbortSignal.timeout(CLOSES_WITHIN_MS));
  await act('bind-to-window', { hwnd });
  await act('manage-window', { action: 'close' });
}

/** Leaves no window behind. Errors: the demo is still open. */
async function closeDemo(witness: Witness): Promise<void> {
  for (const title of ['Order details', 'Delete all orders?']) {
    const dialog = await witness.dialog(title).catch(() => null);
    if (dialog !== null) await witness.closeWindow(dialog);
  }
  await witness.close();
  while (await witness.isOpen()) await sleep(POLL_MS);
}
