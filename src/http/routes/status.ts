// /healthz, /v1/status, and the emergency stop.
import { z } from 'zod';
import { UiaHostError } from '../../contract/errors.ts';
import { HostStatus, Stopped } from '../../contract/gate/views.ts';
import { SESSION_HEADER } from '../body.ts';
import { operatorOf } from './operator.ts';
import type { Host } from '../../host/face/host.ts';
import { proofOf } from '../../host/face/token.ts';
import { json, openRoute, tokenRoute, type Route } from '../../host/face/route.ts';

const OPEN = { tag: 'host', scope: 'none' } as const;
const AGENT = { tag: 'host', scope: 'agent' } as const;
const OPERATOR = { tag: 'host', scope: 'operator' } as const;
const Health = z.object({ status: z.literal('ok'), version: z.string(), proof: z.string().optional() });
const Ready = z.object({ status: z.enum(['ready', 'not_ready']), reasons: z.array(z.string()) });
/** Ends the host's process; `service` where the Windows service would start it again, null where another program ends it. */
export type EndHost = ((reason: string) => void) | 'service' | null;

interface StatusOptions {
  /** Key of the data directory with which the host proves its identity to local clients (a program squatting on the port cannot); null: no proofs. */
  readonly proofKey: Uint8Array | null;
  /** The actual port, known once the server listens. */
  port(): number;
  readonly end: EndHost;
}

export function statusRoutes(host: Host, { proofKey, port, end }: StatusOptions): Route[] {
  return [
    openRoute('GET /healthz', 'health', {
      ...OPEN,
      summary:
        'Check that the host answers; never blocked by native work. With a challenge, includes proof that this host owns the data directory.',
      query: z.strictObject({
        challenge: z
          .string()
          .regex(/^[0-9a-f]{32,128}$/, 'challenge: expected 32 to 128 lower-case hexadecimal digits')
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
    openRoute('GET /readyz', 'readiness', {
      ...OPEN,
      summary: 'Check that an action could run now: 503 with the codes of what prevents it.',
      replies: {
        200: { description: 'An action could run.', schema: Ready },
        503: { description: 'No action could run now.', schema: Ready },
      },
      async handle() {
        const { ready, reasons } = await host.readiness();
        return json({ status: ready ? 'ready' : 'not_ready', reasons: [...reasons] }, ready ? 200 : 503);
      },
    }),
    tokenRoute('GET /metrics', 'metrics', {
      ...AGENT,
      summary: 'Counters and durations in Prometheus’ text format; counting begins with the first call.',
      replies: { 200: { description: 'The metrics.', schema: z.string(), mediaType: 'text/plain' } },
      handle: async () => ({
        kind: 'bytes',
        bytes: new TextEncoder().encode(await host.metrics()),
        mimeType: 'text/plain; version=0.0.4; charset=utf-8',
      }),
    }),
    tokenRoute('GET /v1/status', 'status', {
      ...AGENT,
      isViewable: true,
      headers: SESSION_HEADER,
      summary: 'Binding, level, capabilities, problems that the doctor found, and the desktop worker.',
      replies: { 200: { description: 'The status.', schema: HostStatus } },
      handle: async (_request, caller) => json(await host.status(caller)),
    }),
    ...controlRoutes(host, end),
  ];
}

/** What an operator does with the whole host. */
function controlRoutes(host: Host, end: EndHost): Route[] {
  return [
    tokenRoute('POST /v1/stop', 'stop', {
      ...OPERATOR,
      summary: 'Emergency stop: block input, release held keys and buttons, abort sessions.',
      body: { schema: z.strictObject({}), required: false },
      replies: {
        200: { description: 'Stopped.', schema: Stopped },
      },
      handle: async (_request, caller) => json(await host.stop(operatorOf(host, caller))),
    }),
    tokenRoute('POST /v1/end', 'endHost', {
      ...OPERATOR,
      summary:
        'End the host process: actions under way are cancelled, held keys and buttons released, open cards count as denied. An emergency stop stays.',
      body: { schema: z.strictObject({}), required: false },
      replies: { 202: { description: 'It ends.', schema: z.object({ ending: z.literal(true) }) } },
      async handle(_request, caller) {
        if (end === null)
          throw new UiaHostError('unsupported', 'This host runs inside another program, which ends it.', {
            hint: 'End that program.',
          });
        if (end === 'service')
          throw new UiaHostError('state_conflict', 'The Windows service runs this host and would start it again.', {
            hint: 'Run `uiahost service stop` as an administrator, or `uiahost stop` to block input.',
          });
        const by = operatorOf(host, caller);
        // The answer is on its way before connections are closed.
        setImmediate(() => end(`asked by ${by}`));
        return json({ ending: true as const }, 202);
      },
    }),
    tokenRoute('POST /v1/resume', 'resume', {
      ...OPERATOR,
      summary: 'Release the emergency stop. If only the overlay may decide, a person confirms there first.',
      body: { schema: z.strictObject({}), required: false },
      replies: { 200: { description: 'Running again.', schema: z.object({ stopped: z.literal(false) }) } },
      handle: async (_request, caller) => json(await host.resume(operatorOf(host, caller))),
    }),
  ];
}
