/** Carries out `computer_use` for every edge: starts, shows, follows and ends sessions of the computer-use protocol. */
import { z } from 'zod';
import {
  COMPUTER_USE,
  ComputerUseAnswer,
  ComputerUseArguments,
  parseComputerUse,
  SESSION_FIELD,
  type ComputerUseRequest,
} from '../../contract/computer-use-tool.ts';
import { UiaHostError } from '../../contract/errors.ts';
import { toJsonSchema, type JsonSchema } from '../../contract/json/json-schema.ts';
import type { ToolHints } from '../../contract/gate/views.ts';
import type { ComputerUseStreamEvent, SessionView } from '../../contract/gate/session.ts';
import type { Caller } from './caller.ts';
import type { Host } from './host.ts';
import { resumeAfter } from './session-stream.ts';

/** `follow` answers before this, since several clients give up on a silent call after 60 s. */
const FOLLOW_MS = 50_000;
/** Events in one answer; `after` continues with the next ones. */
const MAX_EVENTS = 200;
/** A caller that polls gets everything stored so far in one answer, including events that follow within this time. */
const TOGETHER_MS = 100;

/** `computer_use` as the lists of tools show it. */
export const computerUseTool = {
  name: COMPUTER_USE,
  cap: 'core',
  description: [
    'A computer-use session with a goal, allowed targets (urls: app:… or https:…) and limits, for a caller that runs the loop itself.',
    `Pass its ${SESSION_FIELD} to every tool that acts in it, bind_to_window first.`,
    'state shows it; follow waits for its events and its end; propose has the gate judge one action; complete and abort end it.',
  ].join(' '),
  // Starting a session changes nothing by itself; every action in it goes through the gate.
  hints: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  } satisfies ToolHints,
  get inputSchema(): JsonSchema {
    return toJsonSchema(ComputerUseArguments);
  },
  get outputSchema(): JsonSchema {
    return toJsonSchema(ComputerUseAnswer, 'output');
  },
};

/** A session's event with its number, as the event stream has it. */
interface NumberedEvent {
  readonly id: string;
  readonly event: ComputerUseStreamEvent;
}

export interface ComputerUseOptions {
  readonly signal: AbortSignal;
  readonly idempotencyKey?: string | undefined;
  /** Default FOLLOW_MS. */
  readonly followMs?: number | undefined;
  /**
   * If given, `follow` reports each event as it comes and waits until the session or its time ends; otherwise it
   * answers with the first events.
   */
  readonly onEvent?: ((numbered: NumberedEvent) => void) | undefined;
  /** How this edge runs request_ui_action in a session, and waits for a person. */
  propose(caller: Caller, proposal: unknown): Promise<unknown>;
}

/**
 * Errors: invalid_argument; those of the session service; session_ended for a failed session, with its state in
 * partialResult.
 */
export async function runComputerUse(
  host: Pick<Host, 'sessions'>,
  caller: Caller,
  given: unknown,
  options: ComputerUseOptions,
): Promise<Record<string, unknown>> {
  const request = parseComputerUse(given);
  const { view, more } = await carryOut(host, caller, request, options);
  if (view.status === 'failed')
    throw new UiaHostError('session_ended', `The session failed: ${view.error ?? view.summary}`, {
      partialResult: { ...view, ...more },
    });
  return { ...view, ...more };
}

