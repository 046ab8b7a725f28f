/** Actions as tools, for MCP and the adapters. */
import { didYouMean, nearest } from '../../contract/json/near.ts';
import { z } from 'zod';
import type { ToolHints } from '../../contract/gate/views.ts';
import type { ToolContent } from '../../contract/artifact.ts';
import { COMPUTER_DESCRIPTIONS, COMPUTER_INPUTS, COMPUTER_USE } from '../../contract/computer-use-tool.ts';
import { badInput, type Problem, toUiaHostError, UiaHostError } from '../../contract/errors.ts';
import { asMeant } from '../../contract/json/as-meant.ts';
import { parseOrRefuse } from '../../contract/json/issues.ts';
import { toJsonSchema, type JsonSchema } from '../../contract/json/json-schema.ts';
import { hasActed, triedOf, type ActionResult, toldDetails } from '../../contract/outcome.ts';
import { ANY_APP } from '../../contract/gate/app-match.ts';
import { REQUEST_UI_ACTION } from '../../contract/gate/traits.ts';
import { jsonText } from '../../contract/json/quoted.ts';
import { rangeTable } from '../../contract/cells/cell-text.ts';
import { RangeRead } from '../../contract/cells/sheet.ts';
import type { Caller } from './caller.ts';
import { isObservable, Observe } from './changes.ts';
import { toolWords } from './catalog.ts';
import { takeSession, withSessionField } from './computer-use-tool.ts';
import type { Catalog, CatalogEntry, Host } from './host.ts';

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
    action: entry.name,
    takesSession: !isGiven(entry),
    takesObserve: !isGiven(entry) && isObservable(entry),
    // The gate judges the input itself. A picture comes without text, which a model asks for where it needs it.
    toInput: (given) =>
      entry.method === 'screenshot' && isRecord(given) && !('text' in given) ? { ...given, text: false } : given,
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

/** A problem as tools report it: its code, what happened, and what to try, with the names of tools. */
export function problemForTools(problem: Problem): Partial<Problem> {
  const { type: _type, title: _title, status: _status, retryable: _, actionId: _id, delivery, hint, ...told } = problem;
  return { ...told, ...(delivery === 'not_delivered' ? {} : { delivery }), hint: toolWords(hint) };
}

/** What of an outcome a model has to know: the effect, and whatever did not go as it was asked. */
function effectForTools(result: ActionResult): Record<string, unknown> {
  const { outcome, decision } = result;
  const isSure = outcome.effect === 'confirmed' || !hasActed(outcome);
  const tried = triedOf(outcome);
  const details = toldDetails(outcome);
  return {
    ...(hasActed(outcome) ? { effect: outcome.effect } : {}),
    ...(isSure ? {} : { delivery: outcome.delivery }),
    ...(isSure || outcome.evidence.length === 0 ? {} : { evidence: outcome.evidence }),
    ...(isSure || tried.length === 0 ? {} : { tried }),
    ...(outcome.readBack === undefined || outcome.readBack === 'verified' ? {} : { readBack: outcome.readBack }),
    ...(outcome.focusChanged ? { focusChanged: true } : {}),
    ...(outcome.cursorMoved ? { cursorMoved: true } : {}),
    ...(details.length === 0 ? {} : { details: Object.fromEntries(details) }),
    ...(decision.approvalId === null ? {} : { approvalId: decision.approvalId }),
  };
}

/** A result as tools report it: {@link forTools}. */
interface ToolResult {
  readonly value: unknown;
  readonly [fact: string]: unknown;
}

/**
 * The result as tools report it: its value, what a model has to know of its outcome, and what changed. The whole outcome is in
 * the action's record (HTTP, the typed clients and the executor answer it). Hints have the names of tools; the bytes of pictures
 * are sent as separate parts.
 */
function forTools(result: ActionResult): ToolResult {
  const { changes } = result;
  return {
    value: valueForTools(result.value),
    ...effectForTools(result),
    ...(changes === undefined || (changes.lines.length === 0 && changes.complete)
      ? {}
      : {
          changes: {
            lines: changes.lines,
            ...(changes.complete ? {} : { complete: false }),
            untrusted: true,
          },
        }),
  };
}

function valueForTools(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { base64: _bytes, ...rest } = value;
  const steps = stepsOf(value);
  const { failed } = value;
  const hasProblem = isRecord(failed) && isRecord(failed['error']) && typeof failed['error']['hint'] === 'string';
  return {
    ...rest,
    ...(steps.length === 0 ? {} : { completed: steps.map((each) => ({ action: each.action, ...forTools(each) })) }),
    ...(hasProblem ? { failed: { ...failed, error: problemForTools(failed['error'] as unknown as Problem) } } : {}),
  };
}

