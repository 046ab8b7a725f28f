import type { ActionContext, ActionDefinition, HostServices } from '../../actions/index.ts';
import { ACTIONS } from '../../actions/index.ts';
import { abortReason, toUiaHostError, UiaHostError } from '../../contract/errors.ts';
import type { ActionResult, Outcome } from '../../contract/outcome.ts';
import type { Policy } from '../../contract/permissions.ts';
import type { ActionTraits } from '../../contract/traits.ts';
import type { ProposerClaims } from '../../contract/proposal.ts';
import type { CallContext, Desktop } from '../../desktop/index.ts';
import { isDenied, isOutside } from '../../contract/app-match.ts';
import type { Gate, GatePassed, GateRecord, GateSubject, GateWorld } from '../../policy/gate/index.ts';
import { ownerOf, type Caller } from '../face/caller.ts';
import { Deadline } from './deadline.ts';
import type { ActionRecord, ActionRun, Catalog, Runner, RunOptions } from '../face/host.ts';
import { newId } from '../face/ids.ts';
import { parseOrRefuse } from '../../contract/issues.ts';
import { quoted } from '../../contract/quoted.ts';
import type { ActionLedger } from './ledger.ts';
import { assertStillBound, type OwnerState, type Owners } from './owners.ts';
import type { RunScope } from './run-scope.ts';
import { TurnQueue, type Turn } from './turn-queue.ts';

const DEFAULT_DEADLINE_MS = 10_000;
const LONGEST_DEADLINE_MS = 120_000;

export interface RunnerParts {
  readonly desktop: Desktop;
  readonly owners: Owners;
  readonly catalog: Catalog;
  readonly ledger: ActionLedger;
  policy(): Policy;
  readonly gate: Gate;
  worldFor(scope: RunScope): GateWorld;
  servicesFor(scope: RunScope, passed: GatePassed): HostServices;
  /** Told right before delivery and at the end: events, session streams. */
  readonly observer: RunObserver;
  onFault(error: unknown, where: string): void;
}

export interface RunObserver {
  /** A call whose action is known begins; `onEnd` follows in any case. */
  onBegin(scope: RunScope): void;
  onProgress(scope: RunScope, progress: RunProgress): void;
  onStart(scope: RunScope, passed: GatePassed, traits: ActionTraits): Promise<void>;
  onEnd(
    scope: RunScope,
    end: { result: ActionResult } | { error: UiaHostError },
    passed: GatePassed | null,
  ): Promise<void>;
}

/** How far a call has come: a person is asked, or a batch has done so many of its steps. */
export type RunProgress =
  | { readonly stage: 'asked'; readonly approvalId: string }
  | { readonly stage: 'step'; readonly progress: number; readonly total: number };

/** How an action is run from inside the host: batch steps and proposals. */
export interface InnerOptions extends RunOptions {
  readonly claims?: ProposerClaims | undefined;
  readonly planStep?: { readonly planId: string } | undefined;
  /** The action that this one is a part of. */
  readonly outerId?: string | undefined;
  /** Sees each outcome of the gate, for an answer that tells how it judged. */
  readonly onGate?: ((record: GateRecord) => void) | undefined;
}

interface Live {
  readonly controller: AbortController;
  readonly caller: Caller;
  status: 'pending' | 'running';
  /** Settles, never fails, once its record says how it ended. */
  ended: Promise<void>;
}

/** How long who cancels an action waits for its end; the record says `running` after that. */
const CANCELLED_WITHIN_MS = 1000;

