/** End to end: runs the whole case catalogue, with a sentinel in front that must notice nothing. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doubled, missing, rowName } from '../catalogue/coverage.ts';
import { expectedOf, goalsOf, type RowReport } from '../catalogue/report.ts';
import { CATALOGUE } from '../catalogue/rows.ts';
import { deliveryAsked, TARGETS } from '../catalogue/row.ts';
import { runRow, type RowResult, type Stage } from '../catalogue/run.ts';
import { postSentinel, undeclared, type Sentinel } from '../catalogue/sentinel.ts';
import { RECIPES, type Target } from '../catalogue/targets.ts';
import { person } from '../support/hardware.ts';
import { Scene } from '../support/scene.ts';

let scene: Scene;
let sentinel: Sentinel;
/** By row; a repeated row keeps its earlier untrue answers. */
const results = new Map<string, RowResult>();

beforeAll(async () => {
  scene = await Scene.open();
  // approvals are tested elsewhere
  await scene.client.policy({ alwaysAsk: [] });
  sentinel = await postSentinel(scene);
});
afterAll(() => scene?.[Symbol.asyncDispose]());

describe('the sentinel', { retry: 0 }, () => {
  const QUIET = {
    focusLosses: 0,
    activationLosses: 0,
    foregroundChanges: 0,
    cursorMoves: 0,
    keys: 0,
    chars: 0,
    mouse: 0,
    clipboardChanges: 0,
    isForeground: 1,
  };

  it('notices another window in front, even for a moment', async () => {
    await using other = await scene.fixture('sentinel', { args: ['--x', 20, '--y', 20] });
    await sentinel.undisturbed();
    expect(await sentinel.noticed()).toEqual(QUIET);
    await scene.witness.tell(other.hwnd, 'activate');
    const lost = await sentinel.noticed();
    expect(lost).toMatchObject({ isForeground: 0 });
    expect(Math.min(lost.foregroundChanges, lost.focusLosses, lost.activationLosses)).toBeGreaterThan(0);
    expect(undeclared(lost, null, false)).toHaveLength(1);
    await sentinel.stand();
    await scene.witness.tell(other.hwnd, 'activate');
    await scene.witness.tell(sentinel.fixture.hwnd, 'activate');
    const back = await sentinel.noticed();
    expect(back.isForeground).toBe(1);
    expect(undeclared(back, null, false)).toHaveLength(1);
  });

  it('notices a moved cursor, keys of a keyboard, and messages that were meant for another', async () => {
    await sentinel.stand();
    await person.moveMouse(333, 222);
    await person.moveMouse(640, 400);
    const moved = await sentinel.noticed();
    expect(moved.cursorMoves).toBeGreaterThan(0);
    expect(undeclared(moved, null, false).join()).toContain('cursor');
    await person.press('a');
    const pressed = await sentinel.noticed();
    expect(pressed.keys).toBeGreaterThan(0);
    expect(undeclared(pressed, null, false).join()).toContain('keys');
    await scene.client.bind({ hwnd: sentinel.fixture.hwnd });
    await scene.client.act('virtual-keyboard', { action: 'type', text: 'astray' });
    await scene.client.act('virtual-mouse', { action: 'click', space: 'client', x: 20, y: 20 });
    const astray = await sentinel.noticed();
    expect(astray.chars).toBe(6);
    expect(astray.mouse).toBeGreaterThan(1);
    expect(undeclared(astray, null, false).length).toBeGreaterThan(0);
    expect(await sentinel.noticed()).toEqual(QUIET);
  });
});

// If rows are repeated, what a witness contradicted once stays so, and each row counts once.
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

  it.each(CATALOGUE[name].map((row) => [`${row.action}, ${deliveryAsked(row)}: ${row.what}`, row] as const))(
    '%s',
    { timeout: 90_000 },
    async (_title, row) => {
      const result = await runRow(stage, row);
      const untrueBefore = results.get(rowName(name, row))?.untrue ?? [];
      results.set(rowName(name, row), { ...result, untrue: [...untrueBefore, ...result.untrue] });
      expect(untrueBefore, 'untrue when it was tried before').toEqual([]);
      expect(result.wrong, JSON.stringify({ effect: result.effect, way: result.way, code: result.code })).toEqual([]);
    },
  );
});

describe('the whole catalogue', { retry: 0 }, () => {
  const reports = (): RowReport[] =>
    [...results.values()].map(({ target, row, came, effect, way, code, focusChanged, untrue, wrong }) => ({
      target,
      ...expectedOf(row),
      came,
      effect,
      way,
      code,
      focusChanged,
      isDenied: untrue.length > 0,
      asExpected: wrong.length === 0,
    }));

  it('has every row that it must have, once, and each was run', () => {
    expect(doubled(CATALOGUE)).toEqual([]);
    expect(missing(CATALOGUE)).toEqual([]);
    const run = [...results.keys()];
    expect(
      TARGETS.flatMap((target) => CATALOGUE[target].map((row) => rowName(target, row))).filter(
        (name) => !run.includes(name),
      ),
      'rows that were not run',
    ).toEqual([]);
  });

  it('[outcome.confirmed] delivers nine tenths of its background input, confirms nineteen twentieths of that, and never what a witness denies', () => {
    const goals = goalsOf(reports());
    process.stdout.write(`catalogue: ${JSON.stringify(goals)}\n`);
    expect(goals.delivered / goals.background).toBeGreaterThanOrEqual(0.9);
    expect(goals.confirmed / goals.delivered).toBeGreaterThanOrEqual(0.95);
    expect(goals.denied).toBe(0);
    const folder = process.env['UIAHOST_DELIVERY_RESULTS'];
    if (folder !== undefined) writeFileSync(join(folder, 'catalogue.json'), JSON.stringify(reports()));
  });
});
