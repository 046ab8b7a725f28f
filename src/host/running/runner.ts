/** The only way to an action, for every edge: starts its run, reports it as events, finds its record, cancels it. */
import { ACTIONS, type ActionDefinition, type ParsedInput } from '../../actions/index.ts';
import { badInput, toUiaHostError, UiaHostError } from '../../contract/errors.ts';
import { parseOrRefuse } from '../../contract/json/issues.ts';
import type { ActionResult } from '../../contract/outcome.ts';
import { quoted } from '../../contract/json/quoted.ts';
import type { GateSubject, GatePassed } from '../../policy/gate/index.ts';
import { inWindow, isUnnamed, ownerOf, type Caller, newId } from '../face/caller.ts';
import type { ActionRecord } from '../../contract/gate/views.ts';
import type { ActionRun, Catalog, Runner, RunOptions } from '../face/host.ts';
import {
  type LiveRun,
  type LiveRuns,
  TurnQueue,
  FROM_EDGE,
  type InnerRunner,
  type RunRequest,
  type RunScope,
  type RunObserver,
} from './run-scope.ts';
import { Run, secretOf, type RunParts } from './run.ts';
import { REQUEST_UI_ACTION } from '../../contract/gate/traits.ts';
import type { EventHub } from '../events/event-hub.ts';
import { isSessionId, type PlainSessions } from '../sessions/live-session.ts';
import { urlOf, type SessionReports } from '../sessions/session-reports.ts';

export interface RunnerParts extends RunParts {
  readonly catalog: Catalog;
  readonly live: LiveRuns;
}

/** What names an action by its Idempotency-Key, for a caller that has no answer with its id yet. */
const BY_KEY = 'key:';
/** How long a cancel waits for the action's end; after that the record says `running`. */
const CANCELLED_WITHIN_MS = 1000;

/** A caller in this process may pass anything. */
function textOf(call: readonly unknown[]): string {
  try {
    return JSON.stringify(call);
  } catch {
    throw badInput('The input holds a BigInt or itself, which JSON cannot. Nothing was run.');
  }
}

export class ActionRunner implements Runner, InnerRunner {
  readonly #parts: RunnerParts;
  readonly #turns = new TurnQueue();
  readonly #definitions = new Map<string, ActionDefinition>();
  /** Runs that may wait for a person, by their calls. */
  readonly #asking = new Map<string, { readonly run: ActionRun; readonly live: LiveRun }>();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    for (const definition of ACTIONS)
      for (const name of [definition.name, definition.method, definition.tool]) this.#definitions.set(name, definition);
  }

  /** The same call in the same window joins it while its card is open: one wish is one card, one effect and one answer. */
  run(caller: Caller, action: string, input: unknown, options: RunOptions = {}): ActionRun {
    const { window, ...who } = this.#callerOf(caller, input);
    const { owner, binding } = this.#parts.owners.of(ownerOf(who), window);
    const name = textOf([owner, binding?.hwnd, action, input, options.idempotencyKey, options.claims]);
    const same = this.#asking.get(name);
    if (same?.live.status === 'pending') return same.run;
    const run = this.start({ ...FROM_EDGE, ...options, caller, action, input });
    const live = this.#parts.live.find(run.actionId);
    if (live === undefined) return run;
    this.#asking.set(name, { run, live });
    void live.ended.then(() => this.#asking.get(name)?.run === run && this.#asking.delete(name));
    return run;
  }

  /** With the window that its action names; a client that connects again for each call acts in the session that bound it. */
  #callerOf(caller: Caller, input: unknown): Caller {
    const named = inWindow(caller, input);
    const { tokenId, window } = named;
    const owner = window === undefined || !isUnnamed(caller) ? undefined : this.#parts.owners.whoBound(tokenId, window);
    return owner === undefined ? named : { ...named, session: owner.slice(tokenId.length + 1) };
  }

  start(given: RunRequest): ActionRun {
    const { owners, ledger, live: runs } = this.#parts;
    const request = { ...given, caller: this.#callerOf(given.caller, given.input) };
    const { caller, idempotencyKey, signal } = request;
    const live = runs.begin(request.actionId ?? newId('act'), caller, signal, idempotencyKey);
    const state = owners.begin(ownerOf(caller), caller.window);
    const asked = Promise.withResolvers<string | null>();
    // A repeated request is queried and followed under the first one's id.
    let answeringId = live.actionId;
    const definition = this.#definitions.get(request.action);
    const answer =
      definition === undefined
        ? this.#refuseUnknown(request, live.actionId)
        : new Run(this.#parts, {
            request,
            definition,
            state,
            live,
            turns: this.#turns,
            runner: this,
            onAsked: asked.resolve,
            onFollow: (first) => {
              answeringId = first.actionId;
              void first.pending.then(asked.resolve);
            },
          }).carryOut();
    const result = answer.finally(() => {
      owners.end(state);
      runs.end(live);
      asked.resolve(null);
    });
    // An unhandled rejection for a caller that only follows `pending` must not end the process.
    live.ended = result.then(
      () => {},
      () => {},
    );
    const run: ActionRun = {
      get actionId() {
        return answeringId;
      },
      result,
      pending: asked.promise,
      cancel: (reason) => live.controller.abort(new UiaHostError('cancelled', reason)),
    };
    if (idempotencyKey !== undefined) ledger.follow(run);
    return run;
  }

  async elementOf(call: Parameters<InnerRunner['elementOf']>[0]): ReturnType<InnerRunner['elementOf']> {
    const { owners, live: runs } = this.#parts;
    const definition = this.#definitions.get(call.action);
    if (definition === undefined) return null;
    const live = runs.begin(newId('act'), call.caller, call.signal);
    const caller = this.#callerOf(call.caller, call.input);
    const state = owners.begin(ownerOf(caller), caller.window);
    const request = { ...FROM_EDGE, ...call, caller };
    const ignore = (): void => {};
    try {
      const start = { request, definition, state, live, turns: this.#turns, runner: this };
      return await new Run(this.#parts, { ...start, onAsked: ignore, onFollow: ignore }).elementOf();
    } finally {
      owners.end(state);
      runs.end(live);
    }
  }

  subjectOf(scope: RunScope, action: string, rawInput: unknown, where: string): GateSubject {
    const definition = this.#definitions.get(action);
    if (definition === undefined) {
      throw new UiaHostError('not_found', `${where}: there is no action ${quoted(action)}; nothing was run.`, {
        suggestions: this.#parts.catalog.near(action),
      });
    }
    if (definition.topic === 'hosting')
      throw badInput(`${where}: ${definition.name} is not allowed inside a batch; nothing was run.`);
    let input: ParsedInput;
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
      traits: definition.traits(input, { isBound: scope.bound !== null }),
      claims: null,
      planStep: null,
      secret: secretOf(input),
    };
  }

  async record(caller: Caller, actionId: string): Promise<ActionRecord> {
    const live = this.#find(caller, actionId);
    if (live !== undefined) return { actionId, status: live.status, delivery: this.#parts.ledger.deliveryOf(actionId) };
    const kept = await this.#parts.ledger.find(actionId);
    if (kept === null || !maySee(caller, kept.tokenId))
      throw new UiaHostError('action_not_found', `There is no action ${actionId}.`);
    return {
      actionId,
      status: kept.status,
      delivery: kept.delivery,
      ...(kept.result === null ? {} : { result: kept.result as ActionResult }),
      ...(kept.error === null ? {} : { error: kept.error }),
    };
  }

  async cancel(caller: Caller, which: string): Promise<ActionRecord> {
    const live = which.startsWith(BY_KEY)
      ? this.#parts.live.of(caller.tokenId).find(({ key }) => key === which.slice(BY_KEY.length))
      : this.#find(caller, which);
    if (live !== undefined) {
      live.controller.abort(new UiaHostError('cancelled', 'The caller cancelled the action.'));
      await Promise.race([
        live.ended,
        new Promise((resolve) => {
          setTimeout(resolve, CANCELLED_WITHIN_MS).unref();
        }),
      ]);
    }
    return this.record(caller, live?.actionId ?? which);
  }

  /** Undefined for an action that has ended or belongs to another token. */
  #find(caller: Caller, actionId: string): LiveRun | undefined {
    const live = this.#parts.live.find(actionId);
    return live !== undefined && maySee(caller, live.caller.tokenId) ? live : undefined;
  }

  async #refuseUnknown({ caller, action }: RunRequest, actionId: string): Promise<ActionResult> {
    const unknown = new UiaHostError('not_found', `There is no action ${quoted(action)}.`, {
      suggestions: this.#parts.catalog.near(action),
      actionId,
    });
    await this.#parts.ledger.refusedUnknown(caller, actionId, action, unknown);
    throw unknown;
  }
}

