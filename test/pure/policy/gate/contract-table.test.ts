/** Property: every real definition, over generated inputs, policies and targets, is judged as the table written from docs/behaviour.md says. */
import { randomFrom } from '../../../support/random.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ACTIONS, type ActionDefinition } from '../../../../src/actions/index.ts';
import type { AppIdentity } from '../../../../src/contract/element/binding.ts';
import { UiaHostError } from '../../../../src/contract/errors.ts';
import { defaultPolicy, type Level, type Tier } from '../../../../src/contract/gate/permissions.ts';
import { passGate } from '../../../../src/policy/gate/gate.ts';
import {
  CONTRACT,
  expected,
  leastRisk,
  tagsOf,
  type AppKind,
  type Circumstances,
  type Row,
} from '../contract-table.ts';
import { CHROME, context, element, NOTEPAD, subject, TERMINAL, testWorld, TRADER } from '../world.ts';

const APPS: Readonly<Record<AppKind, AppIdentity>> = {
  browser: CHROME,
  trading: TRADER,
  terminal: TERMINAL,
  other: NOTEPAD,
};
const LEVELS: readonly Level[] = ['disabled', 'observe', 'control', 'full'];
const GRANTS: ReadonlyArray<Tier | null> = [null, 'read', 'click', 'full'];
const FLAGS = [[], ['clipboardRead', 'clipboardWrite', 'systemKeyCombos', 'displayCapture', 'prompts']] as const;
const ALWAYS = [[], defaultPolicy().alwaysAsk] as const;

/** A terminal that asks nothing. */
const SHELL = { rows: ['C:\\>'], width: 80, cursor: { x: 4, y: 0 }, isBehind: false };

/** Texts that mean nothing by themselves, by the name of the field: what they mean is tested elsewhere. */
const SAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  text: ['a'],
  keySequence: ['a', 'b c', 'shift+x'],
  keyNames: [['a'], ['shift', 'x']],
  modifiers: [[], ['ctrl'], ['shift']],
  ref: ['e7'],
  observationId: ['obs_1'],
  hwnd: ['65552'],
  role: ['button'],
  path: ['C:\\Tools\\tool.exe'],
  workingDirectory: ['C:\\work'],
  command: ['--continue'],
  secretRef: ['uiahost:mail'],
  range: ['A1', 'B2:C4'],
  values: [
    [[1]],
    [['a', true, null]],
    [[{ formula: '=SUM(A1:A3)' }, '']],
    [[{ date: '2026-11-23' }]],
    [[{ error: '#N/A' }]],
  ],
  expect: [`A1.${'0'.repeat(32)}`],
  since: ['obs_1'],
  apps: [[{ app: 'notepad.exe' }]],
  flags: [['prompts']],
  steps: [[{ action: 'snapshot', input: {} }]],
  target: [{ role: 'button', name: 'Next', test_id: '' }],
  risk_tags: [[]],
  allowedBundleIds: [undefined],
  allowlistBundleIds: [[]],
  item: ['Row 3'],
  bundleId: ['tool.exe'],
  deadlineMs: [1000],
};

type Schema = Readonly<Record<string, any>>;

function valueOf(name: string, schema: Schema, random: () => number): unknown {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  if (SAMPLES[name] !== undefined) return pick(SAMPLES[name]);
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return pick(schema['enum']);
  if (Array.isArray(schema['anyOf'])) return valueOf(name, pick(schema['anyOf'] as Schema[]), random);
  switch (schema['type']) {
    case 'boolean':
      return random() < 0.5;
    case 'integer':
    case 'number':
      return Math.max(schema['minimum'] ?? 1, Math.min(schema['maximum'] ?? 50, 1 + Math.floor(random() * 40)));
    case 'array':
      return [valueOf(`${name}[]`, schema['items'] ?? {}, random)];
    case 'object':
      return objectOf(schema, random);
    default:
      return 'Next';
  }
}

function objectOf(schema: Schema, random: () => number): Record<string, unknown> {
  const required = new Set<string>(schema['required'] ?? []);
  const entries = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).filter(
    ([name]) => required.has(name) || random() < 0.4,
  );
  return Object.fromEntries(entries.map(([name, each]) => [name, valueOf(name, each, random)]));
}

/** Valid inputs of an action: this many different ones, with every value of each choice among them. */
function inputsOf(definition: ActionDefinition, random: () => number): Record<string, unknown>[] {
  const schema = z.toJSONSchema(definition.input, { io: 'input', unrepresentable: 'any' }) as Schema;
  const found = new Map<string, Record<string, unknown>>();
  for (let tries = 0; tries < 2000 && found.size < 60; tries += 1) {
    const parsed = definition.input.safeParse(objectOf(schema, random));
    if (parsed.success) found.set(JSON.stringify(parsed.data), parsed.data as Record<string, unknown>);
  }
  return [...found.values()];
}

