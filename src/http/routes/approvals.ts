import { z } from 'zod';
import { ApprovalCard, ApprovalDecision } from '../../contract/approval.ts';
import type { Host } from '../../host/host.ts';
import { ID_PATTERN, json, tokenRoute, type PathParameter, type Route } from '../../host/route.ts';

const id: PathParameter = { pattern: ID_PATTERN, meaning: 'approvalId.', unknown: 'approval_not_found' };

export function approvalRoutes(host: Host): Route[] {
  return [
    tokenRoute({
      method: 'GET',
      path: '/v1/approvals',
      operationId: 'listApprovals',
      tag: 'approvals',
      scope: 'operator',
      summary: 'The cards that wait for a person, or all of them.',
      query: z.strictObject({
        status: z.enum(['pending', 'all']).optional().describe('Default pending.'),
        cursor: z.string().min(1).max(200).optional().describe('nextCursor of the page before.'),
        limit: wholeNumber(1, 500).optional().describe('Cards a page.'),
      }),
      replies: { 200: { description: 'The cards.', schema: z.object({ approvals: z.array(ApprovalCard), nextCursor: z.string().nullable() }) } },
      async handle({ query }) {
        return json(await host.approvals.list({ status: query.status ?? 'pending', cursor: query.cursor, limit: query.limit }));
      },
    }),
    tokenRoute({
      method: 'GET',
      path: '/v1/approvals/{id}',
      operationId: 'getApproval',
      tag: 'approvals',
      scope: 'operator',
      summary: 'One card.',
      pathParameters: { id },
      replies: { 200: { description: 'The card.', schema: ApprovalCard } },
      async handle({ path }) {
        return json(await host.approvals.get(path['id'] ?? ''));
      },
    }),
    tokenRoute({
      method: 'POST',
      path: '/v1/approvals/{id}',
      operationId: 'decideApproval',
      tag: 'approvals',
      scope: 'operator',
      summary: 'Decide a card. The first decision wins; the same again is fine; the opposite is approval_conflict. A yes needs api among the surfaces of the policy; a no is always taken.',
      pathParameters: { id },
      body: { schema: ApprovalDecision },
      replies: { 200: { description: 'The card as it stands now.', schema: ApprovalCard } },
      async handle({ path, body }, caller) {
        return json(await host.approvals.decide(path['id'] ?? '', body, `api:${caller.tokenId}`, 'api'));
      },
    }),
  ];
}

/** A whole number in a query, where everything is text. */
export function wholeNumber(least: number, most: number) {
  return z.string().regex(/^\d{1,15}$/, 'expected a whole number').transform(Number).pipe(z.int().min(least).max(most));
}
