/**
 * Schemas in the form that OpenAI's strict mode enforces: every object is closed, every property required, and only some
 * keywords are known. Source: platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
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
