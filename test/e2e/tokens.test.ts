/** End to end: what the README's session costs a model over MCP, counted by a model's tokenizer. */
import { expect, it } from 'vitest';
import { sessionCost, tokenizer } from '../support/answer-costs.ts';
import { startDemo } from '../support/demo.ts';
import { sharedScene } from '../support/scene.ts';

const { scene, client } = await sharedScene(async ({ witness }) => ({ demo: await startDemo(witness) }));

it('[mcp.answer-cost] the README’s session stays within its limits', { timeout: 300_000 }, async () => {
  await client.policy({ level: 'full' });
  const { list, answers, total } = await sessionCost(scene.host, await tokenizer());
  expect(list).toBeLessThanOrEqual(2800);
  const within = (tool: string, tokens: number): void => {
    for (const each of answers.filter((one) => one.tool === tool))
      expect(each.answer, each.text).toBeLessThanOrEqual(tokens);
  };
  within('type_into_element', 60);
  within('click_element', 90);
  within('screenshot', 120);
  const table = answers.find(({ rows }) => rows > 0)!;
  expect(table.rows).toBe(100);
  expect(table.answer / table.rows).toBeLessThanOrEqual(15.5);
  for (const { tool, envelope, text } of answers) expect(envelope, `${tool}: ${text}`).toBeLessThanOrEqual(40);
  // Half of the 7,300 that the same calls cost before answers left out the audit record.
  expect(total).toBeLessThanOrEqual(3650);
});
