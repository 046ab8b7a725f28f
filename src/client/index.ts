/** What `uiahost/client` has for one host. */
export { UiaHostClient, type ClientOptions, type ConnectOptions, type RequestOptions } from './client.ts';
export {
  ClientError,
  ConnectionError,
  HostNotFoundError,
  ProblemError,
  TimeoutError,
  type Delivery,
} from './errors.ts';
export { ElementHandle, WindowHandle, type ElementData, type ElementQuery, type HandleOptions } from './handles.ts';
export type { ClientExecutor, ExecutorOptions, ExecutorProblem, ExecutorResult } from './executor.ts';
export type {
  ComputerExecutor,
  ComputerExecutorCapabilities,
  DisplayGeometry,
  ExecutorMethod,
  FrontmostApp,
  InstalledApp,
  ResolvePrepareCaptureResult,
  RunningApp,
  ScreenshotResult,
} from '../contract/executor.ts';
export {
  isPending,
  type ActionOptions,
  type CallOptions,
  type Scope,
  type StartOptions,
  type StreamedEvent,
  type StreamOptions,
} from './calls.ts';
export type * from './api.generated.ts';
export {
  AnthropicComputer,
  AnthropicComputerToolset,
  type AnthropicComputerOptions,
  type AnthropicContent,
  type AnthropicMemberCall,
  type AnthropicRunContext,
} from './anthropic.ts';
export { OpenAIComputer, type OpenAIComputerOutput, type OpenAIRunOptions } from './openai.ts';
export { Toolset, type ToolsetOptions, type ToolsetTool } from './toolset.ts';
