/** The file of a routine: its schema, how it is read and checked, and the steps that its inputs make of it. */
import { createHash } from 'node:crypto';
import { parseDocument, type Document } from 'yaml';
import { z } from 'zod';
import { attempt } from '../contract/attempt.ts';
import { badInput, UiaHostError } from '../contract/errors.ts';
import { ELEMENT_STATES } from '../contract/element/control-types.ts';
import { SECRET_PREFIX, SecretName } from '../contract/gate/secret.ts';
import { parseOrRefuse } from '../contract/json/issues.ts';
import { didYouMean, nearest } from '../contract/json/near.ts';
import type { Catalog } from '../host/face/host.ts';

const refusal = (message: string): UiaHostError => badInput(message);

/** Flags of `uiahost run`, which no input can be named. */
const RESERVED = /^(?:table|dry_run|from|junit|html|agree|json|session|host|token_file|help|version)$/;
const INPUT_NAME = /^[a-z][a-z0-9_]{0,39}$/;
const TEXT = z.union([z.string().max(10_000), z.number(), z.boolean()]);
const SECONDS = z.number().min(0).max(600).optional();

const Query = z
  .strictObject({
    name: z.string().min(1).max(1000).optional(),
    role: z.string().min(1).max(100).optional(),
    automationId: z.string().min(1).max(1000).optional(),
    path: z.string().min(1).max(2000).optional(),
  })
  .describe('What finds one element: its name or label, its role, its AutomationId, or a path.');
export type Query = z.infer<typeof Query>;

const STATE = z.enum(['there', 'gone', 'enabled', ...ELEMENT_STATES]);
const Row = z.record(z.string(), TEXT).describe('Cells by the titles of their columns.');

/** Something that the window, a table, a workbook or a file shows or does not show. */
const Look = z.union([
  z.strictObject({ text: TEXT, seconds: SECONDS }).describe('Part of a name or value somewhere in the window.'),
  z.strictObject({ element: Query, value: TEXT, seconds: SECONDS }).describe('What an element holds.'),
  z.strictObject({ element: Query, state: STATE, seconds: SECONDS }).describe('A state of an element.'),
  z.strictObject({ window: z.string().min(1), state: z.enum(['there', 'gone']).optional(), seconds: SECONDS }),
  z.strictObject({ table: Query, row: Row, seconds: SECONDS }).describe('Exactly one row holds these cells.'),
  z.strictObject({ table: Query, row: Row, column: z.string(), value: TEXT, seconds: SECONDS }).describe('A cell.'),
  z.strictObject({ range: z.string(), sheet: z.string().optional(), value: TEXT, seconds: SECONDS }),
  z.strictObject({ file: z.string().min(1), contains: z.string().optional(), seconds: SECONDS }),
]);
export type Look = z.infer<typeof Look>;

const Condition = z.union([Look, z.strictObject({ input: z.string(), is: TEXT })]);

const Step = z
  .strictObject({
    name: z.string().max(300).optional().describe('What the step is for, in a few words.'),
    if: Condition.optional().describe('Done only where this holds now.'),
    do: z.string().describe('An action of uiahost, in kebab-case.'),
    with: z.record(z.string(), z.unknown()).optional().describe('Its input. ${NAME} is the input of that name.'),
    check: z.array(Look).max(20).optional().describe('The record that the step relies on: else it halts before it.'),
    expect: z.array(Look).max(20).optional().describe('What shows that it worked.'),
    seconds: SECONDS.describe('How long it waits for its element; default 10.'),
    was: z
      .strictObject({ role: z.string(), name: z.string(), id: z.string() })
      .optional()
      .describe('The element as it was recorded: for proposals when it is not found.'),
  })
  .describe('One action.');

type Group = {
  if?: z.infer<typeof Condition> | undefined;
  'for each'?: string | undefined;
  steps: Array<z.infer<typeof Step> | Group>;
};
const Group: z.ZodType<Group> = z.strictObject({
  if: Condition.optional(),
  'for each': z.string().optional().describe('An input of type rows: the steps are done for each of its rows.'),
  get steps() {
    return z
      .array(z.union([Step, Group]))
      .min(1)
      .max(200);
  },
});

const Input = z.strictObject({
  type: z.enum(['text', 'number', 'yes-no', 'secret', 'rows']).default('text'),
  description: z.string().max(500).optional(),
  oneOf: z.array(z.string()).min(1).optional(),
  default: TEXT.optional().describe('For a secret: the name of the stored secret.'),
});

