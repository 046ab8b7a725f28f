/** Values that satisfy a JSON Schema, for generated tests: of the keywords that our schemas use. */
import * as fc from 'fast-check';

export type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const JSON_VALUE = fc.oneof(
  fc.constantFrom(null, true, 0, ''),
  fc.string({ maxLength: 10 }),
  fc.record({ key: fc.integer() }, { requiredKeys: [] }),
);

/** `resolve` finds what a `$ref` names; references of a schema to itself end at a depth. */
export function arbitraryOf(
  schema: Schema,
  resolve: (ref: string) => Schema = () => ({}),
  depth = 0,
): fc.Arbitrary<unknown> {
  const of = (each: unknown): fc.Arbitrary<unknown> =>
    isSchema(each) && depth < 12 ? arbitraryOf(each, resolve, depth + 1) : JSON_VALUE;
  const number = (keyword: string): number | undefined =>
    typeof schema[keyword] === 'number' ? schema[keyword] : undefined;
  if (typeof schema['$ref'] === 'string') return of(resolve(schema['$ref']));
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const options = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(options)) return fc.oneof(...options.map(of));
  const { type } = schema;
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => of({ ...schema, type: each as string })));
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number': {
      const min = number('minimum') ?? above(number('exclusiveMinimum')) ?? -1e6;
      const max = number('maximum') ?? below(number('exclusiveMaximum')) ?? Math.max(1e6, min + 1);
      return type === 'integer'
        ? fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
        : fc.double({ min, max, noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value));
    }
    case 'string':
      return text(schema);
    case 'array': {
      const minLength = number('minItems') ?? 0;
      const maxLength = Math.min(number('maxItems') ?? minLength + 3, minLength + 3);
      const items = of(schema['items']);
      return schema['uniqueItems'] === true
        ? fc.uniqueArray(items, { minLength, maxLength })
        : fc.array(items, { minLength, maxLength });
    }
    case 'object':
      return object(schema, of);
    default:
      return JSON_VALUE;
  }
}

const above = (limit: number | undefined): number | undefined => (limit === undefined ? undefined : limit + 1);
const below = (limit: number | undefined): number | undefined => (limit === undefined ? undefined : limit - 1);

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uri: fc.webUrl(),
  uuid: fc.uuid(),
  'date-time': fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((at) => at.toISOString()),
};

function text({ pattern, format, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  const min = typeof minLength === 'number' ? minLength : 0;
  const max = typeof maxLength === 'number' ? maxLength : Math.max(min, 40);
  if (typeof format === 'string' && FORMATS[format] !== undefined) return FORMATS[format];
  if (typeof pattern === 'string') {
    try {
      // Only where the schema has a limit: a pattern may demand more than what is usual here.
      const most = typeof maxLength === 'number' ? maxLength : Infinity;
      return fc.stringMatching(new RegExp(pattern, 'u')).filter(({ length }) => length >= min && length <= most);
    } catch {
      // A pattern with look-ahead, which fast-check cannot follow: most values will be refused.
    }
  }
  return fc
    .string({ unit: 'grapheme', minLength: min, maxLength: Math.min(max, min + 40) })
    .filter(({ length }) => length <= max);
}

function object(schema: Schema, of: (each: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  const known = fc.record(Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, of(each)])), {
    requiredKeys: required.filter((name) => name in properties),
  });
  const { additionalProperties: further } = schema;
  if (!isSchema(further)) return known;
  return fc
    .tuple(known, fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), of(further), { maxKeys: 2 }))
    .map(([own, more]) => ({ ...more, ...own }));
}
