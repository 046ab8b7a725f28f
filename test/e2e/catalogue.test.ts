import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../catalogue/rows.ts';
import { TARGETS } from '../catalogue/row.ts';
import { runRow, type RowResult, type Stage } from '../catalogue/run.ts';
import { postSentinel, type Sentinel } from '../catalogue/sentinel.ts';
import { RECIPES, type Target } from '../catalogue/targets.ts';
import { Scene } from '../support/scene.ts';

let scene: Scene;
let sentinel: Sentinel;
const results: RowResult[] = [];

beforeAll(async () => {
  scene = await Scene.open();
  await scene.client.policy({ alwaysAsk: [] });
  sentinel = await postSentinel(scene);
});
afterAll(() => scene?.[Symbol.asyncDispose]());

describe.each(TARGETS)('%s', (name) => {
  let target: Target;
  let stage: Stage;
  beforeAll(async () => {
    target = await RECIPES[name].start(scene);
    await scene.client.bind({ hwnd: target.hwnd });
    await sentinel.undisturbed();
    stage = { scene, sentinel, name, target, look: { nodes: undefined } };
  });
  afterAll(() => target?.[Symbol.asyncDispose]());

  it.each(CATALOGUE[name].map((row) => [`${row.action} (${row.input?.['delivery'] ?? 'background'}): ${row.what}`, row] as const))('%s', async (_title, row) => {
    const result = await runRow(stage, row);
    results.push(result);
    expect(result.wrong, JSON.stringify({ effect: result.effect, rung: result.rung, code: result.code })).toEqual([]);
  });
});
