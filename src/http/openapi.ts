// The OpenAPI document, derived from the route table, and the contracts as they were given.
import { z } from 'zod';
import computerUse from '../../schemas/seeds/computer-use.schema.json' with { type: 'json' };
import requestUiAction from '../../schemas/seeds/request-ui-action.tool.json' with { type: 'json' };
import { ImageArtifact } from '../contract/artifact.ts';
import { type ErrorCode, ERRORS, UiaHostError } from '../contract/errors.ts';
import { ApprovalCard } from '../contract/gate/approval.ts';
import { Policy } from '../contract/gate/permissions.ts';
import { ComputerUseInput, SessionView } from '../contract/gate/session.ts';
import { ProposalAnswer, UiActionProposal } from '../contract/gate/traits.ts';
import { type JsonSchema, toJsonSchema } from '../contract/json/json-schema.ts';
import { ActionResult } from '../contract/outcome.ts';
import { Problem } from '../contract/problem.ts';
import { governanceSchema } from '../host/face/catalog.ts';
import type { Catalog, CatalogEntry, Host } from '../host/face/host.ts';
import { json, openRoute, type ReplyDescription, type Route } from '../host/face/route.ts';
import { ActionRecord } from '../contract/gate/views.ts';
import { PendingAction } from './routes/actions.ts';

const PROBLEM_REPLY = { $ref: '#/components/responses/Problem' };

function parameters(route: Route, pathNames: readonly string[]): unknown[] {
  const query =
    route.query === undefined ? {} : (toJsonSchema(route.query)['properties'] as Record<string, JsonSchema>);
  return [
    ...pathNames.map((name) => {
      const parameter = route.pathParameters?.[name];
      return {
        name,
        in: 'path',
        required: true,
        description: parameter?.meaning ?? name,
        schema: { type: 'string', ...(parameter === undefined ? {} : { pattern: parameter.pattern.source }) },
      };
    }),
    ...Object.entries(query).map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: false,
      ...(description === undefined ? {} : { description }),
      schema,
    })),
    ...Object.entries(route.headers ?? {}).map(([name, description]) => ({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ];
}

function reply(description: ReplyDescription): unknown {
  const schema = description.schema === undefined ? {} : toJsonSchema(description.schema, 'output');
  const headers = Object.entries(description.headers ?? {}).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ]);
  return {
    description: description.description,
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    ...(description.isEmpty === true ? {} : { content: { [description.mediaType ?? 'application/json']: { schema } } }),
  };
}

function operation(route: Route): Record<string, unknown> {
  const pathNames = [...route.path.matchAll(/\{([A-Za-z0-9]+)\}/g)].map((match) => match[1] ?? '');
  const all = parameters(route, pathNames);
  const { body } = route;
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    security: route.scope === 'none' ? [] : [{ bearer: [route.scope] }],
    ...(all.length > 0 ? { parameters: all } : {}),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.required ?? true,
            content: Object.fromEntries(
              (body.mediaTypes ?? ['application/json']).map((type) => [type, { schema: toJsonSchema(body.schema) }]),
            ),
          },
        }),
    responses: {
      ...Object.fromEntries(Object.entries(route.replies).map(([status, description]) => [status, reply(description)])),
      '4XX': PROBLEM_REPLY,
      '5XX': PROBLEM_REPLY,
      default: PROBLEM_REPLY,
    },
  };
}

/** Schemas with a name, which generated clients use for their types. */
const NAMED: Readonly<Record<string, z.ZodType>> = {
  ActionRecord,
  ActionResult,
  ApprovalCard,
  ComputerUseInput,
  ImageArtifact,
  PendingAction,
  Policy,
  Problem,
  ProposalAnswer,
  SessionView,
  UiActionProposal,
};

const schemaNamed = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** `ClickElement` of `click-element`. */
const typeNameOf = ({ name }: CatalogEntry): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The same document part, with a reference wherever a named schema is repeated. */
function withReferences(part: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(part)) return part.map((each) => withReferences(each, names));
  if (typeof part !== 'object' || part === null) return part;
  const name = 'type' in part && part.type === 'object' ? names.get(JSON.stringify(part)) : undefined;
  if (name !== undefined) return schemaNamed(name);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withReferences(value, names)]));
}

/** The route that runs an action and waits; `/start` answers before a person has decided. */
const WAITING = '/v1/actions/{name}';
const STARTING = '/v1/actions/{name}/start';

const WAIT_PARAMETER = {
  name: 'wait',
  in: 'query',
  required: false,
  description: '1, the default: answers when the action has ended. With 0 it answers as `/start` does.',
  schema: { type: 'string', enum: ['1'] },
};

type Operation = Record<string, unknown>;
type Parameter = { readonly in: string; readonly name: string };

