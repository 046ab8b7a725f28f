/** Metrics and spans by OpenTelemetry's SDK, named by its conventions for MCP and generative AI where they have a name. */
import {
  type Context,
  type Histogram,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { ActionBegun, ActionEnded, HostGauges, Meter } from '../host/face/meter.ts';
import type { Collector } from '../contract/gate/machine-host.ts';

export interface TelemetryParts {
  readonly version: string;
  readonly instance: string;
  readonly machine: string;
  readonly collector: Collector | undefined;
  gauges(): Promise<HostGauges>;
  onError(error: unknown): void;
}

/** Seconds. An action takes milliseconds, a decision of a person minutes. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const EXPORT_MS = 30_000;
/** How long the end of a host waits for a collector. */
const FLUSH_MS = 2000;

interface Open {
  readonly begun: ActionBegun;
  readonly span: Span | null;
}

/** Attributes of the conventions: opentelemetry.io/docs/specs/semconv/gen-ai/mcp, …/gen-ai/gen-ai-spans */
function toolAttributes({ tool, surface }: ActionBegun): Record<string, string> {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'network.protocol.name': 'http',
    ...(surface === 'mcp' ? { 'mcp.method.name': 'tools/call' } : {}),
  };
}

export class OtelMeter implements Meter {
  readonly #meters: MeterProvider;
  readonly #tracers: TracerProvider | null;
  readonly #tracer: Tracer | null;
  readonly #reader = new PrometheusExporter({ preventServerStart: true });
  // without the names of scopes, which are all ours
  readonly #serializer = new PrometheusSerializer('', false, undefined, false, true);
  readonly #open = new Map<string, Open>();
  readonly #sendsTitles: boolean;
  readonly #total: Histogram;
  readonly #gate: Histogram;
  readonly #asking: Histogram;
  readonly #delivery: Histogram;
  readonly #operation: Histogram;

  constructor({ version, instance, machine, collector, gauges }: TelemetryParts) {
    const resource = resourceFromAttributes({
      'service.name': 'uiahost',
      'service.version': version,
      'service.instance.id': instance,
      'host.name': machine,
    });
    this.#sendsTitles = collector?.titles === true;
    this.#tracers =
      collector === undefined
        ? null
        : new TracerProvider({
            resource,
            spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(to(collector, 'traces')) })],
          });
    this.#tracer = this.#tracers?.getTracer('uiahost', version) ?? null;
    this.#meters = new MeterProvider({
      resource,
      readers: [
        this.#reader,
        ...(collector === undefined
          ? []
          : [
              new PeriodicExportingMetricReader({
                exporter: new OTLPMetricExporter(to(collector, 'metrics')),
                exportIntervalMillis: EXPORT_MS,
              }),
            ]),
      ],
    });
    const meter = this.#meters.getMeter('uiahost', version);
    const seconds = (name: string, description: string): Histogram =>
      meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: SECONDS } });
    this.#total = seconds('uiahost.action.duration', 'From the request of an action to its answer.');
    this.#gate = seconds(
      'uiahost.action.gate.duration',
      'Waiting for the turn of the window, and judging; without the time that a person took.',
    );
    this.#asking = seconds('uiahost.approval.duration', 'From a card to the decision of a person.');
    this.#delivery = seconds('uiahost.action.delivery.duration', 'Delivering an action and verifying its effect.');
    this.#operation = seconds('mcp.server.operation.duration', 'Requests of MCP that ran an action.');
    observe(this.#meters, version, gauges);
  }

  begin(begun: ActionBegun): void {
    this.#open.set(begun.actionId, { begun, span: this.#spanOf(begun) });
  }

  end(actionId: string, ended: ActionEnded): void {
    const open = this.#open.get(actionId);
    if (open === undefined) return;
    this.#open.delete(actionId);
    const { begun, span } = open;
    this.#measure(begun, ended);
    if (span !== null) this.#finish(span, begun, ended);
  }

  async text(): Promise<string> {
    const { resourceMetrics } = await this.#reader.collect();
    return this.#serializer.serialize(namedForPrometheus(resourceMetrics));
  }

  async close(): Promise<void> {
    const flushed = Promise.allSettled([this.#tracers?.shutdown(), this.#meters.shutdown()]);
    await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, FLUSH_MS).unref())]);
  }

  #spanOf(begun: ActionBegun): Span | null {
    if (this.#tracer === null) return null;
    const outer = begun.outerId === null ? null : (this.#open.get(begun.outerId)?.span ?? null);
    const parent = outer === null ? callersContext(begun.traceparent) : trace.setSpan(ROOT_CONTEXT, outer);
    const verb = begun.surface === 'mcp' && outer === null ? 'tools/call' : 'execute_tool';
    return this.#tracer.startSpan(
      `${verb} ${begun.tool}`,
      {
        kind: outer === null ? SpanKind.SERVER : SpanKind.INTERNAL,
        startTime: begun.at,
        attributes: {
          ...toolAttributes(begun),
          'gen_ai.tool.call.id': begun.actionId,
          'gen_ai.tool.type': 'function',
          'uiahost.surface': begun.surface,
          'uiahost.session': begun.session,
        },
      },
      parent,
    );
  }

  #measure(begun: ActionBegun, { at, askedAt, deliveredAt, decision, effect, way, errorCode, riskLevel }: ActionEnded) {
    const tool = { action: begun.tool };
    const total = (at - begun.at) / 1000;
    this.#total.record(total, {
      ...tool,
      surface: begun.surface,
      decision,
      risk_level: riskLevel ?? 'none',
      effect: effect ?? 'none',
      way: way ?? 'none',
      error: errorCode ?? 'none',
    });
    const judgedAt = deliveredAt ?? at;
    this.#gate.record(((askedAt ?? judgedAt) - begun.at) / 1000, tool);
    if (askedAt !== null) this.#asking.record((judgedAt - askedAt) / 1000, { decision, error: errorCode ?? 'none' });
    if (deliveredAt !== null) this.#delivery.record((at - deliveredAt) / 1000, { ...tool, way: way ?? 'none' });
    if (begun.surface === 'mcp' && begun.outerId === null)
      this.#operation.record(total, {
        ...toolAttributes(begun),
        ...(errorCode === null ? {} : { 'error.type': errorCode }),
      });
  }

  #finish(span: Span, begun: ActionBegun, ended: ActionEnded): void {
    const { at, askedAt, deliveredAt, decision, riskLevel, effect, way, delivery, errorCode } = ended;
    const judgedAt = deliveredAt ?? at;
    this.#step(span, 'uiahost.gate', begun.at, askedAt ?? judgedAt);
    if (askedAt !== null) this.#step(span, 'uiahost.approval', askedAt, judgedAt);
    if (deliveredAt !== null) this.#step(span, 'uiahost.delivery', deliveredAt, at);
    span.setAttributes({
      'uiahost.decision': decision,
      'uiahost.delivery': delivery,
      ...(riskLevel === null ? {} : { 'uiahost.risk_level': riskLevel }),
      ...(effect === null ? {} : { 'uiahost.effect': effect }),
      ...(way === null ? {} : { 'uiahost.way': way }),
      ...(errorCode === null ? {} : { 'error.type': errorCode }),
      ...(this.#sendsTitles && ended.window !== null ? { 'uiahost.window.title': ended.window } : {}),
      ...(this.#sendsTitles && ended.element !== null ? { 'uiahost.element.name': ended.element } : {}),
    });
    if (errorCode !== null) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(at);
  }

  #step(outer: Span, name: string, from: number, to: number): void {
    this.#tracer?.startSpan(name, { startTime: from }, trace.setSpan(ROOT_CONTEXT, outer)).end(to);
  }
}