/** The only caller of an action's `run`: one pipeline for all edges, clean-up in `finally`. */
export class ActionRunner implements Runner {
  readonly #parts: RunnerParts;
  readonly #turns = new TurnQueue();
  readonly #live = new Map<string, Live>();
  readonly #definitions = new Map<string, ActionDefinition>();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    for (const definition of ACTIONS)
      for (const name of [definition.name, definition.method, definition.tool]) this.#definitions.set(name, definition);
  }

  run(caller: Caller, action: string, input: unknown, options: InnerOptions = {}): ActionRun {
    const actionId = newId('act');
    const controller = new AbortController();
    const onAbort = (): void =>
      controller.abort(abortReason(options.signal, 'The caller went away before the action ended.'));
    options.signal?.addEventListener('abort', onAbort, { once: true });
    if (options.signal?.aborted === true) onAbort();
    const live: Live = { controller, caller, status: 'running', ended: Promise.resolve() };
    this.#live.set(actionId, live);
    let tellPending: (approvalId: string | null) => void = () => {};
    const pending = new Promise<string | null>((resolve) => {
      tellPending = resolve;
    });
    const state = this.#parts.owners.begin(ownerOf(caller));
    // A repeated request is asked about, and followed, under the first one's id.
    let answeringId = actionId;
    const follow = (first: ActionRun): void => {
      answeringId = first.actionId;
      void first.pending.then(tellPending);
    };
    const result = this.#execute(caller, state, action, input, options, actionId, live, {
      tellPending,
      follow,
    }).finally(() => {
      this.#parts.owners.end(state);
      options.signal?.removeEventListener('abort', onAbort);
      this.#live.delete(actionId);
      tellPending(null);
    });
    // A caller that only follows `pending` must not make the process fail.
    live.ended = result.then(
      () => {},
      () => {},
    );
    const run: ActionRun = {
      get actionId() {
        return answeringId;
      },
      result,
      pending,
      cancel: (reason) => controller.abort(new UiaHostError('cancelled', reason)),
    };
    if (options.idempotencyKey !== undefined) this.#parts.ledger.follow(run);
    return run;
  }

  /**
   * What the gate would judge of a batch's step. Errors: not_found, invalid_argument naming the step; nothing was run.
   */
  subjectOf(scope: RunScope, action: string, rawInput: unknown, where: string): GateSubject {
    const definition = this.#definitions.get(action);
    if (definition === undefined) {
      throw new UiaHostError('not_found', `${where}: there is no action ${quoted(action)}; nothing was run.`, {
        suggestions: this.#parts.catalog.near(action),
      });
    }
    if (definition.topic === 'hosting')
      throw new UiaHostError(
        'invalid_argument',
        `${where}: ${definition.name} cannot stand inside a batch; nothing was run.`,
      );
    let input: unknown;
    try {
      input = parseOrRefuse(definition.input, rawInput);
    } catch (thrown) {
      const error = toUiaHostError(thrown);
      throw error.with({ detail: `${where}: ${error.message}` });
    }
    return {
      action: definition.method,
      actionId: newId('act'),
      input,
      traits: definition.traits(input as never, { isBound: scope.bound !== null }),
      claims: null,
      planStep: null,
      secret: secretOf(input),
    };
  }

  async record(caller: Caller, actionId: string): Promise<ActionRecord> {
    const live = this.#live.get(actionId);
    if (live !== undefined && maySee(caller, live.caller.tokenId)) return { actionId, status: live.status };
    const kept = await this.#parts.ledger.find(actionId);
    if (kept === null || !maySee(caller, kept.tokenId))
      throw new UiaHostError('action_not_found', `There is no action ${actionId}.`);
    return {
      actionId,
      status: kept.status,
      ...(kept.result === null ? {} : { result: kept.result as ActionResult }),
      ...(kept.error === null ? {} : { error: kept.error }),
    };
  }

  async cancel(caller: Caller, actionId: string): Promise<ActionRecord> {
    const live = this.#live.get(actionId);
    if (live !== undefined && maySee(caller, live.caller.tokenId)) {
      live.controller.abort(new UiaHostError('cancelled', 'The caller cancelled the action.'));
      await Promise.race([
        live.ended,
        new Promise((resolve) => {
          setTimeout(resolve, CANCELLED_WITHIN_MS).unref();
        }),
      ]);
    }
    return this.record(caller, actionId);
  }

  /** Aborts what runs; used by the emergency stop and when a session ends. */
  abortAll(error: UiaHostError, which: (caller: Caller) => boolean = () => true): number {
    const running = [...this.#live.values()].filter((live) => which(live.caller));
    for (const live of running) live.controller.abort(error);
    return running.length;
  }

  get runningCount(): number {
    return this.#live.size;
  }

  async #execute(
    caller: Caller,
    state: OwnerState,
    action: string,
    rawInput: unknown,
    options: InnerOptions,
    actionId: string,
    live: Live,
    { tellPending, follow }: { tellPending(approvalId: string | null): void; follow(first: ActionRun): void },
  ): Promise<ActionResult> {
    const definition = this.#definitions.get(action);
    if (definition === undefined) {
      const unknown = new UiaHostError('not_found', `There is no action ${quoted(action)}.`, {
        suggestions: this.#parts.catalog.near(action),
        actionId,
      });
      await this.#parts.ledger.refusedUnknown(caller, actionId, action, unknown);
      throw unknown;
    }
    const begun = performance.now();
    let turn: Turn | null = null;
    let passed: GatePassed | null = null;
    /** What the desktop answered: from here on it is done, whatever else fails. */
    let answer: { value: unknown; outcome: Outcome } | null = null;
    let input: unknown;
    let deadline = new Deadline(DEFAULT_DEADLINE_MS);
    let bound = state.binding;
    let observations = state.observations.asOfNow();
    const signal = live.controller.signal;
    const takeTurn = (): Promise<Turn | null> => this.#takeTurn(definition, state, () => deadline.forCall(), signal);
    const scope: RunScope = {
      caller,
      state,
      actionId,
      outerId: options.outerId ?? null,
      definition,
      get bound() {
        return bound;
      },
      get observations() {
        return observations;
      },
      get deadline() {
        return deadline;
      },
      signal,
      whileAsking: async (ask) => {
        deadline.pause();
        turn?.release();
        live.status = 'pending';
        try {
          return await ask();
        } finally {
          deadline.resume();
          live.status = 'running';
          turn = await takeTurn();
        }
      },
      onPending: (approvalId) => {
        this.#parts.ledger.pending(actionId, approvalId);
        tellPending(approvalId);
        this.#parts.observer.onProgress(scope, { stage: 'asked', approvalId });
      },
      onStep: (progress, total) => this.#parts.observer.onProgress(scope, { stage: 'step', progress, total }),
      onGate: (record) => options.onGate?.(record),
    };
    this.#parts.observer.onBegin(scope);
    try {
      const replay = await this.#parts.ledger.begin(
        { caller, actionId, definition, rawInput, idempotencyKey: options.idempotencyKey },
        follow,
      );
      if (replay !== null) {
        await this.#parts.observer.onEnd(scope, { result: replay }, null);
        return replay;
      }
      const world = this.#parts.worldFor(scope);
      world.session.assertLive();
      input = parseOrRefuse(definition.input, rawInput);
      const { deadlineMs } = input as { deadlineMs?: number };
      deadline = new Deadline(
        deadlineMs ?? Math.min(LONGEST_DEADLINE_MS, DEFAULT_DEADLINE_MS + (definition.lasts?.(input as never) ?? 0)),
      );
      turn = await takeTurn();
      // Once for traits, gate and delivery: a bind that lands in between must not turn what was judged on another window.
      bound = state.binding;
      observations = state.observations.asOfNow();
      const traits = definition.traits(input as never, { isBound: bound !== null });
      passed = await this.#parts.gate.pass(
        {
          action: definition.method,
          actionId,
          input,
          traits,
          claims: options.claims ?? null,
          planStep: options.planStep ?? null,
          secret: secretOf(input),
        },
        world,
      );
      await Promise.all([
        this.#parts.ledger.delivering(scope, passed),
        this.#parts.observer.onStart(scope, passed, traits),
      ]);
      answer = await this.#deliver(definition, input, scope, passed, traits);
      const result: ActionResult = {
        action: definition.method,
        actionId,
        value: answer.value,
        outcome: answer.outcome,
        decision: { ...passed.decision, approvalId: passed.approvalId },
        durationMs: Math.round((performance.now() - begun) * 10) / 10,
      };
      await Promise.all([
        this.#parts.ledger.succeeded(scope, result, passed),
        this.#parts.observer.onEnd(scope, { result }, passed),
      ]);
      return result;
    } catch (thrown) {
      const failure = toUiaHostError(thrown);
      const error =
        answer === null || definition.effect === 'observe'
          ? failure
          : doneUnrecorded(definition, answer.outcome, failure);
      error.actionId ??= actionId;
      if (error.code === 'internal') this.#parts.onFault(thrown, definition.name);
      await this.#parts.ledger.failed(scope, error, passed, input ?? rawInput);
      await this.#parts.observer.onEnd(scope, { error }, passed);
      throw error;
    } finally {
      (turn as Turn | null)?.release();
    }
  }

  /** The turn of the window that is bound when it comes; a window that was bound while waiting has an order of its own. */
  async #takeTurn(
    definition: ActionDefinition,
    state: OwnerState,
    msLeft: () => number,
    signal: AbortSignal,
  ): Promise<Turn | null> {
    for (;;) {
      const key = this.#turnKey(definition, state);
      if (key === null) return null;
      const turn = await this.#turns.take(key, msLeft(), signal);
      if (this.#turnKey(definition, state) === key) return turn;
      turn.release();
    }
  }

  /** Actions on one window run in order; input without a window is ordered on the whole desktop; the rest runs side by side. */
  #turnKey(definition: ActionDefinition, state: OwnerState): string | null {
    if (definition.topic === 'hosting' || definition.topic === 'binding') return null;
    if (state.binding !== null) return `hwnd:${state.binding.hwnd}`;
    return definition.effect === 'observe' ? null : 'desktop';
  }

  async #deliver(
    definition: ActionDefinition,
    input: unknown,
    scope: RunScope,
    passed: GatePassed,
    traits: ActionTraits,
  ): Promise<{ value: unknown; outcome: Outcome }> {
    if (scope.signal.aborted) throw scope.signal.reason;
    if (traits.binding !== 'none') assertStillBound(scope.state, passed.binding);
    const call: CallContext = {
      owner: scope.state.owner,
      get deadlineMs() {
        return scope.deadline.forCall();
      },
      signal: scope.signal,
      remoteControlMemory: this.#parts.policy().remoteControlMemory,
      judged: passed.judged,
    };
    const context: ActionContext = {
      desktop: this.#parts.desktop,
      call,
      // What has nothing to do with a window may still tell which one is bound.
      binding: traits.binding === 'none' ? scope.state.binding : passed.binding,
      element: passed.context,
      policy: this.#parts.policy(),
      isDenied: (app) => isDenied(app, this.#parts.policy().deny),
      limits: scope.caller.limits?.apps,
      isOutside: (app) => isOutside(app, scope.caller.limits?.apps),
      observations: scope.observations,
      bind: (record) => this.#bind(scope, record),
      host: this.#parts.servicesFor(scope, passed),
    };
    const answer = await definition.run(context, input as never);
    const output = definition.output.safeParse(answer.value);
    if (!output.success) {
      this.#parts.onFault(output.error, `${definition.name}: its value does not fit its schema`);
      throw new UiaHostError('internal', `${definition.name} made a value that does not fit its own schema.`, {
        delivery: definition.effect === 'observe' ? 'not_delivered' : 'unknown',
      });
    }
    return { value: output.data, outcome: answer.outcome };
  }

  /**
   * The former window gets back what this owner holds and moved; a dead one has nothing to give back, which is no failure.
   * Who unbinds lets go of everything: without a window, too, a button can be down.
   */
  async #bind(scope: RunScope, record: OwnerState['binding']): Promise<void> {
    const { owners } = this.#parts;
    const replaced = owners.bind(scope.state, record);
    for (const { owner, binding } of owners.takeSurplus()) void this.#giveBack(owner, binding);
    if (record === null || replaced !== null)
      await this.#giveBack(scope.state.owner, record === null ? null : replaced);
  }

  async #giveBack(owner: string, binding: OwnerState['binding']): Promise<void> {
    const call: CallContext = {
      owner,
      deadlineMs: 3000,
      signal: new AbortController().signal,
      remoteControlMemory: this.#parts.policy().remoteControlMemory,
    };
    try {
      await this.#parts.desktop.binding.release(binding, call);
    } catch (error) {
      this.#parts.onFault(error, 'release of a former binding');
    }
  }
}

/** What changes something was done, and then the disk failed: whoever sends it again does it twice. */
function doneUnrecorded({ method }: ActionDefinition, { effect }: Outcome, failure: UiaHostError): UiaHostError {
  const what = failure.code === 'audit_unavailable' ? 'the audit' : 'the store';
  return new UiaHostError(
    failure.code,
    `${method} was carried out (effect: ${effect}), and what came of it could not be recorded: ${what} cannot be written.`,
    {
      delivery: 'delivered',
      retryable: false,
      hint: 'Do not send it again; look at the window. The log has the cause; free the disk or mend the data folder.',
      cause: failure,
    },
  );
}

function secretOf(input: unknown): GateSubject['secret'] {
  const fields = input as { secretRef?: string; name?: string; automationId?: string; ref?: string };
  return fields.secretRef === undefined
    ? null
    : { ref: fields.secretRef, field: fields.name ?? fields.automationId ?? fields.ref ?? '' };
}

function maySee(caller: Caller, tokenId: string): boolean {
  return caller.scope === 'operator' || caller.tokenId === tokenId;
}
