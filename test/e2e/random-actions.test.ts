/** End to end: random actions from a seed; whatever they do, the answers stay true. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runRandom } from '../catalogue/random.ts';
import { person } from '../support/hardware.ts';
import { randomFrom } from '../support/random.ts';
import { postSentinel, type Sentinel } from '../catalogue/sentinel.ts';
import { Scene } from '../support/scene.ts';

/** The suite runs the first of them; `npm run delivery-matrix` all. All three can be given, to see a failure again. */
const FROM = Number(process.env['UIAHOST_RANDOM_FROM'] ?? 1);
const ACTIONS = Number(process.env['UIAHOST_RANDOM_ACTIONS'] ?? 100);
const SEED = Number(process.env['UIAHOST_RANDOM_SEED'] ?? 20_261_122);
/** No assertion: only ends a run that hangs. */
const MOST_MS_EACH = 8000;

let scene: Scene;
let sentinel: Sentinel;

beforeAll(async () => {
  scene = await Scene.open();
  await scene.client.policy({ alwaysAsk: [] });
  sentinel = await postSentinel(scene);
  // A desktop that was just made learns where its cursor is by the first move over a window, which would count later on.
  await person.moveMouse(333, 222);
  await person.moveMouse(1200, 780);
  await person.leave();
  await sentinel.noticed();
});
afterAll(() => scene?.[Symbol.asyncDispose]());

it('the same seed gives the same numbers', () => {
  const [one, other] = [randomFrom(7), randomFrom(7)];
  const drawn = Array.from({ length: 50 }, () => one());
  expect(Array.from({ length: 50 }, () => other())).toEqual(drawn);
  expect(new Set(drawn).size).toBe(50);
  expect(randomFrom(8)()).not.toBe(drawn[0]);
});

it(
  'a key that presses a program’s own button and brings it forward is reported with it; characters press none',
  { retry: 0 },
  async () => {
    await using target = await scene.fixture('controls');
    await scene.client.bind({ hwnd: target.hwnd });
    await sentinel.undisturbed();
    // a click on the window itself: from now on it is what had the focus last, and P is the mnemonic of a button
    await scene.client.act('virtual-mouse', { action: 'click', space: 'client', x: 40, y: 141 });
    await sentinel.noticed();
    // Characters go to the window itself, past the loop that looks for mnemonics.
    await scene.client.act('type', { text: 'aPz' });
    expect((await sentinel.noticed()).foregroundChanges).toBe(0);
    expect(target.journal.events({ event: 'command' })).toEqual([]);
    const { outcome } = await scene.client.act('key', { keySequence: 'p' });
    const counts = await sentinel.noticed();
    expect(target.journal.events({ event: 'command', key: 'PUSH' })).toHaveLength(1);
    expect(counts.foregroundChanges).toBeGreaterThan(0);
    // It came forward by itself: that is reported, and the sentinel has the foreground again.
    expect(outcome).toMatchObject({ focusChanged: true, details: { foreground: { givenBack: true } } });
    expect(counts.isForeground).toBe(1);
    await sentinel.stand();
  },
);

it(
  `[click.background] ${ACTIONS} random background actions from seed ${SEED}: no focus change, cursor move or key goes unreported`,
  { retry: 0, timeout: 60_000 + ACTIONS * MOST_MS_EACH },
  async () => {
    const figures = await runRandom(scene, sentinel, { seed: SEED, actions: ACTIONS, from: FROM }, (sofar) => {
      // a run without output for long counts as hanging
      process.stdout.write(
        `${sofar.actions} random actions, ${sofar.unreported.length} of them disturbed somebody unsaid\n`,
      );
      if (process.env['UIAHOST_DELIVERY_RESULTS'])
        writeFileSync(join(process.env['UIAHOST_DELIVERY_RESULTS'], 'random.json'), JSON.stringify(sofar));
    });
    process.stdout.write(`random actions: ${JSON.stringify({ ...figures, unreported: figures.unreported.length })}\n`);
    expect(figures.unreported).toEqual([]);
    expect(figures.actions).toBe(ACTIONS);
    expect(figures.delivered).toBeGreaterThan((ACTIONS - FROM) / 3);
  },
);
