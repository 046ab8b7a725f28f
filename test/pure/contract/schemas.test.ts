/** The generated schemas, OpenAPI and tool list, compared with the actions and the given seeds. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { ACTIONS } from '../../../src/actions/index.ts';
import { adapterRoutes } from '../../../src/adapters/index.ts';
import { buildCatalog } from '../../../src/host/face/catalog.ts';
import { openApiDocument } from '../../../src/http/openapi.ts';
import { routeTable } from '../../../src/http/server.ts';
import { mcpRoutes } from '../../../src/mcp/route.ts';
import { createStandInHost } from '../../support/stand-in-host.ts';
import { phrasesOf } from '../../support/words.ts';

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../schemas/${path}`, import.meta.url), 'utf8'));
const seed = read('seeds/request-ui-action.tool.json') as { parameters: unknown; description: string };
const catalog = buildCatalog();

describe('catalog', () => {
  it('shows request_ui_action with the given parameters byte for byte, and its description', () => {
    const entry = catalog.find('request_ui_action');
    expect(JSON.stringify(entry?.inputSchema)).toBe(JSON.stringify(seed.parameters));
    expect(entry?.meaning).toBe(seed.description);
  });

  it('every object of every input refuses unknown keys, but for free-form records', () => {
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { type, properties, additionalProperties } = schema as Record<string, unknown>;
      if (type === 'object' && properties !== undefined) expect([path, additionalProperties]).toEqual([path, false]);
      for (const [key, value] of Object.entries(schema)) walk(value, `${path}.${key}`);
    };
    for (const entry of catalog.entries) walk(entry.inputSchema, entry.name);
  });

  it('observing is read-only; every writing tool is destructive unless its definition says why not', () => {
    for (const action of ACTIONS) {
      const hints = catalog.find(action.name)?.hints;
      expect([action.name, hints?.readOnlyHint]).toEqual([action.name, action.effect === 'observe']);
      const isExcused = action.effect === 'observe' || (action.notDestructive ?? '').length > 10;
      expect([action.name, hints?.destructiveHint]).toEqual([action.name, !isExcused]);
      expect([action.name, hints?.idempotentHint]).toEqual([action.name, action.isIdempotent]);
      expect([action.name, hints?.openWorldHint]).toEqual([action.name, ['input', 'launch'].includes(action.effect)]);
    }
  });

  it('each action has one name in each of the three spellings and is found by all', () => {
    for (const entry of catalog.entries) {
      expect(entry.name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(entry.tool).toBe(entry.name.replaceAll('-', '_'));
      for (const name of [entry.name, entry.tool, entry.method]) expect(catalog.find(name)).toBe(entry);
    }
    expect(catalog.near('clickElemnt')[0]).toBe('click-element');
    expect(catalog.near('zzzzzz')).toEqual([]);
  });
});

describe('schema files', () => {
  it('match the definitions', () => {
    execFileSync(
      process.execPath,
      [fileURLToPath(new URL('../../../scripts/generate-schemas.ts', import.meta.url)), '--check'],
      { stdio: 'pipe' },
    );
  });

  it('[schemas.governance] resolves the computer-use schema’s references with the names it asks for', () => {
    const governance = read('governance.schema.json') as { definitions: Record<string, { enum: string[] }> };
    const protocol = read('seeds/computer-use.schema.json') as { $id: string };
    const ajv = new Ajv({ strict: false });
    addFormatsModule.default(ajv);
    ajv.addSchema(governance);
    ajv.addSchema(protocol);
    const isEvent = ajv.compile({ $ref: `${protocol.$id}#/definitions/ComputerUseStreamEvent` });
    const event = {
      type: 'action',
      actionId: 'act_1',
      actionType: 'clickElement',
      riskLevel: 'high',
      summary: 's',
      timestamp: '2026-01-02T03:04:05.000Z',
    };
    expect(isEvent(event)).toBe(true);
    expect(isEvent({ ...event, actionType: 'click-element' })).toBe(false);
    expect(isEvent({ ...event, riskLevel: 'unknown' })).toBe(false);
    expect(governance.definitions['ComputerUseActionRiskLevel']?.enum).toEqual(['low', 'medium', 'high', 'critical']);
    const types = governance.definitions['ComputerUseActionType']?.enum;
    expect(types).toHaveLength(ACTIONS.length);
    expect(types).toContain('permissionPrompt');
  });

  it('every action’s schemas compile, and judge like the definitions themselves', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false });
    for (const entry of catalog.entries) {
      const isInput = ajv.compile(entry.inputSchema);
      ajv.compile(entry.outputSchema);
      for (const wrong of [{ unknownKey: 1 }, [], 'x', { deadlineMs: 0 }, { deadlineMs: 'soon' }]) {
        expect([entry.name, JSON.stringify(wrong), isInput(wrong)]).toEqual([entry.name, JSON.stringify(wrong), false]);
        expect([entry.name, entry.input.safeParse(wrong).success]).toEqual([entry.name, false]);
      }
    }
  });
});

describe('OpenAPI', () => {
  const host = createStandInHost();
  const routes = routeTable({
    host,
    proofKey: null,
    port: () => 0,
    mounts: [...mcpRoutes(host), ...adapterRoutes(host)],
  });
  const document = openApiDocument(routes, host.catalog, '1.2.3') as {
    openapi: string;
    paths: Record<
      string,
      Record<string, { operationId: string; security: unknown; responses: Record<string, unknown> }>
    >;
  };

  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  it('[openapi.complete] describes every route and every action, each with an id of its own, its scope and the problem', () => {
    for (const route of routes.filter(({ isHidden }) => isHidden !== true)) {
      const path = route.path.replace('/v1/actions/{name}', '/v1/actions/click-element');
      expect([path, document.paths[path]?.[route.method.toLowerCase()] !== undefined]).toEqual([path, true]);
    }
    for (const entry of host.catalog.entries)
      expect(document.paths[`/v1/actions/${entry.name}`]?.['post']?.operationId).toBe(entry.method);
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const ids = operations.map((operation) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const operation of operations) {
      for (const status of ['4XX', '5XX', 'default'])
        expect(operation.responses[status]).toEqual({ $ref: '#/components/responses/Problem' });
      expect(Array.isArray(operation.security)).toBe(true);
    }
  });

  it('has every route of the API table but the dashboard’s', () => {
    const table = phrasesOf`
      get /healthz | get /v1/status | get /v1/actions | post /v1/actions/click-element |
      get /v1/actions/{actionId} | delete /v1/actions/{actionId} | get /v1/tools | post /v1/tools/{name}/call |
      post /v1/computer-use/sessions | get /v1/computer-use/sessions | get /v1/computer-use/sessions/{id} |
      get /v1/computer-use/sessions/{id}/stream | post /v1/computer-use/sessions/{id}/control |
      post /v1/computer-use/sessions/{id}/propose | post /v1/computer-use/sessions/{id}/complete |
      get /v1/approvals | get /v1/approvals/{id} | post /v1/approvals/{id} | post /v1/stop | post /v1/resume |
      get /v1/policy | put /v1/policy | patch /v1/policy | get /v1/artifacts/{sha256} |
      get /v1/artifacts/{sha256}/content | get /v1/audit | get /v1/audit/verify | get /v1/events |
      get /v1/openapi.json | get /v1/schemas/{name} | post /mcp | post /v1/adapters/anthropic/computer |
      post /v1/adapters/openai/computer-call
    `;
    const present = new Set(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method} ${path}`),
      ),
    );
    expect(table.filter((row) => !present.has(row))).toEqual([]);
  });
});