const Routine = z.strictObject({
  routine: z.literal(1).describe('Version of this form.'),
  name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'a name has small letters, digits and dashes'),
  description: z.string().min(1).max(1000),
  inputs: z.record(z.string().regex(INPUT_NAME), Input).default({}),
  steps: z
    .array(z.union([Step, Group]))
    .min(1)
    .max(200),
  expect: z.array(Look).max(20).optional().describe('What shows at the end that all of it worked.'),
  heals: z
    .strictObject({ of: z.string(), step: z.string(), was: z.unknown(), now: z.unknown(), why: z.string() })
    .optional()
    .describe('A proposal: which query differs from the routine with that hash.'),
});
export type Routine = z.infer<typeof Routine>;

/** JSON Schema of a routine's file. */
export function routineJsonSchema(catalog: Catalog): Record<string, unknown> {
  const schema = z.toJSONSchema(Routine, { io: 'input', reused: 'ref' });
  const names = catalog.entries.filter(({ topic }) => topic !== 'hosting').map(({ name }) => name);
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === 'do' && typeof value === 'object' ? { ...value, enum: names } : value,
  );
  return { ...(JSON.parse(text) as object), title: 'Routine' };
}

/** A routine with the text that it was read from. */
export interface RoutineFile {
  readonly routine: Routine;
  readonly document: Document;
  /** SHA-256 of the text. */
  readonly hash: string;
}

/** Errors: invalid_argument, naming what is wrong and the names that exist. */
export function readRoutine(text: string, catalog: Catalog): RoutineFile {
  const document = parseDocument(text, { stringKeys: true });
  const [fault] = document.errors;
  if (fault !== undefined) throw refusal(`The routine is not YAML: ${fault.message}`);
  const value = attempt(() => document.toJS({ maxAliasCount: 0 }) as unknown, null);
  if (value === null) throw refusal('The routine is empty, or has an alias (*name), which it cannot have.');
  const routine = parseOrRefuse(Routine, value);
  for (const name of Object.keys(routine.inputs))
    if (RESERVED.test(name))
      throw refusal(`The input ${name} needs another name: uiahost run has a flag of this name.`);
  filled(routine.expect ?? [], samplesOf(routine));
  for (const step of outlineOf(routine)) judge(step, catalog, true);
  return { routine, document, hash: createHash('sha256').update(text).digest('hex') };
}

type Input = z.infer<typeof Input>;
const ANY_ROW = Symbol('any row');
type Value = string | number | boolean | ReadonlyArray<Readonly<Record<string, unknown>>> | typeof ANY_ROW;
export type Values = Readonly<Record<string, Value>>;
type Scope = Readonly<Record<string, Value | Readonly<Record<string, unknown>>>>;

/** Names in place of values, such as `<customer>`. */
const samplesOf = ({ inputs }: Routine): Values =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, { type }]) => [
      name,
      type === 'rows' ? ANY_ROW : type === 'secret' ? `${SECRET_PREFIX}<${name}>` : `<${name}>`,
    ]),
  );

/** Every step, with the names of inputs in place of their values. */
export const outlineOf = (routine: Routine): ReadyStep[] => readySteps(routine.steps, samplesOf(routine), SAMPLE);

/** The values of a run. Errors: invalid_argument for a missing or unknown input, or one of another type. */
export function valuesOf({ inputs }: Routine, given: Readonly<Record<string, unknown>>): Values {
  for (const name of Object.keys(given)) assertKnown('input', name, Object.keys(inputs));
  const missing = Object.entries(inputs).filter(([name, input]) => (given[name] ?? input.default) === undefined);
  if (missing.length > 0)
    throw refusal(`The routine needs: ${missing.map(([name]) => name.replaceAll('_', '-')).join(', ')}.`);
  return Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [name, valueOf(name, input, given[name] ?? input.default)]),
  );
}

function valueOf(name: string, { type, oneOf }: Input, given: unknown): Value {
  const refuse = (wanted: string): UiaHostError => refusal(`${name}: expected ${wanted}.`);
  const text = String(given);
  if (type === 'rows') {
    const rows = z.array(z.record(z.string(), z.unknown())).max(1000).safeParse(given);
    if (!rows.success) throw refuse('rows: a list of objects');
    return rows.data;
  }
  if (typeof given === 'object') throw refuse(`a ${type}`);
  if (oneOf !== undefined && !oneOf.includes(text)) throw refuse(`one of ${oneOf.join(', ')}`);
  if (type === 'yes-no') {
    if (!/^(?:true|false|yes|no)$/.test(text)) throw refuse('yes or no');
    return text === 'true' || text === 'yes';
  }
  if (type === 'number') {
    if (text.trim() === '' || !Number.isFinite(Number(text))) throw refuse('a number');
    return Number(text);
  }
  if (type === 'text') return text;
  const secret = text.replace(SECRET_PREFIX, '');
  if (!SecretName.safeParse(secret).success) throw refuse('the name of a stored secret, never the secret itself');
  return SECRET_PREFIX + secret;
}

