/**
 * Arguments as models write them, read by the schema: a list or object as JSON text, a number or boolean as text, an empty
 * string for what is left out, snake_case for camelCase. Only where the schema leaves no doubt; a value that may be a text is
 * never touched, so what is typed, written into cells or pressed stays exactly what was given.
 */
import { z } from 'zod';
import { attempt } from '../attempt.ts';
import { badInput } from '../errors.ts';
import { toJsonSchema, type JsonSchema } from './json-schema.ts';
import { MAX_DEPTH, parseStrictJson, StrictJsonError } from './strict-json.ts';

type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (value: unknown): Kind =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as Kind);

/** The schemas of which a value has to satisfy one; none where there is no choice. */
const optionsOf = ({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] =>
  [anyOf, oneOf].flatMap((options) => (Array.isArray(options) ? options.filter(isRecord) : []));

/** The kinds of value that a schema takes; null if it does not say. */
function kindsOf(schema: JsonSchema): ReadonlySet<Kind> | null {
  const { type, enum: values, const: only } = schema;
  const options = optionsOf(schema);
  if (options.length > 0) {
    const each = options.map(kindsOf);
    return each.includes(null) ? null : new Set(each.flatMap((kinds) => [...(kinds ?? [])]));
  }
  if (Array.isArray(values)) return new Set(values.map(kindOf));
  if (only !== undefined) return new Set([kindOf(only)]);
  if (typeof type === 'string' || Array.isArray(type))
    return new Set([type].flat().map((name) => (name === 'integer' ? 'number' : (name as Kind))));
  return null;
}

/** The value that a text means for a schema that takes no text; the text itself where that is in doubt. */
function readText(text: string, kinds: ReadonlySet<Kind>): unknown {
  const plain = text.trim();
  if (kinds.has('boolean') && /^(?:true|false)$/i.test(plain)) return plain.toLowerCase() === 'true';
  if (kinds.has('number') && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(plain)) return Number(plain);
  return (kinds.has('array') && plain.startsWith('[')) || (kinds.has('object') && plain.startsWith('{'))
    ? readJson(plain, text)
    : text;
}

/** By the rules of a body. Errors: invalid_argument for JSON that would not arrive as it is written. */
function readJson(plain: string, otherwise: string): unknown {
  try {
    return parseStrictJson(plain, { depth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    // Not JSON at all: the schema refuses it, and its error shows the form.
    if (!attempt(() => (JSON.parse(plain), true), false)) return otherwise;
    throw badInput(
      `A list or object is given as JSON text that is not valid: ${error.message} at line ${error.place.line}, column ${error.place.column}.`,
    );
  }
}

/** An empty string that the schema does not take means that a field was left out. */
function isAbsent(value: unknown, schema: JsonSchema): boolean {
  if (value !== '') return false;
  const kinds = kindsOf(schema);
  if (kinds === null) return false;
  const { minLength, enum: values, pattern } = schema;
  return (
    !kinds.has('string') ||
    (typeof minLength === 'number' && minLength > 0) ||
    (Array.isArray(values) && !values.includes('')) ||
    (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(''))
  );
}

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

function readObject(given: Record<string, unknown>, schema: JsonSchema): Record<string, unknown> {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const known = name in properties || !(camel(name) in properties) || camel(name) in given ? name : camel(name);
    const property = properties[known];
    if (!isRecord(property)) result[known] = value;
    else if (required.has(known) || !isAbsent(value, property)) result[known] = read(value, property);
  }
  return result;
}

/** Whether a value can be meant for a schema: its kind, its fixed values and its required fields tell. */
function canBeFor(value: unknown, schema: JsonSchema): boolean {
  const options = optionsOf(schema);
  if (options.length > 0) return options.some((option) => canBeFor(value, option));
  if (kindsOf(schema)?.has(kindOf(value)) === false) return false;
  if (!isRecord(value)) return true;
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  const properties = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  return (
    required.every((name) => name in value) &&
    properties.every(([name, property]) => {
      if (!(name in value) || !isRecord(property) || (!required.includes(name) && isAbsent(value[name], property)))
        return true;
      const { const: only, enum: values = only === undefined ? null : [only] } = property;
      return !Array.isArray(values) || values.includes(value[name]);
    })
  );
}

function read(value: unknown, schema: JsonSchema): unknown {
  const kinds = kindsOf(schema);
  const parsed = typeof value === 'string' && kinds !== null && !kinds.has('string') ? readText(value, kinds) : value;
  const options = optionsOf(schema);
  if (options.length > 0) {
    const [only, ...others] = options.filter((option) => canBeFor(parsed, option));
    return only !== undefined && others.length === 0 ? read(parsed, only) : parsed;
  }
  if (Array.isArray(parsed)) {
    const { items, prefixItems: places } = schema;
    if (Array.isArray(places)) return parsed.map((each, at) => (isRecord(places[at]) ? read(each, places[at]) : each));
    return isRecord(items) ? parsed.map((each) => read(each, items)) : parsed;
  }
  return isRecord(parsed) ? readObject(parsed, schema) : parsed;
}

/** Without properties that are null: several clients send null for each argument that was left out. Items of lists stay. */
const withoutNulls = (given: unknown): unknown =>
  Array.isArray(given)
    ? given.map(withoutNulls)
    : isRecord(given)
      ? Object.fromEntries(
          Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name, withoutNulls(value)]])),
        )
      : given;

/** The value as its writer most likely meant it; unchanged where the schema leaves a doubt, also where it is not valid. */
export const asMeant = (value: unknown, schema: JsonSchema): unknown => withoutNulls(read(withoutNulls(value), schema));

/** A schema that takes what models write for it. */
export const asModelsWrite = <S extends z.ZodType>(schema: S) =>
  z.preprocess((given) => asMeant(given, toJsonSchema(schema)), schema);
