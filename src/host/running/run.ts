/** One action from its request to its answer: begin → judge → deliver → end. The only caller of a definition's `run`. */
import type {
  ActionContext,
  ActionDefinition,
  HostServices,
  ObservationBook,
  ParsedInput,
  TraitState,
} from '../../actions/index.ts';
import { isDenied, isOutside } from '../../contract/gate/app-match.ts';
import type { AppIdentity, BindingRecord } from '../../contract/element/binding.ts';
import type { ElementInfo } from '../../contract/element/element.ts';
import { isSameName } from '../../contract/element/element-words.ts';
import { toUiaHostError, UiaHostError } from '../../contract/errors.ts';
import { parseKey } from '../../contract/keys/keys.ts';
import { parseOrRefuse } from '../../contract/json/issues.ts';
import { tellsText, type ActionResult, type Outcome } from '../../contract/outcome.ts';
import type { Policy } from '../../contract/gate/permissions.ts';
import type { ActionTraits } from '../../contract/gate/traits.ts';
import type { CallContext, Desktop } from '../../desktop/index.ts';
import { kindOf } from '../../policy/risk/words/app-kind.ts';
import type { Gate, GatePassed, GateRecord, GateSubject, GateWorld } from '../../policy/gate/index.ts';
import type { Caller } from '../face/caller.ts';
import type { ActionRun } from '../face/host.ts';
import type { OwnCall } from '../home/own-call.ts';
import type { CountedAction } from '../sessions/live-session.ts';
import {
  ActionDeadline,
  type InnerRunner,
  type RunObserver,
  type RunRequest,
  type RunScope,
  type LiveRun,
  type Turn,
  type TurnQueue,
} from './run-scope.ts';
import type { ActionLedger } from './ledger.ts';
import { assertStillBound, type Owners, type OwnerState } from './owners.ts';

const DEFAULT_DEADLINE_MS = 10_000;
const LONGEST_DEADLINE_MS = 120_000;

/** What every run needs from the host. */
export interface RunParts {
  readonly desktop: Desktop;
  readonly owners: Owners;
  readonly ledger: ActionLedger;
  readonly gate: Gate;
  readonly observer: RunObserver;
  readonly ownCall: OwnCall;
  policy(): Policy;
  worldFor(scope: RunScope): GateWorld;
  servicesFor(runner: InnerRunner, scope: RunScope, passed: GatePassed): HostServices;
  onFault(error: unknown, where: string): void;
}

/** What distinguishes one run from the others. */
export interface RunStart {
  readonly request: RunRequest;
  readonly definition: ActionDefinition;
  readonly state: OwnerState;
  readonly live: LiveRun;
  readonly turns: TurnQueue;
  readonly runner: InnerRunner;
  /** A person is asked. */
  onAsked(approvalId: string): void;
  /** The request repeats a run that is still in progress, which answers for both. */
  onFollow(first: ActionRun): void;
}

/** What the gate allowed. */
interface Judged {
  readonly input: ParsedInput;
  readonly traits: ActionTraits;
  readonly passed: GatePassed;
}

interface Done {
  readonly value: unknown;
  readonly outcome: Outcome;
  readonly stored: Promise<unknown> | undefined;
}

/** It reports the bound window, so its caller knows of another program’s. */
const SHOWS_BINDING = 'getBindingStatus';

export class Run implements RunScope {
  readonly caller: Caller;
  readonly state: OwnerState;
  readonly actionId: string;
  readonly outerId: string | null;
  readonly definition: ActionDefinition;
  readonly signal: AbortSignal;
  bound: BindingRecord | null;
  observations: ObservationBook;
  deadline = new ActionDeadline(DEFAULT_DEADLINE_MS);
  counted: CountedAction | null = null;
  readonly #parts: RunParts;
  readonly #start: RunStart;
  readonly #begun = performance.now();
  #turn: Turn | null = null;
  /** The unparsed input, until it is parsed. */
  #input: unknown;
  #held: readonly string[] = [];
  askedAt: number | null = null;
  deliveredAt: number | null = null;
  passed: GatePassed | null = null;
  /** `begun`: it is this run’s own request, not the repeat of another. `delivering`: the definition’s `run` was called. */
  #stage: 'new' | 'begun' | 'delivering' = 'new';
  /** The desktop's answer. Once it is set the action is done, whatever else fails. */
  #done: Done | null = null;

  constructor(parts: RunParts, start: RunStart) {
    const { request, definition, state, live } = start;
    this.#parts = parts;
    this.#start = start;
    this.#input = request.input;
    this.caller = request.caller;
    this.state = state;
    this.actionId = live.actionId;
    this.outerId = request.outerId;
    this.definition = definition;
    this.signal = live.controller.signal;
    this.bound = state.binding;
    this.observations = state.observations.asOfNow();
  }

