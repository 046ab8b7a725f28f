// Drives the demo through the running host, step by step, and collects what was delivered, confirmed and seen.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Policy } from '../../contract/gate/permissions.ts';
import type { SystemFacts } from '../../contract/process/demo.ts';
import type { UiaHostClient } from '../../client/client.ts';
import { openDemo } from '../demo.ts';
import { ProblemError } from '../../client/errors.ts';
import { FailedError } from '../output.ts';
import { answersOf, type Answer } from './beliefs.ts';
import { sections } from './sections.ts';
import { eventually, NotTried, step, Witness } from './steps.ts';
import type { HostFacts, Outcome, Section, SelftestStep, StepResult, StepTools } from './steps.ts';

/** Shown by `uiahost selftest`, and written to its file. */
export interface SelftestReport {
  readonly uiahost: string;
  readonly date: string;
  /** Null where the demo, whose second process tells it, did not open. */
  readonly system: SystemFacts | null;
  /** What the doctor finds, by code: its sentences may name files. */
  readonly doctor: readonly string[];
  readonly steps: readonly StepResult[];
  /** Answers to docs/windows-truth.md, by number. */
  readonly beliefs: Readonly<Record<string, Answer>>;
  /** Why it ended before the last step; null if it did not. */
  readonly ended: string | null;
  readonly ms: number;
  /** Every step that was tried was done and seen by the witness. */
  readonly ok: boolean;
}

/** What a report is made of, while it is found. */
type Found = { -readonly [Key in 'system' | 'doctor' | 'steps']: SelftestReport[Key] } & { steps: StepResult[] };

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
const UNENDED = 'It was ended before its last step.';
/** Codes of what is answered for a program that is not on this machine. */
const MISSING: ReadonlySet<string> = new Set(['launch_failed', 'app_not_granted']);

/** Actions of the selftest's session; their cards are approved. */
export class Run {
  readonly #connection: UiaHostClient;
  /** Ends what is under way: the whole selftest's, or that of a section. */
  signal: AbortSignal;
  last: Outcome = {};

  constructor(connection: UiaHostClient, signal: AbortSignal) {
    this.#connection = connection;
    this.signal = signal;
  }

  operator<T>(method: string, path: string, body?: unknown): Promise<T> {
    return this.#connection.json<T>(method, path, { scope: 'operator', ...(body === undefined ? {} : { body }) });
  }

  /** Asks for an action without waiting for its end; its record's id, and the card that it needs. */
  async ask(action: string, input: object): Promise<BegunAction> {
    this.signal.throwIfAborted();
    return this.#connection.json('POST', `/v1/actions/${action}?wait=0`, {
      body: input,
      session: SESSION,
      signal: this.signal,
    });
  }

  /** The action's end, once it has one. */
  async end(actionId: string): Promise<Ended> {
    for (;;) {
      const ended = await this.#connection.json<Ended>('GET', `/v1/actions/${actionId}`, { signal: this.signal });
      if (ended.status !== 'pending' && ended.status !== 'running') return ended;
      await sleep(POLL_MS, undefined, { signal: this.signal });
    }
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  readonly act = async (action: string, input: object): Promise<any> => {
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
  step('', 'card denied by its time-out', (tools) => cardExpires(run, tools)),
  step(
    '',
    'stop and resume',
    (tools) => stopAndResume(run, tools),
    async (witness) => (await witness.ask('receipt', 0xf0)) === 1,
  ),
];

/** What a selftest is given besides its host. */
export interface SelftestOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  readonly signal: AbortSignal;
  /** Letters of the sections that run; the others are not tried. */
  readonly letters: string;
  /** Takes the report at the beginning, after each step and at the end: what is left if this is killed. */
  readonly onReport?: (report: SelftestReport) => void;
  /** `why`: none of the section's steps is tried. */
  readonly onStep: (result: StepResult, section: Section, why: string | null) => void;
  /** Tells a person what to do; false: it was left out. */
  readonly ask?: ((what: string) => Promise<boolean>) | undefined;
  /** Other programs in place of `powershell`, `edge` and those of Windows: their paths. */
  readonly programs?: Readonly<Record<string, string>>;
}

/**
 * Runs the sections, each alone, next to a demo of its own, which is closed at the end, after a failure and after `signal` too.
 * Wherever it ends early, the report says why, and what was not tried.
 */
