// Turns outcomes, waits and errors into MCP tool results.
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ToolContent } from '../contract/artifact.ts';
import { toUiaHostError } from '../contract/errors.ts';
import { jsonText } from '../contract/json/quoted.ts';
import { isJsonAlone, problemForTools, resultForTools } from '../host/face/tools.ts';
import type { Waited } from './waiting.ts';

const asRecord = (value: object): Record<string, unknown> => value as Record<string, unknown>;

/** A reference to a stored picture is a `resource_link` in MCP: a `resource` would carry the content. */
const toMcp = (part: ToolContent): CallToolResult['content'][number] =>
  part.type === 'resource' ? { type: 'resource_link', uri: part.uri, name: 'picture', mimeType: part.mimeType } : part;

/**
 * The answer to a call. Several agent CLIs show their model only the structured content if there is one, and drop pictures and
 * text; so an answer that has such parts carries its JSON as text only.
 */
export function answerCall(waited: Waited): CallToolResult {
  if (waited.status === 'done') {
    const content = waited.content.map(toMcp);
    if (!isJsonAlone(waited.result) || content.some((part) => part.type !== 'text')) return { content };
    return { content, structuredContent: content.length === 1 ? asRecord(resultForTools(waited.result)) : cut(waited) };
  }
  return answerObject(withHint(waited));
}

/** The structured content of an answer that was cut, which must not contain the whole again. */
const cut = ({ result, content }: Extract<Waited, { status: 'done' }>): Record<string, unknown> => ({
  status: 'truncated',
  action: result.action,
  actionId: result.actionId,
  text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
});

/** An object: as text for a model, as structured content for a program. */
export function answerObject(answer: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: jsonText(answer) }], structuredContent: answer };
}

/** A call that is not finished, with a hint how to get its answer. */
export function withHint(waited: Exclude<Waited, { status: 'done' }>): Record<string, unknown> {
  const hint =
    waited.status === 'pending'
      ? 'Waiting for a person’s approval. Call await_approval with this approvalId to keep waiting; do not repeat the action.'
      : 'The action is still running. Call await_approval with this actionId to keep waiting; do not repeat the action.';
  return { ...waited, hint };
}

/**
 * An error as a tool result, so that the model can read it and act on it. `asText`: as text only, for a tool whose output schema
 * a problem does not satisfy; some clients check errors too.
 */
export function answerError(thrown: unknown, { asText = false } = {}): CallToolResult {
  const problem = problemForTools(toUiaHostError(thrown).toProblem());
  return {
    content: [{ type: 'text', text: jsonText(problem) }],
    ...(asText ? {} : { structuredContent: asRecord(problem) }),
    isError: true,
  };
}