/**
 * A route that runs an action, for one action with its own schemas. A document cannot say that the status follows from
 * a parameter: 202 is described under `/start` alone, so that a generated client need not tell it apart where the call
 * waits.
 */
function actionOperation(generic: Operation, entry: CatalogEntry, isStart: boolean): Operation {
  const needsInput = Array.isArray(entry.inputSchema['required']) && entry.inputSchema['required'].length > 0;
  const { 202: pending, ...responses } = generic['responses'] as Record<string, unknown>;
  const result = {
    allOf: [
      schemaNamed('ActionResult'),
      { type: 'object', properties: { value: schemaNamed(`${typeNameOf(entry)}Value`) }, required: ['value'] },
    ],
  };
  return {
    ...generic,
    operationId: isStart ? `start${typeNameOf(entry)}` : entry.method,
    summary: isStart ? `${entry.meaning} Answers 202 if a person must decide.` : entry.meaning,
    description: `Effect: ${entry.effect}. Needs: ${entry.needs}.`,
    parameters: (generic['parameters'] as Parameter[])
      .filter((parameter) => parameter.in !== 'path')
      .map((parameter) => (parameter.name === 'wait' ? WAIT_PARAMETER : parameter)),
    requestBody: {
      required: needsInput,
      content: { 'application/json': { schema: schemaNamed(`${typeNameOf(entry)}Input`) } },
    },
    responses: {
      ...responses,
      200: { description: 'Done.', content: { 'application/json': { schema: result } } },
      ...(isStart ? { 202: pending } : {}),
    },
  };
}

/** The OpenAPI 3.1 document of the routes; the routes that run an action are listed once per action. */
export function openApiDocument(routes: readonly Route[], catalog: Catalog, version: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  const put = (path: string, method: string, described: unknown): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  };
  for (const route of routes) {
    if (route.isHidden === true) continue;
    const described = operation(route);
    if (route.path !== WAITING && route.path !== STARTING) put(route.path, route.method, described);
    else
      for (const entry of catalog.entries) {
        const path = route.path.replace('{name}', entry.name);
        put(path, 'POST', actionOperation(described, entry, route.path === STARTING));
      }
  }
  const named = Object.entries(NAMED).map(([name, schema]) => [name, toJsonSchema(schema, 'output')] as const);
  const names = new Map(named.map(([name, schema]) => [JSON.stringify(schema), name]));
  const schemas = {
    ...Object.fromEntries(
      named.map(([name, schema]) => [
        name,
        Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, withReferences(part, names)])),
      ]),
    ),
    ...Object.fromEntries(
      catalog.entries.flatMap((entry) => [
        [`${typeNameOf(entry)}Input`, entry.inputSchema],
        [`${typeNameOf(entry)}Value`, entry.outputSchema],
      ]),
    ),
  };
  const codes = (Object.keys(ERRORS) as ErrorCode[]).map(
    (code) =>
      `- \`${code}\` (${ERRORS[code].status}${ERRORS[code].retryable ? ', retryable' : ''}): ${ERRORS[code].title}.`,
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'uiahost',
      version,
      summary: 'Windows UI Automation agent host: operate one bound window by its elements, with a person in control.',
      description: `Every error is a problem (RFC 9457) with one of these codes:\n\n${codes.join('\n')}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:7423' }],
    paths: withReferences(paths, names),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Agent or operator token; an operator token may do everything that an agent token may.',
        },
      },
      schemas,
      responses: {
        Problem: {
          description: 'An error.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  };
}

const NAMES = ['computer-use.schema.json', 'governance.schema.json', 'request-ui-action.tool.json'] as const;
const NAME = new RegExp(`^(?:${NAMES.map((name) => name.replaceAll('.', String.raw`\.`)).join('|')})$`);

export function schemaRoutes(host: Host): Route[] {
  const documents: Record<(typeof NAMES)[number], () => unknown> = {
    'computer-use.schema.json': () => computerUse,
    'governance.schema.json': () => governanceSchema(host.catalog, host.version),
    'request-ui-action.tool.json': () => requestUiAction,
  };
  return [
    openRoute('GET /v1/schemas/{name}', 'contractSchema', {
      tag: 'host',
      scope: 'none',
      summary: 'A contract as it was given, or the enumerations that it refers to, of this version.',
      pathParameters: { name: { pattern: NAME, meaning: 'File name of the schema.', unknown: 'not_found' } },
      replies: {
        200: { description: 'A JSON Schema, or a function tool.', schema: z.record(z.string(), z.unknown()) },
      },
      async handle({ path }) {
        const name = NAMES.find((each) => each === path['name']);
        if (name === undefined)
          throw new UiaHostError('not_found', `There is no schema of that name; there are ${NAMES.join(', ')}.`);
        return json(documents[name]());
      },
    }),
  ];
}