export async function selftest(
  connect: () => Promise<UiaHostClient>,
  options: SelftestOptions,
): Promise<SelftestReport> {
  const { version: uiahost, onReport, onStep } = options;
  const began = Date.now();
  const found: Found = { system: null, doctor: [], steps: [] };
  const keep = (ended: string | null): SelftestReport => {
    const ok = ended === null && found.steps.every((step) => step.ok !== false);
    const [date, beliefs] = [new Date(began).toISOString(), answersOf(found.steps)];
    const report = { uiahost, date, ...found, beliefs, ended, ms: Date.now() - began, ok };
    onReport?.(report);
    return report;
  };
  keep(UNENDED);
  try {
    const connection = await connect();
    const { level } = await connection.json<HostFacts>('GET', '/v1/status');
    if (level !== 'control' && level !== 'full')
      throw new FailedError(`At level ${level} nothing can be driven.`, 'Run `uiahost policy level control`.');
    const kept: SelftestOptions['onStep'] = (...step) => {
      keep(UNENDED);
      onStep(...step);
    };
    await drive(connection, { ...options, onStep: kept }, found);
    return keep(null);
  } catch (error) {
    const { hint = '' } = error as { hint?: string };
    return keep(`${messageOf(error)} ${hint}`.trim());
  }
}

