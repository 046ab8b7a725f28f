import { z } from 'zod';
import { toUiaHostError, UiaHostError, type Problem } from '../contract/errors.ts';
import { parseOrRefuse } from '../contract/issues.ts';
import { toJsonSchema, type JsonSchema } from '../contract/json-schema.ts';
import { nearest } from '../contract/near.ts';
import type { ActionResult } from '../contract/outcome.ts';
import type { Catalog, CatalogEntry, ToolHints } from './host.ts';

/** One part of a tool's answer, in MCP's shape. */
export type ToolPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string; readonly mimeType: string };

export interface ToolAnswer {
  readonly content: ToolPart[];
  readonly isError: boolean;
}

/** An action as a tool: its arguments become the action's input, the action's result becomes content. */
export interface Tool {
  /** snake_case of the action, or `computer:…`. */
  readonly name: string;
  readonly description: string;
  readonly cap: string;
  readonly hints: ToolHints;
  readonly input: z.ZodObject;
  readonly inputSchema: JsonSchema;
  /** kebab-case name of the action that runs. */
  readonly action: string;
  /** Errors: invalid_argument. */
  toInput(given: unknown): unknown;
  toContent(result: ActionResult): ToolPart[];
}

function toolOfAction(entry: CatalogEntry): Tool {
  return {
    name: entry.tool,
    description: entry.meaning,
    cap: entry.cap,
    hints: entry.hints,
    input: entry.input,
    get inputSchema() { return entry.inputSchema; },
    action: entry.name,
    // The gate judges the input itself.
    toInput: (given) => given,
    toContent: contentOf,
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The result without the picture's bytes, which travel as a part of their own. */
export function withoutPicture(result: ActionResult): ActionResult {
  if (!isRecord(result.value) || typeof result.value['base64'] !== 'string') return result;
  const { base64: _bytes, ...rest } = result.value;
  return { ...result, value: rest };
}

/**
 * The picture and a link to it, then the result as JSON; an accessibility text comes after it as it is, since escaped in JSON
 * it costs a model more and reads worse.
 */
export function contentOf(result: ActionResult): ToolPart[] {
  const bare = withoutPicture(result);
  const { value } = bare;
  const parts: ToolPart[] = [];
  if (isRecord(result.value) && typeof result.value['base64'] === 'string' && result.value['base64'] !== '') {
    const mimeType = typeof result.value['mimeType'] === 'string' ? result.value['mimeType'] : 'image/png';
    parts.push({ type: 'image', data: result.value['base64'], mimeType });
    const { artifact } = result.value;
    if (typeof artifact === 'string') parts.push({ type: 'resource_link', uri: artifact, name: `${result.action} of action ${result.actionId}`, mimeType });
  }
  const text = isRecord(value) ? value['accessibilityText'] : undefined;
  if (!isRecord(value) || typeof text !== 'string') return [...parts, { type: 'text', text: JSON.stringify(bare) }];
  const { accessibilityText: _text, ...rest } = value;
  return [...parts, { type: 'text', text: JSON.stringify({ ...bare, value: rest }) }, { type: 'text', text }];
}

/** A problem as a tool's answer. */
export function errorContent(problem: Problem): ToolAnswer {
  return { content: [{ type: 'text', text: JSON.stringify(problem) }], isError: true };
}

const Coordinate = z.number();

/** The tools of the safety document, over our actions. */
const COMPUTER_TOOLS = {
  'computer:screenshot': {
    action: 'screenshot',
    description: 'Picture of the bound window, or of a display.',
    input: z.strictObject({ displayId: z.int().optional().describe('A display instead of the bound window.') }),
    toInput: (given: { displayId?: number | undefined }) => given,
  },
  'computer:pointer_move': {
    action: 'move-mouse',
    description: 'Move the pointer to a point of the latest picture.',
    input: z.strictObject({ x: Coordinate, y: Coordinate }),
    toInput: (given: { x: number; y: number }) => given,
  },
  'computer:click': {
    action: 'click',
    description: 'Click at a point of the latest picture.',
    input: z.strictObject({
      x: Coordinate,
      y: Coordinate,
      button: z.enum(['left', 'right', 'middle']).optional(),
      clickCount: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional(),
    }),
    toInput: ({ clickCount, ...rest }: { clickCount?: number | undefined }) => ({ ...rest, ...(clickCount === undefined ? {} : { count: clickCount }) }),
  },
  'computer:keypress': {
    action: 'key',
    description: 'Press a key, with modifiers held.',
    input: z.strictObject({
      key: z.string().min(1).max(40),
      modifiers: z.array(z.string().min(1).max(20)).max(6).optional(),
      repeat: z.int().min(1).max(100).optional(),
    }),
    toInput: ({ key, modifiers, repeat }: { key: string; modifiers?: string[] | undefined; repeat?: number | undefined }) =>
      ({ keySequence: [...(modifiers ?? []).map(keyName), keyName(key)].join('+'), ...(repeat === undefined ? {} : { repeat }) }),
  },
  'computer:type': {
    action: 'type',
    description: 'Type text.',
    input: z.strictObject({ text: z.string().max(100_000) }),
    toInput: (given: { text: string }) => given,
  },
} as const;

/** One key, where the action takes sequences: the two characters that separate keys there have names. */
function keyName(key: string): string {
  if (key === '+') return 'plus';
  if (key === ' ') return 'space';
  if (/\s/.test(key)) throw new UiaHostError('invalid_argument', 'key: expected one key, got several; use computer:type for text.');
  return key;
}

function computerTool(name: keyof typeof COMPUTER_TOOLS, catalog: Catalog): Tool {
  const { action, description, input, toInput } = COMPUTER_TOOLS[name];
  const entry = catalog.find(action);
  if (entry === undefined) throw new Error(`the tool ${name} stands on an action that is missing: ${action}`);
  let inputSchema: JsonSchema | undefined;
  return {
    name,
    description,
    cap: 'computer',
    hints: entry.hints,
    input,
    get inputSchema() { return (inputSchema ??= toJsonSchema(input)); },
    action,
    toInput: (given) => (toInput as (parsed: unknown) => unknown)(parseOrRefuse(input, given)),
    toContent: (result) => (name === 'computer:screenshot' ? contentOf(result).filter((part) => part.type === 'image') : contentOf(result)),
  };
}

export interface ToolBox {
  readonly tools: readonly Tool[];
  /** By name; the colon of `computer:…` may be an underscore. Errors: not_found with near names. */
  named(name: string): Tool;
}

/** Every action as a tool, and the five `computer:*` tools. */
export function buildTools(catalog: Catalog): ToolBox {
  const tools = [
    ...catalog.entries.map(toolOfAction),
    ...(Object.keys(COMPUTER_TOOLS) as Array<keyof typeof COMPUTER_TOOLS>).map((name) => computerTool(name, catalog)),
  ];
  const byName = new Map(tools.flatMap((tool) => [[tool.name, tool], [tool.name.replace(':', '_'), tool]] as const));
  return {
    tools,
    named(name) {
      const tool = byName.get(name);
      if (tool !== undefined) return tool;
      const suggestions = nearest(name, tools.map((each) => each.name));
      throw new UiaHostError('not_found', `There is no tool ${JSON.stringify(name.slice(0, 80))}${suggestions.length > 0 ? `; did you mean ${suggestions.join(' or ')}?` : '.'}`, { suggestions });
    },
  };
}

/** Runs a tool to its answer; what fails is an answer as well. */
export async function answerOf(tool: Tool, run: () => Promise<ActionResult>): Promise<ToolAnswer> {
  try {
    return { content: tool.toContent(await run()), isError: false };
  } catch (thrown) {
    return errorContent(toUiaHostError(thrown).toProblem());
  }
}
