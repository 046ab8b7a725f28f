/** Actions as tools, for MCP and the adapters. */
import { didYouMean, nearest } from '../../contract/json/near.ts';
import { z } from 'zod';
import type { ToolContent } from '../../contract/artifact.ts';
import { COMPUTER_DESCRIPTIONS, COMPUTER_INPUTS, COMPUTER_USE } from '../../contract/computer-use-tool.ts';
import { toUiaHostError, UiaHostError, type Problem } from '../../contract/errors.ts';
import { parseOrRefuse } from '../../contract/json/issues.ts';
import { toJsonSchema, type JsonSchema } from '../../contract/json/json-schema.ts';
import type { ActionResult } from '../../contract/outcome.ts';
import { REQUEST_UI_ACTION } from '../../contract/gate/traits.ts';
import { jsonText } from '../../contract/json/quoted.ts';
import { rangeTable } from '../../contract/cells/cell-text.ts';
import { RangeRead } from '../../contract/cells/sheet.ts';
import type { Caller } from './caller.ts';
import { isObservable, Observe } from './changes.ts';
import { toolWords } from './catalog.ts';
import { takeSession, withSessionField } from './computer-use-tool.ts';
import type { Catalog, CatalogEntry, Host, ToolHints } from './host.ts';

export interface ToolAnswer {
  readonly content: ToolContent[];
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
  /** From the arguments: the action's input, and the computer-use session that a call may name in addition. */
  readonly inputSchema: JsonSchema;
  /** Schema of the result's value; null where an answer has parts of its own, such as a picture, and no JSON alone. */
  readonly valueSchema: JsonSchema | null;
  /** kebab-case name of the action that runs. */
  readonly action: string;
  /** Whether its arguments may name a computer-use session. */
  readonly takesSession: boolean;
  /** Whether its arguments may say `observe`. */
  readonly takesObserve: boolean;
  /** The action's input, from arguments without a session. Errors: invalid_argument. */
  toInput(given: unknown): unknown;
  toContent(result: ActionResult): ToolContent[];
}

/** The given function tool: its parameters are exactly the seed's, so they cannot name a session. */
const isGiven = (entry: CatalogEntry): boolean => entry.method === REQUEST_UI_ACTION;

