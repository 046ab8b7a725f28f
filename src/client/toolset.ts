/** The host's actions as plain function tools, for any model that calls functions: see `GET /v1/tools`. */
import type { Routes } from './api.generated.ts';
import type { UiaHostClient } from './client.ts';

type Row = Awaited<ReturnType<Routes['listTools']>>['tools'][number];
type Answer = Awaited<ReturnType<Routes['callTool']>>;
type Part = Answer['content'][number];
type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';

export interface ToolsetOptions {
  /** Names of the tools that the model gets; default: all. A model chooses better among few. */
  readonly names?: readonly string[] | undefined;
  /** Which session's bound window; default: the client's. */
  readonly session?: string | undefined;
}

export interface ToolsetTool extends Row {
  call(input: unknown, options?: { readonly signal?: AbortSignal | null | undefined }): Promise<Answer>;
}

/** A part without a text or picture of its own names what it points to. */
const textOf = (part: Part): string => (part.type === 'text' ? part.text : part.type === 'image' ? '' : part.uri);

/** Vendors take letters, digits, _ and - in a tool's name, as MCP does. */
const plainName = (name: string): string => name.replaceAll(':', '_');

/**
 *     const tools = await Toolset.open(host, { names: ['bind_to_window', 'snapshot', 'click_element'] });
 *     anthropic.beta.messages.toolRunner({ tools: tools.anthropic(), … });
 *     new ResponsesToolRunner({ functions: tools.openai() });
 */
export class Toolset {
  /** The tools with their input schemas, and how to call each. */
  readonly tools: readonly ToolsetTool[];

  constructor(host: UiaHostClient, rows: readonly Row[], { session }: ToolsetOptions = {}) {
    this.tools = rows.map((row) => ({
      ...row,
      name: plainName(row.name),
      call: (input, { signal } = {}) => host.callTool(row.name, input, { session, signal: signal ?? undefined }),
    }));
  }

  /** Errors: a name that the host does not have. */
  static async open(host: UiaHostClient, options: ToolsetOptions = {}): Promise<Toolset> {
    const { tools } = await host.listTools();
    const { names = tools.map(({ name }) => name) } = options;
    const chosen = names.map((name) => {
      const row = tools.find((each) => each.name === name || plainName(each.name) === name);
      if (row === undefined) throw new TypeError(`The host has no tool ${JSON.stringify(name)}.`);
      return row;
    });
    return new Toolset(host, chosen, options);
  }

  /** Entries for `tools` of the Anthropic SDK's tool runner. A refusal is an error result. */
  anthropic() {
    return this.tools.map(({ name, description, inputSchema, call }) => ({
      name,
      description,
      input_schema: inputSchema as { type: 'object'; [key: string]: unknown },
      parse: (input: unknown): unknown => input,
      async run(input: unknown, context?: { readonly signal?: AbortSignal | null | undefined }) {
        const { content, isError } = await call(input, { signal: context?.signal });
        if (isError) throw new Error(content.map(textOf).join('\n'));
        return content.map((part) =>
          part.type === 'image'
            ? {
                type: 'image' as const,
                source: { type: 'base64' as const, media_type: part.mimeType as ImageType, data: part.data },
              }
            : { type: 'text' as const, text: textOf(part) },
        );
      },
    }));
  }

  /**
   * `functions` of the OpenAI SDK's `ResponsesToolRunner`. A refusal is the output's text. A schema that satisfies strict mode
   * as it is (request_ui_action's) is sent so, and OpenAI then enforces it; with `strict` also a schema that can be put in that
   * form, in which the model sends null for what it leaves out.
   */
  openai({ strict = false }: { readonly strict?: boolean } = {}) {
    return this.tools.map(({ name, description, inputSchema, call }) => ({
      tool: { type: 'function' as const, name, description, ...strictly(inputSchema, strict) },
      async execute(input: Record<string, unknown>, options?: { readonly signal: AbortSignal | undefined }) {
        const { content } = await call(input, { signal: options?.signal });
        return content.map((part) =>
          part.type === 'image'
            ? {
                type: 'input_image' as const,
                detail: 'auto' as const,
                image_url: `data:${part.mimeType};base64,${part.data}`,
              }
            : { type: 'input_text' as const, text: textOf(part) },
        );
      },
    }));
  }
}

// Schemas in the form that OpenAI's strict mode enforces: every object is closed, every property required, and only some
// keywords are known. Source: platform.openai.com/docs/guides/structured-outputs#supported-schemas
type Schema = Readonly<Record<string, unknown>>;

const KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'description',
  'enum',
  'const',
  'anyOf',
  'items',
  'properties',
  'required',
  'additionalProperties',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
]);

/** Keywords that only narrow further: the host checks them anyway. */
const DROPPED: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'format', 'default', 'title', '$schema']);

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same values, and null. */
function orNull(schema: Schema): Schema {
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...(anyOf as unknown[]), { type: 'null' }] };
  return {
    ...schema,
    type: [...(Array.isArray(type) ? (type as unknown[]) : [type]), 'null'],
    ...(Array.isArray(schema['enum']) ? { enum: [...(schema['enum'] as unknown[]), null] } : {}),
  };
}

/** Null where strict mode has no form for it: an object with any keys, a list of anything, another keyword. */
function strictForm(schema: Schema): Schema | null {
  const kept = Object.entries(schema).filter(([name]) => !DROPPED.has(name));
  if (kept.some(([name]) => !KEYWORDS.has(name))) return null;
  const form: Record<string, unknown> = Object.fromEntries(kept);
  if (Array.isArray(schema['anyOf'])) {
    const options = schema['anyOf'].map((each: unknown) => (isSchema(each) ? strictForm(each) : null));
    if (options.includes(null)) return null;
    form['anyOf'] = options;
  } else if (schema['type'] === undefined && schema['const'] === undefined) {
    const values = schema['enum'];
    if (!Array.isArray(values) || values.some((value) => typeof value !== 'string')) return null;
    form['type'] = 'string';
  }
  if (schema['type'] === 'array') {
    const items = isSchema(schema['items']) ? strictForm(schema['items']) : null;
    if (items === null) return null;
    form['items'] = items;
  }
  if (schema['type'] !== 'object') return form;
  if (schema['additionalProperties'] !== false || !isSchema(schema['properties'])) return null;
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  const properties: Record<string, Schema> = {};
  for (const [name, given] of Object.entries(schema['properties'])) {
    const property = isSchema(given) ? strictForm(given) : null;
    if (property === null) return null;
    properties[name] = required.has(name) ? property : orNull(property);
  }
  return { ...form, properties, required: Object.keys(properties) };
}

/**
 * `parameters` and `strict` of a function tool: strict where the schema has the form already, or can be put in it and
 * `isWanted`.
 */
export function strictly(
  schema: Schema,
  isWanted: boolean,
): { readonly parameters: Record<string, unknown>; readonly strict: boolean } {
  const form = strictForm(schema);
  if (form !== null && JSON.stringify(form) === JSON.stringify(schema))
    return { parameters: { ...schema }, strict: true };
  return form !== null && isWanted
    ? { parameters: { ...form }, strict: true }
    : { parameters: { ...schema }, strict: false };
}