async function outcomeOf(
  definition: ActionDefinition,
  input: Record<string, unknown>,
  given: Circumstances,
): Promise<{ result: string; riskLevel: string | null; riskTags: readonly string[] }> {
  const { app: kindOfApp } = given;
  const app = APPS[kindOfApp];
  const world = testWorld({
    app,
    seen: context(
      element('Edit', 'Next', { states: input['secretRef'] === undefined ? [] : ['password'] }),
      kindOfApp === 'terminal' ? { console: SHELL } : {},
    ),
    policy: {
      level: given.level,
      flags: [...given.flags],
      alwaysAsk: [...given.alwaysAsk],
      grants: given.grant === null ? [] : [{ app: app.bundleId, tier: given.grant }],
    },
  });
  if (!given.isBound) world.live = null;
  const traits = definition.traits(input as never, { isBound: given.isBound });
  const secret = typeof input['secretRef'] === 'string' ? { ref: input['secretRef'], field: 'Next' } : null;
  let result = 'execute';
  try {
    await passGate(subject(traits, { action: definition.method, input, secret }), world);
    if (world.cards.length > 0) result = 'ask';
  } catch (error) {
    if (!(error instanceof UiaHostError)) throw error;
    result = error.code;
  }
  const judged = world.records.at(-1);
  return { result, riskLevel: judged?.riskLevel ?? null, riskTags: judged?.riskTags ?? [] };
}

const ORDER = ['low', 'medium', 'high', 'critical'];

function* circumstances(): Generator<Circumstances> {
  for (const level of LEVELS)
    for (const app of Object.keys(APPS) as AppKind[])
      for (const grant of GRANTS)
        for (const flags of FLAGS)
          for (const alwaysAsk of ALWAYS)
            for (const isBound of [true, false]) yield { level, app, grant, flags, alwaysAsk, isBound };
}

describe.each(ACTIONS.map((definition) => [definition.method, definition] as const))('%s', (method, definition) => {
  const inputs = inputsOf(definition, randomFrom(20_261_123));
  const rowOf = (input: Record<string, unknown>, isBound: boolean): Row => CONTRACT[method]!(input, isBound);

  it('has a row in the table, and inputs that reach every choice of its schema', () => {
    expect(Object.keys(CONTRACT)).toContain(method);
    expect(inputs.length).toBeGreaterThan(0);
    const schema = z.toJSONSchema(definition.input, { io: 'input', unrepresentable: 'any' }) as Schema;
    for (const [name, each] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)) {
      if (Array.isArray(each['enum']) && ['action', 'responseType', 'agent', 'button'].includes(name))
        expect(new Set(inputs.map((input) => input[name]).filter((value) => value !== undefined))).toEqual(
          new Set(each['enum']),
        );
    }
  });

  it('tier, flags, tags, effect and both ends match the table', () => {
    for (const input of inputs)
      for (const isBound of [true, false]) {
        const traits = definition.traits(input as never, { isBound });
        const of = rowOf(input, isBound);
        const effect = of.kind === 'clipboardRead' ? 'look' : of.kind === 'clipboardWrite' ? 'input' : of.kind;
        expect({
          input,
          isBound,
          tier: traits.tier,
          flags: traits.flags,
          tags: traits.tags,
          effect: traits.effect === 'observe' ? 'look' : traits.effect,
          ends: traits.from === null ? 1 : 2,
          isCoordinate: traits.isCoordinate,
          isMove: traits.isPointerMoveOnly,
        }).toEqual({
          input,
          isBound,
          tier: of.tier,
          flags: of.flags,
          tags: of.tags,
          effect,
          ends: of.ends,
          isCoordinate: of.isCoordinate,
          isMove: of.isMove,
        });
        expect(traits.changesSomething).toBe(of.kind !== 'look' && of.kind !== 'clipboardRead');
      }
  });

  it('[grant.flags] is executed, asked or refused as the table says, under every level, grant, flag and list', async () => {
    const random = randomFrom(7);
    for (const given of circumstances()) {
      const input = inputs[Math.floor(random() * inputs.length)]!;
      const of = rowOf(input, given.isBound);
      const { result, riskLevel, riskTags } = await outcomeOf(definition, input, given);
      // A stored secret is asked for each time, whatever the level.
      const wanted = expected(of, given);
      expect({ input, given, result }).toEqual({
        input,
        given,
        result: wanted === 'execute' && input['secretRef'] !== undefined ? 'ask' : wanted,
      });
      if (result !== 'execute' && result !== 'ask') continue;
      expect({ input, given, isEnough: ORDER.indexOf(riskLevel ?? '') >= ORDER.indexOf(leastRisk(of, given)) }).toEqual(
        { input, given, isEnough: true },
      );
      if (of.kind === 'look' || of.kind === 'clipboardRead')
        expect({ input, riskLevel }).toEqual({ input, riskLevel: 'low' });
      for (const tag of tagsOf(of, given)) expect(riskTags).toContain(tag);
      expect({ input, given, hasInputTag: riskTags.includes('computer:input') }).toEqual({
        input,
        given,
        hasInputTag: result === 'ask' && (of.kind === 'input' || of.kind === 'clipboardWrite'),
      });
    }
  });
});
