/** What a TypeScript program imports: `import { createComputerExecutor } from 'uiahost'`. */
export { createComputerExecutor, type ExecutorOptions, type OwnedExecutor } from './library.ts';
export { UiaHostError, ERRORS, type ErrorCode, type Problem } from './contract/errors.ts';
export type * from './contract/executor.ts';
export type { ActionResult, Decision, Outcome } from './contract/outcome.ts';
export type { ApprovalCard } from './contract/approval.ts';
export type { Level, Policy, Tier } from './contract/permissions.ts';
export type { ImageArtifact, ToolContent } from './contract/artifact.ts';
export { securityPolicy } from './policy/builder.ts';
export { createArtifactRegistry } from './artifacts/registry.ts';
export { createArtifactPipeline } from './artifacts/pipeline.ts';
export { createImageArtifactStore } from './artifacts/image-artifact-store.ts';
export { createEventBus } from './store/event-bus.ts';
export { createStreamEventBridge } from './store/stream-event-bridge.ts';
