// The MCP tool list, and which capabilities open which tools.
import { didYouMean, nearest } from '../contract/json/near.ts';
import { z } from 'zod';
import { badInput, UiaHostError } from '../contract/errors.ts';
import { toJsonSchema, type JsonSchema } from '../contract/json/json-schema.ts';
import { COMPUTER_USE } from '../contract/computer-use-tool.ts';
import { computerUseTool } from '../host/face/computer-use-tool.ts';
import type { ToolHints } from '../contract/gate/views.ts';
import type { Catalog } from '../host/face/host.ts';
import { buildTools, type Tool } from '../host/face/tools.ts';

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Limits that a refusal names where they are exceeded; what is listed is read into a model's context with each conversation. */
const UNLISTED: ReadonlySet<string> = new Set([
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'pattern',
  'format',
  'minItems',
  'maxItems',
]);
/** Arguments that every call takes and few need: the defaults are right for a model, which acts by refs and needs no path. */
const UNLISTED_ARGUMENTS: ReadonlySet<string> = new Set([
  'observe',
  'maxElements',
  'allowedBundleIds',
  'path',
  'toPath',
  'as',
  'window',
]);
/** Tools whose duration the caller chooses; for the others the default deadline is enough. */
const LASTING: ReadonlySet<string> = new Set(['wait_for', 'wait_quiet', 'batch', 'open_app', 'open_terminal']);
/** Arguments that many tools share, in fewer words. */
const SHARED_WORDS: Readonly<Record<string, string | null>> = {
  name: null,
  role: null,
  automationId: null,
  ref: 'From a snapshot, e12.',
  deadlineMs: null,
  observe: null,
  delivery: null,
};

/**
 * An input schema as it is listed: without limits, with short words for shared arguments, and without a deadline where the default
 * one is always enough; every tool takes it.
 */
function listedSchema(schema: JsonSchema, isTop = true): JsonSchema {
  const { required } = schema;
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): Array<[string, unknown]> => {
      if (UNLISTED.has(key) || (key === 'type' && 'enum' in schema)) return [];
      if (key === 'properties' && isSchema(value)) {
        const listedProperties = Object.entries(value).flatMap(([name, each]): Array<[string, unknown]> => {
          if (isTop && UNLISTED_ARGUMENTS.has(name) && !isRequired(name)) return [];
          const { description, ...rest } = listedSchema(each as JsonSchema, false);
          const words = isTop && name in SHARED_WORDS ? SHARED_WORDS[name] : (description ?? null);
          return [[name, words === null ? rest : { ...rest, description: words }]];
        });
        return [[key, Object.fromEntries(listedProperties)]];
      }
      if (Array.isArray(value))
        return [[key, value.map((each) => (isSchema(each) ? listedSchema(each, false) : each))]];
      return [[key, isSchema(value) ? listedSchema(value, false) : value]];
    }),
  );
}