async function drive(connection: UiaHostClient, options: SelftestOptions, found: Found): Promise<void> {
  const { env, signal } = options;
  const { report: demo, child } = await openDemo(env, { another: true });
  await using witness = new Witness(env, demo.hwnd);
  const run = new Run(connection, signal);
  const tools = await toolsOf(run, witness, demo.hwnd, options, found);
  try {
    found.system = tools.system = await unlessAborted(signal, witness.system());
    await tools.bind(demo.hwnd);
    for (const section of sections(operatorSteps(run))) {
      await runSection(section, tools, run, options, found.steps);
      signal.throwIfAborted();
    }
  } finally {
    const isClosed = await inTime(closeDemo(witness));
    if (!isClosed) await inTime(closeByHost(new Run(connection, AbortSignal.timeout(CLOSES_WITHIN_MS)), demo.hwnd));
    await inTime(unbind(connection));
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

/** Whether the work, a clean-up, was done in its time. */
const inTime = (work: Promise<void>): Promise<boolean> =>
  unlessAborted(AbortSignal.timeout(CLOSES_WITHIN_MS), work).then(
    () => true,
    () => false,
  );

/** Its steps within its time; a step that it does not reach is not tried. */
async function runSection(
  section: Section,
  tools: OwnTools,
  run: Run,
  { signal, letters, onStep }: SelftestOptions,
  results: StepResult[],
): Promise<void> {
  const late = new AbortController();
  const limit = setTimeout(() => late.abort(new NotTried('The time of this section is over.')), section.limitMs);
  run.signal = AbortSignal.any([signal, late.signal]);
  let why = letters.includes(section.letter) ? null : 'not asked for';
  try {
    if (why === null) await unlessAborted(run.signal, section.begin?.(tools) ?? Promise.resolve());
  } catch (error) {
    why = messageOf(error);
  }
  for (const step of section.steps) {
    const reason = why ?? (run.signal.aborted ? messageOf(run.signal.reason) : null);
    const result = await runStep(step, reason, tools, run);
    results.push({ section: section.letter, ...result });
    if (!signal.aborted) onStep(results.at(-1)!, section, why);
  }
  clearTimeout(limit);
  run.signal = signal;
  await inTime(tools.endAll());
}

const messageOf = (error: unknown): string =>
  `${error instanceof ProblemError ? `${error.code}: ` : ''}${(error as Error).message}`;

/** `reason`: why it is not tried. */
async function runStep(
  { name, beliefs, run: does, sees }: SelftestStep,
  reason: string | null,
  tools: StepTools,
  run: Run,
): Promise<Omit<StepResult, 'section'>> {
  const began = performance.now();
  run.last = {};
  let [ok, answer, error, seen]: [boolean | null, Answer, string | null, boolean | null] = [true, 'yes', null, null];
  try {
    if (reason !== null) throw new NotTried(reason);
    if ((await unlessAborted(run.signal, does(tools))) === false) answer = 'no';
    if (sees !== undefined) {
      seen = await eventually(() => sees(tools.witness, tools.at)).catch(() => false);
      if (!seen) throw new Error('The second witness did not see the effect.');
    }
  } catch (failure) {
    error = messageOf(failure);
    [ok, answer] = failure instanceof NotTried || run.signal.aborted ? [null, 'not tried'] : [false, 'no'];
  }
  const { delivery = null, effect = null, attempts = [] } = run.last;
  const tried = attempts.map(({ rung, result }) => `${rung}: ${result}`);
  const ms = Math.round(performance.now() - began);
  return { step: name, beliefs, answer, ok, delivery, effect, tried, seen, ms, error };
}

type OwnTools = StepTools & { system: SystemFacts; endAll(): Promise<void> };

/** What the steps of a run use; what they started and opened is ended together. */
async function toolsOf(
  run: Run,
  witness: Witness,
  demo: string,
  { ask, env, programs = {} }: SelftestOptions,
  found: Found,
): Promise<OwnTools> {
  const opened: string[] = [];
  const host = async (): Promise<HostFacts> => {
    const facts = await run.operator<HostFacts>('GET', '/v1/status');
    found.doctor = facts.doctor.map(({ code }) => code);
    return facts;
  };
  const windows = (): Promise<Array<{ hwnd: string; title: string }>> => run.act('list-visible-windows', {});
  /** Lists windows that were not there before. */
  const newWindows = async () => {
    const before = new Set((await windows()).map(({ hwnd }) => hwnd));
    return async () => (await windows()).filter(({ hwnd }) => !before.has(hwnd));
  };
  const bind = async (hwnd: string): Promise<void> => {
    await run.act('bind-to-window', { hwnd });
    tools.at = hwnd;
  };
  const tools: OwnTools = {
    witness,
    act: run.act,
    bind,
    host,
    demo,
    at: demo,
    results: found.steps,
    last: () => run.last,
    system: {} as SystemFacts,
    env,
    restartsBefore: (await host()).worker.restarts,
    async byPerson(what, action, input) {
      const { actionId, approvalId } = await run.ask(action, input);
      const card = `/v1/approvals/${approvalId}`;
      try {
        await tools.ask(what);
      } catch (error) {
        await run.operator('POST', card, { decision: 'deny' }).catch(() => {});
        throw error;
      }
      const { status } = await run.end(actionId);
      const { decidedBy } = await run.operator<{ decidedBy: string }>('GET', card);
      if (status !== 'succeeded' || decidedBy !== 'overlay') throw new Error(`The card: ${status}, by ${decidedBy}.`);
    },
    async ask(what) {
      if (ask === undefined || !(await ask(what))) throw new NotTried('No person was there.');
    },
    async start({ words: [name = '', ...words], ...more }, title) {
      const added = await newWindows();
      const pid = await witness.start({ words: [programs[name] ?? name, ...words], ...more });
      if (pid === null) throw new NotTried(`${name} is not on this machine.`);
      for (;;) {
        const window = (await added()).find((each) => each.title.startsWith(title));
        if (window !== undefined) return bind(window.hwnd);
        if (await witness.hasEnded(pid)) throw new NotTried(`${name} ended before its window was shown.`);
        await sleep(POLL_MS, undefined, { signal: run.signal });
      }
    },
    async open(action, input) {
      const added = await newWindows();
      const { bundleId = '' } = input as { bundleId?: string };
      const given = bundleId in programs ? { bundleId: programs[bundleId] } : input;
      const value = await run.act(action, given).catch((error: unknown) => {
        const isMissing = error instanceof ProblemError && MISSING.has(error.code);
        throw isMissing ? new NotTried(messageOf(error)) : error;
      });
      const hwnd = value?.hwnd ?? (await added())[0]?.hwnd;
      if (hwnd === undefined) throw new NotTried('It was open already, or opened no window.');
      opened.push(hwnd);
      await bind(hwnd);
    },
    async endAll() {
      for (const hwnd of opened.splice(0)) await closeByHost(run, hwnd).catch(() => {});
      await witness.endStarted();
    },
  };
  return tools;
}

const unbind = (connection: UiaHostClient): Promise<void> =>
  connection.json('POST', '/v1/actions/unbind-from-window', { body: {}, session: SESSION });

/** Where the witness does not answer. */
async function closeByHost({ act }: Run, hwnd: string): Promise<void> {
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
