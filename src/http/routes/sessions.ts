// /v1/computer-use/sessions: the computer-use protocol.
import { z } from 'zod';
import { badInput, UiaHostError } from '../../contract/errors.ts';
import { ProposalAnswer, UiActionProposal } from '../../contract/gate/traits.ts';
import {
  ComputerUseControlRequest,
  ComputerUseInput,
  SessionView,
  type ComputerUseStreamEvent,
} from '../../contract/gate/session.ts';
import type { Host, StreamItem } from '../../host/face/host.ts';
import {
  ID_PATTERN,
  json,
  tokenRoute,
  type PathParameter,
  type Route,
  type ServerEvent,
} from '../../host/face/route.ts';
import { resumeAfter } from '../../host/face/session-stream.ts';
import { idempotencyKey, IDEMPOTENCY_HEADER } from '../body.ts';
import { wholeNumber } from './approvals.ts';

const AGENT = { tag: 'computer-use', scope: 'agent' } as const;
const id: PathParameter = { pattern: ID_PATTERN, meaning: 'computerUseSessionId.', unknown: 'session_not_found' };
const Started = z.object({ computerUseSessionId: z.string(), streamUrl: z.string(), controlUrl: z.string() });
const BASE = '/v1/computer-use/sessions';

async function* numbered(
  sessionId: string,
  items: AsyncIterable<StreamItem<ComputerUseStreamEvent>>,
): AsyncIterable<ServerEvent> {
  for await (const { sequence, event, isPast } of items)
    yield { id: `${sessionId}:${sequence}`, event: event.type, data: event, isPast };
}

export function sessionRoutes(host: Host): Route[] {
  return [
    tokenRoute(`POST ${BASE}`, 'startSession', {
      ...AGENT,
      summary: 'Start a computer-use session: goal, allowed targets, limits.',
      headers: IDEMPOTENCY_HEADER,
      body: { schema: ComputerUseInput },
      replies: { 201: { description: 'Started.', schema: Started, headers: { Location: 'The session.' } } },
      async handle({ body, header }, caller) {
        const { computerUseSessionId } = await host.sessions.start(
          caller,
          body,
          idempotencyKey(header('idempotency-key')),
        );
        const place = `${BASE}/${computerUseSessionId}`;
        return json({ computerUseSessionId, streamUrl: `${place}/stream`, controlUrl: `${place}/control` }, 201, {
          Location: place,
        });
      },
    }),
    tokenRoute(`GET ${BASE}`, 'listSessions', {
      ...AGENT,
      summary: 'The computer-use sessions of this token.',
      query: z.strictObject({
        cursor: z.string().min(1).max(200).optional().describe('nextCursor of the previous page.'),
        limit: wholeNumber(1, 500).optional().describe('Sessions per page; default 200.'),
      }),
      replies: {
        200: {
          description: 'The sessions, newest first.',
          schema: z.object({ sessions: z.array(SessionView), nextCursor: z.string().nullable() }),
        },
      },
      handle: async ({ query }, caller) => json(await host.sessions.list(caller, query)),
    }),
    tokenRoute(`GET ${BASE}/{id}`, 'getSession', {
      ...AGENT,
      summary: 'One session: the protocol’s output fields, goal, urls, open approvals.',
      pathParameters: { id },
      replies: { 200: { description: 'The session.', schema: SessionView } },
      handle: async ({ path }, caller) => json(await host.sessions.get(caller, path['id'] ?? '')),
    }),
    tokenRoute(`GET ${BASE}/{id}/stream`, 'streamSession', {
      ...AGENT,
      summary: 'The session’s events as they happen; Last-Event-ID resumes from the store. A slow reader is dropped.',
      pathParameters: { id },
      headers: { 'Last-Event-ID': 'Id of the last event seen: `<sessionId>:<sequence>`.' },
      replies: {
        200: {
          description:
            'Server-sent events; the data is the protocol’s object, a ComputerUseStreamEvent of GET /v1/schemas/computer-use.schema.json.',
          mediaType: 'text/event-stream',
          schema: z.string(),
        },
        204: {
          description: 'The session has ended and Last-Event-ID names its last event; an EventSource stops here.',
          isEmpty: true,
        },
      },
      async handle({ path, header, signal }, caller) {
        const sessionId = path['id'] ?? '';
        const after = resumeAfter(header('last-event-id'), sessionId);
        // Checked first, so that an unknown session is a problem and not an empty stream.
        await host.sessions.get(caller, sessionId);
        if (after !== null && (await host.sessions.isReadToEnd(caller, sessionId, after))) return { kind: 'empty' };
        return { kind: 'events', events: numbered(sessionId, host.sessions.stream(caller, sessionId, after, signal)) };
      },
    }),
    ...changingRoutes(host),
  ];
}

/** What changes a session or acts in it. */
function changingRoutes(host: Host): Route[] {
  return [
    tokenRoute(`POST ${BASE}/{id}/control`, 'controlSession', {
      ...AGENT,
      summary: 'Abort the session, or (operator) decide one of its approvals.',
      pathParameters: { id },
      body: { schema: ComputerUseControlRequest },
      replies: { 200: { description: 'The session’s current status.', schema: z.object({ status: z.string() }) } },
      async handle({ path, body }, caller) {
        if (body.computerUseSessionId !== path['id']) {
          throw badInput(`computerUseSessionId: the body names a different session than the URL, ${path['id']}.`);
        }
        if (body.action === 'decision' && caller.scope !== 'operator') {
          throw new UiaHostError(
            'permission_denied',
            'Deciding needs the operator token; the request has an agent token.',
            { hint: 'A person decides: on the overlay, or with the operator token.' },
          );
        }
        return json(await host.sessions.control(caller, path['id'], body));
      },
    }),
    tokenRoute(`POST ${BASE}/{id}/propose`, 'proposeAction', {
      ...AGENT,
      summary: 'Propose one UI action (request_ui_action); the gate decides, and runs it if allowed.',
      pathParameters: { id },
      headers: IDEMPOTENCY_HEADER,
      body: { schema: UiActionProposal },
      replies: { 200: { description: 'The gate’s answer.', schema: ProposalAnswer } },
      handle: async ({ path, body, header, signal }, caller) =>
        json(
          await host.sessions.propose(caller, path['id'] ?? '', body, {
            idempotencyKey: idempotencyKey(header('idempotency-key')),
            signal,
          }),
        ),
    }),
    tokenRoute(`POST ${BASE}/{id}/complete`, 'completeSession', {
      ...AGENT,
      summary: 'End the session as completed.',
      pathParameters: { id },
      body: { schema: z.strictObject({ summary: z.string().min(1).max(4000) }) },
      replies: { 200: { description: 'The ended session.', schema: SessionView } },
      handle: async ({ path, body }, caller) =>
        json(await host.sessions.complete(caller, path['id'] ?? '', body.summary)),
    }),
  ];
}
