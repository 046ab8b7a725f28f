/** JSON schemas as clients see them: made from the actions’ zod schemas, with keywords in a fixed order. */
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/**
 * Keyword order of every published schema: the given tool's order, so that its parameters are reproduced byte for byte.
 */
const KEYWORDS = [
  '$schema',
  '$id',
  'title',
  'type',
  'const',
  'enum',
  'additionalProperties',
  'propertyNames',
  'properties',
  'anyOf',
  'oneOf',
  'items',
  'minItems',
  'maxItems',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'description',
  'required',
];
const rank = (keyword: string): number => (KEYWORDS.includes(keyword) ? KEYWORDS.indexOf(keyword) : KEYWORDS.length);

function ordered(schema: JsonSchema): JsonSchema {
  const inOrder = Object.keys(schema).sort((a, b) => rank(a) - rank(b));
  return Object.fromEntries(inOrder.map((keyword) => [keyword, orderedValue(keyword, schema[keyword])]));
}

function orderedValue(keyword: string, value: unknown): unknown {
  if (keyword === 'properties' || keyword === '$defs' || keyword === 'definitions') {
    return Object.fromEntries(
      Object.entries(value as Record<string, JsonSchema>).map(([name, each]) => [name, ordered(each)]),
    );
  }
  if (Array.isArray(value)) {
    return value.map((each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each) ? ordered(each as JsonSchema) : each,
    );
  }
  const isSchema = typeof value === 'object' && value !== null && keyword !== 'const' && keyword !== 'default';
  return isSchema ? ordered(value as JsonSchema) : value;
}

/** Meaningless keywords that zod adds: safe-integer limits, `propertyNames` of plain records. */
function withoutNoise(schema: JsonSchema): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  const names = schema['propertyNames'];
  if (typeof names === 'object' && names !== null && Object.keys(names).join() === 'type')
    delete schema['propertyNames'];
  const options = schema['anyOf'];
  if (
    Array.isArray(options) &&
    options.length > 1 &&
    options.every((each: JsonSchema) => 'const' in each && Object.keys(each).length === 2)
  ) {
    const [first] = options as JsonSchema[];
    if (first !== undefined && options.every((each: JsonSchema) => each['type'] === first['type'])) {
      delete schema['anyOf'];
      schema['type'] = first['type'];
      schema['enum'] = options.map((each: JsonSchema) => each['const']);
    }
  }
}

/** JSON Schema (draft 2020-12) of a zod schema, strict, in one order of keywords, without `$schema`. */
export function toJsonSchema(schema: z.ZodType, direction: 'input' | 'output' = 'input'): JsonSchema {
  const raw = z.toJSONSchema(schema, {
    io: direction,
    override: (context) => withoutNoise(context.jsonSchema as JsonSchema),
  }) as JsonSchema;
  const { $schema: _dialect, ...rest } = raw;
  // A copy without zod's own hidden markers.
  return ordered(JSON.parse(JSON.stringify(rest)) as JsonSchema);
}
