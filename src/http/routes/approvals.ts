// /v1/approvals and /v1/approval-pauses: cards and their decisions.
import { z } from 'zod';
import { ApprovalCard, ApprovalDecision, AskOwner, AskPause } from '../../contract/gate/approval.ts';
import { operatorOf } from './operator.ts';
import type { Host } from '../../host/face/host.ts';
import { ID_PATTERN, json, tokenRoute, type PathParameter, type Route } from '../../host/face/route.ts';

const OPERATOR = { tag: 'approvals', scope: 'operator' } as const;
const id: PathParameter = { pattern: ID_PATTERN, meaning: 'approvalId.', unknown: 'approval_not_found' };

export function approvalRoutes(host: Host): Route[] {
  return [
    tokenRoute('GET /v1/approvals', 'listApprovals', {
      ...OPERATOR,
      isViewable: true,
      summary: 'Cards that wait for a person, or all cards.',
      query: z.strictObject({
        status: z.enum(['pending', 'all']).optional().describe('Default pending.'),
        cursor: z.string().min(1).max(200).optional().describe('nextCursor of the previous page.'),
        limit: wholeNumber(1, 500).optional().describe('Cards per page.'),
      }),
      replies: {
        200: {
          description: 'The cards.',
          schema: z.object({ approvals: z.array(ApprovalCard), nextCursor: z.string().nullable() }),
        },
      },
      handle: async ({ query }) =>
        json(
          await host.approvals.list({ status: query.status ?? 'pending', cursor: query.cursor, limit: query.limit }),
        ),
    }),
    tokenRoute('GET /v1/approvals/{id}', 'getApproval', {
      ...OPERATOR,
      isViewable: true,
      summary: 'One card.',
      pathParameters: { id },
      replies: { 200: { description: 'The card.', schema: ApprovalCard } },
      handle: async ({ path }) => json(await host.approvals.get(path['id'] ?? '')),
    }),
    tokenRoute('POST /v1/approvals/{id}', 'decideApproval', {
      ...OPERATOR,
      summary:
        'Decide a card. The first decision wins; repeating it is fine; the opposite is approval_conflict. Approving needs `api` in the policy’s surfaces; denying is always possible, with `all` for everything that this agent asks.',
      pathParameters: { id },
      body: { schema: ApprovalDecision },
      replies: { 200: { description: 'The current card.', schema: ApprovalCard } },
      async handle({ path, body }, caller) {
        const surface = caller.surface === 'page' ? 'page' : 'api';
        return json(await host.approvals.decide(path['id'] ?? '', body, operatorOf(host, caller), surface));
      },
    }),
    tokenRoute('GET /v1/approval-pauses', 'listApprovalPauses', {
      ...OPERATOR,
      isViewable: true,
      summary:
        'Agents that cannot ask for approval now: a person denied everything from them, or three cards in a row were denied or expired.',
      replies: { 200: { description: 'The pauses.', schema: z.object({ pauses: z.array(AskPause) }) } },
      handle: async () => json({ pauses: host.approvals.pauses() }),
    }),
    tokenRoute('POST /v1/approval-pauses', 'denyAllOfAgent', {
      ...OPERATOR,
      summary: 'Deny every open card of an agent, and refuse its further requests until the pause is lifted.',
      body: { schema: z.strictObject({ owner: AskOwner }) },
      replies: {
        200: {
          description: 'The pause and the denied cards.',
          schema: z.object({ pause: AskPause, denied: z.array(z.string()) }),
        },
      },
      handle: async ({ body }, caller) => json(await host.approvals.denyAll(body.owner, operatorOf(host, caller))),
    }),
    tokenRoute('POST /v1/approval-pauses/lift', 'liftApprovalPause', {
      ...OPERATOR,
      summary: 'Let an agent ask again. If only the overlay may decide, a person confirms there first.',
      body: { schema: z.strictObject({ owner: AskOwner }) },
      replies: { 200: { description: 'The remaining pauses.', schema: z.object({ pauses: z.array(AskPause) }) } },
      async handle({ body }, caller) {
        await host.liftPause(body.owner, operatorOf(host, caller));
        return json({ pauses: host.approvals.pauses() });
      },
    }),
  ];
}

/** A whole number in a query, where every value is text. */
export function wholeNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'expected a whole number')
    .transform(Number)
    .pipe(z.int().min(least).max(most));
}
