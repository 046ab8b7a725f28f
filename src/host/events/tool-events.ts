/** The events of one tool call: start, progress, end. */
import type { StreamEvent } from '../../store/records.ts';
import { attempt } from '../../contract/attempt.ts';

/** Inputs have the form that the audit gives them. */
export type ToolEvent =
  | {
      readonly type: 'tool.start';
      readonly callId: string;
      readonly tool: string;
      readonly sessionId: string | null;
      readonly input: unknown;
      readonly timestamp: string;
    }
  | {
      readonly type: 'tool.progress';
      readonly callId: string;
      readonly tool: string;
      readonly progress: number;
      readonly total: number | null;
      readonly message: string;
      readonly timestamp: string;
    }
  | {
      readonly type: 'tool.end';
      readonly callId: string;
      readonly tool: string;
      readonly isError: boolean;
      readonly errorCode: string | null;
      readonly durationMs: number;
      readonly artifacts: readonly string[];
      readonly timestamp: string;
    };

export interface EventStream {
  emit(event: StreamEvent): void;
  subscribe(listener: (event: StreamEvent) => void): () => void;
}

/** A stream that its owner feeds; a bridge forwards its events to a bus. */
export function createEventStream(): EventStream {
  const listeners = new Set<(event: StreamEvent) => void>();
  return {
    emit(event) {
      // Reporting an action must not break it.
      for (const listener of listeners) attempt(() => listener(event), undefined);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export interface ToolCallEvents {
  progress(progress: number, total: number | null, message: string): void;
  /** Only the first end counts. */
  end(result: { isError: boolean; errorCode?: string | null; artifacts?: readonly string[] }): void;
}

/** Reports one tool call to the stream, beginning with its start. */
export function startToolCall(
  stream: EventStream,
  call: { callId: string; tool: string; sessionId?: string | null; input: unknown },
  now: () => Date = () => new Date(),
): ToolCallEvents {
  const { callId, tool } = call;
  const startedAt = now();
  const emit = (event: ToolEvent): void => stream.emit({ ...event });
  let hasEnded = false;
  emit({
    type: 'tool.start',
    callId,
    tool,
    sessionId: call.sessionId ?? null,
    input: call.input,
    timestamp: startedAt.toISOString(),
  });
  return {
    progress(progress, total, message) {
      if (!hasEnded)
        emit({ type: 'tool.progress', callId, tool, progress, total, message, timestamp: now().toISOString() });
    },
    end({ isError, errorCode = null, artifacts = [] }) {
      if (hasEnded) return;
      hasEnded = true;
      const at = now();
      emit({
        type: 'tool.end',
        callId,
        tool,
        isError,
        errorCode,
        durationMs: at.getTime() - startedAt.getTime(),
        artifacts,
        timestamp: at.toISOString(),
      });
    },
  };
}
