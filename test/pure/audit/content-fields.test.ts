/** Which inputs the audit records as they are: a text of any action is content until its definition and this list say otherwise. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ACTIONS } from '../../../src/actions/index.ts';
import { redactInput } from '../../../src/host/access/recorded-input.ts';

type JsonSchema = { [key: string]: unknown } & { properties?: Record<string, JsonSchema> };

/** What the actions name and request, and keys that type nothing. Everything else that takes text is content. */
const PLAIN = `
  action allowedBundleIds allowlistBundleIds app automationId bundleId bundleIds column command cursor hwnd name near
  observationId path range reason ref role secretRef sheet since test_id title toAutomationId toName toPath toRef toRole
  within workingDirectory
  keyNames keySequence modifiers text
  font numberFormat to
`.split(/\s+/);
/** What a call of an action may do with its text. */
const CONTENT: Readonly<Record<string, readonly string[]>> = {
  'type-into-element': ['text'],
  'virtual-keyboard': ['text'],
  'select-element': ['item'],
  'wait-for': ['value', 'windowTitle'],
  find: ['value'],
  'write-cell': ['text', 'expect'],
  'write-range': ['values', 'expect'],
  'edit-cells': ['criteria'],
  'inspect-workbook': ['text'],
  'write-clipboard': ['text'],
  'respond-to-prompt': ['text'],
  'status-indicator': ['message'],
  'request-ui-action': ['text'],
  type: ['text'],
  batch: ['input'],
  'would-ask': ['input'],
};

/** A text that a schema admits, which no hash has by chance; null where it takes no text of the caller’s choice. */
function textFor(field: JsonSchema): unknown {
  if (field['enum'] !== undefined || field['const'] !== undefined) return null;
  if (field['type'] === 'string') {
    const starts = ['Diagnosis ', 'e', '', 'obs_', 'uiahost:'];
    const candidates = [...starts.map((start) => `${start}471147`), `A1:C4.${'0f'.repeat(16)}`];
    const pattern = new RegExp(String(field['pattern'] ?? ''), 'u');
    return candidates.find((text) => pattern.test(text)) ?? null;
  }
  if (field['type'] === 'array') {
    const text = textFor(field['items'] as JsonSchema);
    return text === null ? null : [text];
  }
  if (field['type'] === 'object') return { text: 'Diagnosis 471147' };
  for (const part of (field['anyOf'] ?? []) as JsonSchema[]) {
    const text = textFor(part);
    if (text !== null) return text;
  }
  return null;
}

/** Fields of an input at every depth that take a text, and how that text is recorded there. */
function recordedFields(
  action: string,
  schema: JsonSchema,
  place: (fields: object) => object,
): Array<[string, boolean]> {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]): Array<[string, boolean]> => {
    const items = field['items'] as JsonSchema | undefined;
    const inner = field.properties === undefined ? items : field;
    if (inner?.properties !== undefined)
      return recordedFields(action, inner, (fields) => place({ [name]: inner === field ? fields : [fields] }));
    const text = textFor(field);
    if (text === null) return [];
    const recorded = JSON.stringify(redactInput(action, place({ [name]: text })));
    return [[name, recorded.includes('471147') || recorded.includes('0f0f0f0f')]];
  });
}

test('[audit.text] each action records its own content as lengths and hashes, and only what is listed here unchanged', () => {
  const shown = new Set<string>();
  for (const { name, input } of ACTIONS) {
    const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
    const fields = recordedFields(name, schema, (given) => given);
    const hidden = fields.filter(([, isShown]) => !isShown).map(([field]) => field);
    for (const [field, isShown] of fields) if (isShown) shown.add(field);
    const keys = ['keySequence', 'keyNames', 'modifiers'];
    expect({ name, hidden: hidden.filter((field) => !keys.includes(field)) }).toEqual({
      name,
      hidden: CONTENT[name] ?? [],
    });
  }
  expect([...shown].filter((field) => !PLAIN.includes(field))).toEqual([]);
});

test('[audit.text] a field that no definition declares is content, whatever its name and type', () => {
  for (const { name } of ACTIONS)
    for (const value of ['IBAN DE02', 4111111111111111, ['IBAN DE02'], { title: 'IBAN DE02' }, [[4111111111111111]]])
      expect(JSON.stringify(redactInput(name, { vlaues: value }))).not.toMatch(/IBAN|4111111/);
});
