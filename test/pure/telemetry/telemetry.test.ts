/** Metrics and traces, by a collector that takes what the host sends as a real one does. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ActionEnded, HostGauges, Meter } from '../../../src/host/face/meter.ts';
import { Telemetry } from '../../../src/telemetry/index.ts';
import type { Collector } from '../../../src/contract/gate/machine-host.ts';

const GAUGES: HostGauges = {
  ready: true,
  policyRefused: 0,
  stopped: false,
  workers: 2,
  workerRestarts: 1,
  actionsRunning: 3,
  approvalsPending: 4,
  windowsBound: 5,
  uptimeSeconds: 60,
  residentBytes: 1000,
};
const AT = Date.parse('2026-01-01T00:00:00Z');
const ENDED: ActionEnded = {
  at: AT + 4000,
  askedAt: AT + 500,
  deliveredAt: AT + 3500,
  decision: 'approve',
  riskLevel: 'high',
  effect: 'confirmed',
  way: 'uia-invoke',
  delivery: 'delivered',
  errorCode: null,
  window: 'Planted title',
  element: 'Planted name',
};
const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const opened: Telemetry[] = [];
function telemetry(collector?: Collector): Telemetry {
  const made = new Telemetry({
    version: '1.2.3',
    instance: 'store-1',
    machine: 'PC1',
    collector,
    gauges: async () => GAUGES,
    onError: (error) => {
      throw error;
    },
  });
  opened.push(made);
  return made;
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});
const act = (meter: Meter, id: string, more: Partial<ActionEnded> = {}, outerId: string | null = null): void => {
  meter.begin({
    actionId: id,
    outerId,
    tool: 'click_element',
    surface: 'mcp',
    session: 's',
    traceparent: CALLER,
    at: AT,
  });
  meter.end(id, { ...ENDED, ...more });
};

describe('[telemetry.metrics] metrics', () => {
  it('measures nothing before it is asked or a collector is set', () => {
    const made = telemetry();
    made.start();
    expect(made.meter()).toBeNull();
  });

  it('counts actions and their durations, and reads the host when asked', async () => {
    const made = telemetry();
    const first = await made.metrics();
    expect(first).toMatch(/^uiahost_ready 1$/m);
    act(made.meter()!, 'act_1');
    act(made.meter()!, 'act_2', {
      effect: null,
      way: null,
      decision: 'refused',
      deliveredAt: null,
      errorCode: 'blocked_by_policy',
    });
    const text = await made.metrics();
    expect(text).toMatch(/^# TYPE uiahost_action_duration_seconds histogram$/m);
    expect(text).toMatch(
      /^uiahost_action_duration_seconds_count\{action="click_element",surface="mcp",decision="approve",risk_level="high",effect="confirmed",way="uia-invoke",error="none"\} 1$/m,
    );
    expect(text).toMatch(/^uiahost_action_duration_seconds_bucket\{[^}]*decision="approve"[^}]*le="5"\} 1$/m);
    expect(text).toMatch(/^uiahost_action_duration_seconds_count\{[^}]*error="blocked_by_policy"\} 1$/m);
    expect(text).toMatch(/^uiahost_approval_duration_seconds_sum\{decision="approve",error="none"\} 3$/m);
    expect(text).toMatch(/^uiahost_action_gate_duration_seconds_sum\{action="click_element"\} 1$/m);
    expect(text).toMatch(/^uiahost_approvals_pending 4$/m);
    expect(text).not.toContain('Planted');
  });
});

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: ReadonlyArray<{ key: string; value: { stringValue?: string } }>;
}
interface SentTraces {
  readonly resourceSpans: ReadonlyArray<{ scopeSpans: ReadonlyArray<{ spans: SentSpan[] }> }>;
}

async function collected(
  titles: boolean,
  work: (meter: Meter) => void,
): Promise<{ spans: SentSpan[]; all: string; paths: string[] }> {
  const bodies: Array<{ path: string; body: string; key: string | undefined }> = [];
  await using server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      bodies.push({ path: request.url ?? '', body, key: request.headers['x-key']?.toString() });
      response.setHeader('content-type', 'application/json').end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const made = telemetry({ url, headers: { 'x-key': 'k' }, titles });
  made.start();
  await made.metrics();
  work(made.meter()!);
  await made.close();
  expect(bodies.every(({ key }) => key === 'k')).toBe(true);
  const traces = bodies.filter(({ path }) => path === '/v1/traces').map(({ body }) => JSON.parse(body) as SentTraces);
  const spans = traces.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  return { spans, all: bodies.map(({ body }) => body).join('\n'), paths: bodies.map(({ path }) => path) };
}

describe('[telemetry.traces] traces', () => {
  it('continues the caller’s trace with spans of the gate, the person and the delivery', async () => {
    const { spans, paths } = await collected(false, (meter) => {
      meter.begin({
        actionId: 'act_0',
        outerId: null,
        tool: 'run_batch',
        surface: 'mcp',
        session: 's',
        traceparent: CALLER,
        at: AT,
      });
      act(meter, 'act_1', {}, 'act_0');
      meter.end('act_0', ENDED);
    });
    expect(new Set(paths)).toEqual(new Set(['/v1/traces', '/v1/metrics']));
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(['0af7651916cd43dd8448eb211c80319c']));
    const outer = spans.find(({ name }) => name === 'tools/call run_batch')!;
    expect(outer.parentSpanId).toBe('b7ad6b7169203331');
    const inner = spans.find(({ name }) => name === 'execute_tool click_element')!;
    expect(inner.parentSpanId).toBe(outer.spanId);
    const steps = spans.filter(({ parentSpanId }) => parentSpanId === inner.spanId).map(({ name }) => name);
    expect(steps.toSorted()).toEqual(['uiahost.approval', 'uiahost.delivery', 'uiahost.gate']);
    const attributes = Object.fromEntries(inner.attributes.map(({ key, value }) => [key, value.stringValue]));
    expect(attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'click_element',
      'gen_ai.tool.call.id': 'act_1',
      'uiahost.decision': 'approve',
      'uiahost.way': 'uia-invoke',
      'uiahost.effect': 'confirmed',
    });
  });

  it('sends titles only where that is set', async () => {
    const without = await collected(false, (meter) => act(meter, 'act_1'));
    expect(without.all).not.toContain('Planted');
    const withTitles = await collected(true, (meter) => act(meter, 'act_1'));
    expect(withTitles.all).toContain('Planted title');
  });

  it.each(['', '00-0-0-01', '00-00000000000000000000000000000000-b7ad6b7169203331-01', 'x'.repeat(5000)])(
    'begins a trace of its own for the malformed traceparent %j',
    async (traceparent) => {
      const { spans } = await collected(false, (meter) => {
        meter.begin({ actionId: 'a', outerId: null, tool: 't', surface: 'http', session: 's', traceparent, at: AT });
        meter.end('a', ENDED);
      });
      const root = spans.find(({ name }) => name === 'execute_tool t');
      expect(root?.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(root?.parentSpanId ?? '').toBe('');
    },
  );
});
