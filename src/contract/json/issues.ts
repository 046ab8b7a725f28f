/** Turns the issues of an input’s check into one readable invalid_argument error. */
import { z } from 'zod';
import { attempt } from '../attempt.ts';
import { badInput, UiaHostError } from '../errors.ts';
import { didYouMean, nearest } from './near.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Maximum number of issues in one error; more would bury the first. */
const MAX_ISSUES = 5;

const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );

function valueAt(input: unknown, path: Path): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

const counted = (amount: unknown, one: string, others = `${one}s`): string =>
  `${String(amount)} ${amount === 1 ? one : others}`;

/** What was given, without repeating a text: it may be a secret. */
function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'string')
    return value === '' ? 'an empty text' : `a text of ${counted(value.length, 'character')}`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? 'an object' : typeof value;
}

/** If the value must be one of a list of names, the wrong one is shown: it is a keyword, not content. */
function describeChoice(value: unknown): string {
  return typeof value === 'string' && value.length <= 40 ? JSON.stringify(value) : describeValue(value);
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a finite number',
  string: 'a text',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  record: 'an object',
};
const typeName = (expected: string): string => TYPE_NAMES[expected] ?? expected;

/** Where quotation marks alone make a value one of another kind: what to write. */
function quotesFor(value: unknown, expected: string): string {
  if (expected === 'string')
    return typeof value === 'number' || typeof value === 'boolean' ? '; write it in quotes' : '';
  if (typeof value !== 'string') return '';
  const wanted = { int: 'number', record: 'object' }[expected] ?? expected;
  return kindInText(value) === wanted ? '; write it without quotes' : '';
}

/** The kind of value that a text is as JSON; null if it is none. */
function kindInText(text: string): string | null {
  const value = attempt<unknown, undefined>(() => JSON.parse(text), undefined);
  return value === undefined ? null : Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
}

const choices = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ');

function bound(
  issue: { origin?: string | undefined },
  amount: unknown,
  word: 'at least' | 'at most' | 'more than' | 'less than',
): string {
  if (issue.origin === 'string') return `a text of ${word} ${counted(amount, 'character')}`;
  if (issue.origin === 'array') return `${word} ${counted(amount, 'entry', 'entries')}`;
  return `${word} ${String(amount)}`;
}

interface Told {
  readonly text: string;
  readonly suggestions: string[];
}

