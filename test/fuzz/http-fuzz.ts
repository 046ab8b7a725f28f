/** Requests generated from the OpenAPI document, valid and broken, and what their answers must be. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { arbitraryOf, type Schema } from '../support/schema-arbitrary.ts';
import { ask, type Finding, type Target } from './target.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters?: ReadonlyArray<{
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly required?: boolean;
    readonly schema: Schema;
  }>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>;
  readonly security?: ReadonlyArray<{ readonly bearer?: readonly string[] }>;
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  };
}
interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}
interface Generated {
  readonly values: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly type: string;
  readonly asOperator: boolean;
}

/** Server errors that say what is missing or took too long; `internal` is a fault of the host. */
const CAUSED = new Set(
  'unsupported deadline_exceeded desktop_unavailable worker_unavailable audit_unavailable'.split(' '),
);
/** Ids that answers give, which later requests may name. */
const IDS = ['actionId', 'approvalId', 'computerUseSessionId', 'spoolId', 'sha256'];

export interface FuzzReport {
  readonly requests: number;
  /** How many answers had each status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Operations that were called. */
  readonly operations: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/** Sends `runs` requests. The same seed sends the same ones, but for ids that answers gave. */
export async function fuzzHttp(target: Target, { seed, runs }: { seed: number; runs: number }): Promise<FuzzReport> {
  const document = (await (await fetch(`${target.url}/v1/openapi.json`)).json()) as OpenApi;
  const checks = new Checks(document);
  const calls: Call[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const policy = (await call(target, 'GET', '/v1/policy').then((response) => response.json())) as object;
  const ids: string[] = [];
  const findings: Finding[] = [];
  const statuses: Record<string, number> = {};
  const operations = new Set<string>();
  for (let at = 0; at < runs; at += 1) {
    const each = calls[at % calls.length] as Call;
    const [generated] = fc.sample(requestOf(each.operation, document, ids), { numRuns: 1, seed: seed + at });
    if (generated === undefined) continue;
    const { url, init, text } = written(target, each, generated);
    operations.add(each.operation.operationId);
    const response = await ask(url, init);
    const say = (what: string): void => void findings.push({ at, request: text.slice(0, 1000), what });
    if (response === null) {
      say('no answer within 30 s');
      continue;
    }
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    for (const what of await checks.faultsOf(each.operation, response, ids)) say(what);
    await undo(target, each, policy);
  }
  return { requests: runs, statuses, operations, findings };
}

const call = (target: Target, method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${target.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${target.operatorToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** A stop or another policy would refuse all that comes after. */
async function undo(target: Target, { path, method }: Call, policy: object): Promise<void> {
  if (path === '/v1/stop') await call(target, 'POST', '/v1/resume', {});
  if (path === '/v1/policy' && method !== 'GET') await call(target, 'PUT', '/v1/policy', policy);
}

function requestOf(operation: Operation, document: OpenApi, ids: readonly string[]): fc.Arbitrary<Generated> {
  const resolve = (ref: string): Schema => document.components.schemas[ref.split('/').at(-1) ?? ''] ?? {};
  const known = ids.length === 0 ? [] : [fc.constantFrom(...ids.slice(-20))];
  const values = fc.record(
    Object.fromEntries(
      (operation.parameters ?? []).map(({ name, in: place, schema }) => [
        name,
        place === 'path'
          ? fc.oneof(...known, arbitraryOf(schema, resolve), fc.string({ minLength: 1, maxLength: 30 }))
          : fc.oneof({ weight: 4, arbitrary: arbitraryOf(schema, resolve) }, { weight: 1, arbitrary: fc.string() }),
      ]),
    ),
    { requiredKeys: (operation.parameters ?? []).filter(({ in: place }) => place === 'path').map(({ name }) => name) },
  );
  const contents = Object.entries(operation.requestBody?.content ?? {});
  const valid = contents.map(([type, { schema }]) =>
    fc.record({ type: fc.constant(type), body: arbitraryOf(schema, resolve) }),
  );
  const body =
    valid.length === 0
      ? fc.constant({ type: '', body: undefined as unknown })
      : fc.oneof(
          { weight: 5, arbitrary: fc.oneof(...valid) },
          {
            weight: 3,
            arbitrary: fc
              .oneof(...valid)
              .chain(({ type, body: whole }) => broken(whole).map((part) => ({ type, body: part }))),
          },
          {
            weight: 1,
            arbitrary: fc.record({ type: fc.constantFrom('application/json', 'text/plain', ''), body: fc.jsonValue() }),
          },
        );
  const wantsOperator = operation.security?.some(({ bearer }) => bearer?.includes('operator') === true) === true;
  return fc.tuple(values, body, fc.integer({ min: 0, max: 9 })).map(([given, { type, body: sent }, other]) => ({
    values: given,
    body: sent,
    type,
    asOperator: other === 0 ? !wantsOperator : wantsOperator,
  }));
}

/** A value with something missing, added, or of another type. */
function broken(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fc.jsonValue({ maxDepth: 2 });
  const keys = Object.keys(value);
  const other = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('', -1, 1e308, '\0', '𝒳'.repeat(500), '../..', '%00'),
  );
  return fc.oneof(
    fc.tuple(fc.constantFrom(...keys, 'unknown'), other).map(([key, more]) => ({ ...value, [key]: more })),
    fc
      .constantFrom(...keys, 'unknown')
      .map((key) => Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))),
  );
}

/** As it is sent. `text` repeats it by hand. */
function written(target: Target, { method, path, operation }: Call, { values, body, type, asOperator }: Generated) {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {
    authorization: `Bearer ${asOperator ? target.operatorToken : target.agentToken}`,
  };
  let filled = path;
  for (const { name, in: place } of operation.parameters ?? []) {
    if (!(name in values)) continue;
    const value = String(values[name]).toWellFormed();
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === 'query') query.set(name, value);
    // Headers have visible characters only.
    else headers[name] = value.replaceAll(/[^\x21-\x7E]/g, '_') || '_';
  }
  // A dot segment would be another address before it is sent.
  filled = filled.replaceAll(/\/(\.\.?)(?=\/|$)/g, '/%2E$1');
  if (path === '/mcp') headers['accept'] = 'application/json, text/event-stream';
  if (type !== '') headers['content-type'] = type;
  const sent = body === undefined || method === 'GET' ? undefined : JSON.stringify(body);
  const url = `${target.url}${filled}${query.size > 0 ? `?${query}` : ''}`;
  return {
    url,
    init: { method, headers, ...(sent === undefined ? {} : { body: sent }) },
    text: `${method} ${url} ${JSON.stringify({ ...headers, authorization: asOperator ? 'operator' : 'agent' })} ${sent ?? ''}`,
  };
}

/** What an answer must be, by the document. */
export class Checks {
  readonly #document: OpenApi;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false });
  readonly #compiled = new Map<Schema, ValidateFunction>();