/** The picture of a result; empty if it has none. */
function pictureOf({ value }: ActionResult): ToolContent[] {
  if (!isRecord(value) || typeof value['base64'] !== 'string' || value['base64'] === '') return [];
  const mimeType = typeof value['mimeType'] === 'string' ? value['mimeType'] : 'image/png';
  return [{ type: 'image', data: value['base64'], mimeType }];
}

/** The pictures that a result and its steps show, and where each is kept. */
export const keptPictures = (
  result: ActionResult,
): ReadonlyArray<{ readonly uri: string; readonly name: string; readonly mimeType: string }> =>
  [result, ...stepsOf(result.value)].flatMap((each) => {
    const { value, action, actionId } = each;
    if (pictureOf(each).length === 0 || !isRecord(value) || typeof value['artifact'] !== 'string') return [];
    const mimeType = typeof value['mimeType'] === 'string' ? value['mimeType'] : 'image/png';
    return [{ uri: value['artifact'], name: `${action} of action ${actionId}`, mimeType }];
  });

/** The part of a result that is text for a model rather than JSON: an accessibility text, a range as a table. */
function textOf(value: unknown): { readonly text: string; readonly rest: Record<string, unknown> } | null {
  if (!isRecord(value)) return null;
  if (typeof value['accessibilityText'] === 'string') {
    const { accessibilityText, ...rest } = value;
    return { text: accessibilityText || '(nothing to show)', rest };
  }
  const table = TableShown.safeParse(value);
  if (table.success) {
    const { columns: _columns, rows: _rows, ...rest } = value;
    const { text, ...refs } = tableText(table.data);
    return { text, rest: { ...rest, ...refs } };
  }
  const { untrusted: _mark, ...range } = value;
  const read = RangeRead.safeParse(range);
  if (!read.success) return null;
  const { values: _values, formulas: _formulas, ...rest } = value;
  return { text: rangeTable(read.data), rest };
}

/** Levels of a tree that its rows’ indentation shows. */
const MOST_INDENTED = 50;

/** A table that was read, as far as its text shows it. */
const TableShown = z.object({
  columns: z.array(z.string()),
  rows: z.array(
    z.object({
      index: z.int(),
      ref: z.string().optional(),
      cells: z.array(z.string().nullable()),
      selected: z.boolean().optional(),
      depth: z.int().optional(),
    }),
  ),
});