function maySee(caller: Caller, tokenId: string): boolean {
  return caller.scope === 'operator' || caller.tokenId === tokenId;
}

interface RunReportParts {
  readonly hub: Pick<EventHub, 'publish'>;
  readonly sessions: SessionReports;
  readonly plainSessions: PlainSessions;
}

export function reportRuns({ hub, sessions, plainSessions }: RunReportParts): RunObserver {
  const publish = (
    type: string,
    { actionId, definition, caller, state }: RunScope,
    fields: Record<string, unknown> = {},
  ): void =>
    hub.publish(type, {
      actionId,
      action: definition.method,
      sessionId: caller.session,
      owner: state.owner,
      ...fields,
    });
  return {
    onBegin: (scope) => publish('tool.start', scope),
    onProgress: (scope, progress) => publish('tool.progress', scope, { ...progress }),
    async onStart(scope, passed, traits) {
      const { riskLevel } = passed.decision;
      const element = passed.context?.element ?? null;
      publish('tool.progress', scope, {
        stage: 'running',
        riskLevel,
        hwnd: passed.binding?.hwnd ?? null,
        target: element === null ? null : { role: element.controlType, name: element.name },
      });
      // A proposal executes nothing itself: the stream shows the action that it leads to.
      if (scope.definition.method === REQUEST_UI_ACTION) return;
      if (!isSessionId(scope.caller.session)) {
        if (traits.changesSomething) plainSessions.count(scope.caller.tokenId);
        return;
      }
      await sessions.onAction(scope.caller.session, {
        actionId: scope.actionId,
        actionType: scope.definition.method,
        riskLevel,
        url: urlOf(passed.app, passed.context?.address ?? null),
        summary: summaryOf(scope, passed),
        changesSomething: traits.changesSomething,
      });
    },

    async onEnd(scope, end) {
      if ('result' in end) {
        const { outcome, durationMs } = end.result;
        publish('tool.end', scope, {
          ...end.size,
          ok: true,
          effect: outcome.effect,
          way: outcome.delivery,
          evidence: [...new Set(outcome.evidence.map(({ kind }) => kind))],
          durationMs,
        });
        return;
      }
      publish('tool.end', scope, { ok: false, code: end.error.code });
      if (isSessionId(scope.caller.session)) await sessions.onError(scope.caller.session, end.error);
    },
  };
}

/** The action and its target's role and name; never typed text. */
function summaryOf({ definition }: RunScope, { context }: GatePassed): string {
  const element = context?.element ?? null;
  const target = element === null ? '' : ` on ${element.controlType} ${JSON.stringify(element.name)}`;
  return `${definition.method}${target}`;
}
