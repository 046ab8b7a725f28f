/**
 * src/client/api.generated.ts: the types of the TypeScript client, and the tables of its methods, from the OpenAPI
 * document, which follows from the action definitions.
 */
import type { JsonSchema } from '../src/contract/json/json-schema.ts';
import {
  actions,
  answerOf,
  bodyOf,
  camel,
  document,
  jsonOf,
  optionName,
  reads,
  routes,
  type Operation,
} from './lib/client-definitions.ts';
import { keepFiles } from './lib/generated.ts';

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value);
const comment = (text: unknown, indent: string): string =>
  typeof text === 'string' ? `${indent}/** ${text.replaceAll('*/', '* /')} */\n` : '';

/** Fields of an object type, one per line. */
function fields(schema: JsonSchema, indent: string): string {
  const required = new Set((schema['required'] as string[] | undefined) ?? []);
  return Object.entries((schema['properties'] as Record<string, JsonSchema> | undefined) ?? {})
    .map(([name, each]) => {
      const isRequired = required.has(name);
      const type = typeOf(each, `${indent}  `) + (isRequired ? '' : ' | undefined');
      return `${comment(each['description'], `${indent}  `)}${indent}  ${key(name)}${isRequired ? '' : '?'}: ${type};\n`;
    })
    .join('');
}

function objectType(schema: JsonSchema, indent: string): string {
  if (Object.keys(schema['properties'] ?? {}).length > 0) return `{\n${fields(schema, indent)}${indent}}`;
  const rest = schema['additionalProperties'];
  if (rest === false) return 'Record<string, never>';
  return `Record<string, ${typeof rest === 'object' && rest !== null ? typeOf(rest as JsonSchema, indent) : 'unknown'}>`;
}

/** A schema as a TypeScript type. Limits of numbers and lengths of texts have no counterpart; the host checks them. */
function typeOf(schema: JsonSchema, indent = ''): string {
  const several = (list: unknown, joint: string): string =>
    [...new Set((list as JsonSchema[]).map((each) => typeOf(each, indent)))].join(joint);
  if (typeof schema['$ref'] === 'string') return schema['$ref'].slice('#/components/schemas/'.length);
  if ('const' in schema) return literal(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map(literal).join(' | ');
  if (schema['anyOf'] !== undefined) return several(schema['anyOf'], ' | ');
  if (schema['oneOf'] !== undefined) return several(schema['oneOf'], ' | ');
  if (schema['allOf'] !== undefined) return several(schema['allOf'], ' & ');
  const { type } = schema;
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each }, indent)).join(' | ');
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return arrayType(schema, indent);
    case 'object':
      return objectType(schema, indent);
    default:
      return 'unknown';
  }
}

function arrayType(schema: JsonSchema, indent: string): string {
  const parts = schema['prefixItems'] ?? (Array.isArray(schema['items']) ? schema['items'] : undefined);
  if (Array.isArray(parts)) return `[${parts.map((each) => typeOf(each as JsonSchema, indent)).join(', ')}]`;
  const item = typeOf((schema['items'] as JsonSchema | undefined) ?? {}, indent);
  return `Array<${item}>`;
}

function namedType(name: string, schema: JsonSchema): string {
  // The input of each step follows from its action.
  const given =
    name === 'BatchInput' ? { ...schema, properties: { ...(schema['properties'] as object), steps: STEPS } } : schema;
  const isPlainObject = given['type'] === 'object' && given['properties'] !== undefined;
  return isPlainObject
    ? `export interface ${name} {\n${fields(given, '')}}\n`
    : `export type ${name} = ${typeOf(given)};\n`;
}
const STEPS = { type: 'array', items: { $ref: '#/components/schemas/BatchStep' } };

/** A whole number in a query is text there. */
const queryType = (schema: JsonSchema): string =>
  String(schema['pattern']).startsWith('^\\d') ? 'number' : typeOf(schema);

/** Options of a route beyond those of every call. */
function optionsType({ parameters = [] }: Operation): string {
  const own = parameters
    .filter((each) => each.in === 'query' || (each.in === 'header' && each.name !== 'Last-Event-ID'))
    .map((each) => {
      const [name, type] =
        each.in === 'query' ? [each.name, queryType(each.schema)] : [optionName(each.name), 'string'];
      return `${comment(each.description, '      ')}      ${key(name)}?: ${type} | undefined;\n`;
    });
  return own.length === 0 ? '' : ` & {\n${own.join('')}    }`;
}