  /** Errors: UiaHostError, already recorded. */
  async carryOut(): Promise<ActionResult> {
    this.#parts.observer.onBegin(this);
    try {
      const replay = await this.#begin();
      if (replay !== null) return replay;
      const judged = await this.#judge();
      const done = await this.#deliver(judged);
      return await this.#end(judged, done);
    } catch (thrown) {
      throw await this.#fail(thrown);
    } finally {
      this.#turn?.release();
    }
  }

  /** {@link InnerRunner.elementOf} */
  async elementOf(): Promise<ElementInfo | null> {
    const { actionId, definition } = this;
    const input = parseOrRefuse(definition.input, this.#input);
    const world = this.#parts.worldFor(this);
    const traits = definition.traits(input, this.#traitState(world));
    const { survey } = await this.#parts.gate.assess(
      { action: definition.method, actionId, input, traits, claims: null, planStep: null, secret: secretOf(input) },
      world,
    );
    return survey?.context?.element ?? null;
  }

  async whileAsking<T>(ask: () => Promise<T>): Promise<T> {
    const { live } = this.#start;
    this.deadline.pause();
    this.#turn?.release();
    live.status = 'pending';
    try {
      return await ask();
    } finally {
      this.deadline.resume();
      live.status = 'running';
      this.#turn = await this.#takeTurn();
    }
  }

  onPending(approvalId: string): void {
    this.askedAt ??= Date.now();
    this.#parts.ledger.pending(this.actionId, approvalId);
    this.#start.onAsked(approvalId);
    this.#parts.observer.onProgress(this, { stage: 'asked', approvalId });
  }

  onStep(progress: number, total: number): void {
    this.#parts.observer.onProgress(this, { stage: 'step', progress, total });
  }

  onGate(record: GateRecord): void {
    this.#start.request.onGate(record);
  }

  /** Records the request in the ledger. Returns the answer if it repeats an earlier request, else null. */
  async #begin(): Promise<ActionResult | null> {
    const { caller, actionId, definition } = this;
    const { input: rawInput, idempotencyKey } = this.#start.request;
    const replay = await this.#parts.ledger.begin(
      { caller, actionId, definition, rawInput, idempotencyKey },
      this.#start.onFollow,
    );
    if (replay !== null) await this.#parts.observer.onEnd(this, { result: replay });
    else this.#stage = 'begun';
    return replay;
  }

  /** Parses the input, waits for the window's turn, and asks the gate. */
  async #judge(): Promise<Judged> {
    const { definition, state } = this;
    const { request } = this.#start;
    const world = this.#parts.worldFor(this);
    world.session.assertLive();
    const input = parseOrRefuse(definition.input, request.input);
    this.#input = input;
    this.deadline = new ActionDeadline(deadlineOf(definition, input));
    this.#turn = await this.#takeTurn();
    // Once for traits, gate and delivery: a bind in between must not redirect what was judged on another window.
    this.bound = state.binding;
    this.observations = state.observations.asOfNow();
    const traits = definition.traits(input, this.#traitState(world));
    const isAboutBinding = definition.topic === 'binding' && definition.name !== 'bind-to-window';
    this.#parts.owners.assertNamed(state, this.caller, isAboutBinding ? 'preferred' : traits.binding);
    this.#followBinding(traits);
    const passed = await this.#parts.gate.pass(
      {
        action: definition.method,
        actionId: this.actionId,
        input,
        traits,
        claims: request.claims,
        planStep: request.planStep,
        secret: secretOf(input),
      },
      world,
    );
    this.passed = passed;
    // A person has seen what was started, and approved this action.
    if (passed.approvalId !== null) this.state.started.clear();
    return { input, traits, passed };
  }

  /** Mouse messages carry Ctrl and Shift; other held keys reach a program as keys alone. */
  #traitState(world: GateWorld): TraitState {
    const modifiers = world.heldKeys().map((name) => parseKey(name).modifier);
    this.#held = (['ctrl', 'shift'] as const).filter((name) => modifiers.includes(name));
    return { isBound: this.bound !== null, held: this.#held };
  }

  /** Errors: state_conflict if another program of this session bound another window since this one's last action. */
  #followBinding({ binding }: ActionTraits): void {
    const { client } = this.caller;
    if (this.definition.method !== SHOWS_BINDING) {
      if (binding === 'none') return;
      this.state.seen.assertUnchanged(client, this.bound);
    }
    this.state.seen.note(client, this.bound);
  }

  /** Calls the definition's `run` with what the gate judged, and checks its value. */
  async #deliver(judged: Judged): Promise<Done> {
    const { definition } = this;
    const { passed, traits } = judged;
    this.deliveredAt = Date.now();
    await Promise.all([
      this.#parts.ledger.delivering(this, passed),
      this.#parts.observer.onStart(this, passed, traits),
    ]);
    if (this.signal.aborted) throw this.signal.reason;
    if (traits.binding !== 'none') assertStillBound(this.state, passed.binding);
    const context = this.#context(judged);
    if (definition.watches === true) this.#turn?.release();
    this.#stage = 'delivering';
    const answer = await definition.run(context, judged.input);
    // Its error is thrown where it is awaited, unless another one comes first.
    answer.stored?.catch(() => {});
    const output = definition.output.safeParse(answer.value);
    if (!output.success) {
      this.#parts.onFault(output.error, `${definition.name}: its value does not fit its schema`);
      throw new UiaHostError('internal', `${definition.name} made a value that does not fit its own schema.`, {
        delivery: definition.effect === 'observe' ? 'not_delivered' : 'unknown',
      });
    }
    passed.succeeded();
    this.#noteStarted(answer.outcome);
    const outcome = definition.effect === 'input' ? naming(judged, answer.outcome) : answer.outcome;
    this.#done = { value: output.data, outcome, stored: answer.stored };
    return this.#done;
  }

  /** What an action made a program start: a console or a denied program makes the next action ask. */
  #noteStarted({ details }: Outcome): void {
    const started = (details?.['started'] ?? []) as readonly AppIdentity[];
    const { deny } = this.#parts.policy();
    const odd = started.filter((app) => isDenied(app, deny) || kindOf(app) === 'terminal');
    for (const { executable, bundleId } of odd)
      this.state.started.add((executable ?? bundleId).replace(/^.*[\\/]/, ''));
  }

  /** The one place where an answer leaves: what it tells of other programs' texts, the agent has read. */
  #noteRead(told: Parameters<typeof tellsText>[0]): void {
    if (tellsText(told, this.#start.request.input)) this.state.left.noteRead();
  }

  async #end({ passed }: Judged, { value, outcome, stored }: Done): Promise<ActionResult> {
    const result: ActionResult = {
      action: this.definition.method,
      actionId: this.actionId,
      value,
      outcome,
      decision: { ...passed.decision, approvalId: passed.approvalId },
      durationMs: Math.round((performance.now() - this.#begun) * 10) / 10,
    };
    this.#noteRead(outcome);
    const [size] = await Promise.all([this.#parts.ledger.succeeded(this, result, passed), stored]);
    await this.#parts.observer.onEnd(this, { result, size });
    return result;
  }

  /** Records the failure; returns the error for the caller. */
  async #fail(thrown: unknown): Promise<UiaHostError> {
    const { definition } = this;
    const failure = this.#exactly(toUiaHostError(thrown));
    const ended =
      this.#done === null || definition.effect === 'observe'
        ? failure
        : doneUnrecorded(definition, this.#done.outcome, failure);
    // A copy: a stop gives many runs the same error.
    const error = ended.actionId === undefined ? ended.with({ actionId: this.actionId }) : ended;
    // What an error quotes or suggests may be another program's words.
    const text = [...error.message.matchAll(/\u201c([^\u201d]*)\u201d/g)].map(([, words]) => words);
    const near = error.code.startsWith('target_') ? [error.suggestions, error.candidates] : [];
    this.#noteRead({ evidence: [{ kind: 'text', before: [...text, ...near], after: null }] });
    if (error.code === 'internal') this.#parts.onFault(thrown, definition.name);
    if (this.#stage !== 'delivering') this.counted?.failedEarly();
    await this.#parts.ledger.failed(this, error, this.passed, this.#input);
    await this.#parts.observer.onEnd(this, { error });
    return error;
  }

  /** What ends an action before it is delivered, a stop or the end of its token, delivered nothing of it. */
  #exactly(failure: UiaHostError): UiaHostError {
    return this.#stage === 'begun' && failure.delivery !== 'not_delivered'
      ? failure.with({ delivery: 'not_delivered' })
      : failure;
  }

  #context({ passed, traits }: Judged): ActionContext {
    const { caller, deadline, state } = this;
    const policy = this.#parts.policy();
    const call: CallContext = {
      owner: state.owner,
      // Read at each call to the desktop: an action that makes several has one deadline for all of them.
      get deadlineMs() {
        return deadline.forCall();
      },
      signal: this.signal,
      remoteControlMemory: policy.remoteControlMemory,
      applications: { deny: policy.deny, only: caller.limits?.apps },
      permit: passed.permit,
      actionId: this.actionId,
      isFurther: this.#start.request.isFurther,
    };
    return {
      desktop: this.#parts.desktop,
      call,
      // An action that concerns no window may still report which one is bound.
      binding: traits.binding === 'none' ? state.binding : passed.binding,
      element: passed.context,
      held: this.#held,
      policy,
      isDenied: (app) => isDenied(app, this.#parts.policy().deny),
      limits: caller.limits?.apps,
      isOutside: (app) => isOutside(app, caller.limits?.apps),
      observations: this.observations,
      bind: (record) => rebind(this.#parts, this, record),
      host: this.#parts.servicesFor(this.#start.runner, this, passed),
    };
  }

  /** The turn of the window that is bound when the turn comes: a window bound while waiting has its own order. */
  async #takeTurn(): Promise<Turn | null> {
    for (;;) {
      const key = this.#turnKey();
      if (key === null) return null;
      const turn = await this.#start.turns.take(key, this.deadline.forCall(), this.signal);
      if (this.#turnKey() === key) return turn;
      turn.release();
    }
  }

  /** Actions on one window run in order; input without a window is ordered on the whole desktop; the rest runs in parallel. */
  #turnKey(): string | null {
    const { topic, effect } = this.definition;
    if (topic === 'hosting' || topic === 'binding') return null;
    if (this.state.binding !== null) return `hwnd:${this.state.binding.hwnd}`;
    return effect === 'observe' ? null : 'desktop';
  }
}

/** The outcome with its element: as `target` where the call gave a part of its name, or the name of what surrounds it; else as `on`. */
function naming({ passed, input, traits }: Judged, outcome: Outcome): Outcome {
  const element = passed.context?.element ?? null;
  if (element === null || traits.target?.kind !== 'element') return outcome;
  const { controlType: role, name, ref } = element;
  const { name: asked } = input as { name?: string };
  const key = asked === undefined || isSameName(asked, name) ? 'on' : 'target';
  return { ...outcome, details: { ...outcome.details, [key]: { role, name, ref } } };
}

function deadlineOf(definition: ActionDefinition, input: ParsedInput): number {
  const { deadlineMs } = input as { deadlineMs?: number };
  return deadlineMs ?? Math.min(LONGEST_DEADLINE_MS, DEFAULT_DEADLINE_MS + (definition.lasts?.(input) ?? 0));
}

/** Something was changed and then the disk failed: a caller that sends the action again does it twice. */
function doneUnrecorded({ method }: ActionDefinition, { effect }: Outcome, failure: UiaHostError): UiaHostError {
  const what = failure.code === 'audit_unavailable' ? 'the audit' : 'the store';
  return new UiaHostError(
    failure.code,
    `${method} was carried out (effect: ${effect}), but its result could not be recorded: ${what} cannot be written.`,
    {
      delivery: 'delivered',
      hint: 'Do not send it again; look at the window. The log has the cause; free disk space or repair the data folder.',
      cause: failure,
    },
  );
}

/** The stored secret that the input names, and its target field. */
export function secretOf(input: unknown): GateSubject['secret'] {
  const fields = input as { secretRef?: string; name?: string; automationId?: string; ref?: string };
  return fields.secretRef === undefined
    ? null
    : { ref: fields.secretRef, field: fields.name ?? fields.automationId ?? fields.ref ?? '' };
}

interface BindParts {
  readonly desktop: Desktop;
  readonly owners: Owners;
  readonly ownCall: OwnCall;
  onFault(error: unknown, where: string): void;
}

/** Time limit for releasing a former window. */
const RELEASE_MS = 3000;

/**
 * Replaces the binding of the run's owner. Unbinding releases everything: a button can be down without a window too.
 */
async function rebind(parts: BindParts, { state, caller }: RunScope, record: BindingRecord | null) {
  const { desktop, owners, ownCall } = parts;
  const isAlive = (each: BindingRecord): Promise<boolean> =>
    desktop.binding.isAlive(each, ownCall(state.owner, RELEASE_MS)).catch(() => true);
  const isNamed = record === null || caller.window !== undefined;
  const { place, left, replaced } = isNamed
    ? { place: state, left: [], replaced: owners.bind(state, record) }
    : await owners.bindFor(state, caller, record, isAlive);
  for (const owner of left) void release(parts, owner, null);
  place.seen.note(caller.client, record);
  for (const { owner, binding } of owners.takeSurplus()) void release(parts, owner, binding);
  if (record === null) await release(parts, place.owner, null);
  else if (replaced !== null) await release(parts, place.owner, replaced);
  return record === null ? null : { window: place.bindingId, mustName: place.mustName };
}

/** A window that is gone needs no release; that is not a failure of the bind. */
async function release(parts: BindParts, owner: string, binding: BindingRecord | null): Promise<void> {
  try {
    await parts.desktop.binding.release(binding, parts.ownCall(owner, RELEASE_MS));
  } catch (error) {
    parts.onFault(error, 'release of a former binding');
  }
}