function toolOfAction(entry: CatalogEntry): Tool {
  return {
    name: entry.tool,
    description: entry.meaning,
    cap: entry.cap,
    hints: entry.hints,
    get input() {
      return entry.input;
    },
    get inputSchema() {
      if (isGiven(entry)) return entry.inputSchema;
      const schema = withSessionField(entry.inputSchema);
      return isObservable(entry) ? withObserveField(schema) : schema;
    },
    get valueSchema() {
      return answersInParts(entry.outputSchema) ? null : entry.outputSchema;
    },
    action: entry.name,
    takesSession: !isGiven(entry),
    takesObserve: !isGiven(entry) && isObservable(entry),
    // The gate judges the input itself.
    toInput: (given) => given,
    toContent: contentOf,
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The results of a batch's steps; empty for other actions. */
const stepsOf = (value: unknown): ActionResult[] =>
  isRecord(value) && Array.isArray(value['completed'])
    ? value['completed'].filter((step): step is ActionResult => isRecord(step) && 'value' in step)
    : [];

/** A problem as tools report it: its hint has the names of tools. */
export function problemForTools<P extends { readonly hint: string }>(problem: P): P {
  return { ...problem, hint: toolWords(problem.hint) };
}

/** The result as tools report it: hints have the names of tools; the bytes of its own pictures and those of a batch's steps are sent as separate parts. */
export function resultForTools(result: ActionResult): ActionResult {
  const { value } = result;
  if (!isRecord(value)) return result;
  if (typeof value['base64'] === 'string') {
    const { base64: _bytes, ...rest } = value;
    return { ...result, value: rest };
  }
  const steps = stepsOf(value);
  const { failed } = value;
  const hasProblem = isRecord(failed) && isRecord(failed['error']) && typeof failed['error']['hint'] === 'string';
  if (steps.length === 0 && !hasProblem) return result;
  return {
    ...result,
    value: {
      ...value,
      ...(steps.length === 0 ? {} : { completed: steps.map(resultForTools) }),
      ...(hasProblem ? { failed: { ...failed, error: problemForTools(failed['error'] as { hint: string }) } } : {}),
    },
  };
}

/** The picture of a result and a link to where it is kept; empty if it has none. */
function pictureOf({ value, action, actionId }: ActionResult): ToolContent[] {
  if (!isRecord(value) || typeof value['base64'] !== 'string' || value['base64'] === '') return [];
  const mimeType = typeof value['mimeType'] === 'string' ? value['mimeType'] : 'image/png';
  const picture: ToolContent = { type: 'image', data: value['base64'], mimeType };
  const { artifact } = value;
  return typeof artifact === 'string'
    ? [picture, { type: 'resource_link', uri: artifact, name: `${action} of action ${actionId}`, mimeType }]
    : [picture];
}

/** The part of a result that is text for a model rather than JSON: an accessibility text, a range as a table. */
function textOf(value: unknown): { readonly text: string; readonly rest: Record<string, unknown> } | null {
  if (!isRecord(value)) return null;
  if (typeof value['accessibilityText'] === 'string') {
    const { accessibilityText, ...rest } = value;
    return { text: accessibilityText as string, rest };
  }
  const { untrusted: _mark, ...range } = value;
  const read = RangeRead.safeParse(range);
  if (!read.success) return null;
  const { values: _values, formulas: _formulas, ...rest } = value;
  return { text: rangeTable(read.data), rest };
}

/** Properties of a value that contentOf sends as parts of their own: pictures, those of steps, texts for models. */
const SENT_APART = ['base64', 'completed', 'accessibilityText', 'values'];

const answersInParts = (value: JsonSchema): boolean =>
  SENT_APART.some((name) => isRecord(value['properties']) && name in value['properties']);

/** Whether contentOf has nothing but the result's JSON. */
export const isJsonAlone = (result: ActionResult): boolean =>
  [result, ...stepsOf(result.value)].every((each) => pictureOf(each).length === 0) && textOf(result.value) === null;

/**
 * The picture and a link to it, then the result as JSON, then an accessibility text or a table unescaped: in JSON it would cost
 * a model more tokens and be harder to read.
 */
export function contentOf(result: ActionResult): ToolContent[] {
  const bare = resultForTools(result);
  const parts = [...pictureOf(result), ...stepsOf(result.value).flatMap(pictureOf)];
  const text = textOf(bare.value);
  if (text === null) return [...parts, { type: 'text', text: jsonText(bare) }];
  return [...parts, { type: 'text', text: jsonText({ ...bare, value: text.rest }) }, { type: 'text', text: text.text }];
}

/** A problem as a tool's answer. */
export function errorContent(problem: Problem): ToolAnswer {
  return { content: [{ type: 'text', text: jsonText(problemForTools(problem)) }], isError: true };
}

/** The tools of the safety document, over our actions. */
const COMPUTER_TOOLS = {
  'computer:screenshot': {
    action: 'screenshot',
    description: COMPUTER_DESCRIPTIONS.screenshot,
    input: COMPUTER_INPUTS.screenshot,
    toInput: (given: { displayId?: number | undefined }) => given,
  },
  'computer:pointer_move': {
    action: 'move-mouse',
    description: COMPUTER_DESCRIPTIONS.pointer_move,
    input: COMPUTER_INPUTS.pointer_move,
    toInput: (given: { x: number; y: number }) => given,
  },
  'computer:click': {
    action: 'click',
    description: COMPUTER_DESCRIPTIONS.click,
    input: COMPUTER_INPUTS.click,
    toInput: ({ clickCount, ...rest }: { clickCount?: number | undefined }) => ({
      ...rest,
      ...(clickCount === undefined ? {} : { count: clickCount }),
    }),
  },
  'computer:keypress': {
    action: 'key',
    description: COMPUTER_DESCRIPTIONS.keypress,
    input: COMPUTER_INPUTS.keypress,
    toInput: ({
      key,
      modifiers,
      repeat,
    }: {
      key: string;
      modifiers?: string[] | undefined;
      repeat?: number | undefined;
    }) => ({ keySequence: keySequenceOf(key, modifiers), ...(repeat === undefined ? {} : { repeat }) }),
  },
  'computer:type': {
    action: 'type',
    description: COMPUTER_DESCRIPTIONS.type,
    input: COMPUTER_INPUTS.type,
    toInput: (given: { text: string }) => given,
  },
} as const;

/** The sequence that our actions take for one key with modifiers. Errors: invalid_argument for several keys. */
export function keySequenceOf(key: string, modifiers: readonly string[] | undefined): string {
  return [...(modifiers ?? []).map(keyName), keyName(key)].join('+');
}

/** One key for an action that takes sequences, in which the two separators have names. */
function keyName(key: string): string {
  if (key === '+') return 'plus';
  if (key === ' ') return 'space';
  if (/\s/.test(key))
    throw new UiaHostError('invalid_argument', 'key: expected one key, got several; use computer:type for text.');
  return key;
}

function computerTool(name: keyof typeof COMPUTER_TOOLS, catalog: Catalog): Tool {
  const { action, description, input, toInput } = COMPUTER_TOOLS[name];
  const entry = catalog.find(action);
  if (entry === undefined) throw new Error(`the tool ${name} needs the action ${action}, which is missing`);
  let inputSchema: JsonSchema | undefined;
  return {
    name,
    description,
    cap: 'computer',
    hints: entry.hints,
    input,
    get inputSchema() {
      return (inputSchema ??= withSessionField(toJsonSchema(input)));
    },
    get valueSchema() {
      return answersInParts(entry.outputSchema) ? null : entry.outputSchema;
    },
    action,
    takesSession: true,
    takesObserve: false,
    toInput: (given) => (toInput as (parsed: unknown) => unknown)(parseOrRefuse(input, given)),
    toContent: (result) =>
      name === 'computer:screenshot' ? contentOf(result).filter((part) => part.type === 'image') : contentOf(result),
  };
}

/** A call of a tool: the action's input, and what else the arguments say. */
export interface ToolCall {
  readonly input: unknown;
  /** The session that the arguments name. */
  readonly session: string | undefined;
  readonly observe: Observe | undefined;
}

/** Errors: invalid_argument, session_not_found. */
export function callOf(tool: Tool, given: unknown): ToolCall {
  const named = tool.takesSession ? takeSession(given) : { session: undefined, input: given };
  const { observe, input } = tool.takesObserve ? takeObserve(named.input) : { observe: undefined, input: named.input };
  return { session: named.session, observe, input: tool.toInput(input) };
}

/** Takes `observe` out of the arguments. Errors: invalid_argument. */
function takeObserve(given: unknown): { readonly observe: Observe | undefined; readonly input: unknown } {
  if (!isRecord(given) || !('observe' in given)) return { observe: undefined, input: given };
  const { observe, ...input } = given;
  return { observe: parseOrRefuse(z.object({ observe: Observe }), { observe }).observe, input };
}

function withObserveField(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    properties: {
      ...(schema['properties'] as JsonSchema | undefined),
      observe: { enum: Observe.options, description: 'delta: answer what changed since the last snapshot.' },
    },
  };
}

export interface ToolBox {
  readonly tools: readonly Tool[];
  /** By name; the colon of `computer:…` may be an underscore. Errors: not_found with near names. */
  named(name: string): Tool;
}

/** Every action as a tool, and the five `computer:*` tools. `computer_use` is not an action: see computer-use-tool.ts. */
export function buildTools(catalog: Catalog): ToolBox {
  const tools = [
    ...catalog.entries.map(toolOfAction),
    ...(Object.keys(COMPUTER_TOOLS) as Array<keyof typeof COMPUTER_TOOLS>).map((name) => computerTool(name, catalog)),
  ];
  const byName = new Map(
    tools.flatMap(
      (tool) =>
        [
          [tool.name, tool],
          [tool.name.replace(':', '_'), tool],
        ] as const,
    ),
  );
  return {
    tools,
    named(name) {
      const tool = byName.get(name);
      if (tool !== undefined) return tool;
      const suggestions = nearest(name, [...tools.map((each) => each.name), COMPUTER_USE]);
      throw new UiaHostError(
        'not_found',
        `There is no tool ${JSON.stringify(name.slice(0, 80))}${suggestions.length > 0 ? `; ${didYouMean(suggestions)}` : '.'}`,
        { suggestions },
      );
    },
  };
}

/**
 * A result as a tool's answer: output beyond 64 KiB goes to the spool, and pictures among other output become
 * references.
 */
export async function contentToSend(
  host: Pick<Host, 'spoolOutput'>,
  tool: Pick<Tool, 'action' | 'toContent'>,
  caller: Pick<Caller, 'session' | 'tokenId'>,
  result: ActionResult,
): Promise<ToolContent[]> {
  const isPictureItself = isRecord(result.value) && typeof result.value['base64'] === 'string';
  return host.spoolOutput(tool.toContent(result), {
    tool: tool.action,
    sessionId: caller.session,
    tokenId: caller.tokenId,
    actionId: result.actionId,
    keepImages: isPictureItself,
  });
}

/** Runs a tool; a failure becomes an answer too. */
export async function answerOf(
  host: Pick<Host, 'spoolOutput'>,
  tool: Tool,
  caller: Pick<Caller, 'session' | 'tokenId'>,
  run: () => Promise<ActionResult>,
): Promise<ToolAnswer> {
  try {
    return { content: await contentToSend(host, tool, caller, await run()), isError: false };
  } catch (thrown) {
    return errorContent(toUiaHostError(thrown).toProblem());
  }
}