/** A row of tools/list. */
interface ListedTool {
  readonly name: string;
  /** For people, in a client's list of tools. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly annotations: ToolHints;
}

export const AWAIT_APPROVAL = 'await_approval';
export const PERMISSION_PROMPT = 'permission_prompt';

const ASKING: ToolHints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export const AwaitInput = z
  .strictObject({
    approvalId: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,128}$/)
      .optional()
      .describe('Of the pending answer.'),
    actionId: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,128}$/)
      .optional()
      .describe('Instead of approvalId: of the running action.'),
  })
  .refine(
    (given) => (given.approvalId === undefined) !== (given.actionId === undefined),
    'Give exactly one of approvalId and actionId.',
  );

/** Loose on purpose: the CLI may add fields, and refusing them would lock its user out. */
export const PermissionInput = z.looseObject({
  tool_name: z.string().min(1).max(200),
  input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().max(200).optional(),
});

const asObjectSchema = (schema: JsonSchema): ListedTool['inputSchema'] => ({ ...schema, type: 'object' as const });

/** `click_element` → Click element; `computer:click` → Computer: click. */
const titleOf = (name: string): string => {
  const words = name.replaceAll('_', ' ').replace(':', ': ');
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
};

function listed(tool: Tool): ListedTool & { readonly cap: string } {
  return {
    name: tool.name.replace(':', '_'),
    title: titleOf(tool.name),
    description: tool.description,
    get inputSchema() {
      // The given function tool's parameters are fixed by its contract, word for word.
      if (!tool.takesSession) return asObjectSchema(tool.inputSchema);
      const { deadlineMs, ...properties } = tool.inputSchema['properties'] as Readonly<Record<string, JsonSchema>>;
      const isLasting = LASTING.has(tool.name) && deadlineMs !== undefined;
      return asObjectSchema(
        listedSchema({
          ...tool.inputSchema,
          properties: { ...properties, ...(isLasting ? { deadlineMs } : {}) },
        }),
      );
    },
    annotations: tool.hints,
    cap: tool.cap,
  };
}

export interface McpTools {
  /** The tools that tools/list shows for these capabilities. */
  list(caps: ReadonlySet<string>): ListedTool[];
  /** The action tool with this name, if these capabilities include it. Errors: not_found, with similar names or the missing capability. */
  open(name: string, caps: ReadonlySet<string>): Tool;
  /** Whether there is a tool of this name, with these capabilities or others. */
  has(name: string): boolean;
  readonly caps: readonly string[];
}

export function buildMcpTools(catalog: Catalog): McpTools {
  const box = buildTools(catalog);
  const rows = box.tools.map(listed);
  const own: ListedTool[] = [
    {
      name: computerUseTool.name,
      title: titleOf(computerUseTool.name),
      description: computerUseTool.description,
      get inputSchema() {
        return asObjectSchema(listedSchema(computerUseTool.inputSchema));
      },
      annotations: computerUseTool.hints,
    },
    {
      name: AWAIT_APPROVAL,
      title: titleOf(AWAIT_APPROVAL),
      description: 'Keep waiting for a call that answered pending or running; returns that call’s answer.',
      get inputSchema() {
        return asObjectSchema(listedSchema(toJsonSchema(AwaitInput)));
      },
      annotations: ASKING,
    },
    {
      name: PERMISSION_PROMPT,
      title: titleOf(PERMISSION_PROMPT),
      description:
        'For agent CLIs (--permission-prompt-tool): asks a person whether the CLI may use one of its own tools.',
      get inputSchema() {
        return asObjectSchema(listedSchema(toJsonSchema(PermissionInput)));
      },
      annotations: ASKING,
    },
  ];
  const byName = new Map(rows.map((row, index) => [row.name, { row, tool: box.tools[index] as Tool }]));
  return {
    caps: [...new Set(rows.map((row) => row.cap))],
    list: (caps) => [...rows.filter((row) => caps.has(row.cap)).map(({ cap: _cap, ...row }) => row), ...own],
    has: (name) => byName.has(name) || own.some((tool) => tool.name === name),
    open(name, caps) {
      const found = byName.get(name);
      if (found === undefined) {
        const suggestions = nearest(name, [...byName.keys(), AWAIT_APPROVAL, COMPUTER_USE]);
        throw new UiaHostError(
          'not_found',
          `Unknown tool ${JSON.stringify(name.slice(0, 80))}${suggestions.length > 0 ? `; ${didYouMean(suggestions)}` : '.'}`,
          { suggestions, hint: 'Use a tool of this connection’s list.' },
        );
      }
      if (!caps.has(found.row.cap)) {
        throw new UiaHostError(
          'not_found',
          `The tool ${name} needs the capability ${found.row.cap}, which this connection did not request.`,
          {
            hint: `Ask the person to connect again with ?caps=${found.row.cap}, or uiahost mcp --caps ${found.row.cap}.`,
          },
        );
      }
      return found.tool;
    },
  };
}

/** `core` is always included; `all` means every capability. Errors: invalid_argument for an unknown one. */
export function openCaps(given: string | undefined, known: readonly string[]): ReadonlySet<string> {
  const asked = (given ?? '')
    .split(',')
    .map((cap) => cap.trim())
    .filter((cap) => cap !== '');
  if (asked.includes('all')) return new Set(known);
  const unknown = asked.find((cap) => !known.includes(cap));
  if (unknown !== undefined)
    throw badInput(`caps: ${JSON.stringify(unknown.slice(0, 40))} is not one of ${known.join(', ')}, all.`);
  return new Set(['core', ...asked]);
}
