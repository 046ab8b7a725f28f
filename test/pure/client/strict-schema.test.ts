/** Tools in OpenAI's strict mode: which schemas have its form, and that the host takes what a model then sends. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { strictly } from '../../../src/client/toolset.ts';
import { buildCatalog } from '../../../src/host/face/catalog.ts';
import { buildTools, callOf } from '../../../src/host/face/tools.ts';

const SEED = JSON.parse(
  readFileSync(new URL('../../../schemas/seeds/request-ui-action.tool.json', import.meta.url), 'utf8'),
) as { parameters: Record<string, unknown> };
const { tools } = buildTools(buildCatalog());

/** What strict mode asks of every object in a schema. */
function expectClosed(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties, type } = schema as { properties?: object; type?: unknown };
  if (type === 'object')
    expect(schema).toMatchObject({ additionalProperties: false, required: Object.keys(properties ?? {}) });
  for (const each of Object.values(schema)) expectClosed(each);
}

describe('[client.openai-strict] strict mode', () => {
  test('the given tool is strict unchanged, byte for byte', () => {
    expect(strictly(SEED.parameters, false)).toEqual({ parameters: SEED.parameters, strict: true });
    const given = tools.find(({ name }) => name === 'request_ui_action')!;
    expect(JSON.stringify(strictly(given.inputSchema, false).parameters)).toBe(JSON.stringify(SEED.parameters));
  });

  test('no other tool is sent otherwise than the host has it, unless that is asked for', () => {
    for (const { name, inputSchema } of tools.filter(({ name }) => name !== 'request_ui_action'))
      expect([name, strictly(inputSchema, false)]).toEqual([name, { parameters: inputSchema, strict: false }]);
  });

  test('all but free objects have the form, and null means what is left out', () => {
    const without: string[] = [];
    for (const tool of tools) {
      const { parameters, strict } = strictly(tool.inputSchema, true);
      if (!strict) {
        without.push(tool.name);
        continue;
      }
      expectClosed(parameters);
      const isValid = new Ajv2020({ strict: false }).compile(parameters);
      const required = new Set(tool.inputSchema['required'] as string[] | undefined);
      const names = Object.keys(tool.inputSchema['properties'] as object);
      const sample = Object.fromEntries(names.filter((each) => !required.has(each)).map((each) => [each, null]));
      if (required.size > 0) continue;
      expect([tool.name, isValid(sample), isValid.errors]).toEqual([tool.name, true, null]);
      // The host takes it as a call without arguments: both are valid, or neither.
      const outcome = (given: object): string => {
        try {
          return JSON.stringify(callOf(tool, given));
        } catch (error) {
          return (error as { code: string }).code;
        }
      };
      expect([tool.name, outcome(sample)]).toEqual([tool.name, outcome({})]);
    }
    expect(without).toEqual(['batch', 'would_ask']);
  });
});