/** JSON Schema of the inputs, for a tool. */
export function inputSchemaOf({ inputs }: Routine): Record<string, unknown> & { type: 'object' } {
  const types = { text: 'string', number: 'number', 'yes-no': 'boolean', secret: 'string', rows: 'array' } as const;
  const properties = Object.entries(inputs).map(([name, { type, description, oneOf, default: value }]) => {
    const words = [description, type === 'secret' ? 'Name of a stored secret.' : undefined].filter(Boolean).join(' ');
    const items = type === 'rows' ? { items: { type: 'object' } } : {};
    return [
      name,
      {
        type: types[type],
        ...items,
        ...(words === '' ? {} : { description: words }),
        ...(oneOf === undefined ? {} : { enum: oneOf }),
        ...(value === undefined ? {} : { default: type === 'yes-no' ? /^(?:true|yes)$/.test(String(value)) : value }),
      },
    ];
  });
  const required = Object.entries(inputs).flatMap(([name, input]) => (input.default === undefined ? [name] : []));
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

/** A step with its inputs in it. */
export interface ReadyStep {
  /** Its place as a person counts: `3`, in a group `4.2`, in a row `4[2].1`. */
  readonly at: string;
  /** Its place in the document. */
  readonly path: readonly (string | number)[];
  readonly name: string | undefined;
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly when: readonly Look[];
  readonly check: readonly Look[];
  readonly expect: readonly Look[];
  readonly waitMs: number;
  readonly was: { readonly role: string; readonly name: string; readonly id: string } | undefined;
}

const DEFAULT_SECONDS = 10;
const MOST_STEPS = 2000;

/** The steps of a run in their order; each is checked by its action's own schema. Errors: invalid_argument. */
export function stepsOf(routine: Routine, values: Values, catalog: Catalog): ReadyStep[] {
  const steps = readySteps(routine.steps, values, WHOLE);
  if (steps.length > MOST_STEPS) throw refusal(`The routine has ${steps.length} steps; ${MOST_STEPS} at most.`);
  return steps.map((step) => judge(step, catalog, false));
}

/** What shows at the end that all of it worked. */
export const endOf = ({ expect = [] }: Routine, values: Values): Look[] => expect.map((look) => filled(look, values));

interface Place {
  readonly path: readonly (string | number)[];
  readonly at: string;
  readonly when: readonly Look[];
  /** Samples stand for the inputs: every step counts, whatever they are. */
  readonly isSample: boolean;
}
const WHOLE: Place = { path: [], at: '', when: [], isSample: false };
const SAMPLE: Place = { ...WHOLE, isSample: true };

function readySteps(steps: Routine['steps'], values: Scope, from: Place): ReadyStep[] {
  return steps.flatMap((step, index) => {
    const condition = step.if;
    const isOfInput = condition !== undefined && 'input' in condition;
    if (isOfInput) {
      assertKnown('input', condition.input, Object.keys(values));
      const is = String(values[condition.input]) === String(filled(condition.is, values));
      if (!is && !from.isSample) return [];
    }
    const when = condition === undefined || isOfInput ? from.when : [...from.when, filled(condition, values)];
    const place = { ...from, path: [...from.path, 'steps', index], at: `${from.at}${index + 1}`, when };
    if ('do' in step)
      return [
        {
          ...place,
          name: step.name,
          action: step.do,
          input: filled(step.with ?? {}, values),
          check: filled(step.check ?? [], values),
          expect: filled(step.expect ?? [], values),
          waitMs: (step.seconds ?? DEFAULT_SECONDS) * 1000,
          was: step.was,
        },
      ];
    const each = step['for each'];
    if (each === undefined) return readySteps(step.steps, values, { ...place, at: `${place.at}.` });
    assertKnown('input', each, Object.keys(values));
    const rows = from.isSample ? [values[each]] : values[each];
    if (!Array.isArray(rows)) throw refusal(`The input ${each} of a \`for each\` is not of type rows.`);
    return (rows as Array<Scope[string]>).flatMap((row, number) =>
      readySteps(step.steps, { ...values, [each]: row }, { ...place, at: `${place.at}[${number + 1}].` }),
    );
  });
}

const REFERENCE = /\$\{([^}]*)\}/g;

/** A value with the inputs in it; a text that is one reference alone becomes the input’s own value. */
function filled<T>(value: T, values: Scope): T {
  if (typeof value === 'string') {
    const whole = /^\$\{([^}]*)\}$/.exec(value)?.[1];
    if (whole !== undefined) return referred(whole, values) as T;
    return value.replaceAll(REFERENCE, (_, name: string) => String(referred(name, values))) as T;
  }
  if (Array.isArray(value)) return value.map((each: unknown) => filled(each, values)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, values)])) as T;
}