const to = ({ url, headers }: Collector, signal: 'traces' | 'metrics') => ({
  url: `${url.replace(/\/$/, '')}/v1/${signal}`,
  headers: { ...headers },
});

/** The context of a caller's `traceparent` (w3.org/TR/trace-context). A malformed text is ignored, as it demands. */
function callersContext(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT;
  const isSampled = (Number.parseInt(flags ?? '0', 16) & 1) === 1;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    isRemote: true,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  });
}

/** Prometheus has the unit in the name (prometheus.io/docs/practices/naming), OpenTelemetry next to it. */
const SUFFIXES: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' };

/** Our own names alone: those of the conventions are for the collector. */
function namedForPrometheus({ resource, scopeMetrics }: ResourceMetrics): ResourceMetrics {
  return {
    resource,
    scopeMetrics: scopeMetrics.map(({ scope, metrics }) => ({
      scope,
      metrics: metrics
        .filter(({ descriptor }) => descriptor.name.startsWith('uiahost.'))
        .map((metric) => {
          const { name, unit } = metric.descriptor;
          return { ...metric, descriptor: { ...metric.descriptor, name: name + (SUFFIXES[unit] ?? ''), unit: '' } };
        }),
    })),
  };
}

/** Facts of the host: the name of each, what it is, and its unit. */
const GAUGES: Readonly<Record<keyof HostGauges, readonly [name: string, description: string, unit?: string]>> = {
  ready: ['uiahost.ready', '1: an action could run now.'],
  policyRefused: ['uiahost.policy.refused', 'Parts of the policy that are not valid.'],
  stopped: ['uiahost.stopped', '1: the emergency stop is on.'],
  workers: ['uiahost.workers', 'Desktop workers.'],
  workerRestarts: ['uiahost.worker.restarts', 'How often a desktop worker was replaced.'],
  actionsRunning: ['uiahost.actions.running', 'Actions that have not ended.'],
  approvalsPending: ['uiahost.approvals.pending', 'Cards that wait for a person.'],
  windowsBound: ['uiahost.windows.bound', 'Windows that sessions have bound.'],
  uptimeSeconds: ['uiahost.uptime', 'Since the host was started.', 's'],
  residentBytes: ['uiahost.memory.resident', 'Memory of the host’s process.', 'By'],
};

/** They are read when metrics are. */
function observe(meters: MeterProvider, version: string, gauges: () => Promise<HostGauges>): void {
  const meter = meters.getMeter('uiahost', version);
  const keys = Object.keys(GAUGES) as Array<keyof HostGauges>;
  const all = keys.map((key) => {
    const [name, description, unit = ''] = GAUGES[key];
    return meter.createObservableGauge(name, { description, unit });
  });
  meter.addBatchObservableCallback(async (results) => {
    const host = await gauges();
    for (const [index, gauge] of all.entries()) results.observe(gauge, Number(host[keys[index]!]));
  }, all);
}