function routeMethod({ operation }: (typeof routes)[number]): string {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const answers = answerOf(operation);
  const reply = Object.entries(responses).find(
    ([status, each]) => status.startsWith('2') && each.content !== undefined,
  )?.[1];
  const path = parameters.filter((each) => each.in === 'path').map((each) => `${each.name}: string`);
  const body = bodyOf(operation);
  const given = [
    ...path,
    ...(body === undefined ? [] : [`body${requestBody?.required === true ? '' : '?'}: ${typeOf(body, '    ')}`]),
    `options?: ${answers === 'events' ? 'StreamOptions' : 'CallOptions'}${optionsType(operation)}`,
  ];
  const result =
    answers === 'events'
      ? 'AsyncGenerator<StreamedEvent, void, undefined>'
      : `Promise<${answers === 'bytes' ? 'Uint8Array' : typeOf(jsonOf(reply?.content) ?? {}, '  ')}>`;
  return `${comment(operation.summary, '  ')}  ${operationId}(\n    ${given.join(',\n    ')},\n  ): ${result};\n`;
}

function routeRow({ path, method, operation }: (typeof routes)[number]): string {
  const { operationId, parameters = [], security } = operation;
  const query = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const headers = parameters
    .filter((each) => each.in === 'header')
    .map(({ name }) => [optionName(name), name.toLowerCase()]);
  const answers = answerOf(operation);
  const row = {
    method,
    path,
    scope: security[0]?.bearer[0] ?? 'none',
    ...(bodyOf(operation) === undefined ? {} : { hasBody: true }),
    ...(query.length === 0 ? {} : { query }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(answers === undefined ? {} : { answers }),
  };
  return `  ${operationId}: ${JSON.stringify(row)},\n`;
}

const text = `// Generated by scripts/generate-client.ts from the action definitions and the routes. Do not edit.
import type { ActionOptions, CallOptions, RouteRow, StartOptions, StreamedEvent, StreamOptions } from './calls.ts';

/** The result of an action, with the type of its value. */
export type ResultOf<Value> = Omit<ActionResult, 'value'> & { value: Value };

/** An action whose input has required fields. */
export interface Action<Input, Value> {
  (input: Input, options?: ActionOptions): Promise<ResultOf<Value>>;
  (input: Input, options: StartOptions): Promise<ResultOf<Value> | PendingAction>;
}

/** An action that can be called without input. */
export interface ActionWithDefaults<Input, Value> {
  (input?: Input, options?: ActionOptions): Promise<ResultOf<Value>>;
  (input: Input | undefined, options: StartOptions): Promise<ResultOf<Value> | PendingAction>;
}

${Object.entries(document.components.schemas)
  .map(([name, schema]) => namedType(name, schema))
  .join('\n')}
/** A step of \`batch\`: an action and its input. */
export type BatchStep =
${actions.map(({ name, type }) => `  | { action: '${name}'; input: ${type}Input }`).join('\n')};

/** Every action, as a method. */
export interface Actions {
${actions.map(({ name, type, needsInput, operation }) => `${comment(operation.summary, '  ')}  ${camel(name)}: ${needsInput ? 'Action' : 'ActionWithDefaults'}<${type}Input, ${type}Value>;`).join('\n')}
}

/** Method and name of every action. */
export const ACTIONS: Readonly<Record<keyof Actions, string>> = {
${actions.map(({ name }) => `  ${camel(name)}: '${name}',`).join('\n')}
};

/** Names of the actions that only read: repeating them needs no key. */
export const READS: ReadonlySet<string> = new Set([
${reads.map((name) => `  '${name}',`).join('\n')}
]);

/** Every other route, as a method: parameters of the path, the body, then options. */
export interface Routes {
${routes.map(routeMethod).join('')}}

/** How each of them is called. */
export const ROUTES: Readonly<Record<keyof Routes, RouteRow>> = {
${routes.map(routeRow).join('')}};
`;

keepFiles([['src/client/api.generated.ts', text]]);