function referred(reference: string, values: Scope): unknown {
  const [name = '', ...rest] = reference.split('.');
  const column = rest.join('.');
  assertKnown('input', name, Object.keys(values));
  const value = values[name];
  if (value === ANY_ROW) return `<${reference}>`;
  if (column === '') {
    if (typeof value === 'object') throw refusal(`The input ${name} is a row here: write \${${name}.COLUMN}.`);
    return value;
  }
  if (typeof value !== 'object' || Array.isArray(value))
    throw refusal(`The input ${name} is not a row of a \`for each\` here, so it has no columns.`);
  assertKnown(`column of ${name}`, column, Object.keys(value));
  return (value as Readonly<Record<string, unknown>>)[column];
}

function assertKnown(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const near =
    didYouMean(nearest(name, known)) || (known.length === 0 ? 'there is none.' : `known: ${known.join(', ')}.`);
  throw refusal(`Unknown ${what} ${JSON.stringify(name.slice(0, 60))}; ${near}`);
}

/** A step whose input its action takes. A sample stands for what the run will be given, so it is judged by its keys alone. */
function judge(step: ReadyStep, catalog: Catalog, isSample: boolean): ReadyStep {
  const entry = catalog.find(step.action);
  if (entry === undefined || entry.topic === 'hosting')
    throw refusal(
      `Step ${step.at}: there is no action ${JSON.stringify(step.action)} for routines; ${didYouMean(catalog.near(step.action))}`,
    );
  for (const key of ['ref', 'toRef', 'within', 'near'])
    if (key in step.input)
      throw refusal(`Step ${step.at}: ${key} is of one session; find the element by name, role or automationId.`);
  for (const [key, value] of Object.entries(step.input))
    if (typeof value === 'string' && value.startsWith(SECRET_PREFIX) && key !== 'secretRef')
      throw refusal(`Step ${step.at}: ${key} cannot be a secret; only secretRef of type-into-element is.`);
  try {
    parseOrRefuse(entry.input, step.input);
  } catch (error) {
    const { message } = error as Error;
    if (!isSample || /unknown keys?|is required/.test(message))
      throw refusal(`Step ${step.at}, ${entry.name}: ${message}`);
  }
  return { ...step, action: entry.name };
}

/** What finds the element of a step; null where it has none. */
export function queryOf({ input }: Pick<ReadyStep, 'input'>): Query | null {
  const { name, role, automationId, path } = input as Query;
  const query = { name, role, automationId, path };
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? null : (Object.fromEntries(given) as Query);
}

const DOES: Readonly<Record<string, (on: string, given: Readonly<Record<string, unknown>>) => string>> = {
  'bind-to-window': (_, { title, hwnd, pid }) => `Use the window ${shown(title ?? hwnd ?? pid)}`,
  'click-element': (on, { button, count }) =>
    `${count === 2 ? 'Double-click' : button === undefined || button === 'left' ? 'Click' : `Click (${shown(button)})`} ${on}`,
  'focus-element': (on) => `Go to ${on}`,
  key: (_, { keySequence }) => `Press ${shown(keySequence)}`,
  'select-element': (on, { item, index }) =>
    `Choose ${shown(item ?? index ?? on)}${item === undefined && index === undefined ? '' : ` in ${on}`}`,
  'type-into-element': (on, { text, secretRef }) =>
    `Type ${secretRef === undefined ? shown(text) : `the secret ${shown(secretRef)}`} into ${on}`,
  'wait-for': (on, { windowTitle }) => `Wait for ${windowTitle === undefined ? on : shown(windowTitle)}`,
  'open-app': (_, { app, bundleId }) => `Start ${shown(app ?? bundleId)}`,
};

const shown = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? '');

/** One sentence. */
export function sentenceOf({ name, action, input }: Pick<ReadyStep, 'name' | 'action' | 'input'>): string {
  const { name: named, role, automationId, path, ...rest } = input as Query & Record<string, unknown>;
  const on = `${role === undefined ? '' : `${role} `}${shown(named ?? automationId ?? path ?? 'the window')}`;
  const words = `${action[0]?.toUpperCase()}${action.slice(1).replaceAll('-', ' ')}`;
  return (
    name ??
    DOES[action]?.(on, rest) ??
    `${words}${queryOf({ input }) === null ? '' : ` ${on}`}${Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`}`
  );
}

/** What a look wants, in words. */
export function wantedOf(look: Look): string {
  const { seconds: _, ...rest } = look;
  const parts = Object.entries(rest).map(([key, value]) => {
    const isQuery = typeof value === 'object' && value !== null;
    return `${key} ${
      isQuery
        ? Object.entries(value)
            .map(([field, each]) => `${field} ${shown(each)}`)
            .join(', ')
        : shown(value)
    }`;
  });
  return parts.join(': ').replaceAll('": value', '" with value');
}
