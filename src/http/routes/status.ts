import { z } from 'zod';
import { UiaHostError } from '../../contract/errors.ts';
import type { Host } from '../../host/face/host.ts';
import { proofOf } from '../../host/face/proof.ts';
import { json, openRoute, tokenRoute, type Route } from '../../host/face/route.ts';

const Health = z.object({ status: z.literal('ok'), version: z.string(), proof: z.string().optional() });
const Status = z.object({
  binding: z.object({
    bound: z.boolean(),
    hwnd: z.string().optional(),
    title: z.string().optional(),
    pid: z.int().optional(),
  }),
  level: z.string(),
  stopped: z.boolean(),
  capabilities: z.record(z.string(), z.unknown()),
  doctor: z.array(z.object({ code: z.string(), message: z.string(), cure: z.string() })),
  worker: z.object({
    state: z.enum(['ready', 'starting', 'restarting', 'failed']),
    pid: z.int().nullable(),
    restarts: z.int(),
  }),
  version: z.string(),
});

/**
 * @param proofKey key from the data directory with which the host proves to a local client that it is no port squatter; null: no proofs.
 * @param port the port that the server really listens on, known once it does.
 */
export function statusRoutes(host: Host, proofKey: Uint8Array | null, port: () => number): Route[] {
  return [
    openRoute({
      method: 'GET',
      path: '/healthz',
      operationId: 'health',
      tag: 'host',
      scope: 'none',
      summary:
        'Whether the host answers. Never blocked by native work. With a challenge, the proof that this is the host of the data directory.',
      query: z.strictObject({
        challenge: z
          .string()
          .regex(/^[0-9a-f]{32,128}$/, 'challenge: 32 to 128 lower-case hexadecimal digits')
          .optional(),
      }),
      replies: { 200: { description: 'The host answers.', schema: Health } },
      async handle({ query }) {
        const health = { status: 'ok' as const, version: host.version };
        if (query.challenge === undefined) return json(health);
        if (proofKey === null) throw new UiaHostError('unsupported', 'This host was started without a proof key.');
        return json({ ...health, proof: proofOf(proofKey, port(), query.challenge) });
      },
    }),
    tokenRoute({
      method: 'GET',
      path: '/v1/status',
      operationId: 'status',
      tag: 'host',
      scope: 'agent',
      summary: 'Binding, level, capabilities, what the session doctor found, the desktop worker.',
      replies: { 200: { description: 'The status.', schema: Status } },
      async handle(_request, caller) {
        return json(await host.status(caller));
      },
    }),
    tokenRoute({
      method: 'POST',
      path: '/v1/stop',
      operationId: 'stop',
      tag: 'host',
      scope: 'operator',
      summary: 'Emergency stop: no further input, everything held is released, sessions are aborted.',
      body: { schema: z.strictObject({}), required: false },
      replies: {
        200: {
          description: 'Stopped.',
          schema: z.object({ stopped: z.literal(true), heldReleased: z.boolean(), sessionsAborted: z.int() }),
        },
      },
      async handle(_request, caller) {
        return json(await host.stop(`api:${caller.tokenId}`));
      },
    }),
    tokenRoute({
      method: 'POST',
      path: '/v1/resume',
      operationId: 'resume',
      tag: 'host',
      scope: 'operator',
      summary:
        'Release of the emergency stop. Where cards are answered on the overlay alone, a person is asked there first.',
      body: { schema: z.strictObject({}), required: false },
      replies: { 200: { description: 'Running again.', schema: z.object({ stopped: z.literal(false) }) } },
      async handle(_request, caller) {
        return json(await host.resume(`api:${caller.tokenId}`));
      },
    }),
  ];
}