function tell(issue: Issue, input: unknown, schema: z.ZodType | undefined, base: Path): Told {
  const path = [...base, ...issue.path];
  const where = pathText(path);
  const value = valueAt(input, path);
  const say = (expected: string, came = describeValue(value)): Told => ({
    text: `${where === '' ? 'the input' : where}: expected ${expected}, got ${came}`,
    suggestions: [],
  });
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = keysAt(schema, path);
      const suggestions = issue.keys.flatMap((key) => nearest(key, known, 2));
      const names = issue.keys.map((key) => JSON.stringify(key.slice(0, 60))).join(', ');
      const hint =
        suggestions.length > 0
          ? `; ${didYouMean(suggestions)}`
          : known.length > 0
            ? `; known: ${known.join(', ')}`
            : '; it takes no keys';
      return {
        text: `${where === '' ? 'the input' : where}: unknown ${issue.keys.length === 1 ? 'key' : 'keys'} ${names}${hint}`,
        suggestions,
      };
    }
    case 'invalid_type':
      return value === undefined
        ? { text: `${where === '' ? 'the input' : where}: ${typeName(issue.expected)} is required`, suggestions: [] }
        : say(typeName(issue.expected), `${describeValue(value)}${quotesFor(value, issue.expected)}`);
    case 'invalid_value': {
      if (value === undefined)
        return { text: `${where}: one of ${choices(issue.values)} is required`, suggestions: [] };
      const near =
        typeof value === 'string'
          ? nearest(
              value,
              issue.values.filter((each): each is string => typeof each === 'string'),
              2,
            )
          : [];
      return {
        ...say(
          issue.values.length === 1 ? choices(issue.values) : `one of ${choices(issue.values)}`,
          describeChoice(value),
        ),
        suggestions: near,
      };
    }
    case 'too_small':
      return say(bound(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least'));
    case 'too_big':
      return say(bound(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most'));
    case 'invalid_format':
      return {
        text: `${where}: ${issue.message.startsWith('Invalid') ? `expected ${issue.format}${issue.pattern === undefined ? '' : ` ${issue.pattern}`}` : issue.message}`,
        suggestions: [],
      };
    case 'invalid_union':
      return tellUnion(issue, input, schema, path, say);
    case 'custom':
      return { text: where === '' ? issue.message : `${where}: ${issue.message}`, suggestions: [] };
    default:
      return { text: `${where === '' ? 'the input' : where}: ${issue.message}`, suggestions: [] };
  }
}

/** For a choice between shapes, the closest one is reported. */
function tellUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  input: unknown,
  schema: z.ZodType | undefined,
  path: Path,
  say: (expected: string) => Told,
): Told {
  const literals = issue.errors.flatMap((branch) =>
    branch.flatMap((each) => (each.code === 'invalid_value' && each.path.length === 0 ? each.values : [])),
  );
  if (literals.length > 0 && literals.length >= issue.errors.length) return say(`one of ${choices(literals)}`);
  const closest = [...issue.errors].sort((a, b) => branchCost(a) - branchCost(b))[0] ?? [];
  if (closest.length > 0 && closest.every(isOtherKind)) {
    const kinds = issue.errors
      .flat()
      .flatMap((each) => (each.code === 'invalid_type' ? [typeName(each.expected)] : []));
    return say([...new Set(kinds)].join(' or '));
  }
  // A misspelt key explains why the right one is missing.
  const first = closest.find(({ code }) => code === 'unrecognized_keys') ?? closest[0];
  return first === undefined ? say('another shape') : tell(first, input, schema, path);
}

/** The value itself is of another kind, such as an object instead of a text. */
const isOtherKind = ({ code, path }: Issue): boolean => code === 'invalid_type' && path.length === 0;

/** A wrong discriminator, or a value of another kind, means: not this branch. */
function branchCost(branch: readonly Issue[]): number {
  const costOf = (each: Issue): number =>
    each.code === 'invalid_value' && each.values.length === 1
      ? 100
      : isOtherKind(each)
        ? 50
        : each.code === 'unrecognized_keys'
          ? 2
          : 1;
  return branch.reduce((cost, each) => cost + costOf(each), 0);
}

function unwrap(schema: z.ZodType | undefined): z.ZodType | undefined {
  let inner = schema;
  for (;;) {
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault)
      inner = inner.unwrap() as z.ZodType;
    else if (inner instanceof z.ZodPipe) inner = inner.out as z.ZodType;
    else return inner;
  }
}

function schemaAt(schema: z.ZodType | undefined, path: Path): z.ZodType | undefined {
  let inner = unwrap(schema);
  for (const part of path) {
    if (inner instanceof z.ZodObject) inner = unwrap((inner.shape as Record<string, z.ZodType>)[String(part)]);
    else if (inner instanceof z.ZodArray) inner = unwrap(inner.element as z.ZodType);
    else return undefined;
  }
  return inner;
}

function keysAt(schema: z.ZodType | undefined, path: Path): string[] {
  const inner = schemaAt(schema, path);
  if (inner instanceof z.ZodObject) return Object.keys(inner.shape);
  if (inner instanceof z.ZodUnion) return inner.options.flatMap((option) => keysAt(option as z.ZodType, []));
  return [];
}

/** A limit of a list, say, that zod also measures on the text that is there in its place. */
const measuresAnother = ({ code, path }: Issue, all: readonly Issue[]): boolean =>
  (code === 'too_small' || code === 'too_big') &&
  all.some((other) => other.code === 'invalid_type' && pathText(other.path) === pathText(path));

/**
 * Makes one readable error from zod's issues: each names the field's path, what was expected and what was given. Given
 * texts are described only by their length, since they may be secrets.
 */
export function invalidArgument(error: z.ZodError, input: unknown, schema?: z.ZodType): UiaHostError {
  // Zod runs cross-field rules last; they say little while a single field is wrong.
  const issues = error.issues.filter((issue) => !measuresAnother(issue, error.issues));
  const told = issues.slice(0, MAX_ISSUES).map((issue) => tell(issue, input, schema, []));
  const more = issues.length - told.length;
  const detail = `${told.map(({ text }) => text).join('; ')}${more > 0 ? `; and ${more} more` : ''}.`.replace(
    /([.?!])\.$/,
    '$1',
  );
  const suggestions = [...new Set(told.flatMap((each) => each.suggestions))];
  return badInput(detail, { suggestions });
}

/** Parses or throws invalid_argument. */
export function parseOrRefuse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw invalidArgument(parsed.error, input, schema);
}
