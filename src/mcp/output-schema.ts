// The output schemas of listed tools: what a tool's structured content is, in few bytes.
import type { JsonSchema } from '../contract/json/json-schema.ts';

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values of an enumeration that are listed; a longer one is only its type. */
const MOST_VALUES = 4;

/**
 * An outline of a schema: the types of its properties, or of a list's items, and short enumerations, without descriptions and
 * what is further in. Whatever satisfies the schema satisfies its outline. All of tools/list is read into a model's context, so each byte counts.
 */
export function outlineOf(schema: JsonSchema, depth = 0): JsonSchema {
  if ('const' in schema) return { const: schema['const'] };
  if (Array.isArray(schema['enum']) && schema['enum'].length <= MOST_VALUES) return { enum: schema['enum'] };
  if (Array.isArray(schema['anyOf'])) return alternatives(schema['anyOf'].filter(isSchema), depth);
  const { type, properties, items, required } = schema;
  if (type === 'array' && isSchema(items)) {
    const { required: _required, ...item } = outlineOf(items, depth);
    return withDetail({ type }, 'items', item);
  }
  if (type === 'object' && isSchema(properties) && depth === 0)
    return {
      type,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, outlineOf(each as JsonSchema, depth + 1)]),
      ),
      ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
    };
  return type === undefined ? {} : { type };
}

/** One schema for several: their types, and what a single object or array among them has. */
function alternatives(options: readonly JsonSchema[], depth: number): JsonSchema {
  const outlines = options.map((option) => outlineOf(option, depth));
  const types = outlines.map(({ type }) => type);
  if (types.some((type) => typeof type !== 'string')) return {};
  const distinct = [...new Set(types)];
  const detailed = outlines.filter((outline) => Object.keys(outline).length > 1);
  const [only] = detailed;
  const isAlone = detailed.length === 1 && outlines.filter(({ type }) => type === only?.['type']).length === 1;
  return { ...(isAlone ? only : {}), type: distinct.length === 1 ? distinct[0] : distinct };
}

const withDetail = (schema: JsonSchema, name: string, detail: JsonSchema): JsonSchema =>
  Object.keys(detail).length === 0 ? schema : { ...schema, [name]: detail };

export type OutputSchema = JsonSchema & { readonly type: 'object' };

/**
 * The structured content of a tool that runs an action: its result, whose `value` is the action's. An answer without a value (a
 * call that waits or runs, a truncated answer, a problem) satisfies it too: some clients check those as well.
 */
export const outputSchemaOf = (value: JsonSchema): OutputSchema => ({
  type: 'object',
  properties: { value: outlineOf(value) },
});