/** A cell as it is where nothing in it can be mistaken for the end of a cell or row, else as a JSON string. */
const cellText = (cell: string | null): string =>
  cell === null ? '(unread)' : /[\p{Cc}"\u2028\u2029]/u.test(cell) ? jsonText(cell) : cell;

/** Rows until a ref is shown again although it is the next one: a model counts no farther. */
const MOST_UNSHOWN = 10;
const NEXT_REFS = 'where a row shows none, one more than the row above';

/** A ref where it is not one more than that of the row above; null shows none. Where a row has none, every ref is shown. */
function shownRefs(refs: ReadonlyArray<string | undefined>): Array<string | null> {
  const numbers = refs.map((ref) => Number(ref?.slice(1)));
  const isWhole = numbers.every((number) => !Number.isNaN(number));
  let unshown = 0;
  return refs.map((ref, at) => {
    const isNext = isWhole && at > 0 && numbers[at] === numbers[at - 1]! + 1 && unshown < MOST_UNSHOWN - 1;
    unshown = isNext ? unshown + 1 : 0;
    return isNext ? null : (ref ?? null);
  });
}

/**
 * A line a row: its index where it does not follow the one before, the ref where it is not the next one, the cells with tabs
 * between them, then `selected` in brackets. Rows of a tree are indented.
 */
function tableText({ columns, rows }: z.output<typeof TableShown>): { readonly text: string; readonly refs?: string } {
  const refs = shownRefs(rows.map(({ ref }) => ref));
  const lines = rows.map(({ index, cells, selected, depth = 0 }, row) => {
    const at = index === (rows[row - 1]?.index ?? -2) + 1 ? '' : `#${index} `;
    const own = `${'  '.repeat(Math.min(Math.max(depth, 0), MOST_INDENTED))}${cells.map(cellText).join('\t')}${selected === true ? ' [selected]' : ''}`;
    return `${at}${refs[row] === null ? '' : `${refs[row]}\t`}${own}`;
  });
  const isShort = rows.some(({ ref }, row) => ref !== undefined && refs[row] === null);
  return { text: [columns.map(cellText).join('\t'), ...lines].join('\n'), ...(isShort ? { refs: NEXT_REFS } : {}) };
}

/** A text of this many characters may be cut. */
const LONG_TEXT = 30_000;

/**
 * The picture, then an accessibility text or a table unescaped (in JSON it would cost a model more tokens and be harder to read),
 * then the result as JSON: some clients show their model the first text alone.
 */
export function contentOf(result: ActionResult): ToolContent[] {
  const bare = forTools(result);
  const parts = [...pictureOf(result), ...stepsOf(result.value).flatMap(pictureOf)];
  const text = textOf(bare.value);
  if (text === null) return [...parts, { type: 'text', text: jsonText(bare) }];
  const both: ToolContent[] = [
    { type: 'text', text: text.text },
    { type: 'text', text: jsonText({ ...bare, value: text.rest }) },
  ];
  // What is cut is cut at its end, and the ids must stay.
  return [...parts, ...(text.text.length > LONG_TEXT ? both.reverse() : both)];
}

/** A problem as a tool's answer. */
export function errorContent(problem: Problem): ToolAnswer {
  return { content: [{ type: 'text', text: jsonText(problemForTools(problem)) }], isError: true };
}

type ComputerTool = keyof typeof COMPUTER_INPUTS;

/** The tools of the safety document, over our actions: what each action takes for it. */
const COMPUTER_ACTIONS: {
  readonly [N in ComputerTool]: {
    readonly action: string;
    readonly toInput: (given: z.output<(typeof COMPUTER_INPUTS)[N]>) => unknown;
  };
} = {
  // A picture of a display shows what the session was granted.
  screenshot: { action: 'screenshot', toInput: (given) => ({ ...given, text: false, allowedBundleIds: [ANY_APP] }) },
  pointer_move: { action: 'move-mouse', toInput: (given) => given },
  click: {
    action: 'click',
    toInput: ({ clickCount, ...rest }) => ({ ...rest, ...(clickCount === undefined ? {} : { count: clickCount }) }),
  },
  keypress: {
    action: 'key',
    toInput: ({ key, modifiers, repeat }) => ({
      keySequence: keySequenceOf(key, modifiers),
      ...(repeat === undefined ? {} : { repeat }),
    }),
  },
  type: { action: 'type', toInput: (given) => given },
};

/** The sequence that our actions take for one key with modifiers. Errors: invalid_argument for several keys. */
export function keySequenceOf(key: string, modifiers: readonly string[] | undefined): string {
  return [...(modifiers ?? []).map(keyName), keyName(key)].join('+');
}

/** One key for an action that takes sequences, in which the two separators have names. */
function keyName(key: string): string {
  if (key === '+') return 'plus';
  if (key === ' ') return 'space';
  if (/\s/.test(key)) throw badInput('key: expected one key, got several; use computer:type for text.');
  return key;
}

function computerTool(own: ComputerTool, catalog: Catalog): Tool {
  const name = `computer:${own}`;
  const { action, toInput } = COMPUTER_ACTIONS[own];
  const input: z.ZodObject = COMPUTER_INPUTS[own];
  const entry = catalog.find(action);
  if (entry === undefined) throw new Error(`the tool ${name} needs the action ${action}, which is missing`);
  let inputSchema: JsonSchema | undefined;
  return {
    name,
    description: COMPUTER_DESCRIPTIONS[own],
    cap: 'computer',
    hints: entry.hints,
    input,
    get inputSchema() {
      return (inputSchema ??= withSessionField(toJsonSchema(input)));
    },
    action,
    takesSession: true,
    takesObserve: false,
    toInput(given) {
      const { window, ...own } = isRecord(given) ? given : { window: undefined };
      const made = (toInput as (parsed: unknown) => object)(parseOrRefuse(input, window === undefined ? given : own));
      return window === undefined ? made : { ...made, window };
    },
    toContent: (result) =>
      own === 'screenshot' ? contentOf(result).filter((part) => part.type === 'image') : contentOf(result),
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
export function callOf(tool: Tool, arguments_: unknown): ToolCall {
  const given = asMeant(arguments_ ?? {}, tool.inputSchema);
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
    ...(Object.keys(COMPUTER_INPUTS) as ComputerTool[]).map((tool) => computerTool(tool, catalog)),
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

/** A result as a tool's answer: output beyond 64 KiB goes to the spool, and pictures among other output become references. */
export const contentToSend = (
  host: Pick<Host, 'spoolOutput'>,
  tool: Pick<Tool, 'action' | 'toContent'>,
  caller: Pick<Caller, 'session' | 'tokenId'>,
  result: ActionResult,
): Promise<ToolContent[]> =>
  host.spoolOutput(tool.toContent(result), {
    tool: tool.action,
    sessionId: caller.session,
    tokenId: caller.tokenId,
    actionId: result.actionId,
    keepImages: isRecord(result.value) && typeof result.value['base64'] === 'string',
  });

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
