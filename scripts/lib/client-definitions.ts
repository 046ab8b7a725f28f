/** What the generators of the clients read: the actions and routes of the OpenAPI document. */
import { readFileSync } from 'node:fs';
import type { JsonSchema } from '../../src/contract/json/json-schema.ts';
import { documentOf } from './document.ts';

const ACTION = /^\/v1\/actions\/([a-z-]+)(\/start)?$/;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: JsonSchema;
}
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security: ReadonlyArray<{ readonly bearer: readonly string[] }>;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, { schema: JsonSchema }> };
  readonly responses: Record<string, { readonly content?: Record<string, { schema: JsonSchema }> }>;
}

const root = new URL('../../', import.meta.url);
export const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
export const document = documentOf(version) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};

export const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
export const camel = (name: string): string =>
  name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
export const actions = operations.flatMap(({ path, operation }) => {
  const [, name, start] = ACTION.exec(path) ?? [];
  return name === undefined || start !== undefined || operation.operationId === 'listActions'
    ? []
    : [{ name, operation, type: capital(camel(name)), needsInput: operation.requestBody?.required === true }];
});
/** Names of the actions that only read: repeating them needs no key. */
export const reads = actions
  .filter(({ operation }) => operation.description?.startsWith('Effect: observe.') === true)
  .map(({ name }) => name);
// MCP has its own clients.
export const routes = operations.filter(({ path }) => !ACTION.test(path) && path !== '/mcp');

export const optionName = (header: string): string => {
  const name = camel(header.toLowerCase());
  return name === 'uiahostSession' ? 'session' : name;
};
export const jsonOf = (content: Record<string, { schema: JsonSchema }> | undefined): JsonSchema | undefined =>
  content?.['application/json']?.schema;

/** The body that a caller gives: none where an empty object is all that is taken. */
export function bodyOf({ requestBody }: Operation): JsonSchema | undefined {
  const schema = jsonOf(requestBody?.content);
  const isEmpty = schema?.['additionalProperties'] === false && Object.keys(schema['properties'] ?? {}).length === 0;
  return isEmpty ? undefined : schema;
}

export function answerOf(operation: Operation): 'bytes' | 'events' | undefined {
  const types = Object.values(operation.responses).flatMap(({ content }) => Object.keys(content ?? {}));
  if (types.includes('text/event-stream')) return 'events';
  return types.includes('*/*') ? 'bytes' : undefined;
}