  constructor(document: OpenApi) {
    this.#document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ $id: 'openapi', components: document.components } as never);
  }

  /** What is wrong with an answer, and keeps the ids that it gives. */
  async faultsOf(operation: Operation, response: Response, ids: string[]): Promise<string[]> {
    const { status } = response;
    const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
    if (type === 'text/event-stream' && operation.operationId !== 'mcp') {
      // A stream has no end of its own.
      await response.body?.cancel();
      return status === 200 ? [] : [`a stream with status ${status}`];
    }
    const text = await response.text();
    const documented = operation.responses[status] ?? operation.responses[`${String(status)[0]}XX`];
    if (documented === undefined) return [`status ${status} is not documented: ${text.slice(0, 300)}`];
    const content =
      documented.$ref === undefined
        ? documented.content
        : this.#document.components.responses[documented.$ref.split('/').at(-1) ?? '']?.content;
    const faults: string[] = [];
    if (content === undefined) {
      if (text !== '') faults.push(`status ${status} has a body that is not documented: ${text.slice(0, 300)}`);
      return faults;
    }
    const schema = (content[type] ?? content[`${type.split('/')[0]}/*`])?.schema;
    if (!(type in content) && !(`${type.split('/')[0]}/*` in content) && operation.operationId !== 'mcp')
      return [`status ${status} has the type ${type}, which is not documented: ${text.slice(0, 300)}`];
    if (!type.endsWith('json')) return faults;
    const value = JSON.parse(text) as { code?: string };
    if (status >= 500 && !CAUSED.has(value.code ?? '')) faults.push(`status ${status}: ${text.slice(0, 500)}`);
    collect(value, ids);
    if (schema === undefined) return faults;
    const validate = this.#validatorOf(schema);
    if (!validate(value))
      faults.push(
        `status ${status} is off its schema: ${this.#ajv.errorsText(validate.errors)}: ${text.slice(0, 500)}`,
      );
    return faults;
  }

  #validatorOf(schema: Schema): ValidateFunction {
    const present = this.#compiled.get(schema);
    if (present !== undefined) return present;
    // References name components of the whole document.
    const own = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as Schema;
    const made = this.#ajv.compile(own);
    this.#compiled.set(schema, made);
    return made;
  }
}

function collect(value: unknown, ids: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    if (IDS.includes(key) && typeof each === 'string') ids.push(each);
    else collect(each, ids);
  }
}
