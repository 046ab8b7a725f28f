import { z } from 'zod';
import { toUiaHostError } from '../../contract/errors.ts';
import type { Caller } from '../../host/caller.ts';
import type { Host } from '../../host/host.ts';
import { json, tokenRoute, type Route } from '../../host/route.ts';
import { answerOf, buildTools, type Tool } from '../../host/tools.ts';
import { idempotencyKey, IDEMPOTENCY_HEADER, SESSION_HEADER } from './headers.ts';

const Hints = z.object({ readOnlyHint: z.boolean(), destructiveHint: z.boolean(), idempotentHint: z.boolean(), openWorldHint: z.boolean() });
const ToolRow = z.object({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.unknown()), annotations: Hints });
const Part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('resource'), uri: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('resource_link'), uri: z.string(), name: z.string(), mimeType: z.string() }),
]);

/** What the tool itself refuses never becomes an action, so it is audited here. */
function inputOf(host: Host, caller: Caller, tool: Tool, given: unknown): unknown {
  try {
    return tool.toInput(given);
  } catch (thrown) {
    host.recordRefusal({ code: toUiaHostError(thrown).code, surface: caller.surface, route: `tool ${tool.name}`, tokenId: caller.tokenId });
    throw thrown;
  }
}

export function toolRoutes(host: Host): Route[] {
  const box = buildTools(host.catalog);
  const rows = () => box.tools.map(({ name, description, inputSchema, hints }) => ({ name, description, inputSchema, annotations: hints }));
  return [
    tokenRoute({
      method: 'GET',
      path: '/v1/tools',
      operationId: 'listTools',
      tag: 'tools',
      scope: 'agent',
      summary: 'Every action as a tool in MCP shape, the five computer:* tools and request_ui_action among them.',
      replies: { 200: { description: 'The tools.', schema: z.object({ tools: z.array(ToolRow) }) } },
      async handle() {
        return json({ tools: rows() });
      },
    }),
    tokenRoute({
      method: 'POST',
      path: '/v1/tools/{name}/call',
      operationId: 'callTool',
      tag: 'tools',
      scope: 'agent',
      summary: 'Call a tool; the body is its arguments. What the action refuses is an answer with isError, not a problem.',
      pathParameters: { name: { pattern: /^[A-Za-z0-9_:-]{1,64}$/, meaning: 'Name of the tool.', unknown: 'not_found' } },
      headers: { ...IDEMPOTENCY_HEADER, ...SESSION_HEADER },
      body: { schema: z.unknown(), required: false },
      replies: { 200: { description: 'The tool’s answer.', schema: z.object({ content: z.array(Part), isError: z.boolean() }) } },
      async handle({ path, body, header, signal }, caller) {
        const tool = box.named(path['name'] ?? '');
        const key = idempotencyKey(header('idempotency-key'));
        return json(await answerOf(host, tool, caller, () => host.runner.run(caller, tool.action, inputOf(host, caller, tool, body), { idempotencyKey: key, signal }).result));
      },
    }),
  ];
}
