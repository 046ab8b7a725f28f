/** Which inputs the audit records in plain text: every listed name exists, and a new text field is digested until it is listed. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ACTIONS } from '../../../src/actions/index.ts';
import { PLAIN } from '../../../src/audit/redact.ts';

type JsonSchema = { [key: string]: unknown } & { properties?: Record<string, JsonSchema> };

/** The names of a schema's fields at every depth, and whether what they hold may be any text. */
function fieldsOf(schema: unknown, found = new Map<string, boolean>()): Map<string, boolean> {
  if (typeof schema !== 'object' || schema === null) return found;
  for (const [name, field] of Object.entries((schema as JsonSchema).properties ?? {})) {
    found.set(name, found.get(name) === true || takesText(field));
  }
  for (const part of Object.values(schema)) fieldsOf(part, found);
  return found;
}

const takesText = (field: JsonSchema): boolean =>
  (field['type'] === 'string' && field['enum'] === undefined && field['const'] === undefined) ||
  ['anyOf', 'oneOf', 'allOf'].some((key) => ((field[key] ?? []) as JsonSchema[]).some(takesText)) ||
  (typeof field['items'] === 'object' && takesText(field['items'] as JsonSchema));

const fields = new Map<string, boolean>();
for (const { input } of ACTIONS) fieldsOf(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }), fields);

/** What cards of the host itself and proposals of other programs' tools bring. */
const OTHER_BODIES = [
  'points',
  'tool',
  'member',
  'kind',
  'scope',
  'state',
  'status',
  'decision',
  'urls',
  'goal',
  'displayName',
  'actionId',
  'approvalId',
];

test('[audit.text] a name that is written down plainly is a field of an action or of a body that is listed here', () => {
  expect([...PLAIN].filter((name) => !fields.has(name) && !OTHER_BODIES.includes(name))).toEqual([]);
});

test('[audit.text] a field of an action that takes any text is digested unless it is listed as plain', () => {
  const digested = [...fields].filter(([name, isText]) => isText && !PLAIN.has(name)).map(([name]) => name);
  // date, formula and values: what is written into cells.
  expect(digested.toSorted()).toEqual([
    'allowlistBundleIds',
    'date',
    'formula',
    'message',
    'text',
    'value',
    'values',
    'windowTitle',
  ]);
});
