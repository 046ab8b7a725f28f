/** Metrics and traces. OpenTelemetry is loaded when someone asks for metrics, or where a collector is set; else nothing of it is. */
import type { Meter } from '../host/face/meter.ts';
import type { OtelMeter, TelemetryParts } from './otel-meter.ts';

export class Telemetry {
  readonly #parts: TelemetryParts;
  #loading: Promise<OtelMeter> | null = null;
  #meter: OtelMeter | null = null;

  constructor(parts: TelemetryParts) {
    this.#parts = parts;
  }

  /** Call it once the host serves. */
  start(): void {
    if (this.#parts.collector !== undefined) this.#load().catch((error: unknown) => this.#parts.onError(error));
  }

  /** Null until it is loaded: nothing is measured then. */
  meter(): Meter | null {
    return this.#meter;
  }

  /** In Prometheus' text format. Counting begins with the first call, or with the host where a collector is set. */
  async metrics(): Promise<string> {
    return (await this.#load()).text();
  }

  async close(): Promise<void> {
    await this.#meter?.close();
  }

  #load(): Promise<OtelMeter> {
    this.#loading ??= import('./otel-meter.ts').then(
      ({ OtelMeter: Loaded }) => (this.#meter = new Loaded(this.#parts)),
    );
    return this.#loading;
  }
}
