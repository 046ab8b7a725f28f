/** What a TypeScript program imports: `import { createComputerExecutor } from 'uiahost'`. */
export { createComputerExecutor, type ExecutorOptions, type OwnedExecutor } from './library.ts';
export type { CallResult, CallResults } from './host/running/executor.ts';
export { UiaHostError, ERRORS, type ErrorCode, type Problem } from './contract/errors.ts';
export type * from './contract/executor.ts';
export type { ActionResult, Decision, Outcome } from './contract/outcome.ts';
export type { ApprovalCard } from './contract/approval.ts';
export type { Level, Policy, Tier } from './contract/permissions.ts';
export type { ImageArtifact, ToolContent } from './contract/artifact.ts';
export {
  securityPolicy,
  SECURITY_PRESETS,
  type SecurityPolicy,
  type SecurityPolicyBuilder,
} from './policy/file/builder.ts';
export { createArtifactRegistry } from './artifacts/registry.ts';
export { createArtifactPipeline } from './artifacts/pipeline.ts';
export { createImageArtifactStore } from './artifacts/image-artifact-store.ts';
export {
  createComputerTools,
  createExecutorController,
  type ComputerConfirmation,
  type ComputerController,
  type ComputerToolDefinition,
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
  type ToolOutputSpool,
} from './artifacts/spool.ts';
export type { ImageArtifactPolicy, ImageArtifactStore, ImageInput, ImageStored } from './artifacts/types.ts';
export { createEventBus, type EventBus, type EventLog } from './host/events/event-bus.ts';
export { createEventStream, type EventStream, type ToolEvent } from './host/events/tool-events.ts';
export { createStreamEventBridge } from './host/events/stream-event-bridge.ts';
