import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ToolContent } from '../contract/artifact.ts';
import { toUiaHostError } from '../contract/errors.ts';
import { jsonText } from '../contract/quoted.ts';
import { withoutPicture } from '../host/face/tools.ts';
import type { Waited } from './waiting.ts';

const asRecord = (value: object): Record<string, unknown> => value as Record<string, unknown>;

/** A reference to a stored picture is a link in MCP's words: its `resource` would carry the content. */
const toMcp = (part: ToolContent): CallToolResult['content'][number] =>
  part.type === 'resource' ? { type: 'resource_link', uri: part.uri, name: 'picture', mimeType: part.mimeType } : part;

/**
 * The answer to a call. Several agent CLIs show their model the structured content alone where there is one, and drop pictures and
 * texts beside it; so an answer that has such parts carries its JSON as text only.
 */
export function answerCall(waited: Waited): CallToolResult {
  if (waited.status === 'done') {
    const content = waited.content.map(toMcp);
    return content.length === 1 && content[0]?.type === 'text'
      ? { content, structuredContent: asRecord(withoutPicture(waited.result)) }
      : { content };
  }
  return answerObject(withHint(waited));
}

/** An object, for a model as text and for a program as it is. */
export function answerObject(answer: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: jsonText(answer) }], structuredContent: answer };
}

/** What is still under way, with the way to its answer. */
export function withHint(waited: Exclude<Waited, { status: 'done' }>): Record<string, unknown> {
  const hint =
    waited.status === 'pending'
      ? 'A person is asked. Call await_approval with this approvalId to go on waiting; do not repeat the action.'
      : 'The action is still running. Call await_approval with this actionId to go on waiting; do not repeat the action.';
  return { ...waited, hint };
}

/** An error as an answer that the model can read and act on. */
export function answerError(thrown: unknown): CallToolResult {
  const problem = toUiaHostError(thrown).toProblem();
  return { content: [{ type: 'text', text: jsonText(problem) }], structuredContent: asRecord(problem), isError: true };
}
