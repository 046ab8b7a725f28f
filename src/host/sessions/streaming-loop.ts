/**
 * The streaming loop for a program with its own model: the model's output and its tool calls, interleaved in one stream
 * of events.
 */
import type { ToolContent } from '../../contract/artifact.ts';
import { toUiaHostError, UiaHostError } from '../../contract/errors.ts';
import type { StreamEvent } from '../../store/records.ts';
import { redactInput } from '../access/recorded-input.ts';
import type { EventStream } from '../events/tool-events.ts';

/** What a model emits. `tool_call` is a call whose input is complete; every other event is passed on unchanged. */
export type ModelEvent =
  | { readonly type: 'tool_call'; readonly callId: string; readonly name: string; readonly input: unknown }
  | StreamEvent;

/** Such as those of `createComputerTools`, which report start, progress and end to the stream themselves. */
export interface LoopTool {
  readonly name: string;
  call(input: unknown): Promise<{ readonly content: ToolContent[]; readonly isError: boolean }>;
}

export interface LoopAnswer {
  readonly callId: string;
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
}

export interface StreamingLoopOptions {
  /** One turn of the model. `answers`: to the calls of the previous turn, in their order; empty at first. */
  readonly model: (answers: readonly LoopAnswer[], signal: AbortSignal) => AsyncIterable<ModelEvent>;
  readonly tools: readonly LoopTool[];
  /**
   * Receives the model's events between those of the tools, in the order in which they happen. Bridge it to a bus to
   * store and replay them.
   */
  readonly stream: EventStream;
  /** Default 100. A model that still calls tools after that does not finish. */
  readonly maxTurns?: number;
  readonly signal?: AbortSignal;
}

type Call = Extract<ModelEvent, { type: 'tool_call' }>;
const isCall = (event: ModelEvent): event is Call =>
  event.type === 'tool_call' &&
  'callId' in event &&
  typeof event.callId === 'string' &&
  typeof event['name'] === 'string';

/**
 * Runs turns until one has no tool call. A tool starts as soon as its call is complete, while the model continues; tools run
 * one after the other, since they share a desktop. Errors: the model's own and the signal's reason, both after the running tool has ended.
 */
export async function runStreamingLoop({
  model,
  tools,
  stream,
  maxTurns = 100,
  signal = new AbortController().signal,
}: StreamingLoopOptions): Promise<{ readonly turns: number; readonly calls: number }> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  let answers: LoopAnswer[] = [];
  let calls = 0;
  for (let turns = 1; turns <= maxTurns; turns += 1) {
    const running: Array<Promise<LoopAnswer>> = [];
    let isBroken = false;
    let last: Promise<unknown> = Promise.resolve();
    try {
      for await (const event of model(answers, signal)) {
        signal.throwIfAborted();
        if (!isCall(event)) {
          stream.emit(event);
          continue;
        }
        // Typed text is not recorded; the tools get it unchanged.
        stream.emit({ ...event, input: redactInput(event.name, event.input) });
        const answer = last.then(() => (isBroken || signal.aborted ? notRun(event) : execute(byName, event)));
        running.push(answer);
        last = answer;
      }
      signal.throwIfAborted();
    } catch (error) {
      isBroken = true;
      throw error;
    } finally {
      answers = await Promise.all(running);
    }
    signal.throwIfAborted();
    calls += answers.length;
    if (answers.length === 0) return { turns, calls };
  }
  throw new UiaHostError('action_limit_exceeded', `The model still called tools in turn ${maxTurns}.`, {
    hint: 'Allow more turns (maxTurns), or check what the model repeats.',
  });
}

async function execute(tools: ReadonlyMap<string, LoopTool>, { callId, name, input }: Call): Promise<LoopAnswer> {
  try {
    const tool = tools.get(name);
    if (tool === undefined)
      throw new UiaHostError('not_found', `There is no tool ${JSON.stringify(name.slice(0, 80))}.`, {
        hint: `The tools are ${[...tools.keys()].join(', ')}.`,
      });
    return { callId, ...(await tool.call(input)) };
  } catch (thrown) {
    return {
      callId,
      content: [{ type: 'text', text: JSON.stringify(toUiaHostError(thrown).toProblem()) }],
      isError: true,
    };
  }
}

function notRun({ callId }: Call): LoopAnswer {
  return {
    callId,
    content: [
      {
        type: 'text',
        text: JSON.stringify(new UiaHostError('cancelled', 'The loop ended before the tool began.').toProblem()),
      },
    ],
    isError: true,
  };
}
