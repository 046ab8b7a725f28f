// /v1/policy: read and change the policy, and where its values come from.
import { z } from 'zod';
import { Policy } from '../../contract/gate/permissions.ts';
import { NO_FLAWS, PolicySources } from '../../contract/gate/policy-sources.ts';
import { operatorOf } from './operator.ts';
import type { Host } from '../../host/face/host.ts';
import { json, tokenRoute, type Route, type RouteReply } from '../../host/face/route.ts';

const OPERATOR = { tag: 'policy', scope: 'operator' } as const;
const IF_MATCH = {
  'If-Match': 'ETag of the policy that the change applies to; if the policy has changed since, state_conflict.',
};
const replies = {
  200: {
    description: 'The whole policy.',
    schema: Policy,
    headers: { ETag: 'Identifies this version of the policy.' },
  },
};

function answer({ policy, etag }: { policy: Policy; etag: string }): RouteReply {
  return json(policy, 200, { ETag: etag });
}

function policySources(policy: Host['policy']): PolicySources {
  const { refused, disbelieved, writableKeys, unknownNames, unusedSettings } = policy.flaws ?? NO_FLAWS;
  const narrowing = [...(disbelieved === null ? [] : [disbelieved]), ...writableKeys].map(
    (why) => `What others than administrators can change only narrows: ${why}.`,
  );
  const problems = [...refused, ...narrowing, ...unknownNames, ...unusedSettings];
  return { settings: policy.settings?.() ?? [], problems };
}

export function policyRoutes(host: Host): Route[] {
  return [
    tokenRoute('GET /v1/policy', 'getPolicy', {
      ...OPERATOR,
      replies,
      summary: 'The policy in force.',
      handle: async () => answer(host.policy.get()),
    }),
    tokenRoute('GET /v1/policy/sources', 'getPolicySources', {
      ...OPERATOR,
      summary: 'Where each value of the policy comes from, and what narrowed it.',
      replies: { 200: { description: 'Every setting.', schema: PolicySources } },
      handle: async () => json(policySources(host.policy)),
    }),
    tokenRoute('PUT /v1/policy', 'replacePolicy', {
      ...OPERATOR,
      replies,
      summary: 'Replace the policy.',
      headers: IF_MATCH,
      body: { schema: z.record(z.string(), z.unknown()) },
      handle: async ({ body, header }, caller) =>
        answer(await host.policy.change(body, 'replace', header('if-match'), operatorOf(host, caller))),
    }),
    tokenRoute('PATCH /v1/policy', 'changePolicy', {
      ...OPERATOR,
      replies,
      summary:
        'Change parts of the policy (RFC 7396: null removes, lists are replaced whole), or set a preset: safe, balanced, power, developer.',
      headers: IF_MATCH,
      body: {
        schema: z.record(z.string(), z.unknown()),
        mediaTypes: ['application/json', 'application/merge-patch+json'],
      },
      handle: async ({ body, header }, caller) =>
        answer(await host.policy.change(body, 'merge', header('if-match'), operatorOf(host, caller))),
    }),
  ];
}
