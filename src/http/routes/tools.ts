// /v1/tools: actions as tools in MCP's form.
import { z } from 'zod';
import { COMPUTER_USE } from '../../contract/computer-use-tool.ts';
import { ToolContent } from '../../contract/artifact.ts';
import { ToolHints } from '../../contract/gate/views.ts';
import { toUiaHostError } from '../../contract/errors.ts';
import { type Caller, inWindow } from '../../host/face/caller.ts';
import { computerUseTool, runComputerUse } from '../../host/face/computer-use-tool.ts';
import type { Host, RunOptions } from '../../host/face/host.ts';
import { json, tokenRoute, type Route } from '../../host/face/route.ts';
import { changeReportsOf } from '../../host/face/changes.ts';
import { answerOf, buildTools, callOf, errorContent, type Tool, type ToolAnswer } from '../../host/face/tools.ts';
import { idempotencyKey, IDEMPOTENCY_HEADER, SESSION_HEADER } from '../body.ts';

const AGENT = { tag: 'tools', scope: 'agent' } as const;
const JsonObject = z.record(z.string(), z.unknown());
const ToolRow = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: JsonObject,
  outputSchema: JsonObject.optional(),
  annotations: ToolHints,
});
/** A call that the tool refuses never becomes an action, so the refusal is audited here. */
function recordRefusal(host: Host, caller: Caller, tool: string, thrown: unknown): void {
  const error = toUiaHostError(thrown);
  if (error.actionId === undefined)
    host.recordRefusal({ code: error.code, surface: caller.surface, route: `tool ${tool}`, tokenId: caller.tokenId });
}

function checkedCall(host: Host, caller: Caller, tool: Tool, given: unknown): ReturnType<typeof callOf> {
  try {
    return callOf(tool, given);
  } catch (thrown) {
    recordRefusal(host, caller, tool.name, thrown);
    throw thrown;
  }
}

async function callComputerUse(
  host: Host,
  caller: Caller,
  given: unknown,
  options: RunOptions & { readonly signal: AbortSignal },
): Promise<ToolAnswer> {
  try {
    const answer = await runComputerUse(host, caller, given, {
      ...options,
      propose: (inSession, proposal) => host.sessions.propose(inSession, inSession.session, proposal, options),
    });
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], isError: false };
  } catch (thrown) {
    recordRefusal(host, caller, COMPUTER_USE, thrown);
    return errorContent(toUiaHostError(thrown).toProblem());
  }
}

export function toolRoutes(host: Host): Route[] {
  const box = buildTools(host.catalog);
  const rows = () => [
    ...box.tools.map(({ name, description, inputSchema, hints }) => ({
      name,
      description,
      inputSchema,
      annotations: hints,
    })),
    {
      name: COMPUTER_USE,
      description: computerUseTool.description,
      inputSchema: computerUseTool.inputSchema,
      outputSchema: computerUseTool.outputSchema,
      annotations: computerUseTool.hints,
    },
  ];
  return [
    tokenRoute('GET /v1/tools', 'listTools', {
      ...AGENT,
      summary:
        'Every action as an MCP tool, including the five computer:* tools and request_ui_action, and computer_use.',
      replies: { 200: { description: 'The tools.', schema: z.object({ tools: z.array(ToolRow) }) } },
      handle: async () => json({ tools: rows() }),
    }),
    tokenRoute('POST /v1/tools/{name}/call', 'callTool', {
      ...AGENT,
      summary:
        'Call a tool; the body is its arguments. If the action refuses, the answer has isError; it is not a problem.',
      pathParameters: {
        name: { pattern: /^[A-Za-z0-9_:-]{1,64}$/, meaning: 'Name of the tool.', unknown: 'not_found' },
      },
      headers: { ...IDEMPOTENCY_HEADER, ...SESSION_HEADER },
      body: { schema: z.unknown(), required: false },
      replies: {
        200: {
          description: 'The tool’s answer.',
          schema: z.object({ content: z.array(ToolContent), isError: z.boolean() }),
        },
      },
      async handle({ path, body, header, signal }, caller) {
        const options = { idempotencyKey: idempotencyKey(header('idempotency-key')), signal };
        if (path['name'] === COMPUTER_USE) return json(await callComputerUse(host, caller, body, options));
        const tool = box.named(path['name'] ?? '');
        return json(
          await answerOf(host, tool, caller, async () => {
            const { input, session, observe } = checkedCall(host, caller, tool, body);
            const who = inWindow(session === undefined ? caller : { ...caller, session }, input);
            const result = await host.runner.run(who, tool.action, input, options).result;
            return changeReportsOf(host).withChanges(who, result, observe ?? 'none', input);
          }),
        );
      },
    }),
  ];
}
