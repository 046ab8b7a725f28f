// The OpenAPI document, derived from the route table.
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import { Problem } from '../contract/problem.ts';
import { toJsonSchema, type JsonSchema } from '../contract/json-schema.ts';
import { ActionResult } from '../contract/outcome.ts';
import type { Catalog, CatalogEntry } from '../host/face/host.ts';
import type { ReplyDescription, Route } from '../host/face/route.ts';

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

/** The generic action route, repeated for an action with its own schemas. */
function actionOperation(generic: Record<string, unknown>, entry: CatalogEntry): Record<string, unknown> {
  const needsInput = Array.isArray(entry.inputSchema['required']) && entry.inputSchema['required'].length > 0;
  const responses = generic['responses'] as Record<string, unknown>;
  const resultSchema = {
    allOf: [
      { $ref: '#/components/schemas/ActionResult' },
      { type: 'object', properties: { value: entry.outputSchema } },
    ],
  };
  return {
    ...generic,
    operationId: entry.method,
    summary: entry.meaning,
    description: `Effect: ${entry.effect}. Needs: ${entry.needs}.`,
    parameters: (generic['parameters'] as Array<{ in: string }>).filter((parameter) => parameter.in !== 'path'),
    requestBody: { required: needsInput, content: { 'application/json': { schema: entry.inputSchema } } },
    responses: {
      ...responses,
      200: { description: 'Done.', content: { 'application/json': { schema: resultSchema } } },
    },
  };
}

/** The OpenAPI 3.1 document of the routes; the action route is listed once per action. */
export function openApiDocument(routes: readonly Route[], catalog: Catalog, version: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  const put = (path: string, method: string, described: unknown): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  };
  for (const route of routes) {
    if (route.isHidden === true) continue;
    const described = operation(route);
    if (route.path !== '/v1/actions/{name}') put(route.path, route.method, described);
    else
      for (const entry of catalog.entries) put(`/v1/actions/${entry.name}`, 'POST', actionOperation(described, entry));
  }
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
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Agent or operator token; an operator token may do everything that an agent token may.',
        },
      },
      schemas: { Problem: toJsonSchema(Problem, 'output'), ActionResult: toJsonSchema(ActionResult, 'output') },
      responses: {
        Problem: {
          description: 'An error.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  };
}
