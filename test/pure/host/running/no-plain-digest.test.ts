/** Short texts cannot be found again from what is written down: no hash of an input without a key, and none of secrets. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CatalogEntry } from '../../../../src/host/face/host.ts';
import { canonicalJson } from '../../../../src/contract/json/strict-json.ts';
import { rounds } from '../../../support/rounds.ts';
import { startBoundHost, startTestHost } from '../running-host.ts';

const TEXTS = ['4711', '4111 1111 1111 1111', 'hunter2', 'yes', '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1'];

type Schema = {
  readonly type?: string;
  readonly enum?: unknown[];
  readonly const?: unknown;
  readonly properties?: Record<string, Schema>;
  readonly required?: string[];
  readonly items?: Schema;
  readonly anyOf?: Schema[];
  readonly minimum?: number;
};

/** A value of the schema with the text wherever a free text can be; every property is given. */
function planted(schema: Schema, text: string): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? [];
  if (first !== undefined) return planted(first, text);
  if (schema.type === 'object' || schema.properties !== undefined)
    return Object.fromEntries(
      Object.entries(schema.properties ?? { text: {} }).map(([name, of]) => [name, planted(of, text)]),
    );
  if (schema.type === 'array') return [planted(schema.items ?? {}, text)];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'number' || schema.type === 'integer') return Math.max(schema.minimum ?? 1, 1);
  return text;
}

/**
 * Inputs of an action: all of its properties, the required ones, and each text property by itself with the required
 * ones.
 */
function inputsOf(entry: CatalogEntry, text: string): Array<Record<string, unknown>> {
  const schema = entry.inputSchema as Schema;
  const whole = planted(schema, text) as Record<string, unknown>;
  const needed = Object.fromEntries((schema.required ?? []).map((name) => [name, whole[name]]));
  const typing: Record<string, Record<string, unknown>> = {
    'virtual-keyboard': { action: 'type', text },
    'respond-to-prompt': { responseType: 'type', text },
    'type-into-element': { name: 'Save draft', text },
  };
  return [
    whole,
    needed,
    ...Object.keys(whole).map((name) => ({ ...needed, [name]: whole[name] })),
    ...(typing[entry.name] === undefined ? [] : [typing[entry.name]!]),
  ];
}

const hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
const hashesOf = (text: string): string[] => {
  const hash = hex(text);
  return [
    hash,
    hash.slice(0, 12),
    Buffer.from(hash, 'hex').toString('base64').slice(0, 16),
    Buffer.from(hash, 'hex').toString('base64url').slice(0, 16),
  ];
};

/** Hashes that an attacker who tries texts would compute for a call. */
function guesses(action: string, method: string, input: Record<string, unknown>, text: string): string[] {
  const json = [
    JSON.stringify(input),
    canonicalJson(input),
    ...[action, method].flatMap((name) => [
      canonicalJson({ action: name, arguments: input }),
      canonicalJson({ action: name, input }),
    ]),
  ];
  return [text, JSON.stringify(text), text.replaceAll(' ', ''), text.split('').join(' '), ...json].flatMap(hashesOf);
}

/** Which of the words are somewhere in a text: each place is looked up once for each length, instead of the text once for each word. */
function occurring(words: ReadonlySet<string>, text: string): string[] {
  const lengths = new Set([...words].map(({ length }) => length));
  const found = new Set<string>();
  for (const length of lengths)
    for (let from = 0; from + length <= text.length; from += 1) {
      const word = text.slice(from, from + length);
      if (words.has(word)) found.add(word);
    }
  return [...found];
}

describe('[audit.keyed-hashes] no hash of an input that is made without a key', () => {
  test('is in the audit, on a card, in the database or in an answer, for any action', async () => {
    await using t = await startTestHost({
      level: 'control',
      limits: { actionsPerMinute: 100_000, maxActions: null, maxDurationMs: null },
    });
    await t.host.runner.run(t.agent, 'bind-to-window', { title: 'Notepad' }).result;
    const texts = TEXTS.slice(0, rounds({ whole: TEXTS.length, quick: 1 }));
    const tried = new Set<string>();
    const answers: unknown[] = [];
    for (const entry of t.host.catalog.entries) {
      for (const text of texts) {
        for (const input of inputsOf(entry, text)) {
          for (const hash of guesses(entry.name, entry.method, input, text)) tried.add(hash);
          const run = t.host.runner.run({ ...t.agent, session: 'default' }, entry.name, input);
          const card = await run.pending;
          if (card !== null) {
            answers.push(await t.host.approvals.get(card));
            await t.host.approvals.decide(card, { decision: 'deny' }, 'operator', 'api');
            // Three denials in a row pause the session; here every call must come to its card.
            for (const { owner } of t.host.approvals.pauses()) await t.host.liftPause(owner, 'operator');
          }
          answers.push(await run.result.catch((error: { toProblem?(): unknown }) => error.toProblem?.()));
        }
      }
    }
    const { approvals } = await t.host.approvals.list({ status: 'all', limit: 1000 });
    expect(approvals.length).toBeGreaterThan(20);
    const audit = join(t.root, 'audit');
    const kept = [
      await t.stored('approvals', 'actions', 'events', 'idempotency', 'sessions'),
      JSON.stringify([answers, approvals]),
      ...readdirSync(audit).map((name) => readFileSync(join(audit, name), 'latin1')),
    ].join('\n');
    expect(tried.size).toBeGreaterThan(2000 * texts.length);
    expect(occurring(new Set(['agent', 'no such word']), kept)).toEqual(['agent']);
    expect(occurring(tried, kept)).toEqual([]);
  });

  test('typed text has a keyed hash, the same after a restart; card numbers and text typed for a payment have none', async () => {
    await using t = await startBoundHost({ level: 'full', alwaysAsk: [] });
    const type = async (text: string): Promise<unknown> => {
      await t.host.runner.run(t.agent, 'virtual-keyboard', { action: 'type', text }).result.catch(() => {});
      return (await t.auditEntries()).findLast(
        ({ kind, action }) => kind === 'decision' && action === 'virtualKeyboard',
      )?.text;
    };
    const first = await type('hunter2');
    expect(first).toEqual({ length: 7, hmac: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await type('hunter2')).toEqual(first);
    expect(await type('hunter3')).not.toEqual(first);
    expect(await type('4111 1111 1111 1111')).toBeNull();
  });
});
