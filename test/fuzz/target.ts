/** What the fuzzers are aimed at: the real host, gate and store behind real faces, with a stand-in for the desktop. */
import { setTimeout as sleep } from 'node:timers/promises';
import { UiaHostError } from '../../src/contract/errors.ts';
import type { IndicatorPort } from '../../src/desktop/ports.ts';
import { METHOD_KINDS, type MethodKind } from '../../src/desktop/index.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { mcpRoutes } from '../../src/mcp/route.ts';
import { startTestHost, type TestHost } from '../pure/host/running-host.ts';

export interface Target extends AsyncDisposable {
  readonly url: string;
  readonly agentToken: string;
  readonly operatorToken: string;
  readonly host: TestHost;
}

/** With a person who says yes to every second card, so that no call waits for long. */
export async function openTarget(): Promise<Target> {
  const host = await startTestHost();
  fillIn(host);
  const server = await createHttpServer({
    host: host.host,
    address: '127.0.0.1',
    port: 0,
    mounts: mcpRoutes(host.host, { times: { answerBeforeMs: 2000, leaseMs: 500 } }),
  });
  const over = new AbortController();
  const person = decide(host, over.signal);
  return {
    url: server.url,
    agentToken: 'agent-token-agent-token',
    operatorToken: 'operator-token-operator',
    host,
    async [Symbol.asyncDispose]() {
      over.abort();
      await person;
      await server.close();
      await host[Symbol.asyncDispose]();
    },
  };
}

/** Whatever the stand-in cannot do is refused, as a desktop refuses what it lacks. */
function fillIn({ scene }: TestHost): void {
  const indicator: Record<keyof IndicatorPort, MethodKind> = { set: 'acts' };
  const ports = { indicator, ...METHOD_KINDS };
  for (const [topic, methods] of Object.entries(ports)) {
    const port = ((scene.desktop as unknown as Record<string, Record<string, unknown>>)[topic] ??= {});
    for (const method of Object.keys(methods))
      port[method] ??= async () => {
        throw new UiaHostError('unsupported', `The stand-in has no ${topic}.${method}.`);
      };
  }
}

async function decide({ host }: TestHost, over: AbortSignal): Promise<void> {
  for (let count = 0; !over.aborted; await sleep(10)) {
    const { approvals } = await host.approvals.list({ status: 'pending' });
    for (const { approvalId } of approvals) {
      const decision = count++ % 2 === 0 ? 'approve' : 'deny';
      await host.approvals.decide(approvalId, { decision }, 'operator', 'api').catch(() => {});
    }
  }
}

/** What a fuzzer found; `at` repeats it with the run's seed. */
export interface Finding {
  readonly at: number;
  readonly request: string;
  readonly what: string;
}

/** A request's answer, or that there was none in time. */
export async function ask(url: string, init: RequestInit, withinMs = 30_000): Promise<Response | null> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(withinMs) });
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return null;
    throw error;
  }
}

/** The generators' seed and count: fixed and few in `npm test`, the day's and many in `npm run fuzz`. */
export const SEED = Number(process.env['UIAHOST_FUZZ_SEED'] ?? 17);
export const RUNS = Number(process.env['UIAHOST_FUZZ_RUNS'] ?? 300);
