/** End to end: what people ask for in a spreadsheet, by the public interface: asked first, proven after, in the bound workbook alone. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Fixture } from '../support/fixture.ts';
import { eachWorkbook } from '../support/workbook.ts';

let book: Fixture;
let client: Client;
eachWorkbook((given) => void ({ book, client } = given), { args: ['--books', 2], policy: { level: 'control' } });

type Call = readonly [action: string, input: object];
/** The list that most tasks begin with, in Data!A1:C6. */
const LIST = 'Item Price Number|Tea 4 10|Coffee 9 3|tea 4 10|Cocoa 6 0|Milk 1 20'
  .split('|')
  .map((row) => row.split(' '));
const at = (range: string, more: object): object => ({ sheet: 'Data', range, ...more });
/** What is there afterwards: cells of Data by their range, or what the last call answers. */
const TASKS = JSON.parse(readFileSync(new URL('../fixtures/workbook/tasks.json', import.meta.url), 'utf8')) as Array<
  [wish: string, calls: Call[], place: string | null, there: unknown]
>;

/** Writes at level control: its card, which says what would be done and where, is approved. */
async function approved([action, input]: Call) {
  const { actionId, card } = await client.pending(action, input);
  expect(card.summary).not.toMatch(/carry out|\b1 (?:row|column|cell)s\b/i);
  const shown = `${card.summary} ${JSON.stringify(card.cells)}`;
  for (const [field, value] of Object.entries(input))
    if (['sheet', 'range', 'name'].includes(field)) expect(shown).toContain(String(value));
  await client.decide(card.approvalId, 'approve');
  const { result, error } = await client.ended(actionId);
  expect(error).toBeUndefined();
  expect([action, input, result?.outcome.effect]).toEqual([action, input, 'confirmed']);
  return result!;
}

it.each(TASKS)('%s', { timeout: 120_000 }, async (_wish, calls, place, there) => {
  expect(calls.length).toBeLessThanOrEqual(10);
  await book.tell('book 1');
  for (const [r, row] of LIST.entries())
    for (const [c, value] of row.entries()) await book.tell(`set Data!${'ABC'[c]!}${r + 1} ${value}`);
  await book.tell('saved 0');
  const before = book.journal.events({}).length;
  let last: unknown;
  for (const call of calls) {
    const isLook = /^(?:read|inspect|workbook)/.test(call[0]);
    last = (isLook ? await client.act(...call) : await approved(call)).value;
  }
  if (place !== null) last = (await client.act('read-range', at(place, { what: 'values' }))).value.values;
  expect(last).toMatchObject(there as object);
  const others = book.journal.events({}).slice(before);
  expect(others.filter(({ event, book: which = 1 }) => /^(?:changed|sheets)$/.test(event) && which !== 1)).toEqual([]);
});
