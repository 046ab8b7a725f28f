/**
 * Inputs that a schema refuses, made from the schema itself: each is a valid input with one thing wrong. An argument that
 * is absent, of every wrong kind, just out of range, or unknown; in nested objects and list items too.
 */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface BadInput {
  /** Says what is wrong: `x: a text for a number`. */
  readonly what: string;
  readonly input: unknown;
}

type Json = Record<string, unknown>;

/** Text that fits the patterns of our schemas. */
const FITTING: ReadonlyArray<readonly [part: string, text: string]> = [
  ['obs_', 'obs_abc'],
  ['^e[1-9]', 'e1'],
  ['uiahost:', 'uiahost:name'],
  ['0x', '4711'],
  ['[0-9]', '1'],
];

/** The smallest value that the schema accepts. */
function sample(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return sample(schema.anyOf[0]!);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((key) => [key, sample(schema.properties?.[key] ?? {})]));
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}));
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1);
    case 'boolean':
      return true;
    case 'string': {
      const { pattern } = schema;
      if (pattern !== undefined) return FITTING.find(([part]) => pattern.includes(part))?.[1] ?? 'a';
      return 'a'.repeat(Math.max(1, schema.minLength ?? 0));
    }
    default:
      return 'a';
  }
}

const KINDS: ReadonlyArray<readonly [name: string, type: string, value: unknown]> = [
  ['null', 'null', null],
  ['a truth value', 'boolean', true],
  ['a number', 'number', 7.5],
  ['a fraction', 'fraction', 1.5],
  ['a text', 'string', 'seven'],
  ['a list', 'array', []],
  ['an object', 'object', {}],
];

const typesOf = (schema: Schema): string[] =>
  schema.anyOf?.flatMap(typesOf) ?? (schema.type === undefined ? [] : [schema.type]);

function takes(schema: Schema, type: string): boolean {
  const types = typesOf(schema);
  if (types.length === 0) return true;
  if (type === 'number') return types.includes('number') || types.includes('integer');
  return type === 'fraction' ? types.includes('number') : types.includes(type);
}

/** A wrong value in one place. */
function wrongValues(schema: Schema): Array<readonly [what: string, value: unknown]> {
  const wrong: Array<readonly [string, unknown]> = KINDS.filter(([, type]) => !takes(schema, type)).map(
    ([name, , value]) => [name, value],
  );
  if (schema.enum !== undefined)
    return [...wrong, ['an unknown choice', typeof schema.enum[0] === 'number' ? 4711 : 'none of them']];
  if (schema.minimum !== undefined) wrong.push(['less than the least', schema.minimum - 1]);
  if (schema.exclusiveMinimum !== undefined)
    wrong.push(['the least itself, which is left out', schema.exclusiveMinimum]);
  if (schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER)
    wrong.push(['more than the most', schema.maximum + 1]);
  if ((schema.minLength ?? 0) > 0) wrong.push(['a text too short', 'a'.repeat(schema.minLength! - 1)]);
  if (schema.maxLength !== undefined) wrong.push(['a text too long', 'a'.repeat(schema.maxLength + 1)]);
  if (schema.pattern !== undefined) wrong.push(['a text of another form', '\u0001 no such form']);
  if ((schema.minItems ?? 0) > 0) wrong.push(['a list too short', []]);
  if (schema.maxItems !== undefined)
    wrong.push(['a list too long', Array.from({ length: schema.maxItems + 1 }, () => sample(schema.items ?? {}))]);
  return wrong;
}

function* within(schema: Schema, value: unknown, path: string): Generator<BadInput> {
  if (schema.type === 'object' && schema.properties !== undefined) {
    const object = value as Json;
    if (schema.additionalProperties === false) {
      for (const key of ['forse', ''])
        yield { what: `${path}: an unknown key “${key}”`, input: { ...object, [key]: 1 } };
    }
    for (const key of schema.required ?? []) {
      const { [key]: _left, ...rest } = object;
      yield { what: `${path}${path === '' ? '' : '.'}${key}: absent`, input: rest };
    }
    for (const [key, inner] of Object.entries(schema.properties)) {
      const at = `${path}${path === '' ? '' : '.'}${key}`;
      for (const [what, wrong] of wrongValues(inner))
        yield { what: `${at}: ${what}`, input: { ...object, [key]: wrong } };
      for (const deeper of within(inner, object[key] ?? sample(inner), at))
        yield { what: deeper.what, input: { ...object, [key]: deeper.input } };
    }
  } else if (schema.type === 'array' && schema.items !== undefined) {
    const item = sample(schema.items);
    for (const [what, wrong] of wrongValues(schema.items)) yield { what: `${path}[]: ${what}`, input: [wrong] };
    for (const deeper of within(schema.items, item, `${path}[]`)) yield { what: deeper.what, input: [deeper.input] };
  }
}

/**
 * @param schema of the whole input @param valid an input that satisfies it and the rules between its fields
 */
export function badInputs(schema: Schema, valid: Json): BadInput[] {
  const whole: BadInput[] = [
    ['null', null],
    ['a list', []],
    ['a text', 'text'],
    ['a number', 7],
  ].map(([what, input]) => ({ what: `the whole input: ${String(what)}`, input }));
  return [...whole, ...within(schema, valid, '')];
}
