/** What a TypeScript program imports: `import { createComputerExecutor } from 'uiahost'`. */
export { createComputerExecutor, type ExecutorExtras, type ExecutorOptions, type OwnedExecutor } from './library.ts';
export type { CallFacts } from './contract/executor-face.ts';
export type { CallResult, CallResults } from './host/running/executor.ts';
export {
  UiaHostError,
  ERRORS,
  type Candidate,
  type Delivery,
  type ErrorCode,
  type ErrorDetails,
  type ErrorRow,
  type Problem,
} from './contract/errors.ts';
export type { JsonSchema } from './contract/json/json-schema.ts';
export type * from './contract/executor.ts';
export type { ActionResult, Decision, Outcome } from './contract/outcome.ts';
export type { ApprovalCard } from './contract/gate/approval.ts';
export type { AlwaysAsk, Flag, Level, Policy, Preset, RiskLevel, RiskTag, Tier } from './contract/gate/permissions.ts';
export type { ImageArtifact, ImageMimeType, ToolContent } from './contract/artifact.ts';
export {
  securityPolicy,
  SECURITY_PRESETS,
  type SecurityPolicy,
  type SecurityPolicyBuilder,
} from './policy/file/builder.ts';
export { createArtifactRegistry, type ArtifactCheck, type ArtifactRegistry } from './artifacts/pipeline.ts';
export {
  createArtifactPipeline,
  type ArtifactListener,
  type ArtifactPipeline,
  type ArtifactPipelineOptions,
  type EmissionFault,
  type EmittedArtifact,
} from './artifacts/pipeline.ts';
export { createImageArtifactStore, type ImageArtifactStoreOptions } from './artifacts/image-artifact-store.ts';
export {
  createComputerTools,
  createExecutorController,
  type ComputerConfirmation,
  type ComputerController,
  type ComputerToolDefinition,
  type ComputerToolInput,
  type ComputerToolOptions,
} from './host/running/computer-tools.ts';
export {
  runStreamingLoop,
  type LoopAnswer,
  type LoopTool,
  type ModelEvent,
  type StreamingLoopOptions,
} from './host/sessions/streaming-loop.ts';
export {
  createToolOutputSpool,
  type SpoolContext,
  type SpooledOutput,
  type SpoolRecord,
  type ToolOutputSpool,
  type ToolOutputSpoolOptions,
} from './artifacts/spool.ts';
export type {
  ImageArtifactPolicy,
  ImageArtifactStore,
  ImageInput,
  ImageStored,
  Quarantined,
  QuarantineReason,
  SweepReport,
} from './artifacts/types.ts';
export {
  createEventBus,
  type EventBus,
  type EventBusOptions,
  type EventListener,
  type EventLog,
  createStreamEventBridge,
  type EventSource,
  type StreamEventBridge,
  type StreamEventBridgeOptions,
} from './host/events/event-hub.ts';
export { createEventStream, type EventStream, type ToolEvent } from './host/events/tool-events.ts';
export type { EventPage, StoredEvent, StreamEvent } from './store/records.ts';
export type { ArtifactLedger } from './artifacts/ledger.ts';
export type { ArtifactReference, StoredArtifact as LedgerEntry } from './contract/artifact.ts';
export type { ComputerTool } from './policy/rights/computer-permission.ts';