async function carryOut(
  { sessions }: Pick<Host, 'sessions'>,
  caller: Caller,
  request: ComputerUseRequest,
  options: ComputerUseOptions,
): Promise<{ view: SessionView; more?: Record<string, unknown> }> {
  if (request.action === 'start') {
    const { action: _action, wait = false, ...input } = request;
    const { computerUseSessionId: started } = await sessions.start(caller, input, options.idempotencyKey);
    if (wait) await untilEnd(sessions, caller, started, options);
    return { view: await sessions.get(caller, started) };
  }
  const { computerUseSessionId: id } = request;
  switch (request.action) {
    case 'state':
      return { view: await sessions.get(caller, id) };
    case 'follow': {
      const events = await follow(sessions, caller, id, request.after, options);
      const lastEventId = events.at(-1)?.id ?? request.after;
      return {
        view: await sessions.get(caller, id),
        more: { events, ...(lastEventId === undefined ? {} : { lastEventId }) },
      };
    }
    case 'propose': {
      const before = await sessions.get(caller, id);
      if (before.status !== 'running')
        throw new UiaHostError('session_ended', `The session has ended (${before.status}).`);
      const proposal = await options.propose({ ...caller, session: id }, request.proposal);
      return { view: await sessions.get(caller, id), more: { proposal } };
    }
    case 'complete':
      return { view: await sessions.complete(caller, id, request.summary) };
    case 'abort':
      await sessions.control(caller, id, {
        action: 'abort',
        computerUseSessionId: id,
        ...(request.reason === undefined ? {} : { reason: request.reason }),
      });
      return { view: await sessions.get(caller, id) };
  }
}

/** Waits for the session's end, which its own limits bring at the latest. A caller that goes away leaves it running. */
async function untilEnd(
  sessions: Host['sessions'],
  caller: Caller,
  id: string,
  { signal, onEvent }: ComputerUseOptions,
): Promise<void> {
  try {
    for await (const { sequence, event } of sessions.stream(caller, id, null, signal))
      onEvent?.({ id: `${id}:${sequence}`, event });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (signal.aborted) throw signal.reason;
}

/** Events after the one given, until the session or the time ends. */
async function follow(
  sessions: Host['sessions'],
  caller: Caller,
  id: string,
  after: string | undefined,
  options: ComputerUseOptions,
): Promise<NumberedEvent[]> {
  const sequence = resumeAfter(after, id);
  // Checked first, so that an unknown session is an error and not an empty list of events.
  await sessions.get(caller, id);
  const events: NumberedEvent[] = [];
  if (sequence !== null && (await sessions.isReadToEnd(caller, id, sequence))) return events;
  const enough = new AbortController();
  const stop = (): void => enough.abort();
  const timers = [setTimeout(stop, options.followMs ?? FOLLOW_MS)];
  options.signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const item of sessions.stream(caller, id, sequence, enough.signal)) {
      const numbered = { id: `${id}:${item.sequence}`, event: item.event };
      events.push(numbered);
      options.onEvent?.(numbered);
      if (events.length >= MAX_EVENTS) break;
      if (options.onEvent === undefined && events.length === 1) timers.push(setTimeout(stop, TOGETHER_MS));
    }
  } catch (error) {
    if (!enough.signal.aborted) throw error;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    options.signal.removeEventListener('abort', stop);
  }
  if (options.signal.aborted) throw options.signal.reason;
  return events;
}

const SESSION_ID = /^cus_[A-Za-z0-9_-]{1,60}$/;
const Named = z.looseObject({ [SESSION_FIELD]: z.string().optional() });

/**
 * Separates the session that a tool's arguments may name from the action's own input.
 * Errors: invalid_argument; session_not_found for anything that cannot be an id.
 */
export function takeSession(given: unknown): { readonly session: string | undefined; readonly input: unknown } {
  const named = Named.safeParse(given);
  if (!named.success || !(SESSION_FIELD in named.data)) return { session: undefined, input: given };
  const { [SESSION_FIELD]: session, ...input } = named.data;
  return { session: session === undefined ? undefined : assertSessionId(session), input };
}

/** Errors: session_not_found for anything that cannot be an id: no other session name can be used this way. */
export function assertSessionId(session: string): string {
  if (!SESSION_ID.test(session))
    throw new UiaHostError(
      'session_not_found',
      `${SESSION_FIELD}: ${JSON.stringify(session.slice(0, 80))} is not a session of this host.`,
    );
  return session;
}

/** An action's arguments, and the session that they may name. */
export function withSessionField(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    properties: { ...(schema['properties'] as JsonSchema | undefined), [SESSION_FIELD]: { type: 'string' } },
  };
}
